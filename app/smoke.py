"""`backscroll --smoke-test`: a whole use of the installed program in a minute, and one JSON line about it.

The real window with the real engine process, in a home folder of its own that is gone afterwards: loads the
sample archive, searches it, lets the process for trying out models and the one for fetching them answer (neither
gets as far as a network), answers a question if a model is installed, and erases everything, the key included.
Packaging runs it on what it built; a person can run it to see whether an installation works.

options: --model ID|PATH, --questions N (ask so many of the sample questions, too, and count the right answers),
--within SECONDS
"""

import argparse
import json
import os
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from app.messages import ErrorWords
from app.sample import questions
from engine.home import harden
from engine.version import VERSION

QUESTION = "What did Petra and Jonas call their baby?"
NOW = "2025-12-31"
NO_MODEL = "no-such-model"
Step = Callable[[Any], None]


def main(arguments: list[str]) -> int:
    """Exit status 0 if every step worked."""
    parser = argparse.ArgumentParser(prog="backscroll --smoke-test")
    parser.add_argument("--model", help="the model to answer with; else the one that would be used anyway")
    parser.add_argument("--questions", type=int, default=0, help="how many of the sample questions to ask, too")
    parser.add_argument("--within", type=float, default=300.0, help="seconds for everything together")
    options = parser.parse_args(arguments)
    started = time.perf_counter()
    harden()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory(prefix="backscroll-smoke-", ignore_cleanup_errors=True) as home:
        report = _use(Path(home), options, started)
    report.update(_processor())
    sys.stdout.write(json.dumps(report, ensure_ascii=False) + "\n")
    return 0 if report["ok"] else 1


def _use(home: Path, options: argparse.Namespace, started: float) -> dict[str, Any]:
    from PySide6.QtCore import QTimer

    from app.engine_client import EngineClient, engine_command
    from app.fetcher import FetcherClient, fetcher_command
    from app.gui import dress, make_application
    from app.settings import Settings
    from app.window import Window

    app = make_application(sys.argv[:1])
    settings = Settings(home)
    translations = _translations(app)
    dress(app, settings)
    engine = EngineClient(engine_command(home))
    fetcher = FetcherClient(fetcher_command(home))
    window = Window(engine, settings, fetcher)
    report: dict[str, Any] = {
        "ok": False,
        "version": VERSION,
        "frozen": bool(getattr(sys, "frozen", False)),
        "platform": app.platformName(),
        "translations": translations,
        "missing": missing_files(Path(__file__).resolve().parent.parent),
    }
    run = _Run(engine, fetcher, app.quit, report, home, options, started)
    engine.ready.connect(run.begin)
    engine.state_changed.connect(run.watch)
    QTimer.singleShot(0, lambda: run.note("window_seconds"))
    late = ErrorWords(f"Not done within {options.within:.0f} seconds.")
    QTimer.singleShot(round(options.within * 1000), lambda: run.fail(late))
    window.show()
    engine.start()
    app.exec()
    window.close()
    fetcher.close()
    return report


def missing_files(root: Path) -> list[str]:
    """Which of the data files that packaging listed are not there; there is no such list beside the sources."""
    listed = root / "data-files.txt"
    if not listed.is_file():
        return [listed.name] if getattr(sys, "frozen", False) else []
    return [name for name in listed.read_text("utf-8").splitlines() if not (root / name).is_file()]


def _translations(app: Any) -> int:
    """How many translations there are, ours and Qt's, for a language that is not the source's."""
    from app import i18n

    loaded = i18n.install(app, "zh_CN")
    for translator in loaded:
        app.removeTranslator(translator)
    return len(loaded)


def _strange_model(home: Path) -> Path:
    """A whole GGUF header of a kind of model that there is not."""

    def text(words: bytes) -> bytes:
        return struct.pack("<Q", len(words)) + words

    path = home / "strange.gguf"
    pair = text(b"general.architecture") + struct.pack("<I", 8) + text(b"none")
    path.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + pair)
    return path


class _Run:
    """The steps, each started by the answer to the one before."""

    def __init__(
        self,
        engine: Any,
        fetcher: Any,
        done: Callable[[], None],
        report: dict[str, Any],
        home: Path,
        options: argparse.Namespace,
        started: float,
    ) -> None:
        self._engine, self._fetcher, self._done, self._report = engine, fetcher, done, report
        self._home, self._options, self._started = home, options, started
        self._left: Iterator[questions.Question] = iter(questions.load()[: options.questions])

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

    def _expect(self, part: str, words: str, then: Step) -> Callable[[ErrorWords], None]:
        """What to do with an error that has to come: go on if it is the one with these words."""

        def came(error: ErrorWords) -> None:
            if words not in f"{error.sentence} {error.details}":
                self.fail(error)
                return
            self._report[part] = True
            then(None)

        return came

    def _unexpected(self, _: Any) -> None:
        self.fail(ErrorWords("What had to be refused was not."))

    def _search(self, imported: dict[str, Any]) -> None:
        self._report["messages"] = imported["messages"]
        self._report["not_imported"] = [f["path"] for f in imported["files"] if f["status"] != "imported"]
        self._call("search", {"query": QUESTION, "k": 5}, self._formats)

    def _formats(self, found: dict[str, Any]) -> None:
        self._report["hits"] = len(found["hits"])
        self._call("formats", {}, self._try_out)

    def _try_out(self, formats: list[Any]) -> None:
        """The process that tries out models must say what this file is, and not only end."""
        self._report["formats"] = len(formats)
        self._report["step"] = "models_add"
        refused = self._expect("tries_out_models", "is of a kind", self._fetch)
        params = {"path": str(_strange_model(self._home))}
        self._engine.call("models_add", params, result=self._unexpected, error=refused)

    def _fetch(self, _: Any) -> None:
        """The process that fetches models must know that there is no such one, which needs no network."""
        self._report["step"] = "models_get"
        refused = self._expect("fetches_models", NO_MODEL, self._models)
        self._fetcher.call("models_get", {"id": NO_MODEL}, result=self._unexpected, error=refused)

    def _models(self, _: Any) -> None:
        self._call("models", {}, self._ask)

    def _ask(self, models: list[dict[str, Any]]) -> None:
        installed = [each["id"] for each in models if each["installed"] and each["kind"] == "chat"]
        self._report["models"] = installed
        if self._options.model or installed:
            params = {"question": QUESTION, "mode": "quick", "now": NOW, "model": self._options.model}
            self._call("ask", params, self._answered)
        else:
            self._erase()

    def _answered(self, answer: dict[str, Any]) -> None:
        self.note("answer_seconds")
        self._report["answer"] = answer["answer"]
        self._report["citations"] = len(answer["citations"])
        self._next_question()

    def _next_question(self) -> None:
        question = next(self._left, None)
        if question is None:
            self._erase()
            return
        asked = time.perf_counter()
        params = {"question": question.question, "mode": "auto", "now": question.now.isoformat()}

        def judge(answer: dict[str, Any]) -> None:
            right = questions.is_right(question, answer["answer"], answer["found"])
            seconds = round(time.perf_counter() - asked, 1)
            self._report.setdefault("questions", {})[question.id] = {"right": right, "seconds": seconds}
            self._next_question()

        self._call("ask", {**params, "model": self._options.model}, judge)

    def _erase(self) -> None:
        self._call("erase", {"all": True}, self._end)

    def _end(self, _: Any) -> None:
        del self._report["step"]
        good = ("messages", "hits", "formats")
        whole = all(self._report[part] for part in good) and self._report["translations"] == 2
        self._report["ok"] = whole and not (self._report["missing"] or self._report["not_imported"])
        asked = self._report.get("questions")
        if asked:
            self._report["right"] = sum(answer["right"] for answer in asked.values())
        self._done()


def _processor() -> dict[str, str]:
    from models.llama import processor, processor_module

    return {"processor": processor(), "module": processor_module()}
