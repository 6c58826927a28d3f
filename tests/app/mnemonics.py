"""The letters that are bound with Alt on what is shown."""

import re
from collections import defaultdict

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

_LETTER = re.compile(r"&(\w)")


def mnemonics(widget: QWidget) -> dict[str, list[str]]:
    """Letter to the texts of the visible controls that it presses."""
    found: dict[str, list[str]] = defaultdict(list)
    for each in widget.findChildren(QWidget):
        bound = isinstance(each, QAbstractButton) or (isinstance(each, QLabel) and each.buddy() is not None)
        if bound and each.isVisible() and (match := _LETTER.search(each.text().replace("&&", ""))):
            found[match[1].lower()].append(each.text())
    return dict(found)
