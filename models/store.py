"""The models folder: what is installed, adding, removing and checking files.

A file is opened only if its checksum agrees with the catalogue's, or with the one of the day it was added.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from models import getting
from models.base import ModelError, ModelFileError, never_stop
from models.catalogue import Entry, Use, entries, entry
from models.checksums import Checksums, OnBytes, nothing, sha256
from models.fit import fit, free_memory
from models.gguf import Header, read_header
from models.shared import shared_folders


@dataclass(frozen=True, slots=True)
class Listed:
    """A model of the catalogue or of the folder, as lists show it. Sizes in bytes."""

    id: str
    name: str
    kind: str
    size: int
    licence: str
    languages: str
    installed: bool
    path: str
    fits: str  # fits, tight or will not fit
    needed: int
    free: int
    default: bool
    use: Use = ""

    def as_json(self) -> dict[str, object]:
        """For `--json` and the window."""
        return {key: value for key, value in asdict(self).items() if key != "use"}


class ModelStore:
    """One models folder, which need not exist; known models that an installer put elsewhere count as installed."""

    def __init__(self, folder: Path, shared: Sequence[Path] | None = None) -> None:
        self.folder = folder
        self._shared = tuple(shared_folders() if shared is None else shared)
        self._checksums = Checksums(folder)

    # What there is

    def listed(self) -> list[Listed]:
        """The catalogue in its order, then added files by name."""
        free = free_memory()
        known = [self._listed_entry(found, free) for found in entries()]
        return known + [listed for path in self._added() if (listed := self._listed_file(path, free))]

    def preferred(self) -> Listed | None:
        """The installed chat model to use when none is named: the default, the small one, then the largest.

        One that does not fit in the free memory is passed over while another does.
        """
        installed = [listed for listed in self.listed() if listed.installed and listed.kind == "chat"]
        uses = ("default", "small", "", "test")
        installed.sort(key=lambda listed: (uses.index(listed.use), -listed.size))
        fitting = [listed for listed in installed if listed.fits != "will not fit"]
        return next(iter(fitting + installed), None)

    def resolve(self, name: str, on_bytes: OnBytes = nothing) -> Path:
        """The file of an id, or a path; checked against its checksum if it changed since that was done.

        Raises:
            ModelError: there is none, or the file is not what it was.
        """
        path = self._path_of(name)
        if path.parent not in (self.folder, *self._shared):
            return path
        expected = self._expected(path)
        found = self._checksum(path, on_bytes)
        if expected and found != expected:
            raise ModelFileError(f"{path.name} is not the file it should be. Remove it and get it again.")
        return path

    # Changes

    def get(
        self,
        name: str,
        on_event: Callable[[str, dict[str, object]], None],
        should_stop: Callable[[], bool] = never_stop,
    ) -> Path:
        """Fetch a model of the catalogue; see models/getting.py."""
        path = getting.get(entry(name), self.folder, on_event=on_event, should_stop=should_stop)
        self._checksums.note(path, entry(name).sha256)
        return path

    def add(self, source: Path, on_bytes: OnBytes = nothing, should_stop: Callable[[], bool] = never_stop) -> str:
        """Take a GGUF file into the folder, by a hard link where that is possible; gives its id.

        Raises:
            ModelFileError: it is not a usable GGUF file.
            ModelError: there is no room for it.
            GenerationStopped: `should_stop` said so.
        """
        if not source.is_file():
            raise ModelFileError(f"There is no file {source}.")
        header = _header(source)
        getting.try_out(source)
        self.folder.mkdir(parents=True, exist_ok=True)
        checksum = sha256(source, on_bytes, should_stop)
        for known in entries():
            if known.sha256 == checksum:
                return self._take(source, self.folder / known.file, checksum, header.size)
        return self._take(source, self._free_name(source, checksum), checksum, header.size)

    def remove(self, name: str) -> None:
        """Delete a model's file, and what a broken download left of it. A file elsewhere is not touched."""
        known = next((found for found in entries() if found.id == name), None)
        part = self.folder / f"{known.file}.part" if known else None
        if part and part.exists():
            part.unlink()
            if not (self.folder / part.stem).exists():
                return
        path = self._path_of(name)
        if path.parent in self._shared:
            raise ModelError(f"{name} came with the program. It goes when its package is removed.")
        if path.parent != self.folder:
            raise ModelError(f"{name} does not lie in the models folder, so it is not removed.")
        path.unlink()
        self._checksums.forget(path)

    def check(self, name: str = "", on_bytes: OnBytes = nothing) -> Iterator[tuple[str, str]]:
        """Read every byte and try the files out: (id, "" or what is wrong) for one model or for all."""
        paths = [self._path_of(name)] if name else [*self._known(), *self._added()]
        for path in paths:
            yield self._id(path), self._fault(path, on_bytes)

    def _fault(self, path: Path, on_bytes: OnBytes) -> str:
        expected = self._expected(path)
        try:
            if expected and sha256(path, on_bytes) != expected:
                return f"{path.name} is not the file it should be. Remove it and get it again."
            getting.try_out(path)
        except ModelError as error:
            return str(error)
        except OSError as error:
            return f"{path.name} cannot be read: {error.strerror}."
        return ""

    # Names and files

    def _known(self) -> list[Path]:
        return [path for found in entries() if (path := self._file_of(found)).is_file()]

    def _file_of(self, known: Entry) -> Path:
        """Where a known model lies, else where it belongs."""
        places = [folder / known.file for folder in (self.folder, *self._shared)]
        return next((path for path in places if path.is_file()), places[0])

    def _added(self) -> list[Path]:
        names = {found.file for found in entries()}
        return sorted(path for path in self.folder.glob("*.gguf") if path.name not in names and path.is_file())

    def _id(self, path: Path) -> str:
        return next((found.id for found in entries() if found.file == path.name), path.stem)

    def _path_of(self, name: str) -> Path:
        for known in entries():
            if name == known.id or (name == "default" and known.use == "default"):
                path = self._file_of(known)
                if not path.is_file():
                    raise ModelError(f"{known.name} is not installed. Get it with “backscroll models get {name}”.")
                return path
        for path in self._added():
            if path.stem == name:
                return path
        path = Path(name).expanduser()
        if path.suffix == ".gguf" and path.is_file():
            return path.absolute()
        raise ModelError(f"There is no model called {name}. “backscroll models list” shows them all.")

    def _free_name(self, source: Path, checksum: str) -> Path:
        """A name in the folder that no other file has; the same file keeps its own."""
        taken = {found.file for found in entries()}
        for number in range(1, 1000):
            suffix = f"-{number}" if number > 1 else ""
            path = self.folder / f"{source.stem}{suffix}.gguf"
            same = self._checksums.noted(path) == checksum
            if path.name not in taken and (same or not path.exists()):
                return path
        raise ModelError(f"There are too many models called {source.stem}.")

    def _take(self, source: Path, target: Path, checksum: str, size: int) -> str:
        part = target.with_name(target.name + ".part")
        if not (target.exists() and target.samefile(source)):
            try:
                part.unlink(missing_ok=True)
                _link_or_copy(source, part, size)
                part.replace(target)
            except OSError as error:
                part.unlink(missing_ok=True)
                raise ModelError(f"{source.name} cannot be stored in {self.folder}: {error.strerror}.") from error
        self._checksums.note(target, checksum)
        return self._id(target)

    # Lists

    def _listed_entry(self, found: Entry, free: int) -> Listed:
        path = self._file_of(found)
        here = path.is_file()
        memory = fit(found.size, found.cache_per_token, trained=found.context, free=free)
        return Listed(
            found.id,
            found.name,
            found.kind,
            found.size,
            found.licence,
            found.languages,
            here,
            str(path) if here else "",
            memory.verdict,
            memory.needed,
            free,
            found.use == "default",
            found.use,
        )

    def _listed_file(self, path: Path, free: int) -> Listed | None:
        """An added file, None for one that is no model."""
        try:
            header = _header(path)
        except ModelError:
            return None
        memory = fit(header.size, header.cache_per_token, trained=header.context, free=free)
        name = f"{header.name} {header.file_type}".strip()
        licence = header.licence or "unknown"
        return Listed(
            path.stem,
            name,
            header.kind,
            header.size,
            licence,
            "",
            True,
            str(path),
            memory.verdict,
            memory.needed,
            free,
            False,
        )

    # Checksums

    def _expected(self, path: Path) -> str:
        """The checksum that a file of the folder must have, "" where none is known yet."""
        if path.parent not in (self.folder, *self._shared):
            return ""
        known = next((found.sha256 for found in entries() if found.file == path.name), "")
        return known or self._checksums.noted(path)

    def _checksum(self, path: Path, on_bytes: OnBytes) -> str:
        if noted := self._checksums.unchanged(path):
            return noted
        found = sha256(path, on_bytes)
        if self._expected(path) in ("", found):
            self._checksums.note(path, found)
        return found


def _header(path: Path) -> Header:
    try:
        return read_header(path)
    except OSError as error:
        raise ModelFileError(f"{path.name} cannot be read: {error.strerror}.") from error


def _link_or_copy(source: Path, part: Path, size: int) -> None:
    try:
        os.link(source, part)
    except OSError:
        if shutil.disk_usage(part.parent).free < size:
            raise ModelError(f"There is no room for {source.name} on the disk. Free some space.") from None
        shutil.copyfile(source, part)
