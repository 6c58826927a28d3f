"""What the columns of a table mean: the guess, and a list of the table's columns for each field to correct it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFormLayout

from app.data_import import FilePreview
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.widgets.parts import Fold

FIELDS = {
    "text": QT_TRANSLATE_NOOP("Columns", "Words"),
    "sender": QT_TRANSLATE_NOOP("Columns", "Sender"),
    "time": QT_TRANSLATE_NOOP("Columns", "Time"),
    "date": QT_TRANSLATE_NOOP("Columns", "Day, where it has a column of its own"),
    "chat": QT_TRANSLATE_NOOP("Columns", "Chat"),
}


class Columns(Fold):
    """Chooses columns. `chosen` carries all fields with their columns, "" where there is none."""

    chosen = Signal(object)

    def __init__(self, preview: FilePreview) -> None:
        super().__init__(translate("Columns", "What the columns mean"), open_=not preview.recognised)
        self._columns = dict(preview.columns)
        form = QFormLayout()
        self.inside.addLayout(form)
        for field, name in FIELDS.items():
            shown = translate("Columns", name)
            choice = QComboBox()
            choice.setAccessibleName(shown)
            choice.addItem(translate("Columns", "None"), "")
            for heading in preview.headers:
                choice.addItem(heading, heading)
            choice.setCurrentIndex(max(0, choice.findData(self._columns.get(field, ""))))
            choice.activated.connect(lambda _, field=field, choice=choice: self._choose(field, choice))
            form.addRow(shown, choice)

    def _choose(self, field: str, choice: QComboBox) -> None:
        none = dict.fromkeys(FIELDS, "")
        self._columns = {**none, **self._columns, field: str(choice.currentData())}
        self.chosen.emit(dict(self._columns))
