"""The index: BM25 over turns, held in a few NumPy arrays, growing without reading old messages again.

bm25s computes scores when it indexes, so every new message would change all of them. Here the postings
keep term frequencies, and bm25s' own idf and term-frequency formulas are applied when a question comes:
the result is bit-identical to a bm25s index over the same turns, and appending is a small new segment.

Invariants that everything else builds on:
- a turn's id is its document number, dense from 0, never given to another turn;
- the turns of a session are consecutive documents in time order (a session that changes is written anew
  at the end and its old turns are buried), so neighbours are doc ± 1 within the same session.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt
from bm25s.scoring import _select_idf_scorer, _select_tfc_scorer

from engine.text import Vocabulary

K1 = 1.2
B = 0.75
METHOD = "lucene"
NO_TIME = np.iinfo(np.int64).min
MERGE_RATIO = 4  # a segment is merged into the one before it unless that one is so many times larger

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Columns:
    """What is known of each document, one entry a turn."""

    session: Ints
    chat: Ints
    sender: Ints
    time: npt.NDArray[np.int64]  # wall clock, seconds since 1970; NO_TIME where the export has none
    words: Ints  # words of the text as people count them, for budgets
    length: Ints  # index terms, for BM25

    def __len__(self) -> int:
        return len(self.session)

    @classmethod
    def empty(cls) -> "Columns":
        """No documents."""
        none = np.zeros(0, np.int32)
        return cls(none, none, none, np.zeros(0, np.int64), none, none)

    @classmethod
    def joined(cls, parts: Sequence["Columns"]) -> "Columns":
        """Several runs of documents as one."""
        return cls(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(cls)))


@dataclass(frozen=True, slots=True)
class Segment:
    """Postings of a run of documents: for term t, `docs[indptr[t]:indptr[t + 1]]` in ascending order."""

    indptr: npt.NDArray[np.int64]
    docs: Ints
    frequency: npt.NDArray[np.uint16]

    def slice(self, term: int) -> tuple[Ints, npt.NDArray[np.uint16]]:
        """Documents and frequencies of a term."""
        if term + 1 >= len(self.indptr):
            return self.docs[:0], self.frequency[:0]
        run = slice(self.indptr[term], self.indptr[term + 1])
        return self.docs[run], self.frequency[run]


def make_segment(terms: Ints, lengths: Ints, first: int, vocabulary_size: int) -> Segment:
    """Postings of new documents.

    Args:
        terms: term ids of all documents one after the other, with repeats.
        lengths: number of terms of each document.
        first: number of the first document.
        vocabulary_size: terms known so far.
    """
    docs = np.repeat(np.arange(first, first + len(lengths), dtype=np.int64), lengths)
    keys = np.sort((terms.astype(np.int64) << 32) | docs)
    starts = np.flatnonzero(np.r_[True, keys[1:] != keys[:-1]]) if len(keys) else np.zeros(0, np.int64)
    frequency = np.minimum(np.diff(np.r_[starts, len(keys)]), 65_535).astype(np.uint16)
    keys = keys[starts]
    counts = np.bincount(keys >> 32, minlength=vocabulary_size)
    indptr = np.r_[0, np.cumsum(counts)].astype(np.int64)
    return Segment(indptr, (keys & 0xFFFFFFFF).astype(np.int32), frequency)


def merge_segments(a: Segment, b: Segment) -> Segment:
    """One segment of two whose documents follow each other."""
    size = max(len(a.indptr), len(b.indptr))
    ptr_a, ptr_b = (np.r_[s.indptr, np.full(size - len(s.indptr), s.indptr[-1])] for s in (a, b))
    count_a, count_b = np.diff(ptr_a), np.diff(ptr_b)
    indptr = np.r_[0, np.cumsum(count_a + count_b)].astype(np.int64)
    at_a = np.arange(len(a.docs)) + np.repeat(indptr[:-1] - ptr_a[:-1], count_a)
    at_b = np.arange(len(b.docs)) + np.repeat(indptr[:-1] + count_a - ptr_b[:-1], count_b)
    docs = np.empty(len(a.docs) + len(b.docs), np.int32)
    frequency = np.empty(len(docs), np.uint16)
    docs[at_a], docs[at_b] = a.docs, b.docs
    frequency[at_a], frequency[at_b] = a.frequency, b.frequency
    return Segment(indptr, docs, frequency)


def drop_documents(segment: Segment, alive: Bools) -> Segment:
    """The segment without the postings of dead documents."""
    keep = alive[segment.docs]
    indptr = np.r_[0, np.cumsum(keep)][segment.indptr].astype(np.int64)
    return Segment(indptr, segment.docs[keep], segment.frequency[keep])


@dataclass(frozen=True, slots=True)
class NewDocuments:
    """Turns to append, in document order; `texts` are what is indexed, each in the language beside it."""

    texts: Sequence[str]
    languages: Sequence[str]
    session: Ints
    chat: Ints
    sender: Ints
    time: npt.NDArray[np.int64]
    words: Ints


class Index:
    """Vocabulary, document columns, segments and the dead documents. Appending is not thread-safe; scoring is."""

    def __init__(
        self,
        vocabulary: Vocabulary | None = None,
        columns: Columns | None = None,
        segments: Sequence[Segment] = (),
        dead: Iterable[int] | Ints = (),
    ) -> None:
        self.vocabulary = vocabulary or Vocabulary()
        self.columns = columns or Columns.empty()
        self.segments = list(segments)
        self.alive = np.ones(len(self.columns), np.bool_)
        self.alive[np.asarray(dead if isinstance(dead, np.ndarray) else list(dead), np.int64)] = False
        self._refresh()

    def _refresh(self) -> None:
        self.any_dead = not self.alive.all()
        lengths = self.columns.length[self.alive] if self.any_dead else self.columns.length
        self.n_docs = len(lengths)
        self.mean_length = (float(lengths.mean()) if self.n_docs else 0.0) or 1.0
        self.session_count = int(self.columns.session.max()) + 1 if len(self.columns) else 0

    def __len__(self) -> int:
        """Documents ever numbered, the dead ones included."""
        return len(self.columns)

    def clone(self) -> "Index":
        """A copy to append to while others go on searching this one; arrays and vocabulary are shared."""
        copy = Index(self.vocabulary, self.columns, self.segments)
        copy.alive = self.alive.copy()
        copy._refresh()
        return copy

    # growing

    def append(self, new: NewDocuments) -> Segment:
        """Add turns at the end; they can be searched at once. Returns the new segment as it was made."""
        first = len(self)
        terms, lengths = self._encode(new)
        segment = make_segment(terms, lengths, first, len(self.vocabulary))
        added = Columns(new.session, new.chat, new.sender, new.time, new.words, lengths)
        self.columns = Columns.joined([self.columns, added])
        self.alive = np.r_[self.alive, np.ones(len(added), np.bool_)]
        self.segments.append(segment)
        self._refresh()
        return segment

    def _encode(self, new: NewDocuments) -> tuple[Ints, Ints]:
        """Encode run by run of one language, so that each run is one call."""
        languages = new.languages
        cuts = [i for i in range(1, len(languages)) if languages[i] != languages[i - 1]]
        parts = [
            self.vocabulary.encode(new.texts[a:b], languages[a])
            for a, b in zip([0, *cuts], [*cuts, len(languages)], strict=True)
            if b > a
        ]
        if not parts:
            return np.zeros(0, np.int32), np.zeros(0, np.int32)
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def bury(self, docs: Sequence[int] | Ints) -> None:
        """Take turns out of the index. Their postings go when segments are merged or compacted."""
        self.alive[docs] = False
        self._refresh()

    def merge_tail(self) -> int:
        """Merge small segments at the end, so that there are only ever a few. Returns how many remain."""
        while len(self.segments) > 1 and len(self.segments[-2].docs) < MERGE_RATIO * len(self.segments[-1].docs):
            b, a = self.segments.pop(), self.segments.pop()
            self.segments.append(merge_segments(a, b))
        return len(self.segments)

    def compacted(self) -> "Index":
        """A copy in one segment without any trace of dead documents or of words that only they had."""
        segments = [drop_documents(s, self.alive) for s in self.segments]
        while len(segments) > 1:
            b, a = segments.pop(), segments.pop()
            segments.append(merge_segments(a, b))
        whole = segments[0] if segments else make_segment(np.zeros(0, np.int32), np.zeros(0, np.int32), 0, 0)
        counts = np.diff(whole.indptr)
        used = np.flatnonzero(counts)
        vocabulary = Vocabulary(self.vocabulary.terms[t] for t in used)
        indptr = np.r_[0, np.cumsum(counts[used])].astype(np.int64)
        blank = np.where(self.alive, 1, 0).astype(np.int32)
        columns = replace(self.columns, length=self.columns.length * blank, words=self.columns.words * blank)
        dead = np.flatnonzero(~self.alive).tolist()
        return Index(vocabulary, columns, [Segment(indptr, whole.docs, whole.frequency)], dead)

    # scoring

    def document_frequency(self, term: int) -> int:
        """Living documents that hold a term."""
        slices = [s.slice(term)[0] for s in self.segments]
        if self.any_dead:
            return sum(int(np.count_nonzero(self.alive[docs])) for docs in slices)
        return sum(map(len, slices))

    def idf(self, term: int) -> np.float32:
        """Lucene's idf as bm25s has it: ln(1 + (N − df + 0.5) / (df + 0.5))."""
        return np.float32(_IDF(self.document_frequency(term), N=max(1, self.n_docs)))

    def postings(self, term: int) -> tuple[Ints, npt.NDArray[np.uint16]]:
        """Documents (ascending, dead ones included) and frequencies of a term over all segments."""
        parts = [s.slice(term) for s in self.segments]
        if len(parts) == 1:
            return parts[0]
        if not parts:
            return np.zeros(0, np.int32), np.zeros(0, np.uint16)
        return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])

    def term_scores(self, term: int) -> tuple[Ints, Floats]:
        """BM25 of one term for each document that holds it."""
        docs, frequency = self.postings(term)
        weights = _TFC(
            frequency.astype(np.float32), l_d=self.columns.length[docs], l_avg=self.mean_length, k1=K1, b=B
        )
        return docs, (self.idf(term) * weights).astype(np.float32)

    def scores(self, terms: Iterable[int], weights: Iterable[float] | None = None) -> Floats:
        """BM25 of every document for a query, 0 for those without any of its terms and for the dead.

        Args:
            terms: term ids, each counted once.
            weights: one factor a term, 1 by default.
        """
        total = np.zeros(len(self), np.float32)
        terms = list(terms)
        for term, weight in zip(terms, weights or [1.0] * len(terms), strict=True):
            docs, values = self.term_scores(term)
            total[docs] += values if weight == 1.0 else values * np.float32(weight)
        if self.any_dead:
            total[~self.alive] = 0
        return total


_IDF = _select_idf_scorer(METHOD)
_TFC = _select_tfc_scorer(METHOD)
