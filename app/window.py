"""The main window: where to go on the left, the page, and the open chat on the right."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QByteArray, QSize, Qt, QUrl
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QMainWindow, QSplitter, QStackedWidget, QWidget
from shiboken6 import isValid

from app.archive import Archive
from app.data import Chat, Place
from app.engine_client import EngineClient
from app.fetcher import FetcherClient
from app.guide import Guide
from app.lock import Lock
from app.pages.ask import AskPage
from app.pages.chats import ChatsPage
from app.pages.importing import ImportPage
from app.pages.models import ModelsPage
from app.pages.overview import OverviewPage
from app.pages.privacy import PrivacyPage
from app.pages.search import SearchPage
from app.pages.settings import SettingsPage
from app.settings import GEOMETRY, SPLIT, Settings
from app.shortcuts import SHORTCUTS
from app.theme import text_scale
from app.widgets.engine_notice import EngineNotice
from app.widgets.help import HelpDialog
from app.widgets.navigation import PAGES, Navigation
from app.widgets.parts import column
from app.widgets.reader import Reader
from app.widgets.recovery import RecoveryOffer
from app.widgets.tour import Tour
from app.widgets.trouble import Trouble
from engine.connections import Connections

NARROW = 1000  # pixels, at the usual text size, below which the open chat takes the page's place
MODEL_FILE = ".gguf"


class Window(QMainWindow):
    """Puts the parts together and takes the person from one to the other."""

    def __init__(
        self,
        engine: EngineClient,
        settings: Settings,
        fetcher: FetcherClient | None = None,
        connections: Connections | None = None,
    ) -> None:
        super().__init__()
        self.setWindowTitle("Backscroll")
        self.setAcceptDrops(True)
        self.setMinimumSize(QSize(640, 420))
        self._engine, self._settings = engine, settings
        self._came_from: QWidget | None = None  # where the focus was before the chat was opened
        self.archive = Archive(engine, self)
        self.ask = AskPage(engine, self.archive, settings)
        self.search = SearchPage(engine, self.archive)
        self.chats = ChatsPage(self.archive)
        self.overview = OverviewPage(engine, self.archive)
        self.importing = ImportPage(engine, self._owner_names)
        self.models = ModelsPage(engine, self.archive, settings, fetcher)
        downloads = fetcher.downloads if fetcher else lambda: ()
        self.privacy = PrivacyPage(engine, self.archive, settings, connections or Connections(), downloads)
        self.settings_page = SettingsPage(settings)
        self.reader = Reader(engine)
        self.navigation = Navigation()
        self.lock = Lock(engine, self.archive, settings, self)
        self._build()
        self._connect()
        self._bind_keys()
        self.go("ask")

    def _build(self) -> None:
        self._pages: dict[str, QWidget] = {
            "ask": self.ask,
            "search": self.search,
            "chats": self.chats,
            "overview": self.overview,
            "importing": self.importing,
            "models": self.models,
            "privacy": self.privacy,
            "settings": self.settings_page,
        }
        self._stack = QStackedWidget()
        for page in self._pages.values():
            self._stack.addWidget(page)
        self._notice = EngineNotice(self._engine)
        self._trouble = Trouble(self._engine)
        self.tour = Tour()
        self._guide = Guide(
            self.tour, self._settings, self.archive, self.ask, self.search, self.go, self.open_place
        )
        self.recovery = RecoveryOffer(self._engine, self.archive, self._settings, lambda: not self.tour.isHidden())
        self._middle = QWidget()
        middle = column(self._middle, around=0, between=0)
        middle.addWidget(self._notice)
        middle.addWidget(self._trouble)
        middle.addWidget(self.tour)
        middle.addWidget(self.recovery)
        middle.addWidget(self._stack, 1)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.setHandleWidth(1)
        self._split.setChildrenCollapsible(False)
        for part in (self.navigation, self._middle, self.reader):
            self._split.addWidget(part)
        self._split.setStretchFactor(1, 3)
        self._split.setStretchFactor(2, 2)
        self.reader.hide()
        self.reader.setMinimumWidth(320)
        self.setCentralWidget(self._split)
        self.resize(1200, 760)
        self.restoreGeometry(QByteArray.fromBase64(self._settings.get(GEOMETRY).encode()))
        self._split.restoreState(QByteArray.fromBase64(self._settings.get(SPLIT).encode()))

    def _connect(self) -> None:
        self.navigation.chosen.connect(self.go)
        self._engine.ready.connect(self._engine_ready)
        for page in (self.ask, self.search):
            page.opened.connect(self.open_place)
        self.chats.opened.connect(self.open_chat)
        self.ask.sample_wanted.connect(self.load_sample)
        self.ask.import_wanted.connect(lambda: self.go("importing"))
        self.ask.models_wanted.connect(lambda: self.go("models"))
        self.importing.imported.connect(self.archive.refresh)
        self.importing.own_imported.connect(self.recovery.own_chats_imported)
        self.importing.sample_loaded.connect(self._guide.offer)
        self.tour.ended.connect(self.recovery.look)
        self.importing.ask_wanted.connect(lambda: self.go("ask"))
        self.archive.failed.connect(self._trouble.show_words)
        self.archive.opened.connect(self._trouble.hide)
        self.archive.opened.connect(self.importing.refresh)
        self._trouble.opened.connect(self.archive.refresh)
        self.privacy.lock_wanted.connect(self.lock.lock)
        self.lock.locking.connect(self._forget_all)
        self.privacy.erased.connect(self._forget_all)
        self.privacy.erased.connect(self.archive.refresh)
        self.reader.closed.connect(self.close_chat)

    def _bind_keys(self) -> None:
        actions: dict[str, Callable[[], object]] = {
            "new_question": self._new_question,
            "search": lambda: self.go("search"),
            "chats": lambda: self.go("chats"),
            "find": self._find,
            "importing": lambda: self.go("importing"),
            "settings": lambda: self.go("settings"),
            "back": self.reader.go_back,
            "escape": self._escape,
            "other_column": self._other_column,
            "help": self.show_help,
            "lock": self.lock.lock,
            "quit": self.close,
        }
        for number, page in enumerate(PAGES, 1):
            QShortcut(QKeySequence(f"Ctrl+{number}"), self).activated.connect(partial(self.go, page))
        for each in SHORTCUTS:
            if each.action:
                QShortcut(QKeySequence(each.keys), self).activated.connect(actions[each.action])

    def go(self, name: str) -> None:
        """Show a page and put the cursor where one would begin."""
        page = self._pages[name]
        self._stack.setCurrentWidget(page)
        self.navigation.show_chosen(name)
        if self._narrow and not self.reader.isHidden():
            self.close_chat()
        if page in (self.overview, self.models, self.privacy):
            page.refresh()
        focus = getattr(page, "focus_field", None)
        if focus:
            focus()
        else:
            page.setFocus()

    def open_place(self, place: Place) -> None:
        """Open the chat at a found place."""
        chat = place.chat_id or next((each.id for each in self.archive.chats if each.title == place.chat), None)
        if chat is not None:
            self._show_reader()
            self.reader.show_message(chat, place.message, place.messages)

    def open_chat(self, chat: Chat) -> None:
        """Open a chat at its end."""
        self._show_reader()
        self.reader.leave()
        self.reader.show_message(chat.id, None)

    def close_chat(self) -> None:
        """Fold the right column away."""
        self.reader.leave()
        self.reader.close_find()
        self.reader.hide()
        self._middle.show()
        before, self._came_from = self._came_from, None
        if before is not None and isValid(before) and before.isVisible():
            before.setFocus()

    def load_sample(self) -> None:
        """Import the invented archive."""
        self.go("importing")
        self.importing.run_sample()

    def _forget_all(self) -> None:
        """Show nothing of the archive any more."""
        self.close_chat()
        self.ask.new_question()
        self.search.field.clear()
        self.importing.past.forget()
        self.go("ask")

    def show_help(self) -> None:
        """The list of keys."""
        dialog = HelpDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def come_forward(self) -> None:
        """Show the window before all others: it was started a second time."""
        self.showNormal()
        self.raise_()
        self.activateWindow()

    def _owner_names(self) -> tuple[str, ...]:
        """Who the person is, as the archive knows it."""
        return self.archive.status.owners if self.archive.status else ()

    @property
    def _narrow(self) -> bool:
        return self.width() < NARROW * text_scale()

    def _show_reader(self) -> None:
        if self.reader.isHidden() and not self._settings.get(SPLIT):
            room = self.width() - self.navigation.width()
            self._split.setSizes([self.navigation.width(), round(room * 0.56), round(room * 0.44)])
        if self.reader.isHidden():
            self._came_from = self.focusWidget()
        self.reader.show()
        self._middle.setVisible(not self._narrow)
        if self._narrow:
            self.reader.view.setFocus()

    def _engine_ready(self) -> None:
        self.archive.refresh()
        self.importing.load_formats()

    def _new_question(self) -> None:
        self.go("ask")
        self.ask.new_question()

    def _find(self) -> None:
        if self.reader.isHidden():
            self.go("search")
        else:
            self.reader.open_find()

    def _escape(self) -> None:
        """Stop what runs; else put away the tour or the offer that one is in; else close what is open."""
        if self.ask.busy:
            self.ask.stop()
        elif self.tour.isAncestorOf(self.focusWidget() or self):
            self.tour.end()
        elif self.recovery.isAncestorOf(self.focusWidget() or self):
            self.recovery.later()
        elif not self.reader.isHidden() and not self.reader.close_find():
            self.close_chat()

    def _other_column(self) -> None:
        if self.reader.isHidden() or self.reader.isAncestorOf(self.focusWidget() or self):
            self.go(self.navigation.current)
        else:
            self.reader.view.setFocus()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Below a width the open chat takes the page's place."""
        super().resizeEvent(event)
        if not self.reader.isHidden():
            self._middle.setVisible(not self._narrow)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take local files and folders."""
        if local_paths(event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """A model goes to the models, everything else is looked at as an export."""
        event.acceptProposedAction()
        self.take_files(local_paths(event.mimeData().urls()))

    def take_files(self, paths: list[str]) -> None:
        """What dropping files does."""
        models = [path for path in paths if path.lower().endswith(MODEL_FILE)]
        exports = [path for path in paths if path not in models]
        if models:
            self.go("models")
            for path in models:
                self.models.add(path)
        if exports:
            self.go("importing")
            self.importing.take(exports)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Keep the window's place and end the engine."""
        self._settings.set(GEOMETRY, self.saveGeometry().toBase64().toStdString())
        if not self.reader.isHidden():
            self._settings.set(SPLIT, self._split.saveState().toBase64().toStdString())
        self._engine.close()
        super().closeEvent(event)


def local_paths(urls: list[QUrl]) -> list[str]:
    """The files among dropped addresses; nothing from elsewhere."""
    return [url.toLocalFile() for url in urls if url.isLocalFile() and Path(url.toLocalFile()).exists()]
