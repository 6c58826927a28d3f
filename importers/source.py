"""Where an export lies: a file, a folder, a zip, or a member of either, all behind one small face.

Zip members are read in place and never unpacked, so `../` names are harmless; sizes are checked so
that a zip bomb ends in a sentence and not in a full memory.
"""

import errno
import io
import lzma
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

HEAD_BYTES = 65_536
MAX_MEMBERS = 200_000
MAX_RATIO = 400  # a text export compresses 5 to 20 times; a bomb 1,000 times and more
BUFFER = 2**18
RATIO_FLOOR = 50 * 2**20  # below this size the ratio does not matter
MEDIA = frozenset(
    "jpg jpeg png gif webp heic heif bmp tif tiff svg ico mp4 mov m4v avi mkv 3gp webm opus ogg oga mp3 m4a aac "
    "amr wav flac caf pdf doc docx xls xlsx ppt pptx odt ods apk exe dmg ttf otf woff woff2 css js tgs was".split()
)


class SourceError(Exception):
    """The place cannot be read; the text is a sentence for the person."""


class Source:
    """A place to read from. `name` is relative to what the person gave, with `/` between parts."""

    name: str = ""
    size: int = 0
    modified: datetime | None = None
    position: int = 0
    """Bytes read by the stream that was opened last, for progress."""

    def open(self) -> BinaryIO:
        """A fresh binary stream from the start. Raises SourceError for a folder or a damaged member."""
        raise SourceError(f"“{self.name}” is a folder, not a file.")

    def members(self) -> tuple["Source", ...]:
        """All files below, sorted by name; empty for a plain file."""
        return ()

    @cached_property
    def head(self) -> bytes:
        """The first 64 KB, empty for folders and for what cannot be opened."""
        try:
            with self.open() as stream:
                return stream.read(HEAD_BYTES)
        except (OSError, SourceError, zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError):
            return b""

    @property
    def basename(self) -> str:
        """The last part of the name."""
        return PurePosixPath(self.name).name

    @property
    def suffix(self) -> str:
        """The ending in lower case without its dot, "" where there is none."""
        return PurePosixPath(self.name).suffix.lower().lstrip(".")

    def progress(self) -> tuple[int, int]:
        """Bytes read so far and in all, media left out."""
        parts = [m for m in self.members() if m.suffix not in MEDIA] or [self]
        return sum(p.position for p in parts), sum(p.size for p in parts)

    def member(self, *names: str) -> "Source | None":
        """The first member whose base name is one of `names`, whatever its case."""
        wanted = {n.lower() for n in names}
        return next((m for m in self.members() if m.basename.lower() in wanted), None)


class FileSource(Source):
    """A file on the disk."""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self.name = name or path.name
        info = path.stat()
        self.size = info.st_size
        self.modified = datetime.fromtimestamp(info.st_mtime, UTC)

    def open(self) -> BinaryIO:
        """The file, read in binary."""
        return io.BufferedReader(_CountedFile(self), BUFFER)


class _CountedFile(io.FileIO):
    """A file that tells its source how far it was read."""

    def __init__(self, source: FileSource) -> None:
        super().__init__(source.path, "rb")
        self._source = source
        source.position = 0

    def readinto(self, buffer: "Buffer", /) -> int:
        count = super().readinto(buffer)
        if count == 0 and self.tell() < self._source.size:
            raise SourceError(f"“{self._source.name}” became shorter while it was being read. Import it again.")
        self._source.position += count
        return count


class FolderSource(Source):
    """A folder with everything below it. Links are not followed: they could leave what was given."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name

    @cached_property
    def _members(self) -> tuple[Source, ...]:
        return tuple(self._walk())

    def _walk(self) -> Iterator[Source]:
        for count, path in enumerate(sorted(self.path.rglob("*"))):
            if count >= MAX_MEMBERS:
                raise SourceError(f"“{self.name}” holds more than {MAX_MEMBERS:,} files. Choose a smaller folder.")
            if path.is_symlink() or not stat.S_ISREG(path.stat(follow_symlinks=False).st_mode):
                continue
            yield FileSource(path, path.relative_to(self.path).as_posix())

    def members(self) -> tuple[Source, ...]:
        """Regular files below the folder."""
        return self._members


class ZipMember(Source):
    """One file in a zip, read in place."""

    def __init__(self, archive: "ZipSource", info: zipfile.ZipInfo) -> None:
        self.archive = archive
        self.info = info
        self.name = info.filename.replace("\\", "/")
        self.size = info.file_size
        try:
            self.modified = datetime(*info.date_time, tzinfo=UTC)
        except ValueError:
            self.modified = None

    def open(self) -> BinaryIO:
        """The member's bytes. Raises SourceError for encrypted members and bombs."""
        if self.info.flag_bits & 1:
            raise SourceError(
                f"“{self.name}” in the zip is protected by a password. Unpack it first, then import it."
            )
        if self.size > RATIO_FLOOR and self.size > MAX_RATIO * max(1, self.info.compress_size):
            raise SourceError(
                f"“{self.name}” unpacks to {self.size // 2**20:,} MB from almost nothing and was left out."
            )
        return io.BufferedReader(_BoundedMember(self), BUFFER)


_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)


@contextmanager
def _damage_as_sentence(member: ZipMember) -> Iterator[None]:
    """What the zip library says of a damaged member in its many ways, as a SourceError."""
    try:
        yield
    except (OSError, *_DAMAGE) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:  # EINVAL: an offset that cannot be
            raise
        raise SourceError(f"“{member.name}” in the zip is damaged and cannot be read to its end.") from error


class _BoundedMember(io.RawIOBase):
    """A member of a zip, up to the size that the zip's directory declares, however much the stream would give."""

    def __init__(self, member: ZipMember) -> None:
        super().__init__()
        with _damage_as_sentence(member):
            self._inner = member.archive.zip.open(member.info)
        self._member = member
        self._left = member.size  # its own count: the same member may be open twice
        member.position = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "Buffer", /) -> int:
        view = memoryview(buffer)
        with _damage_as_sentence(self._member):
            data = self._inner.read(min(len(view), self._left))
        view[: len(data)] = data
        self._left -= len(data)
        self._member.position = self._member.size - self._left
        return len(data)

    def close(self) -> None:
        self._inner.close()
        super().close()


class ZipSource(Source):
    """A zip file with its members."""

    def __init__(self, path: Path | BinaryIO, name: str) -> None:
        self.name = name
        try:
            self.zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
            raise SourceError(
                f"“{name}” looks like a zip but cannot be opened: it is damaged or not complete."
            ) from error
        if isinstance(path, Path):
            info = path.stat()
            self.size = info.st_size
            self.modified = datetime.fromtimestamp(info.st_mtime, UTC)

    @cached_property
    def _members(self) -> tuple[Source, ...]:
        infos = [i for i in self.zip.infolist() if not i.is_dir() and not i.filename.startswith("__MACOSX/")]
        if len(infos) > MAX_MEMBERS:
            raise SourceError(f"“{self.name}” holds more than {MAX_MEMBERS:,} files, which no chat export does.")
        return tuple(sorted((ZipMember(self, i) for i in infos), key=lambda m: m.name))

    def members(self) -> tuple[Source, ...]:
        """The files in the zip."""
        return self._members


def open_source(path: Path) -> Source:
    """The source at a path: folder, zip (by its first bytes, not its name) or file.

    Raises SourceError with a sentence where there is nothing to read.
    """
    try:
        if path.is_dir():
            return FolderSource(path)
        file = FileSource(path)
        return ZipSource(path, file.name) if file.head.startswith((b"PK\x03\x04", b"PK\x05\x06")) else file
    except FileNotFoundError as error:
        raise SourceError(f"There is nothing at “{path}”. Check the name and try again.") from error
    except PermissionError as error:
        raise SourceError(f"“{path}” may not be read. Change its permissions and try again.") from error
    except OSError as error:
        raise SourceError(f"“{path}” cannot be read: {error.strerror or error}.") from error
