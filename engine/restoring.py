"""Putting an unpacked archive and its locks in the place of the old ones: both or neither, whenever it is killed.

They are two files, and no system renames two at once. So one rename decides: the new `keys.json` names the file of
the archive that it opens ("coming"). Until then the old archive and its locks lie there untouched; from then on
the named file is the archive, and whoever opens it next finishes putting it in place. Its name is a new one each
time, so that a mention that has done its work means nothing later.

Whoever unpacks holds a lock on the file. Nobody opens the archive meanwhile, and what a crash left behind is told
apart from what is still being written.
"""

import contextlib
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine.errors import ArchiveBusy, ArchiveDamaged
from engine.files import disk_error, settle
from engine.home import Home
from engine.store.keys import KeyStore, Lock

SUFFIX = ".restoring"
PATIENCE = 2.0  # seconds that somebody else gets to finish, which takes less than one


@contextlib.contextmanager
def coming_archive(home: Home) -> Iterator[Path]:
    """A new, empty file to unpack an archive into; gone at the end unless it became the archive."""
    coming = home.archive.with_suffix(f".{secrets.token_hex(4)}{SUFFIX}")
    try:
        coming.touch(mode=0o600)
        with _claimed(coming):
            yield coming
    finally:
        if not _is_meant(home, coming):
            coming.unlink(missing_ok=True)


def switch(home: Home, coming: Path, key: bytes, locks: Sequence[Lock]) -> None:
    """Make an unpacked archive the archive, with the key and the locks of its backup."""
    KeyStore(home.keys).adopt(key, locks, coming.name)
    _put_in_place(home, coming)


def finish(home: Home) -> None:
    """Finish what a crash kept from being put in place, and delete what it left half unpacked.

    Raises:
        ArchiveBusy: another process is restoring a backup at this moment.
    """
    try:
        for left in sorted(home.path.glob(f"{home.archive.stem}.*{SUFFIX}")):
            with _claimed(left) as still_there:
                if not still_there:  # another process has just put it in place
                    continue
                if _is_meant(home, left):
                    _put_in_place(home, left)
                elif sys.platform != "win32":  # where nobody can tell whether it is still being written
                    left.unlink(missing_ok=True)
    except OSError as error:
        raise disk_error(error, home.archive) from error


def _is_meant(home: Home, path: Path) -> bool:
    """Whether the locks are those of the archive in this file."""
    with contextlib.suppress(ArchiveDamaged):
        return KeyStore(home.keys).coming() == path.name
    return False


def _put_in_place(home: Home, coming: Path) -> None:
    """The log of the old archive goes first: it would be taken for the new one's."""
    for path in home.path.glob(f"{home.archive.stem}.*"):
        if path.suffix != SUFFIX and path != home.archive:
            path.unlink(missing_ok=True)
    coming.replace(home.archive)
    settle(home.path)


@contextlib.contextmanager
def _claimed(path: Path) -> Iterator[bool]:
    """Hold the lock on a file; whether it is still there. Raises ArchiveBusy where somebody keeps it."""
    if sys.platform == "win32":  # an open file could not be given another name
        yield path.exists()
        return
    import fcntl

    with contextlib.ExitStack() as stack:
        try:
            stream = stack.enter_context(path.open("r+b"))
        except FileNotFoundError:
            yield False
            return
        tried_until = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > tried_until:
                    raise ArchiveBusy(
                        "A backup is being restored.", advice="Wait until that is done, and try again."
                    ) from None
                time.sleep(0.05)
        yield path.exists()
