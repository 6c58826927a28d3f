"""Writing small files so that a crash leaves either the old or the new one, never half of it."""

import contextlib
import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from engine.errors import DiskFull, KnownError, NotWritable


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file in one step, for the owner alone (0600). What it held before is overwritten."""
    _write(path, data, lambda new: _replace(new, path))


def write_first(path: Path, data: bytes) -> bool:
    """Make a file, for the owner alone, unless there is one already; whether it was made."""
    try:
        _write(path, data, lambda new: _link(new, path))
    except FileExistsError:
        return False
    return True


def _write(path: Path, data: bytes, put: Callable[[Path], object]) -> None:
    """Write beside the path, then let `put` give the file its name."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            put(Path(name))
            _settle(path.parent)
        finally:
            Path(name).unlink(missing_ok=True)
    except FileExistsError:
        raise
    except OSError as error:
        raise disk_error(error, path) from error


def _link(new: Path, path: Path) -> None:
    """Give a file a name that must be free."""
    try:
        os.link(new, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(path) from None
        new.replace(path)


def _replace(new: Path, path: Path) -> None:
    """Put a file in another's place; the old bytes are overwritten, so that no old key stays on the disk.

    (A disk that writes elsewhere each time, as flash does, may keep them all the same.)
    """
    with contextlib.ExitStack() as stack:
        old = stack.enter_context(path.open("r+b")) if os.name == "posix" and path.exists() else None
        new.replace(path)
        if old is not None:
            old.write(bytes(os.fstat(old.fileno()).st_size))
            old.flush()
            os.fsync(old.fileno())


def _settle(folder: Path) -> None:
    """Let the folder's new entry survive a loss of power."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def disk_error(error: OSError, path: Path) -> KnownError:
    """An error of the disk as a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk is full, so “{path.name}” could not be written.")
    return NotWritable(f"“{path}” could not be written: {error.strerror or error}.")
