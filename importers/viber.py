"""Viber: the CSV of one chat that the phone mails ("Email message history") and older desktops write.

Columns are date, time, name, number and text, without a header, between commas or tabs; a later version writes
each as a formula for a spreadsheet (`="17/08/2014"`). The order of day and month is the phone's and is decided
once for the file. Counted are lines. Times are the phone's wall clock.
"""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import PurePosixPath

from importers.base import Attachment, Facts, Item, Message, Options, Problem, excerpt
from importers.csv_rows import Row, csv_rows
from importers.date_order import EARLIEST, Decision, Hints, Parts, day_of, decide, forced
from importers.guard import guarded
from importers.source import Source
from importers.text import clean, head_text, looks_binary, strip_marks
from importers.times import at, clock_time

_DATE = re.compile(r"(\d{1,4})([/.\-])(\d{1,2})\2(\d{1,4})\.?")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp]\.?\s?[Mm]\.?)?")
_FORMULA = re.compile(r'=\s*"(.*)"', re.DOTALL)
_LINE = re.compile(
    r'(?:=?")?\[?\s?\d{1,4}[/.\-]\d{1,2}[/.\-]\d{1,4}\.?\s?\]?"?[,;\t]\s*(?:=?")?\[?\s?\d{1,2}:\d\d(?::\d\d)?(?:\s?[AaPp][Mm])?\s?\]?"?[,;\t]'
)
_MEDIA = {
    "photo message": "image", "video message": "video", "sticker message": "sticker",
    "location message": "location", "voice message": "voice", "file message": "file", "contact message": "contact",
    "gif message": "gif",
}  # fmt: skip
_ME = frozenset({"Me", "Я", "Ich", "Moi", "Yo", "Io", "Eu", "Ja", "Аз", "Εγώ", "Én", "Jag", "Jeg"})


class Viber:
    """The importer of Viber's message history."""

    name = "viber"
    platform = "viber"
    title = "Viber"
    patterns: tuple[str, ...] = ("*.csv", "Viber messages.zip")
    how_to_export: tuple[str, ...] = (
        "In Viber on the phone choose More → Settings → Calls and messages → Email message history.",
        "Send the archive to yourself and save it on this computer.",
        "Choose the zip here: it has one CSV file a chat.",
    )

    def recognise(self, source: Source) -> float:
        """By lines of date, time and at least three more columns."""
        if source.suffix not in {"csv", "txt", "tsv"} or looks_binary(source.head):
            return 0.0
        lines = [strip_marks(line) for line in head_text(source).splitlines()[:3]]
        if not any(map(_LINE.match, lines)):
            return 0.0
        rows = [row for row, _ in zip(_rows(source), range(50), strict=False) if isinstance(row, Row)]
        good = sum(1 for row in rows if len(row.cells) >= 5 and _parts(row.cells[0]) is not None)
        return 0.85 if good >= 0.5 * len(rows) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source, options))


def _items(source: Source, options: Options) -> Iterator[Item]:
    decision = _decision(source, options)
    yield Facts(decision.order, decision.reason, decision.is_guess, decision.other_orders, naive_times=True)
    chat = clean(PurePosixPath(source.basename).stem)
    passed = 0
    for row in _rows(source):
        if isinstance(row, Problem):
            yield row
        elif not any(cell.strip() for cell in row.cells) or (row.line == 1 and _parts(row.cells[0]) is None):
            passed += row.lines
        elif len(row.cells) < 4 or _parts(row.cells[0]) is None:
            yield Problem(
                row.line,
                "This line is not of date, time, name, number and text.",
                excerpt(",".join(row.cells)),
                row.lines,
            )
        else:
            yield from _message(chat, options.me, decision, row, passed)
            passed = 0
    if passed:
        yield Problem(1, "These lines hold no message.", skipped=passed)


def _rows(source: Source) -> Iterator[Row | Problem]:
    """Rows with the formulas' wrapping taken off."""
    first = next((line for line in head_text(source).splitlines() if _LINE.match(strip_marks(line))), "")
    delimiter = max(",;\t", key=first.count)
    for row in csv_rows(source, delimiter=delimiter):
        yield row if isinstance(row, Problem) else row._replace(cells=[_bare(cell) for cell in row.cells])


def _bare(cell: str) -> str:
    """A cell without a formula's wrapping: `="Me"`, also where its closing quote has been eaten by the CSV."""
    found = _FORMULA.fullmatch(cell.strip())
    if found:
        return found[1].replace('""', '"')
    return cell


def _parts(text: str) -> Parts | None:
    found = _DATE.fullmatch(strip_marks(text).strip(" []"))
    if not found:
        return None
    numbers = (found[1], found[3], found[4])
    return Parts(
        (int(numbers[0]), int(numbers[1]), int(numbers[2])),
        (len(numbers[0]), len(numbers[1]), len(numbers[2])),
        found[2],
    )


def _decision(source: Source, options: Options) -> Decision:
    """The order of day and month, from all dates of the file."""
    dates: list[Parts] = []
    twelve = False
    for row in _rows(source):
        parts = _parts(row.cells[0]) if isinstance(row, Row) and len(row.cells) > 1 else None
        if parts and isinstance(row, Row):
            twelve = twelve or row.cells[1].strip(" []").upper().endswith("M")
            if not dates or dates[-1] != parts:
                dates.append(parts)
    latest = source.modified.date() if source.modified else None
    hints = Hints(latest, EARLIEST, twelve_hours=twelve, upper_case_clock=twelve)
    return decide(dates, hints) if options.date_order == "auto" else forced(options.date_order, dates, hints)


def _message(chat: str, me: str | None, decision: Decision, row: Row, passed: int) -> Iterator[Item]:
    parts = _parts(row.cells[0])
    today: date | None = day_of(parts, decision.order, decision.calendar) if parts else None
    moment = at(today, clock_time(row.cells[1].strip(" []")))
    sender = clean(strip_marks(row.cells[2]).strip(" []")) or clean(row.cells[3].strip(" []")) or None
    text = clean(",".join(row.cells[4:]) if len(row.cells) > 4 else "").rstrip()
    media = _MEDIA.get(text.strip("[]() ").lower())
    yield Message(
        chat, sender, text, moment, "talk" if sender else "system", (Attachment(text, media),) if media else (),
        row.line, row.lines + passed,
        from_me=sender == me if me else sender in _ME or None,
    )  # fmt: skip
    if moment is None:
        yield Problem(
            row.line, "The date of this message could not be read; it is kept without.", row.cells[0][:80], 0
        )


VIBER = Viber()
