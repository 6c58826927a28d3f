"""What was imported before: each file with its report, to be looked at again or taken back."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app import words
from app.data import Json
from app.data_import import PastImport
from app.engine_client import Engine, Latest
from app.theme import GRID
from app.widgets.confirming import confirmed
from app.widgets.parts import Elided, ErrorBox, Fold, card, column, empty_layout, label, push, row
from app.widgets.preview_card import dates_line, problem_lines
from app.widgets.report import counts_of, status_words

SHOWN = 10  # the rest by a button


class PastImports(QWidget):
    """The list, the newest first. Hidden while there is none."""

    again_wanted = Signal(list)  # paths to look at
    undo_wanted = Signal(object)  # PastImport

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._latest = Latest(engine)
        self._all: list[PastImport] = []
        self._most = SHOWN
        self._error = ErrorBox()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GRID)
        self._more = push(self.tr("Show &all"), self._show_all)
        layout = column(self, around=0)
        layout.addWidget(label(self.tr("Imported before"), "heading"))
        layout.addWidget(self._error)
        layout.addLayout(self._rows)
        layout.addLayout(row(self._more, None))
        self.hide()

    def refresh(self) -> None:
        """Ask for the ledger."""
        self._latest.call("imports", {}, result=self._take)

    def forget(self) -> None:
        """Show nothing: the archive was locked or erased."""
        self._latest.cancel()
        self._take([])

    def _take(self, data: list[Json]) -> None:
        self._all = [PastImport.read(each) for each in data]
        self._show()

    def _show(self) -> None:
        empty_layout(self._rows)
        for each in self._all[: self._most]:
            self._rows.addWidget(self._entry(each))
        self._more.setVisible(len(self._all) > self._most)
        self.setVisible(bool(self._all))

    def _show_all(self) -> None:
        self._most = len(self._all)
        self._show()

    def _entry(self, past: PastImport) -> QWidget:
        file = past.file
        frame, inner = card()
        name = Path(file.path).name
        inner.addWidget(Elided(name, "heading"))
        what = (words.date_and_time(past.imported_at), status_words(file.status), counts_of(file))
        inner.addWidget(label(words.DOT.join(part for part in what if part), "subtle", wrap=True))
        if file.date_order:
            inner.addWidget(label(dates_line(file.date_order, file.date_order_reason), "subtle", wrap=True))
        if file.problems:
            fold = Fold(self.tr("Skipped lines and remarks"))
            fold.inside.addWidget(label(problem_lines(file.problems), "subtle", wrap=True))
            inner.addWidget(fold)
        buttons = row()
        again = push(self.tr("Look at it again…"), lambda: self.again_wanted.emit([file.path]))
        again.setToolTip(self.tr("Shows the file as before its import; its dates can be read in another order."))
        back = push(self.tr("Take it back…"), lambda: self._ask_undo(past))
        offered = [again] if Path(file.path).exists() else []
        offered += [] if file.contacts else [back]
        for button in offered:
            button.setAccessibleName(f"{button.text()} {name}")
            buttons.addWidget(button)
        buttons.addStretch(1)
        inner.addLayout(buttons)
        return frame

    def _ask_undo(self, past: PastImport) -> None:
        if self.sure(Path(past.file.path).name):
            self.undo_wanted.emit(past)

    def sure(self, name: str) -> bool:
        """A plain question before messages go."""
        text = self.tr(
            "Take back the import of “{name}”?\n\nThe messages that it brought are deleted from the archive, and "
            "answers that rest on them too. The export file is not touched; importing it again brings them back."
        )
        title, button = self.tr("Take an import back"), self.tr("&Take it back")
        return confirmed(self, title, text.format(name=name), button)
