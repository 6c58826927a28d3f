"""What the files of the models folder must be, in a record beside them (`models.json`).

Reading a model whole takes seconds, so a checksum is kept with the size and time that the file had then, and
holds as long as both are unchanged.
"""

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path

from models.base import GenerationStopped, Reply, never_stop

_RECORD = "models.json"
_BLOCK = 1 << 22
OnBytes = Callable[[int, int], None]


def nothing(_done: int, _total: int) -> None:
    """The default of `on_bytes`."""


def sha256(path: Path, on_bytes: OnBytes = nothing, should_stop: Callable[[], bool] = never_stop) -> str:
    """The checksum of a file, with progress in bytes.

    Raises:
        GenerationStopped: `should_stop` said so.
    """
    digest, done, total = hashlib.sha256(), 0, path.stat().st_size
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            if should_stop():
                raise GenerationStopped(Reply("", finished=False))
            digest.update(block)
            done += len(block)
            on_bytes(done, total)
    return digest.hexdigest()


class Checksums:
    """The record of one folder. Where it cannot be written, checksums are reckoned each time."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / _RECORD

    def noted(self, path: Path) -> str:
        """The checksum that was noted, "" for none."""
        return str(self._read().get(path.name, {}).get("sha256", ""))

    def unchanged(self, path: Path) -> str:
        """The checksum that was noted, if the file still has the size and time of then."""
        noted, status = self._read().get(path.name, {}), path.stat()
        same = noted.get("size") == status.st_size and noted.get("time") == status.st_mtime_ns
        return str(noted.get("sha256", "")) if same else ""

    def note(self, path: Path, checksum: str) -> None:
        """Remember a file's checksum."""
        status = path.stat()
        noted = {"sha256": checksum, "size": status.st_size, "time": status.st_mtime_ns}
        self._write({**self._read(), path.name: noted})

    def forget(self, path: Path) -> None:
        """Remember a file no more."""
        self._write({name: noted for name, noted in self._read().items() if name != path.name})

    def _read(self) -> dict[str, dict[str, object]]:
        try:
            found = json.loads(self._file.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _write(self, record: dict[str, dict[str, object]]) -> None:
        temporary = self._file.with_name(f"{_RECORD}.{os.getpid()}")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(record, indent=1), "utf-8")
            temporary.replace(self._file)
        except OSError:
            return
