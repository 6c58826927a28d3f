"""Dates in people's words: the range that a question means, and the day that a message means.

`question_range` reads "last month" or "before Christmas" relative to now, leaning to the past, because
questions about a chat are about what was. `anchored` adds to a message's own words the dates that they
stood for when it was written: "yesterday [= 7 May 2023]". Both are pure; the vocabulary is in
`engine.when_words`, the finding in `engine.when_points`, the arithmetic in `engine.when_dates`. What is
ambiguous is left alone: no range and no anchor is better than a wrong one.
"""

import re
from dataclasses import dataclass, replace
from datetime import date, timedelta

from engine.when_dates import DAY, Lean, Point, Span, resolve
from engine.when_points import Compiled, languages, points_of

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_FUTURE = re.compile(r"\b(?:will|going to|gonna|shall|let['’]s|see you|want to)\b|['’]ll\b", re.IGNORECASE)
_PAST = re.compile(
    r"\b(?:was|were|went|had|did|got|saw|came|met|took|made)\b"
    # but not "is moved", "are collected", "get married": those hold now or are to come
    r"|\b(?<!\bis )(?<!\bare )(?<!\bbe )(?<!\bbeen )(?<!\bget )(?<!['’]s )\w{2,}ed\b",
    re.IGNORECASE,
)
# "I booked it for the 3rd of June"
_AHEAD = re.compile(r"\b(?:for|to|until|till|by)\s+(?:the\s+)?$", re.IGNORECASE)
CLOSE = timedelta(days=60)  # a day without a year that lies no further off is the one that is meant


@dataclass(frozen=True, slots=True)
class DateRange:
    """Inclusive days that a question means; an open end is None. `text` is what was read as the range."""

    date_from: date | None
    date_to: date | None
    text: str


_MONTH_NAME = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DATE_AFTER = re.compile(  # "Friday the 5th", "Friday 5 May", "Friday, May 5", but not "Friday, 12 people"
    rf"\s*(?:the\s+)?(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b(?!\s*(?:[ap]\.?m|[:.]\d|o.clock|h\b|uhr))"
    rf"|,\s*(?:the\s+)?(?:0?[1-9]|[12]\d|3[01])(?:(?:st|nd|rd|th)\b|\W*$|[.;!?](?!\d)|\s+(?:of\s+)?{_MONTH_NAME})"
    rf"|,?\s*{_MONTH_NAME}\s+\d",
    re.IGNORECASE,
)
_BARE_MAY = re.compile(
    r"(?:may|march) \d+(?!st|nd|rd|th)\b\W*[a-z]", re.IGNORECASE
)  # "I may 2 …", "march 10 miles"
_DATE_BEFORE = re.compile(r"\d(?:st|nd|rd|th)?(?:\s+of)?(?:\s+[a-z]{3,9})?,?\s*\(?$", re.IGNORECASE)


def question_range(question: str, now: date) -> DateRange | None:
    """The days that a question limits itself to, None where it does not or where they lie in the future."""
    points = points_of(question, now)
    for language in languages(question):
        found = _compound(question, points, language, now)
        if found:
            return found
    spans = [(point, resolve(point, now, "past")) for point in points if point.strong]
    known = [(point, span) for point, span in spans if span and span.first <= now]
    if not known:
        return None
    text = question[known[0][0].start : known[-1][0].end]
    return DateRange(min(span.first for _, span in known), max(span.last for _, span in known), text)


def anchored(text: str, written: date, lean: Lean | None = None) -> str:
    """The text with the date after each relative expression, resolved from the day when it was written."""
    pieces, done = [], 0
    for end, meaning in anchors(text, written, lean):
        pieces += [text[done:end], f" [= {meaning}]"]
        done = end
    return "".join(pieces) + text[done:]


def absolute(text: str, written: date, source: str) -> str:
    """The text with each relative expression that the source has too replaced by its date."""
    pieces, done = [], 0
    known = source.lower()
    for point in points_of(text, written):
        if point.kind == "day":
            continue  # "the 3rd of June" reads as well without its year
        today = point.kind == "unit" and point.value == "day" and point.step == 0
        meaning = spell(written, point.language) if today else _meaning(point, text, written)
        if meaning and text[point.start : point.end].lower() in known:
            pieces += [text[done : point.start], meaning]
            done = point.end
    return "".join(pieces) + text[done:]


def anchors(text: str, written: date, lean: Lean | None = None) -> list[tuple[int, str]]:
    """Where each relative expression of a text ends, and what it means in absolute words.

    `lean` says which year a day without one belongs to; messages speak of the past and of plans, so of theirs
    the nearest is taken.
    """
    found = []
    for point in points_of(text, written):
        meaning = _meaning(point, text, written, lean)
        if meaning:
            found.append((point.end, meaning))
    return found


def spell(day: date, language: str = "en") -> str:
    """A day in words: 7 May 2023, 2023年5月7日."""
    if language == "zh":
        return f"{day.year}年{day.month}月{day.day}日"
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _compound(text: str, points: list[Point], compiled: Compiled, now: date) -> DateRange | None:
    """A range opened or closed by since, before, after, until, or between two points."""
    for name, head, middle, tail in compiled.connectors:
        for place, point in enumerate(points):
            opened = head.search(text[: point.start])
            if not opened:
                continue
            other = points[place + 1] if name == "between" and place + 1 < len(points) else None
            if name == "between" and not (other and middle.fullmatch(text[point.end : other.start])):
                continue
            end = other or point
            closed = tail.match(text[end.end :])
            found = _bounded(name, point, other, now) if closed else None
            if found and closed and (found[0] is None or found[0] <= now):
                return DateRange(*found, text[opened.start() : end.end + closed.end()].strip())
    return None


def _bounded(name: str, point: Point, other: Point | None, now: date) -> tuple[date | None, date | None] | None:
    """The open or closed range of a connector."""
    if other and other.year is not None and point.year is None:
        point = replace(point, year=other.year)
    span = resolve(point, now, "past")
    if span is None:
        return None
    if name == "since":
        return span.first, None
    if name == "after":
        return span.last + DAY, None
    if name == "before":
        return None, span.first - DAY
    if name == "until":
        return None, span.last
    later = resolve(other, span.first if other.year is None else now, "future") if other else None
    return (span.first, later.last) if later and later.last >= span.first else None


def _meaning(point: Point, text: str, written: date, lean: Lean | None = None) -> str:
    """A relative expression of a message in absolute words, "" where it is absolute, vague or open to doubt."""
    match point.kind:
        case "unit" if point.step:
            return _unit_meaning(point, written)
        case "counted":
            span = resolve(point, written, "past")
            return _counted_meaning(point, span) if span else ""
        case "vague" if point.language == "en":
            return _vague_meaning(text[point.start : point.end], str(point.value), written)
        case "weekday":
            return _weekday_meaning(point, text, written)
        case "day" if point.year is None and not _BARE_MAY.match(text, point.start):
            return _day_without_year(point, text, written, lean)
        case "month" | "season" | "holiday" if point.step and point.year is None:
            span = resolve(point, written, "past")
            return _periodic_meaning(point, span) if span else ""
    return ""


def _day_without_year(point: Point, text: str, written: date, lean: Lean | None) -> str:
    """Which year's day is meant: the one on its weekday, the one close by, as the tense says, or the next."""
    leans: tuple[Lean, ...] = ("past", "future")
    days = {each: span.first for each in leans if (span := resolve(point, written, each))}
    if lean is None:
        lean = next((each for each, day in days.items() if _on_its_weekday(day, point, text)), None)
    if lean is None:
        close = {abs(day - written): each for each, day in days.items() if abs(day - written) <= CLOSE}
        lean = close[min(close)] if close else None
    if lean is None and not _AHEAD.search(text, 0, point.start):
        lean = _lean(_sentence(text, point))
    day = days.get(lean or "future")
    return spell(day, point.language) if day else ""


def _on_its_weekday(day: date, point: Point, text: str) -> bool:
    """Whether the weekday of a day stands beside the point."""
    beside = text[max(0, point.start - 14) : point.start] + " " + text[point.end : point.end + 8]
    names = (compiled.language.weekdays[day.weekday()] for compiled in languages(text))
    return any(re.search(name, beside, re.IGNORECASE) for name in names)


def _lean(sentence: str) -> Lean | None:
    """Whether an English sentence speaks of what was or of what is to come; None where it says neither or both."""
    past, future = bool(_PAST.search(sentence)), bool(_FUTURE.search(sentence))
    return None if past == future else "future" if future else "past"


def _unit_meaning(point: Point, written: date) -> str:
    span = resolve(point, written, "past")
    if span is None or point.step is None:
        return ""
    match point.value:
        case "day":
            return spell(span.first, point.language)
        case "month":
            return _month_words(span.first, point.language)
        case "year":
            return str(span.first.year)
        case _:
            side = "before" if point.step < 0 else "after"
            return f"the {point.value} {side} {spell(written)}" if abs(point.step) == 1 else ""


def _counted_meaning(point: Point, span: Span) -> str:
    match point.value:
        case "day":
            return spell(span.first, point.language)
        case "month":
            return _month_words(span.first, point.language)
        case "year":
            return str(span.first.year)
        case "week":
            return "about " + spell(span.first + 3 * DAY)
    return ""


def _vague_meaning(expression: str, unit: str, written: date) -> str:
    """A few years ago: a few years before 2023."""
    counted = re.sub(r" (?:ago|back)$", "", expression, flags=re.IGNORECASE)
    anchor = {"year": str(written.year), "month": _month_words(written, "en")}.get(unit, spell(written))
    return f"{counted.lower()} before {anchor}"


def _weekday_meaning(point: Point, text: str, written: date) -> str:
    """A weekday with last or next, or whose sentence says whether it is past or to come.

    Nothing where a date stands beside it: “Saturday 21 September” says itself which Saturday it is.
    """
    if _DATE_AFTER.match(text, point.end) or _DATE_BEFORE.search(text, 0, point.start):
        return ""
    lean: Lean = "past"
    if point.step is None:
        said = _lean(_sentence(text, point))
        if point.language != "en" or not point.strong or said is None:
            return ""
        lean = said
    span = resolve(point, written, lean)
    if span is None:
        return ""
    if point.step == 1 and point.language != "zh" and span.first.isocalendar()[:2] == written.isocalendar()[:2]:
        return ""  # "next Friday" said on a Monday means this week's to some and the next week's to others
    if point.language == "zh":
        return spell(span.first, "zh")
    return f"{WEEKDAYS[span.first.weekday()]} {spell(span.first)}"


def _periodic_meaning(point: Point, span: Span) -> str:
    if point.kind == "month":
        return _month_words(span.first, point.language)
    if point.kind == "holiday":
        return spell(span.first, point.language)
    return f"{point.value} {span.first.year}"


def _month_words(day: date, language: str) -> str:
    return f"{day.year}年{day.month}月" if language == "zh" else f"{MONTHS[day.month - 1]} {day.year}"


def _sentence(text: str, point: Point) -> str:
    """The sentence in which a point stands."""
    start = max(text.rfind(mark, 0, point.start) for mark in ".!?\n") + 1
    ends = [place for mark in ".!?\n" if (place := text.find(mark, point.end)) >= 0]
    return text[start : min(ends, default=len(text))]
