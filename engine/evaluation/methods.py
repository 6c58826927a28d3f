"""The methods that `backscroll eval` compares: a new one is a function and a line in METHODS."""

import dataclasses
from collections.abc import Callable

import numpy as np

from engine.agent.refind import FULL, GENERIC, Controls
from engine.answer.controller import answer_question
from engine.evaluation.bench import LONGEST_RANKING, Bench, Method, Outcome, ordered, without_marks
from engine.evaluation.data import DataQuestion
from engine.evaluation.dating import meant_days
from engine.evaluation.reading import read
from engine.evaluation.searching import SampleSearcher
from engine.evaluation.smartsearch import smartsearch
from engine.evaluation.units import unit_index
from engine.search.fusion import ranks
from engine.types import Filters, Mode

RRF_K = 60
TOKENS_A_WORD = 1.6  # of a whole history in a prompt, evidence numbers and dates included
PROMPT_TOKENS = 700  # instructions, question and answer


def bm25(bench: Bench, question: DataQuestion) -> Outcome:
    """BM25 with the raw question."""
    unit = bench.tools.unit
    index = bench.once(f"unit {unit}", lambda: unit_index(bench.archive, unit))
    return read(bench, question, index.ranked(question.text, LONGEST_RANKING))


def search(bench: Bench, question: DataQuestion) -> Outcome:
    """The product's ranking."""
    days = meant_days(question.text, question.asked)
    result = bench.searcher.rank(question.text, filters=Filters(), days=days, limit=LONGEST_RANKING, context=0)
    return read(bench, question, tuple(h.turn.id for h in result.hits))


def fused(bench: Bench, question: DataQuestion) -> Outcome:
    """One search with the ReFind paper's session fusion and the raw question."""
    result = bench.searcher.search(question.text, filters=Filters(), k=LONGEST_RANKING, context=0)
    return read(bench, question, tuple(h.turn.id for h in result.hits))


def dense(bench: Bench, question: DataQuestion) -> Outcome:
    """Turns by the cosine of their embedding with the question's."""
    return read(bench, question, ordered(bench.dense(question.text)))


def hybrid(bench: Bench, question: DataQuestion) -> Outcome:
    """Reciprocal rank fusion of BM25 and dense."""
    return read(bench, question, ordered(hybrid_scores(bench, question.text)))


def hybrid_scores(bench: Bench, query: str) -> "np.ndarray[tuple[int], np.dtype[np.float32]]":
    """RRF(k = 60) of every turn; a turn without a matching word has only its dense rank."""
    words = bench.archive.bm25(query)
    lexical = np.where(words > 0, 1 / (RRF_K + ranks(words)), 0)
    return (lexical + 1 / (RRF_K + ranks(bench.dense(query)))).astype(np.float32)


def smart(bench: Bench, question: DataQuestion) -> Outcome:
    """SmartSearch."""
    return read(bench, question, smartsearch(bench, question.text))


def oracle(bench: Bench, question: DataQuestion) -> Outcome:
    """The evidence itself, in the chats' order: what reading alone can reach."""
    gold = sorted(bench.archive.document[g] for g in question.gold_turns)
    return read(bench, question, gold, words=100_000)


def full_context(bench: Bench, question: DataQuestion) -> Outcome:
    """The newest turns, as many as the model's context holds; all of them where there is no model."""
    newest = tuple(range(len(bench.archive.turns) - 1, -1, -1))
    model = bench.tools.model
    room = int((model.n_ctx - PROMPT_TOKENS) / TOKENS_A_WORD) if model else 0
    return read(bench, question, newest, words=max(200, room))


def _asking(mode: Mode, controls: Controls = FULL, backend: str = "") -> Callable[[Bench, DataQuestion], Outcome]:
    """The product's whole way to an answer, in a mode."""

    def run(bench: Bench, question: DataQuestion) -> Outcome:
        answer = answer_question(
            bench.tools.job,
            question.text,
            searcher=_searcher(bench, backend),
            model=bench.tools.model,
            mode=mode,
            now=bench.asked(question),
            controls=controls,
        )
        return Outcome(
            ranked=answer.ranked,
            evidence=answer.evidence,
            answer=without_marks(answer.answer),
            found=answer.found,
            citations=tuple(c.turn for c in answer.citations),
            trace=answer.trace,
            cost=answer.cost,
        )

    return run


def _searcher(bench: Bench, backend: str) -> SampleSearcher:
    if backend == "dense":
        return SampleSearcher(bench.archive, bench.dense)
    if backend == "hybrid":
        return SampleSearcher(bench.archive, lambda query: hybrid_scores(bench, query))
    return bench.searcher


def _refind(name: str, about: str, controls: Controls = FULL, backend: str = "") -> Method:
    needs = ("model", "embedder") if backend else ("model",)
    return Method(name, about, _asking("refind", controls, backend), needs, answers=True)


METHODS: tuple[Method, ...] = (
    Method("bm25", "BM25 with the raw question, over --unit", bm25),
    Method("fused", "one search of the ReFind paper with the raw question", fused),
    Method("search", "the product's ranking, no model", search),
    Method("quick", "the product's ranking and one model call", _asking("quick"), ("model",), answers=True),
    Method("thorough", "the product's anchored loop", _asking("thorough"), ("model",), answers=True),
    _refind("refind", "the ReFind paper's loop"),
    _refind("refind-generic", "the loop without any of the paper's controls", GENERIC),
    _refind("refind-no-context", "without the turns around a result", dataclasses.replace(FULL, context=0)),
    _refind("refind-no-dedup", "sessions may come again", dataclasses.replace(FULL, dedup=False)),
    _refind("refind-no-rrf", "turn BM25 alone", dataclasses.replace(FULL, rrf=False)),
    _refind("refind-no-time", "without date ranges", dataclasses.replace(FULL, time=False)),
    _refind("refind-one-search", "a single search, all of it kept", dataclasses.replace(FULL, searches=1)),
    _refind("refind-dense", "the loop over dense search", FULL, "dense"),
    _refind("refind-hybrid", "the loop over hybrid search", FULL, "hybrid"),
    Method("smartsearch", "SmartSearch: weighted substrings, expansion, rerankers where given", smart),
    Method("dense", "embeddings", dense, ("embedder",)),
    Method("hybrid", "reciprocal rank fusion of BM25 and embeddings", hybrid, ("embedder",)),
    Method("full-context", "the newest turns that fit", full_context),
    Method("oracle", "the evidence itself", oracle),
)


def method(name: str) -> Method:
    """A method by name. Raises KeyError."""
    return {m.name: m for m in METHODS}[name]
