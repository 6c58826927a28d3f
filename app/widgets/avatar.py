"""Avatars: a person's initials on a colour that is always the same for the name."""

import zlib

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

SIDE = 32
HUES = (202, 168, 265, 24, 340, 130, 48, 300, 225, 0)


def initials(name: str) -> str:
    """One or two letters: of the first and last word, or the first letter of a name without spaces."""
    words = [word for word in name.split() if word[0].isalnum()]
    if not words:
        return name[:1] or "?"
    if len(words) == 1 or ord(words[0][0]) > 0x2E80:
        return words[0][0].upper()
    return (words[0][0] + words[-1][0]).upper()


def colour(name: str) -> QColor:
    """A colour for a name, dark enough for white letters (4.5:1)."""
    return QColor.fromHsl(HUES[zlib.crc32(name.encode("utf-8")) % len(HUES)], 90, 82)


def paint(painter: QPainter, box: QRectF, name: str, font: QFont) -> None:
    """Draw an avatar into a square."""
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(name))
    painter.drawEllipse(box)
    small = QFont(font)
    small.setPixelSize(round(box.height() * 0.4))
    painter.setFont(small)
    painter.setPen(QColor("white"))
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, initials(name))
    painter.restore()
