"""Small chats of our own invention, and the program as a person runs it, for the tests of this folder."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
PEOPLE = ("Ilse Varga", "Tobi")
WORDS = "harbour lantern quince ferry ladder violin gravel thimble orchard saddle".split()


def chat_lines(count: int, *, start: int = 0, word: str = "") -> str:
    """A WhatsApp export; the same numbers give the same lines."""
    lines = []
    for i in range(start, start + count):
        day, minute = 1 + i // 400 % 28, i % 60
        said = f"{WORDS[i % len(WORDS)]} {WORDS[i // 7 % len(WORDS)]} {i} {word}".strip()
        lines.append(
            f"{day:02d}/03/{2020 + i // 11200}, {9 + i // 60 % 12:02d}:{minute:02d} - {PEOPLE[i % 2]}: {said}"
        )
    return "\n".join(lines) + "\n"


def write_chat(folder: Path, count: int, *, title: str = "Tobi", **more: Any) -> Path:
    """An export file of one chat."""
    path = folder / f"WhatsApp Chat with {title}.txt"
    path.write_text(chat_lines(count, **more), encoding="utf-8")
    return path


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a program that keeps everything in `home`."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BACKSCROLL_")}
    models = os.environ.get("BACKSCROLL_MODELS", str(home / "models"))
    return {
        **kept,
        "BACKSCROLL_HOME": str(home),
        "BACKSCROLL_MODELS": models,
        "BACKSCROLL_NO_KEYRING": "1",
        **more,
    }


def program(
    home: Path, arguments: Sequence[str], *, before: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run `backscroll` with arguments to its end."""
    command = [*before, sys.executable, "-m", "app", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=ROOT, env={**environment(home), **(env or {})}
    )


def answer_of(run: "subprocess.CompletedProcess[str]") -> Any:
    """The JSON document that a command printed."""
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


class Engine:
    """The engine process, asked over its pipes as the window does."""

    def __init__(
        self, home: Path, *, before: Sequence[str] = (), code: str = "", env: Mapping[str, str] | None = None
    ) -> None:
        start = ["-c", code] if code else ["-m", "app"]
        self.process = subprocess.Popen(
            [*before, sys.executable, *start, "--engine", "--home", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            env={**environment(home), **(env or {})},
        )
        self._number = 0
        self.pid = int(self._next()["data"]["pid"])

    def _next(self) -> dict[str, Any]:
        assert self.process.stdout
        line = self.process.stdout.readline()
        assert line, "the engine ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def send(self, method: str, **params: Any) -> None:
        """Send a request and do not wait for its end."""
        assert self.process.stdin
        self._number += 1
        request = {"id": self._number, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def end(self) -> dict[str, Any]:
        """The result or the error of the last request."""
        while True:
            said = self._next()
            if said.get("id") == self._number and "event" not in said:
                return said

    def ask(self, method: str, **params: Any) -> Any:
        """The result of a request."""
        self.send(method, **params)
        said = self.end()
        assert "error" not in said, said
        return said["result"]

    def kill(self) -> None:
        """End it as a crash would."""
        self.process.kill()
        self._closed()

    def close(self) -> None:
        """Let it end as the window does."""
        assert self.process.stdin
        self.process.stdin.close()
        assert self.process.wait(30) == 0
        self._closed()

    def _closed(self) -> None:
        self.process.wait(30)
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()
