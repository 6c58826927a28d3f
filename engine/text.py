"""From text to index terms: lower case, words of any script, stems, no function words.

Runs of Han, kana, hangul and Thai, which write no spaces between words, become character bigrams plus
the single characters. Every distinct word is analysed once. Many texts are cut and looked up in one go, as
bytes and NumPy arrays: of a long archive, only new words and other scripts come to Python.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import numpy.typing as npt
import Stemmer

from engine.languages import STOP_WORDS
from engine.word_table import PADDING, Places, WordTable

VERSION = 1
"""Raised whenever the same text would give other terms; an index of an older version is rebuilt."""

_TEXT_END = b"\xff"  # stands between two texts; no UTF-8 holds it
_END, _GAP = 1, 32  # what ends a text and what stands between words, once folded
_FOLDED = bytes(
    ord(chr(byte).lower()) if chr(byte).isalnum() and byte < 128 else byte if 128 <= byte < 255 else _GAP
    for byte in range(255)
) + bytes([_END])
"""Letters and digits of ASCII in lower case, other scripts as they are, anything else a gap."""
_SPACES = bytes(_GAP if chr(byte).isspace() else byte for byte in range(128)) + bytes(128)
_UNSPACED = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30fa\u30fc-\u30ff"
    "\u3100-\u318f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
_SIMPLE_WORD = re.compile(r"[^\W_]+")
_BEYOND_SIMPLE = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1fff\u2e80-\u2fdf\u3000-\uabff\uac00-\ufaff\U00010000-\U0001efff\U00020000-\U0003ffff]"
)
_Ids = npt.NDArray[np.int32]
_Encoded = tuple[_Ids, _Ids]  # ids, and how many each text has
_RUN = 20_000  # texts encoded in one go: their arrays stay in the processor's cache
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


def _normal(text: str) -> tuple[str, bool]:
    """NFKC in lower case, and whether it holds what only the slower of the two patterns cuts right."""
    text = unicodedata.normalize("NFKC", text).lower()
    return text, bool(_BEYOND_SIMPLE.search(text))


def words_of(text: str) -> list[str]:
    """The words of a text as analysed: NFKC, lower case; unspaced scripts as single characters and bigrams."""
    return _cut(*_normal(text))


def _cut(text: str, beyond_simple: bool) -> list[str]:
    """The words of a text, or of a stretch of one between two signs or spaces of ASCII: words never hold these."""
    if not beyond_simple:
        return [word[:_LONGEST_WORD] for word in _SIMPLE_WORD.findall(text)]
    found: list[str] = []
    for unspaced, word in _word_pattern().findall(text):
        if unspaced:
            found.extend(unspaced)
            found.extend(unspaced[i : i + 2] for i in range(len(unspaced) - 1))
        else:
            found.append(word[:_LONGEST_WORD])
    return found


class _WordCache(dict[str, int]):
    """Word → term id in one language, −1 for what is not indexed. Misses are analysed and remembered."""

    def __init__(self, vocabulary: "Vocabulary", language: str) -> None:
        super().__init__()
        self._vocabulary = vocabulary
        self._stop = STOP_WORDS.get(language, frozenset())
        # Words are remembered here; the stemmer's own cache costs more than to stem them again.
        self._stem = Stemmer.Stemmer(language, 0)
        self.table = WordTable(self._of_new)

    def term(self, word: str) -> str | None:
        """The index term of a word, None where it is not indexed."""
        return None if self._is_left_out(word) else _fold(self._stem.stemWord(word))

    def _is_left_out(self, word: str) -> bool:
        """Whether a word is not indexed: function words, and single letters of ASCII."""
        return word in self._stop or (len(word) == 1 and word.isascii() and not word.isdigit())

    def __missing__(self, word: str) -> int:
        term = self.term(word)
        self[word] = number = -1 if term is None else self._vocabulary.add(term)
        return number

    def _of_new(self, words: list[str]) -> list[int]:
        """The ids of words of ASCII, analysed together: a long archive has a hundred thousand of them."""
        words = [word[:_LONGEST_WORD] for word in words]
        stems = self._stem.stemWords(words)
        return [
            -1 if self._is_left_out(word) else self._vocabulary.add(_fold(stem))
            for word, stem in zip(words, stems, strict=True)
        ]


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
            self.terms.append(term)
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
        runs = [_encode_run(cache, texts[start : start + _RUN]) for start in range(0, len(texts), _RUN)]
        if not runs:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        return np.concatenate([ids for ids, _ in runs]), np.concatenate([lengths for _, lengths in runs])

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


def _encode_run(cache: _WordCache, texts: Sequence[str]) -> _Encoded:
    """Ids of texts: word ends by one comparison of bytes, the words of ASCII by one look-up."""
    data, beyond_simple = _joined(texts)
    folded = np.frombuffer(data, np.uint8)
    inside = folded > _GAP
    edges = np.flatnonzero(inside[1:] != inside[:-1]) + 1
    starts, ends = edges[::2], edges[1::2]
    text_ends = np.flatnonzero(folded == _END)
    last_words = np.searchsorted(starts, text_ends)
    others = np.unique(np.searchsorted(starts, np.flatnonzero(folded >= 128), "right") - 1)
    if len(others):
        texts_of = np.searchsorted(text_ends, starts[others]).tolist()
        parts = [
            [cache[word] for word in _cut(data[start:end].decode("utf-8"), text in beyond_simple)]
            for start, end, text in zip(starts[others].tolist(), ends[others].tolist(), texts_of, strict=True)
        ]
        ids, counts = _woven(cache, data, (starts, ends), others, parts)
        last_words = np.r_[0, np.cumsum(counts)][last_words]
    else:
        ids = cache.table.numbers(data, starts, ends)
    kept = ids >= 0
    upto = np.zeros(len(kept) + 1, np.int32)
    np.cumsum(kept, out=upto[1:])
    return ids[kept], np.diff(upto[last_words], prepend=0).astype(np.int32)


def _joined(texts: Sequence[str]) -> tuple[bytes, set[int]]:
    """The texts as folded bytes, each with an end, a gap around all; and which hold more than simple words."""
    if all(map(str.isascii, texts)):
        encoded, beyond_simple = [text.encode() for text in texts], set()
    else:
        normal = [(text, False) if text.isascii() else _normal(text) for text in texts]
        encoded = [text.encode("utf-8", "replace") for text, _ in normal]
        beyond_simple = {number for number, (_, beyond) in enumerate(normal) if beyond}
    data = b"".join((b" ", _TEXT_END.join(encoded), _TEXT_END, b" " * PADDING))
    return data.translate(_FOLDED), beyond_simple


def _woven(
    cache: _WordCache, data: bytes, words: tuple[Places, Places], others: Places, parts: list[list[int]]
) -> tuple[_Ids, Places]:
    """Ids of words among which some (`others`) are cut into the ids of `parts`; and how many each gave."""
    starts, ends = words
    counts = np.ones(len(starts), np.int64)
    counts[others] = [len(part) for part in parts]
    plain = np.ones(len(starts), np.bool_)
    plain[others] = False
    ids = np.empty(int(counts.sum()), np.int32)
    of_plain = np.repeat(plain, counts)
    ids[of_plain] = cache.table.numbers(data, starts[plain], ends[plain])
    ids[~of_plain] = [number for part in parts for number in part]
    return ids, counts


def count_words(texts: Sequence[str]) -> npt.NDArray[np.int64]:
    """How many words people would count in each text: what `str.split` finds, for all texts in one go."""
    plain = [text if text.isascii() else "x " * len(text.split()) for text in texts]
    data = np.frombuffer("\n".join(["", *plain]).encode().translate(_SPACES), np.uint8)
    starts = np.flatnonzero((data[1:] != _GAP) & (data[:-1] == _GAP))
    ends = np.cumsum(np.fromiter(map(len, plain), np.int64, len(plain)) + 1)
    return np.diff(np.searchsorted(starts, ends - 1), prepend=0)


STEMMERS = frozenset(Stemmer.algorithms())
