"""A folder for a copy of somebody's database, for the owner alone and for no longer than it is read.

It goes away when it is left. What a crash or a cut of the power left behind goes away at the engine's next start,
and before the next copy is made: a folder is in use as long as the file in it is locked, and a lock ends with its
process, however that ends.
"""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

_PREFIX = "backscroll-copy-"
_MARK = "in-use"
_YOUNG = 60  # seconds in which a folder may still be without its mark


@contextmanager
def private_folder() -> Iterator[Path]:
    """A new folder, gone afterwards. Raises OSError where there is no room for it."""
    remove_leftovers()
    made = tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True)
    with made as name, (Path(name) / _MARK).open("wb") as mark:
        _lock(mark)
        yield Path(name)


def remove_leftovers() -> None:
    """Remove the folders of processes that ended before they could do it; what cannot be removed stays."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        try:
            if _is_ours(folder) and not _is_in_use(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def _is_ours(folder: Path) -> bool:
    about = folder.stat(follow_symlinks=False)
    return folder.is_dir() and not folder.is_symlink() and (sys.platform == "win32" or about.st_uid == os.getuid())


def _is_in_use(folder: Path) -> bool:
    try:
        with (folder / _MARK).open("r+b") as mark:
            _lock(mark)
    except FileNotFoundError:
        return time.time() - folder.stat().st_mtime < _YOUNG
    except OSError:
        return True
    return False


def _lock(mark: BinaryIO) -> None:
    """Raises OSError where another process has it."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(mark.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(mark, fcntl.LOCK_EX | fcntl.LOCK_NB)
