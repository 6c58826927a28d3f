"""Pages of a chat as people read it: around a message, from a date, or onwards from either end."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from engine.errors import NothingThere
from engine.search.masks import day_start
from engine.store.archive import Archive


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as the archive has it."""

    id: int
    sender: str
    timestamp: str | None
    text: str
    kind: str
    from_me: bool
    source_id: str | None
    reply_to: str | None
    attachments: tuple[dict[str, str], ...] = ()
    reactions: tuple[str, ...] = ()
    edited: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """A run of messages, in order, and whether there are more at either end."""

    messages: tuple[StoredMessage, ...]
    has_earlier: bool
    has_later: bool


_COLUMNS = (
    "SELECT m.id, s.name, m.timestamp, m.text, m.kind, m.from_me, m.source_id, m.reply_to, m.extra "
    "FROM message m JOIN who s ON s.id = m.sender WHERE m.chat = ? "
)


def _message(row: Sequence[Any]) -> StoredMessage:
    extra = json.loads(row[8]) if row[8] else {}
    return StoredMessage(
        row[0], row[1], row[2], row[3], row[4], bool(row[5]), row[6], row[7],
        tuple(extra.get("attachments", ())),
        tuple(extra.get("reactions", ())),
        bool(extra.get("edited")),
    )  # fmt: skip


def page(archive: Archive, chat: int, request: dict[str, Any]) -> Page:
    """A page of a chat; `request` as in the engine protocol's `transcript`."""
    limit = int(request.get("limit") or 100)
    if request.get("earlier_than") is not None:
        return earlier(archive, chat, int(request["earlier_than"]), limit)
    if request.get("later_than") is not None:
        return later(archive, chat, int(request["later_than"]), limit)
    before, after = int(request.get("before", 50)), int(request.get("after", 50))
    if request.get("date"):
        return on_date(archive, chat, date.fromisoformat(request["date"]), before, after)
    return around(archive, chat, request.get("around"), before, after)


def around(archive: Archive, chat: int, message: int | None, before: int, after: int) -> Page:
    """Messages around one, or the newest of the chat. Raises NothingThere where the chat has no such message."""
    if message is None:
        return earlier(archive, chat, None, before + after)
    point = archive.rows("SELECT order_time, id FROM message WHERE chat = ? AND id = ?", chat, message)
    if not point:
        raise NothingThere("That message is no longer in the archive.")
    return _around_point(archive, chat, point[0], before, after)


def on_date(archive: Archive, chat: int, day: date, before: int, after: int) -> Page:
    """Messages around the start of a day."""
    return _around_point(archive, chat, (day_start(day), 0), before, after)


def earlier(archive: Archive, chat: int, than: int | None, limit: int) -> Page:
    """Messages before one, or the newest."""
    point = _point(archive, chat, than) if than is not None else (2**62, 2**62)
    rows, more = _before(archive, chat, point, limit)
    return Page(rows, more, than is not None)


def later(archive: Archive, chat: int, than: int, limit: int) -> Page:
    """Messages after one."""
    time, number = _point(archive, chat, than)
    rows, more = _from(archive, chat, (time, number + 1), limit)
    return Page(rows, True, more)


def _point(archive: Archive, chat: int, message: int) -> tuple[int, int]:
    rows = archive.rows("SELECT order_time, id FROM message WHERE chat = ? AND id = ?", chat, message)
    if not rows:
        raise NothingThere("That message is no longer in the archive.")
    return rows[0][0], rows[0][1]


def _around_point(archive: Archive, chat: int, point: Sequence[int], before: int, after: int) -> Page:
    head, more_before = _before(archive, chat, point, before)
    tail, more_after = _from(archive, chat, point, after + 1)
    return Page(head + tail, more_before, more_after)


def _before(
    archive: Archive, chat: int, point: Sequence[int], limit: int
) -> tuple[tuple[StoredMessage, ...], bool]:
    sql = _COLUMNS + "AND (m.order_time, m.id) < (?, ?) ORDER BY m.order_time DESC, m.id DESC LIMIT ?"
    rows = archive.rows(sql, chat, *point, limit + 1)
    return tuple(_message(r) for r in reversed(rows[:limit])), len(rows) > limit


def _from(archive: Archive, chat: int, point: Sequence[int], limit: int) -> tuple[tuple[StoredMessage, ...], bool]:
    sql = _COLUMNS + "AND (m.order_time, m.id) >= (?, ?) ORDER BY m.order_time, m.id LIMIT ?"
    rows = archive.rows(sql, chat, *point, limit + 1)
    return tuple(_message(r) for r in rows[:limit]), len(rows) > limit
