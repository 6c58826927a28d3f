"""The window's tests: an offscreen display, a scripted engine process, and guards against what is left behind."""

import gc
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QProcess, QThread, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine_client import EngineClient, EngineState
from app.settings import Settings
from app.theme import apply_theme
from app.window import Window

FAKE = str(Path(__file__).parent / "fake_engine.py")
MakeEngine = Callable[..., EngineClient]
MakeWindow = Callable[..., Window]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What the offscreen display cannot do is no fault of the window."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.qt_log_ignore("This plugin does not support", extend=True))


def _describe(thing: object) -> str:
    name = thing.objectName() if hasattr(thing, "objectName") else ""  # type: ignore[attr-defined]
    return f"{type(thing).__name__} {name}".strip()


def _alive(kind: type, running: Callable[[object], bool]) -> list[object]:
    found = []
    for each in gc.get_objects():
        if isinstance(each, kind):
            try:
                if running(each):
                    found.append(each)
            except RuntimeError:  # deleted on the C++ side
                continue
    return found


@pytest.fixture(autouse=True)
def nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a timer, a process or a top-level widget behind."""
    threads = set(threading.enumerate())
    yield
    if "qapp" not in request.fixturenames:
        return
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    QCoreApplication.processEvents()
    gc.collect()
    left = [f"thread {each.name}" for each in set(threading.enumerate()) - threads]
    left += [f"timer {_describe(each)}" for each in _alive(QTimer, lambda timer: timer.isActive())]
    stopped = QProcess.ProcessState.NotRunning
    left += [f"process {_describe(each)}" for each in _alive(QProcess, lambda process: process.state() != stopped)]
    left += [
        f"thread {_describe(each)}"
        for each in _alive(QThread, lambda thread: thread.isRunning())
        if each is not QThread.currentThread()
    ]
    left += [f"widget {_describe(each)}" for each in QApplication.topLevelWidgets()]
    assert not left, "left behind: " + ", ".join(left)


@pytest.fixture(autouse=True)
def plain_locale() -> Iterator[None]:
    """British dates, whatever the machine has."""
    before = QLocale()
    QLocale.setDefault(QLocale("en_GB"))
    yield
    QLocale.setDefault(before)


@pytest.fixture
def make_engine(qtbot: QtBot) -> Iterator[MakeEngine]:
    """Start a scripted engine; `make_engine("--empty")`."""
    made: list[EngineClient] = []

    def make(*arguments: str, start: bool = True, wait: bool = True) -> EngineClient:
        engine = EngineClient([sys.executable, FAKE, *arguments])
        made.append(engine)
        if start:
            engine.start()
        if start and wait:
            qtbot.waitUntil(lambda: engine.state == EngineState.READY, timeout=10_000)
        return engine

    yield make
    for engine in made:
        engine.close()
        engine.deleteLater()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Settings of a fresh home."""
    return Settings(tmp_path)


@pytest.fixture
def make_window(qtbot: QtBot, make_engine: MakeEngine, settings: Settings) -> Iterator[MakeWindow]:
    """A window on a scripted engine, with everything loaded."""
    made: list[Window] = []
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light", 1.0)

    def make(*arguments: str, wait: bool = True) -> Window:
        engine = make_engine(*arguments, start=False)
        window = Window(engine, settings)
        made.append(window)
        window.resize(1200, 760)
        window.show()
        engine.start()
        if wait:
            archive = window.archive
            qtbot.waitUntil(
                lambda: archive.status is not None and bool(archive.people or archive.empty), timeout=10_000
            )
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()


@pytest.fixture
def window(make_window: MakeWindow) -> Window:
    """A window with the invented chats."""
    return make_window()
