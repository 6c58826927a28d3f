"""A model of the list: what it is, whether it fits, what the self-check found, and what can be done about it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app import words
from app.data import Json
from app.data_models import ModeCheck, ModelCheck, ModelInfo
from app.engine_words import engine_words
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.widgets.parts import Elided, card, column, empty_layout, label, push, row

WORDS_A_TOKEN = 0.75  # of English text, as a rule of thumb; shown with “about”
FITS = {
    "fits": QT_TRANSLATE_NOOP("Models", "Fits this computer"),
    "tight": QT_TRANSLATE_NOOP("Models", "Tight on this computer"),
    "will not fit": QT_TRANSLATE_NOOP("Models", "Will not fit in the free memory"),
}
ADVICE = {
    "quick": QT_TRANSLATE_NOOP("Models", "Good for quick answers on this computer."),
    "thorough": QT_TRANSLATE_NOOP("Models", "Good for thorough answers on this computer."),
    "search": QT_TRANSLATE_NOOP(
        "Models", "Its answers were often wrong: read the messages that are found, or choose a larger model."
    ),
    "unknown": QT_TRANSLATE_NOOP(
        "Models", "Too few answers in a minute to judge it: it is slow here, or the computer was busy."
    ),
}
DOING = {
    "Opening the model": QT_TRANSLATE_NOOP("Models", "Opening the model"),
    "Measuring its speed": QT_TRANSLATE_NOOP("Models", "Measuring its speed"),
    "Asking a question: quick": QT_TRANSLATE_NOOP("Models", "Asking a question about the sample archive, quickly"),
    "Asking a question: thorough": QT_TRANSLATE_NOOP(
        "Models", "Asking a question about the sample archive, thoroughly"
    ),
    "Reading": QT_TRANSLATE_NOOP("Models", "Reading the file"),
    "Checking": QT_TRANSLATE_NOOP("Models", "Checking the file"),
}
"""What the engine says that it does with a model."""
TRYING = frozenset(list(DOING)[:4])  # these are counted in seconds, the others in bytes


def memory_line(model: ModelInfo) -> str:
    """“Fits this computer · needs 1.8 GB, 7.5 GB free”."""
    fits = translate("Models", FITS[model.fits]) if model.fits in FITS else model.fits
    if not model.needed:
        return fits
    memory = translate("Models", "needs {needed} of memory, {free} free")
    return words.DOT.join([fits, memory.format(needed=words.size(model.needed), free=words.size(model.free))])


def speed_line(check: ModelCheck) -> str:
    """“Reads about 190 words a second and writes about 5.”"""
    rates = {"read": check.reading, "written": check.writing}
    shown = {name: words.number(max(1, round(rate * WORDS_A_TOKEN))) for name, rate in rates.items()}
    text = translate("Models", "Reads about {read} words a second and writes about {written}.")
    return text.format(**shown)


def _mode_line(name: str, found: ModeCheck) -> str:
    if not found.asked:
        return ""
    text = translate("Models", "{mode}: {right} of {asked} right, {time} each.")
    return text.format(mode=name, right=found.right, asked=found.asked, time=words.duration(found.seconds))


def check_lines(check: ModelCheck) -> str:
    """The advice, and what it rests on."""
    advice = translate("Models", ADVICE.get(check.advice, ADVICE["unknown"]))
    when = translate("Models", "Tried out on {date}.").format(date=words.short_date(check.checked_at))
    modes = (
        _mode_line(translate("Models", "Quick"), check.quick),
        _mode_line(translate("Models", "Thorough"), check.thorough),
    )
    return "\n".join((advice, " ".join(part for part in (when, *modes, speed_line(check)) if part)))


class ModelCard(QWidget):
    """A model with what can be done about it."""

    wanted = Signal(str, str)  # what to do (get, use, try, check, remove, cancel), model

    def __init__(self, model: ModelInfo, used: bool) -> None:
        super().__init__()
        self.model = model
        frame, inner = card()
        column(self, around=0).addWidget(frame)
        head = row(Elided(model.name or model.id, "heading"))
        head.setStretch(0, 1)
        for text in self._badges(used):
            head.addWidget(label(text, "badge"))
        inner.addLayout(head)
        facts = [words.size(model.size) if model.size else "", model.licence, engine_words(model.languages)]
        inner.addWidget(label(words.DOT.join(part for part in facts if part), "subtle", wrap=True))
        inner.addWidget(label(memory_line(model), "" if model.fits == "fits" else "warning", wrap=True))
        if model.check:
            inner.addWidget(label(check_lines(model.check), wrap=True))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Progress of {model}").format(model=model.name))
        self._figures = label("", "subtle", wrap=True)
        inner.addWidget(self._bar)
        inner.addWidget(self._figures)
        self._bar.hide()
        self._figures.hide()
        self._buttons = row()
        inner.addLayout(self._buttons)
        self._show_actions(used)

    def _badges(self, used: bool) -> list[str]:
        badges = []
        if used:
            badges.append(self.tr("In use"))
        if self.model.default:
            badges.append(self.tr("Recommended"))
        if self.model.installed and not used:
            badges.append(self.tr("On this computer"))
        return badges

    def _show_actions(self, used: bool) -> None:
        actions: list[tuple[str, str]] = []
        if not self.model.installed:
            actions.append(("get", self.tr("Get…")))
        else:
            writes = self.model.kind not in ("embedding", "reranker")
            if writes and not used:
                actions.append(("use", self.tr("Use")))
            if writes:
                actions.append(("try", self.tr("Try it out (a minute)")))
            actions.append(("check", self.tr("Check the file")))
            actions.append(("remove", self.tr("Remove…")))
        self.show_buttons(actions)

    def show_buttons(self, actions: list[tuple[str, str]]) -> None:
        """Offer these."""
        empty_layout(self._buttons)
        for what, text in actions:
            button = push(text, lambda what=what: self.wanted.emit(what, self.model.id))  # type: ignore[misc]
            button.setAccessibleName(f"{text} {self.model.name}")
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)

    def progress(self, data: Json) -> None:
        """A progress event while it is fetched, checked or tried out."""
        done, total = int(data.get("done") or 0), data.get("total")
        self._bar.setRange(0, 1000 if total else 0)
        self._bar.setValue(round(1000 * done / total) if total else 0)
        self._bar.show()
        note = str(data.get("note") or "")
        if note in TRYING:
            line = words.seconds_line(done, total) if total else ""
        else:
            line = words.transfer_line(done, total, float(data.get("rate") or 0), data.get("seconds_left"))
        said = translate("Models", DOING[note]) if note in DOING else note
        self._figures.setText(words.DOT.join(part for part in (said, line) if part))
        self._figures.show()

    def say(self, text: str) -> None:
        """A line beneath."""
        self._bar.hide()
        self._figures.setText(text)
        self._figures.setVisible(bool(text))
