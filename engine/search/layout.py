"""What the ranking knows of an archive besides the postings: sessions' lengths, and what each turn does.

Made once for a state of the index (some tens of milliseconds a million turns) and shared by all questions.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.index import Bools, Floats, Index, Ints
from engine.search.cues import MARKS, cue_words
from engine.search.related import RelatedTerms


@dataclass(frozen=True, slots=True)
class Layout:
    """Arrays over the documents and sessions of one index."""

    session_length: Floats  # index terms of each session
    session_count: int  # sessions with living turns
    mean_session_length: float
    session_start: Ints  # first document of each session
    session_turns: Ints  # documents of each session; they follow each other
    marks: dict[str, Bools]  # one array a cue: whether the turn has one of its words
    mean_words: float  # words of a turn
    related: RelatedTerms  # terms of which a nearness in meaning is known

    @classmethod
    def of(cls, index: Index, languages: tuple[str, ...] = ("english",)) -> "Layout":
        """Look through an index once."""
        columns = index.columns
        living = np.flatnonzero(index.alive)
        session = columns.session[living]
        length = np.bincount(session, columns.length[living], minlength=index.session_count)
        turns = np.bincount(session, minlength=index.session_count)
        count = int(np.count_nonzero(turns))
        start = np.full(index.session_count, len(columns), np.int32)
        start[session[::-1]] = living[::-1].astype(np.int32)
        return cls(
            session_length=length.astype(np.float32),
            session_count=count,
            mean_session_length=float(length.sum()) / max(1, count),
            session_start=start,
            session_turns=turns.astype(np.int32),
            marks={name: _marked(index, cue_words(name, languages), languages) for name in MARKS},
            mean_words=float(columns.words[living].mean()) if len(living) else 0.0,
            related=RelatedTerms.of(index, languages),
        )


def _marked(index: Index, words: frozenset[str], languages: tuple[str, ...]) -> Bools:
    marked = np.zeros(len(index), np.bool_)
    for term in index.vocabulary.query_terms(" ".join(sorted(words)), languages):
        marked[index.postings(term)[0]] = True
    return marked


def frequencies(index: Index, terms: tuple[int, ...], docs: Ints) -> npt.NDArray[np.float32]:
    """How often each term occurs in each document; `docs` ascending and distinct. Shape (docs, terms)."""
    table = np.zeros((len(docs), len(terms)), np.float32)
    for column, term in enumerate(terms):
        held, frequency = index.postings(term)
        if not len(held):
            continue
        if len(held) < len(docs):
            at = np.minimum(np.searchsorted(docs, held), len(docs) - 1)
            hit = docs[at] == held
            table[at[hit], column] = frequency[hit]
        else:
            at = np.minimum(np.searchsorted(held, docs), len(held) - 1)
            hit = held[at] == docs
            table[hit, column] = frequency[at[hit]]
    return table
