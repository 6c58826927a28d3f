"""Session-aware fusion of the ReFind paper, in work bounded by the turns that match.

RRF(c) = 1/(k + r1(c)) + 1/(k + r2(c)) with k = 60, where r1 is the rank of the turn by BM25 and r2 the
rank of its session by the sum of its turns' scores (papers: ReFind, section 3, equations 1 and 2).
"""

import numpy as np
import numpy.typing as npt

from engine.index import Bools, Floats, Ints

RRF_K = 60
FIRST_LOOK = 256  # turns ranked at first; widened until nothing outside can enter the best


def ranks(scores: npt.NDArray[np.floating]) -> npt.NDArray[np.int64]:
    """1 for the highest score, equal scores in the order given."""
    order = np.argsort(-scores, kind="stable")
    result = np.empty(len(scores), np.int64)
    result[order] = np.arange(1, len(scores) + 1)
    return result


def matching(scores: Floats, mask: Bools | None) -> Ints:
    """The documents with a positive score that may be found, in ascending order."""
    docs = np.flatnonzero(scores > 0)
    return (docs if mask is None else docs[mask[docs]]).astype(np.int32)


def best_turns(scores: Floats, k: int, docs: Ints | None = None) -> Ints:
    """Of these documents (all that match) the k with the highest scores, best first, ties by number."""
    docs = matching(scores, None) if docs is None else docs
    values = scores[docs]
    if len(docs) > k:
        docs = docs[values >= np.partition(values, -k)[-k]]
        values = scores[docs]
    return docs[np.argsort(-values, kind="stable")[:k]]


def session_sums(scores: Floats, docs: Ints, session: Ints, count: int) -> npt.NDArray[np.float64]:
    """Sum of the scores of each session's turns."""
    return np.bincount(session[docs], weights=scores[docs], minlength=count).astype(np.float64)


def fuse(scores: Floats, docs: Ints, session: Ints, session_count: int, k: int) -> list[tuple[int, float]]:
    """The k best turns by RRF of their own rank and their session's, with the fused score.

    Args:
        scores: BM25 of every document.
        docs: the documents that match and may be found, ascending.
        session: session of every document.
        session_count: number of sessions.
        k: how many to return; fewer where fewer match.
    """
    if not len(docs):
        return []
    sums = session_sums(scores, docs, session, session_count)
    live = np.flatnonzero(sums)
    session_rank = np.zeros(session_count, np.int64)
    session_rank[live] = ranks(sums[live])
    values = scores[docs]
    look = FIRST_LOOK
    while True:
        kept = docs if look >= len(docs) else docs[values >= np.partition(values, -look)[-look]]
        fused = 1 / (RRF_K + ranks(scores[kept])) + 1 / (RRF_K + session_rank[session[kept]])
        order = np.argsort(-fused, kind="stable")[:k]
        outside = 1 / (RRF_K + len(kept) + 1) + 1 / (RRF_K + 1)
        if len(kept) == len(docs) or (len(order) == k and fused[order[-1]] >= outside):
            return [(int(kept[i]), float(fused[i])) for i in order]
        look *= 4
