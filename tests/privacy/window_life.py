"""The window in use: looks at an export, imports it, searches, reads, asks, saves, meets a fault, and ends.

`python tests/privacy/window_life.py FOLDER [UMASK]` uses the home of `life.py` in FOLDER; it exits with 0 when
every step was gone through. What it left in files and on standard error is for whoever started it.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from life import CANARIES, export
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app import gui
from app.opening import open_window
from app.window import Window

LONGEST = 120.0  # seconds of all steps together
Step = tuple[str, Callable[[], bool]]


def steps(window: Window, folder: Path) -> Iterator[Step]:
    """Does something, then says what to wait for."""
    yield "the archive is open", lambda: window.archive.status is not None
    window.importing.take([str(export(folder))])
    yield "the file was looked at", lambda: bool(window.importing.preview.paths) and not window.importing.busy
    window.importing.preview.me.setCurrentText(CANARIES[2])
    window.importing.start_import()
    yield "it was imported", lambda: not window.importing.busy and len(window.archive.chats) > 0
    window.go("search")
    window.search.field.setText(CANARIES[0])
    yield "something was found", lambda: window.search._hits.rowCount() > 0
    window.open_chat(window.archive.chats[0])
    yield "the chat is shown", lambda: window.reader.view.messages.rowCount() > 0
    window.go("ask")
    window.ask.ask(f"What colour is the {CANARIES[1]} of {CANARIES[2]}? {CANARIES[4]}")
    yield "an answer is there", lambda: not window.ask.busy
    asking = window.ask._asking
    assert asking is not None
    for name in ("answer.pdf", "answer.md"):
        window.ask.save_as(asking, folder / "exports" / name)
    QTimer.singleShot(0, faulty)
    until = time.monotonic() + 0.3
    yield "the fault was met", lambda: time.monotonic() > until


def faulty() -> None:
    """A fault of the window whose error holds a word of a message."""
    raise KeyError(CANARIES[0])


def walk(folder: Path) -> None:
    """Go from step to step while the window runs."""
    began, going, timer = time.monotonic(), list[Iterator[Step]](), QTimer(QApplication.instance())
    waited: list[Step] = []

    def look() -> None:
        window = next((each for each in QApplication.topLevelWidgets() if isinstance(each, Window)), None)
        if window is None:
            return
        if not going:
            going.append(steps(window, folder))
        if time.monotonic() - began > LONGEST:
            sys.stderr.write(f"waited in vain: {waited[-1][0]}\n")
            os._exit(3)
        if waited and not waited[-1][1]():
            return
        step = next(going[0], None)
        if step is None:
            timer.stop()
            window.close()
        else:
            waited.append(step)

    timer.timeout.connect(look)
    timer.start(50)


def main() -> int:
    """The program."""
    folder = Path(sys.argv[1]).absolute()
    if len(sys.argv) > 2:
        os.umask(int(sys.argv[2], 8))
    make = gui.make_application

    def made(arguments: list[str]) -> QApplication:
        app = make(arguments)
        walk(folder)
        return app

    gui.make_application = made
    return open_window(str(folder / "home" / "backscroll"))


if __name__ == "__main__":
    sys.exit(main())
