"""A damaged archive whose messages can still be read: they are carried into a new file, and the rest made again.

Turns, sessions and the index follow from the messages, so damage there costs nothing but the time to make
them again. SQLite cannot repair a file whose pages fail their checks, so a new one takes its place; the old
one stays beside it as `archive.damaged`, encrypted as it was.
"""

import contextlib
import os
import shutil
from pathlib import Path

import apsw

from engine.errors import ArchiveDamaged
from engine.store.archive import Archive, damaged_copy, keyed, plain_errors, require_alone

DERIVED = frozenset({"turn", "session", "index_array"})
OF_THE_INDEX = ("index_version", "word_chunks", "column_chunks")


def salvage(path: Path, key: bytes) -> None:
    """Carry everything that cannot be made again into a new file, and put that in place.

    Raises:
        ArchiveDamaged: messages are among what cannot be read. Nothing was changed.
        ArchiveBusy: another process has the archive open.
    """
    rescued = path.with_suffix(".rescued")
    for left_over in (rescued, Path(f"{rescued}-wal"), Path(f"{rescued}-shm")):
        left_over.unlink(missing_ok=True)
    try:
        with (
            plain_errors(path),
            contextlib.closing(keyed(path, key, apsw.SQLITE_OPEN_READWRITE)) as old,
            contextlib.closing(Archive(rescued, key)) as new,
        ):
            require_alone(old)
            old.execute("BEGIN IMMEDIATE")
            with new.transaction() as db:
                for table, columns in _tables(old).items():
                    names, marks = ", ".join(columns), ", ".join("?" * len(columns))
                    rows = old.execute(f"SELECT {names} FROM {table}")
                    db.executemany(f"INSERT OR REPLACE INTO {table} ({names}) VALUES ({marks})", rows)
                db.execute(f"DELETE FROM meta WHERE key IN ({', '.join('?' * len(OF_THE_INDEX))})", OF_THE_INDEX)
            new.db.execute("PRAGMA journal_mode = delete")  # all of it in the one file that is put in place
            old.execute("ROLLBACK")
        _keep(path, damaged_copy(path))
        rescued.replace(path)
    finally:
        rescued.unlink(missing_ok=True)


def _keep(path: Path, copy: Path) -> None:
    """Let the damaged file have a second name, so that there is an archive at every moment."""
    copy.unlink(missing_ok=True)
    try:
        os.link(path, copy)
    except OSError:  # a file system without links
        copy.touch(mode=0o600)
        shutil.copyfile(path, copy)


def _tables(db: apsw.Connection) -> dict[str, list[str]]:
    """The tables to carry over, with their columns."""
    names = [str(row[0]) for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    if "message" not in names:
        raise ArchiveDamaged("The archive is damaged, and no message can be read.")
    kept = [name for name in names if name not in DERIVED and not name.startswith("sqlite_")]
    return {name: [str(row[1]) for row in db.execute(f"PRAGMA table_info({name})")] for name in kept}
