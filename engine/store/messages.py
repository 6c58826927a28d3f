"""Messages in the archive: keys that recognise them again, writing them, reading them back."""

import contextlib
import hashlib
import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any

import apsw

from engine.segment import USER_NAMES, Row
from importers.base import Message

EPOCH = datetime(1970, 1, 1)
UNKNOWN_SENDER = ""


def wall_clock(moment: datetime, zone: tzinfo) -> datetime:
    """The time a person saw on the clock: as written, or the instant in their zone."""
    return moment if moment.tzinfo is None else moment.astimezone(zone)


def seconds(moment: datetime) -> int:
    """A wall clock as seconds since 1970, whatever its zone."""
    return int(((moment if moment.tzinfo is None else moment.replace(tzinfo=None)) - EPOCH).total_seconds())


def moment(seconds_since: int) -> datetime:
    """The wall clock of `seconds`."""
    return datetime.fromtimestamp(seconds_since, UTC).replace(tzinfo=None)


def indexed_text(text: str, extra: str | None) -> str:
    """The words of a message and the names of what hangs on it."""
    if not extra:
        return text
    names = " ".join(a["name"] for a in json.loads(extra).get("attachments", ()) if a["name"] not in text)
    return f"{text} {names}" if names else text


@dataclass(slots=True)
class KeyMaker:
    """Keys of one chat's messages in one export.

    A key is the message's time and a hash: of the export's own id where it has one, else of sender, time,
    text and which occurrence of these three it is. Occurrences are counted within one time, so memory does
    not grow with the chat; the time in front keeps the keys' index in order, which makes writing it cheap.
    """

    _time: str | None = None
    _seen: dict[bytes, int] = field(default_factory=dict)
    _timeless: dict[bytes, int] = field(default_factory=dict)

    def key(self, message: Message, timestamp: str | None, instant: int) -> bytes:
        """21 bytes that are equal for the same message in a later export.

        Args:
            message: the message.
            timestamp: its time as text, None where it has none.
            instant: seconds since 1970, the same in every export whatever zone it was imported in.
        """
        prefix = (instant + _TIME_SHIFT).to_bytes(5, "big")
        if message.source_id:
            own = f"id\x1f{message.source_id}".encode("utf-8", "replace")
            return prefix + hashlib.blake2b(own, digest_size=16).digest()
        names = ",".join([a.name for a in message.attachments]) if message.attachments else ""
        parts = f"{message.sender}\x1f{message.text}\x1f{message.kind}\x1f{names}".encode("utf-8", "replace")
        digest = hashlib.blake2b(parts, digest_size=16).digest()
        seen = self._timeless
        if timestamp is not None:
            if timestamp != self._time:
                self._time, self._seen = timestamp, {}
            seen = self._seen
        count = seen[digest] = seen.get(digest, -1) + 1
        if count:
            digest = hashlib.blake2b(digest + count.to_bytes(4, "big"), digest_size=16).digest()
        return prefix + digest


_TIME_SHIFT = 2**39  # makes times before 1970 positive


def extra_of(message: Message) -> str | None:
    """Attachments, reactions and edit mark as JSON, None where there are none."""
    if not (message.attachments or message.reactions or message.edited):
        return None
    extra: dict[str, Any] = {}
    if message.attachments:
        extra["attachments"] = [{"name": a.name, "kind": a.kind} for a in message.attachments]
    if message.reactions:
        extra["reactions"] = list(message.reactions)
    if message.edited:
        extra["edited"] = True
    return json.dumps(extra, ensure_ascii=False)


INSERT = "INSERT OR IGNORE INTO message VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"


def insert(db: apsw.Connection, rows: Sequence[tuple[Any, ...]]) -> int:
    """Write messages, passing over those whose key is there; returns how many are new."""
    before = db.total_changes()
    db.executemany(INSERT, rows)
    return int(db.total_changes() - before)


_ROW = "SELECT id, sender, order_time, kind, text, from_me, extra FROM message WHERE chat = ? "


def rows_from(
    db: apsw.Connection, chat: int, start: tuple[int, int], users: frozenset[int]
) -> Generator[Row, None, None]:
    """Messages of a chat without own conversation, from a point (time, id) of its order on.

    To be closed by who does not read to the end. The cursor is closed by hand because apsw (3.54.0) loses count
    of who holds a cursor while another one is used; left open, it would keep an old state of the archive.
    """
    sql = _ROW + "AND conversation IS NULL AND (order_time, id) >= (?, ?) ORDER BY order_time, id"
    with contextlib.closing(db.execute(sql, (chat, *start))) as found:
        for r in found:
            # As they are where nothing is to be done, because every import reads all its messages here.
            yield tuple.__new__(Row, r[:-1]) if r[-1] is None and r[1] not in users else _row(r, users)


def conversation_rows(db: apsw.Connection, chat: int, conversation: str, users: frozenset[int]) -> list[Row]:
    """Messages of one conversation or thread, in order."""
    sql = _ROW + "AND conversation = ? ORDER BY order_time, id"
    return [_row(r, users) for r in db.execute(sql, (chat, conversation))]


def _row(r: tuple[Any, ...], users: frozenset[int]) -> Row:
    number, sender, time, kind, text, from_me, extra = r
    return Row(number, sender, time, kind, indexed_text(text, extra), bool(from_me) or sender in users)


def user_senders(db: apsw.Connection) -> frozenset[int]:
    """Senders that stand for the person in AI chats."""
    marks = ",".join("?" * len(USER_NAMES))
    return frozenset(r[0] for r in db.execute(f"SELECT id FROM sender WHERE name IN ({marks})", tuple(USER_NAMES)))
