"""Writing small files so that a crash leaves either the old or the new one, never half of it."""

import errno
import os
import tempfile
from pathlib import Path

from engine.errors import DiskFull, KnownError, NotWritable


def write_atomically(path: Path, data: bytes) -> None:
    """Replace a file in one step, for the owner alone (0600)."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise disk_error(error, path) from error


def disk_error(error: OSError, path: Path) -> KnownError:
    """An error of the disk as a sentence."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFull(f"The disk is full, so “{path.name}” could not be written.")
    return NotWritable(f"“{path}” could not be written: {error.strerror or error}.")
