"""Places in the chats: a row to press for each, and the card that hovers over a numbered mark."""

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app import words
from app.data import Citation, Place
from app.html import card_html, shortened
from app.theme import GRID, colours
from app.widgets.parts import Button, column

CARD_WIDTH = 340


def place_line(place: Place) -> str:
    """“Mum, 12 Mar 2024 · Family · WhatsApp”."""
    who = ", ".join(part for part in (place.sender, words.short_date(place.timestamp)) if part)
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
        self._text.setText(card_html(place.sender or place.chat, below, place.text, colours(self.palette()).ink()))
        self.adjustSize()
        room = self.screen().availableGeometry()
        x = min(at.x() + GRID, room.right() - self.width())
        y = at.y() + 2 * GRID
        if y + self.height() > room.bottom():
            y = at.y() - self.height() - GRID
        self.move(max(room.left(), x), max(room.top(), y))
        self.show()


class PlaceRow(Button):
    """A place as a line to press: who, when, where, and how it begins."""

    chosen = Signal(object)

    def __init__(self, place: Place, mark: str = "", warning: str = "") -> None:
        super().__init__("", look="row")
        self.place = place
        self._line = f"{mark} {place_line(place)}".strip() + (f"{words.DOT}{warning}" if warning else "")
        self._snippet = shortened(place.text, 140)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(f"{self._line}: {self._snippet}")
        self.setToolTip(f"{self._line}\n{shortened(place.text, 400)}".replace("<", "‹"))
        self.clicked.connect(lambda: self.chosen.emit(self.place))
        self._cut()

    def resizeEvent(self, event: object) -> None:
        """Cut both lines to the width."""
        super().resizeEvent(event)  # type: ignore[arg-type]
        self._cut()

    def _cut(self) -> None:
        metrics = QFontMetrics(self.font())
        room = max(self.width() - 3 * GRID, 60)
        lines = (
            metrics.elidedText(each, Qt.TextElideMode.ElideRight, room) for each in (self._line, self._snippet)
        )
        self.setText("\n".join(lines).replace("&", "&&"))


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
