"""Search while a word is still being typed: its beginning stands for the commonest words that begin so."""

import heapq
import re

from engine.index import Index

_LAST = re.compile(r"[^\W\d_]{2,}$")
_DENSE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MOST = 8  # words
MOST_LOOKED_AT = 400  # of those that begin so, the shortest
SHORTEST, ENDING = 3, 4  # letters of a stem at least, and of what a stemmer takes away


def completed(query: str, index: Index) -> str:
    """The query with what its last word may become.

    A query that ends with a space is finished. Scripts without spaces need no completion: their bigrams
    match already.
    """
    last = _LAST.search(query)
    if last is None or _DENSE.search(last[0]):
        return query
    beginning = last[0].casefold()
    vocabulary = index.vocabulary
    shortest = max(SHORTEST, len(beginning) - ENDING)
    stems = [beginning[:size] for size in range(shortest, len(beginning))]  # “wed” of “weddi”
    numbers = [vocabulary.ids[stem] for stem in stems if stem in vocabulary.ids]
    numbers += [n for n in vocabulary.starting(beginning, MOST_LOOKED_AT) if vocabulary.terms[n] != beginning]
    found = ((index.document_frequency(number), vocabulary.terms[number]) for number in numbers)
    words = [term for count, term in heapq.nlargest(MOST, found) if count]
    return " ".join([query, *words])
