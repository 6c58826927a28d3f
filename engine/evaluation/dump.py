"""One JSON line a question and method, with the dataset's own turn ids, so that others can judge them."""

from dataclasses import asdict
from typing import Any

from engine.evaluation.runs import Result


def dumped(dataset: str, result: Result) -> dict[str, Any]:
    """The line of one result, with the keys that the command line promises."""
    question, outcome = result.question, result.outcome
    cost = asdict(outcome.cost)
    cost["seconds"] = cost["seconds"] or result.seconds
    return {
        "dataset": dataset,
        "sample": result.sample,
        "question_id": question.id,
        "question": question.text,
        "type": question.type,
        "gold_answer": question.answer,
        "gold_turns": list(question.gold_turns),
        "method": result.method,
        "ranked": [{"turn": t, "words": w} for t, w in zip(result.ranked, result.words, strict=True)],
        "evidence": list(result.evidence),
        "answer": outcome.answer,
        "citations": list(result.citations),
        "found": outcome.found,
        "cost": cost,
    }
