"""Dates written out for people ("Tuesday, January 5, 2021 at 3:45:10 PM UTC", "5 janv. 2021, 15:45 CET").

For exports that write each time as a sentence in the account's language. The month is a name, so the order of
day and month is not in question; where it is a number, Asian dates are year first and all others day first.
"""

import re
from datetime import UTC, date, datetime, timedelta, timezone

from importers.times import CLOCK, at, clock_time, day

_STEMS = (
    "jan ene gen ian янв січ sty led oca tammi ιαν يناير",
    "feb fev fév fevr лют фев lut úno şub helmi φεβ",
    "mar mär maart mrt márc мар бер bře maalis μαρ",
    "apr avr abr ápr апр кві kwi dub nis huhti απρ",
    "may mai mag mei maj máj май мая тра kvě touko μαΐ μαι",
    "jun juin giu iun jún июн черв cze červn čvn haz kesä ιουν",
    "jul juil lug iul júl июл лип lip červenc čvc tem heinä ιουλ",
    "aug août aou ago авг сер sie srp ağu elo αυγ agu",
    "sep set szept сен вер wrz zář eyl syys σεπ",
    "oct okt ott out окт жов paź říj eki loka οκτ",
    "nov noi ноя лис lis kas marras νοε",
    "dec dez déc dic des дек гру gru pro ara joulu δεκ",
)
_MONTH_OF = {stem: number for number, stems in enumerate(_STEMS, 1) for stem in stems.split()}
_LONGEST = max(map(len, _MONTH_OF))
_WEEKDAYS = frozenset("martes mardi martedì marți середа середу maandag segunda terça".split())
_ZONES = {
    "UTC": 0, "GMT": 0, "Z": 0, "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2,
    "EEST": 3, "MSK": 3, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7,
    "AKST": -9, "AKDT": -8, "HST": -10, "JST": 9, "KST": 9, "HKT": 8, "SGT": 8, "AEST": 10, "AEDT": 11, "NZST": 12,
    "NZDT": 13, "BRT": -3, "ART": -3, "SAST": 2, "WIB": 7, "ICT": 7,
}  # fmt: skip
_ZONE = re.compile(r"\b(?:(UTC|GMT)\s?([+\-−]\d{1,2})(?::?(\d{2}))?|([A-Z]{1,4}))\b")
_NUMERIC = re.compile(
    r"(?<!\d)(\d{4})\s?[年/.\-년]\s?(\d{1,2})\s?[月/.\-월]\s?(\d{1,2})|(?<!\d)(\d{1,2})[./\-](\d{1,2})[./\-](\d{4})"
)
_WORD = re.compile(r"[^\W\d_]+|\d+")


def written_moment(text: str) -> datetime | None:
    """The time that a sentence names: aware where it names a known zone, else naive; None where it is no time."""
    text = text.replace("\u202f", " ").replace("\u00a0", " ").strip()
    if len(text) > 120:
        return None
    found = re.search(CLOCK, text)
    if not found:
        return None
    moment = at(written_day(text[: found.start()] + " " + text[found.end() :]), clock_time(found[0]))
    zone = _zone(text[found.end() :])
    return moment.replace(tzinfo=zone) if moment and zone else moment


def written_day(text: str) -> date | None:
    """The day that a text names, None where it names none."""
    if found := _NUMERIC.search(text):
        if found[1]:
            return day(found[1], found[2], found[3])
        return day(found[6], found[5], found[4]) or day(found[6], found[4], found[5])
    words = _WORD.findall(text)
    years = [w for w in words if w.isdecimal() and len(w) == 4]
    numbers = [w for w in words if w.isdecimal() and len(w) <= 2]
    months = [m for m in map(month_of, words) if m]
    return day(years[0], months[-1], numbers[0]) if years and numbers and months else None


def month_of(word: str) -> int | None:
    """The month that a word names in any of some twenty languages, by how it begins."""
    word = word.lower()
    if word in _WEEKDAYS:
        return None
    for length in range(min(_LONGEST, len(word)), 2, -1):
        if word[:length] in _MONTH_OF:
            return _MONTH_OF[word[:length]]
    return None


def _zone(text: str) -> timezone | None:
    for found in _ZONE.finditer(text):
        sign, minutes, name = found[2], found[3], found[4]
        if sign:
            hours = int(sign.replace("−", "-"))
            return timezone(timedelta(hours=hours, minutes=int(minutes or 0) * (-1 if hours < 0 else 1)))
        if name in _ZONES:
            return UTC if _ZONES[name] == 0 else timezone(timedelta(hours=_ZONES[name]))
    return None
