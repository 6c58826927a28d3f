"""The messages of one chat as a list: a window of some hundred rows on a chat of any length.

Memory stays flat: rows are added at one end and dropped at the other. The list knows for each row whether
a day begins there and whether the sender's name is to be shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from app import words
from app.data import Message, TranscriptPage
from app.i18n import translate

KEPT = 400  # rows
Index = QModelIndex | QPersistentModelIndex
ROW = int(Qt.ItemDataRole.UserRole)
SAME_RUN = 300  # seconds between messages that share one name


@dataclass(frozen=True, slots=True)
class Row:
    """A message and how it stands among its neighbours."""

    message: Message
    new_day: bool
    named: bool
    quoted: Message | None = None


def rows_of(messages: Sequence[Message]) -> list[Row]:
    """The rows for messages in order."""
    known = {message.source_id: message for message in messages if message.source_id}
    rows: list[Row] = []
    before: Message | None = None
    for message in messages:
        new_day = before is None or before.day != message.day
        named = new_day or before is None or not _same_run(before, message)
        quoted = known.get(message.reply_to) if message.reply_to else None
        rows.append(Row(message, new_day, named, quoted))
        before = message
    return rows


def _same_run(before: Message, message: Message) -> bool:
    if before.sender != message.sender or before.kind == "system":
        return False
    one, other = words.moment(before.timestamp), words.moment(message.timestamp)
    if one is None or other is None:
        return True
    return abs((other.replace(tzinfo=None) - one.replace(tzinfo=None)).total_seconds()) <= SAME_RUN


def spoken(message: Message) -> str:
    """A message as a screen reader says it."""
    when = words.date_and_time(message.timestamp) if message.timestamp else ""
    parts = [part for part in (message.sender, when) if part]
    files = ", ".join(each.name for each in message.attachments)
    return ": ".join(part for part in (", ".join(parts), "; ".join(filter(None, (message.text, files)))) if part)


class TranscriptModel(QAbstractListModel):
    """The list; `take` sets it anew, `prepend` and `append` grow it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._messages: list[Message] = []
        self._rows: list[Row] = []
        self.has_earlier = False
        self.has_later = False

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        """The number of rows in the window."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A Row, or its text for screen readers."""
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return spoken(row.message)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return translate("Transcript", "Message")
        return None

    def take(self, page: TranscriptPage) -> None:
        """Show a stretch, forgetting what was there."""
        self.beginResetModel()
        self._messages = list(page.messages)
        self._rows = rows_of(self._messages)
        self.has_earlier, self.has_later = page.has_earlier, page.has_later
        self.endResetModel()

    def prepend(self, page: TranscriptPage) -> None:
        """Add what came before, dropping rows at the end."""
        self.has_earlier = page.has_earlier
        self._insert(0, page.messages)
        extra = len(self._rows) - KEPT
        if extra > 0:
            self._remove(KEPT, extra)
            self.has_later = True

    def append(self, page: TranscriptPage) -> None:
        """Add what came after, dropping rows at the start."""
        self.has_later = page.has_later
        self._insert(len(self._rows), page.messages)
        extra = len(self._rows) - KEPT
        if extra > 0:
            self._remove(0, extra)
            self.has_earlier = True

    def row_of(self, message_id: int) -> int | None:
        """Where a message is, None where it is not in the window."""
        for at, message in enumerate(self._messages):
            if message.id == message_id:
                return at
        return None

    @property
    def messages(self) -> Sequence[Message]:
        """The messages of the window."""
        return self._messages

    def _insert(self, at: int, messages: Sequence[Message]) -> None:
        if not messages:
            return
        self.beginInsertRows(QModelIndex(), at, at + len(messages) - 1)
        self._messages[at:at] = messages
        self._rows = rows_of(self._messages)
        self.endInsertRows()

    def _remove(self, at: int, count: int) -> None:
        self.beginRemoveRows(QModelIndex(), at, at + count - 1)
        del self._messages[at : at + count]
        self._rows = rows_of(self._messages)
        self.endRemoveRows()
