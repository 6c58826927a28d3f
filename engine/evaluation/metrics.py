"""Metrics of retrieval, citations and abstention. Pure functions over ids; each is a share between 0 and 1."""

import math
from collections.abc import Collection, Hashable, Sequence

import numpy as np

BUDGETS = (300, 600, 1_000, 2_000)
TOP = (5, 10, 20, 50)


def within_budget(ranked: Sequence[int], words: Sequence[int], budget: int) -> list[int]:
    """The first turns of a ranking that fit a number of words; it ends at the first that does not."""
    kept: list[int] = []
    spent = 0
    for turn, size in zip(ranked, words, strict=True):
        spent += size
        if spent > budget:
            break
        kept.append(turn)
    return kept


def found(kept: Collection[Hashable], gold: Collection[Hashable]) -> tuple[float, float, float]:
    """Which fraction of the evidence was kept, whether all of it, whether any of it."""
    share = len(set(kept) & set(gold)) / len(set(gold))
    return share, float(share == 1), float(share > 0)


def ndcg(ranked: Sequence[Hashable], gold: Collection[Hashable], k: int) -> float:
    """Normalised discounted cumulative gain at k, binary relevance, discount log2(1 + rank)."""
    wanted = set(gold)
    gain = sum(1 / math.log2(2 + i) for i, turn in enumerate(ranked[:k]) if turn in wanted)
    best = sum(1 / math.log2(2 + i) for i in range(min(k, len(wanted))))
    return gain / best if best else 0.0


def first_sessions(sessions: Sequence[str], k: int) -> list[str]:
    """The first k distinct sessions of a ranking of turns."""
    return list(dict.fromkeys(sessions))[:k]


def precision_recall(cited: Collection[Hashable], gold: Collection[Hashable]) -> tuple[float, float]:
    """Which share of the cited turns is evidence, and which share of the evidence is cited."""
    right = len(set(cited) & set(gold))
    return right / len(set(cited)) if cited else 0.0, right / len(set(gold)) if gold else 0.0


def mean(values: Sequence[float]) -> float:
    """The mean; not a number where there is nothing."""
    return sum(values) / len(values) if values else math.nan


def bootstrap(values: Sequence[float], *, rounds: int = 1_000, seed: int = 0) -> tuple[float, float]:
    """The 95 % percentile interval of the mean over questions drawn again (Efron 1979).

    Given the differences of two methods, one a question, it is the paired interval.
    """
    if len(values) < 2:
        return math.nan, math.nan
    data = np.asarray(values, float)
    drawn = data[np.random.default_rng(seed).integers(0, len(data), (rounds, len(data)))]
    low, high = np.quantile(drawn.mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
