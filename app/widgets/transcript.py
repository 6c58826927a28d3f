"""The scrolling list of one chat's messages: asks for more at both ends and keeps its place meanwhile."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QModelIndex, QPoint, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QDesktopServices,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QMessageBox, QWidget

from app.data import ChatId, Json, TranscriptPage
from app.engine_client import Engine, Latest
from app.html import links
from app.messages import ErrorWords
from app.widgets.bubbles import BubbleDelegate, text_of
from app.widgets.transcript_model import ROW, TranscriptModel

AHEAD = 1200  # pixels before an end at which more is asked for
AROUND = 60  # messages on each side of the one that is opened
MORE = 30  # messages a step


class TranscriptView(QListView):
    """Shows a chat around a message, a date, or at its end."""

    opened = Signal(object)  # TranscriptPage
    failed = Signal(object)  # ErrorWords

    def __init__(self, engine: Engine, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._open, self._more = Latest(engine), Latest(engine)
        self._asking = False
        self._chat: ChatId | None = None
        self.messages = TranscriptModel(self)
        self.bubbles = BubbleDelegate(self)
        self.setModel(self.messages)
        self.setItemDelegate(self.bubbles)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setAccessibleName(self.tr("Messages"))
        self.verticalScrollBar().setSingleStep(24)
        self.verticalScrollBar().valueChanged.connect(self._maybe_more)
        self._resized = QTimer(self, singleShot=True, interval=30)
        self._resized.timeout.connect(self._lay_out_again)

    def show_chat(self, chat: ChatId, *, around: int | None = None, date: str | None = None) -> None:
        """Open a chat around a message or a date; at its end where neither is given."""
        self._more.cancel()
        self._asking = False
        self._chat = chat
        params = {"chat_id": chat, "around": around, "date": date, "before": AROUND, "after": AROUND}
        self._open.call(
            "transcript",
            params,
            result=lambda data: self._opened(data, around, date),
            error=self.failed.emit,
        )

    def forget(self) -> None:
        """Show nothing; what is still on its way is not wanted any more."""
        self._open.cancel()
        self._more.cancel()
        self._asking = False
        self._chat = None
        self.messages.take(TranscriptPage())

    def light(self, message_ids: frozenset[int]) -> None:
        """Show these messages as the ones that were looked for."""
        self.bubbles.lit = message_ids
        self.viewport().update()

    def mark(self, query: str) -> None:
        """Mark the words of a query."""
        self.bubbles.mark(query)
        self.viewport().update()

    def _opened(self, data: Json, around: int | None, date: str | None) -> None:
        page = TranscriptPage.read(data)
        self.bubbles.set_width(self.viewport().width())
        self.messages.take(page)
        self.executeDelayedItemsLayout()
        row = self._row_to_show(page, around, date)
        if row is not None:
            index = self.messages.index(row)
            top = date is not None and around is None
            hint = (
                QAbstractItemView.ScrollHint.PositionAtTop
                if top
                else QAbstractItemView.ScrollHint.PositionAtCenter
            )
            self.setCurrentIndex(index)
            self.scrollTo(index, hint)
        self.opened.emit(page)
        QTimer.singleShot(0, self, self._maybe_more)

    def _row_to_show(self, page: TranscriptPage, around: int | None, date: str | None) -> int | None:
        if not page.messages:
            return None
        if around is not None:
            return self.messages.row_of(around)
        if date is not None:
            later = (at for at, message in enumerate(page.messages) if message.day >= date)
            return next(later, len(page.messages) - 1)
        return len(page.messages) - 1

    def _maybe_more(self) -> None:
        bar = self.verticalScrollBar()
        if self._asking or self._chat is None or not self.messages.rowCount():
            return
        if self.messages.has_earlier and bar.value() - bar.minimum() < AHEAD:
            self._ask_more("earlier_than", self.messages.messages[0].id, self._take_earlier)
        elif self.messages.has_later and bar.maximum() - bar.value() < AHEAD:
            self._ask_more("later_than", self.messages.messages[-1].id, self._take_later)

    def _ask_more(self, side: str, message_id: int, take: Callable[[Json], None]) -> None:
        self._asking = True
        params = {"chat_id": self._chat, side: message_id, "limit": MORE}
        self._more.call("transcript", params, result=take, error=self._more_failed)

    def _more_failed(self, words: ErrorWords) -> None:
        self._asking = False
        self.failed.emit(words)

    def _take_earlier(self, data: Json) -> None:
        self._keeping_place(lambda: self.messages.prepend(TranscriptPage.read(data)))

    def _take_later(self, data: Json) -> None:
        self._keeping_place(lambda: self.messages.append(TranscriptPage.read(data)))

    def _keeping_place(self, change: Callable[[], None]) -> None:
        """Change the list without moving what is on the screen."""
        anchor, offset = self._anchor()
        change()
        self.executeDelayedItemsLayout()
        self._asking = False
        self._put_back(anchor, offset)

    def _anchor(self) -> tuple[int | None, int]:
        """The message at the middle of the screen and where its top is."""
        index = self.indexAt(QPoint(self.viewport().width() // 2, self.viewport().height() // 2))
        if not index.isValid():
            index = self.indexAt(QPoint(self.viewport().width() // 2, 4))
        if not index.isValid():
            return None, 0
        return index.data(ROW).message.id, self.visualRect(index).top()

    def _put_back(self, anchor: int | None, offset: int) -> None:
        row = self.messages.row_of(anchor) if anchor is not None else None
        if row is not None:
            moved = self.visualRect(self.messages.index(row)).top() - offset
            self.verticalScrollBar().setValue(self.verticalScrollBar().value() + moved)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay the rows out again for the new width, a moment after the last change of it."""
        super().resizeEvent(event)
        self._resized.start()

    def changeEvent(self, event: QEvent) -> None:
        """Another font or theme: lay out again."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.PaletteChange):
            self.bubbles.forget()
            self.scheduleDelayedItemsLayout()

    def _lay_out_again(self) -> None:
        anchor, offset = self._anchor()
        self.bubbles.set_width(self.viewport().width())
        self.scheduleDelayedItemsLayout()
        self.executeDelayedItemsLayout()
        self._put_back(anchor, offset)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the message under the cursor."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            self._copy(self.currentIndex())
            return
        super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy the message, or open a link of it after a question."""
        index = self.indexAt(event.pos())
        if not index.isValid():
            return
        menu = QMenu(self)
        menu.addAction(self.tr("&Copy message"), lambda: self._copy(index))
        for link in links(index.data(ROW).message.text):
            shown = link if len(link) <= 60 else link[:59] + "…"
            text = self.tr("Open {link}").format(link=shown.replace("&", "&&"))
            menu.addAction(text, partial(self.open_link, link))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def open_link(self, link: str) -> None:
        """Ask, then hand the link to the browser. The only way from here to the network."""
        question = self.tr("Open this address in your web browser?\n\n{link}").format(link=link)
        box = QMessageBox(QMessageBox.Icon.Question, self.tr("Open a link"), "", parent=self)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(question)
        box.setStandardButtons(QMessageBox.StandardButton.Open | QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(QMessageBox.StandardButton.Cancel)
        if box.exec() == QMessageBox.StandardButton.Open:
            QDesktopServices.openUrl(QUrl(link))
        box.deleteLater()

    @staticmethod
    def _copy(index: QModelIndex) -> None:
        QGuiApplication.clipboard().setText(text_of(index.data(ROW).message))
