"""Writing small files so that a crash leaves either the old or the new one, never half of it."""

import contextlib
import errno
import os
import tempfile
import time
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


def destroy(path: Path) -> None:
    """Overwrite a file's bytes and delete it."""
    with path.open("r+b") as stream:
        stream.write(bytes(os.fstat(stream.fileno()).st_size))
        stream.flush()
        os.fsync(stream.fileno())
    path.unlink()


def sweep(path: Path, *, older_than: float = 60.0) -> None:
    """Destroy what a crash left half written beside a file: it may hold a key that the file no longer holds.

    What is younger (in seconds) may be another process's, which is about to give it its name.
    """
    for left in path.parent.glob(f".{path.name}.*"):
        with contextlib.suppress(OSError):  # gone meanwhile, or a folder that cannot be written
            if abs(time.time() - left.stat().st_mtime) >= older_than:
                destroy(left)


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
            settle(path.parent)
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


def settle(folder: Path) -> None:
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
