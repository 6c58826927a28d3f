"""Commands on the archive: import, parse, formats, stats, imports, search, verify, erase."""

import argparse
import os
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from app.cli_console import ProgressLine, print_json, print_json_lines, say, secret, shown
from engine import ledger, reading, shapes
from engine.columns import written_columns
from engine.errors import ArchiveLocked, KnownError
from engine.home import Home
from engine.ingest import read_items
from engine.ledger import FileReport
from engine.library import ImportReport, Library
from engine.reading import ImportOptions
from engine.types import Filters
from importers.base import Message, Problem
from importers.registry import IMPORTERS

RECOVERY_HINT = (
    "Only this computer's keyring opens the archive: “backscroll recovery-key” makes a key to write down, which "
    "opens it when the keyring is lost."
)
Commands = Any  # argparse keeps the type of its sub-parsers to itself


def add_parser(commands: Commands) -> None:
    """The archive's commands."""
    _add_import(commands)
    _add_parse(commands)
    _add_plain(commands, "formats", "the chat exports it reads, and how to make them", formats)
    _add_plain(commands, "stats", "what is in the archive", stats)
    _add_plain(commands, "imports", "what each import did, with every skipped line and its reason", imports)
    search_parser = _add_plain(commands, "search", "find messages by their words, without a model", search)
    search_parser.add_argument("query", metavar="QUERY")
    add_filters(search_parser)
    search_parser.add_argument("-k", type=int, default=5, metavar="N", help="how many hits (5)")
    search_parser.add_argument("--context", type=int, default=2, metavar="N", help="turns around each hit (2)")
    _add_plain(commands, "verify", "check the archive: counts, index, ledger", verify)
    erase_parser = commands.add_parser("erase", help="delete for good")
    what = erase_parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--chat", metavar="NAME", help="one chat")
    what.add_argument("--all", action="store_true", help="the archive, its key and the settings; models stay")
    erase_parser.add_argument("--yes", action="store_true", help="do not ask")
    erase_parser.set_defaults(run=erase)


def _add_plain(commands: Commands, name: str, help_text: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=help_text)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)
    return parser


def _add_import(commands: Commands) -> None:
    parser = _add_plain(commands, "import", "read chat exports into the archive", import_)
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="files, folders or zips")
    parser.add_argument("--date-order", choices=["auto", "dmy", "mdy", "ymd"], default="auto")
    parser.add_argument("--timezone", metavar="ZONE", help="zone of the clocks people read, such as Europe/Berlin")
    parser.add_argument("--me", metavar="NAME", help="which sender is you")
    _add_columns(parser)
    parser.add_argument("--dry-run", action="store_true", help="read everything, store nothing")


def _add_parse(commands: Commands) -> None:
    parser = _add_plain(commands, "parse", "read an export without storing it", parse)
    parser.add_argument("path", type=Path, metavar="PATH")
    parser.add_argument("--date-order", choices=["auto", "dmy", "mdy", "ymd"], default="auto")
    _add_columns(parser)


def _add_columns(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--columns",
        default="",
        metavar="FIELD=NAME,…",
        help="what the columns of a table are, as time=Date,sender=From,text=Body",
    )


def add_filters(parser: argparse.ArgumentParser) -> None:
    """The filters that search and ask have in common."""
    parser.add_argument("--from", dest="date_from", type=_day, metavar="DATE", help="first day, as 2024-03-14")
    parser.add_argument("--to", dest="date_to", type=_day, metavar="DATE", help="last day")
    parser.add_argument(
        "--sender", action="append", default=[], metavar="NAME", help="only what this person wrote"
    )
    parser.add_argument("--chat", action="append", default=[], metavar="NAME", help="only this chat")
    parser.add_argument("--source", action="append", default=[], metavar="PLATFORM", help="only this app")


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text.replace("/", "-"))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"“{text}” is no date such as 2024-03-14") from error


def filters_of(options: argparse.Namespace) -> Filters:
    """The filters of the options."""
    return Filters(
        options.date_from, options.date_to, tuple(options.sender), tuple(options.chat), tuple(options.source)
    )


def open_library(options: argparse.Namespace) -> Library:
    """The archive of `--home`, `BACKSCROLL_HOME` or this account. Asks for its secret where it needs one."""
    home = Home.default(options.home)
    try:
        return Library(home)
    except ArchiveLocked as locked:
        if "BACKSCROLL_PASSPHRASE" in os.environ:
            raise
        return Library(home, passphrase=secret(str(locked)))


# import and parse


def import_(options: argparse.Namespace) -> int:
    """`backscroll import`."""
    choices = ImportOptions(
        date_order=options.date_order,
        timezone=options.timezone,
        me=options.me,
        columns=written_columns(options.columns),
    )
    library, line = open_library(options), ProgressLine()
    first = not library.stats()["messages"]
    try:
        report = library.import_paths(line.job(), options.paths, choices, dry_run=options.dry_run)
        only_keyring = library.protection().kind == "keyring" and not library.keys.has_recovery_key()
    finally:
        line.clear()
        library.close()
    if options.json:
        files = [shapes.file_report(f) for f in report.files]
        print_json({"files": files, "chats": report.chats, "messages": report.messages})
    else:
        _print_report(report, dry_run=options.dry_run)
    if first and report.messages and only_keyring:
        say(RECOVERY_HINT, to_error=True)
    return 0 if any(f.status in ("imported", "partly") for f in report.files) else 1


def _print_report(report: ImportReport, *, dry_run: bool) -> None:
    for file in report.files:
        say(f"{file.path}: {_summary(file)}")
        for problem in file.problems[:10]:
            where = f"line {problem.line}: " if problem.line else ""
            say(f"  {where}{problem.reason}" + (f"  “{problem.excerpt}”" if problem.excerpt else ""))
        if len(file.problems) > 10:
            print(f"  … and {len(file.problems) - 10:,} more; --json lists them.")
    if dry_run:
        print("Nothing was stored.")
    else:
        print(f"The archive now holds {report.messages:,} messages in {report.chats:,} chats.")


def _summary(file: FileReport) -> str:
    if file.format is None:
        return "not recognised"
    if file.contacts:
        return f"{file.contacts:,} contacts; {file.named:,} senders got their name"
    counts = (
        f"{file.new:,} new, {file.duplicate:,} already there, {file.system:,} notices, {file.skipped:,} skipped"
    )
    order = f"; dates read as {file.date_order} ({file.date_order_reason})" if file.date_order else ""
    return f"{file.format}, {file.status}: {counts}{order}"


def parse(options: argparse.Namespace) -> int:
    """`backscroll parse`."""
    choices = ImportOptions(date_order=options.date_order, columns=written_columns(options.columns))
    recognised = False
    for found in reading.find([options.path], choices):
        if found.importer is None:
            say(f"{found.path}: {found.reason or 'not recognised'}", to_error=True)
            continue
        recognised = True
        items = read_items(found.importer, found.source, choices.for_file(found.path))
        messages = _messages(items, found.path)
        if options.json:
            print_json_lines(map(shapes.parsed_message, messages))
        else:
            for m in messages:
                say(f"{m.timestamp or '-'}  {m.chat}  {m.sender or '-'}: {m.text}")
    if not recognised:
        raise KnownError(
            f"“{options.path}” is no chat export that Backscroll knows.",
            advice="See “backscroll formats” for what it reads.",
        )
    return 0


def _messages(items: Iterator[Any], path: str) -> Iterator[Message]:
    """The messages; problems go to standard error as they come."""
    for item in items:
        if isinstance(item, Message):
            yield item
        elif isinstance(item, Problem):
            say(f"{path}, line {item.line}: {item.reason}", to_error=True)


def formats(options: argparse.Namespace) -> int:
    """`backscroll formats`."""
    if options.json:
        print_json([shapes.importer(i) for i in IMPORTERS])
        return 0
    for importer in IMPORTERS:
        print(f"{importer.title} ({importer.name}): {', '.join(importer.patterns)}")
        for number, step in enumerate(importer.how_to_export, 1):
            print(f"  {number}. {step}")
    return 0


# what is there


def stats(options: argparse.Namespace) -> int:
    """`backscroll stats`."""
    library = open_library(options)
    found = {**library.stats(), "home": str(library.home.path), "protection": library.protection().kind}
    library.close()
    if options.json:
        print_json(found)
        return 0
    print(f"{found['messages']:,} messages by {found['people']:,} people in {found['chats']:,} chats")
    if found["first"]:
        print(f"from {found['first'][:10]} to {found['last'][:10]}")
    print(
        f"archive {found['archive_bytes'] / 2**20:,.1f} MB, of which index {found['index_bytes'] / 2**20:,.1f} MB"
    )
    print(f"in {found['home']}, key kept by: {found['protection']}")
    return 0


def imports(options: argparse.Namespace) -> int:
    """`backscroll imports`."""
    library = open_library(options)
    entries = ledger.imports(library.archive)
    library.close()
    print(ledger.as_json(entries) if options.json else shown(ledger.as_text(entries)), end="")
    return 0


def search(options: argparse.Namespace) -> int:
    """`backscroll search`."""
    library = open_library(options)
    result = library.searcher.search(
        options.query, filters=filters_of(options), k=max(1, options.k), context=max(0, options.context)
    )
    library.close()
    if options.json:
        print_json(shapes.search_result(result))
        return 0
    for hit in result.hits:
        say(f"── {hit.turn.chat} · {hit.turn.platform}")
        for turn in hit.context:
            mark = "▌" if turn.id == hit.turn.id else " "
            words = turn.text.replace("\n", f"\n{mark}   ")
            say(f"{mark} {(turn.timestamp or '')[:16].replace('T', ' ')} {turn.sender}: {words}")
    found = "Nothing found" if not result.hits else f"{len(result.hits)} found"
    print(f"{found} in {result.searched.turns:,} turns of {result.searched.chats:,} chats, {result.seconds:.3f} s")
    return 0


def verify(options: argparse.Namespace) -> int:
    """`backscroll verify`."""
    library, line = open_library(options), ProgressLine()
    try:
        result = library.verify(line.job())
    finally:
        line.clear()
        library.close()
    if options.json:
        print_json(shapes.verification(result))
    else:
        for problem in result.problems + result.index_problems:
            say(problem)
        print(f"{result.messages:,} messages, {result.turns:,} turns and {result.files:,} imports were checked.")
        print("Everything agrees." if result.ok and not result.mended else _outcome(mended=result.mended))
    return 0 if result.ok else 1


def _outcome(*, mended: bool) -> str:
    return "The index was made again from the messages." if mended else "Restore a backup or import again."


def erase(options: argparse.Namespace) -> int:
    """`backscroll erase`. Asks before it deletes where somebody can answer."""
    what = "the whole archive" if options.all else f"the chat “{options.chat}”"
    if not options.yes and sys.stdin.isatty():
        print(f"This deletes {what} for good. Type yes to go on: ", end="", file=sys.stderr, flush=True)
        if input().strip().lower() not in ("yes", "y"):
            print("Nothing was deleted.", file=sys.stderr)
            return 130
    home = Home.default(options.home)
    if options.all:
        _erase_all(home)
        print("The archive was deleted.")
        return 0
    library = open_library(options)
    count = library.erase_chat(options.chat)
    library.close()
    print(f"{count:,} messages were deleted.")
    return 0


def _erase_all(home: Home) -> None:
    """Erase without opening: a person who lost the passphrase may still delete."""
    from engine.erasing import erase_files
    from engine.store.keys import KeyStore

    if os.path.lexists(home.path):
        erase_files(home, KeyStore(home.keys))
