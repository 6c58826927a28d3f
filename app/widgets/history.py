"""Questions that were asked before: searchable, to be shown again, deletable."""

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLineEdit, QMessageBox, QSizePolicy, QVBoxLayout, QWidget

from app import words
from app.data import Json, Remembered
from app.engine_client import Engine, Latest
from app.theme import GRID
from app.widgets.parts import Button, Elided, column, empty_layout, label, push, row

SHOWN = 30
AFTER = 120  # ms after the last key


class Asked(QWidget):
    """One question: press it to see its answer again, or delete it."""

    chosen = Signal(object)
    forgotten = Signal(int)

    def __init__(self, asked: Remembered) -> None:
        super().__init__()
        again = Button(words.short_date(asked.asked_at), "ask", "subtle")
        again.setAccessibleName(self.tr("Show the answer to: {question}").format(question=asked.question))
        again.clicked.connect(lambda: self.chosen.emit(asked))
        text = Elided(asked.question)
        text.setBuddy(again)
        delete = Button(self.tr("Delete this question"), "close", only_icon=True)
        delete.setIconSize(QSize(12, 12))
        delete.clicked.connect(lambda: self.forgotten.emit(asked.id))
        inside = row(again, text, delete)
        inside.setStretch(1, 1)
        self.setLayout(inside)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._asked = asked

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click anywhere on the line shows the answer."""
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.chosen.emit(self._asked)


class History(QWidget):
    """The list with its field. Hidden while nothing was asked yet."""

    chosen = Signal(object)  # Remembered

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self._latest = Latest(engine)
        self._timer = QTimer(self, singleShot=True, interval=AFTER)
        self._timer.timeout.connect(self.refresh)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Search your questions and their answers"))
        self.field.setAccessibleName(self.tr("Search your questions and their answers"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self._timer.start())
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._none = label(self.tr("Nothing found."), "subtle")
        self._none.hide()
        layout = column(self, around=0)
        layout.setContentsMargins(0, 2 * GRID, 0, 0)
        forget = push(self.tr("&Delete all…"), self._forget_all)
        head = row(label(self.tr("Asked before"), "heading"), None, forget)
        layout.addLayout(head)
        layout.addWidget(self.field)
        layout.addWidget(self._none)
        layout.addLayout(self._rows)
        self.hide()

    def refresh(self) -> None:
        """Ask for the newest questions with the words of the field."""
        params = {"query": self.field.text(), "limit": SHOWN}
        self._latest.call("history", params, result=self._take)

    def _take(self, data: list[Json]) -> None:
        empty_layout(self._rows)
        for each in data:
            shown = Asked(Remembered.read(each))
            shown.chosen.connect(self.chosen.emit)
            shown.forgotten.connect(self._forget)
            self._rows.addWidget(shown)
        searching = bool(self.field.text().strip())
        self._none.setVisible(searching and not data)
        self.setVisible(bool(data) or searching)

    def _forget(self, number: int | None) -> None:
        self._engine.call("history_forget", {"id": number}, result=lambda _: self.refresh())

    def _forget_all(self) -> None:
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Asked before"), "", parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(self.tr("Delete all questions and their answers for good? Your chats stay."))
        box.setStandardButtons(QMessageBox.StandardButton.Yes | QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        if box.exec() == QMessageBox.StandardButton.Yes:
            self._forget(None)
        box.deleteLater()
