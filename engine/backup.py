"""Backup and restore: one file that is as encrypted as the archive, and opens on any computer.

A backup is a zip of two members that are not compressed: the archive, page by page as it lies on the disk,
and the locks that need a secret (passphrase, recovery key). The key itself is never in it. Restoring checks
every page first and puts the archive in its place only then (`engine/restoring.py`); an archive that holds
messages is replaced only when that was asked for.
"""

import contextlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import apsw

from engine.errors import (
    ArchiveBusy,
    ArchiveDamaged,
    ArchiveLocked,
    ArchiveTooNew,
    KnownError,
    NothingThere,
    NotWritable,
)
from engine.files import disk_error
from engine.home import Home
from engine.job import Job
from engine.restoring import coming_archive, finish, switch
from engine.store.archive import Archive, in_use, keyed, plain_errors, require_alone
from engine.store.keys import KeyStore, Lock, is_locks, unwrapped
from engine.store.schema import VERSION

LOCKS, ARCHIVE = "locks.json", "archive.db"
MOST_LOCKS = 100_000  # bytes of the list of locks
_BLOCK = 1 << 20


class NotEmpty(KnownError):
    """There is an archive with messages where a backup is to be restored."""

    advice = "To lose it and take the backup instead, add --replace."


@dataclass(frozen=True, slots=True)
class Restored:
    """What is in the archive after a backup was restored."""

    messages: int
    chats: int


def backup(archive: Archive, keys: KeyStore, target: Path, job: Job) -> None:
    """Write the archive as it is now into a file, which gets its name when it is whole.

    Raises:
        KnownError: there is neither passphrase nor recovery key, so that no other computer could open it.
        DiskFull, NotWritable: the file cannot be written.
    """
    locks = keys.portable()
    if not locks:
        raise KnownError(
            "A backup needs a recovery key or a passphrase, or it could be opened only on this computer.",
            advice="Make a recovery key first.",
        )
    part, pages = target.with_name(f"{target.name}.part"), target.with_name(f"{target.name}.pages")
    try:
        archive.copy_to(pages)
        with _private(part).open("r+b") as stream, zipfile.ZipFile(stream, "w") as file:
            file.writestr(LOCKS, json.dumps(locks, indent=1))
            with pages.open("rb") as source, file.open(ARCHIVE, "w", force_zip64=True) as member:
                _copy(source, member, pages.stat().st_size, job, "Writing the backup")
        with part.open("rb") as written:
            os.fsync(written.fileno())
        part.replace(target)
    except OSError as error:
        raise disk_error(error, target) from error
    finally:
        for left in (part, pages):
            left.unlink(missing_ok=True)


def restore(home: Home, source: Path, secret: str, job: Job, *, replace: bool = False) -> Restored:
    """Put the archive of a backup in place of the one in a home.

    Raises:
        ArchiveLocked: the secret opens neither lock of the backup.
        ArchiveDamaged, ArchiveTooNew: the backup is not whole, or of a newer version.
        NotEmpty: there is an archive with messages, and `replace` was not asked for.
        ArchiveBusy: another Backscroll has that archive open.
    """
    home.create()
    finish(home)
    try:
        with _opened(source) as file, coming_archive(home) as coming:
            locks = _locks_of(file, source)
            key = unwrapped(locks, secret)
            if key is None:
                raise ArchiveLocked("That is neither the passphrase nor the recovery key of this backup.")
            _make_way(home, replace=replace)
            _unpack(file, coming, job)
            found = _checked(coming, key, source)
            _make_way(home, replace=replace)  # somebody may have been just about to open it
            switch(home, coming, key, locks)
    except OSError as error:
        raise disk_error(error, home.archive) from error
    return found


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[zipfile.ZipFile]:
    if not source.is_file():
        raise NothingThere(f"There is no file “{source}”.")
    try:
        with zipfile.ZipFile(source) as file:
            yield file
    except (zipfile.BadZipFile, KeyError, EOFError, NotImplementedError) as error:
        raise _no_backup(source) from error


def _no_backup(source: Path) -> ArchiveDamaged:
    return ArchiveDamaged(
        f"“{source.name}” is not a backup of Backscroll, or it is not whole.", advice="Choose another backup."
    )


def _locks_of(file: zipfile.ZipFile, source: Path) -> list[Lock]:
    if file.getinfo(LOCKS).file_size > MOST_LOCKS:
        raise _no_backup(source)
    try:
        locks = json.loads(file.read(LOCKS))
    except (ValueError, RecursionError) as error:
        raise _no_backup(source) from error
    if not is_locks(locks) or not all(lock["kind"] in ("passphrase", "recovery") for lock in locks):
        raise _no_backup(source)
    return list(locks)


def _make_way(home: Home, *, replace: bool) -> None:
    """Refuse where there is an archive that somebody may want to keep, or one that is in use."""
    if not home.archive.exists():
        return
    try:
        archive = Archive(home.archive, KeyStore(home.keys).open())
    except KnownError:
        if not replace:
            raise NotEmpty("There is an archive already, and it cannot be opened to look into it.") from None
        if in_use(home.archive):
            raise ArchiveBusy("Another Backscroll has the archive open.") from None
        return
    with contextlib.closing(archive):
        messages = int(archive.value("SELECT count(*) FROM message"))
        if messages and not replace:
            raise NotEmpty(f"There is an archive already, with {messages:,} messages.")
        require_alone(archive.db)


def _unpack(file: zipfile.ZipFile, target: Path, job: Job) -> None:
    free, needed = shutil.disk_usage(target.parent).free, file.getinfo(ARCHIVE).file_size
    if needed > free:
        raise NotWritable(
            f"The backup needs {needed / 1e6:,.0f} MB and {free / 1e6:,.0f} MB is free.", advice="Free some space."
        )
    with file.open(ARCHIVE) as member, target.open("r+b") as stream:
        _copy(member, stream, needed, job, "Reading the backup")
        stream.flush()
        os.fsync(stream.fileno())


def _checked(path: Path, key: bytes, source: Path) -> Restored:
    """Read every page of an unpacked archive, and count."""
    try:
        with plain_errors(path), contextlib.closing(keyed(path, key, apsw.SQLITE_OPEN_READWRITE)) as db:
            if int(db.pragma("user_version") or 0) > VERSION:
                raise ArchiveTooNew("This backup was written by a newer Backscroll than this one.")
            if db.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
                raise _no_backup(source)
            messages, chats = db.execute(
                "SELECT (SELECT count(*) FROM message WHERE kind <> 'system'), (SELECT count(*) FROM chat)"
            ).fetchone() or (0, 0)
    except (ArchiveDamaged, apsw.Error) as error:
        raise _no_backup(source) from error
    return Restored(int(str(messages)), int(str(chats)))


def _private(path: Path) -> Path:
    """A new, empty file for the owner alone."""
    path.unlink(missing_ok=True)
    path.touch(mode=0o600)
    return path


def _copy(source: IO[bytes], target: IO[bytes], total: int, job: Job, note: str) -> None:
    done = 0
    while block := source.read(_BLOCK):
        target.write(block)
        done += len(block)
        job.report(done, total, note)
        job.check()
