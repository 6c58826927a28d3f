"""Which number of a date is the day: decided once a file, from all its dates, never date by date.

Exports write dates in the style of the phone that made them and never say which style that is. One
date such as 03/04/2023 cannot tell; all the dates of a file nearly always can. `decide` is a pure
function, so that the same question has the same answer for every format with such dates.

The rules, the strongest first: dates that do not exist or lie after the export; names of media files
that carry their day; the order in which the dates follow each other; the language and the habits of
writing that go with it; and, when nothing speaks, day first, called a guess.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import partial
from itertools import pairwise
from typing import Literal

from importers.calendars import CALENDARS, Calendar

Order = Literal["dmy", "mdy", "ymd"]
ORDERS: tuple[Order, ...] = ("dmy", "mdy", "ymd")
EARLIEST = date(2009, 1, 1)
"""WhatsApp began in 2009; no message is older."""
LATEST = date(2099, 12, 31)
"""Where the day of the export is not known: years beyond belong to another calendar."""

_POSITIONS: Mapping[Order, tuple[int, int, int]] = {"dmy": (2, 1, 0), "mdy": (2, 0, 1), "ymd": (0, 1, 2)}
_ORDINALS = ("first", "second", "third")
_DAY_FIRST_SEPARATORS = frozenset({".", ". "})
_YEAR_FIRST_SEPARATORS = frozenset({"年", "년"})
_MONTH_FIRST_LANGUAGES = frozenset({"en", "fil"})
_YEAR_FIRST_LANGUAGES = frozenset({"ja", "ko", "zh", "hu", "lt", "fa", "sv", "eu", "mn"})
_DAY_DIGITS = 2
CLEAR = 3.0
"""Nats of evidence from which the order of the dates decides before habits of writing do."""
SURE = 30.0
"""Nats of evidence from which that decision is no longer called a guess."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The three numbers of one date as written, their widths in digits and what stands between them."""

    numbers: tuple[int, int, int]
    widths: tuple[int, int, int]
    separator: str


@dataclass(frozen=True, slots=True)
class Hints:
    """What else the file tells. Everything may be unknown."""

    latest: date | None = None  # the day of the export; no message is later
    earliest: date = EARLIEST
    media: Sequence[tuple[Parts, date]] = ()  # a written date beside the day in a media file's name
    language: str | None = None  # of the app's own words, as an ISO 639 code
    upper_case_clock: bool = False  # "AM" and "PM" in capitals, as the United States write them
    twelve_hours: bool = False
    usual: Order = "dmy"  # what is taken where nothing tells


@dataclass(frozen=True, slots=True)
class Decision:
    """The order for all dates of a file, why, and which other orders its dates would allow."""

    order: Order
    reason: str
    is_guess: bool = False
    other_orders: tuple[Order, ...] = ()
    calendar: str = "gregorian"
    fits: bool = True  # whether every date of the file exists in this order


@dataclass(frozen=True, slots=True)
class _Reading:
    """All dates of a file read in one order."""

    order: Order
    calendar: Calendar
    days: list[date | None]
    impossible: int


def day_of(parts: Parts, order: Order, calendar: str = "gregorian") -> date | None:
    """The day that `parts` name in this order, None where there is no such day."""
    return _day(parts, order, CALENDARS[calendar])


def _day(parts: Parts, order: Order, calendar: Calendar) -> date | None:
    y, m, d = _POSITIONS[order]
    if max(parts.widths[m], parts.widths[d]) > 2:
        return None
    return calendar(parts.numbers[y], parts.widths[y], parts.numbers[m], parts.numbers[d])


def decide(dates: Sequence[Parts], hints: Hints) -> Decision:
    """Choose one order for all `dates`, which come in the file's order (repeats may be left out)."""
    if not dates:
        return Decision("dmy", "The file has no dates.", is_guess=False)
    readings = _possible_readings(dates, hints)
    if not readings:
        return _least_impossible(dates, hints)
    calendar = readings[0].calendar.name
    rivals = _rivals(readings, dates, hints)
    if len(rivals) == 1:
        reason = _why_only(rivals[0].order, dates, hints)
        others = tuple(r.order for r in readings if r is not rivals[0])
        return Decision(rivals[0].order, reason, False, others, calendar)
    rules = (_by_media, _by_sequence, _by_habit, partial(_by_sequence, clear=0.1), _by_default)
    order, reason, is_guess = next(found for rule in rules if (found := rule(rivals, dates, hints)))
    return Decision(order, reason, is_guess, tuple(r.order for r in readings if r.order != order), calendar)


def _rivals(readings: list[_Reading], dates: Sequence[Parts], hints: Hints) -> list[_Reading]:
    """The readings worth weighing: two digits of a year in front are rare, and need a reason."""
    short = all(p.widths[0] <= _DAY_DIGITS for p in dates)
    if not short or len(readings) == 1 or hints.language in _YEAR_FIRST_LANGUAGES:
        return readings
    year_first = next((r for r in readings if r.order == "ymd"), None)
    others = [r for r in readings if r.order != "ymd"]
    if year_first is None or min(_way(r)[0] for r in others) > _way(year_first)[0]:
        return readings
    return others


def forced(order: Order, dates: Sequence[Parts], hints: Hints) -> Decision:
    """The order that the person chose, with the calendar that makes the fewest impossible dates."""
    best = min((_read(dates, order, c, hints) for c in CALENDARS.values()), key=lambda r: r.impossible)
    return Decision(order, "You chose this order.", calendar=best.calendar.name)


def _read(dates: Sequence[Parts], order: Order, calendar: Calendar, hints: Hints) -> _Reading:
    days = [_day(parts, order, calendar) for parts in dates]
    last = hints.latest + timedelta(days=1) if hints.latest else LATEST
    wrong = sum(day is None or not hints.earliest <= day <= last for day in days)
    return _Reading(order, calendar, days, wrong)


def _possible_readings(dates: Sequence[Parts], hints: Hints) -> list[_Reading]:
    """The orders without an impossible date, in the first calendar that has any.

    A clock that stood wrong when the file was copied must not rule out everything, so the day of the
    export is dropped as a limit where no order keeps it.
    """
    orders = _orders_by_form(dates)
    without_limit = Hints(earliest=hints.earliest)
    for limits, calendars in (
        (hints, CALENDARS.values()),
        (without_limit, [CALENDARS["gregorian"]]),
    ):
        for calendar in calendars:
            readings = [_read(dates, order, calendar, limits) for order in orders]
            if possible := [r for r in readings if not r.impossible]:
                return possible
    return []


def _orders_by_form(dates: Iterable[Parts]) -> list[Order]:
    """The orders that separators and the length of the year leave open."""
    first_long = last_long = False
    separators: set[str] = set()
    for parts in dates:
        first_long |= parts.widths[0] > _DAY_DIGITS
        last_long |= parts.widths[2] > _DAY_DIGITS
        separators.add(parts.separator)
    if (first_long and not last_long) or separators & _YEAR_FIRST_SEPARATORS:
        return ["ymd"]
    orders: list[Order] = ["dmy"] if separators & _DAY_FIRST_SEPARATORS else ["dmy", "mdy"]
    return orders if last_long or "." in separators else [*orders, "ymd"]


def _least_impossible(dates: Sequence[Parts], hints: Hints) -> Decision:
    calendar = CALENDARS["gregorian"]
    readings = [_read(dates, order, calendar, Hints(earliest=hints.earliest)) for order in ORDERS]
    best, second, _ = sorted(readings, key=lambda r: r.impossible)
    others = tuple(r.order for r in readings if r is not best and r.impossible < len(dates))
    reason = f"No order fits every date of the file; this one fails for the fewest ({best.impossible:,})."
    return Decision(best.order, reason, second.impossible < 2 * best.impossible, others, fits=False)


def _why_only(order: Order, dates: Sequence[Parts], hints: Hints) -> str:
    """The sentence that says what ruled out the other orders."""
    if order == "ymd":
        long_year = any(p.widths[0] > 2 for p in dates)
        return "The year comes first." if long_year else "Only with the year first are all dates possible."
    day, other = (0, 1) if order == "dmy" else (1, 0)
    if any(p.numbers[day] > 12 for p in dates):
        return f"The {_ORDINALS[day]} number goes above 12, so it is the day."
    if any(p.separator in _DAY_FIRST_SEPARATORS for p in dates):
        return "Dates with dots are written day first everywhere."
    if hints.latest:
        return f"With the {_ORDINALS[other]} number as the day some messages would be later than the export."
    return "Every other order makes dates that do not exist."


_Found = tuple[Order, str, bool] | None


def _by_media(readings: list[_Reading], dates: Sequence[Parts], hints: Hints) -> _Found:
    """Media names carry the day of sending: the order under which they agree with the dates wins."""
    agreement = {
        r.order: sum(_near(_day(parts, r.order, r.calendar), day) for parts, day in hints.media) for r in readings
    }
    best = max(agreement, key=lambda order: agreement[order])
    if agreement[best] and sorted(agreement.values())[-2] < agreement[best]:
        return best, "The names of media files carry their dates, and they agree with this order.", False
    return None


def _near(written: date | None, named: date) -> bool:
    return written is not None and abs((written - named).days) <= 1


def _by_sequence(
    readings: list[_Reading],
    dates: Sequence[Parts],
    hints: Hints,
    clear: float = CLEAR,
) -> _Found:
    """Messages follow each other: the order under which the file jumps about less is the likelier.

    Waiting times between days are taken as exponential, each order with its own mean, so n steps are
    n·log(ratio of the mean steps) nats in favour of the shorter way. Steps back count like steps
    forward: exports are only nearly sorted, and one step back must not decide.
    """
    ways = sorted((_way(r), ORDERS.index(r.order), r.order) for r in readings)
    (shortest, steps), (next_best, _) = ways[0][0], ways[1][0]
    evidence = steps * math.log((next_best + 1) / (shortest + 1))
    if evidence < clear:
        return None
    reason = (
        f"In this order the messages follow each other over {shortest:,} days of change; "
        f"in the other order it would be {next_best:,}."
    )
    return ways[0][2], reason, evidence < SURE


def _way(reading: _Reading) -> tuple[int, int]:
    """All steps between neighbouring dates added up, in days, and how many there are."""
    days = [day for day in reading.days if day]
    steps = [abs((b - a).days) for a, b in pairwise(days) if a != b]
    return sum(steps), len(steps)


def _by_default(readings: list[_Reading], dates: Sequence[Parts], hints: Hints) -> _Found:
    """What is usual, where nothing else tells."""
    orders = [r.order for r in readings]
    chosen = hints.usual if hints.usual in orders else orders[0]
    return chosen, "Nothing in the file tells which number is the day, so the usual order was taken.", True


def _by_habit(readings: list[_Reading], dates: Sequence[Parts], hints: Hints) -> _Found:
    """What the language and the way of writing make likely; always a guess."""
    orders = [r.order for r in readings]
    for test, order, reason in _HABITS:
        if order in orders and test(dates, hints):
            return order, reason, True
    return None


def _padded(dates: Sequence[Parts]) -> bool:
    """Whether single-digit days and months are written with a zero."""
    return any(n < 10 and w == 2 for p in dates for n, w in zip(p.numbers[:2], p.widths[:2], strict=True))


def _american(dates: Sequence[Parts], hints: Hints) -> bool:
    english = hints.language is None or hints.language in _MONTH_FIRST_LANGUAGES
    slashes = all(p.separator == "/" for p in dates)
    return english and slashes and hints.upper_case_clock and not _padded(dates)


def _other_language(_dates: Sequence[Parts], hints: Hints) -> bool:
    return hints.language is not None and hints.language not in _MONTH_FIRST_LANGUAGES


def _year_first(_dates: Sequence[Parts], hints: Hints) -> bool:
    return hints.language in _YEAR_FIRST_LANGUAGES


def _padded_day_clock(dates: Sequence[Parts], hints: Hints) -> bool:
    return _padded(dates) and not hints.twelve_hours


_HABITS: tuple[tuple[Callable[[Sequence[Parts], Hints], bool], Order, str], ...] = (
    (_year_first, "ymd", "The app's language writes the year first."),
    (_other_language, "dmy", "The app's language writes the day first."),
    (_american, "mdy", "English with AM and PM and no leading zeros is written month first."),
    (_padded_day_clock, "dmy", "Leading zeros and a 24-hour clock go with the day first."),
)
