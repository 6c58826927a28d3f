"""Questions to click where nothing was asked yet."""

import json
from importlib.resources import files

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.i18n import QT_TRANSLATE_NOOP, translate
from app.sample import FIRST_QUESTIONS
from app.theme import GRID
from app.widgets.parts import Button, column, empty_layout, label, row

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
        layout = column(self, around=0, between=1)
        layout.addWidget(label(self.tr("What would you like to find?"), "title"))
        text = self.tr("Ask in your own words. Every answer shows the messages it rests on.")
        layout.addWidget(label(text, "subtle", wrap=True))
        self._chips = QVBoxLayout()
        self._chips.setSpacing(GRID)
        layout.addLayout(self._chips)
        self._questions: tuple[str, ...] = ()
        self.show_questions(own_questions())

    def show_questions(self, questions: tuple[str, ...]) -> None:
        """Offer these."""
        if questions == self._questions:
            return
        self._questions = questions
        empty_layout(self._chips)
        for text in questions:
            chip = Button(text, "ask", "chip")
            chip.clicked.connect(lambda _=False, asked=text: self.chosen.emit(asked))
            self._chips.addLayout(row(chip, None))


def own_questions() -> tuple[str, ...]:
    """Questions that suit anybody's archive."""
    return tuple(translate("Suggestions", each) for each in OWN)


def sample_questions() -> tuple[str, ...]:
    """The questions about the sample archive that are offered first."""
    # The file itself: its reader needs the engine, and the window is there before that.
    read = json.loads(files("app.sample").joinpath("questions.json").read_text("utf-8"))
    asked = {each["id"]: each["question"] for each in read}
    return tuple(asked[each] for each in FIRST_QUESTIONS)
