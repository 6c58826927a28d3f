"""Measures how long the window's main thread is away in each of its tasks. Not a test; prints a table.

    PYTHONPATH=. python tests/app/stalls.py [--messages 500000] [--home HOME] [--places]

By the clock the figures hold only on a machine that does nothing else; processor time holds always. With
--home the real engine runs on that folder's archive, else the scripted one with a chat of that many messages
and 1,500 others. `--places` says where the longest turn was seen. Exit status 1 where a turn takes more than
50 ms of processor time.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from watchdog import Watchdog

from app.engine_client import EngineClient, engine_command
from app.gui import dress, make_application
from app.settings import THEME, Settings
from app.window import Window

HERE = Path(__file__).resolve().parent
MOST = 0.05  # seconds
SIZE = (1200, 760)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--messages", type=int, default=500_000)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--search", default="ladder shed heron")
    parser.add_argument("--question", default="flood")
    parser.add_argument("--places", action="store_true")
    return parser.parse_args()


def spin(until: Callable[[], object] | None = None, most: int = 300) -> None:
    """Let the window live for so many milliseconds, or until something is so."""
    loop = QEventLoop()
    QTimer.singleShot(most, loop, loop.quit)
    timer = QTimer(interval=10)
    if until:
        timer.timeout.connect(lambda: loop.quit() if until() else None)
        timer.start()
    loop.exec()


class Table:
    """The figures, a row a task."""

    def __init__(self, *, places: bool) -> None:
        self.worst = 0.0
        self._places = places
        self.watchdog = Watchdog(places=places)

    def row(self, task: str, *, counts: bool = True) -> None:
        """Print what was measured since the row before."""
        clock, processor = self.watchdog.wall, self.watchdog.cpu
        self.worst = max(self.worst, processor.cpu if counts else 0.0)
        text = (
            f"{task:34} {clock.wall * 1000:6.0f} ms by the clock {processor.cpu * 1000:6.0f} ms of processor time"
        )
        where = f"   {processor.where or clock.where}" if self._places else ""
        sys.stdout.write(text + where + "\n")
        sys.stdout.flush()
        self.watchdog.begin()


def pages(window: Window) -> Iterator[str]:
    for page in window._pages:
        window.go(page)
        spin(most=250)
        yield f"going to {page}"


def importing(window: Window) -> Iterator[str]:
    window.importing.take(["/exports/Riverside.txt"])
    spin(lambda: not window.importing.busy, 5000)
    yield "looking at files"
    window.importing.start_import()
    spin(lambda: not window.importing.busy, 20_000)
    spin()
    yield "importing, with its report"


def searching(window: Window, words: str) -> Iterator[str]:
    window.go("search")
    for at in range(1, len(words) + 1):
        window.search.field.setText(words[:at])
        spin(most=90)
    spin()
    yield "searching as one types"
    for at in range(20):
        window.search.list.verticalScrollBar().setValue(at * 150)
        spin(most=15)
    yield "scrolling the hits"


def reading(window: Window, word: str) -> Iterator[str]:
    window.open_chat(max(window.archive.chats, key=lambda chat: chat.messages))
    spin(window.reader.view.messages.rowCount, 10_000)
    spin()
    yield "opening the longest chat"
    bar = window.reader.view.verticalScrollBar()
    for _ in range(150):
        bar.setValue(bar.value() - 400)
        spin(most=15)
    yield "scrolling 60,000 pixels"
    window.reader.go_to_date("2024-06-01")
    spin(most=600)
    yield "jumping to a date"
    window.reader.open_find()
    for at in range(1, len(word) + 1):
        window.reader.finder.field.setText(word[:at])
        spin(most=60)
    spin(most=600)
    for _ in range(5):
        window.reader.finder.step(1)
        spin(most=150)
    yield "finding in the chat"
    for width in (1100, 1000, 1300, SIZE[0]):
        window.resize(width, SIZE[1])
        spin(most=120)
    yield "changing the window's size"


def answering(window: Window, question: str) -> Iterator[str]:
    window.go("ask")
    window.ask.ask(question)
    spin(lambda: not window.ask.busy, 600_000)
    spin()
    yield "an answer"


def main() -> int:
    options = arguments()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = make_application(sys.argv[:1])
    folder = options.home or Path(tempfile.mkdtemp())
    settings = Settings(folder)
    dress(app, settings)
    fake = [sys.executable, str(HERE / "fake_engine.py"), f"--messages={options.messages}", "--many"]
    engine = EngineClient(engine_command(folder) if options.home else fake)
    table = Table(places=options.places)
    table.watchdog.begin()
    window = Window(engine, settings)
    window.resize(*SIZE)
    window.show()
    spin(most=50)
    table.row("(opening the window)", counts=False)
    engine.start()
    spin(lambda: window.archive.status and (window.archive.people or window.archive.empty), 120_000)
    spin()
    table.row("what is in the archive")
    parts = [pages(window), searching(window, options.search), reading(window, options.search.split()[0])]
    if not options.home:
        parts.insert(1, importing(window))
    for part in (*parts, answering(window, options.question)):
        for task in part:
            table.row(task)
    # This dresses every widget anew; it happens only when a person or the system asks for it.
    settings.set(THEME, "dark" if settings.get(THEME) != "dark" else "light")
    spin()
    table.row("(changing the colours)", counts=False)
    table.watchdog.stop()
    window.close()
    return int(table.worst > MOST)


if __name__ == "__main__":
    sys.exit(main())
