"""What a person types into Search: words, and the operators from: in: app: before: after:."""

import re
from dataclasses import replace
from datetime import date, timedelta

from app.data import Json
from engine.types import Filters

OPERATORS = ("from", "in", "app", "before", "after")
_TERM = re.compile(r'(?<!\S)(from|in|app|before|after):("([^"]*)"|\S+)', re.IGNORECASE)
_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$")


def first_day(text: str) -> date | None:
    """The first day of a year, month or day written as 2024, 2024-03 or 2024-03-14."""
    match = _DATE.match(text)
    if not match:
        return None
    try:
        return date(int(match[1]), int(match[2] or 1), int(match[3] or 1))
    except ValueError:
        return None


def parse(text: str) -> tuple[str, Filters]:
    """The words and the filters of a typed query. An operator that is not complete stays among the words.

    `after:` counts from that day on, `before:` up to the day before it, as in other mail and chat programs.
    """
    filters = Filters()

    def take(match: re.Match[str]) -> str:
        nonlocal filters
        value = match[3] if match[3] is not None else match[2]
        taken = _with(filters, match[1].lower(), value.strip('"'))
        if taken is None:
            return match[0]
        filters = taken
        return ""

    words = _TERM.sub(take, text)
    return " ".join(words.split()), filters


def _with(filters: Filters, operator: str, value: str) -> Filters | None:
    """The filters with one operator more, None where its value says nothing."""
    if not value:
        return None
    if operator == "from":
        return replace(filters, senders=(*filters.senders, value))
    if operator == "in":
        return replace(filters, chats=(*filters.chats, value))
    if operator == "app":
        return replace(filters, platforms=(*filters.platforms, value.lower()))
    day = first_day(value)
    if day is None:
        return None
    if operator == "after":
        return replace(filters, date_from=day)
    return replace(filters, date_to=day - timedelta(days=1))


def merged(one: Filters, other: Filters) -> Filters:
    """Both filters at once; lists add up, the narrower dates hold."""
    starts = [day for day in (one.date_from, other.date_from) if day]
    ends = [day for day in (one.date_to, other.date_to) if day]
    return Filters(
        date_from=max(starts, default=None),
        date_to=min(ends, default=None),
        senders=_union(one.senders, other.senders),
        chats=_union(one.chats, other.chats),
        platforms=_union(one.platforms, other.platforms),
    )


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one + other))


def params(filters: Filters) -> Json:
    """The filters as the engine's methods take them."""
    return {
        "from": filters.date_from.isoformat() if filters.date_from else None,
        "to": filters.date_to.isoformat() if filters.date_to else None,
        "senders": list(filters.senders),
        "chats": list(filters.chats),
        "sources": list(filters.platforms),
    }
