"""From results to numbers: for each method, and for each type of question, every metric that applies."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.evaluation.answers import choice_right, locomo_f1, token_f1
from engine.evaluation.metrics import bootstrap, first_sessions, found, mean, ndcg, precision_recall, within_budget
from engine.evaluation.runs import Result

SESSIONS = 5
NDCG_AT = 10
ALL = "all"


@dataclass(slots=True)
class Table:
    """Values by metric, one a question to which the metric applies."""

    values: dict[str, list[float]] = field(default_factory=dict)

    def add(self, metric: str, value: float) -> None:
        """Add one question's value."""
        self.values.setdefault(metric, []).append(value)

    def mean(self, metric: str) -> float:
        """The mean of a metric; not a number where no question has it."""
        return mean(self.values.get(metric, []))

    def summary(self) -> dict[str, dict[str, float | int]]:
        """Mean, interval and number of questions of each metric."""
        result: dict[str, dict[str, float | int]] = {}
        for name, values in self.values.items():
            low, high = bootstrap(values)
            result[name] = {"mean": mean(values), "low": low, "high": high, "n": len(values)}
        return result


Tables = dict[str, dict[str, Table]]
"""Method, then type of question (`all` too), then table."""


def score(results: Iterable[Result], dataset: str, budgets: Sequence[int], top: Sequence[int]) -> Tables:
    """All metrics of all results."""
    tables: Tables = {}
    for result in results:
        values = score_one(result, dataset, budgets, top)
        kinds = (ALL, result.question.type) if result.question.answerable else (result.question.type,)
        for kind in kinds:
            table = tables.setdefault(result.method, {}).setdefault(kind, Table())
            for name, value in values.items():
                table.add(name, value)
        if not result.question.answerable and "not found" in values:
            tables.setdefault(result.method, {}).setdefault(ALL, Table()).add("not found", values["not found"])
    return tables


def score_one(result: Result, dataset: str, budgets: Sequence[int], top: Sequence[int]) -> dict[str, float]:
    """The metrics of one result by name."""
    values: dict[str, float] = {}
    if result.question.gold_turns:
        values |= _evidence(result, budgets, top)
    if result.question.gold_sessions and result.ranked:
        share, every, some = found(first_sessions(result.sessions, SESSIONS), result.question.gold_sessions)
        values |= {
            f"sessions@{SESSIONS}": share,
            f"all sessions@{SESSIONS}": every,
            f"any session@{SESSIONS}": some,
        }
    values |= _answer(result, dataset)
    cost = result.outcome.cost
    values["seconds"] = cost.seconds or result.seconds
    if cost.llm_calls:
        values |= {
            "searches": cost.searches,
            "model calls": cost.llm_calls,
            "prompt tokens": cost.prompt_tokens,
            "evaluated tokens": cost.evaluated_tokens,
            "generated tokens": cost.generated_tokens,
        }
    return values


def _evidence(result: Result, budgets: Sequence[int], top: Sequence[int]) -> dict[str, float]:
    places = {turn: i for i, turn in enumerate(result.ranked)}
    gold = [places.get(g, -1 - i) for i, g in enumerate(result.question.gold_turns)]
    ranked = range(len(result.ranked))
    values: dict[str, float] = {}
    for budget in budgets:
        values[f"{budget:,} words"], values[f"all {budget:,} words"], _ = found(
            within_budget(ranked, result.words, budget), gold
        )
    for k in top:
        values[f"@{k}"], values[f"all@{k}"], values[f"any@{k}"] = found(ranked[:k], gold)
    values[f"ndcg@{NDCG_AT}"] = ndcg(ranked, gold, NDCG_AT)
    return values


def _answer(result: Result, dataset: str) -> dict[str, float]:
    question, outcome = result.question, result.outcome
    if outcome.answer is None:
        return {}
    says_found = bool(outcome.found)
    if not question.answerable:
        return {"not found": float(not says_found)}
    values = {"false not found": float(not says_found)}
    if dataset == "locomo":
        values["f1"] = locomo_f1(outcome.answer, question.answer, question.type, found=says_found)
    elif question.choices:
        values["choice"] = choice_right(outcome.answer, question.answer, question.choices)
    elif question.answer:
        values["f1"] = token_f1(outcome.answer, question.answer) if says_found else 0.0
    if question.gold_turns:
        precision, recall = precision_recall(result.citations, question.gold_turns)
        values["citation recall"] = recall
        if result.citations:
            values["citation precision"] = precision
    return values
