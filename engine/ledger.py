"""The ledger: what each import did, with counts, problems and why dates were read as they were.

A row of `file` for each export that was imported, rows of `problem` for what did not become a message. The
counts add up: `new + duplicate + system` messages and the lines `joined` to them and `skipped` are what the
export holds, once messages that `shared` a record with another are taken off.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from engine.store.archive import Archive, Connection
from importers.base import Facts, Message, Problem

Json = dict[str, Any]
KEPT_PROBLEMS = 1_000  # with their lines; beyond that they are only counted
COUNTS = ("new", "duplicate", "system", "skipped", "joined", "shared", "contacts", "named")


@dataclass(slots=True)
class FileReport:
    """What an import did with one export."""

    path: str
    format: str | None
    status: str = "imported"  # imported, partly, failed, unrecognised
    new: int = 0
    duplicate: int = 0
    system: int = 0
    skipped: int = 0
    lost: int = 0  # of those skipped, what was not left out on purpose
    joined: int = 0  # lines beyond the first of their messages
    shared: int = 0  # messages beyond the first of their record
    contacts: int = 0  # of a contact list
    named: int = 0  # senders who got their name from a contact
    date_order: str | None = None
    date_order_reason: str = ""
    timezone: str = ""
    problems: list[Problem] = field(default_factory=list)

    def add_problem(self, problem: Problem) -> None:
        """Count a problem and keep it while there is room."""
        self.skipped += problem.skipped
        self.lost += problem.skipped if problem.lost else 0
        if len(self.problems) < KEPT_PROBLEMS:
            self.problems.append(problem)

    def take_lines(self, message: Message) -> None:
        """Count the lines that a message joins, or that it has none of its own."""
        self.joined += max(0, message.lines - 1)
        self.shared += message.lines == 0

    @property
    def records(self) -> int:
        """Lines or records of the export that are accounted for."""
        return self.new + self.duplicate + self.system + self.skipped + self.joined - self.shared

    def take_facts(self, facts: Facts) -> None:
        """Note what the importer decided about the dates."""
        self.date_order, self.date_order_reason = facts.date_order, facts.date_order_reason

    def settle(self) -> None:
        """Set the status from the counts."""
        if self.new + self.duplicate + self.system + self.contacts == 0 and self.problems:
            self.status = "failed"
        else:
            self.status = "partly" if self.lost else "imported"


def write(db: Connection, file: int, report: FileReport) -> None:
    """Put a report into the ledger under a file number."""
    columns = (
        "id", "path", "format", "status", "date_order", "date_order_reason", "timezone", "imported_at", *COUNTS,
    )  # fmt: skip
    values = (
        file, report.path, report.format, report.status, report.date_order, report.date_order_reason,
        report.timezone, time.strftime("%Y-%m-%dT%H:%M:%S"), *(getattr(report, count) for count in COUNTS),
    )  # fmt: skip
    db.execute(f"INSERT INTO file ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})", values)
    rows = [(file, p.line, p.reason, p.excerpt, p.skipped) for p in report.problems]
    db.executemany("INSERT INTO problem VALUES (?,?,?,?,?)", rows)


def imports(archive: Archive) -> list[Json]:
    """Every import, the newest first: path, format, time, counts, how dates were read, and the problems."""
    problems: dict[int, list[Json]] = {}
    sql = "SELECT file, line, reason, excerpt, skipped FROM problem ORDER BY file, rowid"
    for file, line, reason, excerpt, skipped in archive.rows(sql):
        problems.setdefault(file, []).append(
            {"line": line, "reason": reason, "excerpt": excerpt, "skipped": skipped}
        )
    keys = (
        "id", "path", "format", "status", "date_order", "date_order_reason", "timezone", "imported_at", *COUNTS,
    )  # fmt: skip
    rows = archive.rows(f"SELECT {', '.join(keys)} FROM file ORDER BY id DESC")
    return [{**dict(zip(keys, row, strict=True)), "problems": problems.get(row[0], [])} for row in rows]


def as_json(entries: list[Json]) -> str:
    """Imports as a JSON document, to keep."""
    return json.dumps(entries, ensure_ascii=False, indent=1) + "\n"


def as_text(entries: list[Json]) -> str:
    """Imports as plain text, to keep."""
    return "\n\n".join("\n".join(_lines(entry)) for entry in entries) + "\n"


def _lines(entry: Json) -> Iterator[str]:
    yield f"{entry['imported_at']}  {entry['path']}"
    if entry["contacts"]:
        yield f"{entry['contacts']:,} contacts, {entry['named']:,} senders got their name"
    else:
        yield (
            f"{entry['format']}, {entry['status']}: {entry['new']:,} new, {entry['duplicate']:,} already there, "
            f"{entry['system']:,} notices, {entry['skipped']:,} skipped, {entry['joined']:,} lines joined"
        )
    if entry["date_order"]:
        yield f"dates read as {entry['date_order']}: {entry['date_order_reason']}"
    if entry["timezone"]:
        yield f"clocks read in {entry['timezone']}"
    for problem in entry["problems"]:
        where = f"line {problem['line']:,}: " if problem["line"] else ""
        quoted = f"  “{problem['excerpt']}”" if problem["excerpt"] else ""
        yield f"  {where}{problem['reason']}{quoted}"
