"""Years of other calendars that phones write into dates, turned into days of our calendar.

Thai phones count from the Buddha (2567 is 2024), Taiwanese ones from the Republic (113), Iranian ones
by the Persian solar calendar (1403), Saudi ones by the Islamic lunar calendar (1445).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta


@dataclass(frozen=True, slots=True)
class Calendar:
    """A way to read (year, digits of the year, month, day); None where there is no such day."""

    name: str
    convert: Callable[[int, int, int, int], date | None]

    def __call__(self, year: int, width: int, month: int, day: int) -> date | None:
        """The day, None where the calendar has none such."""
        return self.convert(year, width, month, day)


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _gregorian(year: int, width: int, month: int, day: int) -> date | None:
    if width in (1, 3):
        return None
    return _date(year + 2000 if width == 2 else year, month, day)


def _buddhist(year: int, width: int, month: int, day: int) -> date | None:
    if width == 3:
        return None
    return _date((year + 2500 if width <= 2 else year) - 543, month, day)


def _republic(year: int, width: int, month: int, day: int) -> date | None:
    return _date(year + 1911, month, day) if width == 3 else None


def _persian(year: int, width: int, month: int, day: int) -> date | None:
    """Solar Hijri with the 33-year cycle of leap years, exact for 1343 to 1472."""
    if width <= 2:
        year += 1400 if year < 50 else 1300
    if not (1300 <= year <= 1472 and 1 <= month <= 12 and 1 <= day <= (31 if month <= 6 else 30)):
        return None
    if month == 12 and day == 30 and not _persian_leap(year):
        return None
    days = (year - 1400) * 365 + sum(_persian_leap(y) for y in range(min(year, 1400), max(year, 1400))) * (
        1 if year >= 1400 else -1
    )
    days += (month - 1) * 31 - max(0, month - 7) + day - 1
    return date(2021, 3, 21) + timedelta(days=days)


def _persian_leap(year: int) -> bool:
    return year % 33 in (1, 5, 9, 13, 17, 22, 26, 30)


def _islamic(year: int, width: int, month: int, day: int) -> date | None:
    """Tabular lunar Hijri (civil epoch, leap years 2, 5, 7, 10, …): within a day of the sighted one."""
    if width != 4 or not (1300 <= year <= 1600 and 1 <= month <= 12 and 1 <= day <= 30):
        return None
    days = (year - 1) * 354 + (3 + 11 * year) // 30 + 29 * (month - 1) + month // 2 + day - 1
    return date(622, 7, 19) + timedelta(days=days)


CALENDARS: Mapping[str, Calendar] = {
    calendar.name: calendar
    for calendar in (
        Calendar("gregorian", _gregorian),
        Calendar("buddhist", _buddhist),
        Calendar("republic", _republic),
        Calendar("persian", _persian),
        Calendar("islamic", _islamic),
    )
}
"""In the order in which they are tried: the first that makes all dates possible is taken."""
