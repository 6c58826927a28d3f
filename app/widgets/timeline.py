"""A strip of months: how many messages there are, how many of them were found. Drag to narrow the dates."""

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import words
from app.theme import current

HEIGHT = 56
WIDEST = 28  # pixels of a month
LABELS = 16  # pixels beneath the bars, at least


def months_between(first: str, last: str) -> list[str]:
    """All months from one to the other, as YYYY-MM."""
    if len(first) < 7 or len(last) < 7:
        return []
    year, month = int(first[:4]), int(first[5:7])
    made: list[str] = []
    while f"{year:04}-{month:02}" <= last[:7] and len(made) < 1200:
        made.append(f"{year:04}-{month:02}")
        year, month = (year + 1, 1) if month == 12 else (year, month + 1)
    return made


def month_counts(timestamps: Iterable[str]) -> Counter[str]:
    """How many there are in each month."""
    return Counter(stamp[:7] for stamp in timestamps if len(stamp) >= 7)


def last_day(month: str) -> date:
    """The last day of a month given as YYYY-MM."""
    first = date.fromisoformat(month + "-01")
    return (first + timedelta(days=32)).replace(day=1) - timedelta(days=1)


class Timeline(QWidget):
    """The strip. `narrowed` carries the first and last day of the months that were chosen."""

    narrowed = Signal(object, object)

    def __init__(self) -> None:
        super().__init__()
        self._months: list[str] = []
        self._all: Mapping[str, int] = {}
        self._found: Mapping[str, int] = {}
        self._drag: tuple[int, int] | None = None
        self._at = -1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Timeline"))
        self.setMouseTracking(True)

    def sizeHint(self) -> QSize:
        """A low strip."""
        return QSize(300, HEIGHT + self._label_height)

    @property
    def _label_height(self) -> int:
        """Pixels beneath the bars."""
        return max(LABELS, self.fontMetrics().height())

    def show_counts(self, first: str, last: str, everything: Mapping[str, int], found: Mapping[str, int]) -> None:
        """Messages and hits by month (YYYY-MM)."""
        self._months = months_between(first, last)
        self._all, self._found = everything, found
        hits = sum(found.values())
        self.setAccessibleDescription(
            self.tr("{places} from {range}").format(places=words.places(hits), range=words.date_range(first, last))
        )
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Bars for all messages, and before them bars for what was found."""
        if not self._months:
            return
        painter = QPainter(self)
        of = current()
        most, most_found = max(self._all.values(), default=1), max(self._found.values(), default=1)
        for at, month in enumerate(self._months):
            box = self._bar(at)
            if self._chosen(at):
                painter.fillRect(QRectF(box.left(), 0, box.width(), HEIGHT), of.tint)
            inner = box.adjusted(min(1, box.width() / 6), 0, -min(1, box.width() / 6), 0)
            self._fill(painter, inner, self._all.get(month, 0) / most, of.border)
            self._fill(painter, inner, 0.9 * self._found.get(month, 0) / most_found, of.accent)
        painter.setPen(of.subtle)
        self._paint_years(painter)
        if self.hasFocus():
            painter.setPen(QPen(of.accent, 2))
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))
        painter.end()

    @staticmethod
    def _fill(painter: QPainter, box: QRectF, part: float, colour: QColor) -> None:
        if part > 0:
            height = max(2.0, part * (HEIGHT - 4))
            painter.fillRect(QRectF(box.left(), HEIGHT - height, box.width(), height), colour)

    def _paint_years(self, painter: QPainter) -> None:
        """Years beneath, as many as have room."""
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * 0.85)
        painter.setFont(font)
        free = 0.0
        for at, month in enumerate(self._months):
            x = self._bar(at).left()
            if (month.endswith("-01") or at == 0) and x >= free:
                painter.drawText(QRectF(x, HEIGHT, 60, self._label_height), Qt.AlignmentFlag.AlignLeft, month[:4])
                free = x + 44

    def _bar(self, at: int) -> QRectF:
        width = self._month_width()
        return QRectF(at * width, 0, width, HEIGHT)

    def _month_width(self) -> float:
        return max(1.0, min(self.width() / len(self._months), WIDEST))

    def _chosen(self, at: int) -> bool:
        if self._drag:
            return min(self._drag) <= at <= max(self._drag)
        return self.hasFocus() and at == self._at

    def _month_at(self, x: float) -> int:
        return max(0, min(int(x / self._month_width()), len(self._months) - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a range."""
        if self._months and event.button() == Qt.MouseButton.LeftButton:
            at = self._month_at(event.position().x())
            self._drag = (at, at)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Stretch the range."""
        if self._drag:
            self._drag = (self._drag[0], self._month_at(event.position().x()))
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The range is chosen."""
        if self._drag:
            first, last = min(self._drag), max(self._drag)
            self._drag = None
            self.update()
            self._choose(first, last)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and Right go from month to month, Enter narrows to it."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if step and self._months:
            self._at = max(0, min(self._at + step, len(self._months) - 1))
            self.setAccessibleDescription(self._words(self._at))
            self.update()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._at >= 0:
            self._choose(self._at, self._at)
        else:
            super().keyPressEvent(event)

    def _choose(self, first: int, last: int) -> None:
        start = date.fromisoformat(self._months[first] + "-01")
        self.narrowed.emit(start, last_day(self._months[last]))

    def _words(self, at: int) -> str:
        month = self._months[at]
        total, found = self._all.get(month, 0), self._found.get(month, 0)
        parts = [words.month(month), words.messages(total) if total else "", words.places(found) if found else ""]
        return words.DOT.join(part for part in parts if part)

    def event(self, event: QEvent) -> bool:
        """The month beneath the pointer as a tooltip."""
        if event.type() == QEvent.Type.ToolTip and self._months and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._words(self._month_at(event.pos().x())))
            return True
        return super().event(event)
