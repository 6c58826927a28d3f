"""A short tour on the sample archive: a line of text and one button a step, above whatever page is shown.

Nothing waits for it: a person may press something else meanwhile, or skip it (with Esc, while the focus is in
it). It is offered once.
"""

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app.i18n import QT_TRANSLATE_NOOP, translate
from app.widgets.parts import announce, column, label, push, row

QUESTION = QT_TRANSLATE_NOOP("Tour", "Whose idea was the oak bench for Mum's 65th birthday?")
WORD = QT_TRANSLATE_NOOP("Tour", "wedding")


@dataclass(frozen=True, slots=True)
class Step:
    """What is said, the button beneath it, and what that does; the window knows the actions."""

    title: str
    text: str
    button: str
    action: str


STEPS = (
    Step(
        QT_TRANSLATE_NOOP("Tour", "The sample archive is ready"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "Two years of an invented life, in several chat apps. A tour of a minute shows what it is for.",
        ),
        QT_TRANSLATE_NOOP("Tour", "&Start the tour"),
        "ask",
    ),
    Step(
        QT_TRANSLATE_NOOP("Tour", "Ask in your own words"),
        QT_TRANSLATE_NOOP("Tour", "Press the question, or type another one. Esc stops an answer at any time."),
        QUESTION,
        "question",
    ),
    Step(
        QT_TRANSLATE_NOOP("Tour", "Look at what an answer rests on"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "First comes what was found, then the answer with small numbers. Each number and each line beneath it "
            "opens the message in its chat; Alt+Left leads back.",
        ),
        QT_TRANSLATE_NOOP("Tour", "Open the firs&t source"),
        "source",
    ),
    Step(
        QT_TRANSLATE_NOOP("Tour", "Search without waiting"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "Search finds as you type, in all chats at once. Chips and words such as from:Petra narrow it, and "
            "dragging over the timeline chooses months.",
        ),
        QT_TRANSLATE_NOOP("Tour", "S&how a search"),
        "search",
    ),
    Step(
        QT_TRANSLATE_NOOP("Tour", "Now your own chats"),
        QT_TRANSLATE_NOOP(
            "Tour",
            "The Import page says how to export from each app. The sample is erased on the Privacy page. "
            "F1 lists all keys.",
        ),
        QT_TRANSLATE_NOOP("Tour", "Import your e&xports…"),
        "importing",
    ),
)


def question() -> str:
    """The question of the tour, about somebody who writes in the person's language."""
    return translate("Tour", QUESTION)


def word() -> str:
    """What the tour searches for."""
    return translate("Tour", WORD)


class Tour(QFrame):
    """Shows the steps. `wanted` carries the action of the button; `ended` when it is over or was skipped."""

    wanted = Signal(str)
    ended = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "tour")
        self._at = 0
        self._title, self._text = label("", "heading", wrap=True), label("", wrap=True)
        self._count = label("", "subtle")
        self._go = push(translate("Tour", STEPS[0].button), self._press, main=True)
        self._back = push(self.tr("&Back"), lambda: self._show(self._at - 1))
        self._next = push(self.tr("&Next"), lambda: self._show(self._at + 1))
        skip = push(self.tr("S&kip the tour"), self.end)
        layout = column(self, around=2)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addLayout(row(self._go, self._back, self._next, None, self._count, skip))
        self.hide()

    def begin(self) -> None:
        """Show the first step."""
        self.show()
        self._show(0)

    def take_focus(self) -> None:
        """The focus to the button of the step."""
        self._go.setFocus()

    def end(self) -> None:
        """No more of it."""
        if not self.isHidden():
            self.hide()
            self.ended.emit()

    def _press(self) -> None:
        """Do what the step is about, and go on to the next."""
        action = STEPS[self._at].action
        last = self._at + 1 == len(STEPS)
        self.wanted.emit(action)
        if last:
            self.end()
        else:
            self._show(self._at + 1)
            self._go.setFocus()

    def _show(self, at: int) -> None:
        self._at = at
        step = STEPS[at]
        title, text = translate("Tour", step.title), translate("Tour", step.text)
        self._title.setText(title)
        self._text.setText(text)
        self._go.setText(translate("Tour", step.button))
        self._count.setText(self.tr("{n} of {all}").format(n=at + 1, all=len(STEPS)))
        self._back.setVisible(at > 0)
        self._next.setVisible(0 < at < len(STEPS) - 1)
        announce(self, f"{title}. {text}")
