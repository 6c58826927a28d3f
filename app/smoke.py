"""`backscroll --smoke-test`: a whole use of the installed program in a minute, and one JSON line about it.

The real window with the real engine process, in a home folder of its own that is gone afterwards: loads the
sample archive, searches it, answers a question if a model is installed, and erases everything, the key included.
Packaging runs it on what it built; a person can run it to see whether an installation works.

options: --model ID|PATH, --within SECONDS
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.messages import ErrorWords
from engine.home import harden
from engine.version import VERSION

QUESTION = "What did Petra and Jonas call their baby?"
NOW = "2025-12-31"
Step = Callable[[Any], None]


def main(arguments: list[str]) -> int:
    """Exit status 0 if every step worked."""
    parser = argparse.ArgumentParser(prog="backscroll --smoke-test")
    parser.add_argument("--model", help="the model to answer with; else the one that would be used anyway")
    parser.add_argument("--within", type=float, default=300.0, help="seconds for everything together")
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    harden()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="backscroll-smoke-", ignore_cleanup_errors=True) as home:
        report = _use(Path(home), options.model, options.within, started)
    report["processor"] = _processor()
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    return 0 if report["ok"] else 1


def _use(home: Path, model: str | None, within: float, started: float) -> dict[str, Any]:
    from PySide6.QtCore import QTimer

    from app.engine_client import EngineClient, engine_command
    from app.gui import dress, make_application
    from app.settings import Settings
    from app.window import Window

    app = make_application(sys.argv[:1])
    settings = Settings(home)
    dress(app, settings)
    engine = EngineClient(engine_command(home))
    window = Window(engine, settings)
    report: dict[str, Any] = {"ok": False, "version": VERSION, "frozen": bool(getattr(sys, "frozen", False))}
    run = _Run(engine, app.quit, report, model, started)
    engine.ready.connect(run.begin)
    engine.state_changed.connect(run.watch)
    QTimer.singleShot(0, lambda: run.note("window_seconds"))
    QTimer.singleShot(round(within * 1000), lambda: run.fail(ErrorWords(f"Not done within {within:.0f} seconds.")))
    window.show()
    engine.start()
    app.exec()
    window.close()
    return report


class _Run:
    """The steps, each started by the answer to the one before."""

    def __init__(
        self, engine: Any, done: Callable[[], None], report: dict[str, Any], model: str | None, started: float
    ) -> None:
        self._engine, self._done, self._report, self._model = engine, done, report, model
        self._started = started

    def note(self, name: str) -> None:
        """Write down how long it took until here."""
        self._report.setdefault(name, round(time.perf_counter() - self._started, 2))

    def fail(self, words: ErrorWords) -> None:
        """End with what went wrong."""
        self._report.setdefault("error", " ".join(filter(None, (words.sentence, words.details))))
        self._done()

    def watch(self, state: Any) -> None:
        """The engine must not end on the way; it would be started again, but here that is a fault."""
        if state.value in ("restarting", "stopped"):
            self.fail(ErrorWords("The engine process ended on its own."))

    def begin(self) -> None:
        """The engine answers: load the sample."""
        self.note("engine_seconds")
        self._call("load_sample", {}, self._search)

    def _call(self, method: str, params: dict[str, Any], then: Step) -> None:
        self._report["step"] = method
        self._engine.call(method, params, result=then, error=self.fail)

    def _search(self, imported: dict[str, Any]) -> None:
        self._report["messages"] = imported["messages"]
        self._call("search", {"query": QUESTION, "k": 5}, self._models)

    def _models(self, found: dict[str, Any]) -> None:
        self._report["hits"] = len(found["hits"])
        self._call("models", {}, self._ask)

    def _ask(self, models: list[dict[str, Any]]) -> None:
        installed = [each["id"] for each in models if each["installed"] and each["kind"] == "chat"]
        self._report["models"] = installed
        if self._model or installed:
            params = {"question": QUESTION, "mode": "quick", "now": NOW, "model": self._model}
            self._call("ask", params, self._erase)
        else:
            self._erase({})

    def _erase(self, answer: dict[str, Any]) -> None:
        self.note("answer_seconds")
        self._report["answer"] = answer.get("answer")
        self._report["citations"] = len(answer.get("citations", ()))
        self._call("erase", {"all": True}, self._end)

    def _end(self, _: Any) -> None:
        del self._report["step"]
        self._report["ok"] = bool(self._report["messages"] and self._report["hits"])
        self._done()


def _processor() -> str:
    from models.llama import processor

    return processor()
