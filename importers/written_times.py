"""Times as tables and text exports write them, whatever the locale: read after a look at all of a file's dates.

ISO 8601, dates with the month's English name and counts since 1970 say what they mean. A date of three numbers
does not; which of them is the day is decided once for the file (see `importers.date_order`).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone

from importers.base import DateOrder, Facts
from importers.date_order import Decision, Hints, Parts, day_of, decide, forced
from importers.times import CLOCK, MONTHS, at, clock_time, day, from_epoch, from_iso

LOOK = 2_000  # values; where none of so many is a date of three numbers, the rest are taken to be like them
_NUMBERS = re.compile(rf"(\d{{1,4}})([./-])\s?(\d{{1,2}})\2\s?(\d{{1,4}})\.?,?\s*({CLOCK})?")
_NAMED = re.compile(
    rf"(?:[A-Za-z]{{3,9}},?\s+)?(?:(\d{{1,2}})[-\s.]+([A-Za-z]{{3,9}})|([A-Za-z]{{3,9}})\.?\s+(\d{{1,2}}))"
    rf"[-\s,.]+(\d{{2,4}})(?:,|\s+at)?\s*({CLOCK})?"
)
_ZONE = re.compile(r"\s*(?:(?:UTC|GMT|Z)\s*([+-]\d{1,2}:?\d{2})?|([+-]\d{2}:?\d{2}))$")
_DOTTED = re.compile(r"(?<=\s)(\d{1,2})\.(\d{2})$")  # "25.10.2023 13.05", as Danes and Finns write
_COUNT = re.compile(r"-?\d{9,19}(?:\.\d+)?")
_SIZES = ((10**11, 1), (10**14, 10**3), (10**17, 10**6), (10**20, 10**9))


@dataclass(frozen=True, slots=True)
class WrittenTimes:
    """How the times of one file are to be read."""

    decision: Decision | None = None
    naive: bool = False  # whether times without an offset were seen

    def read(self, value: str) -> datetime | None:
        """The time of a value, None where it is none."""
        text = value.strip()
        if moment := from_count(text) or from_iso(text):
            return moment
        text, zone = _without_zone(text)
        moment = _named(text) or self._numbers(text) or from_iso(text)
        return moment.replace(tzinfo=zone) if moment and zone else moment

    def _numbers(self, text: str) -> datetime | None:
        found = _parts(text)
        if found is None:
            return None
        order, calendar = (self.decision.order, self.decision.calendar) if self.decision else ("dmy", "gregorian")
        return _moment(day_of(found[0], order, calendar), found[1])

    def facts(self) -> Facts:
        """What was decided, as the importer's first item."""
        if self.decision is None:
            return Facts(naive_times=self.naive)
        d = self.decision
        return Facts(d.order, d.reason, d.is_guess, tuple(d.other_orders), self.naive)


def survey(values: Iterable[str], order: DateOrder, latest: datetime | None) -> WrittenTimes:
    """Decide from a file's times, in its order; `latest` is when the file was written."""
    dates: list[Parts] = []
    capitals = twelve = naive = False
    for number, value in enumerate(values):
        text = value.strip()
        if from_count(text) is None:
            found = _parts(_without_zone(text)[0])
            if found and from_iso(text) is None:
                if not dates or dates[-1] != found[0]:
                    dates.append(found[0])
                capitals |= "AM" in found[1] or "PM" in found[1]
                twelve |= bool(re.search(r"[apAP]\.?\s?[mM]", found[1]))
            naive = naive or _is_naive(text)
        if number > LOOK and not dates:
            break
    if not dates:
        return WrittenTimes(None, naive)
    hints = Hints(
        latest=latest.date() if latest else None,
        earliest=date(1990, 1, 1),
        upper_case_clock=capitals,
        twelve_hours=twelve,
    )
    return WrittenTimes(decide(dates, hints) if order == "auto" else forced(order, dates, hints), naive)


def from_count(text: str) -> datetime | None:
    """Seconds, milli-, micro- or nanoseconds since 1970, told apart by their size."""
    if not _COUNT.fullmatch(text):
        return None
    size = abs(float(text))
    return next((from_epoch(text, per_second) for limit, per_second in _SIZES if size < limit), None)


def _is_naive(text: str) -> bool:
    moment = from_iso(text)
    return moment.tzinfo is None if moment else _without_zone(text)[1] is None and bool(text)


def _without_zone(text: str) -> tuple[str, timezone | None]:
    found = _ZONE.search(text)
    if found is None or not text[: found.start()].strip():
        return text, None
    offset = (found[1] or found[2] or "+00:00").replace(":", "")
    minutes = int(offset[1:-2]) * 60 + int(offset[-2:])
    if minutes >= 24 * 60:
        return text, None
    zone = timezone(timedelta(minutes=-minutes if offset[0] == "-" else minutes)) if minutes else UTC
    return text[: found.start()], zone


def _parts(text: str) -> tuple[Parts, str] | None:
    found = _NUMBERS.fullmatch(_DOTTED.sub(r"\1:\2", text))
    if found is None:
        return None
    numbers = (found[1], found[3], found[4])
    a, b, c = (int(n) for n in numbers)
    x, y, z = (len(n) for n in numbers)
    return Parts((a, b, c), (x, y, z), found[2]), found[5] or ""


def _named(text: str) -> datetime | None:
    found = _NAMED.fullmatch(text)
    if found is None:
        return None
    number, name = (found[1], found[2]) if found[1] else (found[4], found[3])
    month = MONTHS.get(name.lower())
    year = int(found[5])
    year += 2000 if year < 70 else 1900 if year < 100 else 0
    return _moment(day(year, month, number), found[6] or "") if month else None


def _moment(moment: date | None, clock: str) -> datetime | None:
    return at(moment, clock_time(clock or "0:00"))
