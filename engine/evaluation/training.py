"""How the weights of the ranking are made: a listwise softmax over the candidates of each question.

The model is the one of the ranking, a linear sum of features; it is fitted so that the evidence gets the
probability: log-likelihood of ListNet's top-one distribution (Cao et al. 2007) with a ridge penalty, by
Newton's method, since it is convex and has few weights. Each conversation is left out in turn to measure
what the weights are worth on conversations they have not seen. Run it as

    python -m engine.evaluation.training locomo PATH --out engine/search/weights.json
"""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.evaluation.archive import index_sample
from engine.evaluation.data import Sample, joined, pooled
from engine.evaluation.datasets import DATASETS, read_dataset
from engine.evaluation.dating import meant_days
from engine.evaluation.metrics import BUDGETS, found, within_budget
from engine.search.features import SessionMatch, candidates, measure
from engine.search.question import read_question
from engine.search.ranking import FEATURES, MATCHES, Weights, weighed

RIDGE = 3e-3
ROUNDS = 12
PRICE = 0.7
LONG = 5  # turns written as one, so that the weights hold for chats of long messages as well
Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """One question's candidates: their features, words, which are evidence, and how much evidence there is."""

    conversation: str
    kind: str  # of archive: single, pooled or long
    features: Matrix
    words: npt.NDArray[np.int32]
    gold: npt.NDArray[np.int64]  # rows
    evidence: int


def cases(sample: Sample, kind: str) -> list[Case]:
    """All answerable questions of a sample."""
    archive = index_sample(sample)
    index, layout = archive.index, archive.layout
    result = []
    for asked in sample.questions:
        if not asked.answerable or not asked.gold_turns:
            continue
        question = read_question(
            asked.text,
            index.vocabulary,
            archive.names,
            languages=(archive.language,),
            days=meant_days(asked.text, asked.asked),
        )
        matches = SessionMatch.of(question, index, layout)
        docs = candidates(question, index, layout, matches, None)
        values = measure(question, index, layout, matches, docs)
        gold = np.flatnonzero(np.isin(docs, [archive.document[g] for g in asked.gold_turns]))
        conversation = asked.id.split("/")[0] if "/" in asked.id else sample.id
        table = np.stack([values[name] for name in FEATURES], axis=1).astype(np.float64)
        result.append(Case(conversation, kind, table, index.columns.words[docs], gold, len(asked.gold_turns)))
    return result


def fit(given: Sequence[Case], price: float = PRICE) -> Weights:
    """The weights that make the evidence most probable, none of them against a match.

    Scores of neighbouring windows say nearly the same, and a free fit sets one against the other: that
    fits these conversations a little better and others worse. So features of MATCHES with a negative weight
    are taken out and the rest is fitted again, until there are none.
    """
    used = [case for case in given if len(case.gold)]
    size = sum(len(c.features) for c in used)
    mean = sum(c.features.sum(axis=0) for c in used) / size
    scale = np.sqrt(sum(((c.features - mean) ** 2).sum(axis=0) for c in used) / size) + 1e-6
    kept = list(range(len(FEATURES)))
    while True:
        columns = np.array(kept)
        weights = _newton([(c.features[:, columns] / scale[columns], c.gold) for c in used])
        against = [k for k, w in zip(kept, weights, strict=True) if w < 0 and FEATURES[k] in MATCHES]
        if not against:
            break
        kept = [k for k in kept if k not in against]
    values = (weights / scale[columns]).tolist()
    return Weights({FEATURES[k]: v for k, v in zip(kept, values, strict=True)}, price)


def _newton(given: Sequence[tuple[Matrix, npt.NDArray[np.int64]]]) -> Matrix:
    """The minimum of the penalised negative log-likelihood; a step never moves a weight by more than 1."""
    weights = np.zeros(given[0][0].shape[1])
    for _ in range(ROUNDS):
        gradient = 2 * RIDGE * weights
        curvature = 2 * RIDGE * np.eye(len(weights))
        for table, gold in given:
            score = table @ weights
            share = np.exp(score - score.max())
            share /= share.sum()
            expected = share @ table
            gradient += (expected - table[gold].mean(axis=0)) / len(given)
            curvature += ((table * share[:, None]).T @ table - np.outer(expected, expected)) / len(given)
        step = np.linalg.solve(curvature, gradient)
        weights -= step / max(1.0, float(np.abs(step).max()))
    return weights


def shares(case: Case, weights: Weights) -> list[float]:
    """The share of a case's evidence within each of the usual word budgets."""
    columns = dict(zip(FEATURES, case.features.T, strict=True))
    score = weighed(columns, case.words, weights)
    order = np.argsort(-score, kind="stable").tolist()
    words = case.words[order].tolist()
    gold = [*case.gold.tolist(), *range(-1, -1 - (case.evidence - len(case.gold)), -1)]
    return [found(within_budget(order, words, budget), gold)[0] for budget in BUDGETS]


def left_out(given: Sequence[Case]) -> dict[str, list[float]]:
    """For each kind of archive the mean shares, every conversation ranked by weights of the others."""
    result: dict[str, list[list[float]]] = {}
    for conversation in sorted({c.conversation for c in given}):
        weights = fit([c for c in given if c.conversation != conversation])
        for case in given:
            if case.conversation == conversation:
                result.setdefault(case.kind, []).append(shares(case, weights))
    return {kind: np.mean(rows, axis=0).tolist() for kind, rows in result.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Cross-validate, then fit on everything and write the weights."""
    parser = argparse.ArgumentParser(prog="python -m engine.evaluation.training", description=__doc__)
    parser.add_argument("dataset", choices=[name for name, _ in DATASETS])
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, help="where to write the weights")
    options = parser.parse_args(arguments)
    samples = read_dataset(options.dataset, options.path)
    given = [case for sample in samples for case in cases(sample, "single")]
    given += [case for sample in samples for case in cases(joined(sample, LONG), "long messages")]
    if len(samples) > 1:
        given += cases(pooled(samples), "pooled")
    for kind, values in left_out(given).items():
        line = ", ".join(f"{b:,} words {100 * v:.1f} %" for b, v in zip(BUDGETS, values, strict=True))
        sys.stdout.write(f"left out, {kind}: {line}\n")
    weights = fit(given)
    if options.out:
        data = {"price": weights.price, "features": {k: round(v, 4) for k, v in weights.features.items()}}
        options.out.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
