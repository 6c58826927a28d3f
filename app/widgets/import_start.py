"""Where an import begins: drop or choose files, and how to get an export from each app."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.data import Json
from app.data_import import Format
from app.engine_client import Engine
from app.engine_words import engine_words
from app.theme import GRID
from app.widgets.parts import Fold, card, column, label, push, row


class ImportStart(QWidget):
    """`chosen` carries the paths of what was chosen. It is given what stands below."""

    chosen = Signal(list)

    def __init__(self, below: QWidget) -> None:
        super().__init__()
        layout = column(self, around=0, between=2)
        frame, inner = card()
        drop = label(self.tr("Drop files, folders or zips anywhere on this window"), "heading", wrap=True)
        drop.setAlignment(Qt.AlignmentFlag.AlignCenter)
        inner.setSpacing(2 * GRID)
        inner.addSpacing(2 * GRID)
        inner.addWidget(drop)
        files = push(self.tr("Choose &files…"), self.choose_files, main=True)
        inner.addLayout(row(None, files, push(self.tr("Choose a f&older…"), self.choose_folder), None))
        inner.addSpacing(2 * GRID)
        layout.addWidget(frame)
        layout.addWidget(label(self.tr("How to export from your apps"), "heading"))
        self._how = QVBoxLayout()
        self._how.setSpacing(0)
        layout.addLayout(self._how)
        layout.addWidget(below)
        layout.addStretch(1)

    def load_formats(self, engine: Engine) -> None:
        """Ask once which formats there are."""
        if not self._how.count():
            engine.call("formats", {}, result=self._show_formats)

    def choose_files(self) -> None:
        """Ask for files."""
        paths, _ = QFileDialog.getOpenFileNames(self, self.tr("Choose exports"), str(Path.home()))
        self.chosen.emit(paths)

    def choose_folder(self) -> None:
        """Ask for a folder."""
        folder = QFileDialog.getExistingDirectory(self, self.tr("Choose a folder of exports"), str(Path.home()))
        self.chosen.emit([folder] if folder else [])

    def _show_formats(self, data: list[Json]) -> None:
        for each in map(Format.read, data):
            fold = Fold(engine_words(each.title))
            steps = "\n".join(f"{n}. {engine_words(step)}" for n, step in enumerate(each.how_to_export, 1))
            fold.inside.addWidget(label(steps, wrap=True))
            self._how.addWidget(fold)
