"""Draws the messages of a transcript as bubbles. Layouts are made once a message and width, and kept."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app import words
from app.data import Message
from app.html import query_words, shortened, spans
from app.i18n import translate
from app.theme import GRID, SMALL, Colours, current
from app.widgets import avatar
from app.widgets.transcript_model import ROW, Row

PAD = 10  # inside a bubble
GUTTER = avatar.SIDE + 2 * GRID  # room for avatars
CACHE = 1500  # layouts
QUOTE = 10.0  # indent of a quoted message
LINE_SEPARATOR = "\u2028"
Index = QModelIndex | QPersistentModelIndex


@dataclass(slots=True)
class Piece:
    """A laid out text at its place in the bubble."""

    layout: QTextLayout
    at: QPointF
    subtle: bool
    height: float
    quote: bool = False


@dataclass(slots=True)
class Bubble:
    """Everything needed to draw one row; `box` is the bubble within the row."""

    height: float
    box: QRectF
    pieces: list[Piece]
    heading: str
    heading_height: float


def right_to_left(text: str) -> bool:
    """Whether the first strong letter of a text is written from right to left."""
    for letter in text:
        direction = unicodedata.bidirectional(letter)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def laid_out(
    text: str, font: QFont, width: float, marks: Sequence[QTextLayout.FormatRange] = ()
) -> tuple[QTextLayout, float, float]:
    """A layout with its height and its widest line. Right-to-left text ends at the right edge of `width`."""
    layout = QTextLayout(text.replace("\n", LINE_SEPARATOR), font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    if right_to_left(text):
        option.setTextDirection(Qt.LayoutDirection.RightToLeft)
        option.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute)
    layout.setTextOption(option)
    if marks:
        layout.setFormats(list(marks))
    layout.setCacheEnabled(True)
    height = widest = 0.0
    layout.beginLayout()
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line.height()
        widest = max(widest, line.naturalTextWidth())
    layout.endLayout()
    return layout, height, widest


def text_of(message: Message) -> str:
    """What the bubble says: the words, or what stands in their place."""
    if message.kind == "deleted":
        return message.text or translate("Transcript", "This message was deleted")
    return message.text


def attachment_line(message: Message) -> str:
    """The attachments by name."""
    return " · ".join(f"{each.kind}: {each.name}" if each.name else each.kind for each in message.attachments)


def foot_line(message: Message) -> str:
    """Time, edit mark and reactions."""
    parts = [words.clock(message.timestamp)]
    if message.edited:
        parts.append(translate("Transcript", "edited"))
    return " · ".join(part for part in (*parts, *message.reactions) if part)


class Builder:
    """Makes bubbles for a font, a width, colours and the words to mark."""

    def __init__(self, font: QFont, width: float, of: Colours, marked: Sequence[str]) -> None:
        self.font = font
        self.small = QFont(font)
        self.small.setPointSizeF(font.pointSizeF() * SMALL)
        self.bold = QFont(font)
        self.bold.setBold(True)
        self.width = width
        self._of = of
        self._marked = marked

    def build(self, row: Row) -> Bubble:
        """The bubble of a row."""
        message = row.message
        heading = words.day_heading(message.timestamp) if row.new_day else ""
        top = QFontMetricsF(self.bold).height() + 3 * GRID if heading else 0.0
        if message.kind in ("system", "event"):
            return self._notice(message, heading, top)
        room = min(self.width - 2 * GUTTER, 620.0) - 2 * PAD
        pieces, width, y = self._pieces(row, max(room, 80.0))
        box_width = min(width, max(room, 80.0)) + 2 * PAD
        gap = GRID if row.named else 2.0
        left = self.width - GRID - box_width if message.from_me else float(GUTTER)
        box = QRectF(left, top + gap, box_width, y + 2 * PAD - 4)
        for piece in pieces:
            piece.at += QPointF(box.left() + PAD, box.top() + PAD - 3)
        return Bubble(box.bottom() + 1, box, pieces, heading, top)

    def _pieces(self, row: Row, room: float) -> tuple[list[Piece], float, float]:
        message = row.message
        parts: list[tuple[str, QFont, bool, bool]] = []
        if row.named and message.sender and not message.from_me:
            parts.append((message.sender, self.bold, False, False))
        if row.quoted:
            quoted = f"{row.quoted.sender}: {shortened(text_of(row.quoted), 90)}"
            parts.append((quoted, self.small, True, True))
        if text_of(message):
            parts.append((text_of(message), self.font, message.kind == "deleted", False))
        if message.attachments:
            parts.append((attachment_line(message), self.small, True, False))
        if foot_line(message):
            parts.append((foot_line(message), self.small, True, False))
        return self._stacked(parts, room)

    def _stacked(
        self, parts: Sequence[tuple[str, QFont, bool, bool]], room: float
    ) -> tuple[list[Piece], float, float]:
        """The parts laid out beneath each other; right-to-left ones again once the width is known."""
        made = []
        widest = 0.0
        for text, font, subtle, quote in parts:
            indent = QUOTE if quote else 0.0
            marks = self._marks(text, font)
            layout, height, width = laid_out(text, font, room - indent, marks)
            widest = max(widest, width + indent)
            made.append((layout, height, text, font, marks, indent, subtle))
        widest = min(widest + 1, room)
        pieces, y = [], 0.0
        for layout, height, text, font, marks, indent, subtle in made:
            if right_to_left(text):
                layout, height, _ = laid_out(text, font, widest - indent, marks)
            pieces.append(Piece(layout, QPointF(indent, y), subtle, height, indent > 0))
            y += height + 2
        return pieces, widest, y

    def _marks(self, text: str, font: QFont) -> list[QTextLayout.FormatRange]:
        if font is not self.font or not self._marked:
            return []
        ranges = []
        for start, end in spans(text, self._marked):
            made = QTextLayout.FormatRange()
            made.start, made.length = start, end - start
            style = QTextCharFormat()
            style.setBackground(self._of.mark)
            style.setForeground(self._of.text)
            made.format = style
            ranges.append(made)
        return ranges

    def _notice(self, message: Message, heading: str, top: float) -> Bubble:
        room = max(self.width - 4 * GRID, 80.0)
        text = text_of(message)
        width = min(laid_out(text, self.small, room)[2] + 1, room)
        layout, height, _ = laid_out(text, self.small, width)
        left = (self.width - width) / 2
        piece = Piece(layout, QPointF(left, top + GRID), True, height)
        return Bubble(top + height + 2 * GRID, QRectF(), [piece], heading, top)


class BubbleDelegate(QStyledItemDelegate):
    """Draws rows and says how high they are."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cache: dict[tuple[int, bool, bool, bool], Bubble] = {}
        self._builder: Builder | None = None
        self._colours: Colours | None = None
        self._width = 0
        self.lit: frozenset[int] = frozenset()
        self.marked: tuple[str, ...] = ()

    def forget(self) -> None:
        """Drop all layouts: the font, the theme or the marked words changed."""
        self._cache.clear()
        self._builder = None

    def mark(self, query: str) -> None:
        """Mark the words of a query in every message."""
        self.marked = query_words(query)
        self.forget()

    def set_width(self, width: int) -> None:
        """The width of the list; rows are laid out for it."""
        if width != self._width:
            self._width = width
            self.forget()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """The row's height."""
        return QSize(self._width, int(self._bubble(option, index).height) + 1)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one row."""
        row: Row = index.data(ROW)
        bubble = self._bubble(option, index)
        of = self._colours or current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect = option.rect
        painter.translate(rect.topLeft())
        chosen = bool(option.state & QStyle.StateFlag.State_HasFocus)
        self._paint_ground(painter, row, bubble, of, rect.width(), chosen)
        for piece in bubble.pieces:
            painter.setPen(of.subtle if piece.subtle else of.text)
            piece.layout.draw(painter, piece.at)
            if piece.quote:
                painter.fillRect(QRectF(piece.at.x() - 9, piece.at.y(), 3, piece.height), of.accent)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, row: Row, bubble: Bubble, of: Colours, width: int, chosen: bool
    ) -> None:
        message = row.message
        assert self._builder is not None
        if bubble.heading:
            self._paint_heading(painter, bubble, of, width)
        lit = message.id in self.lit
        painter.setPen(Qt.PenStyle.NoPen)
        if lit:
            top, height = bubble.box.top(), bubble.box.height()
            if bubble.box.isNull():  # a notice has no box
                top, height = bubble.heading_height + GRID, bubble.pieces[0].height
            band = QRectF(0, top - 2, width, height + 4)
            painter.fillRect(band, QColor(of.accent.red(), of.accent.green(), of.accent.blue(), 38))
            painter.fillRect(QRectF(0, band.top(), 4, band.height()), of.accent)
        if bubble.box.isNull():
            return
        painter.setPen(QPen(of.accent if lit or chosen else of.border, 2 if lit or chosen else 1))
        painter.setBrush(of.tint if message.from_me else of.surface)
        painter.drawRoundedRect(bubble.box, 10, 10)
        if row.named and message.sender and not message.from_me:
            place = QRectF(GRID, bubble.box.top(), avatar.SIDE, avatar.SIDE)
            avatar.paint(painter, place, message.sender, self._builder.font)

    def _paint_heading(self, painter: QPainter, bubble: Bubble, of: Colours, width: int) -> None:
        assert self._builder is not None
        painter.setFont(self._builder.bold)
        painter.setPen(of.subtle)
        place = QRectF(0, GRID, width, bubble.heading_height - GRID)
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, bubble.heading)

    def _bubble(self, option: QStyleOptionViewItem, index: Index) -> Bubble:
        if self._builder is None:
            self._colours = current()
            font = QFont(option.font)  # a copy: the option goes when drawing ends
            self._builder = Builder(font, float(self._width), self._colours, self.marked)
        row: Row = index.data(ROW)
        key = (row.message.id, row.new_day, row.named, row.quoted is not None)
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) > CACHE:
                self._cache.clear()
            found = self._cache[key] = self._builder.build(row)
        return found
