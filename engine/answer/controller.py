"""From a question to an answer: choose the mode, gather, answer, check, and always give something true.

Each stage only adds: the evidence is shown before the model reads it, a failing model leaves the evidence,
and "not found" comes with what was searched and the nearest misses.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from engine.agent.calls import Calls
from engine.agent.first_look import first_look
from engine.agent.ports import Gathering, Searcher
from engine.agent.refind import FULL, Controls, refind
from engine.agent.thorough import thorough
from engine.answer.abstain import Trap, is_sure, person_asked, trap_after, trap_before, unknown_names, weights
from engine.answer.citations import Checked, check
from engine.answer.dates import in_words_of, told_date, with_absolute_dates
from engine.answer.evidence import Evidence, evidence_from
from engine.answer.phrases import phrases_for, searched_words
from engine.answer.readings import answers, read, surest
from engine.job import Job
from engine.types import Answer, Cost, Filters, Hit, Mode, TraceStep
from models.base import ChatModel, ModelError

QUICK_WORDS = 320
QUICK_ODDS = 4.0  # two thirds of the reading for the same evidence: what is far behind the best is not read
THOROUGH_WORDS = 600
REFIND_WORDS = 1_000
NEAREST = 3
SHOWN = 8  # hits shown while the model reads
NO_EVIDENCE = Evidence()
NO_FILTERS = Filters()


@dataclass(slots=True)
class _Asking:
    """One question on its way to an answer."""

    job: Job
    question: str
    searcher: Searcher
    filters: Filters
    now: date
    mode: Mode
    cost: Cost
    started: float

    def answer(
        self,
        text: str,
        gathering: Gathering,
        *,
        evidence: Evidence = NO_EVIDENCE,
        checked: Checked | None = None,
        nearest: Sequence[Hit] = (),
    ) -> Answer:
        """The finished answer with its cost and what was searched."""
        self.cost.seconds = time.monotonic() - self.started
        return Answer(
            answer=checked.text if checked else text,
            found=checked is not None,
            citations=checked.citations if checked else (),
            unsupported=checked.unsupported if checked else (),
            nearest=tuple(nearest),
            evidence=evidence.ranked,
            ranked=tuple(hit.turn.id for hit in gathering.hits),
            trace=gathering.trace,
            searched=gathering.searched,
            mode=self.mode,
            cost=self.cost,
        )


def answer_question(
    job: Job,
    question: str,
    *,
    searcher: Searcher,
    model: ChatModel | None,
    mode: Mode = "auto",
    filters: Filters = NO_FILTERS,
    now: date,
    controls: Controls = FULL,
) -> Answer:
    """Answer a question, with `step`, `trace`, `evidence`, `reading` and `text` events. Raises Cancelled."""
    chosen = choose(mode, model)
    asking = _Asking(job, question, searcher, filters, now, chosen, Cost(), time.monotonic())
    phrases = phrases_for(question)
    try:
        calls = Calls(model, job, asking.cost) if model else None
        gathering = _gather(asking, calls, controls)
    except ModelError:
        gathering = _look(asking)
        calls = None
    job.check()
    evidence = _evidence(asking, gathering)
    _show(job, gathering.hits)
    if not evidence.items:
        return _not_found(asking, gathering, phrases.not_found, evidence)
    if unknown := unknown_names(question, searcher):
        return _not_found(asking, gathering, phrases.unknown.format(name=unknown[0]), evidence)
    if calls is None:
        text = phrases.failed if model else phrases.no_model
        return asking.answer(text, gathering, evidence=evidence, nearest=gathering.hits[:SHOWN])
    try:
        return _answered(asking, gathering, evidence, calls)
    except ModelError:
        return asking.answer(phrases.failed, gathering, evidence=evidence, nearest=gathering.hits[:SHOWN])


def choose(mode: Mode, model: ChatModel | None) -> Mode:
    """The mode to use: without a model there is only the ranking, and `auto` follows what was measured."""
    if model is None:
        return "quick"
    return "quick" if mode == "auto" else mode


def budget_of(mode: Mode) -> int:
    """Words of evidence that the answerer reads in a mode."""
    return {"thorough": THOROUGH_WORDS, "refind": REFIND_WORDS}.get(mode, QUICK_WORDS)


def _gather(asking: _Asking, calls: Calls | None, controls: Controls) -> Gathering:
    """Find the evidence in the chosen mode."""
    if calls is None or asking.mode == "quick":
        return _look(asking)
    asking.job.emit("step", text="Looking for messages")
    if asking.mode == "refind":
        return refind(
            asking.question,
            searcher=asking.searcher,
            calls=calls,
            filters=asking.filters,
            now=asking.now,
            controls=controls,
        )
    return thorough(
        asking.question,
        searcher=asking.searcher,
        calls=calls,
        filters=asking.filters,
        now=asking.now,
        anchor_words=QUICK_WORDS,
    )


def _look(asking: _Asking) -> Gathering:
    """The deterministic ranking of the question, recorded as one search."""
    asking.job.emit("step", text="Looking for messages")
    result = first_look(asking.question, searcher=asking.searcher, filters=asking.filters, now=asking.now)
    asking.cost.searches += 1
    ids = tuple(hit.turn.id for hit in result.hits[:SHOWN])
    step = TraceStep("search_chatrecord", {"keywords": [asking.question]}, ids)
    asking.job.emit("trace", action=step.action, input=step.input, hits=list(ids))
    return Gathering(result.hits, (step,), result.searched)


def _evidence(asking: _Asking, gathering: Gathering) -> Evidence:
    owners = {person.name for person in asking.searcher.people() if person.is_owner}
    return evidence_from(
        gathering.hits,
        asking.question,
        budget=budget_of(asking.mode),
        owners=owners,
        whole_blocks=asking.mode == "refind",
        odds=QUICK_ODDS if asking.mode == "quick" else None,
    )


def _show(job: Job, hits: Sequence[Hit]) -> None:
    """Show what was found before the model reads it."""
    job.emit("evidence", hits=list(hits[:SHOWN]))


def _answered(asking: _Asking, gathering: Gathering, evidence: Evidence, calls: Calls) -> Answer:
    """Let the model answer and check what it says; "not found" where it or the checks say so."""
    phrases = phrases_for(asking.question)
    asked = person_asked(asking.question, asking.searcher)
    wanted = weights(asking.question, asking.searcher, asking.searcher.people())
    if asked and (trap := trap_before(gathering.hits, asked, wanted)):
        return _not_found(asking, gathering, _trap_words(phrases.trap, trap), evidence)
    asking.job.emit("step", text="Reading the messages")
    readings = read(
        asking.question,
        evidence,
        calls=calls,
        now=asking.now,
        on_text=lambda piece: asking.job.emit("text", piece=piece),
    )
    reading = surest(asking.question, readings)
    if not answers(asking.question, reading.draft):
        return _not_found(asking, gathering, phrases.not_found, evidence)
    checked = _check(asking, reading.draft.text, reading.evidence)
    if asked and (trap := trap_after(checked.items, asked, wanted)):
        return _not_found(asking, gathering, _trap_words(phrases.trap, trap), evidence)
    if not checked.citations or not is_sure(reading.draft.assurance, checked.items, wanted, asking.searcher):
        # What no message supports is no answer; the messages that came close are shown instead.
        return _not_found(asking, gathering, phrases.not_found, evidence)
    return asking.answer("", gathering, evidence=evidence, checked=checked)


def _check(asking: _Asking, text: str, evidence: Evidence) -> Checked:
    """The answer with its dates put right and its citations found."""
    stored = asking.searcher.turns([item.turn.id for item in evidence.items])
    dated = with_absolute_dates(text, evidence)
    checked = check(dated, evidence, asking.question, stored)
    told = told_date(dated, checked.items)
    if told != dated:
        checked = check(told, evidence, asking.question, stored)
    return replace(checked, text=checked.text.replace(told, in_words_of(asking.question, told), 1))


def _trap_words(phrase: str, trap: Trap) -> str:
    return phrase.format(asked=trap.asked, speaker=trap.speaker)


def _not_found(asking: _Asking, gathering: Gathering, phrase: str, evidence: Evidence) -> Answer:
    """ "Not found", with what was searched and the nearest misses."""
    looked = gathering.searched
    if not looked.turns:
        looked = asking.searcher.coverage(asking.filters)
    everything = asking.searcher.coverage(NO_FILTERS)
    text = f"{phrase} ({searched_words(asking.cost.searches, looked, everything)})"
    known = replace(gathering, searched=looked)
    return asking.answer(text, known, evidence=evidence, nearest=gathering.hits[:NEAREST])
