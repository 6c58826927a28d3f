"""The next token: the most likely one that the grammar allows.

The likeliest token is tried first and is nearly always allowed, so a grammar costs microseconds a token; else
one of the next likely ones is. Only where none of them is, a table of the tokens' first bytes, which takes half a
second to make, leaves those that can fit, best first.
"""

import codecs
from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from models.base import ModelError
from models.grammar import NOTHING, Characters, Node, advance

_NO_TEXT, _END = 256, 257  # beside the 256 first bytes
_FEW = 64


class Tokens(Protocol):
    """What the choice needs to know of a vocabulary; `Llama` knows it."""

    n_vocab: int

    def piece(self, token: int) -> bytes:
        """The bytes of a token."""

    def is_end(self, token: int) -> bool:
        """Whether it ends the reply."""

    def is_control(self, token: int) -> bool:
        """Whether it stands for no text."""


class Place(NamedTuple):
    """Where a reply stands: what may follow, and the bytes of a character that is not complete yet."""

    node: Node
    tail: bytes = b""

    def after(self, data: bytes) -> "Place | None":
        """The place after more bytes, None where they do not fit."""
        if not data:
            return None
        text, tail = _whole(self.tail + data)
        if text is None:
            return None
        node = advance(self.node, text)
        if node == NOTHING or (tail and not _may_begin(node.first(), tail)):
            return None
        return Place(node, tail)

    @property
    def may_end(self) -> bool:
        """Whether the reply may end here."""
        return self.node.nullable and not self.tail

    @property
    def must_end(self) -> bool:
        """Whether nothing may follow."""
        return self.may_end and self.node.first() == Characters()


class Chooser:
    """Greedy choice of tokens of one vocabulary."""

    def __init__(self, tokens: Tokens) -> None:
        self._tokens = tokens

    @cached_property
    def _first(self) -> npt.NDArray[np.int16]:
        """The first byte of each token; about a quarter of a second for 150,000 tokens, once."""
        return np.array([self._kind(token) for token in range(self._tokens.n_vocab)], dtype=np.int16)

    def _kind(self, token: int) -> int:
        if self._tokens.is_end(token):
            return _END
        piece = b"" if self._tokens.is_control(token) else self._tokens.piece(token)
        return piece[0] if piece else _NO_TEXT

    def best(self, logits: npt.NDArray[np.float32], place: Place | None) -> int:
        """The likeliest token, of those that fit where there is a place to fit.

        Raises:
            ModelError: no token fits, which a vocabulary with all single bytes cannot come to.
        """
        token = int(logits.argmax())
        if self._fits(token, place) and not self._splits_a_word(token, place):
            return token
        likely = self._likely(logits, place)
        if likely is not None:
            return likely
        allowed = np.where(self._allowed(place)[self._first], logits, -np.inf)
        spare = None
        for candidate in _falling(allowed):
            if self._fits(candidate, place):
                if not self._splits_a_word(candidate, place):
                    return candidate
                spare = candidate
        if spare is None:
            raise ModelError("This model cannot write what is asked of it.")
        return spare

    def _likely(self, logits: npt.NDArray[np.float32], place: Place | None) -> int | None:
        """The best of the few likeliest that fits, the same that the table would lead to; None where none does."""
        for candidate in _sorted(_few(logits), logits):
            fits = self._kind(candidate) != _NO_TEXT and self._fits(candidate, place)
            if fits and not self._splits_a_word(candidate, place):
                return candidate
        return None

    def _splits_a_word(self, token: int, place: Place | None) -> bool:
        """Whether the token is the space before one of a few words.

        Tokenisers keep that space and the word together, so a model asked to choose a word behind a lone
        space chooses badly.
        """
        if place is None or self._tokens.piece(token) != b" ":
            return False
        first = advance(place.node, " ").first()
        return not first.inverted and all(char.isascii() and char.isalpha() for char in first.members)

    def _fits(self, token: int, place: Place | None) -> bool:
        if self._tokens.is_end(token):
            return place is None or place.may_end
        if place is None:
            return not self._tokens.is_control(token)
        return not self._tokens.is_control(token) and place.after(self._tokens.piece(token)) is not None

    def _allowed(self, place: Place | None) -> npt.NDArray[np.bool_]:
        """Which first bytes can fit."""
        allowed = np.zeros(258, dtype=bool)
        if place is None:
            allowed[:256] = allowed[_END] = True
        elif place.tail:
            allowed[0x80:0xC0] = True
        else:
            first = place.node.first()
            bytes_of = [member.encode("utf-8", "replace")[0] for member in first.members]
            if first.inverted:
                allowed[:256] = True
                bytes_of = [byte for byte in bytes_of if byte < 0x80]  # others begin several characters
            allowed[bytes_of] = not first.inverted
            allowed[_END] = place.may_end
        return allowed


def _falling(scores: npt.NDArray[np.float32]) -> Iterator[int]:
    """Token numbers by falling score, without those at minus infinity; the few best come without sorting all."""
    few = _few(scores)
    yield from _sorted(few, scores)
    rest = scores.copy()
    rest[few] = -np.inf
    yield from _sorted(np.flatnonzero(np.isfinite(rest)), rest)


def _few(scores: npt.NDArray[np.float32]) -> npt.NDArray[np.intp]:
    """The token numbers of the few best, in no order."""
    few = min(_FEW, len(scores))
    return np.argpartition(scores, -few)[-few:]


def _sorted(tokens: npt.NDArray[np.intp], scores: npt.NDArray[np.float32]) -> Iterator[int]:
    ordered = tokens[np.argsort(-scores[tokens])]
    return (int(token) for token in ordered if np.isfinite(scores[token]))


def _whole(data: bytes) -> tuple[str | None, bytes]:
    """The whole characters, and the bytes of one that can still be completed; None for bytes that are no text."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        text, tail = decoder.decode(data), decoder.getstate()[0]
    except UnicodeDecodeError:
        return None, b""
    surrogate = tail[:1] == b"\xed" and tail[1:] >= b"\xa0"  # Python waits for the third byte to refuse it
    return (None, b"") if surrogate else (text, tail)


def _may_begin(first: Characters, tail: bytes) -> bool:
    """Whether a character with these first bytes may follow."""
    if first.inverted:
        return True
    return any(member.encode("utf-8", "replace").startswith(tail) for member in first.members)
