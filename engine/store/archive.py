"""Opening the archive: key, schema, transactions, and SQLite's errors as sentences.

Every process may open it; writers take turns through SQLite's own lock. A reader notices by
`data_version` that somebody else wrote and loads the index again.
"""

import contextlib
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw

from engine.errors import (
    ArchiveBusy,
    ArchiveDamaged,
    ArchiveTooNew,
    DiskFull,
    EngineError,
    KnownError,
    NotWritable,
)
from engine.files import disk_error
from engine.store.schema import MIGRATIONS, VERSION

BUSY_MS = 10_000
PAGES_AT_ONCE = 1_000
SMALLEST_PAGE = 512  # bytes
LOCK_OF_THE_OPEN = 128  # offset in the file beside the archive
_REFUSED = (apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_TRUNCATE)
Connection = apsw.Connection


def sentence_for(error: apsw.Error, path: Path) -> KnownError | None:
    """What an SQLite error means to a person, None where it is our own fault."""
    name = f"“{path.name}”"
    if isinstance(error, apsw.FullError):
        return DiskFull("The disk is full. What was stored before is safe; the last step was undone.")
    if isinstance(error, apsw.ReadOnlyError | apsw.CantOpenError | apsw.PermissionsError):
        return NotWritable(f"The archive {name} in “{path.parent}” cannot be opened for writing.")
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return ArchiveBusy("Another Backscroll is writing to the archive.", details=str(error))
    if isinstance(error, apsw.NotADBError):
        return ArchiveDamaged(f"The archive {name} cannot be opened with this key, or it is damaged.")
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", 0) in _REFUSED:
        return NotWritable(f"The disk did not take what was written to the archive {name}.")
    if isinstance(error, apsw.CorruptError | apsw.IOError):
        return ArchiveDamaged(f"A page of the archive {name} cannot be read.", details=str(error))
    return None


@contextlib.contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into KnownErrors."""
    try:
        yield
    except apsw.Error as error:
        known = sentence_for(error, path)
        if known is None:
            raise
        raise known from error


class Overtaken(EngineError):
    """Another process wrote between reading and writing: read again."""


class Archive:
    """One connection to the archive. `db` is the apsw connection; use `transaction` for every write."""

    def __init__(self, path: Path, key: bytes, *, read_only: bool = False) -> None:
        self.path = path
        self._key = key
        with plain_errors(path):
            try:
                if not read_only:
                    self._prepare()
                self.db = self._connect(read_only)
            except OSError as error:
                raise disk_error(error, path) from error

    def _connect(self, read_only: bool = False) -> Connection:
        flags = apsw.SQLITE_OPEN_READONLY if read_only else apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
        db = keyed(self.path, self._key, flags)
        db.execute("SELECT count(*) FROM sqlite_master").fetchall()
        if not read_only and db.pragma("journal_mode") != "wal":
            db.execute("PRAGMA journal_mode = wal")
        # A transaction is a whole import, so waiting for the disk at its end costs nothing that is noticed.
        db.execute("PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; PRAGMA cache_size = -65536")
        return db

    def _prepare(self) -> None:
        """Create or migrate the tables in one transaction; of an old archive a copy is kept beside it."""
        if not self.path.exists():
            self.path.touch(mode=0o600)  # SQLite gives its log the same permissions
        if 0 < self.path.stat().st_size < SMALLEST_PAGE:
            # SQLite would take it for a new file and begin anew in it.
            raise ArchiveDamaged(f"The archive “{self.path.name}” is cut off.")
        with contextlib.closing(self._connect()) as db:
            version = _version(db)
            if version > VERSION:
                raise ArchiveTooNew("This archive was written by a newer Backscroll than this one.")
            if 0 < version < VERSION:
                self._keep_old(db, version)
            if version < VERSION:
                _migrate(db)

    def _keep_old(self, db: Connection, version: int) -> None:
        """Keep a copy of an old archive, until the next migration or until something is erased."""
        older = version_copies(self.path)
        try:
            copy_whole(db, self._key, self.path.with_suffix(f".v{version}.backup"))
        except (OSError, apsw.FullError, apsw.IOError) as error:
            raise DiskFull("There is no room to bring the archive up to date; it was left as it was.") from error
        for path in older:
            if path.suffixes[-2:] != [f".v{version}", ".backup"]:
                path.unlink(missing_ok=True)

    def copy_to(self, path: Path) -> None:
        """Write the archive as it is now, encrypted with the same key, to another file."""
        with plain_errors(path):
            copy_whole(self.db, self._key, path)

    @contextlib.contextmanager
    def transaction(self, seen: int | None = None) -> Iterator[Connection]:
        """Everything inside is written, or nothing.

        Args:
            seen: the `data_version` that what will be written rests on.

        Raises:
            ArchiveBusy: another process is writing.
            Overtaken: another process has written since `seen`; nothing was done.
        """
        with plain_errors(self.path):
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._require_unchanged(seen)
                yield self.db
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
            self.db.execute("COMMIT")

    @contextlib.contextmanager
    def snapshot(self, seen: int) -> Iterator[None]:
        """Everything read inside is of one state. Raises Overtaken where that is not the one that was seen."""
        with plain_errors(self.path):
            self.db.execute("BEGIN")
            try:
                self._require_unchanged(seen)
                yield
            finally:
                self.db.execute("ROLLBACK")

    def _require_unchanged(self, seen: int | None) -> None:
        if seen is not None and seen != self.data_version():
            raise Overtaken

    def rows(self, sql: str, *bindings: Any) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with plain_errors(self.path):
            return self.db.execute(sql, bindings).fetchall()

    def value(self, sql: str, *bindings: Any) -> Any:
        """The first column of the first row, None where there is none."""
        with plain_errors(self.path):
            row = self.db.execute(sql, bindings).fetchone()
        return row[0] if row else None

    def data_version(self) -> int:
        """Changes when another connection has written."""
        return int(self.value("PRAGMA data_version"))

    def scrub(self) -> None:
        """Leave nothing of what was deleted in the file, its log, the copy of an older version or a damaged one.

        A transaction that deletes calls `must_scrub`, so that a crash in between only puts this off.
        """
        with plain_errors(self.path):
            self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self.db.execute("VACUUM")
            for path in (*version_copies(self.path), damaged_copy(self.path)):
                path.unlink(missing_ok=True)
            busy, *_ = self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() or (1,)
            if not busy:  # else somebody still reads the log; the next one who opens the archive goes on
                self.db.execute("DELETE FROM meta WHERE key = 'to_scrub'")

    def finish_scrub(self) -> None:
        """Scrub where a crash or another process kept that from being done."""
        if self.value("SELECT 1 FROM meta WHERE key = 'to_scrub'"):
            with contextlib.suppress(ArchiveBusy, DiskFull):
                self.scrub()

    def close(self) -> None:
        """Close the connection."""
        self.db.close()


def rows_of(db: Connection, sql: str, *bindings: Any) -> list[tuple[Any, ...]]:
    """All rows of a query on a bare connection."""
    return db.execute(sql, bindings).fetchall()


def must_scrub(db: Connection) -> None:
    """Note, in the transaction that deletes, that pages and log still hold what was deleted."""
    db.execute("INSERT OR REPLACE INTO meta VALUES ('to_scrub', 1)")


def keyed(path: Path, key: bytes, flags: int) -> Connection:
    """A connection with its key. Whether the key is the right one shows when something is read."""
    db = apsw.Connection(str(path), flags=flags)
    db.set_busy_timeout(BUSY_MS)
    # The key is random, so SQLite need not stretch it; this makes opening 40 ms faster.
    db.execute(f"PRAGMA key = 'raw:{key.hex()}'")
    return db


def copy_whole(db: Connection, key: bytes, target: Path) -> None:
    """Copy a database page by page into a new file, which gets its name when it is whole.

    It goes through SQLite: to open and close the file beside SQLite would give up the locks of this process.
    """
    part = target.with_name(f"{target.name}.part")
    for left_over in (part, Path(f"{part}-journal")):
        left_over.unlink(missing_ok=True)
    try:
        part.touch(mode=0o600)
        with contextlib.closing(keyed(part, key, apsw.SQLITE_OPEN_READWRITE)) as copy:
            with copy.backup("main", db, "main") as backup:
                while not backup.done:
                    backup.step(PAGES_AT_ONCE)
            copy.execute("PRAGMA journal_mode = delete")
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def require_alone(db: apsw.Connection) -> None:
    """Refuse while another process has the file open: it would go on writing to the old one."""
    try:
        # Only the single connection to a file can take it out of this mode, which also empties the log into it.
        alone = db.execute("PRAGMA journal_mode = delete").fetchone() == ("delete",)
    except apsw.BusyError:
        alone = False
    if not alone:
        raise ArchiveBusy("Another Backscroll has the archive open.")


def in_use(path: Path) -> bool:
    """Whether another process has an archive open that this one has no key for.

    Whoever has it open holds a lock on a byte of the file beside it (sqlite.org/walformat.html, 2.3.1). Windows
    needs no such look: there a file that is open cannot be replaced.
    """
    beside = path.with_name(f"{path.name}-shm")
    if sys.platform == "win32" or not beside.exists():
        return False
    import fcntl

    with beside.open("r+b") as stream:
        try:
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, LOCK_OF_THE_OPEN)
        except OSError:
            return True
    return False


def version_copies(path: Path) -> list[Path]:
    """The copies of older versions beside an archive."""
    return sorted(path.parent.glob(f"{path.stem}.v*.backup"))


def damaged_copy(path: Path) -> Path:
    """Where a damaged archive stays when its messages were carried into a new one."""
    return path.with_suffix(".damaged")


def _version(db: Connection) -> int:
    return int(db.pragma("user_version") or 0)


def _migrate(db: Connection) -> None:
    """Bring the tables up to date, unless another process did so meanwhile."""
    db.execute("BEGIN IMMEDIATE")
    try:
        for number, script in enumerate(MIGRATIONS[_version(db) :], _version(db) + 1):
            db.execute(script)
            db.pragma("user_version", number)
        db.execute("INSERT OR IGNORE INTO meta VALUES ('created', ?)", (time.strftime("%Y-%m-%d"),))
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
