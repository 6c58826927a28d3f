"""Questions to click where nothing was asked yet."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.i18n import QT_TRANSLATE_NOOP, translate
from app.widgets.parts import Button, column, label, row

OWN = (
    QT_TRANSLATE_NOOP("Suggestions", "What did we plan for last weekend?"),
    QT_TRANSLATE_NOOP("Suggestions", "Who recommended a book to me?"),
    QT_TRANSLATE_NOOP("Suggestions", "When did I last talk about moving?"),
)


class Suggestions(QWidget):
    """A heading and some questions; each is asked by a click."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._sample: bool | None = None
        self._column = column(self, around=0, between=1)
        self._column.addWidget(label(self.tr("What would you like to find?"), "title"))
        self._column.addWidget(
            label(
                self.tr("Ask in your own words. Every answer shows the messages it rests on."), "subtle", wrap=True
            )
        )
        for text in OWN:
            chip = Button(translate("Suggestions", text), "ask", "chip")
            chip.clicked.connect(lambda _=False, asked=text: self.chosen.emit(translate("Suggestions", asked)))
            self._column.addLayout(row(chip, None))

    def set_sample(self, sample: bool) -> None:
        """Other questions for the sample archive."""
        self._sample = sample
