"""Reading a window as a person does."""

from PySide6.QtWidgets import QAbstractButton, QLabel, QWidget

from app.widgets.citation import PlaceRow


def texts(widget: QWidget) -> str:
    """Everything that can be read on a widget."""
    shown = [each.text() for each in widget.findChildren(QLabel) if each.isVisible()]
    shown += [each.text() for each in widget.findChildren(QAbstractButton) if each.isVisible()]
    shown += [each.accessibleName() for each in widget.findChildren(PlaceRow) if each.isVisible()]
    return "\n".join(shown)


def button(widget: QWidget, name: str) -> QAbstractButton:
    """The visible button of that name, its mnemonic left out."""
    for each in widget.findChildren(QAbstractButton):
        if each.isVisible() and each.text().replace("&", "") == name:
            return each
    raise AssertionError(f"no button {name!r} among: {texts(widget)}")
