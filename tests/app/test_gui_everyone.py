"""For everyone: names for screen readers, the keyboard alone, announcements, small windows, no stalls."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mnemonics import mnemonics
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from reading_gui import texts
from watchdog import Watchdog

from app.shortcuts import SHORTCUTS
from app.theme import apply_theme
from app.widgets.citation import PlaceRow
from app.widgets.tour import STEPS
from app.window import Window

MakeWindow = Callable[..., Window]
PAGES = ("ask", "search", "chats", "overview", "importing", "models", "privacy", "settings")
CONTROLS = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit, QPlainTextEdit, QProgressBar)
STALL = 0.05  # seconds of processor time


@pytest.fixture
def watchdog(qapp: QApplication) -> Iterator[Watchdog]:
    made = Watchdog()
    yield made
    made.stop()
    made.deleteLater()


def everything(window: Window, qtbot: QtBot) -> None:
    """Bring every part of the window onto the screen once."""
    window.ask.ask("unsure: when?")
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    window.search.field.setText("heron")
    window.importing.take(["/exports/Riverside.txt", "/exports/unknown.doc"])
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=10_000)
    for page in PAGES:
        window.go(page)
        qtbot.wait(40)
    window.open_chat(window.archive.chats[0])
    window.reader.open_find()
    qtbot.wait(100)


def inner(widget: QWidget) -> bool:
    """Whether a control is a part of another one that speaks for it."""
    outer, parent = widget.parent(), widget.parent()
    while outer is not None and not isinstance(outer, QComboBox):
        outer = outer.parent()
    spoken_for = isinstance(parent, QLineEdit | QAbstractScrollArea | QAbstractItemView)
    return widget.objectName().startswith("qt_") or outer is not None or spoken_for


def test_every_control_has_a_name_and_a_role(window: Window, qtbot: QtBot):
    everything(window, qtbot)
    nameless = []
    for kind in CONTROLS:
        for each in window.findChildren(kind):
            face = QAccessible.queryAccessibleInterface(each)
            if inner(each) or face is None or not face.isValid():
                continue
            if not face.text(QAccessible.Text.Name) or face.role() == QAccessible.Role.NoRole:
                nameless.append(f"{type(each).__name__} in {type(each.parent()).__name__}")
    assert nameless == []


def test_a_place_is_a_button_to_a_screen_reader(window: Window, qtbot: QtBot):
    window.ask.ask("When is the dentist?")
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    for each in window.ask.findChildren(PlaceRow):
        face = QAccessible.queryAccessibleInterface(each)
        assert face.role() == QAccessible.Role.Button
        assert "dentist" in face.text(QAccessible.Text.Name)


def test_rows_of_lists_speak(window: Window, qtbot: QtBot):
    everything(window, qtbot)
    for view in (window.search.list, window.chats.list, window.reader.view):
        index = view.model().index(0, 0)
        assert index.isValid()
        assert index.data(Qt.ItemDataRole.AccessibleTextRole)


def test_what_is_ready_is_announced(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    said: list[str] = []
    monkeypatch.setattr("app.widgets.exchange.announce", lambda widget, text: said.append(text))
    window.ask.ask("When is the dentist?")
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    assert said
    assert said[0].startswith("The answer is ready. The dentist is on Thursday")


def test_a_walk_by_keyboard_alone(window: Window, qtbot: QtBot):
    """Ask, read the cited message, come back, search, open a hit, import, ask again: no pointer."""
    keys = QTest.keyClick
    window.activateWindow()
    QTest.keyClicks(window.ask.composer.field, "When is the dentist?")
    keys(window.ask.composer.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    qtbot.wait(30)
    sources = [each for each in window.ask.findChildren(QAbstractButton) if type(each).__name__ == "PlaceRow"]
    reachable = [each for each in sources if each.isVisible() and each.focusPolicy() & Qt.FocusPolicy.TabFocus]
    keys(reachable[0], Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.reader.view.messages.rowCount() > 0, timeout=5000)
    keys(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.reader.isHidden()
    keys(window, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.navigation.current == "search"
    QTest.keyClicks(window.search.field, "heron")
    qtbot.waitUntil(lambda: window.search._hits.rowCount() > 0, timeout=5000)
    keys(window.search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.reader.isHidden(), timeout=5000)
    keys(window, Qt.Key.Key_Escape)
    assert window.reader.isHidden()
    keys(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)
    assert window.navigation.current == "importing"
    keys(window, Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier)
    assert window.navigation.current == "settings"
    keys(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert window.navigation.current == "ask"
    assert "half past four" not in texts(window.ask)


def test_every_control_can_be_reached_with_tab(window: Window, qtbot: QtBot):
    everything(window, qtbot)
    for each in window.findChildren(QAbstractButton):
        if each.isVisible() and not inner(each) and each.group() is None:  # a group is one stop; arrows move in it
            assert each.focusPolicy() & Qt.FocusPolicy.TabFocus, each.text() or each.accessibleName()


def test_a_letter_with_alt_presses_one_control(make_window: MakeWindow, qtbot: QtBot):
    """Whatever is shown: each page, alone and with the tour, an answer, a preview and its report."""
    twice: list[str] = []

    def look(what: str) -> None:
        qtbot.wait(30)
        twice.extend(f"{what}: {texts}" for texts in mnemonics(window).values() if len(texts) > 1)

    for arguments in (("--empty",), ("--cut",)):
        window = make_window(*arguments)
        for page in PAGES:
            window.go(page)
            look(page)
    window.tour.begin()
    for step in range(len(STEPS)):
        window.tour._show(step)
        for page in PAGES:
            window.go(page)
            look(f"{page} in step {step} of the tour")
    window.importing.take(["/exports/Riverside.txt", "/exports/table.csv"])
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=10_000)
    window.go("importing")
    look("preview")
    window.importing.start_import()
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=10_000)
    look("report")
    assert twice == []


def test_every_page_has_a_key(window: Window):
    for number, page in enumerate(PAGES, 1):
        QTest.keyClick(window, getattr(Qt.Key, f"Key_{number}"), Qt.KeyboardModifier.ControlModifier)
        assert window.navigation.current == page


def test_every_declared_key_is_bound_or_only_listed(window: Window):
    keys = [each.keys for each in SHORTCUTS]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(
    ("size", "text"), [((1024, 640), 100), ((960, 540), 100), ((700, 480), 100), ((1024, 640), 150)]
)
def test_nothing_is_cut_off_in_a_small_window(
    make_window: MakeWindow, qtbot: QtBot, qapp: QApplication, size: tuple[int, int], text: int
):
    window = make_window()
    apply_theme(qapp, "light", text / 100)
    window.resize(*size)
    for page in PAGES:
        window.go(page)
        qtbot.wait(30)
        assert window.width() == size[0], f"{page} is wider than the window"
        shown = window._pages[page]
        for each in shown.findChildren(QWidget):
            if each.isVisible() and isinstance(each, QAbstractButton | QLabel | QLineEdit | QComboBox):
                right = each.mapTo(shown, each.rect().topRight()).x()
                assert right <= shown.width(), f"{page}: {each} ends at {right} of {shown.width()}"
            if each.isVisible() and isinstance(each, QPushButton):
                assert each.width() >= each.sizeHint().width(), f"{page}: “{each.text()}” is cut off"
    window.open_chat(window.archive.chats[0])
    qtbot.wait(30)
    for each in window.navigation.findChildren(QAbstractButton):
        assert each.width() >= each.sizeHint().width(), each.text()
    apply_theme(qapp, "light", 1.0)


def test_no_stall_while_importing_asking_searching_and_scrolling(
    make_window: MakeWindow, qtbot: QtBot, watchdog: Watchdog
):
    window = make_window("--large")
    watchdog.begin()
    window.importing.take(["/exports/Riverside.txt"])
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=5000)
    window.importing.start_import()
    window.ask.ask("flood")
    window.go("search")
    for text in ("h", "he", "her", "hero", "heron", "ladder"):
        window.search.field.setText(text)
        qtbot.wait(90)
    window.open_chat(window.archive.chats[0])
    view = window.reader.view
    qtbot.waitUntil(lambda: view.messages.rowCount() > 0, timeout=5000)
    for _ in range(40):
        view.verticalScrollBar().setValue(view.verticalScrollBar().value() - 400)
        qtbot.wait(15)
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=20_000)
    watchdog.stop()
    wall, cpu = watchdog.wall.wall * 1000, watchdog.cpu.cpu * 1000
    print(f"longest turn of the main thread: {cpu:.0f} ms of processor time, {wall:.0f} ms by the clock")  # noqa: T201
    assert watchdog.cpu.cpu < STALL  # by the clock other programs count, too; `stalls.py` measures that


def test_the_window_is_there_before_the_engine(tmp_path: Path):
    """Processor seconds from the start of Python to a window that is shown, in a process of its own."""
    program = (
        "import time, sys\n"
        "from pathlib import Path\n"
        "from app.engine_client import EngineClient\n"
        "from app.gui import dress, make_application\n"
        "from app.settings import Settings\n"
        "from app.window import Window\n"
        "app = make_application(['backscroll']); settings = Settings(Path(sys.argv[1])); dress(app, settings)\n"
        "window = Window(EngineClient(['/nowhere']), settings); window.show(); app.processEvents()\n"
        "print(time.process_time())\n"
        "heavy = {'llama_cpp', 'bm25s', 'apsw', 'pydantic'} & set(sys.modules)\n"
        "print(sorted(heavy))\n"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, check=True
        ).stdout.split("\n")
        for _ in range(2)
    ]
    assert runs[0][1] == "[]", "the window must not load what only the engine needs"
    seconds = min(float(run[0]) for run in runs)
    print(f"window shown after {seconds:.2f} s of processor time")  # noqa: T201
    assert seconds < 2.0  # the aim is one, on a machine that is free
