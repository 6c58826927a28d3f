"""Joining rankings of hits: weighted reciprocal ranks, and an anchor that nothing can push out."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.types import Hit

RRF_K = 10  # small: the first places of a ranking that was made for the question count most


def fused(rankings: Iterable[tuple[float, Sequence[Hit]]]) -> tuple[Hit, ...]:
    """One ranking of several weighted ones, by the sum of weight / (RRF_K + rank); each turn once."""
    scores: dict[int, float] = {}
    hits: dict[int, Hit] = {}
    for weight, ranking in rankings:
        for rank, hit in enumerate(ranking, 1):
            scores[hit.turn.id] = scores.get(hit.turn.id, 0.0) + weight / (RRF_K + rank)
            hits.setdefault(hit.turn.id, hit)
    best_first = sorted(scores, key=lambda turn: -scores[turn])
    return tuple(replace(hits[turn], score=scores[turn]) for turn in best_first)


def anchored(anchor: Sequence[Hit], ranking: Sequence[Hit], words: int) -> tuple[Hit, ...]:
    """The ranking, moved so that the first turns of the anchor that fill `words` words all come first."""
    kept: list[Hit] = []
    used = 0
    for hit in anchor:
        used += len(hit.turn.text.split())
        if used > words and kept:
            break
        kept.append(hit)
    ids = {hit.turn.id for hit in kept}
    first = [hit for hit in ranking if hit.turn.id in ids]
    known = {hit.turn.id for hit in first}
    missing = [hit for hit in kept if hit.turn.id not in known]
    return (*first, *missing, *(hit for hit in ranking if hit.turn.id not in ids))
