"""A table of words that is asked for many at once: exact, and in a few passes of NumPy over all of them.

A dictionary costs a Python object, a hash and a call for every word of a long archive. Here a word of up to
sixteen bytes is two numbers of 64 bits, read straight out of the text; they are looked up by open addressing with
linear probing, and compared whole, so two words are never taken for one another. Only a word that was never seen
before goes through Python.
"""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

LONGEST = 16  # bytes of a word that has a place here
PADDING = LONGEST  # bytes that must follow the last word of a text
PROBES = 24  # places looked at for a word; what crowds together on purpose costs a call each, and not more
_SMALLEST = 12  # bits
_MASKS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)
_LOW_MASKS = _MASKS[[min(length, 8) for length in range(LONGEST + 1)]]
_HIGH_MASKS = _MASKS[[max(length - 8, 0) for length in range(LONGEST + 1)]]
_MIX = (np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F), np.uint64(0xD6E8FEB86659FD93))
_HALF = np.uint64(32)

Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Keys = npt.NDArray[np.uint64]


class WordTable:
    """Word → number. `numbers_of` is asked once for a word that has a place, each time for one that has none."""

    def __init__(self, numbers_of: Callable[[list[str]], list[int]]) -> None:
        self._numbers_of = numbers_of
        self._count = 0
        self._make(_SMALLEST)

    def _make(self, bits: int) -> None:
        self._shift = np.uint64(64 - bits)
        self._last = (1 << bits) - 1
        self._low = np.zeros(1 << bits, np.uint64)  # 0 marks an empty place: no word is all zeros
        self._high = np.zeros(1 << bits, np.uint64)
        self._numbers = np.zeros(1 << bits, np.int32)
        self._claims = np.zeros(1 << bits, np.int32)

    def numbers(self, text: bytes, starts: Places, ends: Places) -> Numbers:
        """The number of each word `text[start:end]`.

        Args:
            text: UTF-8 without zero bytes in words; after the last word come PADDING bytes of anything.
            starts: where the words begin.
            ends: where they end, each beyond its start.
        """
        lengths = ends - starts
        found = np.empty(len(starts), np.int32)
        fits = lengths <= LONGEST
        if fits.all():
            self._look_up(text, starts, ends, found)
            return found
        found[~fits] = self._ask(text, starts[~fits], ends[~fits])
        short = np.empty(int(np.count_nonzero(fits)), np.int32)
        self._look_up(text, starts[fits], ends[fits], short)
        found[fits] = short
        return found

    def _ask(self, text: bytes, starts: Places, ends: Places) -> Numbers:
        places = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array(self._numbers_of([text[start:end].decode("utf-8") for start, end in places]), np.int32)

    def _look_up(self, text: bytes, starts: Places, ends: Places, found: Numbers) -> None:
        low, high = _keys(text, starts, ends - starts)
        left: Places = np.arange(len(starts))
        while len(left):
            places, known = self._find(low[left], high[left])
            found[left[known]] = self._numbers[places[known]]
            left, places = left[~known], places[~known]
            if (crowded := places < 0).any():
                found[left[crowded]] = self._ask(text, starts[left[crowded]], ends[left[crowded]])
                left, places = left[~crowded], places[~crowded]
            new = self._claimed(places)
            chosen = left[new]
            numbers = self._ask(text, starts[chosen], ends[chosen])
            self._put(places[new], low[chosen], high[chosen], numbers)

    def _find(self, low: Keys, high: Keys) -> tuple[Places, npt.NDArray[np.bool_]]:
        """The place of each word, and whether it is there: else an empty place, −1 where that is too far."""
        places = self._first_places(low, high)
        known = (self._low[places] == low) & (self._high[places] == high)
        left = np.flatnonzero(~known)
        for _ in range(PROBES):
            left = left[self._low[places[left]] != 0]
            if not len(left):
                return places, known
            places[left] = (places[left] + 1) & self._last
            there = (self._low[places[left]] == low[left]) & (self._high[places[left]] == high[left])
            known[left[there]] = True
            left = left[~there]
        places[left] = -1
        return places, known

    def _first_places(self, low: Keys, high: Keys) -> Places:
        mixed = (low * _MIX[0]) ^ (high * _MIX[1])
        mixed ^= mixed >> _HALF
        mixed *= _MIX[2]
        return (mixed >> self._shift).astype(np.int64)

    def _claimed(self, places: Places) -> Places:
        """One of the words at each place: all different, as the same word is always at the same place."""
        order = np.arange(len(places), dtype=np.int32)
        self._claims[places] = order
        return np.flatnonzero(self._claims[places] == order)

    def _put(self, places: Places, low: Keys, high: Keys, numbers: Numbers) -> None:
        """Put different words into empty places; the table stays at most half full."""
        self._low[places], self._high[places], self._numbers[places] = low, high, numbers
        self._count += len(places)
        if 2 * self._count > self._last:
            self._grow()

    def _grow(self) -> None:
        full = np.flatnonzero(self._low)
        low, high, numbers = self._low[full], self._high[full], self._numbers[full]
        self._make(2 + self._last.bit_length())
        self._count, left = 0, np.arange(len(low))
        while len(left):
            places, _ = self._find(low[left], high[left])
            left, places = left[places >= 0], places[places >= 0]  # without a place: it will be asked for
            new = self._claimed(places)
            chosen = left[new]
            self._low[places[new]], self._high[places[new]] = low[chosen], high[chosen]
            self._numbers[places[new]] = numbers[chosen]
            self._count += len(new)
            left = np.delete(left, new)


def _keys(text: bytes, starts: Places, lengths: Places) -> tuple[Keys, Keys]:
    """The bytes of each word as two numbers, zeros behind its end."""
    eights: Keys = np.ndarray((len(text) - 7,), "<u8", text, 0, (1,))
    low = eights[starts] & _LOW_MASKS[lengths]
    high = np.zeros(len(starts), np.uint64)
    long = np.flatnonzero(lengths > 8)
    high[long] = eights[starts[long] + 8] & _HIGH_MASKS[lengths[long]]
    return low, high
