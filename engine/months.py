"""When a search finds something: the turns with the words of a query, counted by month.

The list of a search holds the best hundred; the timeline above it tells of all. Counted are the turns that hold
the most of the words: all of them where some turn does, else as many as any turn holds.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from engine.index import Index
from engine.search.masks import document_mask
from engine.searcher import ArchiveSearcher
from engine.types import Filters


def hits_by_month(searcher: ArchiveSearcher, words: Sequence[Sequence[str]], filters: Filters) -> dict[str, int]:
    """Counts by month (`2024-03`), without the turns that have no time.

    Args:
        searcher: the archive.
        words: each word of the query with those that may stand in its place.
        filters: what limits the search.
    """
    index, directory = searcher.index, searcher.directory
    held = np.zeros(len(index), np.uint8)
    for alternatives in words:
        terms = index.vocabulary.query_terms(" ".join(alternatives), directory.languages)
        held += _with_any(index, terms)
    mask = document_mask(
        index.columns,
        date_from=filters.date_from,
        date_to=filters.date_to,
        chats=directory.chat_ids(filters.chats, filters.platforms),
        senders=directory.sender_ids(filters.senders),
    )
    held[~index.alive if mask is None else ~(mask & index.alive)] = 0
    most = int(held.max(initial=0))
    return _by_month(index.columns.time[held == most]) if most else {}


def _with_any(index: Index, terms: Sequence[int]) -> npt.NDArray[np.bool_]:
    """The documents that hold one of the terms."""
    found = np.zeros(len(index), np.bool_)
    for segment in index.segments:
        for term in terms:
            found[segment.slice(term)[0]] = True
    return found


def _by_month(times: npt.NDArray[np.int64]) -> dict[str, int]:
    # 0 is where messages without a time stand that come before all others of their chat.
    known = times[times > 0].astype("datetime64[s]").astype("datetime64[M]")
    months, counts = np.unique(known, return_counts=True)
    return {str(month): int(count) for month, count in zip(months, counts, strict=True)}


def query_words(query: str, completed: str) -> list[list[str]]:
    """The words of a query, the last one with what it may become: `completed` has those behind the query."""
    plain = query.split()
    more = completed[len(query) :].split()
    return [[word, *more] if at == len(plain) - 1 else [word] for at, word in enumerate(plain)]
