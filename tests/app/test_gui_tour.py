"""The tour on the sample archive: offered once, by keyboard alone, skippable, announced."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.settings import TOUR_SEEN, Settings
from app.widgets.tour import STEPS, question
from app.window import Window


def load_sample(window: Window, qtbot: QtBot) -> None:
    button(window.ask, "Load the sample archive").click()
    qtbot.waitUntil(lambda: bool(window.archive.chats), timeout=10_000)
    qtbot.wait(30)


def press(window: Window, qtbot: QtBot) -> None:
    """Press the step's button by key, as the focus is on it."""
    QTest.keyClick(window.tour._go, Qt.Key.Key_Space)
    qtbot.wait(30)


def test_the_tour_leads_from_a_question_to_its_source_to_search_and_import(
    make_window, qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    said: list[str] = []
    monkeypatch.setattr("app.widgets.tour.announce", lambda widget, text: said.append(text))
    window = make_window("--empty")
    assert not window.tour.isVisible()
    load_sample(window, qtbot)
    assert "The sample archive is ready" in texts(window.tour)
    press(window, qtbot)
    assert window.navigation.current == "ask"
    assert button(window.tour, question())
    press(window, qtbot)
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    assert window.ask._asking is not None
    assert window.ask._asking.question.text == question()
    press(window, qtbot)
    qtbot.waitUntil(lambda: window.reader.view.messages.rowCount() > 0, timeout=5000)
    press(window, qtbot)
    assert window.navigation.current == "search"
    assert window.search.field.text() == "wedding"
    assert "5 of 5" in texts(window.tour)
    press(window, qtbot)
    assert window.navigation.current == "importing"
    assert not window.tour.isVisible()
    assert settings.get(TOUR_SEEN) is True
    assert [text.split(".")[0] for text in said] == [step.title for step in STEPS]


@pytest.mark.parametrize("how", ["button", "escape"])
def test_it_can_be_skipped_and_is_not_offered_again(make_window, qtbot: QtBot, settings: Settings, how: str):
    window = make_window("--empty")
    load_sample(window, qtbot)
    if how == "button":
        button(window.tour, "Skip the tour").click()
    else:
        QTest.keyClick(window.tour._go, Qt.Key.Key_Escape)
    assert not window.tour.isVisible()
    assert settings.get(TOUR_SEEN) is True
    window.load_sample()
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=10_000)
    qtbot.wait(50)
    assert not window.tour.isVisible()


def test_it_is_offered_at_a_start_with_the_sample_without_taking_the_cursor(
    make_window, qtbot: QtBot, settings: Settings
):
    window = make_window("--sample")
    qtbot.waitUntil(lambda: window.tour.isVisible(), timeout=5000)
    assert window.tour._go is not QApplication.focusWidget()
    window.tour.end()
    window.archive.changed.emit()
    assert not window.tour.isVisible()
    assert settings.get(TOUR_SEEN) is True


def test_back_and_next_only_turn_the_pages(make_window, qtbot: QtBot):
    window = make_window("--empty")
    load_sample(window, qtbot)
    press(window, qtbot)
    button(window.tour, "Next").click()
    assert "3 of 5" in texts(window.tour)
    assert window.ask._asking is None
    button(window.tour, "Back").click()
    assert "2 of 5" in texts(window.tour)


def test_a_source_that_is_not_there_yet_opens_nothing(make_window, qtbot: QtBot):
    window = make_window("--empty")
    load_sample(window, qtbot)
    window.tour._show(2)
    press(window, qtbot)
    assert window.reader.isHidden()
