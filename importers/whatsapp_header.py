"""The grammar of a message's first line: where it starts, its date, its clock time.

Every locale writes date and time in its own way, so nothing here names a locale. One loose pattern
finds headers of any layout; the *shapes* that a file really uses (each run of digits read as one zero)
then make one exact pattern for the file, which runs at the speed of a plain search.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import time
from functools import lru_cache
from typing import Literal

from importers.date_order import Parts
from importers.whatsapp_clock import is_joint, learned_day_parts, noon_side

Layout = Literal["bracket", "dash", "colon", "viewer", "time first bracket", "time first dash"]

MARKS = "\u061c\u200b\u200c\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
_M = f"[{MARKS}]*"
_S = "[ \t\u00a0\u2009\u202f\u3000]"
_HYPHENS = "\u2010-\u2015-"
_HYPHEN_SIGNS = "-\u2010\u2011\u2012\u2013\u2014\u2015"
_BETWEEN = rf"{_M}(?:[./{_HYPHENS}]|{_S}?[年년月월]){_M}{_S}?"
_DATE = rf"\d{{1,4}}{_BETWEEN}\d{{1,2}}{_BETWEEN}\d{{1,4}}(?!\d)"
_TIME = rf"\d{{1,2}}(?:[:.：]|{_S}?[hH時时點点시]{_S}?)\d{{2}}(?:[:.：]\d{{2}})?[分분]?"
_WORD = r"[^\s\d\[\]\-:;/]"
_JOINT = rf"{_M}[.,،、]?(?:{_S}?{_WORD}{{1,16}}){{0,3}}[,،]?{_M}{_S}*{_M}"
_BEFORE = rf"(?:{_WORD}{{1,8}}{_S}?)?"
_AFTER = rf"(?:{_S}*{_WORD}{{1,14}}){{0,2}}{_M}"
_DASH = rf"{_S}+[{_HYPHENS}]{_S}"

_LAYOUTS: tuple[tuple[Layout, str], ...] = (
    ("bracket", rf"({_M}\[{_M}{_DATE})({_JOINT}{_TIME}{_AFTER}\]{_S}?)"),
    ("dash", rf"({_M}{_DATE})({_JOINT}{_TIME}{_AFTER}{_DASH})"),
    ("colon", rf"({_M}{_DATE})({_JOINT}{_TIME}{_AFTER}:{_S})"),
    ("viewer", rf"({_M}{_DATE})({_DASH}{_TIME}{_AFTER};{_S})"),
    ("time first bracket", rf"({_M}\[{_M}{_BEFORE}{_TIME}{_AFTER},{_S}?)({_DATE}\.?\]{_S}?)"),
    ("time first dash", rf"({_M}{_TIME}{_AFTER},{_S}?)({_DATE}\.?{_DASH})"),
)
_TRY = tuple((name, re.compile("\n" + pattern)) for name, pattern in _LAYOUTS)
_ANY = re.compile(rf"\n(?={_M}(?:\d{{1,4}}\D|\[{_M}(?:\d{{1,4}}\D|{_BEFORE}{_TIME})))")
MIN_STRANGE = 3

_DIGITS = re.compile(r"\d+")
_SEPARATOR = re.compile(rf"\d+({_S}?[./年년{_HYPHENS}])({_S}?)")
_SIGNS = {"/": "/", ".": ".", ". ": ". ", "年": "年", "년 ": "년"}
_CLOCK = re.compile(
    rf"(\D*?)(\d{{1,2}})(?:[:.：]|{_S}?[hH時时點点시]{_S}?)(\d{{2}})(?:[:.：](\d{{2}}))?[分분]?(\D*)"
)
_STRIP_MARKS = re.compile(f"[{MARKS}]+")
_LEADING_MARKS = re.compile(f"^[{MARKS}]+")


@dataclass(frozen=True, slots=True)
class Header:
    """A place in a text that may be the start of a message."""

    layout: Layout
    start: int
    end: int
    date: str
    clock: str

    @property
    def shape(self) -> tuple[str, str]:
        """The two halves of the header with every run of digits as one zero, without marks in front."""
        first, second = (self.date, self.clock) if not time_first(self.layout) else (self.clock, self.date)
        return _DIGITS.sub("0", _LEADING_MARKS.sub("", first)), _DIGITS.sub("0", second)


def time_first(layout: Layout) -> bool:
    """Whether the clock time stands before the date."""
    return layout.startswith("time first")


def find_headers(text: str, learned: Mapping[str, int] | None = None) -> Iterator[Header]:
    """All places in `text` (which starts with a newline) that look like a header of any layout.

    `learned` are day parts of this file that no table has.
    """
    for header, reading in _candidates(text):
        if clock_time(reading, learned or {}) is not None:
            yield header


def learn_day_parts(text: str) -> dict[str, int]:
    """Day parts that no table has, where at least half of what looks like headers holds one."""
    readings = [(header.date, reading) for header, reading in _candidates(text)]
    strange = [(date, r) for date, r in readings if clock_time(r, {}) is None and r.words and r.hour <= 24]
    if len(strange) < MIN_STRANGE or len(strange) * 2 < len(readings):
        return {}
    return learned_day_parts([(date, " ".join(r.words), r.hour) for date, r in strange])


def _candidates(text: str) -> Iterator[tuple[Header, "Clock"]]:
    for place in _ANY.finditer(text):
        for layout, pattern in _TRY:
            match = pattern.match(text, place.start())
            if match is None:
                continue
            first, second = match.groups()
            date, clock = (second, first) if time_first(layout) else (first, second)
            reading = read_clock(clock)
            if parts_of(date) and reading:
                yield Header(layout, place.start(), match.end(), date, clock), reading
                break


def pattern_of(shapes: Iterable[tuple[str, str]]) -> re.Pattern[str]:
    """One exact pattern for all headers of these shapes; its two groups and the newline are the header."""
    first, second = (sorted(set(column), key=len, reverse=True) for column in zip(*shapes, strict=True))
    return re.compile(f"\n({_M}{_choice(first)})({_choice(second)})")


def _choice(shapes: list[str]) -> str:
    exact = [r"\d{1,4}".join(re.escape(piece) for piece in shape.split("0")) for shape in shapes]
    return f"(?:{'|'.join(exact)})" if len(exact) > 1 else exact[0]


def parts_of(text: str) -> Parts | None:
    """The numbers of a written date; None where they cannot be a date in any order."""
    plain = _STRIP_MARKS.sub("", text)
    found = _DIGITS.findall(plain)
    separator = _SEPARATOR.search(plain)
    if len(found) != 3 or separator is None:
        return None
    a, b, c = (int(n) for n in found)
    widths = len(found[0]), len(found[1]), len(found[2])
    if (not all((a, b, c)) and sum(widths) < 6) or sum(w > 2 for w in widths) > 1:
        return None
    return Parts((a, b, c), widths, _SIGNS.get(" ".join(separator[1].split()) + separator[2], "-"))


@dataclass(frozen=True, slots=True)
class Clock:
    """The clock half of a header: its numbers and the words beside them."""

    hour: int
    minute: int
    second: int
    words: tuple[str, ...]


def read_clock(text: str) -> Clock | None:
    """The numbers and words of a clock half; None where it is none."""
    match = _CLOCK.fullmatch(_STRIP_MARKS.sub("", text))
    if match is None:
        return None
    before, h, m, s, after = match.groups()
    return Clock(int(h), int(m), int(s or 0), _words(before, after))


def clock_time(clock: Clock, learned: Mapping[str, int]) -> time | None:
    """The time of day that a clock half means; None where it makes no sense."""
    if not clock.words:
        return _time(clock.hour, clock)
    sides = (learned.get(" ".join(clock.words)), *(noon_side(w, clock.hour) for w in clock.words))
    side = next((side for side in sides if side is not None), None)
    if side is None and not all(is_joint(w) for w in clock.words):
        return None
    return _time(clock.hour % 12 + side if side is not None and clock.hour <= 12 else clock.hour, clock)


def _time(hour: int, clock: Clock) -> time | None:
    valid = hour < 24 and clock.minute < 60 and clock.second < 60
    return time(hour, clock.minute, clock.second) if valid else None


@lru_cache(maxsize=1_000)
def _words(before: str, after: str) -> tuple[str, ...]:
    """The words beside a time without what ends the header; a file has few different ones."""
    edges = f" ,،、.;:[]\t\u00a0\u202f\u2009\u3000{_HYPHEN_SIGNS}"
    return tuple(word for text in (before, after) if (word := " ".join(text.strip(edges).split())))
