"""Passphrase and recovery key: a card of the Privacy page, and the dialog that asks for a passphrase."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLabel,
    QLineEdit,
    QPushButton,
    QWidget,
)

from app.data import Json, Status
from app.engine_client import Engine
from app.i18n import translate
from app.settings import LOCK_AFTER, Settings
from app.widgets.parts import ErrorBox, column, label, push, row
from app.widgets.recovery import show_recovery_key
from app.widgets.setting_choice import SettingChoice

SHORTEST = 8  # letters of a passphrase


class PassphraseDialog(QDialog):
    """Asks for a new passphrase, twice. `text` is what was entered."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Passphrase"))
        self._first, self._second = QLineEdit(), QLineEdit()
        form = QFormLayout()
        for name, field in ((self.tr("&New passphrase"), self._first), (self.tr("&Once more"), self._second)):
            field.setEchoMode(QLineEdit.EchoMode.Password)
            field.textChanged.connect(self._check)
            form.addRow(name, field)
        self._said = label("", "subtle", wrap=True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        self._ok: QPushButton = buttons.button(QDialogButtonBox.StandardButton.Ok)
        layout = column(self, around=3, between=2)
        text = self.tr(
            "From then on Backscroll asks for it when it starts. Nobody can open the archive without it, "
            "so make a recovery key as well."
        )
        layout.addWidget(label(text, wrap=True))
        layout.addLayout(form)
        layout.addWidget(self._said)
        layout.addWidget(buttons)
        self._check()

    @property
    def text(self) -> str:
        """The passphrase."""
        return self._first.text()

    def _check(self) -> None:
        short = len(self._first.text()) < SHORTEST
        differ = self._first.text() != self._second.text()
        if short:
            self._said.setText(self.tr("At least {n} letters.").format(n=SHORTEST))
        else:
            self._said.setText(self.tr("The two are not the same yet.") if differ else "")
        self._ok.setEnabled(not short and not differ)


class LockCard(QFrame):
    """What locks the archive. `changed` when it is another, `lock_wanted` for the button."""

    changed = Signal()
    lock_wanted = Signal()

    def __init__(self, engine: Engine, settings: Settings) -> None:
        super().__init__()
        self.setProperty("look", "card")
        self._engine = engine
        self._after = SettingChoice(settings, LOCK_AFTER)
        self._error = ErrorBox()
        self._state = label("", wrap=True)
        self._set = push(self.tr("Set a &passphrase…"), self._ask_passphrase)
        self._remove = push(self.tr("&Remove the passphrase"), lambda: self._send(None))
        self._lock = push(self.tr("Lock &now"), self.lock_wanted.emit)
        self._recovery = push(self.tr("Make a reco&very key…"), self._make_recovery_key)
        layout = column(self)
        layout.addWidget(label(self.tr("Lock"), "heading"))
        layout.addWidget(self._state)
        layout.addWidget(self._error)
        layout.addLayout(row(self._set, self._remove, self._lock, None))
        layout.addLayout(row(self._recovery, None))
        after = QLabel(translate("Settings", LOCK_AFTER.label))
        after.setBuddy(self._after)
        layout.addLayout(row(after, self._after, None))
        layout.addWidget(label(translate("Settings", LOCK_AFTER.help), "subtle", wrap=True))

    def show_status(self, status: Status) -> None:
        """Offer what fits the present protection."""
        locked = status.protection == "passphrase"
        state = (
            self.tr("A passphrase opens the archive.")
            if locked
            else self.tr("The archive opens without a passphrase.")
        )
        has = (
            self.tr("There is a recovery key.")
            if status.recovery_key
            else self.tr("There is no recovery key yet.")
        )
        self._state.setText(f"{state} {has}")
        self._set.setText(self.tr("Change the &passphrase…") if locked else self.tr("Set a &passphrase…"))
        self._remove.setVisible(locked)
        self._lock.setVisible(locked)

    def _ask_passphrase(self) -> None:
        dialog = PassphraseDialog(self)
        if dialog.exec() == QDialog.DialogCode.Accepted:
            self._send(dialog.text)
        dialog.deleteLater()

    def _send(self, passphrase: str | None) -> None:
        self._error.hide()
        params = {"passphrase": passphrase}
        self._engine.call("passphrase", params, result=lambda _: self.changed.emit(), error=self._error.show_words)

    def _make_recovery_key(self) -> None:
        self._error.hide()
        self._engine.call("recovery_key", {}, result=self._show_recovery_key, error=self._error.show_words)

    def _show_recovery_key(self, data: Json) -> None:
        """Show it, once."""
        self.changed.emit()
        show_recovery_key(str(data["key"]), self.window())
