"""The Privacy page: where everything lies, how it is protected, what is open, and how to erase it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QGridLayout

from app.archive import Archive
from app.data import Json
from app.engine_client import EngineClient, Latest
from app.engine_words import engine_words
from app.fetcher import Download
from app.settings import RECOVERY_OFFER, Settings
from app.widgets.confirming import confirmed
from app.widgets.locking import LockCard
from app.widgets.network_card import Network, NetworkCard, locked_by_kernel
from app.widgets.parts import Elided, ErrorBox, Page, card, label, push, row
from engine.connections import Connections


class PrivacyPage(Page):
    """Facts, a check, and the erasers. `erased` when something is gone."""

    erased = Signal()
    lock_wanted = Signal()

    def __init__(
        self,
        engine: EngineClient,
        archive: Archive,
        settings: Settings,
        connections: Connections,
        downloads: Callable[[], Sequence[Download]],
    ) -> None:
        super().__init__(
            self.tr("Privacy"),
            self.tr("Everything stays on this computer. There is no account, and nothing is sent anywhere."),
        )
        self._engine, self._archive, self._settings = engine, archive, settings
        self._own, self._downloads = connections, downloads
        self._connections = Latest(engine)
        self._error = ErrorBox()
        self.content.addWidget(self._error)
        self._build_facts()
        self._lock = LockCard(engine, settings)
        self._lock.changed.connect(archive.refresh_status)
        self._lock.lock_wanted.connect(self.lock_wanted.emit)
        self.content.addWidget(self._lock)
        self._network = NetworkCard(self.refresh)
        self.content.addWidget(self._network)
        self._build_check()
        self._build_erase()
        self.content.addStretch(1)
        archive.changed.connect(self._archive_changed)

    def _build_facts(self) -> None:
        frame, inner = card()
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        self._home, self._protected = Elided(), label("", wrap=True)
        rows = (
            (self.tr("Where everything lies"), self._home),
            (self.tr("How it is protected"), self._protected),
        )
        for at, (title, widget) in enumerate(rows):
            grid.addWidget(label(title, "subtle"), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(widget, at, 1)
        inner.addLayout(grid)
        inner.addLayout(row(push(self.tr("&Open the folder"), self._open_folder), None))
        self.content.addWidget(frame)

    def _build_check(self) -> None:
        frame, inner = card()
        inner.addWidget(label(self.tr("Is everything whole?"), "heading"))
        text = self.tr("Counts every message again and holds the search index against them.")
        inner.addWidget(label(text, wrap=True))
        self._checked = label("", "subtle", wrap=True)
        self._checked.hide()
        inner.addWidget(self._checked)
        inner.addLayout(row(push(self.tr("Check the &archive"), self._verify), None))
        self.content.addWidget(frame)

    def _build_erase(self) -> None:
        frame, inner = card()
        inner.addWidget(label(self.tr("Erase for good"), "heading"))
        inner.addWidget(
            label(self.tr("Erased chats cannot be brought back. Your export files are not touched."), wrap=True)
        )
        self._chat = QComboBox()
        self._chat.setAccessibleName(self.tr("The chat to erase"))
        self._chat.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._chat.setMinimumContentsLength(24)
        inner.addLayout(row(self._chat, push(self.tr("Erase this &chat…"), self._erase_chat), None))
        inner.addLayout(row(push(self.tr("&Erase everything…"), self._erase_all), None))
        self.content.addWidget(frame)

    def refresh(self) -> None:
        """Count the connections anew."""
        self._connections.call("connections", {}, result=self._count, error=lambda _: self._count({}))

    def _count(self, engine: Json) -> None:
        process = self._engine.process_id
        locked = locked_by_kernel(process) if process else None
        known = Network(self._own.as_json(), engine, self._downloads(), process, locked)
        status = self._archive.status
        self._network.show_network(known, status.home if status else "")

    def _archive_changed(self) -> None:
        status = self._archive.status
        if status is None:
            return
        self._home.set_whole(status.home)
        self._lock.show_status(status)
        self._protected.setText(self._protection(status.encrypted, status.protection))
        names = list(dict.fromkeys(chat.title for chat in self._archive.chats))
        if names != [self._chat.itemText(at) for at in range(self._chat.count())]:
            self._chat.clear()
            self._chat.addItems(names)

    def _protection(self, encrypted: bool, how: str) -> str:
        if not encrypted:
            return self.tr("Not encrypted: your login and the disk's own encryption protect it.")
        ways = {
            "keyring": self.tr("Encrypted. The key is in the system's keyring."),
            "key file": self.tr("Encrypted. The key is a file that only you can read, beside the archive."),
            "passphrase": self.tr("Encrypted with your passphrase."),
        }
        return ways.get(how, self.tr("Encrypted."))

    def _open_folder(self) -> None:
        if self._archive.status:
            QDesktopServices.openUrl(QUrl.fromLocalFile(self._archive.status.home))

    def _verify(self) -> None:
        self._checked.setText(self.tr("Checking…"))
        self._checked.show()
        self._engine.call("verify", {}, result=self._verified, error=self._error.show_words)

    def _verified(self, data: Json) -> None:
        problems = data.get("problems") or []
        if data.get("ok", not problems):
            self._checked.setText(self.tr("The archive is sound."))
        else:
            self._checked.setText(
                "\n".join([self.tr("The archive has faults:"), *(engine_words(str(each)) for each in problems)])
            )

    def _erase_chat(self) -> None:
        title = self._chat.currentText()
        if title and self._sure(self.tr("Erase the chat “{chat}” for good?").format(chat=title)):
            self._erase({"chat": title, "all": False})

    def _erase_all(self) -> None:
        if self._sure(self.tr("Erase all chats, the search index and the key, for good?")):
            self._erase({"chat": None, "all": True})

    def _erase(self, params: Json) -> None:
        self._error.hide()
        self._engine.call("erase", params, result=lambda _: self._gone(params), error=self._error.show_words)

    def _gone(self, params: Json) -> None:
        if params["all"]:  # the next archive has another key
            self._settings.set(RECOVERY_OFFER, "")
        self.erased.emit()

    def _sure(self, text: str) -> bool:
        return confirmed(self, self.tr("Erase"), text, self.tr("&Erase"))
