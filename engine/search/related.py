"""Which words mean nearly the same: a table of word vectors, looked up, not a model.

“Cycling” in a question finds “bike” in a message. The table holds the 96 main directions of the sentence
model all-MiniLM-L6-v2 (Apache 2.0) for 12,000 frequent English words, one vector a stem; the program
that made it is `tests/benchmarks/word_vectors.py`. Words of other languages are not in it and are found
by their own form only.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from io import BytesIO

import numpy as np
import numpy.typing as npt
import Stemmer

from engine.index import Index, Ints

LANGUAGE = "english"
CLOSE = 0.4  # cosine from which two words are near in meaning
ASIDE = 0.15  # cosine from which a word belongs to the question's field
MOST_CLOSE = 40  # terms taken of each kind
MOST_ASIDE = 100
Matrix = npt.NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Stems and their vectors, each of length 1."""

    rows: dict[str, int]
    vectors: Matrix

    def of(self, words: tuple[str, ...]) -> tuple[list[str], Matrix]:
        """The stems that are known of these words, each once, and their vectors."""
        stem = Stemmer.Stemmer(LANGUAGE).stemWord
        known = [s for s in dict.fromkeys(map(stem, words)) if s in self.rows]
        return known, self.vectors[[self.rows[s] for s in known]]


@cache
def word_vectors() -> WordVectors:
    """The table that comes with the program."""
    with np.load(BytesIO(files("engine.search").joinpath("related.npz").read_bytes())) as data:
        stems = data["stems"].tobytes().decode("ascii").split()
        vectors = data["vectors"].astype(np.float32)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-9)
    return WordVectors({s: i for i, s in enumerate(stems)}, vectors)


@dataclass(frozen=True, slots=True)
class RelatedTerms:
    """The terms of an index that the table knows, with their vectors."""

    terms: Ints
    vectors: Matrix
    idf: Matrix

    @classmethod
    def of(cls, index: Index, languages: tuple[str, ...]) -> "RelatedTerms":
        """Look up a vocabulary; nothing where the archive has no English."""
        table = word_vectors()
        if LANGUAGE not in languages:
            return cls(np.zeros(0, np.int32), table.vectors[:0], np.zeros(0, np.float32))
        rows = table.rows
        known = [(number, rows[term]) for number, term in enumerate(index.vocabulary.terms) if term in rows]
        terms = np.array([k[0] for k in known], np.int32)
        idf = np.array([index.idf(k[0]) for k in known], np.float32)
        return cls(terms, table.vectors[[k[1] for k in known]], idf)


@dataclass(frozen=True, slots=True)
class Expansion:
    """Terms of the index beside the question's own, with the share of a perfect match that each is worth."""

    terms: Ints
    worth: Matrix


NOTHING = Expansion(np.zeros(0, np.int32), np.zeros(0, np.float32))


def expand(words: tuple[str, ...], index: Index, related: RelatedTerms) -> tuple[Expansion, Expansion]:
    """Terms close in meaning to single words of a question, and terms of its field as a whole."""
    stems, vectors = word_vectors().of(words) if len(related.terms) else ([], related.vectors)
    if not stems:
        return NOTHING, NOTHING
    rarest = float(np.log(1 + (index.n_docs + 0.5) / 0.5))
    numbers = [index.vocabulary.ids.get(s) for s in stems]
    idf = np.array([rarest if n is None else float(index.idf(n)) for n in numbers], np.float32)
    cosine = np.einsum("td,wd->tw", related.vectors, vectors)
    own = np.isin(related.terms, [n for n in numbers if n is not None])
    close = np.where(cosine >= CLOSE, cosine, 0)
    worth = np.where(own, 0, (close * idf).max(axis=1)) / float(idf.sum())
    middle = np.einsum("wd,w->d", vectors, idf)
    aside = np.einsum("td,d->t", related.vectors, middle) / (float(np.linalg.norm(middle)) or 1.0)
    aside = np.where(aside >= ASIDE, aside, 0) * related.idf / rarest
    return _most(related.terms, worth, MOST_CLOSE), _most(related.terms, aside, MOST_ASIDE)


def _most(terms: Ints, worth: Matrix, most: int) -> Expansion:
    some = np.flatnonzero(worth)
    order = some[np.argsort(-worth[some], kind="stable")[:most]]
    return Expansion(terms[order], worth[order].astype(np.float32))


def worths(close: Expansion, field: Expansion, index: Index, docs: Ints) -> tuple[Matrix, Matrix]:
    """In each document the worth of its best close term, and of all its terms of the field together.

    `docs` are ascending and distinct.
    """
    where = np.full(len(index), -1, np.int32)
    where[docs] = np.arange(len(docs), dtype=np.int32)
    best = np.zeros(len(docs), np.float64)
    place, worth = _found(close, index, where)
    best[place[::-1]] = worth[::-1]  # terms come best first, and of several writes the last one stays
    place, worth = _found(field, index, where)
    return best, np.bincount(place, worth, minlength=len(docs)).astype(np.float64)


def _found(expansion: Expansion, index: Index, where: Ints) -> tuple[Ints, Matrix]:
    """The places of the documents in which each term of the expansion occurs, with the term's worth."""
    if not len(expansion.terms):
        return np.zeros(0, np.int32), np.zeros(0, np.float32)
    held = [index.postings(int(t))[0] for t in expansion.terms]
    worth = np.repeat(expansion.worth, [len(h) for h in held])
    place = where[np.concatenate(held)]
    inside = place >= 0
    return place[inside], worth[inside]
