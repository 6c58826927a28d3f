"""What the program did with the network since its start, and how a person can see it without trusting us."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel

from app import words
from app.data import Json
from app.fetcher import Download
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.widgets.parts import Button, Fold, column, label, push, row
from engine.lockdown import seccomp_mode

FILTERED = 2  # seccomp's word for "a filter says which calls are allowed"


@dataclass(frozen=True, slots=True)
class Network:
    """What is known of the network: of the window and of the engine, and what was fetched."""

    window: Json
    engine: Json
    downloads: Sequence[Download] = ()
    engine_process: int = 0
    engine_locked: bool | None = None  # by what the kernel says; None where it does not

    @property
    def counts(self) -> list[int]:
        """Everything that is known to have been tried or to be open."""
        found = [part.get(key) for part in (self.window, self.engine) for key in ("tried", "open")]
        return [count for count in found if isinstance(count, int)]


def sum_line(known: Network) -> str:
    """“Since 23:41 no connection was opened.”"""
    since = words.clock(str(known.window.get("since") or ""))
    if not known.counts:
        return translate("Network", "This system does not tell.")
    if total := sum(known.counts):
        text = translate("Network", "Since {time}: {n} connections, other than the downloads below.")
        return text.format(time=since, n=words.number(total))
    return translate("Network", "None since the start at {time}.").format(time=since)


def _part_line(part: Json) -> str:
    tried, now = part.get("tried"), part.get("open")
    said = []
    if tried is not None:
        said.append(translate("Network", "{n} opened since the start").format(n=words.number(int(tried))))
    if now is not None:
        said.append(translate("Network", "{n} open now").format(n=words.number(int(now))))
    return words.DOT.join(said) or translate("Network", "This system does not tell.")


def engine_line(known: Network) -> str:
    """The engine's counts, and whether the kernel refuses it the network."""
    line = _part_line(known.engine)
    if known.engine_locked:
        line += "\n" + translate(
            "Network", "The kernel refuses it every connection (Seccomp: 2 for process {process})."
        ).format(process=known.engine_process)
    return line


def downloads_line(downloads: Sequence[Download]) -> str:
    """What was fetched, one a line."""
    if not downloads:
        return translate("Network", "None.")
    return "\n".join(f"{each.model}{words.DOT}{words.clock(each.at)}" for each in downloads)


STEPS = (
    (QT_TRANSLATE_NOOP("Network", "Switch the network off: everything but getting a model works as before."), ""),
    (
        QT_TRANSLATE_NOOP("Network", "Linux: “Seccomp: 2” means that the kernel refuses the engine the network."),
        "grep Seccomp /proc/{process}/status",
    ),
    (
        QT_TRANSLATE_NOOP("Network", "Linux: watch the network calls of a search. Every line says AF_UNIX."),
        "strace -f -e trace=%network backscroll search dentist",
    ),
    (
        QT_TRANSLATE_NOOP("Network", "Linux: search the folder for a rare word of your chats. Nothing is found."),
        'grep -rl "that word" "{home}"',
    ),
)
"""What to do, and the command for it; {process} is the engine's, {home} the folder."""


class NetworkCard(QFrame):
    """The counts and the steps; `look` is what “Look again” does."""

    def __init__(self, look: Callable[[], object]) -> None:
        super().__init__()
        self.setProperty("look", "card")
        layout = column(self)
        layout.addWidget(label(self.tr("Network connections"), "heading"))
        self._sum = label("", wrap=True)
        layout.addWidget(self._sum)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setColumnStretch(1, 1)
        self._window, self._engine, self._downloads = (label("", "subtle", wrap=True) for _ in range(3))
        rows = (
            (self.tr("The window"), self._window),
            (self.tr("The engine, which reads your chats"), self._engine),
            (self.tr("Downloads of models that you asked for"), self._downloads),
        )
        for at, (title, widget) in enumerate(rows):
            self._grid.addWidget(label(title, wrap=True), at, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(widget, at, 1)
        layout.addLayout(self._grid)
        layout.addLayout(row(push(self.tr("&Look again"), look), None))
        self._how = Fold(self.tr("How to check it yourself"), open_=True)
        layout.addWidget(self._how)
        self._commands: list[tuple[QLabel, Button, str]] = []
        for number, (text, command) in enumerate(STEPS, 1):
            self._add_step(number, translate("Network", text), command)

    def _add_step(self, number: int, text: str, command: str) -> None:
        self._how.inside.addWidget(label(f"{number}. {text}", wrap=True))
        if not command:
            return
        shown = label("", wrap=True)
        shown.setFont(QFont("monospace"))
        shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        copy = Button(self.tr("Copy the command"), "copy", only_icon=True)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(shown.text()))
        line = row(shown, copy)
        line.setStretch(0, 1)
        self._how.inside.addLayout(line)
        self._commands.append((shown, copy, command))

    def show_network(self, known: Network, home: str) -> None:
        """Show what is known."""
        self._sum.setText(sum_line(known))
        self._window.setText(_part_line(known.window))
        self._engine.setText(engine_line(known))
        self._downloads.setText(downloads_line(known.downloads))
        for shown, copy, command in self._commands:
            shown.setText(command.format(process=known.engine_process, home=home))
            copy.setAccessibleName(f"{copy.text()}: {shown.text()}")


def locked_by_kernel(process: int) -> bool | None:
    """Whether the kernel says that a process has given up calls; None where it does not say."""
    mode = seccomp_mode(process)
    return None if mode is None else mode == FILTERED
