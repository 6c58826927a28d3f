"""`backscroll ask`: a question, an answer, and the messages it rests on."""

import argparse
import sys
from datetime import date
from typing import Any

from app.cli_archive import add_filters, filters_of, open_library
from app.cli_console import ProgressLine, cancelled_by_ctrl_c, duration, print_json, say
from engine import shapes
from engine.asking import ask
from engine.errors import NoModel
from engine.job import Job
from engine.modelling import ModelDesk
from engine.types import MODES, Answer
from models.base import ChatModel


def add_parser(commands: Any) -> None:
    """The `ask` command."""
    parser = commands.add_parser("ask", help="answer a question from the archive")
    parser.add_argument("question", metavar="QUESTION")
    parser.add_argument("--mode", choices=MODES, default="auto")
    parser.add_argument("--model", metavar="ID|PATH", help="an installed model, or a GGUF file")
    parser.add_argument(
        "--now", type=date.fromisoformat, metavar="DATE", help="the day the question is asked (today)"
    )
    parser.add_argument("--trace", action="store_true", help="show what was searched")
    parser.add_argument("--json", action="store_true", help="print JSON")
    add_filters(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Answer; without any model the best messages are shown."""
    library, line = open_library(options), ProgressLine()
    stream = None if options.json else _Stream(line)
    job = Job(stream.event) if stream else line.job()
    models = ModelDesk(library.home)
    try:
        with cancelled_by_ctrl_c(job):
            model = _model(models, options.model)
            answer = ask(
                library,
                job,
                options.question,
                model=model,
                mode=options.mode,
                filters=filters_of(options),
                now=options.now,
            )
    finally:
        line.clear()
        models.unload()
        library.close()
    if options.json:
        print_json(shapes.answer(answer))
    else:
        _print(answer, trace=options.trace)
    return 0


def _model(models: ModelDesk, wanted: str | None) -> ChatModel | None:
    """The model asked for, else the installed one; None where nothing is installed and none was asked for."""
    try:
        return models.load(wanted)
    except NoModel as error:
        if wanted:
            raise
        print(f"{error} {error.advice} Until then the best messages are shown.", file=sys.stderr)
        return None


class _Stream:
    """Progress on a terminal while the answer is made."""

    def __init__(self, line: ProgressLine) -> None:
        self._inner = line.job()
        self._written = ""
        self._line = line

    def event(self, name: str, data: dict[str, Any]) -> None:
        """Steps in words, then the answer's last words as it is written."""
        if name == "text" and sys.stderr.isatty():
            self._written += str(data["piece"])
            self._line.show(self._written.replace("\n", " ")[-100:])
        elif name in ("step", "progress"):
            self._inner.emit(name, **data)


def _print(answer: Answer, *, trace: bool) -> None:
    say(answer.answer)
    for citation in answer.citations:
        mark = "" if citation.verified else "  (not verified)"
        when = (citation.timestamp or "")[:16].replace("T", " ")
        words = " ".join(citation.text.split())
        say(f"  [{citation.n}] {citation.sender}, {when}, {citation.chat}: {words[:200]}{mark}")
    for sentence in answer.unsupported:
        say(f"  No message supports this: {sentence}")
    if answer.nearest:
        say("The nearest messages:")
        for hit in answer.nearest:
            when = (hit.turn.timestamp or "")[:16].replace("T", " ")
            say(f"  {hit.turn.sender}, {when}, {hit.turn.chat}: {' '.join(hit.turn.text.split())[:200]}")
    if trace:
        for step in answer.trace:
            say(f"  {step.action} {step.input} → {len(step.hits)} hits")
    cost, seen = answer.cost, answer.searched
    dates = f", {seen.date_from} to {seen.date_to}" if seen.date_from else ""
    looked = f"{cost.searches} searches over {seen.turns:,} turns of {seen.chats:,} chats"
    say(f"{looked}{dates} · {duration(cost.seconds)}")
