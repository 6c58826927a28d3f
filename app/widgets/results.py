"""Search results as a list: a model of hits and a delegate that draws them with their matches marked."""

from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app import words
from app.data import Place
from app.html import around_match, query_words, shortened, spans
from app.theme import GRID, SMALL, Colours, current
from app.widgets import avatar
from app.widgets.bubbles import laid_out

PLACE = int(Qt.ItemDataRole.UserRole)
Index = QModelIndex | QPersistentModelIndex
LEFT = avatar.SIDE + 3 * GRID


class ResultModel(QAbstractListModel):
    """Hits, best first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._hits: tuple[Place, ...] = ()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 (Qt's signature)
        """How many were found."""
        return 0 if parent.isValid() else len(self._hits)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """The place, or its text for screen readers."""
        if not index.isValid():
            return None
        hit = self._hits[index.row()]
        if role == PLACE:
            return hit
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return f"{hit.sender}, {words.date_and_time(hit.timestamp)}, {hit.chat}: {shortened(hit.text, 300)}"
        return None

    def take(self, hits: tuple[Place, ...]) -> None:
        """Show these."""
        self.beginResetModel()
        self._hits = hits
        self.endResetModel()

    @property
    def hits(self) -> tuple[Place, ...]:
        """What is shown."""
        return self._hits


def neighbours(hit: Place) -> tuple[Place | None, Place | None]:
    """The turns right before and after a hit, from its context."""
    turns = [each.turn for each in hit.context]
    if hit.turn not in turns:
        return None, None
    at = turns.index(hit.turn)
    before = hit.context[at - 1] if at else None
    return before, hit.context[at + 1] if at + 1 < len(turns) else None


class ResultDelegate(QStyledItemDelegate):
    """Draws who, when and where; the words around the match; and one line of what was said before and after."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: tuple[str, ...] = ()

    def mark(self, query: str) -> None:
        """Mark the words of a query."""
        self._words = query_words(query)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Every row is as high as four lines and its padding."""
        line = QFontMetricsF(option.font).height()
        return QSize(200, round(line * (2 + 2.2 * SMALL) + 3 * GRID))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one hit."""
        hit: Place = index.data(PLACE)
        of = current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(2, 2, -4, -2)
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.setPen(QPen(of.accent if chosen else of.border, 2 if chosen else 1))
        painter.setBrush(of.tint if chosen else of.surface)
        painter.drawRoundedRect(box, 8, 8)
        self._paint_text(painter, box, hit, option.font, of)
        painter.restore()

    def _paint_text(self, painter: QPainter, box: QRectF, hit: Place, font: QFont, of: Colours) -> None:
        face = QRectF(box.left() + GRID, box.top() + GRID, avatar.SIDE, avatar.SIDE)
        avatar.paint(painter, face, hit.sender or hit.chat, font)
        small, bold = QFont(font), QFont(font)
        small.setPointSizeF(font.pointSizeF() * SMALL)
        bold.setBold(True)
        left, width = box.left() + LEFT, box.width() - LEFT - GRID
        y = box.top() + GRID
        y += self._head(painter, hit, QPointF(left, y), width, (bold, small), of)
        text = around_match(hit.text, self._words)
        y += self._line(painter, text, font, QPointF(left, y), width, of, marked=True)
        before, after = neighbours(hit)
        for near, arrow in ((before, "↑"), (after, "↓")):
            if near:
                said = f"{arrow} {near.sender}: {shortened(near.text, 120)}"
                y += self._line(painter, said, small, QPointF(left, y), width, of, marked=False)

    def _head(
        self, painter: QPainter, hit: Place, at: QPointF, width: float, fonts: tuple[QFont, QFont], of: Colours
    ) -> float:
        bold, small = fonts
        where = words.DOT.join([words.date_and_time(hit.timestamp), hit.chat, words.platform_title(hit.platform)])
        names, details = QFontMetricsF(bold), QFontMetricsF(small)
        name = names.elidedText(hit.sender or hit.chat, Qt.TextElideMode.ElideRight, width * 0.4)
        painter.setFont(bold)
        painter.setPen(of.text)
        painter.drawText(QPointF(at.x(), at.y() + names.ascent()), name)
        used = names.horizontalAdvance(name) + GRID
        painter.setFont(small)
        painter.setPen(of.subtle)
        shown = details.elidedText(where, Qt.TextElideMode.ElideRight, width - used)
        painter.drawText(QPointF(at.x() + used, at.y() + names.ascent()), shown)
        return names.height()

    def _line(
        self, painter: QPainter, text: str, font: QFont, at: QPointF, width: float, of: Colours, *, marked: bool
    ) -> float:
        """One line of text, cut at its end."""
        metrics = QFontMetricsF(font)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        layout, height, _ = laid_out(shown, font, width, self._marks(shown, of) if marked else ())
        painter.setPen(of.text if marked else of.subtle)
        layout.draw(painter, at)
        return min(height, metrics.height())

    def _marks(self, text: str, of: Colours) -> list[QTextLayout.FormatRange]:
        ranges = []
        for start, end in spans(text, self._words):
            made = QTextLayout.FormatRange()
            made.start, made.length = start, end - start
            style = QTextCharFormat()
            style.setBackground(of.mark)
            style.setForeground(of.text)
            made.format = style
            ranges.append(made)
        return ranges
