"""Signal on Android, written by signalbackup-tools with `--exportcsv`: the app's own table of messages.

People and chats are numbers in it; their names are read from `recipient.csv`, `thread.csv` and `groups.csv` where
these tables lie beside it. What a row is says its `type`: its lowest five bits tell calls, notices, received and
sent ones apart, higher ones mark changes of keys and groups, whose text is data of the app. Counted are lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from importers.base import ME, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.csv_rows import Row, csv_rows
from importers.guard import converted, guarded
from importers.siblings import sibling
from importers.signalbackup import BACKUP
from importers.source import Source
from importers.text import clean, head_text, looks_binary
from importers.times import from_epoch

_NEEDED = frozenset(("_id", "thread_id", "type", "body"))
_OLD = {"msg_box": "type", "date": "date_sent", "address": "recipient_id", "from_recipient_id": "recipient_id"}
_NOTHING = frozenset(("", "(NULL)", "NULL"))
_BASE = 0x1F
_SENT = range(21, 28)
_NOTICES = 0xFF00 | 0x10000 | 0x20000 | 0x40000 | 0x400000  # keys; changes of groups and timers; ended sessions
_CALLS = {
    1: "incoming voice call", 2: "outgoing voice call", 3: "missed voice call", 8: "missed video call",
    10: "incoming video call", 11: "outgoing video call", 12: "group call",
}  # fmt: skip
_NAMES = (
    "nickname_joined_name", "system_joined_name", "system_display_name", "profile_joined_name",
    "signal_profile_name", "profile_given_name", "username", "e164", "phone", "email",
)  # fmt: skip
_EARLIER = "This is an earlier version of a message that was edited."


class SignalBackupCsv:
    """The importer of signalbackup-tools' table of messages."""

    name = "signalbackup-csv"
    platform = "signal"
    title = "Signal for Android (signalbackup-tools, CSV)"
    patterns = ("message.csv", "*.csv")
    how_to_export = (
        *BACKUP,
        "Run `signalbackup-tools signal-DATE.backup PASSPHRASE --exportcsv message=message.csv`, and again with "
        "`recipient=recipient.csv`, `thread=thread.csv` and `groups=groups.csv` to have the names.",
        "Put the files into one folder and choose it here; `--exporthtml` gives the attachments' names too.",
    )

    def recognise(self, source: Source) -> float:
        """By the names of the columns, which are those of Signal's own table."""
        if source.members() or source.suffix != "csv" or looks_binary(source.head):
            return 0.0
        found = {_OLD.get(name, name) for name in head_text(source).partition("\n")[0].strip().lower().split(",")}
        return 0.95 if found >= _NEEDED and {"date_sent", "date_received"} <= found else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the rows in the table's order; of a folder, those of the table in it."""
        table = next((m for m in source.members() if self.recognise(m)), source)
        return guarded(_read(table, options.me or ME))


SIGNAL_BACKUP_CSV = SignalBackupCsv()


@dataclass(slots=True)
class _Names:
    """What people and chats are called, by their numbers."""

    people: dict[str, str] = field(default_factory=dict)
    chats: dict[str, str] = field(default_factory=dict)

    def person(self, number: str | None) -> str | None:
        """The name; a number where there is none."""
        return None if number is None else self.people.get(number) or f"Contact {number}"

    def chat(self, thread: str | None) -> str:
        """The name of the one it is with, or of the group."""
        return self.people.get(self.chats.get(thread or "", "")) or f"Chat {thread or 0}"


def _read(source: Source, me: str) -> Iterator[Item]:
    yield Facts()
    names = _Names()
    for file in ("recipient.csv", "groups.csv", "thread.csv"):
        _learn(names, file, sibling(source, file))
    passed = 0
    for found in _records(source):
        if isinstance(found, Problem):
            yield found
        elif isinstance(found, int):
            passed += found
        else:
            row, lines = found[0], found[0].lines + passed
            passed = 0
            yield from converted([(row.line, found[1])], partial(_item, names, me, lines), lost=lines)
    if passed:
        yield Problem(1, "These lines hold no message.", skipped=passed)


def _learn(names: _Names, file: str, table: Source | None) -> None:
    for found in _records(table) if table is not None else ():
        if not isinstance(found, tuple):
            continue
        record = found[1]
        key = record.get("recipient_id") or record.get("thread_recipient_id")
        if file == "thread.csv":
            names.chats[record.get("_id", "")] = key or ""
        elif file == "groups.csv":
            if key and record.get("title"):
                names.people[key] = record["title"]
        elif name := next((record[n] for n in _NAMES if record.get(n)), None):
            names.people[record.get("_id", "")] = name


def _records(source: Source) -> Iterator[Problem | int | tuple[Row, dict[str, str]]]:
    """The rows by the names of their columns, without what is NULL; a number for lines that hold none."""
    columns: list[str] = []
    for row in csv_rows(source):
        if isinstance(row, Problem):
            yield row
        elif not columns or not any(row.cells):
            columns = columns or [_OLD.get(name.strip().lower(), name.strip().lower()) for name in row.cells]
            yield row.lines
        elif len(row.cells) < 2:
            yield Problem(row.line, "This line has too few columns.", excerpt(",".join(row.cells)), row.lines)
        else:
            cells = zip(columns, row.cells, strict=False)
            yield row, {name: clean(cell) for name, cell in cells if cell not in _NOTHING}


def _item(names: _Names, me: str, lines: int, number: int, record: dict[str, str]) -> Iterator[Item]:
    newest = record.get("latest_revision_id")
    if newest and newest != record.get("_id"):
        yield Problem(number, _EARLIER, excerpt(record.get("body", "")), lines, lost=False)
        return
    sort = int(record.get("type") or 20)
    base = sort & _BASE
    mine = base in _SENT or base in (2, 11)
    kind, text = _said(record, sort, base)
    talk = kind != "system"
    yield Message(
        chat=names.chat(record.get("thread_id")),
        sender=(me if mine else names.person(record.get("recipient_id"))) if talk else None,
        text=text,
        timestamp=from_epoch(record.get("date_sent") or record.get("date_received"), 1000),
        kind=kind,
        line=number,
        lines=lines,
        chat_id=record.get("thread_id"),
        source_id=record.get("_id"),
        from_me=mine if talk else None,
        edited="original_message_id" in record,
    )


def _said(record: dict[str, Any], sort: int, base: int) -> tuple[Kind, str]:
    """What kind of row it is, and its words; those of notices are data of the app."""
    if base in _CALLS:
        return "event", _CALLS[base]
    if base < 20 or sort & _NOTICES:
        return "system", ""
    return ("deleted" if record.get("remote_deleted") == "1" else "talk"), str(record.get("body", ""))
