"""Finding date expressions in a text, in every language of `engine.when_words` at once.

The patterns of a language are made once from its words. Where two expressions overlap the longer one
counts ("last Friday", not "Friday"), and a year that stands beside a month belongs to it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import TypeVar

from engine.when_dates import Point, Span
from engine.when_words import LANGUAGES, Language

_T = TypeVar("_T")
_BETWEEN_POINTS = re.compile(r"(?:,| of| de| del| de l['’]| des?|['’]s)? ?", re.IGNORECASE)
_ARTICLE = r"(?:the |der |dem |den |l['’]|la |le |el |los |las )?"
_NUMERIC = re.compile(
    r"(?<!\d)(?:(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})"
    r"|(?P<d2>\d{1,2})(?P<sep>[./])(?P<m2>\d{1,2})(?P=sep)(?P<y2>\d{4}))(?!\d)"
)
_HAN = "一二三四五六七八九"
_HAN_DAY = f"|[二三]?十[{_HAN}]?|廿[{_HAN}]?|[{_HAN}]"
_YEAR = re.compile(r"(?<![\d.,:/-])(?P<year>19[7-9]\d|20\d\d)(?![\d:/-]|[.,]\d)年?")


@dataclass(frozen=True, slots=True)
class Compiled:
    """The patterns of one language. A connector is its name with what stands before, between and after."""

    language: Language
    patterns: tuple[tuple[str, re.Pattern[str]], ...]
    connectors: tuple[tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]], ...]
    before_month: re.Pattern[str]
    before_day: re.Pattern[str]


def _any(patterns: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(patterns, key=len, reverse=True)) + ")"


@lru_cache
def _compiled(language: Language) -> Compiled:
    """All patterns of a language, made once."""
    named = {
        "n": f"(?P<n>\\d{{1,3}}|{_any(language.numbers)}|(?P<vague>{_any(language.vague)}))",
        "unit": f"(?P<unit>{_any(language.units)})",
        "month": f"(?P<month>{_any(language.months)})\\.?",
        "d": f"(?P<d>[12]\\d|3[01]|0?[1-9]{_HAN_DAY if not language.spaced else ''})",
    }
    periodic = "|".join(
        f"(?P<{name}>{_any(words)})"
        for name, words in (
            ("weekday", language.weekdays),
            ("unit", language.units),
            ("month", language.months),
            ("season", language.seasons),
            ("holiday", language.holidays),
        )
    )
    gap = " " if language.spaced else ""
    raw = [("fixed", f"(?P<fixed>{_any(language.fixed)})")]
    for kind in ("ago", "ahead", "last_n", "day_of_month"):
        raw += [(kind, template.format(**named)) for template in getattr(language, kind)]
    for step in ("last", "this", "next"):
        words = f"(?:{getattr(language, step)})"
        raw.append((step, f"{words}{gap}(?:{periodic})"))
        if language.name in ("fr", "es"):
            raw.append((step, f"(?:{periodic}) {words}"))
    raw.append(("bare", f"(?:{periodic})"))
    left, right = (r"(?<![\w-])", r"(?![\w-])") if language.spaced else ("", "")
    patterns = tuple((kind, re.compile(f"{left}(?:{p}){right}", re.IGNORECASE)) for kind, p in raw)
    return Compiled(
        language,
        patterns,
        tuple(_connectors(language, left)),
        re.compile(f"{left}(?:{language.within}|{language.on}) ?{_ARTICLE}$", re.IGNORECASE),
        re.compile(f"{left}(?:{language.on}) ?$", re.IGNORECASE),
    )


def _connectors(
    language: Language, left: str
) -> Iterator[tuple[str, re.Pattern[str], re.Pattern[str], re.Pattern[str]]]:
    """What stands before the first point, between two points and after the last, for each template."""
    for name in ("between", "since", "before", "after", "until"):
        for template in getattr(language, name):
            head, rest = template.split("{a}")
            middle, _, tail = rest.partition("{b}") if "{b}" in rest else ("", "", rest)
            start = f"{left if head else ''}{head}{_ARTICLE if head else ''}$"
            yield (
                name,
                re.compile(start, re.IGNORECASE),
                re.compile(middle + _ARTICLE, re.IGNORECASE),
                re.compile(tail, re.IGNORECASE),
            )


def languages(text: str) -> list[Compiled]:
    """The languages whose words may be read in this text."""
    return [
        _compiled(language)
        for language in LANGUAGES
        if not (language.unless and re.search(language.unless, text, re.IGNORECASE))
    ]


def points_of(text: str, now: date) -> list[Point]:
    """All expressions of a text in order, the longest where they overlap, years joined to their months."""
    found = [*_numeric(text)]
    for compiled in languages(text):
        for kind, pattern in compiled.patterns:
            for match in pattern.finditer(text):
                point = _point(kind, match, compiled)
                if point:
                    found.append(point)
    chosen: list[Point] = []
    for point in sorted(found, key=lambda p: (p.start - p.end, p.start, not p.strong)):
        if all(point.end <= other.start or point.start >= other.end for other in chosen):
            chosen.append(point)
    return _with_years(text, sorted(chosen, key=lambda p: p.start), now)


def _numeric(text: str) -> Iterator[Point]:
    """Dates in digits where the order is certain, and bare years."""
    for match in _NUMERIC.finditer(text):
        parts = match.groupdict()
        try:
            if parts["y"]:
                day = date(int(parts["y"]), int(parts["m"]), int(parts["d"]))
            elif parts["sep"] == "." or int(parts["d2"]) > 12:
                day = date(int(parts["y2"]), int(parts["m2"]), int(parts["d2"]))
            else:
                continue
        except ValueError:
            continue
        yield Point(match.start(), match.end(), "span", Span(day, day))
    for match in _YEAR.finditer(text):
        before = text[: match.start()]
        strong = match.group().endswith("年") or any(
            c.before_month.search(before) for c in languages(text) if c.language.spaced
        )
        yield Point(match.start(), match.end(), "year", int(match["year"]), strong=strong)


def _point(kind: str, match: re.Match[str], compiled: Compiled) -> Point | None:
    """The point that a pattern found."""
    language, parts = compiled.language, match.groupdict()
    place = Point(match.start(), match.end(), "unit", language=language.name)
    if kind == "fixed":
        unit, offset = _fixed(match, language)
        return replace(place, value=unit, step=offset)
    if kind in ("ago", "ahead", "last_n"):
        return _counted(kind, parts, place, language)
    if kind == "day_of_month":
        return replace(place, kind="day", value=(_index(language.months, parts["month"]) + 1, _day(parts["d"])))
    step = {"last": -1, "this": 0, "next": 1}.get(kind)
    return _periodic(parts, replace(place, step=step), match.string, compiled)


def _day(text: str) -> int:
    """A day of a month in digits or in Chinese numerals: 18, 十八, 二十, 廿三."""
    if text.isdigit():
        return int(text)
    tens, ten, units = text.replace("廿", "二十").rpartition("十")
    return (10 * (_HAN.index(tens) + 1 if tens else 1) if ten else 0) + (_HAN.index(units) + 1 if units else 0)


def _fixed(match: re.Match[str], language: Language) -> tuple[str, int]:
    """The entry of `fixed` that matched; some look at what stands before, so it is matched in place."""
    for pattern, value in language.fixed.items():
        found = re.compile(pattern, re.IGNORECASE).match(match.string, match.start())
        if found and found.end() == match.end():
            return value
    return "day", 0


def _counted(kind: str, parts: dict[str, str], place: Point, language: Language) -> Point | None:
    """So many units ago, ahead, or up to now."""
    unit = _value(language.units, parts["unit"])
    if parts["vague"]:
        return replace(place, kind="vague", value=unit, step=-1, strong=False) if kind == "ago" else None
    count = int(parts["n"]) if parts["n"].isdigit() else _value(language.numbers, parts["n"])
    if kind == "last_n":
        return replace(place, kind="rolling", value=unit, step=-count)
    return replace(place, value=unit, step=-count if kind == "ago" else count, kind="counted")


def _periodic(parts: dict[str, str], place: Point, text: str, compiled: Compiled) -> Point | None:
    """A unit, weekday, month, season or holiday, with or without last, this or next."""
    language, bare = compiled.language, place.step is None
    if parts["unit"]:
        part = bool(re.match(" of (?!last|this)", text[place.end :]))  # "the last week of August"
        return None if bare or part else replace(place, value=_value(language.units, parts["unit"]))
    before = text[: place.start]
    if parts["weekday"]:
        strong = not bare or bool(compiled.before_day.search(before)) or not language.spaced
        return replace(place, kind="weekday", value=_index(language.weekdays, parts["weekday"]), strong=strong)
    strong = not bare or bool(compiled.before_month.search(before))
    if parts["month"]:
        value = _index(language.months, parts["month"]) + 1
        return replace(place, kind="month", value=value, strong=strong)
    if parts["season"]:
        return replace(place, kind="season", value=_value(language.seasons, parts["season"]), strong=strong)
    holidays = language.holidays
    strong = strong or bool(re.search(r"\b(?:at|on|an|zu|à) $", before, re.IGNORECASE))
    return replace(place, kind="holiday", value=_value(holidays, parts["holiday"]), strong=strong)


def _value(table: dict[str, _T], text: str) -> _T:
    """The value whose pattern is the whole text."""
    return next(value for pattern, value in table.items() if re.fullmatch(pattern, text, re.IGNORECASE))


def _index(patterns: tuple[str, ...], text: str) -> int:
    """The place of the pattern that is the whole text."""
    return next(i for i, pattern in enumerate(patterns) if re.fullmatch(pattern, text, re.IGNORECASE))


def _with_years(text: str, points: list[Point], now: date) -> list[Point]:
    """Months, seasons, holidays and days joined with a year that stands beside them."""
    joined: list[Point] = []
    for point in points:
        last = joined[-1] if joined else None
        if last and _BETWEEN_POINTS.fullmatch(text[last.end : point.start]):
            pair = (last, point) if _year_of(point, now) else (point, last)
            year = _year_of(pair[1], now)
            if year and pair[0].kind in ("month", "season", "holiday", "day") and pair[0].year is None:
                joined[-1] = replace(pair[0], start=last.start, end=point.end, year=year, strong=True)
                continue
        joined.append(point)
    return joined


def _year_of(point: Point, now: date) -> int | None:
    """The year that a point means, None where it is not a year."""
    if point.kind == "year":
        return int(str(point.value))
    return (
        now.year + point.step
        if point.kind == "unit" and point.value == "year" and point.step is not None
        else None
    )
