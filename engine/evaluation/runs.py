"""Running methods over samples: one result a question and method, with everything that the metrics need."""

import random
import time
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from engine.evaluation.bench import Bench, Method, Outcome, Tools
from engine.evaluation.data import DataQuestion, Sample, pooled


@dataclass(frozen=True, slots=True)
class Result:
    """One question answered by one method, in the dataset's own ids."""

    sample: str
    question: DataQuestion
    method: str
    ranked: tuple[str, ...]
    words: tuple[int, ...]  # of each ranked turn
    sessions: tuple[str, ...]  # of each ranked turn
    evidence: tuple[str, ...]
    citations: tuple[str, ...]
    outcome: Outcome
    seconds: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Which questions are asked of which samples."""

    samples: tuple[Sample, ...]
    questions: int


def plan(
    samples: Sequence[Sample],
    *,
    limit: int | None = None,
    seed: int = 0,
    pool: bool = False,
    types: Collection[str] = (),
) -> Plan:
    """Choose questions, all or those of some types; with a limit the same ones for the same seed.

    Questions that have neither evidence nor a right answer to be withheld are left out.
    """
    chosen = [pooled(list(samples))] if pool and len(samples) > 1 else list(samples)
    pairs = [(s, q) for s in chosen for q in s.questions if q.gold_turns or q.gold_sessions or not q.answerable]
    pairs = [(s, q) for s, q in pairs if not types or q.type in types]
    if limit is not None and limit < len(pairs):
        pairs = random.Random(seed).sample(pairs, limit)
    wanted = {(s.id, q.id) for s, q in pairs}
    kept = []
    for sample in chosen:
        questions = tuple(q for q in sample.questions if (sample.id, q.id) in wanted)
        if questions:
            kept.append(Sample(sample.id, sample.turns, questions, sample.owner, sample.chats))
    return Plan(tuple(kept), len(pairs))


def run(plan: Plan, methods: Sequence[Method], tools: Tools) -> Iterator[Result]:
    """All methods over all questions, sample by sample. Progress goes to the tools' job, which may stop it."""
    total, done = plan.questions * len(methods), 0
    for sample in plan.samples:
        bench = Bench(sample, tools)
        for question in sample.questions:
            for method in methods:
                tools.job.report(done, total, f"{method.name}: {question.text[:60]}")
                done += 1
                started = time.perf_counter()
                outcome = method.run(bench, question)
                yield _result(bench, question, method, outcome, time.perf_counter() - started)
    tools.job.report(total, total)


def _result(bench: Bench, question: DataQuestion, method: Method, outcome: Outcome, seconds: float) -> Result:
    turns = bench.archive.turns
    return Result(
        sample=bench.sample.id,
        question=question,
        method=method.name,
        ranked=tuple(turns[d].id for d in outcome.ranked),
        words=tuple(turns[d].words for d in outcome.ranked),
        sessions=tuple(turns[d].session for d in outcome.ranked),
        evidence=tuple(turns[d].id for d in outcome.evidence),
        citations=tuple(turns[d].id for d in outcome.citations),
        outcome=outcome,
        seconds=seconds,
    )
