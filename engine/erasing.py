"""Deleting for good: rows, index arrays, free pages and log; or everything, key first."""

from collections.abc import Sequence

import numpy as np

from engine import people
from engine.errors import NotWritable
from engine.history import forget_turns
from engine.home import Home
from engine.index import Index
from engine.store.archive import Archive, must_scrub
from engine.store.arrays import IndexStore
from engine.store.keys import KeyStore


def erase_chats(
    archive: Archive, store: IndexStore, index: Index, chats: Sequence[int], *, seen: int | None = None
) -> tuple[Index, int]:
    """Delete chats with all that is known of them. Returns the index without them and the messages deleted.

    Raises Overtaken when the archive is no longer the one that was `seen` when the index was loaded.
    """
    marks = ",".join("?" * len(chats))
    count = int(archive.value(f"SELECT count(*) FROM message WHERE chat IN ({marks})", *chats))
    smaller = index.clone()
    smaller.bury(np.flatnonzero(np.isin(index.columns.chat, chats)).astype(np.int32))
    smaller = smaller.compacted()
    with archive.transaction(seen) as db:
        turns = db.execute(f"SELECT id FROM turn WHERE chat IN ({marks})", tuple(chats)).fetchall()
        forget_turns(db, [int(str(row[0])) for row in turns])
        for table in ("message", "turn", "session"):
            db.execute(f"DELETE FROM {table} WHERE chat IN ({marks})", tuple(chats))
        db.execute(f"DELETE FROM chat WHERE id IN ({marks})", tuple(chats))
        people.forget_gone(db)
        # Excerpts of skipped lines and file names can hold words of the chat.
        gone = "contacts = 0 AND id NOT IN (SELECT DISTINCT file FROM message)"
        db.execute(f"DELETE FROM problem WHERE file IN (SELECT id FROM file WHERE {gone})")
        db.execute(f"DELETE FROM file WHERE {gone}")
        db.execute("INSERT OR REPLACE INTO meta VALUES ('erased', 1)")
        store.replace(smaller)
        must_scrub(db)
    archive.scrub()
    return smaller, count


def erase_files(home: Home, keys: KeyStore) -> None:
    """Destroy the key, then delete the archive, its log, its backups and the settings. Models stay."""
    try:
        keys.destroy()
        for path in sorted(home.path.glob("archive*")):
            path.unlink(missing_ok=True)
        for path in home.path.glob(f"{home.settings.stem}*{home.settings.suffix}"):  # with the one kept before it
            path.unlink(missing_ok=True)
    except OSError as error:
        raise NotWritable(f"Not everything could be deleted from “{home.path}”: {error.strerror}.") from error
