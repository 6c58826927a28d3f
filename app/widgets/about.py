"""About this program: its version, where newer ones are, and whose works are in it."""

import sys
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.widgets.parts import label
from engine.version import VERSION

NOTICES = "THIRD-PARTY-NOTICES.txt"


def notices_file() -> Path | None:
    """Where an installed program has the licences of the works in it; none where it runs from its sources."""
    folder = Path(sys.executable).resolve().parent
    places = (folder / NOTICES, folder.parent / "Resources" / NOTICES)
    return next((place for place in places if place.is_file()), None)


class About(QWidget):
    """A few lines of text that can be selected, as a person who reports a fault will want to."""

    def __init__(self) -> None:
        super().__init__()
        inner = QVBoxLayout(self)
        inner.setContentsMargins(0, 0, 0, 0)
        version = label(f"Backscroll {VERSION}")
        newer = self.tr(
            "Backscroll never looks for a newer version by itself. Newer ones are where you got this one, "
            "and each says what changed."
        )
        lines = [version, label(newer, "subtle", wrap=True)]
        licence = self.tr("It is free software under the MIT licence.")
        if notices := notices_file():
            licence += " " + self.tr("The works of others in it, and their licences: {file}").format(file=notices)
        lines.append(label(licence, "subtle", wrap=True))
        for each in lines:
            each.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
            inner.addWidget(each)
