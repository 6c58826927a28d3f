"""The window's icons: our own line drawings on a 24-pixel grid, tinted with the palette's text colour."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

SIZES = (16, 20, 24, 32, 48)


@lru_cache(maxsize=64)
def _drawing(name: str) -> str:
    return (Path(__file__).parent / f"{name}.svg").read_text("utf-8")


def pixmap(name: str, colour: QColor, side: int, ratio: float = 2.0) -> QPixmap:
    """A drawing in a colour; twice as sharp as its size, so that it stays crisp on dense screens."""
    made = QPixmap(QSize(side, side) * ratio)
    made.setDevicePixelRatio(ratio)
    made.fill(Qt.GlobalColor.transparent)
    drawing = QSvgRenderer(QByteArray(_drawing(name).replace("currentColor", colour.name()).encode()))
    painter = QPainter(made)
    drawing.render(painter, QRectF(0, 0, side, side))
    painter.end()
    return made


def icon(name: str, colour: QColor) -> QIcon:
    """A drawing as an icon."""
    return _icon(name, colour.name())


@lru_cache(maxsize=256)
def _icon(name: str, colour: str) -> QIcon:
    """Drawn once: a window that is being built asks for each icon five times, whenever a part gets its palette."""
    made = QIcon()
    for side in SIZES:
        made.addPixmap(pixmap(name, QColor(colour), side))
    return made
