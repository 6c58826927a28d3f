"""What a method gets to work with, and what it gives back."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from engine.evaluation.archive import SampleArchive, index_sample, indexed_text
from engine.evaluation.data import DataQuestion, Sample
from engine.evaluation.searching import SampleSearcher
from engine.job import Job
from engine.types import Cost, TraceStep
from models.base import ChatModel
from models.embed import Embedder, Reranker

_MARK = re.compile(r"\s*\[\d+(?:,\s*\d+)*\]")
LONGEST_RANKING = 400  # turns; more than any budget holds


@dataclass(frozen=True, slots=True)
class Tools:
    """Models and settings of a run; a method that needs what is not here cannot run."""

    job: Job = field(default_factory=Job)
    unit: str = "turn"
    model: ChatModel | None = None
    embedder: Embedder | None = None
    reranker: Reranker | None = None
    read_words: int = 600  # evidence that the model reads in methods without a budget of their own


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method found and said. Turns are document numbers of the sample."""

    ranked: tuple[int, ...]
    evidence: tuple[int, ...] = ()  # what the model read
    answer: str | None = None  # None where nothing was asked to answer
    found: bool | None = None
    citations: tuple[int, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    cost: Cost = field(default_factory=Cost)


class Bench:
    """One sample with the tools of the run; what methods share about it is made once."""

    def __init__(self, sample: Sample, tools: Tools) -> None:
        self.sample = sample
        self.tools = tools
        self.kept: dict[str, Any] = {}

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """Make something for this sample the first time it is asked for."""
        if name not in self.kept:
            self.kept[name] = make()
        return self.kept[name]

    @cached_property
    def archive(self) -> SampleArchive:
        """The sample's turns, indexed."""
        return index_sample(self.sample)

    @cached_property
    def searcher(self) -> SampleSearcher:
        """The product's search over them."""
        return SampleSearcher(self.archive)

    @cached_property
    def vectors(self) -> npt.NDArray[np.float32]:
        """One embedding a turn."""
        if self.tools.embedder is None:
            raise ValueError("This method needs an embedding model: give one with --embedder.")
        texts = [indexed_text(t) for t in self.archive.turns]
        return np.concatenate(
            [
                self.tools.embedder.vectors(texts[i : i + 64], self.tools.job.stopped)
                for i in range(0, len(texts), 64)
            ]
        )

    def dense(self, query: str) -> npt.NDArray[np.float32]:
        """Cosine of every turn with a query, moved so that all are positive."""
        assert self.tools.embedder is not None
        vectors = self.vectors
        wanted = self.tools.embedder.vectors([query], self.tools.job.stopped)[0]
        cosine: npt.NDArray[np.float32] = np.einsum("nd,d->n", vectors, wanted).astype(np.float32)
        return cosine + np.float32(1.01)

    def asked(self, question: DataQuestion) -> date:
        """The day on which a question is asked: its own, else the last day of the sample."""
        times = [t.time for t in self.sample.turns if t.time]
        moment = question.asked or max(times, default=None)
        return moment.date() if moment else date(2025, 1, 1)


@dataclass(frozen=True, slots=True)
class Method:
    """One way to find the evidence, and perhaps to answer. `needs`: model, embedder or reranker."""

    name: str
    about: str
    run: Callable[[Bench, DataQuestion], Outcome]
    needs: tuple[str, ...] = ()
    answers: bool = False  # says something about every question, and so about unanswerable ones too


def without_marks(answer: str) -> str:
    """An answer without its citation numbers, which are not words of the answer."""
    return _MARK.sub("", answer).strip()


def ordered(scores: npt.NDArray[np.floating], k: int = LONGEST_RANKING) -> tuple[int, ...]:
    """Documents by falling score, those without any left out."""
    order = np.argsort(-scores, kind="stable")[:k]
    return tuple(int(d) for d in order if scores[d] > 0)
