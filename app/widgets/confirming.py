"""A plain question before something goes for good; Cancel is what Enter means."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget


def confirmed(parent: QWidget, title: str, text: str, button: str) -> bool:
    """Whether the person pressed the button that does it."""
    box = QMessageBox(QMessageBox.Icon.Warning, title, "", parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    does = box.addButton(button, QMessageBox.ButtonRole.DestructiveRole)
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.exec()
    sure = box.clickedButton() is does
    box.deleteLater()
    return sure
