"""The Import page: choose or drop exports, look at them, import, and read what happened."""

from collections.abc import Sequence
from pathlib import Path
from zoneinfo import available_timezones

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QProgressBar, QStackedWidget, QVBoxLayout, QWidget

from app import words
from app.data import Json
from app.data_import import FilePreview, Format, ImportReport
from app.engine_client import Call, Engine
from app.messages import ErrorWords
from app.settings import ME, Settings
from app.widgets.parts import Elided, ErrorBox, Fold, Page, announce, card, column, empty_layout, label, push, row
from app.widgets.preview_card import PreviewCard
from app.widgets.report import ReportView, report_text

START, LOOKING, PREVIEW, RUNNING, REPORT = range(5)


class Running(QWidget):
    """A task under way: what, how far, how fast, how long still; with its buttons."""

    def __init__(self, title: str) -> None:
        super().__init__()
        frame, inner = card()
        layout = column(self, around=0)
        layout.addWidget(frame)
        layout.addStretch(1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        self._note, self._figures = Elided(""), label("", "subtle", wrap=True)
        self.buttons = row()
        inner.addWidget(label(title, "heading"))
        inner.addWidget(self._note)
        inner.addWidget(self.bar)
        inner.addWidget(self._figures)
        inner.addLayout(self.buttons)

    def begin(self) -> None:
        """Nothing is known yet."""
        self.bar.setRange(0, 0)
        self._note.set_whole("")
        self._figures.setText("")

    def progress(self, data: Json) -> None:
        """A progress event of the engine."""
        done, total = int(data.get("done") or 0), data.get("total")
        self.bar.setRange(0, 1000 if total else 0)
        if total:
            self.bar.setValue(round(1000 * done / total))
        note, figures = words.import_lines(data)
        self._note.set_whole(note)
        self._figures.setText(figures)


class ImportPage(Page):
    """The whole way of an import. `imported` when the archive has changed."""

    imported = Signal()
    sample_wanted = Signal()
    ask_wanted = Signal()

    def __init__(self, engine: Engine, settings: Settings) -> None:
        super().__init__(self.tr("Import"), self.tr("Your exports are read where they lie and never changed."))
        self._engine, self._settings = engine, settings
        self._call: Call | None = None
        self._paused = False
        self._cards: dict[str, PreviewCard] = {}
        self._orders: dict[str, str] = {}
        self._report: ImportReport | None = None
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
        for each in (self._start_view(), self._looking, self._preview_view(), self._running, self._report_view()):
            self._stack.addWidget(each)
        self.content.addWidget(self._error)
        self.content.addWidget(self._stack, 1)

    @property
    def busy(self) -> bool:
        """Whether files are being looked at or imported."""
        return self._call is not None

    def load_formats(self) -> None:
        """Ask which formats there are, once the engine is ready."""
        if not self._how.count():
            self._engine.call("formats", {}, result=self._take_formats)

    def take(self, paths: Sequence[str]) -> None:
        """Look at dropped or chosen files; nothing is stored yet."""
        if self.busy or not paths:
            return
        self._error.hide()
        self._orders.clear()
        self._show(LOOKING)
        self._looking.begin()
        self._call = self._engine.call(
            "preview",
            {"paths": list(paths), "date_order": "auto", "timezone": None, "me": None},
            result=self._previewed,
            error=self._failed,
            event=lambda name, data: self._looking.progress(data) if name == "progress" else None,
        )

    def cancel(self) -> None:
        """Stop; what is not imported whole is not imported at all."""
        if self._call:
            self._call.cancel()
            self._call = None
        self._show(PREVIEW if self._stack.currentIndex() == RUNNING else START)

    def pause(self) -> None:
        """Hold the import, or let it go on."""
        if self._call:
            self._paused = not self._paused
            self._engine.call("pause" if self._paused else "resume", {"id": self._call.number})
            self._pause.setText(self.tr("Go &on") if self._paused else self.tr("&Pause"))

    def choose_files(self) -> None:
        """Ask for files."""
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose exports"), str(Path.home()))
        self.take(paths)

    def choose_folder(self) -> None:
        """Ask for a folder."""
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder of exports"), str(Path.home()))
        self.take([folder] if folder else [])

    def start_import(self) -> None:
        """Import what is previewed."""
        paths = [path for path, shown in self._cards.items() if shown.preview.recognised]
        me = self._me.currentText() if self._me.currentIndex() > 0 else ""
        zone = self._zone.currentText() if self._zone.currentIndex() > 0 else None
        self._settings.set(ME, me)
        self._error.hide()
        params = {"paths": paths, "date_order": "auto", "timezone": zone, "me": me or None}
        self._begin_running("import", params | {"date_orders": dict(self._orders)})

    def run_sample(self) -> None:
        """Import the invented archive that comes with the program."""
        if self.busy:
            return
        self._cards.clear()
        self._error.hide()
        self._begin_running("load_sample", {})

    def _begin_running(self, method: str, params: Json) -> None:
        self._show(RUNNING)
        self._running.begin()
        self._paused = False
        self._pause.setText(self.tr("&Pause"))
        self._call = self._engine.call(
            method,
            params,
            result=self._imported,
            error=self._failed,
            event=lambda name, data: self._running.progress(data) if name == "progress" else None,
        )

    def _start_view(self) -> QWidget:
        view = QWidget()
        layout = column(view, around=0, between=2)
        frame, inner = card()
        drop = label(self.tr("Drop files, folders or zips anywhere on this window"), "heading", wrap=True)
        drop.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inner.setSpacing(16)
        inner.addSpacing(16)
        inner.addWidget(drop)
        files = push(self.tr("Choose &files…"), self.choose_files, main=True)
        folder = push(self.tr("Choose a f&older…"), self.choose_folder)
        inner.addLayout(row(None, files, folder, None))
        inner.addSpacing(16)
        layout.addWidget(frame)
        layout.addWidget(label(self.tr("How to export from your apps"), "heading"))
        self._how = QVBoxLayout()
        self._how.setSpacing(0)
        layout.addLayout(self._how)
        layout.addStretch(1)
        return view

    def _preview_view(self) -> QWidget:
        view = QWidget()
        layout = column(view, around=0, between=2)
        self._files = QVBoxLayout()
        self._files.setSpacing(8)
        self._me, self._zone = QComboBox(), QComboBox()
        self._me.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._me.setMinimumContentsLength(24)
        me, self._zone_label = QLabel(self.tr("&You are")), QLabel(self.tr("Time &zone of the export"))
        me.setBuddy(self._me)
        self._zone_label.setBuddy(self._zone)
        self._me.setAccessibleName(self.tr("Which of these people you are"))
        self._zone.setAccessibleName(self.tr("Time zone of the export"))
        self._go = push(self.tr("&Import"), self.start_import, main=True)
        back = push(self.tr("&Cancel"), self.cancel)
        layout.addLayout(self._files)
        layout.addLayout(row(me, self._me, None))
        layout.addLayout(row(self._zone_label, self._zone, None))
        layout.addLayout(row(self._go, back, None))
        layout.addStretch(1)
        return view

    def _report_view(self) -> QWidget:
        view = QWidget()
        layout = column(view, around=0, between=2)
        self._done = QVBoxLayout()
        ask = push(self.tr("&Ask a question"), self.ask_wanted.emit, main=True)
        save = push(self.tr("&Save the report…"), self._save_report)
        more = push(self.tr("Import &more"), lambda: self._show(START))
        layout.addLayout(self._done)
        layout.addLayout(row(ask, save, more, None))
        layout.addStretch(1)
        return view

    def _show(self, state: int) -> None:
        self._stack.setCurrentIndex(state)

    def _take_formats(self, data: list[Json]) -> None:
        for each in map(Format.read, data):
            fold = Fold(each.title)
            steps = "\n".join(f"{n}. {step}" for n, step in enumerate(each.how_to_export, 1))
            fold.inside.addWidget(label(steps, wrap=True))
            self._how.addWidget(fold)

    def _previewed(self, data: Json) -> None:
        self._call = None
        empty_layout(self._files)
        self._cards.clear()
        files = [FilePreview.read(each) for each in data["files"]]
        for each in files:
            self._add_card(each)
        if not files:
            self._show(START)
            said = self.tr("Nothing was found there that Backscroll can read.")
            self._error.show_words(ErrorWords(said, self.tr("See below how to export from your apps.")))
            return
        self._offer_choices(files)
        self._show(PREVIEW)
        good = sum(each.recognised for each in files)
        announce(self, self.tr("{n} files recognised").format(n=good))

    def _add_card(self, preview: FilePreview, at: int = -1, orders: tuple[str, ...] = ()) -> None:
        made = PreviewCard(preview, orders)
        made.order_chosen.connect(self._choose_order)
        self._cards[preview.path] = made
        self._files.insertWidget(at, made)

    def _offer_choices(self, files: Sequence[FilePreview]) -> None:
        people = dict.fromkeys(name for each in files for name in each.senders)
        self._me.clear()
        self._me.addItem(self.tr("None of these people"))
        self._me.addItems(list(people))
        known = self._settings.get(ME)
        if known in people:
            self._me.setCurrentText(known)
        if not self._zone.count():
            self._zone.addItem(self.tr("As this computer has it"))
            self._zone.addItems(sorted(available_timezones()))
        naive = any(each.naive_times for each in files)
        self._zone.setVisible(naive)
        self._zone_label.setVisible(naive)
        self._go.setEnabled(any(each.recognised for each in files))

    def _choose_order(self, path: str, order: str) -> None:
        """Look again at one file, its dates read in another way."""
        self._orders[path] = order
        params = {"paths": [path], "date_order": order, "timezone": None, "me": None}
        self._engine.call("preview", params, result=lambda data: self._replace(path, data), error=self._failed)

    def _replace(self, path: str, data: Json) -> None:
        old = self._cards.get(path)
        if old and data["files"]:
            at = self._files.indexOf(old)
            self._files.removeWidget(old)
            old.hide()
            old.deleteLater()
            self._add_card(FilePreview.read(data["files"][0]), at, old.orders)

    def _imported(self, data: Json) -> None:
        self._call = None
        self.show_report(ImportReport.read(data))
        self.imported.emit()

    def show_report(self, report: ImportReport) -> None:
        """Show what an import did."""
        self._report = report
        empty_layout(self._done)
        self._done.addWidget(ReportView(report))
        self._show(REPORT)
        announce(self, self.tr("Import finished: {messages}").format(messages=words.messages(report.total("new"))))

    def _failed(self, said: ErrorWords) -> None:
        self._call = None
        self._error.show_words(said)
        self._show(PREVIEW if self._cards and self._stack.currentIndex() != LOOKING else START)
        self.imported.emit()  # files before the one that failed are in

    def _save_report(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(
            self, self.tr("Save the report"), str(Path.home() / "import-report.txt")
        )
        if chosen and self._report:
            try:
                Path(chosen).write_text(report_text(self._report), "utf-8")
            except OSError as problem:
                said = self.tr("The report could not be saved.")
                self._error.show_words(ErrorWords(said, self.tr("Choose another folder."), str(problem)))
