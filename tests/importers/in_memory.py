"""Sources that are not on the disk: bytes, a folder of bytes, and files far larger than memory should be."""

import io

from importers.base import Item, Options
from importers.registry import find_exports
from importers.source import Source


class Held(Source):
    """A file of given bytes."""

    def __init__(self, name: str, data: bytes) -> None:
        self.name = name
        self.data = data
        self.size = len(data)

    def open(self) -> io.BytesIO:  # type: ignore[override]
        return io.BytesIO(self.data)


class HeldFolder(Source):
    """A folder of given files."""

    def __init__(self, name: str, files: dict[str, bytes]) -> None:
        self.name = name
        self._members = tuple(Held(n, d) for n, d in sorted(files.items()))

    def members(self) -> tuple[Source, ...]:
        return self._members


class Long(Source):
    """A file of a beginning, one record repeated, and an end; it is made while it is read, and counted."""

    def __init__(self, name: str, begin: bytes, record: bytes, times: int, end: bytes = b"") -> None:
        self.name = name
        self._parts = (begin, record, times, end)
        self.size = len(begin) + len(record) * times + len(end)
        self.given = 0

    def open(self) -> io.BufferedReader:  # type: ignore[override]
        return io.BufferedReader(_Endless(self, *self._parts), 2**16)


class _Endless(io.RawIOBase):
    def __init__(self, source: Long, begin: bytes, record: bytes, times: int, end: bytes) -> None:
        self._source = source
        self._record, self._left, self._end = record, times, end
        self._waiting = begin

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while len(self._waiting) < len(buffer) and (self._left or self._end):
            some = min(self._left, 1 + 2**16 // len(self._record))
            self._waiting += self._record * some or self._end
            self._left -= some
            if not some:
                self._end = b""
        data, self._waiting = self._waiting[: len(buffer)], self._waiting[len(buffer) :]
        buffer[: len(data)] = data
        self._source.given += len(data)
        return len(data)


def read(source: Source, options: Options | None = None) -> list[Item]:
    """Everything in a place, read by whoever recognises it."""
    found = [e for e in find_exports(source) if e.importer]
    return [i for e in found if e.importer for i in e.importer.read(e.source, options or Options())]
