"""Says why the archive could not be opened; asks for the passphrase where that is the reason."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLineEdit, QWidget

from app.engine_client import Engine
from app.messages import ErrorWords
from app.widgets.parts import ErrorBox, column, push, row

LOCKED = "ArchiveLocked"


class Trouble(QWidget):
    """Hidden while the archive is open. `opened` when it may be asked again."""

    opened = Signal()

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._engine = engine
        self.box = ErrorBox()
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText(self.tr("Passphrase or recovery key"))
        self.field.setAccessibleName(self.tr("Passphrase or recovery key"))
        self.field.returnPressed.connect(self._unlock)
        self._unlocking = QWidget()
        self._unlocking.setLayout(row(self.field, push(self.tr("&Unlock"), self._unlock, main=True)))
        layout = column(self, around=1)
        layout.addWidget(self.box)
        layout.addWidget(self._unlocking)
        self.hide()

    def show_words(self, words: ErrorWords) -> None:
        """Say why."""
        locked = words.kind == LOCKED
        if locked:
            self.box.show_words(words)
        else:
            self.box.show_words(words, self.tr("Try &again"), self.opened.emit)
        self._unlocking.setVisible(locked)
        self.show()
        if locked:
            self.field.setFocus()

    def _unlock(self) -> None:
        params = {"passphrase": self.field.text()}
        self.field.clear()
        self._engine.call("unlock", params, result=lambda _: self.opened.emit(), error=self.show_words)
