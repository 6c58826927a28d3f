"""Pictures of activity: bars of counts with their names beneath, read out as text for screen readers."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import words
from app.theme import GRID, SMALL, current

HEIGHT = 120


@dataclass(frozen=True, slots=True)
class Bar:
    """A count, what it is called in full, and the short name beneath it (may be empty)."""

    name: str
    count: int
    short: str = ""


class Bars(QWidget):
    """A row of bars."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._bars: Sequence[Bar] = ()
        self.setAccessibleName(title)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """As wide as there is room."""
        return QSize(300, HEIGHT + 3 * GRID)

    def show_bars(self, bars: Sequence[Bar]) -> None:
        """Draw these."""
        self._bars = bars
        top = sorted(bars, key=lambda bar: -bar.count)[:3]
        said = ", ".join(f"{bar.name}: {words.messages(bar.count)}" for bar in top if bar.count)
        self.setAccessibleDescription(said)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bars and as many names as have room."""
        if not self._bars:
            return
        painter = QPainter(self)
        of = current()
        most = max((bar.count for bar in self._bars), default=0) or 1
        font = painter.font()
        font.setPointSizeF(font.pointSizeF() * SMALL)
        painter.setFont(font)
        metrics, free = QFontMetricsF(font), 0.0
        width = self.width() / len(self._bars)
        painter.fillRect(QRectF(0, HEIGHT, self.width(), 1), of.border)
        for at, bar in enumerate(self._bars):
            left = at * width
            gap = min(2.0, width / 5)
            height = bar.count / most * (HEIGHT - GRID)
            if bar.count:
                painter.fillRect(
                    QRectF(left + gap, HEIGHT - max(2.0, height), width - 2 * gap, max(2.0, height)), of.accent
                )
            if bar.short and left >= free:
                painter.setPen(of.subtle)
                painter.drawText(QRectF(left, HEIGHT + 2, 80, 3 * GRID), Qt.AlignmentFlag.AlignLeft, bar.short)
                free = left + metrics.horizontalAdvance(bar.short) + GRID
        painter.end()

    def event(self, event: QEvent) -> bool:
        """The bar beneath the pointer as a tooltip."""
        if event.type() == QEvent.Type.ToolTip and self._bars and isinstance(event, QHelpEvent):
            at = min(int(event.pos().x() / max(self.width(), 1) * len(self._bars)), len(self._bars) - 1)
            bar = self._bars[at]
            QToolTip.showText(event.globalPos(), f"{bar.name}: {words.messages(bar.count)}")
            return True
        return super().event(event)
