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
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from bm25s.scoring import _select_idf_scorer, _select_tfc_scorer

from engine.text import Vocabulary

K1 = 1.2
B = 0.75
METHOD = "lucene"
NO_TIME = np.iinfo(np.int64).min
INDEXED_AT_ONCE = 40_000  # documents whose postings are sorted in one go
MERGED_AT_ONCE = 1_000_000  # postings
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
    docs = np.repeat(np.arange(first, first + len(lengths), dtype=np.int32), lengths)
    order = _by_term(terms)
    terms, docs = terms[order], docs[order]
    starts = np.flatnonzero(np.r_[True, (terms[1:] != terms[:-1]) | (docs[1:] != docs[:-1])][: len(docs)])
    frequency = np.minimum(np.diff(starts, append=len(docs)), 65_535).astype(np.uint16)
    counts = np.bincount(terms[starts], minlength=vocabulary_size)
    return Segment(np.r_[0, np.cumsum(counts)].astype(np.int64), docs[starts], frequency)


def _by_term(terms: Ints) -> npt.NDArray[np.int64]:
    """The stable order of the terms: by their lower 16 bits, which NumPy sorts by counting, then by the upper."""
    order = np.argsort(terms.astype(np.uint16), kind="stable")
    above = (terms >> 16).astype(np.uint16)
    return order[np.argsort(above[order], kind="stable")] if above.any() else order


def merge_segments(parts: Sequence[Segment]) -> Segment:
    """One segment of several whose documents follow each other; a range of terms at a time, in little memory."""
    if len(parts) == 1:
        return parts[0]
    size = max(len(part.indptr) for part in parts)
    indptr = np.zeros(size, np.int64)
    for part in parts:
        indptr[: len(part.indptr)] += part.indptr
        indptr[len(part.indptr) :] += part.indptr[-1]
    docs, frequency = np.empty(indptr[-1], np.int32), np.empty(indptr[-1], np.uint16)
    cuts = np.unique(np.searchsorted(indptr, np.arange(0, indptr[-1], MERGED_AT_ONCE))).tolist()
    for a, b in pairwise([*cuts, size - 1]):
        out = slice(indptr[a], indptr[b])
        free = indptr[a:b] - indptr[a]  # where the next document of each term goes
        for part in parts:
            pointer = part.indptr[np.minimum(np.arange(a, b + 1), len(part.indptr) - 1)]
            counts, run = np.diff(pointer), slice(pointer[0], pointer[-1])
            at = np.repeat(free + pointer[0] - pointer[:-1], counts) + np.arange(run.stop - run.start)
            docs[out][at], frequency[out][at] = part.docs[run], part.frequency[run]
            free += counts
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
        parts, lengths = self._segments_of(new)
        segment = merge_segments(parts)
        added = Columns(new.session, new.chat, new.sender, new.time, new.words, lengths)
        self.columns = Columns.joined([self.columns, added])
        self.alive = np.r_[self.alive, np.ones(len(added), np.bool_)]
        self.segments.append(segment)
        self._refresh()
        return segment

    def _segments_of(self, new: NewDocuments) -> tuple[list[Segment], Ints]:
        """A segment for each run of documents of one language, and the length of each document."""
        languages, count = new.languages, len(new.languages)
        cuts = {i for i in range(1, count) if languages[i] != languages[i - 1]}
        parts: list[Segment] = []
        lengths = np.zeros(count, np.int32)
        for a, b in pairwise(sorted(cuts.union(range(0, count, INDEXED_AT_ONCE), (0, count)))):
            terms, lengths[a:b] = self.vocabulary.encode(new.texts[a:b], languages[a])
            parts.append(make_segment(terms, lengths[a:b], len(self) + a, len(self.vocabulary)))
        return parts or [make_segment(lengths, lengths, len(self), len(self.vocabulary))], lengths

    def bury(self, docs: Sequence[int] | Ints) -> None:
        """Take turns out of the index. Their postings go when segments are merged or compacted."""
        self.alive[docs] = False
        self._refresh()

    def merge_tail(self) -> int:
        """Merge small segments at the end, so that there are only ever a few. Returns how many remain."""
        count = size = 0
        for segment in reversed(self.segments):
            if count and len(segment.docs) >= MERGE_RATIO * size:
                break
            count, size = count + 1, size + len(segment.docs)
        if count > 1:
            self.segments[-count:] = [merge_segments(self.segments[-count:])]
        return len(self.segments)

    def compacted(self) -> "Index":
        """A copy in one segment without any trace of dead documents or of words that only they had."""
        none = np.zeros(0, np.int32)
        segments = [drop_documents(s, self.alive) for s in self.segments]
        whole = merge_segments(segments) if segments else make_segment(none, none, 0, 0)
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
