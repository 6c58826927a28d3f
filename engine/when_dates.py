"""Calendar arithmetic for date expressions: what "last March" or "the weekend" is, seen from a day.

A `Point` is an expression that was found in a text and not yet resolved; `resolve` gives the inclusive
days that it means. Which of several years is meant depends on the lean: questions look back.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

Lean = Literal["past", "future"]
DAY = timedelta(days=1)
SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}  # of the northern half
FIXED_HOLIDAYS = {
    "christmas eve": (12, 24, 1),
    "christmas": (12, 25, 2),
    "new year's eve": (12, 31, 1),
    "new year": (1, 1, 1),
    "halloween": (10, 31, 1),
    "valentine": (2, 14, 1),
}  # month, day, number of days


@dataclass(frozen=True, slots=True)
class Span:
    """Inclusive days that an expression means."""

    first: date
    last: date


@dataclass(frozen=True, slots=True)
class Point:
    """A date expression in a text, not yet resolved. `step`: -1 last, 0 this, 1 next, None not said."""

    start: int
    end: int
    kind: str  # span, year, month, season, holiday, weekday, day (of a month), unit, rolling, vague
    value: str | int | tuple[int, int] | Span = 0
    step: int | None = None
    strong: bool = True  # means a date even when no "since" or "before" stands with it
    year: int | None = None
    language: str = "en"


def resolve(point: Point, now: date, lean: Lean) -> Span | None:
    """The days that an expression means, seen from `now`; None where they leave the calendar."""
    try:
        return _resolve(point, now, lean)
    except (ValueError, OverflowError):
        return None


def _resolve(point: Point, now: date, lean: Lean) -> Span | None:
    match point.kind, point.value:
        case "span", Span() as span:
            return span
        case "year", int(year):
            return Span(date(year, 1, 1), date(year, 12, 31))
        case "unit", str(unit):
            return shifted(now, unit, point.step or 0)
        case "counted", str(unit):
            return _counted_span(now, unit, point.step or 0)
        case "rolling", str(unit):
            return Span(_same_day(now, unit, point.step or 0), now)
        case "weekday", int(weekday):
            return _weekday(point, weekday, now, lean)
        case _:
            return _periodic_span(point, now, lean)


def shifted(now: date, unit: str, step: int) -> Span:
    """The calendar day, week, weekend, month or year that lies `step` of them away from the present one."""
    if unit == "day":
        return Span(now + step * DAY, now + step * DAY)
    if unit in ("week", "weekend"):
        monday = now + (7 * step - now.weekday()) * DAY
        return Span(monday + (5 * DAY if unit == "weekend" else 0 * DAY), monday + 6 * DAY)
    if unit == "month":
        return _month(now.year, now.month + step)
    return Span(date(now.year + step, 1, 1), date(now.year + step, 12, 31))


def _counted_span(now: date, unit: str, step: int) -> Span:
    """So many units away: a day exactly, a week give or take three days, else the calendar month or year."""
    if unit == "week":
        middle = now + 7 * step * DAY
        return Span(middle - 3 * DAY, middle + 3 * DAY)
    return shifted(now, unit, step)


def _same_day(now: date, unit: str, step: int) -> date:
    """The day so many units away, at the month's end where it has no such day."""
    if unit in ("month", "year"):
        month = shifted(now, unit, step) if unit == "month" else _month(now.year + step, now.month)
        return min(month.last, month.first + (now.day - 1) * DAY)
    return now + step * (7 if unit in ("week", "weekend") else 1) * DAY


def _month(year: int, month: int) -> Span:
    """A calendar month; months beyond the year's ends run on into the next."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    following = date(year + month // 12, month % 12 + 1, 1)
    return Span(date(year, month, 1), following - DAY)


def _weekday(point: Point, weekday: int, now: date, lean: Lean) -> Span | None:
    """The last such day before now, the next after it, or the one of this week."""
    if point.step == 0:
        day = now + (weekday - now.weekday()) * DAY
    elif point.step == -1 or (point.step is None and lean == "past"):
        day = now - ((now.weekday() - weekday - 1) % 7 + 1) * DAY
    else:
        day = now + ((weekday - now.weekday() - 1) % 7 + 1) * DAY
        if point.step == 1 and point.language == "zh":
            day = now + (7 + weekday - now.weekday()) * DAY
    if point.step == -1 and point.language == "zh":
        day = now + (weekday - now.weekday() - 7) * DAY
    return Span(day, day)


def _periodic_span(point: Point, now: date, lean: Lean) -> Span | None:
    """What comes round once a year: a month, season, holiday or day of a month."""
    if point.year is not None:
        return _occurrence(point, point.year)
    around = [_occurrence(point, year) for year in range(now.year - 5, now.year + 6)]
    spans = [span for span in around if span]
    if point.step == 0:
        same = [span for span in spans if span.first.year == now.year]
        return next((span for span in spans if span.first <= now <= span.last), same[0] if same else None)
    if point.step == 1 or (point.step is None and lean == "future"):
        return next((span for span in spans if span.first > now), None)
    if point.step == -1:
        return next((span for span in reversed(spans) if span.last < now), None)
    return next((span for span in reversed(spans) if span.first <= now), None)


def _occurrence(point: Point, year: int) -> Span | None:
    """The span of a periodic point in one year, None where it does not exist (29 February)."""
    match point.kind, point.value:
        case "month", int(month):
            return _month(year, month)
        case "day", (int(month), int(day)):
            whole = _month(year, month)
            found = whole.first + (day - 1) * DAY
            return Span(found, found) if found <= whole.last else None
        case "season", str(season):
            first = SEASON_STARTS[season]
            return Span(_month(year, first).first, _month(year, first + 2).last)
        case _, str(holiday):
            return _holiday(holiday, year)
    return None


def _holiday(name: str, year: int) -> Span:
    if name == "easter":
        sunday = _easter(year)
        return Span(sunday - 2 * DAY, sunday + DAY)
    if name == "thanksgiving":
        first = date(year, 11, 1)
        day = first + ((3 - first.weekday()) % 7 + 21) * DAY
        return Span(day, day)
    month, day_of_month, days = FIXED_HOLIDAYS[name]
    start = date(year, month, day_of_month)
    return Span(start, start + (days - 1) * DAY)


def _easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar (the anonymous algorithm of 1876, Meeus/Jones/Butcher)."""
    a, b, c = year % 19, year // 100, year % 100
    d, e, g = b // 4, b % 4, (8 * b + 13) // 25
    h = (19 * a + b - d - g + 15) % 30
    i, k = c // 4, c % 4
    weekday = (32 + 2 * e + 2 * i - h - k) % 7
    m = (a + 11 * h + 22 * weekday) // 451
    month, day = divmod(h + weekday - 7 * m + 114, 31)
    return date(year, month, day + 1)
