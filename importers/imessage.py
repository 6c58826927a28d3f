"""iMessage and SMS of a Mac or an iPhone backup: the database `chat.db` (`sms.db`, `3d0d7e5f…`).

Counted are the rows of the table `message`; `line` is the row's ROWID. Tapbacks count with the message that they
react to. Rows are read in the order of time by their ids, a few hundred at a time, so that memory stays flat and
a damaged page costs its own rows only. Macs of different ages write the date in seconds or in nanoseconds since
2001, even in one file, so each row is judged by itself.
"""

import sqlite3
from array import array
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from importers.apple_body import attributed_text, edited_text, read_plist
from importers.apple_database import columns, opened
from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options, Problem
from importers.guard import converted, guarded
from importers.source import FileSource, Source

APPLE_EPOCH = datetime(2001, 1, 1, tzinfo=UTC)
_SECONDS_BELOW = 10**11  # a date in seconds stays below this until the year 5170
_BATCH = 400
_OBJECT, _APP = "\ufffc", "\ufffd"  # stand in the text where an attachment or an app hangs
_BACKUP_NAME = "3d0d7e5fb2ce288813306e4d4636395e047a3d28"
_NAMES = frozenset({"chat.db", "sms.db", _BACKUP_NAME})
_TAPBACKS = {0: "❤️", 1: "👍", 2: "👎", 3: "😂", 4: "‼️", 5: "❓", 7: "sticker"}  # 6 carries its own emoji
_WANTED = (
    "guid", "text", "subject", "attributedBody", "handle_id", "date", "is_from_me", "item_type", "group_title",
    "group_action_type", "other_handle", "associated_message_guid", "associated_message_type",
    "associated_message_emoji", "thread_originator_guid", "date_edited", "date_retracted", "message_summary_info",
    "balloon_bundle_id", "is_audio_message",
)  # fmt: skip
_GROUP_ACTIONS = {
    (1, 0): "added {other} to the conversation",
    (1, 1): "removed {other} from the conversation",
    (3, 0): "left the conversation",
    (3, 1): "changed the group photo",
    (3, 2): "removed the group photo",
}
_ITEM_TYPES = {4: "shared or stopped sharing a location", 5: "kept an audio message", 6: "started SharePlay"}


class IMessage:
    """The importer of Apple's Messages database."""

    name = "imessage"
    platform = "imessage"
    title = "iMessage (chat.db)"
    patterns: tuple[str, ...] = ("chat.db", "sms.db", _BACKUP_NAME)
    how_to_export: tuple[str, ...] = (
        "On the Mac, quit Messages and open the folder ~/Library/Messages in the Finder with Go → Go to Folder….",
        "Copy chat.db, and chat.db-wal if it is there, to your desktop, since programs may not read that folder.",
        "Choose the copied chat.db here.",
    )

    def recognise(self, source: Source) -> float:
        """By SQLite's first bytes and the tables of Messages."""
        if not source.head.startswith(b"SQLite format 3\x00"):
            return 0.0
        if b"chat_message_join" in source.head or b"attributedBody" in source.head:
            return 0.95
        if isinstance(source, FileSource):
            try:
                with opened(source) as connection:
                    return 0.95 if _is_messages(connection) else 0.0
            except (sqlite3.Error, OSError):
                pass
        return 0.6 if source.basename.lower() in _NAMES else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the order of time."""
        return guarded(_items(source))


@dataclass(slots=True)
class _Book:
    """What is known before the first message: people, chats, and the tapbacks on each message."""

    columns: set[str]
    handles: dict[int, str] = field(default_factory=dict)
    titles: dict[int, tuple[str, str]] = field(default_factory=dict)  # chat → title, guid
    tapbacks: dict[str, list["_Tapback"]] = field(default_factory=lambda: defaultdict(list))

    def person(self, handle: object, *, from_me: object = 0) -> str | None:
        """The name that a row's sender goes by."""
        return ME if from_me else self.handles.get(handle) if isinstance(handle, int) else None


@dataclass(frozen=True, slots=True)
class _Tapback:
    row: int
    who: str | None
    label: str
    removed: bool
    moment: datetime | None


def _is_messages(connection: sqlite3.Connection) -> bool:
    return {"guid", "text", "is_from_me"} <= columns(connection, "message") and bool(columns(connection, "handle"))


def _items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=False)
    try:
        with opened(source) as connection:
            if not _is_messages(connection):
                yield Problem(0, "This database has no table of messages.", skipped=0)
                return
            yield from _messages(connection)
    except sqlite3.Error:
        yield Problem(0, "This database is damaged or encrypted and cannot be read further.", skipped=0)


def _messages(connection: sqlite3.Connection) -> Iterator[Item]:
    book = _Book(columns(connection, "message"))
    yield from _fill(book, connection)
    rows = _Rows(connection, book)
    if rows.lost:
        yield Problem(
            rows.lost_after + 1, "These messages lie in a damaged part of the database.", skipped=rows.lost
        )
    ids = rows.by_time()
    for start in range(0, len(ids), _BATCH):
        yield from _batch(connection, book, ids[start : start + _BATCH].tolist())
    for guid, tapbacks in book.tapbacks.items():  # those whose message is not in the database
        for tapback in tapbacks:
            yield Message(
                tapback.who or "Unknown", tapback.who, f"{tapback.label} on a message that is not here",
                tapback.moment, "event", line=tapback.row, reply_to=guid, from_me=tapback.who == ME,
            )  # fmt: skip


def _fill(book: _Book, connection: sqlite3.Connection) -> Iterator[Item]:
    """Read the small tables; each is worth having without the others."""
    for read in (_read_handles, _read_chats, _read_tapbacks):
        try:
            read(book, connection)
        except sqlite3.Error:
            yield Problem(0, "A part of this database is damaged: some names or reactions are missing.", skipped=0)


def _read_handles(book: _Book, connection: sqlite3.Connection) -> None:
    for row in connection.execute("SELECT ROWID AS number, id FROM handle"):
        book.handles[row["number"]] = str(row["id"])


def _read_chats(book: _Book, connection: sqlite3.Connection) -> None:
    members: dict[int, list[str]] = defaultdict(list)
    if columns(connection, "chat_handle_join"):
        for row in connection.execute("SELECT chat_id, handle_id FROM chat_handle_join"):
            members[row["chat_id"]].append(book.handles.get(row["handle_id"], "?"))
    if not columns(connection, "chat"):
        return
    for row in connection.execute("SELECT ROWID AS number, * FROM chat"):
        found = {key: row[key] for key in row.keys()}  # noqa: SIM118 - a Row
        number: int = row["number"]
        guid, name, identifier, style = (
            found.get(key) for key in ("guid", "display_name", "chat_identifier", "style")
        )
        people = members[number]
        alone = style == 45 or (style is None and len(people) < 2)
        title = name or (identifier if alone or not people else ", ".join(people)) or guid or f"chat {number}"
        book.titles[number] = (str(title), str(guid or number))


def _read_tapbacks(book: _Book, connection: sqlite3.Connection) -> None:
    if "associated_message_type" not in book.columns:
        return
    for row in connection.execute(f"{_select(book)} WHERE associated_message_type BETWEEN 2000 AND 3999"):
        code, guid = row["associated_message_type"], _bare_guid(row["associated_message_guid"])
        label = row["associated_message_emoji"] or _TAPBACKS.get(code % 1000, "reaction")
        who = book.person(row["handle_id"], from_me=row["is_from_me"])
        moment = apple_time(row["date"])
        book.tapbacks[guid].append(_Tapback(row["number"], who, str(label), code >= 3000, moment))


_KEY = f"CASE WHEN abs(date) < {_SECONDS_BELOW} THEN date * 1000000000 ELSE date END"


_TAPBACK = "associated_message_type"
_IS_TAPBACK = f"{_TAPBACK} BETWEEN 2000 AND 3999"
_WAYS = {1: "ASC", -1: "DESC"}
_MAX_LOST = 1_000_000
_NO_ROW = 2**63  # beyond every row id


def _select(book: _Book) -> str:
    fields = (name if name in book.columns else f"NULL AS {name}" for name in _WANTED)
    return f"SELECT ROWID AS number, {', '.join(fields)} FROM message"


class _Rows:
    """The ids and times of all messages but tapbacks.

    Where a page is damaged the table is read from its other end too, so that only what lies between is lost.
    """

    def __init__(self, connection: sqlite3.Connection, book: _Book) -> None:
        self._ids, self._times = array("q"), array("d")
        self.lost_after = self.lost = 0
        date = _KEY if "date" in book.columns else "0"
        self._query = f"SELECT ROWID, {date}, {_IS_TAPBACK if _TAPBACK in book.columns else 0} FROM message"
        if not self._read(connection, 1, _NO_ROW):
            first = self._last
            if not self._read(connection, -1, first):
                gap = self._last - first - 1 if self._last < _NO_ROW else 1
                self.lost_after, self.lost = max(first, 0), min(max(gap, 1), _MAX_LOST)

    def _read(self, connection: sqlite3.Connection, way: int, until: int) -> bool:
        """Read forth (1) or back (-1) up to a row or the damage; whether it came there."""
        self._last = -_NO_ROW if way > 0 else _NO_ROW
        try:
            for number, moment, tapback in connection.execute(f"{self._query} ORDER BY ROWID {_WAYS[way]}"):
                if (number - self._last) * way <= 0:
                    return False  # pages in a circle
                if (number - until) * way >= 0:
                    return True
                self._last = number
                if not tapback:
                    known = isinstance(moment, int | float) and moment
                    self._ids.append(number)
                    self._times.append(moment if known else self._times[-1] if self._times else 0.0)
        except sqlite3.Error:
            return False
        return True

    def by_time(self) -> "array[int]":
        """The ids, oldest message first; one without a time stays behind the one before it."""
        times, ids = self._times, self._ids
        return array("q", (ids[n] for n in sorted(range(len(ids)), key=lambda n: (times[n], ids[n]))))


def _batch(connection: sqlite3.Connection, book: _Book, ids: list[int]) -> Iterator[Item]:
    rows, lost = _rows(connection, book, ids)
    places = _pairs(connection, "chat_message_join", "chat_id", ids)
    removed = _pairs(connection, "chat_recoverable_message_join", "chat_id", ids)
    files = _attachments(connection, ids)
    for number in ids:
        if number in lost:
            yield Problem(number, "This message lies in a damaged part of the database.")
        elif (row := rows.get(number)) is not None:
            chats = places.get(number) or removed.get(number, [])
            gone = number in removed and number not in places
            yield from converted(
                [(number, row)],
                lambda n, r, chats=chats, gone=gone: (_message(book, n, r, chats, files.get(n, []), gone=gone),),  # type: ignore[misc]
            )


def _rows(connection: sqlite3.Connection, book: _Book, ids: list[int]) -> tuple[dict[int, sqlite3.Row], set[int]]:
    """The rows with these ids, and the ids that cannot be read."""
    try:
        return {row["number"]: row for row in _in(connection, _select(book), "ROWID", ids)}, set()
    except sqlite3.Error:
        if len(ids) == 1:
            return {}, set(ids)
        half = len(ids) // 2
        first, second = _rows(connection, book, ids[:half]), _rows(connection, book, ids[half:])
        return first[0] | second[0], first[1] | second[1]


def _in(connection: sqlite3.Connection, query: str, column: str, ids: list[int]) -> list[sqlite3.Row]:
    return connection.execute(f"{query} WHERE {column} IN ({','.join('?' * len(ids))})", ids).fetchall()


def _pairs(connection: sqlite3.Connection, table: str, column: str, ids: list[int]) -> dict[int, list[int]]:
    """message → the ids that a join table gives it, in its order, each once."""
    found: dict[int, dict[int, None]] = defaultdict(dict)
    try:
        if columns(connection, table):
            for row in _in(connection, f"SELECT message_id, {column} FROM {table}", "message_id", ids):
                if isinstance(row[column], int):
                    found[row["message_id"]][row[column]] = None
    except sqlite3.Error:
        return {}
    return {message: list(others) for message, others in found.items()}


def _attachments(connection: sqlite3.Connection, ids: list[int]) -> dict[int, list[Attachment]]:
    joined = _pairs(connection, "message_attachment_join", "attachment_id", ids)
    wanted = sorted({number for numbers in joined.values() for number in numbers})
    found: dict[int, Attachment] = {}
    try:
        for start in range(0, len(wanted), _BATCH):
            for row in _in(
                connection, "SELECT ROWID AS number, * FROM attachment", "ROWID", wanted[start : start + _BATCH]
            ):
                found[row["number"]] = _attachment({key: row[key] for key in row.keys()})  # noqa: SIM118 - a Row
    except sqlite3.Error:
        pass
    return {message: [found[n] for n in numbers if n in found] for message, numbers in joined.items()}


def _attachment(row: dict[str, Any]) -> Attachment:
    name = str(row.get("transfer_name") or file_name(str(row.get("filename") or "")) or "attachment")
    kind = "sticker" if row.get("is_sticker") else attachment_kind(name, str(row.get("mime_type") or ""))
    return Attachment(name, kind)


def _message(
    book: _Book, number: int, row: sqlite3.Row, chats: list[int], files: list[Attachment], *, gone: bool
) -> Message:
    guid = str(row["guid"])
    from_me = bool(row["is_from_me"])
    sender = book.person(row["handle_id"], from_me=from_me)
    title, chat_id = book.titles.get(chats[0], (None, None)) if chats else (None, None)
    if sender is None and title and len(chats) == 1 and ";-;" in str(chat_id):
        sender = title  # a chat of two: the other one
    summary = read_plist(row["message_summary_info"])
    text, kind = _text_and_kind(book, row, summary, bool(files))
    attachments = (*_voices(row, files), *_extras(row))
    tapbacks = book.tapbacks.pop(guid, [])
    return Message(
        chat=title or book.person(row["handle_id"]) or "Unknown",
        sender=sender,
        text=text,
        timestamp=apple_time(row["date"]),
        kind="deleted" if gone else kind,
        attachments=attachments,
        line=number,
        lines=1 + len(tapbacks),
        chat_id=chat_id,
        source_id=guid,
        reply_to=row["thread_originator_guid"] or None,
        from_me=from_me,
        edited=bool(row["date_edited"]) and kind == "talk",
        reactions=_standing(tapbacks),
    )


def _text_and_kind(book: _Book, row: sqlite3.Row, summary: dict[str, Any], has_files: bool) -> tuple[str, Kind]:
    if row["item_type"]:
        return _notice(book, row), "system"
    text = row["text"] if isinstance(row["text"], str) and row["text"] else attributed_text(row["attributedBody"])
    retracted = row["date_retracted"] or summary.get("rp")
    if not text and row["date_edited"] and not retracted:
        text = edited_text(summary)
    text = (text or "").replace(_OBJECT, "").strip()
    if row["balloon_bundle_id"]:
        text = text.replace(_APP, "").strip()
    if not text and not has_files and (retracted or row["date_edited"]):
        return "", "deleted"
    return text, "talk"


def _notice(book: _Book, row: sqlite3.Row) -> str:
    """What happened in a group, in words."""
    item, action = row["item_type"], row["group_action_type"] or 0
    if item == 2:
        title = row["group_title"]
        return f"named the conversation “{title}”" if title else "removed the name of the conversation"
    other = book.person(row["other_handle"]) or "someone"
    return _GROUP_ACTIONS.get((item, action), _ITEM_TYPES.get(item, "changed the conversation")).format(
        other=other
    )


def _voices(row: sqlite3.Row, files: list[Attachment]) -> tuple[Attachment, ...]:
    return tuple(Attachment(f.name, "voice") if row["is_audio_message"] else f for f in files)


def _extras(row: sqlite3.Row) -> tuple[Attachment, ...]:
    """The subject line and the app of a message, which are no part of its text."""
    found = []
    if row["subject"]:
        found.append(Attachment(str(row["subject"]), "subject"))
    bundle = str(row["balloon_bundle_id"] or "")
    if bundle and "URLBalloonProvider" not in bundle:
        found.append(Attachment(bundle.rpartition(":")[2].rpartition(".")[2] or bundle, "app"))
    return tuple(found)


def _standing(tapbacks: list[_Tapback]) -> tuple[str, ...]:
    """The reactions that were not taken back."""
    standing: dict[tuple[str | None, str], str] = {}
    for tapback in sorted(tapbacks, key=lambda t: (t.moment or APPLE_EPOCH, t.row)):
        key = (tapback.who, tapback.label)
        if tapback.removed:
            standing.pop(key, None)
        else:
            standing[key] = f"{tapback.label} {tapback.who or ''}".strip()
    return tuple(standing.values())


def _bare_guid(value: object) -> str:
    """The message that a tapback is on: "p:0/GUID", "bp:GUID" or the plain GUID."""
    return str(value or "").rpartition("/")[2].removeprefix("bp:")


def apple_time(value: object) -> datetime | None:
    """Seconds or nanoseconds since 2001, whichever the size says; 0 is none."""
    if not isinstance(value, int | float) or not value:
        return None
    seconds = value if abs(value) < _SECONDS_BELOW else value / 10**9
    try:
        return APPLE_EPOCH + timedelta(seconds=round(seconds, 6))
    except OverflowError:
        return None


IMESSAGE = IMessage()
