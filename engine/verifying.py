"""Checking the archive: pages, ledger against messages, turns against messages, index against turns."""

import contextlib
from dataclasses import dataclass, field

import apsw
import numpy as np

from engine.index import Index
from engine.job import Job
from engine.segment import INDEXED_KINDS
from engine.store.archive import Archive
from engine.store.messages import indexed_text


@dataclass(slots=True)
class Verification:
    """What was counted and what does not agree. `index_problems` can be mended from the messages."""

    messages: int = 0
    turns: int = 0
    files: int = 0
    problems: list[str] = field(default_factory=list)
    index_problems: list[str] = field(default_factory=list)
    mended: bool = False
    damaged_pages: bool = False

    @property
    def ok(self) -> bool:
        """Whether everything agrees (after mending)."""
        return not self.problems and (self.mended or not self.index_problems)


def verify(archive: Archive, index: Index, job: Job) -> Verification:
    """All checks; reads every message once."""
    result = Verification()
    job.report(0, 4, "Checking the file's pages")
    result.problems += _pages(archive)
    result.damaged_pages = bool(result.problems)
    if result.damaged_pages:  # what else is read now may be wrong, or cannot be read at all
        return result
    job.report(1, 4, "Checking the ledger")
    _ledger(archive, result)
    job.report(2, 4, "Checking the turns")
    _turns(archive, result, job)
    job.report(3, 4, "Checking the index")
    _index(archive, index, result)
    job.report(4, 4, "Done")
    return result


def _pages(archive: Archive) -> list[str]:
    try:
        found = [str(r[0]) for r in archive.db.execute("PRAGMA integrity_check(20)")]
    except apsw.Error as error:
        return [f"The archive's pages cannot be read: {error}."]
    return [] if found == ["ok"] else [f"The archive's pages are damaged: {line}." for line in found]


def _ledger(archive: Archive, result: Verification) -> None:
    sql = "SELECT f.id, f.path, f.new + f.system, (SELECT count(*) FROM message m WHERE m.file = f.id) FROM file f"
    files = archive.rows(sql) if archive.value("SELECT count(*) FROM file") < 50 else _ledger_by_group(archive)
    result.files = len(files)
    result.messages = int(archive.value("SELECT count(*) FROM message"))
    erased = archive.value("SELECT value FROM meta WHERE key = 'erased'")
    for _, path, said, there in files:
        if there > said or (there < said and not erased):
            result.problems.append(
                f"The ledger says {said:,} messages came from “{path}”, the archive has {there:,}."
            )
    orphans = int(archive.value("SELECT count(*) FROM message WHERE file NOT IN (SELECT id FROM file)"))
    if orphans:
        result.problems.append(f"{orphans:,} messages are in no file of the ledger.")


def _ledger_by_group(archive: Archive) -> list[tuple[int, str, int, int]]:
    there = dict(archive.rows("SELECT file, count(*) FROM message GROUP BY file"))
    return [(i, p, n, there.get(i, 0)) for i, p, n in archive.rows("SELECT id, path, new + system FROM file")]


def _turns(archive: Archive, result: Verification, job: Job) -> None:
    covered: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = []
    with contextlib.closing(archive.db.execute("SELECT messages FROM turn")) as rows:  # whoever stops it
        for count, (packed,) in enumerate(rows):
            covered.append(np.frombuffer(packed, "<i8"))
            if count % 10_000 == 0:
                job.check()
    result.turns = len(covered)
    ids = np.concatenate(covered) if covered else np.zeros(0, np.int64)
    kinds = ",".join(f"'{k}'" for k in sorted(INDEXED_KINDS))
    wanted = [
        row[0]
        for row in archive.db.execute(f"SELECT id, text, extra FROM message WHERE kind IN ({kinds})")
        if indexed_text(row[1], row[2]).strip()
    ]
    if len(np.unique(ids)) != len(ids):
        result.index_problems.append("Some messages belong to two turns.")
    missing = len(np.setdiff1d(np.array(wanted, np.int64), ids))
    extra = len(np.setdiff1d(ids, np.array(wanted, np.int64)))
    if missing or extra:
        result.index_problems.append(
            f"{missing:,} messages belong to no turn and {extra:,} turn entries to no message."
        )


def _index(archive: Archive, index: Index, result: Verification) -> None:
    stored = np.array([r[0] for r in archive.rows("SELECT id FROM turn ORDER BY id")], np.int64)
    if not np.array_equal(stored, np.flatnonzero(index.alive)):
        result.index_problems.append("The index and the list of turns do not hold the same turns.")
        return
    postings = np.zeros(len(index), np.int64)
    for segment in index.segments:
        np.add.at(postings, segment.docs, segment.frequency.astype(np.int64))
    if not np.array_equal(postings[index.alive], index.columns.length[index.alive]):
        result.index_problems.append("Some turns have words in the index that they should not have, or lack some.")
