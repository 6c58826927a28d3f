"""The client against a scripted engine process: answers, errors, cancelling, crashes."""

import sys
import time

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from app.engine_client import EngineClient, EngineState, Latest


class Heard:
    """Records what a call was told."""

    def __init__(self) -> None:
        self.results: list = []
        self.errors: list = []
        self.events: list = []

    def listen(self) -> dict:
        return {
            "result": self.results.append,
            "error": self.errors.append,
            "event": lambda name, data: self.events.append((name, data)),
        }


def ask(question: str) -> dict:
    return {"question": question, "mode": "auto"}


def test_a_result_comes_after_its_events(make_engine, qtbot: QtBot):
    heard = Heard()
    make_engine().call("ask", ask("When is the dentist?"), **heard.listen())
    qtbot.waitUntil(lambda: bool(heard.results), timeout=5000)
    assert [name for name, _ in heard.events][:3] == ["step", "trace", "evidence"]
    assert heard.results[0]["found"] is True
    assert not heard.errors


def test_requests_sent_before_the_engine_is_ready_are_kept(make_engine, qtbot: QtBot):
    engine = make_engine(start=False)
    heard = Heard()
    engine.call("chats", {}, **heard.listen())
    engine.start()
    qtbot.waitUntil(lambda: bool(heard.results), timeout=10_000)
    assert len(heard.results[0]) == 4


def test_an_error_carries_words_and_details(make_engine, qtbot: QtBot):
    heard = Heard()
    make_engine().call("ask", ask("this fails"), **heard.listen())
    qtbot.waitUntil(lambda: bool(heard.errors), timeout=5000)
    (said,) = heard.errors
    assert (said.sentence, said.advice, said.details) == (
        "The model does not fit.",
        "Choose a smaller one.",
        "needs 4 GB",
    )
    assert said.kind == "ModelMemoryError"


def test_cancelling_is_silent_and_stops_the_engine(make_engine, qtbot: QtBot):
    engine = make_engine()
    heard = Heard()
    call = engine.call("ask", ask("slow"), **heard.listen())
    qtbot.waitUntil(lambda: len(heard.events) > 4, timeout=5000)
    call.cancel()
    call.cancel()
    seen = len(heard.events)
    after = Heard()
    engine.call("status", {}, **after.listen())
    qtbot.waitUntil(lambda: bool(after.results), timeout=5000)
    qtbot.wait(400)
    assert len(heard.events) == seen
    assert not heard.results
    assert not heard.errors


def test_a_crash_ends_open_calls_with_words_and_starts_again(make_engine, qtbot: QtBot):
    engine = make_engine()
    states: list = []
    engine.state_changed.connect(states.append)
    heard, other = Heard(), Heard()
    engine.call("ask", ask("crash"), **heard.listen())
    engine.call("ask", ask("slow"), **other.listen())
    qtbot.waitUntil(lambda: bool(heard.errors and other.errors), timeout=5000)
    assert heard.errors[0].kind == "EngineStopped"
    assert "starting again" in heard.errors[0].sentence
    qtbot.waitUntil(lambda: engine.state == EngineState.READY, timeout=10_000)
    assert states == [EngineState.RESTARTING, EngineState.READY]
    again = Heard()
    engine.call("status", {}, **again.listen())
    qtbot.waitUntil(lambda: bool(again.results), timeout=5000)
    assert not engine.safe


def test_an_engine_that_always_dies_is_given_up_with_its_last_words(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.restart.PAUSES", (0.01, 0.01, 0.01))
    engine = EngineClient([sys.executable, "-c", "import sys; sys.stderr.write('no luck'); sys.exit(3)"])
    heard = Heard()
    engine.start()
    qtbot.waitUntil(lambda: engine.state == EngineState.STOPPED, timeout=20_000)
    assert engine.safe
    engine.call("status", {}, **heard.listen())
    qtbot.waitUntil(lambda: bool(heard.errors), timeout=5000)
    assert heard.errors[0].kind == "EngineGone"
    assert heard.errors[0].details == "no luck"
    engine.start_again()
    assert engine.state == EngineState.STARTING
    engine.close()
    engine.deleteLater()


def test_a_program_that_is_not_there_is_an_error_in_words(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.restart.PAUSES", (0.01, 0.01, 0.01))
    engine = EngineClient(["/nowhere/backscroll", "--engine"])
    heard = Heard()
    engine.call("status", {}, **heard.listen())
    engine.start()
    qtbot.waitUntil(lambda: bool(heard.errors), timeout=5000)
    qtbot.waitUntil(lambda: engine.state == EngineState.STOPPED, timeout=5000)
    engine.close()
    engine.deleteLater()


def test_a_flood_of_events_never_holds_the_window_for_long(make_engine, qtbot: QtBot):
    engine = make_engine()
    heard = Heard()
    longest = 0.0
    last = time.monotonic()

    def beat() -> None:
        nonlocal longest, last
        now = time.monotonic()
        longest, last = max(longest, now - last), now

    timer = QTimer(interval=0)
    timer.timeout.connect(beat)
    engine.call("ask", ask("flood"), **heard.listen())
    timer.start()
    qtbot.waitUntil(lambda: bool(heard.results), timeout=20_000)
    timer.stop()
    assert len([1 for name, _ in heard.events if name == "text"]) > 20_000
    assert longest < 0.25  # the machine may be busy; on a quiet one it is about 0.02


def test_only_the_newest_of_several_calls_is_answered(make_engine, qtbot: QtBot):
    latest = Latest(make_engine())
    heard: list = []
    for question in ("slow one", "slow two", "When is the dentist?"):
        latest.call("ask", ask(question), result=lambda data, asked=question: heard.append(asked))
    qtbot.waitUntil(lambda: bool(heard), timeout=5000)
    qtbot.wait(200)
    assert heard == ["When is the dentist?"]


def test_noise_on_the_pipe_is_ignored(qtbot: QtBot):
    noise = 'import sys; print(\'hello\'); print(\'{"event": "ready", "data": {}}\', flush=True); sys.stdin.read()'
    engine = EngineClient([sys.executable, "-c", noise])
    engine.start()
    qtbot.waitUntil(lambda: engine.state == EngineState.READY, timeout=10_000)
    engine.close()
    engine.deleteLater()
