"""Several files or a folder of a larger one as one source: split exports, and a folder inside a zip."""

from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import BinaryIO

from importers.source import MEDIA, Source


class Parts(Source):
    """The parts of one split export, in their order. `members()` are the parts, `head` is the first one's."""

    def __init__(self, parts: Sequence[Source]) -> None:
        self.name = parts[0].name
        self.size = sum(p.size for p in parts)
        self.modified = max((p.modified for p in parts if p.modified), default=None)
        self._parts = tuple(parts)

    def open(self) -> BinaryIO:
        """The first part."""
        return self._parts[0].open()

    def members(self) -> tuple[Source, ...]:
        """The parts."""
        return self._parts


class Folder(Source):
    """A folder inside a folder or zip. Its members' names are relative to it."""

    def __init__(self, name: str, members: Sequence["Inside"]) -> None:
        self.name = name
        self._inside = tuple(members)

    def members(self) -> tuple[Source, ...]:
        """The files below the folder."""
        return self._inside

    def progress(self) -> tuple[int, int]:
        """Bytes read so far and in all, counted where they are read."""
        counted = [m.origin for m in self._inside if m.suffix not in MEDIA]
        return sum(m.position for m in counted), sum(m.size for m in counted)


class Inside(Source):
    """A member with its name relative to a folder above it; `origin` is the same with its full name."""

    def __init__(self, origin: Source, name: str) -> None:
        self.origin = origin
        self.name = name
        self.size = origin.size
        self.modified = origin.modified

    def open(self) -> BinaryIO:
        """The member's bytes."""
        return self.origin.open()

    def progress(self) -> tuple[int, int]:
        """Bytes read so far and in all."""
        return self.origin.progress()


def parts_of(source: Source) -> tuple[Source, ...]:
    """The files that make up one export: its parts, or the file itself."""
    return source.members() or (source,)


def folders(prefix: str, members: Sequence[Source]) -> Iterator[Folder]:
    """The folders that hold the members whose names have a `/`, by the first part of their names."""
    inside: dict[str, list[Inside]] = {}
    for member in members:
        first, slash, rest = member.name.partition("/")
        if slash:
            inside.setdefault(first, []).append(Inside(origin(member), rest))
    for name, found in inside.items():
        yield Folder(str(PurePosixPath(prefix, name)) if prefix else name, found)


def origin(source: Source) -> Source:
    """The member under its full name."""
    return source.origin if isinstance(source, Inside) else source
