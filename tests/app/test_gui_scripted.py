"""The window on the real engine with a scripted model: answers, sources, follow-ups, stopping, trying out."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.asking import Asking
from app.engine_client import EngineClient
from app.settings import Settings
from app.theme import apply_theme
from app.window import Window

ENGINE = str(Path(__file__).with_name("scripted_engine.py"))
LONG = 120_000  # ms


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Window]:
    """A window on the sample archive."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply_theme(app, "light", 1.0)
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    engine = EngineClient([sys.executable, ENGINE, "--home", str(home)])
    made = Window(engine, Settings(home))
    made.resize(1200, 760)
    made.show()
    engine.start()
    qtbot.waitUntil(lambda: made.archive.status is not None, timeout=LONG)
    made.load_sample()
    qtbot.waitUntil(lambda: len(made.archive.chats) > 3 and bool(made.archive.people), timeout=LONG)
    made.tour.end()
    made.go("ask")
    yield made
    made.close()
    made.deleteLater()
    engine.deleteLater()


def asked(window: Window, qtbot: QtBot, question: str) -> Asking:
    window.ask.ask(question)
    qtbot.waitUntil(lambda: not window.ask.busy, timeout=LONG)
    qtbot.wait(40)
    made = window.ask._asking
    assert made is not None
    return made


def test_from_a_question_to_its_source_and_to_a_file(window: Window, qtbot: QtBot, tmp_path: Path):
    first = asked(window, qtbot, "Who found Femi's stolen bike?")
    assert first.failure is None
    assert first.answer is not None
    assert first.answer.found
    assert "Lotte" in first.answer.answer
    assert all(each.verified for each in first.answer.citations)
    assert "1 search" in texts(window.ask)
    place = window.ask.first_source
    assert place is not None
    window.open_place(place)
    qtbot.waitUntil(lambda: window.reader.view.messages.row_of(place.message or 0) is not None, timeout=LONG)
    assert window.reader.view.bubbles.lit == set(place.messages)
    window.reader.go_back()
    for ending in (".md", ".json", ".pdf"):
        window.ask.save_as(first, tmp_path / f"answer{ending}")
    assert "Lotte" in (tmp_path / "answer.md").read_text("utf-8")
    assert json.loads((tmp_path / "answer.json").read_text("utf-8"))["citations"]
    assert (tmp_path / "answer.pdf").stat().st_size > 1000


def test_a_follow_up_is_understood_and_remembered(window: Window, qtbot: QtBot):
    asked(window, qtbot, "What did Petra and Jonas call their baby?")
    second = asked(window, qtbot, "and when was that?")
    assert "Petra" in second.understood
    assert "Understood as" in texts(window.ask)
    window.ask.new_question()
    qtbot.waitUntil(lambda: window.ask._history.isVisible(), timeout=LONG)
    window.ask._history.field.setText("baby")
    qtbot.waitUntil(lambda: "and when was that?" not in texts(window.ask._history), timeout=LONG)


def test_what_is_not_there_shows_what_came_close(window: Window, qtbot: QtBot):
    missing = asked(window, qtbot, "When was Dad's cataract operation?")
    assert missing.answer is not None
    assert not missing.answer.found
    read = texts(window.ask)
    assert "not in your chats" in read
    assert "This came closest:" in read
    assert button(window.ask, "Answer again, thoroughly")


def test_stopping_takes_effect_at_once_in_window_and_engine(window: Window, qtbot: QtBot):
    window.ask.ask("Slowly slowly: who found Femi's stolen bike? slowly")
    made = window.ask._asking
    assert made is not None
    qtbot.waitUntil(lambda: bool(made.evidence) and made.part is not None, timeout=LONG)
    started = time.monotonic()
    window.ask.stop()
    assert made.state == "stopped"
    assert made.evidence
    told: list[float] = []
    window._engine.call("leave_import", {}, result=lambda _: told.append(time.monotonic() - started))
    qtbot.waitUntil(lambda: bool(told), timeout=LONG)
    print(f"the engine was free {told[0] * 1000:.0f} ms after Stop")  # noqa: T201
    assert told[0] < 5.0, "the engine went on with a question that was stopped"


def test_a_model_is_tried_out_on_the_sample(window: Window, qtbot: QtBot):
    told: list[dict] = []
    notes: list[str] = []
    window._engine.call(
        "models_try",
        {"id": "scripted"},
        result=told.append,
        error=lambda said: told.append({"error": said}),
        event=lambda name, data: notes.append(str(data.get("note"))),
    )
    qtbot.waitUntil(lambda: bool(told), timeout=2 * LONG)
    assert "error" not in told[0]
    assert told[0]["quick"]["asked"] >= 2
    assert told[0]["quick"]["right"] >= 1
    assert "Asking a question: quick" in notes
