"""A walk through the whole window by keyboard alone, with the real engine process on the sample archive.

Every key goes to whatever has the focus, as from a real keyboard; nothing is clicked and no method of the window
is called to get on. `docs/window.md` describes the same way for people.
"""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox, QWidget
from pytestqt.qtbot import QtBot
from reading_gui import texts

from app.engine_client import EngineClient, engine_command
from app.fetcher import FetcherClient, fetcher_command
from app.settings import TOUR_SEEN, Settings
from app.theme import apply_theme
from app.widgets.citation import PlaceRow
from app.widgets.help import HelpDialog
from app.widgets.results import PLACE
from app.window import Window

LONG = 120_000  # ms; the machine may be busy
NOTHING, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
CONTROL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
MOST_TABS = 80


class Person:
    """Somebody who has a keyboard and no pointer."""

    def __init__(self, window: Window, qtbot: QtBot) -> None:
        self.window, self._qtbot = window, qtbot

    @property
    def focus(self) -> QWidget:
        """Where the keys go."""
        return QApplication.focusWidget() or self.window

    def press(
        self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier, times: int = 1
    ) -> None:
        for _ in range(times):
            QTest.keyClick(self.focus, key, held)
            self._qtbot.wait(20)

    def type(self, words: str) -> None:
        QTest.keyClicks(self.focus, words)

    def wait(self, until: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(until, timeout=LONG)
        self._qtbot.wait(40)

    def tab_to(self, name: str, *, back: bool = False) -> QWidget:
        """Press Tab until something of that name has the focus."""
        for _ in range(MOST_TABS):
            if name in name_of(self.focus):
                return self.focus
            self.press(Qt.Key.Key_Backtab if back else Qt.Key.Key_Tab, SHIFT if back else NOTHING)
        raise AssertionError(f"Tab does not lead to {name!r}; it is on {name_of(self.focus)!r}")


def name_of(widget: QWidget) -> str:
    """What a control is called, its letter for Alt left out."""
    text = getattr(widget, "text", None)
    return widget.accessibleName() or (str(text()).replace("&", "") if callable(text) else "")


@pytest.fixture
def person(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Person]:
    """Somebody before the window at its first start, without a model."""
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no models"))
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light", 1.0)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    engine, fetcher = EngineClient(engine_command(home)), FetcherClient(fetcher_command(home))
    window = Window(engine, Settings(home), fetcher)
    window.resize(1200, 760)
    window.show()
    window.activateWindow()
    engine.start()
    qtbot.waitUntil(lambda: window.archive.status is not None, timeout=LONG)
    yield Person(window, qtbot)
    window.close()
    fetcher.close()
    for each in (window, engine, fetcher):
        each.deleteLater()


def test_the_whole_window_by_keyboard_alone(person: Person, tmp_path: Path):
    first_start(person)
    asking_and_reading(person)
    searching(person)
    pages_and_settings(person)
    importing_and_taking_back(person, tmp_path)


def first_start(person: Person) -> None:
    """Load the sample archive and take the tour to its question."""
    window = person.window
    person.tab_to("Load the sample archive")
    person.press(Qt.Key.Key_Space)
    person.wait(lambda: window.tour.isVisible() and len(window.archive.chats) > 3)
    assert name_of(person.focus) == "Start the tour"
    person.press(Qt.Key.Key_Space)
    assert window.navigation.current == "ask"
    person.tab_to("Skip the tour")
    person.press(Qt.Key.Key_Space)
    assert not window.tour.isVisible()
    assert window._settings.get(TOUR_SEEN) is True


def asking_and_reading(person: Person) -> None:
    """Ask, go to a source, read it in its chat, come back to where one was, ask on."""
    window = person.window
    person.press(Qt.Key.Key_N, CONTROL)
    person.type("On which date did Petra and Jonas get married?")
    person.press(Qt.Key.Key_Return)
    person.wait(lambda: not window.ask.busy)
    person.press(Qt.Key.Key_Up)
    assert window.ask.composer.field.toPlainText().startswith("On which date")
    person.press(Qt.Key.Key_A, CONTROL)
    person.press(Qt.Key.Key_Delete)
    row = None
    for _ in range(MOST_TABS):
        person.press(Qt.Key.Key_Backtab, SHIFT)
        if isinstance(person.focus, PlaceRow):
            row = person.focus
            break
    assert isinstance(row, PlaceRow)
    person.press(Qt.Key.Key_Space)
    person.wait(lambda: window.reader.view.messages.rowCount() > 0)
    assert window.reader.view.bubbles.lit == set(row.place.messages)
    person.press(Qt.Key.Key_F6)
    assert person.focus is window.reader.view
    before = window.reader.view.currentIndex().row()
    person.press(Qt.Key.Key_Down)
    assert window.reader.view.currentIndex().row() == before + 1
    person.press(Qt.Key.Key_F, CONTROL)
    person.type("wedding")
    person.wait(lambda: " of " in texts(window.reader.finder))
    person.press(Qt.Key.Key_Return)
    person.press(Qt.Key.Key_Return, SHIFT)
    person.press(Qt.Key.Key_Escape)
    assert not window.reader.finder.isVisible()
    assert person.focus is window.reader.view
    for _ in range(5):
        if window.reader.isVisible():
            person.press(Qt.Key.Key_Left, ALT)
    assert not window.reader.isVisible()
    assert person.focus is row, "the focus returns to the source"


def searching(person: Person) -> None:
    """Search with an operator, from hit to hit, narrow by the timeline, open, close."""
    window = person.window
    page = window.search
    person.press(Qt.Key.Key_K, CONTROL)
    person.type("bike from:Lotte")
    person.wait(lambda: page._hits.rowCount() > 0)
    assert {hit.sender for hit in page._hits.hits} == {"Lotte Brandt"}
    person.press(Qt.Key.Key_A, CONTROL)
    person.type("bike")
    person.wait(lambda: len({hit.sender for hit in page._hits.hits}) > 1)
    person.press(Qt.Key.Key_Down)
    person.press(Qt.Key.Key_Down)
    assert page.list.currentIndex().row() == 1
    person.press(Qt.Key.Key_Return)
    place = page.list.currentIndex().data(PLACE)
    person.wait(lambda: window.reader.view.messages.row_of(place.message) is not None)
    person.press(Qt.Key.Key_Down)
    assert page.list.currentIndex().row() == 2, "the keys stay with the hits"
    person.press(Qt.Key.Key_Escape)
    assert not window.reader.isVisible()
    person.tab_to("Timeline", back=True)
    person.press(Qt.Key.Key_Right, times=3)
    person.press(Qt.Key.Key_Return)
    assert page.filters.filters.date_from is not None
    person.tab_to("Clear filters", back=True)
    person.press(Qt.Key.Key_Space)
    assert page.filters.filters.date_from is None


def pages_and_settings(person: Person) -> None:
    """Every page by its key; open a chat by name; the list of keys; change a setting."""
    window = person.window
    for number, name in enumerate(window._pages, 1):
        person.press(getattr(Qt.Key, f"Key_{number}"), CONTROL)
        assert window.navigation.current == name
    person.press(Qt.Key.Key_J, CONTROL)
    person.type("family")
    person.press(Qt.Key.Key_Return)
    person.wait(lambda: window.reader.view.messages.rowCount() > 0)
    assert "Family" in window.reader._title._whole
    person.press(Qt.Key.Key_Escape)
    person.press(Qt.Key.Key_F1)
    dialog = window.findChild(HelpDialog)
    assert dialog is not None
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    person.wait(lambda: window.findChild(HelpDialog) is None)
    window.activateWindow()  # what a window manager does when a dialog closes
    person.wait(lambda: QApplication.activeWindow() is window)
    person.press(Qt.Key.Key_Comma, CONTROL)
    box = person.tab_to("Enter asks the question")
    assert isinstance(box, QCheckBox)
    person.press(Qt.Key.Key_Space)
    assert not box.isChecked()
    person.press(Qt.Key.Key_Space)
    assert box.isChecked()


def importing_and_taking_back(person: Person, folder: Path) -> None:
    """Look at a dropped file's dates and people, import it, read the report, take it back, ask for nothing."""
    window = person.window
    export = folder / "WhatsApp Chat with Wren.txt"
    lines = (f"0{day}/0{day + 1}/2024, 09:00 - Wren: the heron was here on day {day}" for day in range(1, 7))
    export.write_text("\n".join(lines), "utf-8")
    before = window.archive.status
    assert before is not None
    person.press(Qt.Key.Key_O, CONTROL)
    window.take_files([str(export)])  # the system's own file dialog is not part of the window
    person.wait(lambda: not window.importing.busy and "Wren" in texts(window.importing))
    me = person.tab_to("Which of these people you are")
    assert isinstance(me, QComboBox)
    person.press(Qt.Key.Key_Down)
    assert me.currentText() == "Wren"
    person.press(Qt.Key.Key_I, ALT)
    person.wait(lambda: "6 new" in texts(window.importing))
    person.press(Qt.Key.Key_M, ALT)
    person.wait(lambda: "Imported before" in texts(window.importing) and "Wren" in texts(window.importing.past))
    person.tab_to("Take it back… WhatsApp Chat with Wren.txt")
    window.importing.past.sure = lambda name: True  # type: ignore[method-assign]
    person.press(Qt.Key.Key_Space)
    person.wait(lambda: not window.importing.busy and "Wren" not in texts(window.importing.past))
    person.wait(lambda: window.archive.status is not None and window.archive.status.messages == before.messages)


@pytest.mark.skipif(os.name != "posix", reason="the tour is the same everywhere; one system is enough")
def test_nothing_takes_the_focus_and_keeps_it(person: Person):
    """Tab goes round on every page and comes back, so that nobody is trapped."""
    window = person.window
    person.tab_to("Load the sample archive")
    person.press(Qt.Key.Key_Space)
    person.wait(lambda: window.tour.isVisible() and len(window.archive.chats) > 3)
    person.press(Qt.Key.Key_Escape)
    for name in window._pages:
        window.go(name)
        person.press(Qt.Key.Key_Tab)
        start, seen = person.focus, 0
        for _ in range(3 * MOST_TABS):
            person.press(Qt.Key.Key_Tab)
            seen += 1
            if person.focus is start:
                break
        assert person.focus is start, f"{name}: Tab does not come back"
        assert seen >= 2, f"{name}: only {seen} stops"
