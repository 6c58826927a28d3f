"""`backscroll eval`: how well methods find and answer on a benchmark."""

import argparse
import json
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, TextIO

from app.cli_console import ProgressLine, cancelled_by_ctrl_c, print_json
from engine.errors import KnownError
from engine.evaluation.bench import Method, Tools
from engine.evaluation.data import DatasetError
from engine.evaluation.datasets import DATASETS, read_dataset
from engine.evaluation.dump import dumped
from engine.evaluation.methods import METHODS, method
from engine.evaluation.metrics import BUDGETS, TOP
from engine.evaluation.report import report
from engine.evaluation.runs import Result, plan
from engine.evaluation.runs import run as run_methods
from engine.evaluation.scores import score
from engine.evaluation.units import UNITS
from engine.home import Home
from engine.modelling import ModelDesk
from models.loading import load_embedder, load_reranker

WITHOUT_MODELS = ("bm25", "search")


def add_parser(commands: Any) -> None:
    """The `eval` command."""
    parser = commands.add_parser("eval", help="measure methods on a benchmark")
    parser.add_argument("dataset", metavar="DATASET", choices=[name for name, _ in DATASETS])
    parser.add_argument("path", metavar="PATH", type=Path)
    names = [m.name for m in METHODS]
    about = "; ".join(f"{m.name}: {m.about}" for m in METHODS)
    parser.add_argument("--method", nargs="+", choices=names, metavar="NAME", help=about)
    parser.add_argument("--unit", choices=UNITS, default="turn", help="what bm25 ranks")
    parser.add_argument("--limit", type=_positive, metavar="N", help="only so many questions, drawn at random")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the drawing")
    parser.add_argument("--type", nargs="+", metavar="TYPE", help="only questions of these types")
    parser.add_argument("--model", metavar="ID|PATH", help="an installed model, or a GGUF file")
    parser.add_argument("--embedder", metavar="PATH", help="a GGUF file that makes embeddings")
    parser.add_argument("--reranker", metavar="PATH", help="a GGUF file that ranks passages")
    parser.add_argument("--budget-words", type=_positive, nargs="+", default=list(BUDGETS), metavar="N")
    parser.add_argument("--pooled", action="store_true", help="all conversations in one archive")
    parser.add_argument("--dump", type=Path, metavar="FILE", help="write JSON lines, one a question and method")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a report")
    parser.set_defaults(run=run)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def run(options: argparse.Namespace) -> int:
    """Run the methods and print what they reached."""
    methods = [method(name) for name in dict.fromkeys(options.method or WITHOUT_MODELS)]
    try:
        samples = read_dataset(options.dataset, options.path)
    except (DatasetError, OSError, UnicodeDecodeError) as error:
        raise KnownError(str(error), advice="See docs/evaluation.md for what each dataset looks like.") from error
    line = ProgressLine()
    job = line.job()
    with ExitStack() as stack:
        stack.callback(line.clear)
        stack.enter_context(cancelled_by_ctrl_c(job))
        tools = _tools(options, methods, stack, job)
        chosen = plan(
            samples, limit=options.limit, seed=options.seed, pool=options.pooled, types=options.type or ()
        )
        out = stack.enter_context(options.dump.open("w", encoding="utf-8")) if options.dump else None
        results = _written(run_methods(chosen, methods, tools), options.dataset, out)
        tables = score(results, options.dataset, options.budget_words, TOP)
    if options.json:
        figures = {m: {k: t.summary() for k, t in kinds.items()} for m, kinds in tables.items()}
        print_json({"dataset": options.dataset, "questions": chosen.questions, "methods": figures})
    else:
        about = [f"Command: `backscroll {shlex.join(sys.argv[1:])}`", "", f"{chosen.questions:,} questions."]
        title = f"{options.dataset}{', pooled' if options.pooled else ''}"
        print(report(tables, title=title, about=about, budgets=options.budget_words), end="")
    return 0


def _written(results: Iterator[Result], dataset: str, out: TextIO | None) -> Iterator[Result]:
    """Pass results on, each written to the dump at once, so that a stopped run keeps what it has."""
    for result in results:
        if out:
            out.write(json.dumps(dumped(dataset, result), ensure_ascii=False) + "\n")
            out.flush()
        yield result


def _tools(options: argparse.Namespace, methods: list[Method], stack: ExitStack, job: Any) -> Tools:
    """Load what was asked for, and say what is missing before a long run begins."""
    for wanted in methods:
        for need in wanted.needs:
            if need != "model" and getattr(options, need) is None:
                raise KnownError(
                    f"The method “{wanted.name}” needs a model of its own kind.", advice=f"Give one with --{need}."
                )
    model = embedder = reranker = None
    if options.model or any("model" in m.needs for m in methods):
        desk = ModelDesk(Home.default(options.home))
        stack.callback(desk.unload)
        model = desk.load(options.model)
    if options.embedder:
        embedder = stack.enter_context(load_embedder(Path(options.embedder)))
    if options.reranker:
        reranker = stack.enter_context(load_reranker(Path(options.reranker)))
    return Tools(job=job, unit=options.unit, model=model, embedder=embedder, reranker=reranker)
