"""Answering from a ranking: the product's evidence, answerer and citation check, whatever found the turns."""

import time
from collections.abc import Sequence

from engine.agent.calls import Calls
from engine.answer.citations import check
from engine.answer.evidence import evidence_from
from engine.answer.readings import read as read_evidence
from engine.answer.readings import surest
from engine.evaluation.bench import Bench, Outcome, without_marks
from engine.evaluation.data import DataQuestion
from engine.types import Cost, Hit
from models.base import ChatMessage

NOT_FOUND = "Not found."
CHOOSER = "Use the messages to choose the reply that fits the person best. Answer with that reply alone."


def read(bench: Bench, question: DataQuestion, ranked: Sequence[int], words: int | None = None) -> Outcome:
    """The ranking as it is, answered by the model of the run where there is one."""
    model = bench.tools.model
    if model is None:
        return Outcome(tuple(ranked))
    started = time.monotonic()
    cost = Cost(searches=1)
    turns = bench.searcher.turns(ranked)
    owners = {p.name for p in bench.searcher.people() if p.is_owner}
    hits = [Hit(turns[d], 0.0, (turns[d],)) for d in ranked]
    evidence = evidence_from(hits, question.text, budget=words or bench.tools.read_words, owners=owners)
    if not evidence.items:
        return Outcome(tuple(ranked), answer=NOT_FOUND, found=False, cost=cost)
    if question.choices:
        text = f"{evidence.text}\n\n{question.text}"
        scores = model.score([ChatMessage("system", CHOOSER), ChatMessage("user", text)], question.choices)
        cost.llm_calls, cost.seconds = 1, time.monotonic() - started
        return Outcome(
            tuple(ranked), evidence.ranked, question.choices[scores.index(max(scores))], True, cost=cost
        )
    calls = Calls(model, bench.tools.job, cost)
    readings = read_evidence(question.text, evidence, calls=calls, now=bench.asked(question))
    reading = surest(question.text, readings)
    cost.seconds = time.monotonic() - started
    if not reading.draft.text:
        return Outcome(tuple(ranked), evidence.ranked, NOT_FOUND, False, cost=cost)
    checked = check(reading.draft.text, reading.evidence, question.text, turns)
    cited = tuple(c.turn for c in checked.citations)
    return Outcome(tuple(ranked), evidence.ranked, without_marks(checked.text), bool(cited), cited, cost=cost)
