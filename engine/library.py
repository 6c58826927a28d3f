"""The one facade over the engine: what the command line and the engine process call.

Holds the archive, its index and the searcher, and swaps in new ones after every change, so that a
search that is under way goes on over the state it began with.
"""

import contextlib
import os
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engine import erasing, overview, people, reading, restoring, verifying
from engine.directory import Directory
from engine.errors import ArchiveDamaged, KnownError
from engine.home import Home
from engine.index import Index
from engine.ingest import Ingest
from engine.job import Job
from engine.ledger import FileReport
from engine.reading import FilePreview, ImportOptions
from engine.salvage import salvage
from engine.searcher import ArchiveSearcher
from engine.store.archive import Archive, Overtaken, plain_errors
from engine.store.arrays import IndexStore
from engine.store.keys import KeyStore, Protection
from engine.turns import TurnWriter

Changed = TypeVar("Changed")


@dataclass(slots=True)
class ImportReport:
    """What became of every file, and the archive's size afterwards."""

    files: list[FileReport] = field(default_factory=list)
    chats: int = 0
    messages: int = 0


class Library:
    """An open archive."""

    def __init__(self, home: Home, *, passphrase: str | None = None, read_only: bool = False) -> None:
        home.create()
        restoring.finish(home)
        self.home = home
        self.keys = KeyStore(home.keys)
        secret = passphrase if passphrase is not None else os.environ.get("BACKSCROLL_PASSPHRASE")
        fresh = not home.archive.exists()
        key = self.keys.create() if fresh and not self.keys.exists() else self.keys.open(secret)
        if fresh and read_only:
            Archive(home.archive, key).close()
        self._key = key
        self._read_only = read_only
        self.searcher: ArchiveSearcher
        self._second: Archive | None = None
        try:
            self._open()
        except ArchiveDamaged:
            if read_only:
                raise
            salvage(home.archive, key)
            self._open()

    def _open(self) -> None:
        self.archive = Archive(self.home.archive, self._key, read_only=self._read_only)
        try:
            if not self._read_only:
                self.archive.finish_scrub()
            self._load()
        except BaseException:
            self.archive.close()
            raise

    def _load(self) -> None:
        self._version = self.archive.data_version()
        self._store = IndexStore(self.archive.db)
        with plain_errors(self.archive.path):
            index = self._store.load()
        if index is None:
            index = Index()
            if not self._read_only:
                self._rebuild(Job())
                return
        self.adopt(index)

    def adopt(self, index: Index | None = None) -> None:
        """Search this index from now on, with the names as they are now; without one, the same as before."""
        index = self.searcher.index if index is None else index
        self.searcher = ArchiveSearcher(self.archive, index, Directory(self.archive))

    def refresh(self) -> None:
        """Load the index again if another process changed the archive."""
        if self.archive.data_version() != self._version:
            self._load()

    def _on_newest(self, change: Callable[[], Changed]) -> Changed:
        """Make a change that rests on the index: on the newest, and again if another process came first."""
        while True:
            self.refresh()
            with contextlib.suppress(Overtaken):
                return change()

    @contextlib.contextmanager
    def _rolled_back(self) -> Iterator[None]:
        """When a change fails, load again: what the store believes to be written is not there."""
        try:
            yield
        except BaseException:
            self._load()
            raise

    def _rebuild(self, job: Job) -> None:
        """Make turns and index again from the messages."""
        index = Index()
        with self.archive.transaction() as db:
            db.execute("DELETE FROM turn; DELETE FROM session")
            writer = TurnWriter(db, index, job)
            chats = int(self.archive.value("SELECT count(*) FROM chat"))
            for done, _ in enumerate(writer.rebuild(), 1):
                job.report(done, chats, "Indexing")
            index.merge_tail()
            self._store.replace(index)
        self.adopt(index)

    def close(self) -> None:
        """Close the archive."""
        self.archive.close()
        if self._second:
            self._second.close()

    # exports

    def preview(self, job: Job, paths: Sequence[Path], options: ImportOptions) -> list[FilePreview]:
        """What the files hold and how their dates were read; stores nothing."""
        return [reading.preview(found, options, job) for found in reading.find(paths, options)]

    def import_paths(
        self,
        job: Job,
        paths: Sequence[Path],
        options: ImportOptions,
        *,
        dry_run: bool = False,
        done: Collection[str] = (),
    ) -> ImportReport:
        """Import files, folders and zips; each export is one transaction. Raises Cancelled when stopped.

        Exports whose paths are `done` are left out: an import that was cut off had them already.
        """
        report = ImportReport()
        for found in reading.find(paths, options):
            job.check()
            if found.path in done:
                continue
            job.emit("file", path=found.path)
            if dry_run or (found.importer is None and not found.is_contacts):
                report.files.append(reading.dry_run(found, options, job))
            else:
                report.files.append(self._on_newest(partial(self._import, job, found, options)))
        counts = overview.counts(self.archive)
        report.chats, report.messages = counts["chats"], counts["messages"]
        return report

    def _import(self, job: Job, found: reading.Found, options: ImportOptions) -> FileReport:
        if found.importer is None:
            contacts = people.import_contacts(self.archive, found.source, found.path, job)
            self.adopt()
            return contacts
        index = self.searcher.index.clone()
        with self._rolled_back():
            ingest = Ingest(self.archive, self._store, index, options.zone(), job, seen=self._version)
            result = ingest.run(found.importer, found.source, found.path, options.for_file(found.path))
        self.adopt(index)
        return result

    # what is there

    def stats(self) -> dict[str, Any]:
        """Counts, date range and sizes."""
        index = self.searcher.index
        return {
            **overview.counts(self.archive),
            "turns": index.n_docs,
            "words": len(index.vocabulary),
            **overview.stats(self.archive),
        }

    def second_connection(self) -> Archive:
        """A connection for reading beside what this one does; the one that was given before is closed."""
        if self._second:
            self._second.close()
        self._second = Archive(self.home.archive, self._key, read_only=True)
        return self._second

    def lock_with(self, passphrase: str | None) -> None:
        """Open only with this passphrase from now on; None keeps the key in the keyring or key file again."""
        if passphrase is None:
            self.keys.remove_passphrase(self._key)
        else:
            self.keys.set_passphrase(self._key, passphrase)

    def new_recovery_key(self) -> str:
        """A recovery key, to be shown once; an older one no longer opens the archive."""
        return self.keys.add_recovery_key(self._key)

    def protection(self) -> Protection:
        """How the archive's key is kept."""
        return self.keys.protection()

    # care

    def verify(self, job: Job) -> verifying.Verification:
        """Check counts, ledger, turns and index against the messages; mends what can be made from these again."""

        def check() -> verifying.Verification:
            with self.archive.snapshot(self._version):  # the state that the index belongs to
                return verifying.verify(self.archive, self.searcher.index, job)

        result = self._on_newest(check)
        if result.problems and result.damaged_pages and not self._read_only:
            self.close()
            try:
                salvage(self.home.archive, self._key)
            except KnownError:
                self._open()
                return result
            self._open()
            return replace(self._on_newest(check), index_problems=result.problems, mended=True)
        if result.index_problems and not self._read_only:
            with self._rolled_back():
                self._rebuild(job)
            result.mended = True
        return result

    def erase_chat(self, name: str) -> int:
        """Delete the chats of exactly that title for good; returns how many messages went."""

        def erase(archive: Archive, store: IndexStore, index: Index, seen: int) -> tuple[Index, int]:
            ids = self.searcher.directory.titled(name)
            return erasing.erase_chats(archive, store, index, ids, seen=seen)

        return self.shrink(erase)

    def shrink(self, change: Callable[[Archive, IndexStore, Index, int], tuple[Index, Changed]]) -> Changed:
        """Take something out of archive and index: from their newest state, and all of it or nothing.

        `change` is given both, where the index is stored, and the version that they have; it returns the index
        without what went, and its own result.
        """

        def shrunk() -> Changed:
            with self._rolled_back():
                index, result = change(self.archive, self._store, self.searcher.index, self._version)
            self.adopt(index)
            return result

        return self._on_newest(shrunk)
