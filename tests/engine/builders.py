"""Small archives for tests: invented importers and messages, written in one line each."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from engine.home import Home
from engine.job import Job
from engine.ledger import FileReport
from engine.library import Library
from engine.reading import Found, ImportOptions
from importers.base import Facts, Item, Message, Options
from importers.source import Source

START = datetime(2024, 3, 1, 9, 0)


@dataclass
class ListImporter:
    """Yields the items that it is given."""

    items: Sequence[Item]
    name: str = "list"
    platform: str = "whatsapp"
    title: str = "A list"
    patterns: tuple[str, ...] = ()
    how_to_export: tuple[str, ...] = ()
    seen: list[Options] = field(default_factory=list)

    def recognise(self, source: Source) -> float:
        return 1.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        self.seen.append(options)
        yield Facts()
        yield from self.items


def say(minute: float, sender: str, text: str, *, chat: str = "Family", **more: object) -> Message:
    """A message so many minutes after the start."""
    return Message(chat, sender, text, START + timedelta(minutes=minute), **more)  # type: ignore[arg-type]


def say_at(moment: datetime, sender: str, text: str, *, chat: str = "Family") -> Message:
    """A message at an instant."""
    return Message(chat, sender, text, moment.replace(tzinfo=UTC))


def new_library(folder: Path, monkeypatch: object = None) -> Library:
    """An empty archive whose key lies in a file."""
    return Library(Home(folder / "home"))


def put(library: Library, items: Iterable[Item], *, platform: str = "whatsapp", **options: object) -> FileReport:
    """Import items as one file."""
    importer = ListImporter(list(items), platform=platform)
    found = Found("list.txt", Source(), importer)
    return library._import(Job(), found, ImportOptions(**options))  # type: ignore[arg-type]
