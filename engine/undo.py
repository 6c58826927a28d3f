"""Taking back an import: its messages go, with their place in the index, and its entry in the ledger.

Messages that an earlier import brought stay, also where this one held them too. Messages that only later imports
held as well go: those did not store them a second time, and importing them again brings them back.
"""

import numpy as np

from engine import people
from engine.errors import NothingThere
from engine.history import forget_turns
from engine.index import Index
from engine.job import Job
from engine.store.archive import Archive, Connection, must_scrub, rows_of
from engine.store.arrays import IndexStore
from engine.turns import TurnWriter


def undo_import(
    archive: Archive, store: IndexStore, index: Index, seen: int, *, job: Job, file: int
) -> tuple[Index, int]:
    """Take an import back, by its number in the ledger. Returns the index without it and the messages deleted.

    Raises:
        NothingThere: the ledger has no such import.
        Overtaken: the archive is no longer the one that was `seen` when the index was loaded.
        Cancelled: nothing was changed.
    """
    if not archive.value("SELECT count(*) FROM file WHERE id = ? AND contacts = 0", file):
        raise NothingThere("That import is no longer in the archive.")
    smaller = index.clone()
    with archive.transaction(seen) as db:
        gone = {number for (number,) in rows_of(db, "SELECT id FROM message WHERE file = ?", file)}
        chats = [chat for (chat,) in rows_of(db, "SELECT DISTINCT chat FROM message WHERE file = ?", file)]
        forget_turns(db, _turns_with(db, chats, gone))
        for table, column in (("message", "file"), ("problem", "file"), ("file", "id")):
            db.execute(f"DELETE FROM {table} WHERE {column} = ?", (file,))
        _cut_again(db, smaller, chats, job)
        db.execute("DELETE FROM chat WHERE id NOT IN (SELECT DISTINCT chat FROM message)")
        people.forget_gone(db)
        db.execute("INSERT OR REPLACE INTO meta VALUES ('erased', 1)")
        smaller = smaller.compacted()
        store.replace(smaller)
        must_scrub(db)
    archive.scrub()
    return smaller, len(gone)


def _turns_with(db: Connection, chats: list[int], messages: set[int]) -> list[int]:
    """The turns of these chats that hold one of the messages."""
    found = []
    for chat in chats:
        for turn, held in rows_of(db, "SELECT id, messages FROM turn WHERE chat = ?", chat):
            if not messages.isdisjoint(np.frombuffer(held, "<i8").tolist()):
                found.append(turn)
    return found


def _cut_again(db: Connection, index: Index, chats: list[int], job: Job) -> None:
    """Sessions and turns of the chats anew, from what is left of them."""
    writer = TurnWriter(db, index, job)
    for done, chat in enumerate(chats):
        job.report(done, len(chats), "Indexing")
        writer.forget(chat)
        writer.refresh(chat, 0)
    writer.flush()
