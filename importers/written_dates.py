"""Dates written out for people ("Tuesday, January 5, 2021 at 3:45:10 PM UTC", "5 janv. 2021, 15:45 CET").

For exports that write each time as a sentence in the account's language. The month is a name, so the order of
day and month is not in question; where it is a number, Asian dates are year first and all others day first.
"""

import re
from datetime import UTC, date, datetime, time, timedelta, timezone

from importers.times import CLOCK, at, clock_time, day
from importers.whatsapp_clock import noon_side

_STEMS = (
    "jan ene gen ian jaan yan jän яну янв јан січ sty led oca tammi saus ιαν",
    "feb fev fév fevr peb veeb vasar shku лют фев lut úno şub helmi φεβ",
    "mar mär maart mrt márc mac kovo maalis мар бер bře μαρ",
    "apr avr abr ápr pril bala апр кві kwi dub nis huhti απρ",
    "may mai maí mag mei maj máj gegu май мая мај тра kvě touko μαΐ μαι",
    "jun juin giu iun iyun jún huny qers birž июн юни јун черв cze červn čvn haz kesä ιουν",
    "jul juil lug iul iyul júl huly korr liep июл юли јул лип lip červenc čvc tem heinä ιουλ",
    "aug août aou ago avg avq ágú ogos gush rugp авг сер sie srp ağu elo αυγ agu",
    "sep set szept shta rugs сеп сен вер wrz zář eyl syys σεπ",
    "oct okt ott out tetor spal окт жов paź říj eki loka οκτ",
    "nov noi noy nob nóv nën lapk ное ноя лис lis kas marras νοε",
    "dec dez déc dic des dets dek disem dhj gruo дек дес гру gru pro ara joulu δεκ",
)
_OTHER_SCRIPTS = (
    "იან يناير ژانویه ינואר בינואר जनवरी มกรา",
    "თებ فبراير شباط فوریه פברואר בפברואר फ़रवरी फरवरी กุมภา",
    "მარ مارس آذار מרץ במרץ मार्च มีนา",
    "აპრ أبريل ابريل نيسان آوریل אפריל באפריל अप्रैल เมษา",
    "მაი مايو أيار מאי במאי พฤษภา",
    "ივნ يونيو حزيران ژوئن יוני ביוני जून มิถุนา",
    "ივლ يوليو تموز ژوئیه יולי ביולי जुलाई กรกฎา",
    "აგვ أغسطس اغسطس אוגוסט באוגוסט अगस्त สิงหา",
    "სექ سبتمبر أيلول سپتامبر ספטמבר בספטמבר सितंबर सितम्बर กันยา",
    "ოქტ أكتوبر اكتوبر اکتبر אוקטובר באוקטובר अक्तूबर अक्टूबर ตุลา",
    "ნოე نوفمبر نوامبر נובמבר בנובמבר नवंबर नवम्बर พฤศจิกา",
    "დეკ ديسمبر دسامبر דצמבר בדצמבר दिसंबर दिसम्बर ธันวา",
)
_MONTH_OF = {
    stem: number for rows in (_STEMS, _OTHER_SCRIPTS) for number, row in enumerate(rows, 1) for stem in row.split()
}
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
_WORD = re.compile(r"[^\s\d.,،/:;()\-–]+|\d+")  # letters of India and Thailand hold marks that are no letters
_SPELLED = re.compile(r"(\d{1,2})\s?[時时點点시]\s?(\d{1,2})\s?[分분](?:\s?(\d{1,2})\s?[秒초])?")
_DOTTED = re.compile(r"(?<![\d.])(\d{1,2})\.(\d\d)(?:\.(\d\d))?(?![\d.])")
_NOON = 12
_BUDDHIST = 543  # years that Thailand counts ahead


def written_moment(text: str) -> datetime | None:
    """The time that a sentence names: aware where it names a known zone, else naive; None where it is no time."""
    text = text.replace("\u202f", " ").replace("\u00a0", " ").strip()
    if len(text) > 120:
        return None
    text = _SPELLED.sub(_with_colons, text)
    found = re.search(CLOCK, text)
    if not found:
        text = _DOTTED.sub(_with_colons, text)
        found = re.search(CLOCK, text)
    if not found:
        return None
    before, after = text[: found.start()], text[found.end() :]
    moment = at(written_day(f"{before} {after}"), _in_its_half(clock_time(found[0]), after))
    zone = _zone(after) or _zone(before)
    return moment.replace(tzinfo=zone) if moment and zone else moment


def _with_colons(found: re.Match[str]) -> str:
    """ "21시 8분 0초" and "21.08.00" as "21:08:00"."""
    return ":".join(f"{number:0>2}" for number in found.groups() if number)


def _in_its_half(clock: time | None, after: str) -> time | None:
    """The clock time by the half of the day that the words behind it name in any language ("9:06 م")."""
    if clock is None or clock.hour > _NOON:
        return clock
    words = after.split()[:3]
    sides = (noon_side(" ".join(words[:count]), clock.hour) for count in range(len(words), 0, -1))
    side = next((side for side in sides if side is not None), None)
    return clock if side is None else clock.replace(hour=clock.hour % _NOON + side)


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
    if not (years and numbers and months):
        return None
    year = int(years[0])
    return day(year - _BUDDHIST if year > _BUDDHIST + 1900 else year, months[-1], numbers[0])


def month_of(word: str) -> int | None:
    """The month that a word names in any of some forty languages, by how it begins."""
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
