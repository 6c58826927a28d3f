"""Opening somebody's Messages database without ever writing beside it.

A database without a write-ahead log is opened where it lies, read-only and immutable. One with a log holds its
newest messages there, and SQLite reads a log only with an index of it, which it writes beside the database, and
puts the log into the database when it is closed. So both are copied to a private folder first; a member of a zip
too.
"""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from importers.private_copy import private_folder
from importers.siblings import sibling
from importers.source import FileSource, Source

MAX_VALUE = 200 * 2**20  # bytes of one text or blob; more is damage
_STEP = 1_000_000  # instructions of SQLite's machine between two looks at what is left


@contextmanager
def opened(source: Source) -> Iterator[sqlite3.Connection]:
    """A read-only connection. Raises sqlite3.Error where it is no database, OSError where the disk is full."""
    log = sibling(source, source.basename + "-wal")
    if isinstance(source, FileSource) and not (log and log.size):
        with closing(
            _connection(f"{source.path.resolve().as_uri()}?mode=ro&immutable=1", source.size)
        ) as connection:
            yield connection
        return
    with private_folder() as folder:
        copy = folder / "chat.db"
        for origin, target in ((source, copy), (log, copy.with_name("chat.db-wal"))):
            if origin is not None:
                with origin.open() as stream, target.open("wb") as written:
                    shutil.copyfileobj(stream, written, 2**20)
        with closing(_connection(copy.as_uri(), source.size)) as connection:
            yield connection


class _Budget:
    """Work that a database of a size may cost. Pages that point at each other would cost work without end."""

    def __init__(self, size: int) -> None:
        self._steps = 1_000 + size // 20_000

    def __call__(self) -> bool:
        """Whether to give up."""
        self._steps -= 1
        return self._steps < 0


def _connection(uri: str, size: int) -> sqlite3.Connection:
    connection = sqlite3.connect(uri, uri=True)
    connection.set_progress_handler(_Budget(size), _STEP)
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    connection.row_factory = sqlite3.Row
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def columns(connection: sqlite3.Connection, table: str) -> set[str]:
    """The columns of a real table, empty where there is none of that name (or only a view)."""
    found = connection.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (table,))
    if found.fetchone() is None:
        return set()
    return {str(row["name"]) for row in connection.execute(f'PRAGMA table_info("{table}")')}
