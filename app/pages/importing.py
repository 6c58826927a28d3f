"""The Import page: choose or drop exports, look at them, import, and read what happened."""

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QStackedWidget

from app import words
from app.data import Json
from app.data_import import FilePreview, ImportReport, PastImport
from app.engine_client import Call, Engine
from app.messages import ErrorWords
from app.widgets.import_start import ImportStart
from app.widgets.parts import ErrorBox, Page, announce, push
from app.widgets.past_imports import PastImports
from app.widgets.preview_panel import PreviewPanel
from app.widgets.report import ReportPanel
from app.widgets.running import Running
from app.widgets.unfinished import Unfinished

START, LOOKING, PREVIEW, RUNNING, REPORT = range(5)


class ImportPage(Page):
    """The whole way of an import. `imported` when the archive has changed.

    `own_imported` carries how many messages are new, where it was no sample. `owner_names` says who the person is
    known to be.
    """

    imported = Signal()
    own_imported = Signal(int)
    ask_wanted = Signal()
    sample_loaded = Signal()

    def __init__(self, engine: Engine, owner_names: Callable[[], Collection[str]]) -> None:
        super().__init__(self.tr("Import"), self.tr("Your exports are read where they lie and never changed."))
        self._engine, self._owner_names = engine, owner_names
        self._call: Call | None = None
        self._paused = False
        self._orders: dict[str, str] = {}
        self._columns: dict[str, Json] = {}
        self._error = ErrorBox()
        self._stack = QStackedWidget()
        self._looking = Running(self.tr("Looking at the files"))
        self._looking.buttons.addWidget(push(self.tr("&Cancel"), self.cancel))
        self._looking.buttons.addStretch(1)
        self._running = Running(self.tr("Importing"))
        self._pause = push(self.tr("&Pause"), self.pause)
        self._running.buttons.addWidget(self._pause)
        self._running.buttons.addWidget(push(self.tr("&Cancel"), self.cancel))
        self._running.buttons.addStretch(1)
        self.past, self.unfinished = PastImports(self._engine), Unfinished(self._engine)
        self.past.again_wanted.connect(self.take)
        self.past.undo_wanted.connect(self._undo)
        self.unfinished.resumed.connect(self.resume)
        self.start = ImportStart(self.past)
        self.start.chosen.connect(self.take)
        self.preview = PreviewPanel()
        self.preview.import_wanted.connect(self.start_import)
        self.preview.cancelled.connect(self.cancel)
        self.preview.order_chosen.connect(self._choose_order)
        self.preview.columns_chosen.connect(self._choose_columns)
        self._report = ReportPanel()
        self._report.ask_wanted.connect(self.ask_wanted.emit)
        self._report.more_wanted.connect(lambda: self._show(START))
        self._report.failed.connect(self._error.show_words)
        for each in (self.start, self._looking, self.preview, self._running, self._report):
            self._stack.addWidget(each)
        self.content.addWidget(self._error)
        self.content.addWidget(self.unfinished)
        self.content.addWidget(self._stack, 1)
        self._show(START)

    @property
    def busy(self) -> bool:
        """Whether files are being looked at or imported."""
        return self._call is not None

    def load_formats(self) -> None:
        """Ask which formats there are, once the engine is ready."""
        self.start.load_formats(self._engine)

    def refresh(self) -> None:
        """Ask what was imported before, and whether an import was cut off."""
        self.past.refresh()
        if not self.busy:
            self.unfinished.refresh()

    def take(self, paths: Sequence[str]) -> None:
        """Look at dropped or chosen files; nothing is stored yet."""
        if self.busy or not paths:
            return
        self._error.hide()
        self._orders.clear()
        self._columns.clear()
        self._show(LOOKING)
        self._looking.begin()
        self._call = self._engine.call(
            "preview",
            {"paths": list(paths), "date_order": "auto", "timezone": None, "me": None},
            result=self._previewed,
            error=self._failed,
            event=self._looking.event_of,
        )

    def cancel(self) -> None:
        """Stop; what is not imported whole is not imported at all."""
        if self._call:
            self._call.cancel()
            self._call = None
        if self._stack.currentIndex() == RUNNING:
            self._show(PREVIEW if self.preview.paths else START)
            self.imported.emit()  # files before the one that was stopped are in
        else:
            self._show(START)

    def pause(self) -> None:
        """Hold the import, or let it go on."""
        if self._call:
            self._paused = not self._paused
            self._engine.call("pause" if self._paused else "resume", {"id": self._call.number})
            self._pause.setText(self.tr("Go &on") if self._paused else self.tr("&Pause"))

    def start_import(self) -> None:
        """Import what is previewed."""
        chosen = self.preview
        self._error.hide()
        params = {"paths": chosen.paths, "date_order": "auto", "timezone": chosen.chosen_zone}
        read = {"date_orders": dict(self._orders), "columns_of": dict(self._columns)}
        self._begin_running("import", params | read | {"me": chosen.chosen_me or None}, self.own_imported.emit)

    def run_sample(self) -> None:
        """Import the invented archive that comes with the program."""
        if self.busy:
            return
        self.preview.clear()
        self._error.hide()
        self._begin_running("load_sample", {}, lambda _new: self.sample_loaded.emit())

    def resume(self) -> None:
        """Go on with an import that was cut off."""
        if not self.busy:
            self.preview.clear()
            self._begin_running("resume_import", {}, self.own_imported.emit)

    def _undo(self, past: PastImport) -> None:
        """Take an import back; the person was asked."""
        if self.busy:
            return
        self.preview.clear()
        self._error.hide()
        self._show(RUNNING)
        self._running.begin(self.tr("Taking an import back"))
        self._call = self._engine.call(
            "undo_import",
            {"id": past.id},
            result=self._undone,
            error=self._failed,
            event=self._running.event_of,
        )

    def _undone(self, data: Json) -> None:
        self._call = None
        self._show(START)
        gone = words.messages(int(data.get("messages") or 0))
        announce(self, self.tr("Taken back: {messages}").format(messages=gone))
        self.imported.emit()

    def _begin_running(self, method: str, params: Json, then: Callable[[int], object]) -> None:
        self.unfinished.hide()
        self._show(RUNNING)
        self._running.begin(self.tr("Importing"))
        self._paused = False
        self._pause.setText(self.tr("&Pause"))
        self._call = self._engine.call(
            method,
            params,
            result=lambda data: self._imported(data, then),
            error=self._failed,
            event=self._running.event_of,
        )

    def _show(self, state: int) -> None:
        """Show one part; the others do not count for how high the page is."""
        parts = (self.start, self._looking, self.preview, self._running, self._report)
        for at, part in enumerate(parts):
            wanted = QSizePolicy.Policy.Preferred if at == state else QSizePolicy.Policy.Ignored
            part.setSizePolicy(QSizePolicy.Policy.Preferred, wanted)
        self._stack.setCurrentIndex(state)

    def _previewed(self, data: Json) -> None:
        self._call = None
        files = [FilePreview.read(each) for each in data["files"]]
        if not files:
            self._show(START)
            said = self.tr("Nothing was found there that Backscroll can read.")
            self._error.show_words(ErrorWords(said, self.tr("See below how to export from your apps.")))
            return
        self.preview.show_files(files, self._owner_names())
        self._show(PREVIEW)
        good = sum(each.recognised for each in files)
        announce(self, self.tr("{n} files recognised").format(n=good))

    def _choose_order(self, path: str, order: str) -> None:
        """Look again at one file, its dates read in another way."""
        self._orders[path] = order
        self._look(path)

    def _choose_columns(self, path: str, columns: Json) -> None:
        """Look again at one table, its columns taken for something else."""
        self._columns[path] = columns
        self._look(path)

    def _look(self, path: str) -> None:
        order = self._orders.get(path, "auto")
        params = {"paths": [path], "date_order": order, "timezone": None, "me": None}
        read = {"columns_of": dict(self._columns)}
        self._engine.call("preview", params | read, result=self._look_again, error=self._failed)

    def _look_again(self, data: Json) -> None:
        for each in data["files"]:
            self.preview.replace(FilePreview.read(each))

    def _imported(self, data: Json, then: Callable[[int], object]) -> None:
        self._call = None
        report = ImportReport.read(data)
        self._report.show_report(report)
        self._show(REPORT)
        self.imported.emit()
        then(report.total("new"))

    def _failed(self, said: ErrorWords) -> None:
        self._call = None
        self._error.show_words(said)
        self._show(PREVIEW if self.preview.paths and self._stack.currentIndex() != LOOKING else START)
        self.imported.emit()  # files before the one that failed are in
