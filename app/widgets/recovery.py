"""The recovery key: a dialog that shows it, once, and the offer to make one after the first import of own chats.

Only where the key lies in the system's keyring: that can be lost while the archive stays, by a new installation or
a forgotten login. Beside a key file a recovery key would save nothing, because its lock lies in the same file; a
passphrase asks for one where it is set. The offer is made twice at most, and the answer is kept in the settings.
"""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from PySide6.QtCore import QStringListModel
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFileDialog, QFrame, QLineEdit, QWidget

from app.archive import Archive
from app.data import Json
from app.engine_client import Engine
from app.messages import ErrorWords
from app.settings import RECOVERY_OFFER, Settings
from app.widgets.parts import ErrorBox, announce, column, label, push, row
from engine.errors import KnownError
from engine.files import write_atomically

KEYRING = "keyring"  # as the engine calls this protection
DONE = "done"
LATER = timedelta(days=7)
FILE_NAME = "Backscroll recovery key.txt"
SECRET_HINT = "x-kde-passwordManagerHint"  # clipboard managers keep nothing that carries it


def copy_secret(text: str) -> None:
    """Put a secret on the clipboard, marked as one."""
    model = QStringListModel([text])
    data = model.mimeData([model.index(0)])  # made by Qt: one made by Python would outlive Python on the clipboard
    data.clear()
    data.setText(text)
    data.setData(SECRET_HINT, b"secret")
    QGuiApplication.clipboard().setMimeData(data)


class RecoveryKeyDialog(QDialog):
    """Shows a key to copy, to save and to write down."""

    def __init__(self, key: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Recovery key"))
        self._key = key
        self._error = ErrorBox()
        self.field = QLineEdit(key)
        self.field.setReadOnly(True)
        self.field.setAccessibleName(self.tr("Recovery key"))
        self.field.setMinimumWidth(self.fontMetrics().horizontalAdvance(key) + 40)
        self._said = label("", "subtle", wrap=True)
        layout = column(self, around=3, between=2)
        text = self.tr(
            "Write it down and keep it away from this computer. It opens the archive when the passphrase or the "
            "keyring is lost. It is shown only now; an older recovery key no longer works."
        )
        layout.addWidget(label(text, wrap=True))
        layout.addWidget(self.field)
        layout.addWidget(self._error)
        layout.addWidget(self._said)
        close = push(self.tr("C&lose"), self.accept, main=True)
        layout.addLayout(row(push(self.tr("&Copy"), self._copy), push(self.tr("&Save…"), self._save), None, close))
        self.field.selectAll()
        self.field.setFocus()

    def _copy(self) -> None:
        copy_secret(self._key)
        self._say(self.tr("Copied."))

    def _save(self) -> None:
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save the recovery key"), FILE_NAME)
        if not chosen:
            return
        try:
            write_atomically(Path(chosen), f"{self._key}\n".encode())
        except KnownError as error:
            self._error.show_words(ErrorWords(self.tr("The recovery key could not be saved."), "", str(error)))
        else:
            self._error.hide()
            self._say(self.tr("Saved. Move the file to another place than this computer."))

    def _say(self, text: str) -> None:
        self._said.setText(text)
        announce(self, text)


def show_recovery_key(key: str, parent: QWidget) -> None:
    """Open the dialog; nothing waits for it."""
    dialog = RecoveryKeyDialog(key, parent)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()


class RecoveryOffer(QFrame):
    """A few lines above the page, which hold nobody up. `waiting`: whether something else is to be said first."""

    def __init__(self, engine: Engine, archive: Archive, settings: Settings, waiting: Callable[[], bool]) -> None:
        super().__init__()
        self.setProperty("look", "tour")
        self._engine, self._archive, self._settings, self._waiting = engine, archive, settings, waiting
        self._imported = False
        self._error = ErrorBox()
        title, text = (
            self.tr("A key for the day the keyring is lost"),
            self.tr(
                "If this computer's keyring is ever lost, as by a new installation, a recovery key that you wrote "
                "down is the only way to open your chats."
            ),
        )
        self._spoken = f"{title}. {text}"
        layout = column(self)
        layout.addWidget(label(title, "heading"))
        layout.addWidget(label(text, wrap=True))
        layout.addWidget(self._error)
        self._make = push(self.tr("Make a recovery &key…"), self._make_key)
        self._later = push(self.tr("&Remind me later"), self.later)
        never = push(self.tr("I do&n't want one"), self._never)
        layout.addLayout(row(self._make, self._later, never, None))
        archive.changed.connect(self.look)
        self.hide()

    def own_chats_imported(self, new: int) -> None:
        """From now on there is something to lose, if new messages came."""
        self._imported = self._imported or new > 0
        self.look()

    def look(self) -> None:
        """Show it where it is time, hide it where it is over."""
        status = self._archive.status
        if status is None:
            self.hide()
            return
        if status.protection != KEYRING or status.recovery_key or self._archive.empty:
            self.hide()
        elif self.isHidden() and self._is_time() and not self._waiting():
            first = not self._settings.get(RECOVERY_OFFER)
            self._settings.set(RECOVERY_OFFER, (date.today() + LATER).isoformat() if first else DONE)
            self._later.setVisible(first)
            self._imported = False
            self._error.hide()
            self.show()
            announce(self, self._spoken)

    def _is_time(self) -> bool:
        """After the first import of one's own chats, and once more when the day of the reminder has come."""
        said = str(self._settings.get(RECOVERY_OFFER))
        return self._imported if not said else said != DONE and said <= date.today().isoformat()

    def later(self) -> None:
        """Go; the day of the reminder is in the settings already, unless this was it."""
        self.hide()

    def _never(self) -> None:
        self._settings.set(RECOVERY_OFFER, DONE)
        self.hide()

    def _make_key(self) -> None:
        self._error.hide()
        self._engine.call("recovery_key", {}, result=self._made, error=self._error.show_words)

    def _made(self, data: Json) -> None:
        self._never()
        self._archive.refresh_status()
        show_recovery_key(str(data["key"]), self.window())
