"""Reading what every question begins with while the person types: it is the same beginning, and it gives way."""

import io
import json
import queue
import threading
from datetime import date
from pathlib import Path
from typing import Any

from engine.answer.answerer import prompt
from engine.answer.evidence import Evidence
from engine.desk import Desk
from engine.errors import Cancelled
from engine.home import Home
from engine.job import Job
from engine.modelling import ModelDesk
from engine.service import Channel, Handler, Service
from tests.fakes import FakeChatModel


def test_what_is_read_ahead_is_the_beginning_of_every_question(tmp_path: Path, monkeypatch: Any) -> None:
    model = FakeChatModel([""])
    monkeypatch.setattr(ModelDesk, "load", lambda _self, _wanted=None: model)
    desk = Desk(Home(tmp_path))
    lane, handler = desk.method("model_warm") or ("", None)
    assert lane == "work"
    assert handler
    assert handler(Job(), {}) is True
    (call,) = model.calls
    asked = prompt("Where is the boat?", Evidence(), date(2024, 1, 1))
    assert list(call.messages) == asked[: len(call.messages)] == asked[:-1]


class _Lines(io.BytesIO):
    """Standard output as a queue of lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: queue.Queue[dict[str, Any]] = queue.Queue()

    def write(self, data: Any) -> int:
        self.lines.put(json.loads(bytes(data)))
        return len(data)


def test_reading_ahead_gives_way_to_whatever_comes() -> None:
    started = threading.Event()

    def warm(job: Job, _params: dict[str, Any]) -> None:
        started.set()
        while not job.stopped():
            started.wait(0.001)
        raise Cancelled

    class Methods:
        def method(self, name: str) -> tuple[str, Handler] | None:
            return {"model_warm": ("work", warm), "ask": ("work", lambda _job, _params: "said")}.get(name)

    out = _Lines()
    service = Service(Methods(), Channel(out))
    service.take(b'{"id": 1, "method": "model_warm"}')
    assert started.wait(5)
    service.take(b'{"id": 2, "method": "ask"}')
    ends = {}
    while len(ends) < 2:
        message = out.lines.get(timeout=5)
        if "event" not in message:
            ends[message["id"]] = message
    assert ends[1]["error"]["type"] == "Cancelled"
    assert ends[2]["result"] == "said"
