"""Renders every page of the window into a folder, to be looked at. Not a test; nothing of it is kept.

    python tests/app/pictures.py FOLDER [--dark] [--scale 2] [--language zh_CN] [--size 1200x760] [--home HOME]

With --home the real engine runs on that folder; else the scripted one with its invented chats.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent.parent))


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--scale", default="1")
    parser.add_argument("--language", default="en")
    parser.add_argument("--size", default="1200x760")
    parser.add_argument("--home", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--question", default="When is the dentist?")
    parser.add_argument("--search", default="ladder shed")
    return parser.parse_args()


def main() -> None:
    options = arguments()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["QT_SCALE_FACTOR"] = options.scale
    from PySide6.QtCore import QEventLoop, QTimer

    from app.engine_client import EngineClient, engine_command
    from app.gui import dress, make_application
    from app.settings import LANGUAGE, THEME, Settings
    from app.window import Window

    app = make_application(sys.argv[:1])
    folder = options.home or Path(tempfile.mkdtemp())
    settings = Settings(folder)
    settings.set(THEME, "dark" if options.dark else "light")
    settings.set(LANGUAGE, options.language)
    dress(app, settings)
    fake = [sys.executable, str(HERE / "fake_engine.py")]
    width, height = map(int, options.size.split("x"))
    options.folder.mkdir(parents=True, exist_ok=True)
    name = f"{options.language}-{'dark' if options.dark else 'light'}-{options.scale}-{options.size}"

    def spin(until: Callable[[], bool] | None = None, most: int = 400) -> None:
        loop = QEventLoop()
        QTimer.singleShot(most, loop.quit)
        if until:
            timer = QTimer(interval=20)
            timer.timeout.connect(lambda: loop.quit() if until() else None)
            timer.start()
        loop.exec()

    def window_on(command: list[str]) -> tuple[Window, EngineClient]:
        engine = EngineClient(command)
        made = Window(engine, settings)
        made.resize(width, height)
        made.show()
        engine.start()
        spin(lambda: made.archive.status is not None and bool(made.archive.people or made.archive.empty), 8000)
        spin(most=300)
        return made, engine

    def shoot(window: Window, what: str) -> None:
        if options.only and options.only not in what:
            return
        spin(most=250)
        window.grab().save(str(options.folder / f"{name}-{what}.png"))

    if not options.home:
        window, _engine = window_on([*fake, "--empty"])
        shoot(window, "00-empty")
        window.close()
    window, _engine = window_on(engine_command(folder) if options.home else fake)
    shoot(window, "01-ask")
    window.ask.ask(options.question if options.home else "slow: " + options.question)
    spin(lambda: bool(window.ask._asking and window.ask._asking.evidence), 60_000)
    shoot(window, "02-working")
    if not options.home:
        window.ask.stop()
        window.ask.new_question()
        window.ask.ask(options.question + " unsure")
    spin(lambda: not window.ask.busy, 180_000)
    spin(most=200)
    shoot(window, "03-answer")
    answer = window.ask._asking.answer
    if answer and answer.citations:
        window.open_place(answer.citations[0].place)
        spin(most=600)
        shoot(window, "04-cited")
        window.reader.open_find()
        window.reader.finder.field.setText("thursday")
        spin(most=700)
        shoot(window, "05-find")
        window.close_chat()
    window.ask.new_question()
    window.ask.ask("nothing of the kind, fails")
    spin(lambda: not window.ask.busy, 180_000)
    window.ask.ask("nothing of the kind")
    spin(lambda: not window.ask.busy, 180_000)
    spin(most=200)
    shoot(window, "06-not-found")
    window.ask.new_question()
    spin(most=300)
    shoot(window, "18-history")
    window.go("search")
    shoot(window, "07-search-empty")
    window.search.field.setText(options.search)
    spin(most=900)
    shoot(window, "08-search")
    window.go("chats")
    shoot(window, "09-chats")
    window.open_chat(window.archive.chats[0])
    spin(most=700)
    shoot(window, "10-chat")
    window.close_chat()
    window.go("overview")
    spin(most=700)
    shoot(window, "11-overview")
    window.go("importing")
    shoot(window, "12-import")
    if not options.home:
        window.importing.take(["/tmp/WhatsApp Chat with Riverside.txt", "/tmp/unknown.doc"])
        spin(most=500)
        shoot(window, "13-preview")
        window.importing.start_import()
        spin(lambda: not window.importing.busy, 4000)
        shoot(window, "14-report")
    window.go("models")
    spin(most=500)
    shoot(window, "15-models")
    window.go("privacy")
    shoot(window, "16-privacy")
    window.go("settings")
    shoot(window, "17-settings")
    window.close()


if __name__ == "__main__":
    main()
