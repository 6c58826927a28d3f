"""The question field: grows with the text, asks with Enter, and turns into Stop while an answer is made."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QTextCursor
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from app.settings import ENTER_ASKS, Settings
from app.theme import GRID
from app.widgets.filters import FilterBar
from app.widgets.parts import column, push, row

MOST_LINES = 6


class QuestionField(QPlainTextEdit):
    """Plain text; tells Enter, and Up in an empty field."""

    entered = Signal()
    recalled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.enter_asks = True
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().documentLayout().documentSizeChanged.connect(lambda _: self.updateGeometry())

    def sizeHint(self) -> QSize:
        """As high as its text, up to some lines."""
        lines = min(max(round(self.document().size().height()), 1), MOST_LINES)
        height = lines * QFontMetrics(self.font()).lineSpacing() + 20
        return QSize(200, height)

    def minimumSizeHint(self) -> QSize:
        """The same, so that the layout never squeezes it."""
        return QSize(120, self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter asks, Shift+Enter breaks the line; or the other way round by the setting."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            held = event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.ControlModifier)
            asks = held == Qt.KeyboardModifier.ControlModifier or (self.enter_asks and not held)
            if asks:
                self.entered.emit()
                return
            self.insertPlainText("\n")
            return
        if event.key() == Qt.Key.Key_Up and not self.toPlainText():
            self.recalled.emit()
            return
        super().keyPressEvent(event)


class Composer(QFrame):
    """Field, filters and the one button. `asked` carries the question; `stopped` is the button's other side.

    `typing` tells the first letter of each question.
    """

    asked = Signal(str)
    stopped = Signal()
    typing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "composer")
        self._busy = False
        self._last = ""
        self.field = QuestionField()
        self.field.setPlaceholderText(self.tr("Ask about your chats…"))
        self.field.setAccessibleName(self.tr("Your question"))
        self.filters = FilterBar()
        self.button = push(self.tr("&Ask"), self._pressed, main=True)
        self.button.setMinimumWidth(10 * GRID)
        self.field.entered.connect(self._enter)
        self.field.recalled.connect(self._recall)
        self._begun = False
        self.field.textChanged.connect(self._changed)
        layout = column(self, around=1, between=1)
        layout.addWidget(self.field)
        bottom = row(self.filters, self.button)
        bottom.setStretch(0, 1)
        layout.addLayout(bottom)

    def take_settings(self, settings: Settings) -> None:
        """Whether Enter asks or breaks the line."""
        self.field.enter_asks = settings.get(ENTER_ASKS)

    def set_busy(self, busy: bool) -> None:
        """Stop is where Ask was."""
        self._busy = busy
        self.button.setText(self.tr("S&top") if busy else self.tr("&Ask"))
        self.button.setToolTip(self.tr("Stop (Esc)") if busy else "")

    def set_question(self, text: str) -> None:
        """Put a question into the field, cursor at its end."""
        self.field.setPlainText(text)
        self.field.moveCursor(QTextCursor.MoveOperation.End)
        self.field.setFocus()

    def _changed(self) -> None:
        begun = bool(self.field.toPlainText())
        if begun and not self._begun:
            self.typing.emit()
        self._begun = begun

    def _pressed(self) -> None:
        if self._busy:
            self.stopped.emit()
        else:
            self._enter()

    def _enter(self) -> None:
        question = self.field.toPlainText().strip()
        if question and not self._busy:
            self._last = question
            self.field.clear()
            self.asked.emit(question)

    def _recall(self) -> None:
        if self._last:
            self.set_question(self._last)
