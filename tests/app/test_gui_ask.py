"""Asking: first start, the way of an answer, stopping, failing, what can be done with it."""

import json
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.engine_client import EngineClient
from app.settings import ENTER_ASKS, MODE, Settings
from app.widgets.exchange import Exchange
from app.widgets.history import Asked
from app.widgets.parts import Button, Elided
from app.window import Window
from engine.types import Filters


def last(window: Window) -> Exchange:
    return window.ask.findChildren(Exchange)[-1]


def ask(window: Window, qtbot: QtBot, question: str, wait: bool = True) -> Exchange:
    window.ask.composer.set_question(question)
    QTest.keyClick(window.ask.composer.field, Qt.Key.Key_Return)
    if wait:
        finished(window, qtbot)
    return last(window)


def finished(window: Window, qtbot: QtBot) -> None:
    """Wait for the answer, and for its buttons to be laid out."""
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    qtbot.wait(30)


def test_the_first_start_offers_the_sample_archive_and_an_import(make_window, qtbot: QtBot):
    window = make_window("--empty")
    assert "Ask your own chats" in texts(window.ask)
    button(window.ask, "Load the sample archive").click()
    qtbot.waitUntil(lambda: bool(window.archive.chats), timeout=10_000)
    assert "new" in texts(window.importing)
    button(window.importing, "Ask a question").click()
    assert "What would you like to find?" in texts(window.ask)
    assert window.ask.composer.field.hasFocus() or QGuiApplication.focusObject() is None


def test_an_answer_comes_with_citations_and_a_folded_trace(window: Window, qtbot: QtBot):
    shown = ask(window, qtbot, "When is the dentist?")
    read = texts(shown)
    assert "half past four" in read
    assert "cite:1" in read
    assert "4 searches · 3 of 4 chats read · Jan 2023 – Feb 2023 · 14 s" in read
    assert "Searched for" not in read
    assert "could not be checked" not in read
    assert window.ask.composer.button.text().replace("&", "") == "Ask"


def test_evidence_is_there_before_the_answer(window: Window, qtbot: QtBot):
    ask(window, qtbot, "slow: when?", wait=False)
    shown = last(window)
    qtbot.waitUntil(lambda: "Found so far" in texts(shown), timeout=5000)
    assert "I moved the dentist" in texts(shown)
    qtbot.waitUntil(lambda: "Reading what was found" in texts(shown), timeout=5000)
    assert window.ask.composer.button.text().replace("&", "") == "Stop"
    window.ask.stop()


@pytest.mark.parametrize("how", ["button", "escape"])
def test_stopping_keeps_what_is_there(window: Window, qtbot: QtBot, how: str):
    ask(window, qtbot, "slow: when?", wait=False)
    shown = last(window)
    qtbot.waitUntil(lambda: "Found so far" in texts(shown), timeout=5000)
    if how == "button":
        window.ask.composer.button.click()
    else:
        QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.ask.busy
    assert "Stopped." in texts(shown)
    assert "I moved the dentist" in texts(shown)
    assert window.ask.composer.button.text().replace("&", "") == "Ask"


def test_an_unverified_citation_is_marked(window: Window, qtbot: QtBot):
    read = texts(ask(window, qtbot, "unsure: when?"))
    assert ">[2?]<" in read
    assert "not supported by what was found" in read
    assert "could not be checked" in read
    assert "Read them with care" in read


def test_not_found_shows_what_came_close_and_widens_with_one_click(window: Window, qtbot: QtBot):
    window.ask.composer.filters.set_filters(Filters(senders=("Nour",)))
    shown = ask(window, qtbot, "nothing of the kind?")
    assert "not in your chats" in texts(shown)
    assert "I moved the dentist" in texts(shown)
    assert "2 searches · 2 of 4 chats read" in texts(shown)
    button(shown, "Search everything").click()
    finished(window, qtbot)
    assert last(window) is not shown
    assert last(window).asking.question.filters == Filters()
    assert window.ask.composer.filters.filters == Filters()


def test_answering_again_is_thorough(window: Window, qtbot: QtBot):
    shown = ask(window, qtbot, "nothing of the kind?")
    button(shown, "Answer again, thoroughly").click()
    finished(window, qtbot)
    assert last(window).asking.question.mode == "thorough"
    assert "half past four" in texts(last(window))


def test_a_failure_says_what_to_do_and_folds_the_details(window: Window, qtbot: QtBot):
    shown = ask(window, qtbot, "this fails")
    read = texts(shown)
    assert "The model does not fit." in read
    assert "Choose a smaller one." in read
    assert "needs 4 GB" not in read
    button(shown, "Details").click()
    assert "needs 4 GB" in texts(shown)
    assert button(shown, "Try again")


def test_when_the_engine_dies_the_window_says_so_and_goes_on(window: Window, qtbot: QtBot):
    shown = ask(window, qtbot, "crash now")
    assert "The engine stopped unexpectedly" in texts(shown)
    assert "I moved the dentist" in texts(shown)
    assert "Nothing that was stored is lost" in window._notice.text
    qtbot.waitUntil(lambda: "running again" in window._notice.text, timeout=10_000)
    assert "half past four" in texts(ask(window, qtbot, "When is the dentist?"))


def test_what_the_archive_says_is_never_markup(window: Window, qtbot: QtBot):
    ask(window, qtbot, "<b>bold?</b> & <img src=x>")
    assert "<b>bold?</b> & <img src=x>" in texts(last(window))
    assert all(
        each.textFormat() == Qt.TextFormat.PlainText
        for each in last(window).findChildren(QLabel)
        if "<img" in each.text()
    )


def test_a_mark_opens_the_chat_at_its_message_and_back_returns(window: Window, qtbot: QtBot):
    shown = ask(window, qtbot, "When is the dentist?")
    assert window.reader.isHidden()
    shown._open_mark("cite:1")
    qtbot.waitUntil(lambda: window.reader.view.messages.rowCount() > 0, timeout=5000)
    assert not window.reader.isHidden()
    assert window.reader.view.bubbles.lit == {1_000_007}
    place = window.reader.view.visualRect(window.reader.view.currentIndex())
    assert window.reader.view.viewport().rect().intersects(place)
    window.reader.go_back()
    assert window.reader.isHidden()


def test_a_mark_shows_its_card_on_hovering(window: Window, qtbot: QtBot):
    shown = ask(window, qtbot, "When is the dentist?")
    shown._hover("cite:1")
    card = window.ask._card
    assert card.isVisible()
    assert "Riverside neighbours" in card._text.text()
    shown._hover("")
    assert not card.isVisible()


def test_copying_and_saving(window: Window, qtbot: QtBot, tmp_path: Path):
    shown = ask(window, qtbot, "When is the dentist?")
    button(shown, "Copy").click()
    assert QGuiApplication.clipboard().text().startswith("## When is the dentist?")
    for ending in (".md", ".json", ".pdf"):
        window.ask.save_as(shown.asking, tmp_path / f"answer{ending}")
    assert "half past four" in (tmp_path / "answer.md").read_text("utf-8")
    assert json.loads((tmp_path / "answer.json").read_text("utf-8"))["found"] is True
    assert (tmp_path / "answer.pdf").read_bytes().startswith(b"%PDF")
    window.ask.save_as(shown.asking, tmp_path / "no folder" / "answer.md")
    assert "could not be saved" in texts(window.ask)


def test_follow_ups_carry_what_was_answered_before(window: Window, qtbot: QtBot):
    ask(window, qtbot, "When is the dentist?")
    shown = ask(window, qtbot, "and who moved it?")
    assert [question for question, _ in shown.asking.question.previous] == ["When is the dentist?"]
    assert "Understood as: When is the dentist? and who moved it?" in texts(shown)
    window.ask.new_question()
    assert ask(window, qtbot, "anew?").asking.question.previous == ()


def test_keys_of_the_question_field(window: Window, qtbot: QtBot, settings: Settings):
    field = window.ask.composer.field
    field.setPlainText("one")
    field.moveCursor(field.textCursor().MoveOperation.End)
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert field.toPlainText() == "one\n"
    assert not window.ask.busy
    settings.set(ENTER_ASKS, False)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.toPlainText() == "one\n\n"
    QTest.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=10_000)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.toPlainText() == "one"


def test_mode_of_the_settings_is_used(window: Window, qtbot: QtBot, settings: Settings):
    settings.set(MODE, "quick")
    assert ask(window, qtbot, "When is the dentist?").asking.question.mode == "quick"


def test_suggested_questions_are_asked_by_a_click(window: Window, qtbot: QtBot):
    button(window.ask, "Who recommended a book to me?").click()
    assert window.ask.busy
    window.ask.stop()


def asked_before(window: Window) -> list[str]:
    shown = [each for each in window.ask._history.findChildren(Asked) if each.isVisible()]
    return [each.findChildren(Elided)[0]._whole for each in shown]


def test_questions_of_before_are_found_shown_again_and_deleted(window: Window, qtbot: QtBot):
    for question in ("When is the dentist?", "nothing of the kind?"):
        ask(window, qtbot, question)
    window.ask.new_question()
    qtbot.waitUntil(lambda: asked_before(window) == ["nothing of the kind?", "When is the dentist?"], timeout=5000)
    window.ask._history.field.setText("half past four")
    qtbot.waitUntil(lambda: asked_before(window) == ["When is the dentist?"], timeout=5000)
    window.ask._history.findChildren(Asked)[-1].findChildren(Button)[0].click()
    qtbot.wait(30)
    read = texts(last(window))
    assert "half past four" in read
    assert "4 searches" in read
    assert not window.ask.busy
    assert button(last(window), "Copy")
    window.ask.new_question()
    window.ask._history.field.clear()
    qtbot.waitUntil(lambda: len(asked_before(window)) == 2, timeout=5000)
    visible = [each for each in window.ask._history.findChildren(Asked) if each.isVisible()]
    visible[0].findChildren(Button)[-1].click()
    qtbot.waitUntil(lambda: asked_before(window) == ["When is the dentist?"], timeout=5000)
    window.ask._history._forget(None)
    qtbot.waitUntil(lambda: not window.ask._history.isVisible(), timeout=5000)


def test_the_model_gets_ready_while_a_question_is_typed(window: Window, qtbot: QtBot, monkeypatch):
    made: list[str] = []
    call = EngineClient.call

    def noting(self, method: str, *args, **kwargs):
        made.append(method)
        return call(self, method, *args, **kwargs)

    monkeypatch.setattr(EngineClient, "call", noting)
    qtbot.waitUntil(lambda: bool(window.archive.status and window.archive.status.model_id), timeout=10_000)
    QTest.keyClicks(window.ask.composer.field, "When is the dentist?")
    assert made.count("model_warm") == 1
    QTest.keyClick(window.ask.composer.field, Qt.Key.Key_Return)
    finished(window, qtbot)
    assert "half past four" in texts(last(window))
    QTest.keyClicks(window.ask.composer.field, "A")
    assert made.count("model_warm") == 2
