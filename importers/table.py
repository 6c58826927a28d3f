"""Any table of messages with named columns: CSV, JSON Lines, or a JSON array of objects.

A record is a row below the heading (numbered as a spreadsheet does, the heading being row 1), a line, or an
element of the array. Columns are guessed by their names
(see `importers.table_columns`) and can be corrected by the person (`Options.columns`). Counts since 1970 are
told apart by their size; dates of three numbers are read in the order that fits the whole file.
"""

import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

from importers.attachment_kind import attachment_kind, file_name
from importers.base import Attachment, Item, Message, Options, Problem, excerpt
from importers.csv_rows import Row, csv_rows
from importers.guard import converted, guarded
from importers.json_stream import MAX_RECORD, OPENED, load, pieces
from importers.source import Source
from importers.table_columns import delimiter, guess, is_chat
from importers.text import guess_encoding, head_text, looks_binary
from importers.written_times import WrittenTimes, survey

_NAMES = ("name", "display_name", "displayName", "username", "nickname", "login", "email", "id")
_ROLES = {"system": "system", "tool": "system", "function": "system"}
_MINE = {"user": True, "human": True, "assistant": False}
_PHONE = frozenset({"number", "phone", "nummer", "número"})
_NAMED = 0.86
"""A heading that names all columns says more than rows that look like those of an app without a heading; but
with a phone number among them it may be Viber's."""
Numbered = tuple[int, dict[str, Any] | Problem]


class Table:
    """The importer of tables with named columns."""

    name = "table"
    platform = "table"
    title = "Table (CSV, JSON Lines, JSON array)"
    patterns = ("*.csv", "*.tsv", "*.jsonl", "*.ndjson", "*.json")
    how_to_export = (
        "Save your messages as CSV with a first row of column names, or as JSON Lines with one object a line.",
        "There must be a column with the words (text, message, content) and one with the sender or the time.",
        "Choose the file here; columns with other names can be assigned before the import.",
    )

    def recognise(self, source: Source) -> float:
        """By the names of the columns."""
        if source.members() or not source.head or looks_binary(source.head):
            return 0.0
        found = guess_columns(source)
        if not is_chat(found) or (not _is_json(source) and not _is_even(source)):
            return 0.0
        if "sender" not in found or not {"time", "date"} & found.keys():
            return 0.5
        named = not _is_json(source) and not any(c.lower() in _PHONE for c in columns(source))
        return _NAMED if named else 0.55

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then a message or a problem for each record."""
        return guarded(_read(source, options))


TABLE = Table()


def columns(source: Source) -> tuple[str, ...]:
    """The names of the table's columns, from its heading or first records."""
    if _is_json(source):
        return tuple(dict.fromkeys(_first_keys(source)))
    heading = next(csv_rows(source, delimiter=delimiter(source)), None)
    return tuple(heading.cells) if isinstance(heading, Row) else ()


def guess_columns(source: Source) -> dict[str, str]:
    """Our field to their column, as far as the names tell; for the dialog and for `Options.columns`."""
    return guess(columns(source))


def _is_json(source: Source) -> bool:
    return head_text(source).lstrip()[:1] in ("{", "[")


def _is_even(source: Source) -> bool:
    """Whether most of the first rows have the columns of the heading: prose with commas has not."""
    first = islice(csv_rows(source, delimiter=delimiter(source)), 20)
    widths = [len(row.cells) for row in first if isinstance(row, Row) and row.cells]
    return len(widths) > 1 and sum(w >= widths[0] > 1 for w in widths) > 0.6 * len(widths)


def _first_keys(source: Source) -> Iterator[str]:
    """The keys of the complete objects among the first bytes, in their order."""
    text = head_text(source).lstrip()
    decoder = json.JSONDecoder(strict=False)
    at = 1 if text.startswith("[") else 0
    for _ in range(50):
        at += len(text[at:]) - len(text[at:].lstrip(" \t\r\n,"))
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return
        yield from (str(key) for key in (value if isinstance(value, dict) else ()))


def _read(source: Source, options: Options) -> Iterator[Item]:
    chosen = {k: v for k, v in {**guess_columns(source), **options.columns}.items() if v}
    times = survey((_when(r, chosen) for _, r in _records(source) if isinstance(r, dict)), options.date_order,
                   source.modified)  # fmt: skip
    yield times.facts()
    if not is_chat(chosen):
        yield Problem(
            1, "The table has no column with words and a sender or time. Assign the columns first.", "", 0
        )
        return
    maker = _Maker(PurePosixPath(source.name).stem, chosen, times, options)
    yield from converted(_records(source), maker.items)


class _Maker:
    """Makes messages of records, by the chosen columns."""

    def __init__(self, title: str, chosen: dict[str, str], times: WrittenTimes, options: Options) -> None:
        self._title = title
        self._chosen = chosen
        self._times = times
        self._options = options

    def items(self, number: int, record: dict[str, Any] | Problem) -> Iterator[Item]:
        """A message, and a remark where its time cannot be read."""
        if isinstance(record, Problem):
            yield record
            return
        when = _when(record, self._chosen)
        moment = self._times.read(when)
        sender = self._get(record, "sender") or None
        conversation = self._get(record, "conversation") or None
        if when and moment is None:
            yield Problem(
                number, "The time of this record could not be read; it is kept without.", excerpt(when), 0
            )
        yield Message(
            chat=self._get(record, "chat") or self._title,
            sender=sender,
            text=self._get(record, "text"),
            timestamp=moment,
            kind="system" if self._chosen.get("sender") == "role" and sender in _ROLES else "talk",
            attachments=tuple(_attachments(record.get(self._chosen.get("attachment", "")))),
            line=number,
            chat_id=conversation,
            conversation=conversation,
            source_id=self._get(record, "id") or None,
            reply_to=self._get(record, "reply_to") or None,
            from_me=self._from_me(sender),
        )

    def _get(self, record: dict[str, Any], field: str) -> str:
        return _plain(record.get(self._chosen.get(field, "")))

    def _from_me(self, sender: str | None) -> bool | None:
        if self._options.me:
            return sender == self._options.me
        return _MINE.get(sender or "") if self._chosen.get("sender") == "role" else None


def _when(record: dict[str, Any], chosen: dict[str, str]) -> str:
    """The day and the time of day, where they stand apart, as one text."""
    parts = (_plain(record.get(chosen.get(field, ""))) for field in ("date", "time"))
    day, time = parts
    return time if time and len(time) > 12 else " ".join(filter(None, (day, time)))


def _plain(value: Any) -> str:
    """A cell as text: objects give their name, lists their texts."""
    if value is None or isinstance(value, bool):
        return ""
    if isinstance(value, dict):
        named = next((value[n] for n in _NAMES if isinstance(value.get(n), str)), None)
        return named or (value["text"] if isinstance(value.get("text"), str) else "")
    if isinstance(value, list):
        return "\n".join(filter(None, (v if isinstance(v, str) else _plain_leaf(v) for v in value)))
    return str(value)


def _plain_leaf(value: Any) -> str:
    return value["text"] if isinstance(value, dict) and isinstance(value.get("text"), str) else ""


def _attachments(value: Any) -> Iterator[Attachment]:
    entries = value if isinstance(value, list) else [value]
    for entry in entries:
        for name in _plain(entry).split("\n"):
            if name.strip():
                yield Attachment(file_name(name.strip()) or name.strip(), attachment_kind(name.strip()))


def _records(source: Source) -> Iterator[Numbered]:
    """Each record with its number, or the problem in its place."""
    if not _is_json(source):
        yield from _csv_records(source)
    elif head_text(source).lstrip().startswith("["):
        for piece in pieces((source,), {""}, {"item"}):
            if isinstance(piece, Problem):
                yield piece.line, piece
            elif piece.value is not OPENED:
                yield piece.number, _object(piece.number, piece.value)
    else:
        yield from _json_lines(source)


def _object(number: int, value: Any) -> dict[str, Any] | Problem:
    return value if isinstance(value, dict) else Problem(number, "This is no object.", excerpt(str(value)[:200]))


def _json_lines(source: Source) -> Iterator[Numbered]:
    number = 0
    with source.open() as raw, io.TextIOWrapper(raw, guess_encoding(source.head), "replace") as stream:
        for line in iter(lambda: stream.readline(MAX_RECORD), ""):
            if not line.strip():
                continue
            number += 1
            try:
                yield number, _object(number, load(line.encode("utf-8", "replace")))
            except (ValueError, RecursionError):
                yield number, Problem(number, "This line is no complete JSON.", excerpt(line))


def _csv_records(source: Source) -> Iterator[Numbered]:
    mark = delimiter(source)
    heading: list[str] | None = None
    for number, row in enumerate(csv_rows(source, delimiter=mark), 1):
        if isinstance(row, Problem):
            yield number, Problem(number, row.reason)
        elif heading is None:
            heading = row.cells
        elif row.cells:
            yield number, _record(number, row.cells, heading, mark)


def _record(number: int, cells: list[str], heading: list[str], mark: str) -> dict[str, Any] | Problem:
    if len(cells) > len(heading):  # a delimiter in the last column that nobody quoted
        cells = [*cells[: len(heading) - 1], mark.join(cells[len(heading) - 1 :])]
    elif 1 == len(cells) < len(heading):
        return Problem(number, "This row has one column only.", excerpt(cells[0]))
    return dict(zip(heading, cells, strict=False))
