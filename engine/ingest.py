"""From an export to the archive: one transaction an export, every line accounted for in the ledger."""

from collections.abc import Iterator
from datetime import datetime, tzinfo
from typing import Any

from engine import ledger
from engine.index import Index
from engine.job import Job
from engine.languages import guess_language
from engine.ledger import FileReport
from engine.people import name_senders
from engine.store import messages
from engine.store.archive import Archive, rows_of
from engine.store.arrays import IndexStore
from engine.store.twins import Twins
from engine.turns import TurnWriter
from importers.base import Importer, Item, Message, Options, Problem
from importers.source import Source, SourceError

BATCH = 5_000
CHECK_EVERY = 1_000  # items between two looks at whether the person stopped it
LANGUAGE_SAMPLE = 2_000


def read_items(importer: Importer, source: Source, options: Options) -> Iterator[Item]:
    """The importer's items; a place that cannot be read is a problem like any other."""
    try:
        yield from importer.read(source, options)
    except SourceError as error:
        yield Problem(0, str(error), skipped=0)
    except OSError as error:
        yield Problem(0, f"The file could not be read to its end: {error.strerror or error}.", skipped=0)


class Ingest:
    """Imports one export into the archive. `index` is appended to; the caller swaps it in after success.

    Raises Overtaken when the archive is no longer the one that was `seen` when the index was loaded.
    """

    def __init__(
        self,
        archive: Archive,
        store: IndexStore,
        index: Index,
        zone: tzinfo,
        job: Job,
        *,
        seen: int | None = None,
    ) -> None:
        self._archive = archive
        self._seen = seen
        self._store = store
        self._index = index
        self._zone = zone
        self._job = job
        self._chats: dict[tuple[str, str], int] = {}
        self._senders: dict[str, int] = {}
        self._keys: dict[int, messages.KeyMaker] = {}
        self._last_time: dict[int, int] = {}
        self._samples: dict[int, list[str]] = {}
        self._moment = datetime.min
        self._moment_is = ("", 0, 0)
        self._twins: dict[int, Twins] = {}
        self._turned: set[int] = set()  # chats that lost messages whose dates had been read in another order
        self._owners: set[tuple[str, str]] = set()
        self._batches: dict[bool, list[tuple[Any, ...]]] = {False: [], True: []}

    def run(self, importer: Importer, source: Source, path: str, options: Options) -> FileReport:
        """Import everything or, when cancelled or failing, nothing."""
        report = FileReport(path, importer.name, timezone=str(self._zone))
        with self._archive.transaction(self._seen) as db:
            self._db = db
            self._known_owners = frozenset(db.execute("SELECT platform, name FROM owner"))
            self._file = self._next("file")
            self._first_new = self._id = self._next("message")
            for count, item in enumerate(read_items(importer, source, options)):
                self._take(item, report, importer.platform, options)
                if count % CHECK_EVERY == 0:
                    self._report(source)
            self._flush(report)
            db.executemany("INSERT OR IGNORE INTO owner VALUES (?, ?)", sorted(self._owners))
            report.named = name_senders(db)
            self._set_languages()
            self._index_new()
            report.settle()
            ledger.write(db, self._file, report)
            self._store.save(self._index)
        return report

    def _next(self, table: str) -> int:
        return int(next(self._db.execute(f"SELECT coalesce(max(id), 0) + 1 FROM {table}"))[0])

    def _report(self, source: Source) -> None:
        done, total = source.progress()
        self._job.report(min(done, total), total, f"{self._id - self._first_new:,} messages read")

    def _take(self, item: Item, report: FileReport, platform: str, options: Options) -> None:
        if isinstance(item, Message):
            self._add(item, platform, options, report)
        elif isinstance(item, Problem):
            report.add_problem(item)
        else:
            report.take_facts(item)
            self._replace_other_order(report)

    def _replace_other_order(self, report: FileReport) -> None:
        """Take out what the same file left when its dates were read in another order."""
        if report.date_order is None:
            return
        sql = "SELECT id FROM file WHERE path = ? AND format = ? AND date_order <> ?"
        for (file,) in rows_of(self._db, sql, report.path, report.format, report.date_order):
            chats = rows_of(self._db, "SELECT DISTINCT chat FROM message WHERE file = ?", file)
            self._turned.update(chat for (chat,) in chats)
            for table, column in (("message", "file"), ("problem", "file"), ("file", "id")):
                self._db.execute(f"DELETE FROM {table} WHERE {column} = ?", (file,))

    def _add(self, message: Message, platform: str, options: Options, report: FileReport) -> None:
        chat = self._chat(platform, message)
        stamp, local, instant = self._times(chat, message.timestamp)
        sender = message.sender or messages.UNKNOWN_SENDER
        if message.lines != 1:
            report.take_lines(message)
        twins = self._twins.get(chat)
        if twins and stamp and twins.take(local, self._sender(sender), message.text):
            report.duplicate += 1
            return
        mine = message.from_me
        if mine is None:
            mine = sender == options.me or (platform, sender) in self._known_owners
        if mine and message.sender:
            self._owners.add((platform, sender))
        row = (
            self._id, chat, self._sender(sender), local, stamp, message.kind, message.text,
            self._keys[chat].key(message, stamp, instant), message.conversation, int(bool(mine)),
            message.source_id, message.reply_to, messages.extra_of(message), self._file, message.line,
        )  # fmt: skip
        self._id += 1
        batch = self._batches[message.kind == "system"]
        batch.append(row)
        if len(batch) >= BATCH:
            self._flush(report)
        sample = self._samples.get(chat)
        if sample is not None and len(sample) < LANGUAGE_SAMPLE and message.kind == "talk":
            sample.append(message.text)

    def _times(self, chat: int, when: datetime | None) -> tuple[str | None, int, int]:
        """Text, wall clock in seconds, and the instant in seconds (the wall clock where there is no zone)."""
        if when is None:
            return None, self._last_time.get(chat, 0), 0
        if when != self._moment or when.tzinfo is not self._moment.tzinfo:
            # Exports are nearly sorted, so many messages share a time with the one before.
            clock = messages.wall_clock(when, self._zone)
            local = messages.seconds(clock)
            instant = local if when.tzinfo is None else int(when.timestamp())
            self._moment, self._moment_is = when, (clock.isoformat(), local, instant)
        self._last_time[chat] = self._moment_is[1]
        return self._moment_is

    def _chat(self, platform: str, message: Message) -> int:
        own = message.chat_id or message.chat
        known = self._chats.get((platform, own))
        if known is not None:
            return known
        chat = self._stored_chat(platform, own, message)
        if chat is None:
            chat = self._next("chat")
            title = message.chat or "Unnamed chat"
            self._db.execute("INSERT INTO chat VALUES (?, ?, ?, ?, '')", (chat, platform, own, title))
            self._samples[chat] = []
        else:
            self._twins[chat] = Twins(self._db, chat, self._first_new)
        self._chats[(platform, own)] = chat
        self._keys[chat] = messages.KeyMaker()
        return chat

    def _stored_chat(self, platform: str, own: str, message: Message) -> int | None:
        """The chat of this id; else the only one of this title where one of the two exports has no ids."""
        found = rows_of(self._db, "SELECT id FROM chat WHERE platform = ? AND own_id = ?", platform, own)
        if not found:
            sql = "SELECT id FROM chat WHERE platform = ? AND title = ? AND (own_id = title OR ?)"
            found = rows_of(self._db, sql, platform, message.chat, message.chat_id is None)
        return int(found[0][0]) if len(found) == 1 else None

    def _sender(self, name: str) -> int:
        known = self._senders.get(name)
        if known is None:
            self._db.execute("INSERT OR IGNORE INTO sender (name) VALUES (?)", (name,))
            known = self._senders[name] = int(
                next(self._db.execute("SELECT id FROM sender WHERE name = ?", (name,)))[0]
            )
        return known

    def _flush(self, report: FileReport) -> None:
        for system, batch in self._batches.items():
            added = messages.insert(self._db, batch)
            report.duplicate += len(batch) - added
            if system:
                report.system += added
            else:
                report.new += added
            batch.clear()

    def _set_languages(self) -> None:
        for chat, sample in self._samples.items():
            self._db.execute("UPDATE chat SET language = ? WHERE id = ?", (guess_language(sample), chat))

    def _index_new(self) -> None:
        writer = TurnWriter(self._db, self._index, self._job)
        chats = sorted({*self._chats.values(), *self._turned})
        for done, chat in enumerate(chats):
            self._job.report(done, len(chats), "Indexing")
            if chat in self._turned:
                writer.forget(chat)
            writer.refresh(chat, 0 if chat in self._turned else self._first_new)
        writer.flush()
        self._index.merge_tail()
