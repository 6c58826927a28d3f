"""The engine process as the window meets it: a real process, real pipes."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from typing import Any

import pytest

EXPORT = "\n".join(
    f"{1 + i // 40:02d}/03/2024, {9 + i % 12:02d}:{i % 60:02d} - "
    f"{'Ana' if i % 3 else 'Ben Okri'}: the boiler note {i}"
    for i in range(300)
)


class Engine:
    """A running engine process and what it said."""

    def __init__(self, home: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "app", "--engine", "--home", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "BACKSCROLL_NO_KEYRING": "1", "BACKSCROLL_MODELS": str(home / "models")},
        )
        self._lines: Queue[dict[str, Any]] = Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self._number = 0
        assert self.next()["event"] == "ready"

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(json.loads(line))

    def next(self, seconds: float = 20) -> dict[str, Any]:
        try:
            return self._lines.get(timeout=seconds)
        except Empty:
            pytest.fail(f"the engine said nothing for {seconds} s")

    def send(self, method: str, **params: Any) -> int:
        self._number += 1
        assert self.process.stdin
        self.process.stdin.write(
            json.dumps({"id": self._number, "method": method, "params": params}).encode() + b"\n"
        )
        self.process.stdin.flush()
        return self._number

    def end(self, number: int) -> dict[str, Any]:
        """The last message about a request."""
        while True:
            message = self.next()
            if message["id"] == number and "event" not in message:
                return message

    def ask(self, method: str, **params: Any) -> Any:
        answer = self.end(self.send(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def close(self) -> None:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.close()
        assert self.process.wait(10) == 0
        self.process.stdout.close()


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    running = Engine(tmp_path / "home")
    yield running
    running.close()


@pytest.fixture
def export(tmp_path: Path) -> Path:
    path = tmp_path / "WhatsApp Chat with Ana.txt"
    path.write_text(EXPORT, encoding="utf-8")
    return path


def test_from_file_to_transcript(engine: Engine, export: Path) -> None:
    (preview,) = engine.ask("preview", paths=[str(export)])["files"]
    assert (preview["format"], preview["status"], preview["date_order"]) == ("whatsapp", "recognised", "dmy")
    assert preview["senders"] == ["Ana", "Ben Okri"]
    assert engine.ask("status")["messages"] == 0
    report = engine.ask("import", paths=[str(export)], me="Ana")
    assert (report["files"][0]["new"], report["messages"]) == (300, 300)
    assert engine.ask("status")["owners"] == ["Ana"]
    (chat,) = engine.ask("chats")
    assert (chat["messages"], chat["people"]) == (300, ["Ana", "Ben Okri"])
    hits = engine.ask("search", query="boiler 123", k=3, context=1)["hits"]
    assert "note 123" in hits[0]["text"]
    page = engine.ask("transcript", chat_id=chat["id"], around=hits[0]["messages"][0], before=2, after=2)
    assert [m["text"].split()[-1] for m in page["messages"]][2] == "123"
    assert page["has_earlier"]
    assert page["has_later"]
    newest = engine.ask("transcript", chat_id=chat["id"], earlier_than=page["messages"][0]["id"], limit=5)
    assert len(newest["messages"]) == 5
    assert engine.ask("verify")["ok"]
    assert engine.ask("erase", chat="Ana", all=False)["messages"] == 300
    assert engine.ask("chats") == []


def test_an_answer_without_a_model_shows_the_messages(
    engine: Engine, export: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine.ask("import", paths=[str(export)])
    number = engine.send("ask", question="What is boiler note 42?", now="2024-04-01", model=None)
    events = []
    while "event" in (message := engine.next()):
        events.append(message["event"])
    assert message["id"] == number
    assert "evidence" in events
    if not message["result"]["found"]:
        assert any("note 42" in hit["text"] for hit in message["result"]["nearest"])


def test_errors_are_sentences(engine: Engine, tmp_path: Path) -> None:
    error = engine.end(engine.send("import", paths=[str(tmp_path / "gone.txt")]))["error"]
    assert error["type"] == "NothingThere"
    assert "gone.txt" in error["sentence"]
    assert engine.end(engine.send("transcript", chat_id=99))["error"]["type"] == "NothingThere"
    assert engine.end(engine.send("dance"))["error"]["sentence"]
    defect = engine.end(engine.send("transcript"))["error"]
    assert defect["type"] == "Defect"
    assert "KeyError" in defect["details"]


def test_a_cancelled_import_leaves_nothing(engine: Engine, tmp_path: Path) -> None:
    big = tmp_path / "WhatsApp Chat with Crew.txt"
    with big.open("w", encoding="utf-8") as stream:
        for _ in range(40):
            stream.write(EXPORT + "\n")
    number = engine.send("import", paths=[str(big)])
    while engine.next().get("event") != "progress":
        pass
    cancel = engine.send("cancel", id=number)
    ends = {}
    while len(ends) < 2:
        message = engine.next()
        if "event" not in message:
            ends[message["id"]] = message
    assert ends[cancel]["result"] is True
    assert ends[number]["error"]["type"] == "Cancelled"
    assert engine.ask("status")["messages"] == 0


def test_a_killed_engine_leaves_a_whole_archive(tmp_path: Path, export: Path) -> None:
    engine = Engine(tmp_path / "home")
    engine.ask("import", paths=[str(export)])
    more = tmp_path / "WhatsApp Chat with Crew.txt"
    more.write_text("\n".join([EXPORT] * 40), encoding="utf-8")
    engine.send("import", paths=[str(more)])
    while engine.next().get("event") != "progress":
        pass
    engine.process.kill()
    engine.process.wait(10)
    assert engine.process.stdin
    assert engine.process.stdout
    engine.process.stdin.close()
    engine.process.stdout.close()
    again = Engine(tmp_path / "home")
    assert again.ask("status")["messages"] == 300
    assert again.ask("verify")["ok"]
    again.close()


def killed(engine: Engine) -> None:
    engine.process.kill()
    engine.process.wait(10)
    assert engine.process.stdin
    assert engine.process.stdout
    engine.process.stdin.close()
    engine.process.stdout.close()


def test_an_import_that_was_cut_off_is_gone_on_with(tmp_path: Path, export: Path) -> None:
    engine = Engine(tmp_path / "home")
    big = tmp_path / "WhatsApp Chat with Crew.txt"
    big.write_text("\n".join([EXPORT] * 40), encoding="utf-8")
    paths = [str(export), str(big)]
    engine.send("import", paths=paths, me="Ana")
    seen = 0
    while seen < 2:  # the second export has begun
        seen += engine.next().get("event") == "file"
    while engine.next().get("event") != "progress":
        pass
    killed(engine)
    again = Engine(tmp_path / "home")
    assert again.ask("unfinished") == {"paths": paths, "done": [str(export)]}
    report = again.ask("resume_import")
    assert [file["path"] for file in report["files"]] == [str(big)]
    assert report["messages"] == 600
    assert again.ask("unfinished") is None
    assert again.end(again.send("resume_import"))["error"]["type"] == "NothingThere"
    assert [entry["path"] for entry in again.ask("imports")] == [str(big), str(export)]
    assert again.ask("undo_import", id=1)["messages"] == 300
    assert again.ask("status")["messages"] == 300
    again.close()


def test_an_import_that_ended_leaves_nothing_to_go_on_with(engine: Engine, export: Path, tmp_path: Path) -> None:
    engine.ask("import", paths=[str(export)])
    assert engine.ask("unfinished") is None
    assert "error" in engine.end(engine.send("import", paths=[str(tmp_path / "gone.txt")]))
    assert engine.ask("unfinished") is None
    assert engine.ask("leave_import") is None
