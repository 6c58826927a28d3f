"""Deleting for good: rows, index arrays, free pages and log; or everything, key first."""

from collections.abc import Sequence

import numpy as np

from engine.errors import NotWritable
from engine.history import forget_turns
from engine.home import Home
from engine.index import Index
from engine.store.archive import Archive
from engine.store.arrays import IndexStore
from engine.store.keys import KeyStore


def erase_chats(archive: Archive, store: IndexStore, index: Index, chats: Sequence[int]) -> tuple[Index, int]:
    """Delete chats with all that is known of them. Returns the index without them and the messages deleted."""
    marks = ",".join("?" * len(chats))
    count = int(archive.value(f"SELECT count(*) FROM message WHERE chat IN ({marks})", *chats))
    smaller = index.clone()
    smaller.bury(np.flatnonzero(np.isin(index.columns.chat, chats)).astype(np.int32))
    smaller = smaller.compacted()
    with archive.transaction() as db:
        turns = db.execute(f"SELECT id FROM turn WHERE chat IN ({marks})", tuple(chats)).fetchall()
        forget_turns(db, [int(str(row[0])) for row in turns])
        for table in ("message", "turn", "session"):
            db.execute(f"DELETE FROM {table} WHERE chat IN ({marks})", tuple(chats))
        db.execute(f"DELETE FROM chat WHERE id IN ({marks})", tuple(chats))
        db.execute("DELETE FROM sender WHERE id NOT IN (SELECT DISTINCT sender FROM message)")
        db.execute("DELETE FROM owner WHERE name NOT IN (SELECT name FROM sender)")
        # Excerpts of skipped lines and file names can hold words of the chat.
        gone = "SELECT id FROM file WHERE id NOT IN (SELECT DISTINCT file FROM message)"
        db.execute(f"DELETE FROM problem WHERE file IN ({gone})")
        db.execute("DELETE FROM file WHERE id NOT IN (SELECT DISTINCT file FROM message)")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('erased', 1)")
        store.replace(smaller)
    archive.scrub()
    return smaller, count


def erase_files(home: Home, keys: KeyStore) -> None:
    """Destroy the key, then delete the archive, its log, its backups and the settings. Models stay."""
    try:
        keys.destroy()
        for path in sorted(home.path.glob("archive*")):
            path.unlink(missing_ok=True)
        home.settings.unlink(missing_ok=True)
    except OSError as error:
        raise NotWritable(f"Not everything could be deleted from “{home.path}”: {error.strerror}.") from error
