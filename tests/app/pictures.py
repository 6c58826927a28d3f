"""Renders every page of the window into a folder, to be looked at. Not a test; nothing of it is kept.

    PYTHONPATH=. python tests/app/pictures.py FOLDER [--dark] [--scale 2] [--text 150] [--language zh_CN]
        [--size 1200x760] [--home HOME] [--only NAME]

With --home the real engine runs on that folder; else the scripted one with its invented chats.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QScrollArea, QWidget

from app.engine_client import EngineClient, engine_command
from app.gui import dress, make_application
from app.settings import LANGUAGE, TEXT_SIZE, THEME, TOUR_SEEN, Settings
from app.window import Window

FAKE = [sys.executable, str(Path(__file__).resolve().parent / "fake_engine.py")]
LONG = 180_000  # ms


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scale", default="1")
    parser.add_argument("--text", type=int, default=100)
    parser.add_argument("--language", default="en")
    parser.add_argument("--size", default="1200x760")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--question", default="When is the dentist?")
    parser.add_argument("--search", default="ladder shed")
    return parser.parse_args()


def spin(until: Callable[[], object] | None = None, most: int = 400) -> None:
    """Let the window live for so many milliseconds, or until something is so."""
    loop = QEventLoop()
    QTimer.singleShot(most, loop, loop.quit)
    timer = QTimer(interval=20)
    if until:
        timer.timeout.connect(lambda: loop.quit() if until() else None)
        timer.start()
    loop.exec()


class Album:
    """Takes the pictures of one look of the window."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        colours = "dark" if options.dark else "light"
        self._name = f"{options.language}-{colours}-{options.scale}-{options.text}-{options.size}"
        options.folder.mkdir(parents=True, exist_ok=True)
        self.home = options.home or Path(tempfile.mkdtemp())
        self.settings = Settings(self.home)
        self.settings.set(TOUR_SEEN, bool(options.home))
        for setting, value in ((THEME, colours), (LANGUAGE, options.language), (TEXT_SIZE, options.text)):
            self.settings.set(setting, value)

    def open(self, *arguments: str) -> Window:
        """A window with everything loaded."""
        command = engine_command(self.home) if self.options.home else [*FAKE, *arguments]
        engine = EngineClient(command)
        window = Window(engine, self.settings)
        window.resize(*map(int, self.options.size.split("x")))
        window.show()
        engine.start()
        archive = window.archive
        spin(lambda: archive.status is not None and bool(archive.people or archive.empty), 8000)
        spin(most=300)
        return window

    def shoot(self, window: QWidget, what: str) -> None:
        """Keep a picture, once everything is laid out."""
        if self.options.only in what:
            spin(most=250)
            window.grab().save(str(self.options.folder / f"{self._name}-{what}.png"))


def scrolled_to(page: QWidget, part: QWidget | None = None) -> None:
    """Scroll a page to a part of it, or to its end."""
    area: Any = page.findChild(QScrollArea)
    if part:
        area.ensureWidgetVisible(part, 0, 0)
    else:
        area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())


def first_start(album: Album) -> None:
    window = album.open("--empty")
    album.shoot(window, "00-empty")
    window.load_sample()
    spin(lambda: window.tour.isVisible(), 4000)
    album.shoot(window, "00-tour")
    window.close()


def asking(album: Album, window: Window) -> None:
    album.shoot(window, "01-ask")
    question, scripted = album.options.question, not album.options.home
    window.ask.ask("slow: " + question if scripted else question)
    spin(lambda: window.ask._asking and window.ask._asking.evidence, 60_000)
    album.shoot(window, "02-working")
    if scripted:
        window.ask.stop()
        window.ask.new_question()
        window.ask.ask(question + " unsure")
    spin(lambda: not window.ask.busy, LONG)
    album.shoot(window, "03-answer")
    place = window.ask.first_source
    if place:
        window.open_place(place)
        spin(most=600)
        album.shoot(window, "04-cited")
        window.reader.open_find()
        window.reader.finder.field.setText("thursday")
        spin(most=700)
        album.shoot(window, "05-find")
        window.close_chat()
    window.ask.new_question()
    for asked in ("nothing of the kind, fails", "nothing of the kind"):
        window.ask.ask(asked)
        spin(lambda: not window.ask.busy, LONG)
    album.shoot(window, "06-not-found")
    window.ask.new_question()
    spin(most=300)
    album.shoot(window, "18-history")


def finding(album: Album, window: Window) -> None:
    window.go("search")
    album.shoot(window, "07-search-empty")
    window.search.field.setText(album.options.search)
    spin(most=900)
    album.shoot(window, "08-search")
    window.go("chats")
    album.shoot(window, "09-chats")
    window.open_chat(window.archive.chats[0])
    spin(most=700)
    album.shoot(window, "10-chat")
    window.close_chat()
    window.go("overview")
    spin(most=700)
    album.shoot(window, "11-overview")
    scrolled_to(window.overview)
    album.shoot(window, "11b-overview")


def importing(album: Album, window: Window) -> None:
    window.go("importing")
    album.shoot(window, "12-import")
    scrolled_to(window.importing, window.importing.past)
    album.shoot(window, "12b-past")
    if not album.options.home:
        window.importing.take(["/tmp/WhatsApp Chat with Riverside.txt", "/tmp/unknown.doc"])
        spin(most=500)
        album.shoot(window, "13-preview")
        window.importing.start_import()
        spin(lambda: not window.importing.busy, 4000)
        album.shoot(window, "14-report")


def the_rest(album: Album, window: Window) -> None:
    window.go("models")
    spin(most=500)
    if not album.options.home:
        window.models.do("try", "tiny-1b")
        spin(lambda: not window.models._calls, 4000)
    album.shoot(window, "15-models")
    window.go("privacy")
    album.shoot(window, "16-privacy")
    scrolled_to(window.privacy)
    album.shoot(window, "16b-privacy")
    window.go("settings")
    album.shoot(window, "17-settings")
    window.show_help()
    album.shoot(window.findChild(QWidget, "keys") or window, "19-keys")


def main() -> None:
    options = arguments()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = options.scale
    app = make_application(sys.argv[:1])
    album = Album(options)
    dress(app, album.settings)
    if not options.home:
        first_start(album)
    window = album.open()
    for part in (asking, finding, importing, the_rest):
        part(album, window)
    window.close()


if __name__ == "__main__":
    main()
