"""Times as chat exports write them: counts since 1970, ISO text, clocks with a day part.

Everything here returns None for what is not a time, since a wrong time must cost one record and no more.
"""

import re
from datetime import UTC, date, datetime, time, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MORNING = ("午前", "上午", "오전", "凌晨", "早上", "am", "a.m.", "a. m.")
_AFTERNOON = ("午後", "下午", "오후", "晚上", "pm", "p.m.", "p. m.")
_MARK = "|".join(re.escape(m) for m in (*_MORNING, *_AFTERNOON))
CLOCK = rf"(?i:(?:{_MARK})?\s?\d{{1,2}}:\d{{2}}(?::\d{{2}})?\s?(?:{_MARK})?)"
"""A pattern for one clock time with or without a day part, to be put into larger patterns."""
_CLOCK = re.compile(rf"(?i:({_MARK})?\s?(\d{{1,2}}):(\d{{2}})(?::(\d{{2}}))?\s?({_MARK})?)")
MONTHS = {
    name: number
    for number, names in enumerate(
        ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
         "november", "december"), 1,
    )
    for name in (names, names[:3])
}  # fmt: skip
"""English month names, whole and of three letters, in lower case."""


def from_epoch(value: object, per_second: int = 1) -> datetime | None:
    """The instant `value / per_second` seconds after 1970, aware in UTC; zero counts as "no time"."""
    if isinstance(value, bool) or value is None:
        return None
    try:
        number = int(value) if isinstance(value, int) else float(str(value).strip())
        moment = EPOCH + timedelta(microseconds=round(number * 1_000_000 / per_second))
    except (ValueError, OverflowError):
        return None
    return moment if number else None


def from_iso(value: object) -> datetime | None:
    """The time of an ISO 8601 text: aware where it carries an offset, else naive."""
    if not isinstance(value, str):
        return None
    try:
        return datetime.fromisoformat(value.strip())
    except ValueError:
        return None


def from_iso_utc(value: object) -> datetime | None:
    """As `from_iso`, for formats whose times are UTC even where no offset is written."""
    moment = from_iso(value)
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment


def clock_time(text: str) -> time | None:
    """The time of day: "午後12:05" is 12:05, "12:05 AM" is 0:05, "오후 1:05" is 13:05."""
    found = _CLOCK.fullmatch(text.strip().replace("\u202f", " ").replace("\u00a0", " "))
    if not found:
        return None
    before, hour, minute, second, after = found.groups()
    mark = (before or after or "").lower()
    hours = int(hour)
    if mark and hours <= 12:
        hours = hours % 12 + (12 if mark in _AFTERNOON else 0)
    try:
        return time(hours, int(minute), int(second or 0))
    except ValueError:
        return None


def day(year: int | str, month: int | str, number: int | str) -> date | None:
    """A calendar day, None where there is no such day."""
    try:
        return date(int(year), int(month), int(number))
    except ValueError:
        return None


def at(moment: date | None, clock: time | None) -> datetime | None:
    """A day and a clock time as one naive time, None where either is missing."""
    return datetime.combine(moment, clock) if moment is not None and clock is not None else None
