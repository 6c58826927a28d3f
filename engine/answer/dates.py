"""Dates of an answer, held against what its messages tell.

Each line of the evidence begins with the day on which it was written, and a small model likes to answer with
that day also where the message goes on "yesterday". Which of the two is meant code can see.
"""

from collections.abc import Sequence
from datetime import date

from engine.answer.evidence import Evidence, Item, day_of
from engine.answer.phrases import language_of
from engine.when import absolute, anchors, spell
from engine.when_dates import Span, resolve
from engine.when_points import points_of


def with_absolute_dates(answer: str, evidence: Evidence) -> str:
    """The answer, a "tomorrow" that it copied from a message replaced by that message's date."""
    for item in evidence.items:
        day = day_of(item.turn)
        answer = absolute(answer, day, item.passage) if day else answer
    return answer


def told_date(answer: str, cited: Sequence[Item]) -> str:
    """The answer, but where it is no more than the day on which a cited message was written: the day it tells.

    "I had the accident yesterday", written on the 3rd, is about the 2nd. So is an answer with a date that no
    cited message has. Where a message tells no other day, several, or today, the answer stays.
    """
    said = _span(answer)
    if said is None or said.first != said.last:
        return answer
    written = {day_of(item.turn) for item in cited}
    told = {meaning: span for item in cited for meaning, span in _told(item)}
    wrong = said.first in written or not any(_has(item, said.first) for item in cited)
    if not wrong or said in told.values() or len(told) != 1:
        return answer
    return next(iter(told))


def in_words_of(question: str, answer: str) -> str:
    """The answer, but a day and nothing else as people write it in the language of the question.

    The evidence has its days in English, and a model may answer with numbers: "2024-10-18".
    """
    said, language = _span(answer), language_of(question)
    if said is None or said.first != said.last:
        return answer
    point = next(point for point in points_of(answer, date.max) if point.kind != "weekday")
    if language == "chinese":
        return answer if point.language == "zh" and point.kind != "span" else spell(said.first, "zh")
    return spell(said.first) if language == "english" and point.kind == "span" else answer


def _told(item: Item) -> list[tuple[str, Span]]:
    """What lies before a message and is told in it, by its meaning; nothing where it speaks of today too."""
    written = day_of(item.turn)
    if written is None or any(
        point.kind == "unit" and point.value == "day" and point.step == 0
        for point in points_of(item.passage, written)
    ):
        return []
    spans = [(meaning, _span(meaning)) for _, meaning in anchors(item.passage, written)]
    return [(meaning, span) for meaning, span in spans if span and span.last < written]


def _has(item: Item, day: date) -> bool:
    """Whether a message names a day."""
    spans = (resolve(point, day, "past") for point in points_of(item.rendered, day))
    return any(span == Span(day, day) for span in spans)


def _span(words: str) -> Span | None:
    """The days that words mean which are one absolute date and nothing else; None where they are not."""
    points = [point for point in points_of(words, date.max) if point.kind != "weekday"]
    if len(points) != 1:
        return None
    (point,) = points
    if point.kind not in ("span", "year") and point.year is None:
        return None
    rest = words[: point.start] + words[point.end :]
    return resolve(point, date.max, "past") if len(rest.strip(" .,").split()) <= 1 else None
