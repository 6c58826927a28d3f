"""Search while a word is still being typed: its beginning stands for the commonest words that begin so."""

import heapq
import re

from engine.index import Index

_LAST = re.compile(r"[^\W\d_]{2,}$")
_DENSE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MOST = 8  # words
SHORTEST, ENDING = 3, 4  # letters of a stem at least, and of what a stemmer takes away


def _stem_of(term: str, beginning: str) -> bool:
    """Whether a term may be the stem of the word that begins so: “wed” of “weddi”."""
    return len(term) >= max(SHORTEST, len(beginning) - ENDING) and beginning.startswith(term)


def completed(query: str, index: Index) -> str:
    """The query with what its last word may become.

    A query that ends with a space is finished. Scripts without spaces need no completion: their bigrams
    match already.
    """
    last = _LAST.search(query)
    if last is None or _DENSE.search(last[0]):
        return query
    beginning = last[0].casefold()
    found = (
        (index.document_frequency(number), term)
        for number, term in enumerate(index.vocabulary.terms)
        if term != beginning and (term.startswith(beginning) or _stem_of(term, beginning))
    )
    words = [term for count, term in heapq.nlargest(MOST, found) if count]
    return " ".join([query, *words])
