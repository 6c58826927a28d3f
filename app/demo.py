"""`make run`: the default model, the sample archive, and the window; without a display the same in the terminal.

It only strings together commands that a person could type, and shows them. The sample goes into an archive
that is still empty, never beside somebody's own chats. The window runs in a process of its own, so that a
display which turns out not to work ends in the demonstration in the terminal and not in a crash.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from app import cli
from app.sample import FOLDER, OWNER, TIMEZONE
from app.sample.questions import Question, load
from engine import overview
from engine.home import Home
from engine.library import Library
from models.store import Listed, ModelStore

SHOWN = ("bench-idea", "wedding-date", "lisbon-flat")
"""A plain fact, a plan that changed, and something that the chats do not say."""
DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
NO_WINDOW = 10.0  # seconds; a window that fails sooner could not be opened at all

Command = Callable[[Sequence[str]], int]
"""A `backscroll` command line to its exit status."""


def main(command: Command = cli.main, window: Callable[[], int] | None = None) -> int:
    """Fetch, import, show; the exit status of the first step that failed, 130 after Ctrl+C."""
    try:
        return _demonstrate(command, window or open_window)
    except KeyboardInterrupt:
        _say("\nStopped.")
        return cli.CANCELLED


def has_display() -> bool:
    """Whether a window can be expected to open."""
    return sys.platform in ("win32", "darwin") or any(map(os.environ.get, DISPLAYS))


def open_window() -> int:
    """The window as a process; returns its exit status when it is closed."""
    # Ctrl+C is for this process, which then ends the window: Qt would be interrupted in the midst of something.
    ours = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen([sys.executable, "-m", "app"])
    finally:
        signal.signal(signal.SIGINT, ours)
    try:
        return process.wait()
    finally:
        process.terminate()


def _demonstrate(command: Command, window: Callable[[], int]) -> int:
    if _fetch_model(command) == cli.CANCELLED:
        return cli.CANCELLED
    people = _people()
    if not people:
        status = command(["import", str(FOLDER), "--me", OWNER, "--timezone", TIMEZONE])
        if status != cli.SUCCESS:
            return status
    if has_display():
        started = time.monotonic()
        status = window()
        if status in (cli.SUCCESS, cli.CANCELLED) or time.monotonic() - started > NO_WINDOW:
            return status
        _say("\nThe window could not be opened here, so this goes on in the terminal.")
    return _in_terminal(command, sample=not people or OWNER in people)


def _fetch_model(command: Command) -> int:
    """The default model, or the small one where memory is short. Failing is no reason to stop."""
    models = ModelStore(Home.default().models).listed()
    model = _suited(models)
    if model.installed:
        return cli.SUCCESS
    _say(f"Fetching the language model {model.name} ({model.size / 1e9:.2f} GB). This is done once.")
    status = command(["models", "get", model.id])
    if status not in (cli.SUCCESS, cli.CANCELLED):
        instead = any(m.installed and m.kind == "chat" for m in models)
        _say("Going on with the model that is there." if instead else "Going on without a model: search works.")
    return status


def _suited(models: Sequence[Listed]) -> Listed:
    default = next(m for m in models if m.use == "default")
    small = next(m for m in models if m.use == "small")
    return small if default.fits == "will not fit" and not default.installed else default


def _people() -> list[str]:
    """Who writes in the archive; empty where nothing was imported."""
    library = Library(Home.default())
    try:
        return [str(person["name"]) for person in overview.people(library.archive)]
    finally:
        library.close()


def _in_terminal(command: Command, *, sample: bool) -> int:
    if sample:
        questions = {question.id: question for question in load()}
        for shown in SHOWN:
            status = command(_typed(questions[shown]))
            if status != cli.SUCCESS:
                return status
    _say(
        "\nHow to go on, with .venv/bin in front:\n"
        '  backscroll ask "…" --trace      a question of your own\n'
        "  backscroll search WORDS         the messages themselves, without a model\n"
        "  backscroll erase --all          remove the sample, then\n"
        "  backscroll import PATH          read your own exports (backscroll formats says how to make them)\n"
        "On a computer with a display, make run opens the window."
    )
    return cli.SUCCESS


def _typed(question: Question) -> list[str]:
    """The command for a question, shown as a person would type it."""
    now = question.now.isoformat()
    _say(f'\n$ backscroll ask "{question.question}" --now {now} --trace')
    return ["ask", question.question, "--now", now, "--trace"]


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
