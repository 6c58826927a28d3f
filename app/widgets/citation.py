"""Places in the chats: a row to press for each, and the card that hovers over a numbered mark."""

from PySide6.QtCore import QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import words
from app.data import Citation, Place
from app.html import card_html, escape, shortened
from app.theme import GRID, current
from app.widgets.parts import column

CARD_WIDTH = 340
WIDEST_MARK = "[99?] "


def place_line(place: Place) -> str:
    """“Mum, 12 Mar 2024 · Family · WhatsApp”."""
    who = words.who_and_when(place)
    return words.DOT.join(part for part in (who, place.chat, words.platform_title(place.platform)) if part)


class HoverCard(QFrame):
    """Shows a place beside the pointer. One for a window."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.ToolTip)
        self.setProperty("look", "hover")
        self._text = QLabel()
        self._text.setTextFormat(Qt.TextFormat.RichText)
        self._text.setWordWrap(True)
        self._text.setFixedWidth(CARD_WIDTH)
        column(self, around=1).addWidget(self._text)

    def show_place(self, place: Place, at: QPoint, warning: str = "") -> None:
        """Show it near a point of the screen."""
        below = words.DOT.join(
            part
            for part in (words.date_and_time(place.timestamp), place.chat, words.platform_title(place.platform))
            if part
        )
        if warning:
            below += f"\n{warning}"
        self._text.setText(card_html(place.sender or place.chat, below, place.text, current().ink()))
        self.adjustSize()
        room = self.screen().availableGeometry()
        x = min(at.x() + GRID, room.right() - self.width())
        y = at.y() + 2 * GRID
        if y + self.height() > room.bottom():
            y = at.y() - self.height() - GRID
        self.move(max(room.left(), x), max(room.top(), y))
        self.show()


class PlaceRow(QAbstractButton):
    """A place to press: its number, who, when and where, and how it begins."""

    chosen = Signal(object)

    def __init__(self, place: Place, mark: str = "", warning: str = "") -> None:
        super().__init__()
        self.place = place
        self._mark, self._warning = mark, warning
        self._where = words.DOT.join(part for part in (place_line(place), warning) if part)
        self._snippet = shortened(place.text, 300)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(f"{mark} {self._where}: {self._snippet}".strip())
        self.setToolTip(f"<p>{escape(self._where)}</p><p>{escape(shortened(place.text, 400))}</p>")
        self.clicked.connect(lambda: self.chosen.emit(self.place))

    def sizeHint(self) -> QSize:
        """Two lines of text."""
        return QSize(200, 2 * QFontMetrics(self.font()).height() + GRID + 4)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it, with a ring where it has the focus."""
        of = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ring = self.hasFocus()
        painter.setPen(QPen(of.accent, 2) if ring else Qt.PenStyle.NoPen)
        painter.setBrush(of.surface if self.underMouse() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        font = QFont(self.font())
        line = QFontMetrics(font).height()
        left = GRID / 2
        if self._mark:
            painter.setPen(of.warning if self._warning else of.accent)
            wide = QFontMetrics(font).horizontalAdvance(WIDEST_MARK)
            painter.drawText(QRectF(left, 4, wide, line), Qt.AlignmentFlag.AlignVCenter, self._mark)
            left += wide
        width = self.width() - left - GRID
        painter.setPen(of.warning if self._warning else of.subtle)
        self._line(painter, self._where, QRectF(left, 4, width, line))
        painter.setPen(of.text)
        self._line(painter, self._snippet, QRectF(left, 6 + line, width, line))
        painter.end()

    @staticmethod
    def _line(painter: QPainter, text: str, box: QRectF) -> None:
        shown = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, int(box.width()))
        painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, shown)


class PlaceList(QWidget):
    """Rows of places beneath each other."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._column: QVBoxLayout = column(self, around=0, between=0)
        self._shown: list[int] = []

    def show_places(self, places: tuple[Place, ...], most: int) -> None:
        """Show the first places; those that are shown already stay."""
        for place in places[:most]:
            if place.turn not in self._shown:
                self._add(PlaceRow(place))
                self._shown.append(place.turn)

    def show_citations(self, citations: tuple[Citation, ...], unsure: str) -> None:
        """Show the citations with their numbers."""
        for each in citations:
            mark, warning = (f"[{each.n}]", "") if each.verified else (f"[{each.n}?]", unsure)
            self._add(PlaceRow(each.place, mark, warning))

    def _add(self, made: PlaceRow) -> None:
        made.chosen.connect(self.chosen.emit)
        self._column.addWidget(made)
