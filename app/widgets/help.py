"""The list of keys, on F1."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QWidget

from app.i18n import translate
from app.shortcuts import SHORTCUTS
from app.widgets.parts import column, label


class HelpDialog(QDialog):
    """Made from the declared shortcuts."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("keys")
        self.setWindowTitle(self.tr("Keys"))
        layout = column(self, around=3, between=2)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        for at, each in enumerate(SHORTCUTS):
            shown = QKeySequence(each.keys).toString(QKeySequence.SequenceFormat.NativeText)
            grid.addWidget(label(shown, "heading"), at, 0)
            grid.addWidget(label(translate("Shortcuts", each.words)), at, 1)
        layout.addLayout(grid)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout.addWidget(buttons, alignment=Qt.AlignmentFlag.AlignRight)
