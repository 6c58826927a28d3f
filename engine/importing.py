"""What the window can ask about exports: looking at them, importing, going on, taking back."""

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

from engine import ledger, pending, shapes
from engine.errors import NothingThere
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.sample import Sample
from engine.store.archive import Archive
from engine.undo import undo_import

Json = dict[str, Any]
Handler = Callable[[Job, Json], Any]


class ImportDesk:
    """Methods of the protocol that take and give JSON. `library` opens the archive, `reader` reads beside it."""

    def __init__(
        self, library: Callable[[], Library], reader: Callable[[], Archive], sample: Sample | None
    ) -> None:
        self._library = library
        self._reader = reader
        self._sample = sample

    def methods(self) -> dict[str, tuple[str, Handler]]:
        """Each method with its lane."""
        return {
            "preview": ("work", self._preview),
            "import": ("work", self._import),
            "load_sample": ("work", self._load_sample),
            "imports": ("read", lambda _job, _params: ledger.imports(self._reader())),
            "undo_import": ("work", self._undo),
            "unfinished": ("read", self._unfinished),
            "resume_import": ("work", self._resume),
            "leave_import": ("work", lambda _job, _params: pending.end(self._library().archive)),
        }

    def sample(self) -> Sample:
        """The sample archive. Raises NothingThere where the program came without one."""
        if self._sample is None:
            raise NothingThere("The sample archive is not part of this installation.")
        return self._sample

    def _preview(self, job: Job, params: Json) -> Json:
        paths = [Path(p) for p in params["paths"]]
        previews = self._library().preview(job, paths, import_options(params))
        return {"files": [shapes.preview(p) for p in previews]}

    def _import(self, job: Job, params: Json) -> Json:
        return self._noted(job, params)

    def _load_sample(self, job: Job, _params: Json) -> Json:
        sample = self.sample()
        return self._run(job, list(sample.paths), sample.options)

    def _resume(self, job: Job, _params: Json) -> Json:
        """Import what an import that was cut off had not come to."""
        left = pending.unfinished(self._library().archive)
        if left is None:
            raise NothingThere("There is no import that was cut off.")
        return self._noted(job, left["params"], left["done"])

    def _unfinished(self, _job: Job, _params: Json) -> Json | None:
        left = pending.unfinished(self._reader())
        return left and {"paths": left["params"]["paths"], "done": left["done"]}

    def _undo(self, job: Job, params: Json) -> Json:
        return {"messages": self._library().shrink(partial(undo_import, job=job, file=int(params["id"])))}

    def _noted(self, job: Job, params: Json, done: Collection[str] = ()) -> Json:
        """Import, with a note in the archive for as long as it takes."""
        archive = self._library().archive
        if not done:
            pending.begin(archive, params)
        try:
            return self._run(job, [Path(p) for p in params["paths"]], import_options(params), done)
        finally:
            pending.end(self._library().archive)

    def _run(self, job: Job, paths: list[Path], options: ImportOptions, done: Collection[str] = ()) -> Json:
        report = self._library().import_paths(job, paths, options, done=done)
        files = [shapes.file_report(f) for f in report.files]
        return {"files": files, "chats": report.chats, "messages": report.messages}


def import_options(params: Json) -> ImportOptions:
    """The choices of a request."""
    return ImportOptions(
        date_order=params.get("date_order") or "auto",
        date_orders=dict(params.get("date_orders") or {}),
        timezone=params.get("timezone"),
        me=params.get("me"),
        columns=dict(params.get("columns") or {}),
        columns_of=dict(params.get("columns_of") or {}),
    )
