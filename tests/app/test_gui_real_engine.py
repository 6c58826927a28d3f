"""The window on the real engine process and the sample archive: import, search, read, ask, crash, go on."""

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.engine_client import EngineClient, EngineState, engine_command
from app.settings import MODEL, Settings
from app.theme import apply_theme
from app.window import Window

LONG = 60_000  # ms; the machine may be busy
SMALLEST = "smollm2-135m-instruct-q4_1"


@pytest.fixture
def window(
    request: pytest.FixtureRequest, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Window]:
    """A window on a fresh home; without models, unless the test is marked to need one."""
    if request.node.get_closest_marker("model") is None:
        monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no models"))
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light", 1.0)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    engine = EngineClient(engine_command(home))
    made = Window(engine, Settings(home))
    made.resize(1200, 760)
    made.show()
    engine.start()
    qtbot.waitUntil(lambda: made.archive.status is not None, timeout=LONG)
    yield made
    made.close()
    made.deleteLater()
    engine.deleteLater()


def load_sample(window: Window, qtbot: QtBot) -> None:
    button(window.ask, "Load the sample archive").click()
    qtbot.waitUntil(lambda: len(window.archive.chats) > 3 and bool(window.archive.people), timeout=LONG)


def test_from_first_start_to_a_cited_message(window: Window, qtbot: QtBot):
    assert window.archive.empty
    load_sample(window, qtbot)
    assert "lines skipped" in texts(window.importing) or "line skipped" in texts(window.importing)
    assert window.archive.status is not None
    assert window.archive.status.messages > 2000
    window.go("search")
    QTest.keyClicks(window.search.field, "wedding")
    qtbot.waitUntil(lambda: window.search._hits.rowCount() > 0, timeout=LONG)
    assert window.search.timeline._months
    QTest.keyClick(window.search.field, Qt.Key.Key_Return)
    best = window.search._hits.hits[0]
    qtbot.waitUntil(lambda: window.reader.view.messages.row_of(best.message or 0) is not None, timeout=LONG)
    assert window.reader._title._whole == best.chat
    window.go("overview")
    qtbot.waitUntil(lambda: len(window.overview._months._bars) > 20, timeout=LONG)
    window.go("privacy")
    qtbot.waitUntil(lambda: "None since the start at" in texts(window.privacy), timeout=LONG)
    if sys.platform == "linux":
        assert f"Seccomp: 2 for process {window._engine.process_id}" in texts(window.privacy)
    button(window.privacy, "Check the archive").click()
    qtbot.waitUntil(lambda: "The archive is sound." in texts(window.privacy), timeout=LONG)


def test_without_a_model_a_question_is_answered_with_what_was_found(window: Window, qtbot: QtBot):
    load_sample(window, qtbot)
    window.go("ask")
    qtbot.waitUntil(lambda: "There is no model yet" in texts(window.ask), timeout=LONG)
    window.ask.ask("On which date did Petra and Jonas get married?")
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=LONG)
    qtbot.wait(50)
    read = texts(window.ask)
    assert "Petra" in read
    assert "all chats read" in read
    asking = window.ask._asking
    assert asking is not None
    assert asking.failure is None
    places = (asking.answer.nearest if asking.answer else ()) or asking.evidence
    window.open_place(places[0])
    qtbot.waitUntil(lambda: window.reader.view.messages.rowCount() > 0, timeout=LONG)


@pytest.mark.skipif(os.name != "posix", reason="kills the engine with a POSIX signal")
def test_killing_the_engine_loses_nothing_and_the_window_goes_on(window: Window, qtbot: QtBot):
    load_sample(window, qtbot)
    before = window.archive.status
    engine = window._engine
    window.archive.status = None
    os.kill(engine.process_id, signal.SIGKILL)
    qtbot.waitUntil(lambda: "stopped unexpectedly" in window._notice.text, timeout=LONG)
    qtbot.waitUntil(lambda: engine.state == EngineState.READY, timeout=LONG)
    qtbot.waitUntil(lambda: window.archive.status is not None, timeout=LONG)
    assert before is not None
    assert window.archive.status is not None
    assert window.archive.status.messages == before.messages


def test_a_passphrase_locks_the_archive_and_opens_it_again(window: Window, qtbot: QtBot):
    load_sample(window, qtbot)
    window.privacy._lock._send("correct horse battery")
    qtbot.waitUntil(
        lambda: window.archive.status is not None and window.archive.status.protection == "passphrase",
        timeout=LONG,
    )
    QTest.keyClick(window, Qt.Key.Key_L, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "locked by a passphrase" in texts(window._trouble), timeout=LONG)
    assert window.archive.chats == ()
    window._trouble.field.setText("correct horse battery")
    button(window._trouble, "Unlock").click()
    qtbot.waitUntil(lambda: len(window.archive.chats) > 3, timeout=LONG)


@pytest.mark.model
def test_an_answer_is_written_stopped_and_written_again(window: Window, qtbot: QtBot):
    load_sample(window, qtbot)
    window.go("ask")
    window._settings.set(MODEL, SMALLEST)
    window.ask.ask("On which date did Petra and Jonas get married?")
    first = window.ask._asking
    assert first is not None
    qtbot.waitUntil(lambda: bool(first.evidence), timeout=LONG)
    assert first.state == "working"
    started = time.monotonic()
    window.ask.stop()
    assert first.state == "stopped"
    assert time.monotonic() - started < 0.2
    window.ask.ask("What did Petra and Jonas call their baby?")
    second = window.ask._asking
    assert second is not None
    qtbot.waitUntil(lambda: second.state != "working", timeout=3 * LONG)
    assert second.failure is None
    assert second.answer is not None
    assert second.answer.trace
    assert all(each.place.messages for each in second.answer.citations)
    window.ask.new_question()
    qtbot.waitUntil(lambda: window.ask._history.isVisible(), timeout=LONG)
