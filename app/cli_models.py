"""`backscroll models list|get|add|remove|check`."""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.cli_console import ProgressLine, print_json, progress_text
from engine.home import Home
from models.base import GenerationStopped
from models.catalogue import entry
from models.store import Listed, ModelStore

_CANCELLED = 130


def add_parser(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add the command `models` and its five verbs."""
    models = subparsers.add_parser("models", help="list, get, add, remove and check language models")
    verbs = models.add_subparsers(dest="verb", required=True, metavar="VERB")
    for verb, action, subject, explanation in (
        ("list", _list, None, "show what there is and what fits this computer"),
        ("get", _get, "id", "fetch a model; “default” suits most computers"),
        ("add", _add, "path", "take a GGUF file of your own"),
        ("remove", _remove, "id", "delete a model's file"),
        ("check", _check, "id?", "read every byte again and try the files out"),
    ):
        parser = verbs.add_parser(verb, help=explanation)
        if subject:
            optional = subject.endswith("?")
            parser.add_argument(subject.rstrip("?"), nargs="?" if optional else None, default="")
        parser.add_argument("--json", action="store_true", help="print one JSON document")
        parser.set_defaults(run=run, action=action)


def run(args: argparse.Namespace) -> int:
    """Run one verb; exit status 0, 1 where a check found a fault, 130 when stopped."""
    store = ModelStore(Home.default(args.home).models)
    line = ProgressLine()
    try:
        return int(args.action(store, args, line))
    except GenerationStopped:
        return _CANCELLED
    finally:
        line.clear()


def _list(store: ModelStore, args: argparse.Namespace, _line: ProgressLine) -> int:
    models = store.listed()
    if args.json:
        print_json([model.as_json() for model in models])
        return 0
    for kind, title in (("chat", "Answer questions"), ("embedding", "Vectors"), ("reranker", "Rank passages")):
        chosen = [model for model in models if model.kind == kind]
        if chosen:
            print(f"{title}:")
            print("\n".join(map(_row, chosen)))
    print(f"\nFolder: {store.folder}")
    return 0


def _row(model: Listed) -> str:
    mark = "●" if model.installed else "○"
    default = ", default" if model.default else ""
    size = f"{model.size / 1e9:.2f} GB"
    return f"  {mark} {model.id:38} {size:>8}  {model.fits:12}  {model.licence}{default}"


def _get(store: ModelStore, args: argparse.Namespace, line: ProgressLine) -> int:
    model = entry(args.id)
    progress = _Progress(line, model.name)

    def on_event(name: str, data: dict[str, Any]) -> None:
        if name == "source":
            progress.source = str(data["name"])
        elif name == "progress":
            progress(data["done"], data["total"])
        elif name == "checking":
            line_if_terminal(line, f"{model.name}: checking")

    path = store.get(args.id, on_event)
    line.clear()
    _say(args, {"id": model.id, "path": str(path), "size": model.size}, f"{model.name} is ready.")
    return 0


def _add(store: ModelStore, args: argparse.Namespace, line: ProgressLine) -> int:
    path = Path(args.path).expanduser()
    model_id = store.add(path, _Progress(line, path.name))
    line.clear()
    _say(args, {"id": model_id, "path": str(store.resolve(model_id))}, f"{path.name} was added as {model_id}.")
    return 0


def _remove(store: ModelStore, args: argparse.Namespace, _line: ProgressLine) -> int:
    store.remove(args.id)
    _say(args, {"id": args.id, "removed": True}, f"{args.id} was removed.")
    return 0


def _check(store: ModelStore, args: argparse.Namespace, line: ProgressLine) -> int:
    found = list(store.check(args.id, _Progress(line, "reading")))
    line.clear()
    if args.json:
        print_json([{"id": name, "ok": not fault, "problem": fault} for name, fault in found])
    for name, fault in [] if args.json else found:
        print(f"{name}: {fault or 'as it should be'}")
    if not found and not args.json:
        print("No model is installed.")
    return 1 if any(fault for _, fault in found) else 0


def _say(args: argparse.Namespace, document: dict[str, Any], sentence: str) -> None:
    print_json(document) if args.json else print(sentence)


def line_if_terminal(line: ProgressLine, text: str) -> None:
    """Show a text in the progress line, where there is a terminal."""
    if sys.stderr.isatty():
        line.show(text)


class _Progress:
    """Bytes done and in all as a progress line with rate and time left; what was there before does not count."""

    def __init__(self, line: ProgressLine, note: str) -> None:
        self._line = line
        self._note = note
        self._began: tuple[float, int] | None = None
        self._now: Callable[[], float] = time.monotonic
        self.source = ""

    def __call__(self, done: int, total: int) -> None:
        began, first = self._began = self._began or (self._now(), done)
        rate = (done - first) / max(self._now() - began, 1e-3)
        left = (total - done) / rate if rate else None
        speed = f" · {rate / 1e6:.1f} MB/s" if rate else ""
        source = f" from {self.source}" if self.source else ""
        amount = f"{done / 1e6:,.0f} of {total / 1e6:,.0f} MB"
        note = f"{self._note}{source}: {amount}{speed}"
        line_if_terminal(self._line, progress_text(done=done, total=total, note=note, seconds_left=left))
