"""Reading exports without storing them: `parse`, dry runs and the preview before an import.

The same importers and the same code path as an import, so what the preview shows is what will be stored.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tzlocal import get_localzone

from engine.columns import has_columns, headings
from engine.errors import KnownError, NothingThere
from engine.ingest import read_items
from engine.job import Job
from engine.ledger import FileReport
from engine.people import VCARD, read_contacts
from engine.store.messages import moment, seconds, wall_clock
from importers.base import DateOrder, Facts, Importer, Item, Message, Options, Problem
from importers.registry import Export, find_exports
from importers.source import Source, SourceError, open_source
from importers.table import TABLE
from importers.table_columns import guess
from importers.vcard import is_vcard

SAMPLE = 8  # messages shown in a preview
PREVIEWED = 50_000  # messages read for a preview; more are only said to be more
KEPT_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Choices of the person for an import of several files."""

    date_order: DateOrder = "auto"
    date_orders: dict[str, DateOrder] = field(default_factory=dict)  # path → order, where files differ
    timezone: str | None = None
    me: str | None = None
    columns: dict[str, str] = field(default_factory=dict)  # our field → their column, of tables
    columns_of: dict[str, dict[str, str]] = field(default_factory=dict)  # path → columns, where tables differ

    def zone(self) -> tzinfo:
        """The zone in which people read their clocks. Raises KnownError for a name that does not exist."""
        if not self.timezone:
            return get_localzone()
        try:
            return ZoneInfo(self.timezone)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise KnownError(
                f"There is no time zone named “{self.timezone}”.", advice="Use a name such as Europe/Berlin."
            ) from error

    def for_file(self, path: str) -> Options:
        """The choices for one file."""
        return Options(self.date_orders.get(path, self.date_order), self.me, self.columns_for(path))

    def columns_for(self, path: str) -> dict[str, str]:
        """What the person said about the columns of one file."""
        return dict(self.columns_of.get(path, self.columns))


@dataclass(frozen=True, slots=True)
class Found:
    """An export in a place that the person gave, or a file there that is none."""

    path: str
    source: Source
    importer: Importer | None
    reason: str = ""

    @property
    def is_contacts(self) -> bool:
        """Whether it is a contact list instead of a chat."""
        return self.importer is None and is_vcard(self.source)


@dataclass(slots=True)
class FilePreview:
    """What an export holds, shown before anything is stored."""

    path: str
    name: str
    importer: Importer | None
    reason: str = ""
    chats: dict[str, int] = field(default_factory=dict)
    senders: dict[str, int] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    first: str | None = None
    last: str | None = None
    messages: int = 0
    contacts: int = 0  # of a contact list
    columns: dict[str, str] = field(default_factory=dict)  # of a table: our field to their column
    headings: tuple[str, ...] = ()  # of a table: all its columns
    more: bool = False  # there are more messages than were read for the preview
    sample: list[Message] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def find(paths: Sequence[Path], options: ImportOptions | None = None) -> Iterator[Found]:
    """Everything importable below the paths, and what is not recognised. Raises NothingThere.

    A table with the columns that the options name is read as a table, whatever else it looks like.
    """
    options = options or ImportOptions()
    for path in paths:
        if not path.exists():
            raise NothingThere(f"There is nothing at “{path}”.")
        try:
            source = open_source(path)
            for export in find_exports(source):
                place = _path_of(path, source, export)
                importer = TABLE if has_columns(export.source, options.columns_for(place)) else export.importer
                yield Found(place, export.source, importer, export.reason)
        except SourceError as error:
            yield Found(str(path), Source(), None, str(error))


def _path_of(path: Path, source: Source, export: Export) -> str:
    name = export.name
    return str(path) if export.source is source or not name or name == path.name else f"{path}/{name}"


def unrecognised(found: Found) -> FileReport:
    """The report on a file that nobody reads."""
    reason = found.reason or "No chat export that Backscroll knows was found in it."
    return FileReport(found.path, None, "unrecognised", problems=[Problem(0, reason, skipped=0)])


def dry_run(found: Found, options: ImportOptions, job: Job) -> FileReport:
    """What an import would do with an export, as far as can be said without the archive."""
    importer = found.importer
    if found.is_contacts:
        return _counted_contacts(found, job)
    if importer is None:
        return unrecognised(found)
    report = FileReport(found.path, importer.name, timezone=str(options.zone()))
    for count, item in enumerate(read_items(importer, found.source, options.for_file(found.path))):
        if isinstance(item, Message):
            report.take_lines(item)
            if item.kind == "system":
                report.system += 1
            else:
                report.new += 1
        elif isinstance(item, Problem):
            report.add_problem(item)
        else:
            report.take_facts(item)
        if count % 1000 == 0:
            job.report(*found.source.progress(), "Reading")
    report.settle()
    return report


def _counted_contacts(found: Found, job: Job) -> FileReport:
    """How many contacts a list holds."""
    report = FileReport(found.path, VCARD)
    for _ in read_contacts(found.source, report, job):
        pass
    report.settle()
    return report


def preview(found: Found, options: ImportOptions, job: Job) -> FilePreview:
    """The first messages, the people, the dates and how they were read."""
    result = FilePreview(found.path, Path(found.path).name, found.importer, found.reason)
    if found.is_contacts:
        counted = _counted_contacts(found, job)
        result.contacts, result.problems = counted.contacts, counted.problems[:KEPT_PROBLEMS]
    if found.importer in (None, TABLE):
        result.headings = headings(found.source)
        result.columns = _columns(result.headings, options.columns_for(found.path))
    if found.importer is not None:
        items = read_items(found.importer, found.source, options.for_file(found.path))
        _take_first(items, result, options.zone(), lambda: job.report(*found.source.progress(), "Reading"))
    return result


def _columns(named: tuple[str, ...], chosen: dict[str, str]) -> dict[str, str]:
    """The guess with what the person chose instead; a field without a column is left out."""
    return {field: column for field, column in {**guess(named), **chosen}.items() if column in named}


def _take_first(items: Iterator[Item], result: FilePreview, zone: tzinfo, report: Callable[[], None]) -> None:
    """What the first messages show."""
    clocks: list[int] = []
    for count, item in enumerate(items):
        if count % 500 == 0:
            report()
        if isinstance(item, Message):
            _count(item, result)
            if item.timestamp is not None:
                clock = seconds(wall_clock(item.timestamp, zone))
                clocks = [min(*clocks, clock), max(*clocks, clock)] if clocks else [clock, clock]
            if result.messages >= PREVIEWED:
                result.more = True
                break
        elif isinstance(item, Facts):
            result.facts = item
        elif len(result.problems) < KEPT_PROBLEMS:
            result.problems.append(item)
    result.first, result.last = (moment(clock).date().isoformat() for clock in clocks) if clocks else (None, None)


def _count(message: Message, result: FilePreview) -> None:
    result.messages += 1
    result.chats[message.chat] = result.chats.get(message.chat, 0) + 1
    if message.sender and message.kind == "talk":
        result.senders[message.sender] = result.senders.get(message.sender, 0) + 1
    if len(result.sample) < SAMPLE and message.kind == "talk":
        result.sample.append(message)
