"""The Chats page: every chat of the archive, found by its name, its people or its app."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    QSortFilterProxyModel,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QLineEdit, QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app import words
from app.archive import Archive
from app.data import Chat
from app.theme import GRID, SMALL, current
from app.widgets import avatar
from app.widgets.parts import column, label

CHAT = int(Qt.ItemDataRole.UserRole)
SEARCHED = CHAT + 1
Index = QModelIndex | QPersistentModelIndex


def chat_line(chat: Chat) -> str:
    """“WhatsApp · 1,200 messages · Jan 2023 – Mar 2024”."""
    parts = [
        words.platform_title(chat.platform),
        words.messages(chat.messages),
        words.date_range(chat.first, chat.last),
    ]
    return words.DOT.join(part for part in parts if part)


class ChatModel(QAbstractListModel):
    """The chats, in the archive's order."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._chats: tuple[Chat, ...] = ()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        """How many chats."""
        return 0 if parent.isValid() else len(self._chats)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The chat, its name, or what the filter looks at."""
        if not index.isValid():
            return None
        chat = self._chats[index.row()]
        if role == CHAT:
            return chat
        if role == SEARCHED:
            return " ".join((chat.title, words.platform_title(chat.platform), *chat.people))
        if role == Qt.ItemDataRole.DisplayRole:
            return chat.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{chat.title}, {chat_line(chat)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            return "\n".join((chat.title, chat_line(chat), ", ".join(chat.people[:12])))
        return None

    def take(self, chats: tuple[Chat, ...]) -> None:
        """Show these."""
        if chats != self._chats:
            self.beginResetModel()
            self._chats = chats
            self.endResetModel()


class ChatDelegate(QStyledItemDelegate):
    """Draws a chat in two lines."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Two lines and padding."""
        return QSize(160, round(QFontMetricsF(option.font).height() * (1 + SMALL) + 2.5 * GRID))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw it."""
        chat: Chat = index.data(CHAT)
        of = current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(2, 2, -4, -2)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(of.accent, 2))
            painter.setBrush(of.tint)
            painter.drawRoundedRect(box, 8, 8)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(QPen(of.border, 1))
            painter.drawRoundedRect(box, 8, 8)
        face = QRectF(box.left() + GRID, box.center().y() - avatar.SIDE / 2, avatar.SIDE, avatar.SIDE)
        avatar.paint(painter, face, chat.title, option.font)
        left, width = face.right() + GRID + 4, box.right() - face.right() - 2 * GRID - 4
        bold, small = QFont(option.font), QFont(option.font)
        bold.setBold(True)
        small.setPointSizeF(option.font.pointSizeF() * SMALL)
        y = box.top() + GRID
        for text, font, colour in ((chat.title, bold, of.text), (chat_line(chat), small, of.subtle)):
            metrics = QFontMetricsF(font)
            painter.setFont(font)
            painter.setPen(colour)
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRectF(left, y, width, metrics.height()), Qt.AlignmentFlag.AlignVCenter, shown)
            y += metrics.height()
        painter.restore()


class ChatsPage(QWidget):
    """A field and the list. `opened` carries the chat."""

    opened = Signal(object)  # Chat

    def __init__(self, archive: Archive) -> None:
        super().__init__()
        self._archive = archive
        self._chats = ChatModel(self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._chats)
        self._shown.setFilterRole(SEARCHED)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find a chat by name, person or app"))
        self.field.setAccessibleName(self.tr("Find a chat"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._shown.setFilterFixedString)
        self.field.returnPressed.connect(lambda: self._open(self._shown.index(0, 0)))
        self.list = QListView()
        self.list.setModel(self._shown)
        self.list.setItemDelegate(ChatDelegate(self))
        self.list.setUniformItemSizes(True)
        self.list.setMouseTracking(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Chats"))
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        self._count = label("", "subtle")
        layout = column(self, around=2)
        layout.addWidget(self.field)
        layout.addWidget(self._count)
        layout.addWidget(self.list, 1)
        archive.changed.connect(self._archive_changed)

    def focus_field(self) -> None:
        """The cursor to the field."""
        self.field.setFocus()
        self.field.selectAll()

    def _archive_changed(self) -> None:
        self._chats.take(self._archive.chats)
        if self._archive.status:
            self._count.setText(words.archive_line(self._archive.status))

    def _open(self, index: QModelIndex) -> None:
        if index.isValid():
            self.opened.emit(index.data(CHAT))
