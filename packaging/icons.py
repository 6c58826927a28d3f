"""Renders the drawing of the icon in all sizes, and packs them as Windows (.ico) and macOS (.icns) want it.

usage: icons.py FOLDER
"""

import struct
import sys
from pathlib import Path

DRAWING = Path(__file__).parent / "icons" / "backscroll.svg"
SIZES = (16, 22, 24, 32, 48, 64, 128, 256, 512)
ICO = (16, 24, 32, 48, 64, 256)
ICNS = {16: b"icp4", 32: b"icp5", 64: b"icp6", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def ico(pictures: dict[int, bytes]) -> bytes:
    """A Windows icon of PNG pictures: a directory of 16 bytes a picture, then the pictures. 0 stands for 256."""
    start, entries, data = 6 + 16 * len(pictures), b"", b""
    for side, picture in pictures.items():
        place = start + len(data)
        entries += struct.pack("<BBBBHHII", side % 256, side % 256, 0, 0, 1, 32, len(picture), place)
        data += picture
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + data


def icns(pictures: dict[int, bytes]) -> bytes:
    """A macOS icon: "icns" and its length, then type, length and PNG of each picture."""
    data = b"".join(ICNS[side] + struct.pack(">I", len(png) + 8) + png for side, png in pictures.items())
    return b"icns" + struct.pack(">I", len(data) + 8) + data


def render(drawing: Path, side: int) -> bytes:
    """The drawing as a PNG picture."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice
    from PySide6.QtGui import QImage, QPainter
    from PySide6.QtSvg import QSvgRenderer

    image = QImage(side, side, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(str(drawing)).render(painter)
    painter.end()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(data.data())


def main(folder: Path) -> int:
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {side: render(DRAWING, side) for side in SIZES}
    for side, picture in pictures.items():
        (folder / f"{side}.png").write_bytes(picture)
    (folder / "backscroll.ico").write_bytes(ico({side: pictures[side] for side in ICO}))
    (folder / "backscroll.icns").write_bytes(icns({side: pictures[side] for side in ICNS}))
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
