"""The right column: one chat, opened at a message, with Back, jump to date and find."""

from PySide6.QtCore import QDate, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QCalendarWidget, QFrame, QLineEdit, QMenu, QWidget, QWidgetAction

from app import words
from app.data import Chat, ChatId, SearchResult, TranscriptPage
from app.engine_client import Engine, Latest
from app.theme import GRID
from app.widgets.parts import Button, Elided, ErrorBox, column, label, line, row
from app.widgets.transcript import TranscriptView

FIND_AFTER = 150  # ms after the last key
FIND_MOST = 100  # hits


class Find(QFrame):
    """Find in the chat: a field, how many were found, next and previous."""

    went = Signal(int, object)  # message, the ids of all messages of the hit
    query_changed = Signal(str)

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._latest = Latest(engine)
        self._chat: Chat | None = None
        self._hits: list[tuple[int, ...]] = []
        self._at = -1
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self._count = label("", "subtle")
        self._timer = QTimer(self, singleShot=True, interval=FIND_AFTER)
        self._timer.timeout.connect(self._search)
        self.field.textChanged.connect(lambda: self._timer.start())
        self.field.returnPressed.connect(lambda: self.step(1))
        before, after = (
            Button(self.tr("Previous"), "back", only_icon=True),
            Button(self.tr("Next"), "forward", only_icon=True),
        )
        before.clicked.connect(lambda: self.step(-1))
        after.clicked.connect(lambda: self.step(1))
        layout = row(self.field, self._count, before, after)
        layout.setContentsMargins(GRID, 4, GRID, 4)
        self.setLayout(layout)
        QShortcut(
            QKeySequence("Shift+Return"),
            self.field,
            lambda: self.step(-1),
            context=Qt.ShortcutContext.WidgetShortcut,
        )

    def set_chat(self, chat: Chat) -> None:
        """The chat to look in."""
        if self._chat is None or chat.id != self._chat.id:
            self._chat = chat
            self._hits, self._at = [], -1
            self._count.setText("")

    def step(self, by: int) -> None:
        """Go to the next or previous hit, round and round."""
        if self._timer.isActive():
            self._timer.stop()
            self._search()
            return
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._show()

    def _search(self) -> None:
        query = self.field.text().strip()
        self.query_changed.emit(query)
        if not query or self._chat is None:
            self._latest.cancel()
            self._hits = []
            self._count.setText("")
            return
        params = {"query": query, "chats": [self._chat.title], "k": FIND_MOST, "context": 0}
        self._latest.call(
            "search", params, result=self._take, error=lambda said: self._count.setText(said.sentence)
        )

    def _take(self, data: dict[str, object]) -> None:
        hits = [hit for hit in SearchResult.read(data).hits if hit.message is not None]
        self._hits = [hit.messages for hit in sorted(hits, key=lambda hit: hit.timestamp)]
        self._at = len(self._hits) - 1
        self._show()

    def _show(self) -> None:
        if not self._hits:
            self._count.setText(self.tr("Nothing found"))
            return
        shown = self.tr("{n} of {all}").format(n=self._at + 1, all=len(self._hits))
        self._count.setText(shown)
        self.went.emit(self._hits[self._at][0], self._hits[self._at])


class Reader(QWidget):
    """A chat with its header. `closed` when there is nothing to go back to, or by the button."""

    closed = Signal()

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self._past: list[tuple[ChatId, int | None]] = []
        self._here: tuple[ChatId, int | None] | None = None
        self.view = TranscriptView(engine)
        self.finder = Find(engine)
        self._title, self._where = Elided("", "heading"), Elided("", "subtle")
        self._error = ErrorBox()
        self._build_header()
        layout = column(self, around=0, between=0)
        layout.addWidget(self._header)
        layout.addWidget(line())
        layout.addWidget(self.finder)
        layout.addWidget(self._error)
        layout.addWidget(self.view, 1)
        self.finder.hide()
        self.finder.went.connect(self._go_to_find)
        self.finder.query_changed.connect(self.view.mark)
        self.view.opened.connect(self._opened)
        self.view.failed.connect(self._error.show_words)

    def _build_header(self) -> None:
        back = Button(self.tr("Back (Alt+Left)"), "back", only_icon=True)
        back.clicked.connect(self.go_back)
        date = Button(self.tr("Jump to a date"), "calendar", only_icon=True)
        date.clicked.connect(lambda: self._choose_date(date))
        find = Button(self.tr("Find in this chat (Ctrl+F)"), "search", only_icon=True)
        find.clicked.connect(self.open_find)
        close = Button(self.tr("Close the chat"), "close", only_icon=True)
        close.clicked.connect(self.closed.emit)
        names = QWidget()
        inner = column(names, around=0, between=0)
        inner.addWidget(self._title)
        inner.addWidget(self._where)
        self._header = QWidget()
        layout = row(back, date, find, close, between=0)
        layout.insertSpacing(1, GRID)
        layout.insertWidget(2, names, 1)
        layout.setContentsMargins(GRID, GRID, GRID, GRID)
        self._header.setLayout(layout)

    def show_message(self, chat: ChatId, message: int | None, lit: tuple[int, ...] = ()) -> None:
        """Open a chat at a message, and remember where one was."""
        if self._here and self._here != (chat, message):
            self._past.append(self._here)
        self._go(chat, message, lit)

    def go_back(self) -> None:
        """To the place before, or close."""
        if self._past:
            self._go(*self._past.pop())
        else:
            self.leave()
            self.closed.emit()

    def leave(self) -> None:
        """Forget the way that led here."""
        self._past.clear()
        self._here = None
        self.view.forget()

    def open_find(self) -> None:
        """Show the find field and go to it."""
        self.finder.show()
        self.finder.field.setFocus()
        self.finder.field.selectAll()

    def close_find(self) -> bool:
        """Hide the find field; says whether it was there."""
        if self.finder.isHidden():
            return False
        self.finder.field.clear()
        self.finder.hide()
        self.view.setFocus()
        return True

    def _go(self, chat: ChatId, message: int | None, lit: tuple[int, ...] = ()) -> None:
        self._here = (chat, message)
        self._error.hide()
        self.view.light(frozenset(lit or ((message,) if message is not None else ())))
        self.view.show_chat(chat, around=message)

    def _go_to_find(self, message: int, lit: tuple[int, ...]) -> None:
        if self._here:
            self._go(self._here[0], message, lit)

    def _opened(self, page: TranscriptPage) -> None:
        chat = page.chat
        self._title.set_whole(chat.title)
        count = words.messages(chat.messages) if chat.messages else ""
        where = (words.platform_title(chat.platform), count)
        self._where.set_whole(words.DOT.join(part for part in where if part))
        self.finder.set_chat(chat)
        self.view.setAccessibleName(self.tr("Messages of {chat}").format(chat=chat.title))

    def _choose_date(self, beside: QWidget) -> None:
        menu = QMenu(self)
        calendar = QCalendarWidget()
        calendar.setGridVisible(False)
        shown = self.view.messages.messages
        if shown and (at := words.moment(shown[len(shown) // 2].timestamp)):
            calendar.setSelectedDate(QDate(at.year, at.month, at.day))
        action = QWidgetAction(menu)
        action.setDefaultWidget(calendar)
        menu.addAction(action)
        calendar.activated.connect(menu.close)
        calendar.activated.connect(lambda day: self.go_to_date(day.toString(Qt.DateFormat.ISODate)))
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(beside.mapToGlobal(QPoint(0, beside.height())))
        calendar.setFocus()

    def go_to_date(self, day: str) -> None:
        """The first message on or after a day, YYYY-MM-DD."""
        if self._here:
            self.view.show_chat(self._here[0], date=day)
