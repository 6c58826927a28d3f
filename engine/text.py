"""From text to index terms: lower case, words of any script, stems, no function words.

Runs of Han, kana, hangul and Thai, which write no spaces between words, become character bigrams plus
the single characters. Every distinct word is analysed once: the caches map it to term ids straight
away, so the cost of a long archive is one dictionary look-up a word.
"""

import re
import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
import Stemmer

from engine.languages import STOP_WORDS

VERSION = 1
"""Raised whenever the same text would give other terms; an index of an older version is rebuilt."""

_ASCII = bytes(
    c if chr(c).isdigit() or chr(c).islower() else ord(chr(c).lower()) if chr(c).isupper() else 32
    for c in range(128)
)
_END = b"\xff"  # stands between two texts; no ASCII text holds it
_END_ID = -2
_BETWEEN = b" " + _END + b" "
_ASCII_TABLE = _ASCII + bytes([32] * 127) + _END
_UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff"
    "\u3100-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SIMPLE_WORD = re.compile(r"[^\W_]+")
_BEYOND_SIMPLE = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u2e80-\u2fdf\u3000-\uabff\uac00-\ufaff\U00010000-\U0001efff\U00020000-\U0003ffff]"
)
_Encoded = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]  # ids, and how many each text has
_RUN = 20_000  # texts encoded in one go, which bounds the memory of their words
_LONGEST_WORD = 64  # longer runs are links, hashes or key smashing: their first characters are enough


def _mark_ranges() -> str:
    """Combining marks of all scripts as a character class, so that Hindi or Arabic words stay whole."""
    marks = [c for c in range(0x300, 0x11000) if unicodedata.category(chr(c)) in ("Mn", "Mc")]
    return "".join(map(chr, marks))


@cache
def _word_pattern() -> re.Pattern[str]:
    return re.compile(f"([{_UNSPACED}]+)|((?:(?![{_UNSPACED}])(?:[^\\W_]|[{_mark_ranges()}]))+)")


def _fold(word: str) -> str:
    """Drop accents from Latin letters, after stemming: people type “cafe” and mean “café”."""
    if word.isascii():
        return word
    parts = unicodedata.normalize("NFD", word)
    kept = [c for i, c in enumerate(parts) if not (unicodedata.combining(c) and i and parts[i - 1] < "\u0250")]
    return unicodedata.normalize("NFC", "".join(kept))


def words_of(text: str) -> list[str]:
    """The words of a text as analysed: NFKC, lower case; unspaced scripts as single characters and bigrams."""
    text = unicodedata.normalize("NFKC", text).lower()
    if not _BEYOND_SIMPLE.search(text):
        return [word[:_LONGEST_WORD] for word in _SIMPLE_WORD.findall(text)]
    found: list[str] = []
    for unspaced, word in _word_pattern().findall(text):
        if unspaced:
            found.extend(unspaced)
            found.extend(unspaced[i : i + 2] for i in range(len(unspaced) - 1))
        else:
            found.append(word[:_LONGEST_WORD])
    return found


class _WordCache(dict[bytes | str, int]):
    """Word → term id in one language, −1 for what is not indexed. Misses are analysed and remembered."""

    def __init__(self, vocabulary: "Vocabulary", language: str) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._stop = STOP_WORDS.get(language, frozenset())
        self._stem = Stemmer.Stemmer(language)

    def term(self, word: str) -> str | None:
        """The index term of a word, None where it is not indexed."""
        if word in self._stop or (len(word) == 1 and word.isascii() and not word.isdigit()):
            return None
        return _fold(self._stem.stemWord(word))

    def __missing__(self, word: bytes | str) -> int:
        plain = word.decode("ascii")[:_LONGEST_WORD] if isinstance(word, bytes) else word
        term = self.term(plain)
        self[word] = number = -1 if term is None else self._vocabulary.add(term)
        return number


class Vocabulary:
    """Terms and their numbers, shared by all languages; only ever grows, in place."""

    def __init__(self, terms: Iterable[str] = ()) -> None:
        self.terms: list[str] = list(terms)
        self.ids: dict[str, int] = {term: i for i, term in enumerate(self.terms)}
        self._caches: dict[str, _WordCache] = {}
        self._sorted: list[str] = []
        self._sorted_size = 0

    def __len__(self) -> int:
        return len(self.terms)

    def add(self, term: str) -> int:
        """The number of a term, new ones at the end."""
        number = self.ids.get(term)
        if number is None:
            number = self.ids[term] = len(self.terms)
            self.terms.append(sys.intern(term))
        return number

    def starting(self, beginning: str, limit: int) -> list[int]:
        """Terms that begin with these letters, the shortest first: what a word that is being typed may become."""
        if self._sorted_size != len(self.terms):
            self._sorted, self._sorted_size = sorted(self.terms), len(self.terms)
        first = bisect_left(self._sorted, beginning)
        last = bisect_left(self._sorted, beginning + "\U0010ffff")
        found = sorted(self._sorted[first : min(last, first + 20 * limit)], key=len)[:limit]
        return [self.ids[term] for term in found]

    def _cache(self, language: str) -> _WordCache:
        if language not in self._caches:
            self._caches[language] = _WordCache(self, language if language in STEMMERS else "english")
        return self._caches[language]

    def encode(self, texts: Sequence[str], language: str = "english") -> _Encoded:
        """Term ids of all texts one after the other (in order, with repeats), and how many each text has."""
        cache = self._cache(language)
        plain = np.fromiter((text.isascii() for text in texts), np.bool_, len(texts))
        parts = [
            (which, *_without_stop_words(*encode(cache, [texts[int(i)] for i in which])))
            for which, encode in ((np.flatnonzero(plain), _encode_ascii), (np.flatnonzero(~plain), _encode_any))
            if len(which)
        ]
        if len(parts) == 1:
            return parts[0][1], parts[0][2]
        lengths = np.zeros(len(texts), np.int32)
        for which, _, counts in parts:
            lengths[which] = counts
        starts = np.cumsum(lengths) - lengths
        flat = np.empty(int(lengths.sum()), np.int32)
        for which, ids, counts in parts:
            flat[np.repeat(starts[which] - (np.cumsum(counts) - counts), counts) + np.arange(len(ids))] = ids
        return flat, lengths

    def query_terms(self, text: str, languages: Iterable[str] = ("english",)) -> list[int]:
        """Ids of the known terms of a query, each once, in its order; stemmed by each of the languages."""
        found: dict[int, None] = {}
        words = words_of(text)
        for language in dict.fromkeys(languages):
            cache = self._cache(language)
            for word in words:
                term = cache.term(word)
                if term is not None and (number := self.ids.get(term)) is not None:
                    found[number] = None
        return list(found)


def _encode_ascii(cache: _WordCache, texts: Sequence[str]) -> _Encoded:
    """Ids of ASCII texts, many in one go: lower case and word ends by one table, all words by one split."""
    cache[_END] = _END_ID
    runs = [_encode_run(cache, texts[start : start + _RUN]) for start in range(0, len(texts), _RUN)]
    return np.concatenate([ids for ids, _ in runs]), np.concatenate([lengths for _, lengths in runs])


def _encode_run(cache: _WordCache, texts: Sequence[str]) -> _Encoded:
    words = _BETWEEN.join([text.encode("ascii") for text in texts]).translate(_ASCII_TABLE).split()
    ids = np.fromiter(map(cache.__getitem__, words), np.int32, len(words))
    ends = np.flatnonzero(ids == _END_ID)
    lengths = np.diff(np.r_[-1, ends, len(ids)]) - 1
    return ids[ids != _END_ID], lengths.astype(np.int32)


def _encode_any(cache: _WordCache, texts: Sequence[str]) -> _Encoded:
    """Ids of texts in any script, one after the other."""
    flat: list[int] = []
    lengths = np.zeros(len(texts), np.int32)
    for i, text in enumerate(texts):
        words = words_of(text)
        flat.extend(map(cache.__getitem__, words))
        lengths[i] = len(words)
    return np.array(flat, np.int32), lengths


def _without_stop_words(
    ids: npt.NDArray[np.int32], lengths: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
    """Drop the −1 of words that are not indexed, from the ids and from the lengths."""
    kept = ids >= 0
    ends = np.r_[0, np.cumsum(kept)][np.cumsum(lengths)]
    return ids[kept], np.diff(ends, prepend=0).astype(np.int32)


STEMMERS = frozenset(Stemmer.algorithms())
