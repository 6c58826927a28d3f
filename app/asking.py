"""One question on its way: what it is doing, what was found, the answer as it is written, how it ended.

Collects the engine's events and tells them on at a pace that a window can draw.
"""

import re
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QObject, QTimer, Signal

from app import query, words
from app.data import Answer, Json, Place, Remembered, Step
from app.engine_client import Call, Engine
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.messages import ErrorWords
from engine.types import Filters

DRAW_EVERY = 40  # ms between two drawings of a growing answer
NO_FILTERS = Filters()
State = Literal["working", "done", "failed", "stopped"]


@dataclass(frozen=True, slots=True)
class Question:
    """What was asked, and how."""

    text: str
    filters: Filters = NO_FILTERS
    mode: str = "auto"
    model: str = ""
    previous: tuple[tuple[str, str], ...] = field(default=())  # earlier questions and answers, oldest first


class Asking(QObject):
    """Asks the engine. `changed` says that something is new to be drawn, `ended` that nothing more comes."""

    changed = Signal()
    ended = Signal()

    def __init__(self, engine: Engine, question: Question, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.question = question
        self.state: State = "working"
        self.doing = translate("Asking", "Searching your chats…")
        self.part: float | None = None  # of what is read, 0 to 1; None where it is not known
        self.written = ""
        self.understood = ""  # what a follow-up was taken for
        self.evidence: tuple[Place, ...] = ()
        self.trace: tuple[Step, ...] = ()
        self.answer: Answer | None = None
        self.failure: ErrorWords | None = None
        self._engine = engine
        self._call: Call | None = None
        self._tell = QTimer(self, singleShot=True, interval=DRAW_EVERY)
        self._tell.timeout.connect(self.changed.emit)

    @classmethod
    def recalled(cls, engine: Engine, asked: Remembered, parent: QObject | None = None) -> "Asking":
        """A question that was answered before; there is nothing to start."""
        made = cls(engine, Question(asked.question, mode=asked.answer.mode), parent)
        made._take(asked.answer)
        made.state = "done"
        return made

    @property
    def places(self) -> dict[int, Place]:
        """All places that are known of this question, by turn."""
        found = [*self.evidence]
        if self.answer:
            found += [*self.answer.nearest, *(each.place for each in self.answer.citations)]
        return {place.turn: place for place in found}

    def start(self) -> None:
        """Send the question."""
        asked = self.question
        params: Json = {"question": asked.text, "mode": asked.mode, "model": asked.model or None, "now": None}
        if asked.previous:
            params["previous"] = [{"question": one, "answer": other} for one, other in asked.previous]
        self._call = self._engine.call(
            "ask",
            params | query.params(asked.filters),
            result=self._finished,
            error=self._failed,
            event=self._event,
        )

    def stop(self) -> None:
        """End it at once, keeping what is there."""
        if self.state == "working" and self._call:
            self._call.cancel()
            self._end("stopped")

    def _event(self, name: str, data: Json) -> None:
        if name == "text":
            self.written += str(data.get("piece") or "")
            self.part = None
            self.doing = translate("Asking", "Writing the answer…")
        elif name == "evidence":
            self.evidence = _with_new(self.evidence, data.get("hits") or [])
        elif name == "understood":
            self.understood = str(data.get("question") or "")
        elif name == "trace":
            self.trace = (*self.trace, Step.read(data))
        else:
            self.part = reading_part(name, data)
            self.doing = doing_words(name, data) or self.doing
        if not self._tell.isActive():
            self._tell.start()

    def _finished(self, data: Json) -> None:
        self._take(Answer.read(data))
        self._end("done")

    def _take(self, answer: Answer) -> None:
        self.answer = answer
        self.trace = answer.trace or self.trace

    def _failed(self, failure: ErrorWords) -> None:
        self.failure = failure
        self._end("failed")

    def _end(self, state: State) -> None:
        self._tell.stop()
        self.state = state
        self.changed.emit()
        self.ended.emit()


def _with_new(known: tuple[Place, ...], hits: list[Json]) -> tuple[Place, ...]:
    """The places with those that are new, in the order in which they were found."""
    turns = {place.turn for place in known}
    return known + tuple(place for place in map(Place.read, hits) if place.turn not in turns)


def reading_part(event: str, data: Json) -> float | None:
    """How much of what was found the model has read."""
    if event != "reading" or not data.get("total"):
        return None
    return min(1.0, int(data["done"]) / int(data["total"]))


def doing_words(event: str, data: Json) -> str:
    """What the engine is doing, in words; empty for events that say nothing of it."""
    part = reading_part(event, data)
    if part is not None:
        return translate("Asking", "Reading what was found… {part} %").format(part=round(100 * part))
    if event == "step":
        return step_words(str(data.get("text") or ""))
    return ""


STEPS = (
    QT_TRANSLATE_NOOP("Asking", "Looking for messages"),
    QT_TRANSLATE_NOOP("Asking", "Reading the messages"),
)
"""What the engine says that it is doing, beside the two sentences below that hold a word of their own."""
_SEARCHING = re.compile(r"Searching for (.+)")
_WAITING = re.compile(r"Waiting until “(.+)” is done")


def step_words(text: str) -> str:
    """The engine's sentence about its present step, in the language of the window."""
    if text in STEPS:
        return translate("Asking", text) + "…"
    if match := _SEARCHING.fullmatch(text):
        return translate("Asking", "Searching for {words}…").format(words=match[1])
    if _WAITING.fullmatch(text):
        return translate("Asking", "Waiting until the task before is done…")
    return text


def coverage_line(asking: Asking, total_chats: int) -> str:
    """The folded line of the search trace, in whatever state the question is."""
    if asking.answer:
        return words.coverage(asking.answer.searched, total_chats)
    count = sum(step.action == "search_chatrecord" for step in asking.trace)
    return words.searches(count) if count else ""
