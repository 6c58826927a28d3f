"""Sessions and turns of the chats that an import touched, written to the archive and appended to the index.

Only what the new messages can have changed is cut again: from the session before the earliest of them
to the first old session start that still stands after the last of them.
"""

import contextlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import apsw
import numpy as np

from engine.index import Index, NewDocuments
from engine.job import Job
from engine.segment import AI_PLATFORMS, Row, cut_sessions, cut_turns
from engine.store import messages
from engine.store.archive import rows_of
from engine.text import count_words

BATCH = 50_000  # turns appended to the index at once: bounds memory, and keeps segments few


@dataclass(slots=True)
class _Pending:
    """Turns waiting to be appended; the first of them will be document `first`."""

    first: int
    texts: list[str] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    columns: "array[int]" = field(default_factory=lambda: array("q"))  # session, chat, sender, time, words of name
    rows: list[tuple[int, int, int, int, int, bytes]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Chat:
    id: int
    language: str
    ai: bool


class TurnWriter:
    """Cuts chats anew and keeps turn table and index in step. Works inside the caller's transaction."""

    def __init__(self, db: apsw.Connection, index: Index, job: Job) -> None:
        self._db = db
        self._index = index
        self._job = job
        self._pending = _Pending(len(index))
        senders = rows_of(db, "SELECT id, name FROM sender")
        self._names = {sender: (f"{name} ", len(name.split())) for sender, name in senders}
        self._users = messages.user_senders(db)
        self._next_session = int(next(db.execute("SELECT coalesce(max(id), -1) + 1 FROM session"))[0])
        self._next_session = max(self._next_session, index.session_count)

    def refresh(self, chat: int, first_new: int) -> None:
        """Cut a chat again where messages with ids from `first_new` on fall."""
        info = self._chat(chat)
        # The plus keeps SQLite from reading the whole chat: the new ids are the short way in.
        new = "FROM message WHERE +chat = ? AND id >= ?"
        stream = self._db.execute(
            f"SELECT order_time, id, count(*) OVER () {new} AND conversation IS NULL "
            "ORDER BY order_time, id LIMIT 1",
            (chat, first_new),
        ).fetchone()
        if stream:
            self._refresh_stream(info, (stream[0], stream[1]), first_new, stream[2])
        own = f"SELECT DISTINCT conversation {new} AND conversation IS NOT NULL"
        for (conversation,) in rows_of(self._db, own, chat, first_new):
            old = "SELECT id FROM session WHERE chat = ? AND conversation = ?"
            self._bury(r[0] for r in rows_of(self._db, old, chat, conversation))
            rows = messages.conversation_rows(self._db, chat, conversation, self._users)
            self._write_session(info, rows, conversation)

    def forget(self, chat: int) -> None:
        """Take all sessions of a chat out of the index; `refresh` from 0 makes them again."""
        self._bury([r[0] for r in rows_of(self._db, "SELECT id FROM session WHERE chat = ?", chat)])

    def _chat(self, chat: int) -> _Chat:
        sql = "SELECT language, platform FROM chat WHERE id = ?"
        language, platform = next(self._db.execute(sql, (chat,)))
        return _Chat(chat, language, platform in AI_PLATFORMS)

    def _refresh_stream(self, chat: _Chat, earliest: tuple[int, int], first_new: int, count: int) -> None:
        sql = (
            "SELECT start_time, start_message FROM session WHERE chat = ? AND conversation IS NULL "
            "AND (start_time, start_message) <= (?, ?) ORDER BY start_time DESC, start_message DESC LIMIT 1"
        )
        start = self._db.execute(sql, (chat.id, *earliest)).fetchone() or earliest
        old = {
            (time, message): session
            for session, time, message in self._db.execute(
                "SELECT id, start_time, start_message FROM session WHERE chat = ? AND conversation IS NULL "
                "AND (start_time, start_message) >= (?, ?)",
                (chat.id, *start),
            )
        }
        stop: tuple[int, int] | None = None
        with contextlib.closing(messages.rows_from(self._db, chat.id, start, self._users)) as rows:
            for session in cut_sessions(rows):
                begin = (session[0].time, session[0].id)
                if count == 0 and begin in old:
                    stop = begin
                    break
                if old:
                    count -= sum([r.id >= first_new for r in session])
                self._write_session(chat, session, None)
        self._bury(number for begin, number in old.items() if stop is None or begin < stop)

    def _bury(self, sessions: Iterable[int]) -> None:
        for session in sessions:
            docs = [r[0] for r in rows_of(self._db, "SELECT id FROM turn WHERE session = ?", session)]
            self._index.bury(docs)
            self._db.execute("DELETE FROM turn WHERE session = ?", (session,))
            self._db.execute("DELETE FROM session WHERE id = ?", (session,))

    def _write_session(self, chat: _Chat, rows: Sequence[Row], conversation: str | None) -> None:
        if not rows:
            return
        number, self._next_session = self._next_session, self._next_session + 1
        self._db.execute(
            "INSERT INTO session VALUES (?, ?, ?, ?, ?)", (number, chat.id, conversation, rows[0].time, rows[0].id)
        )
        for turn in cut_turns(rows, ai=chat.ai):
            self._add_turn(chat, number, turn)
        if len(self._pending.rows) >= BATCH:
            self.flush()
        self._job.check()

    def _add_turn(self, chat: _Chat, session: int, turn: Sequence[Row]) -> None:
        pending, first = self._pending, turn[0]
        text, ids = first.text, first.id.to_bytes(8, "little")
        if len(turn) > 1:
            text = "\n".join([r.text for r in turn])
            ids = b"".join([r.id.to_bytes(8, "little") for r in turn])
        document = pending.first + len(pending.rows)
        name, words_of_name = ("", 0) if chat.ai else self._names[first.sender]
        pending.texts.append(name + text)
        pending.languages.append(chat.language)
        pending.columns.extend((session, chat.id, first.sender, first.time, words_of_name))
        pending.rows.append((document, session, chat.id, first.sender, first.id, ids))

    def flush(self) -> None:
        """Append what is pending to the index and the turn table."""
        pending = self._pending
        if pending.rows:
            self._db.executemany("INSERT INTO turn VALUES (?, ?, ?, ?, ?, ?)", pending.rows)
            columns = np.frombuffer(pending.columns, np.int64).reshape(-1, 5)
            session, chat, sender, time, words_of_name = columns.T
            self._index.append(
                NewDocuments(
                    pending.texts,
                    pending.languages,
                    session.astype(np.int32),
                    chat.astype(np.int32),
                    sender.astype(np.int32),
                    np.ascontiguousarray(time),
                    (count_words(pending.texts) - words_of_name).astype(np.int32),
                )
            )
        self._pending = _Pending(len(self._index))

    def rebuild(self) -> Iterator[int]:
        """Cut every chat from its messages; yields each chat when it is done. The tables must be empty."""
        for (chat,) in rows_of(self._db, "SELECT id FROM chat ORDER BY id"):
            self.refresh(chat, 0)
            yield chat
        self.flush()
