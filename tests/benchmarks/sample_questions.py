"""Ask the 25 questions about the sample archive with an installed model and count the right answers.

usage: python tests/benchmarks/sample_questions.py [--mode auto] [--model ID] [--limit N] [--json]

The archive is imported into a temporary home; the models folder is the usual one (BACKSCROLL_MODELS).
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from app.sample import OWNER, TIMEZONE, files
from app.sample.questions import Question, is_right, load
from engine.asking import ask
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.modelling import ModelDesk
from engine.reading import ImportOptions
from engine.types import Answer, Mode
from models.base import ChatModel


@dataclass(frozen=True)
class Outcome:
    """How one question went."""

    id: str
    kind: str
    right: bool
    found: bool
    answer: str
    citations: int
    verified: int
    searches: int
    evaluated_tokens: int
    generated_tokens: int
    seconds: float


def sample_library(home: Path) -> Library:
    """The sample archive in a fresh home."""
    library = Library(Home(home))
    library.import_paths(Job(), files(), ImportOptions(me=OWNER, timezone=TIMEZONE))
    return library


def outcomes(library: Library, model: ChatModel, mode: Mode, limit: int | None = None) -> Iterator[Outcome]:
    """Ask the questions one after the other."""
    for question in load()[:limit]:
        answer = ask(library, Job(), question.question, model=model, mode=mode, now=question.now)
        yield outcome(question, answer)


def outcome(question: Question, answer: Answer) -> Outcome:
    """An answer held against what is right."""
    cost = answer.cost
    return Outcome(
        question.id,
        question.kind,
        is_right(question, answer.answer, answer.found),
        answer.found,
        answer.answer,
        len(answer.citations),
        sum(c.verified for c in answer.citations),
        cost.searches,
        cost.evaluated_tokens,
        cost.generated_tokens,
        round(cost.seconds, 1),
    )


def main() -> int:
    """Print a line a question and the totals."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--mode", default="auto")
    parser.add_argument("--model")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    model = ModelDesk(Home.default()).load(options.model)
    with tempfile.TemporaryDirectory() as folder:
        library = sample_library(Path(folder))
        done = []
        for item in outcomes(library, model, options.mode, options.limit):
            done.append(item)
            line = json.dumps(asdict(item), ensure_ascii=False) if options.json else _line(item)
            print(line, flush=True)
        library.close()
    print(totals(done), file=sys.stderr if options.json else sys.stdout)
    return 0


def totals(done: list[Outcome]) -> str:
    """The counts in a sentence."""
    none = [o for o in done if o.kind == "none"]
    return (
        f"{sum(o.right for o in done)} of {len(done)} right; not found where nothing is: "
        f"{sum(o.right for o in none)} of {len(none)}; citations verified: {sum(o.verified for o in done)} of "
        f"{sum(o.citations for o in done)}; median {statistics.median(o.seconds for o in done):.1f} s and "
        f"{statistics.median(o.evaluated_tokens for o in done):.0f} evaluated tokens a question"
    )


def _line(item: Outcome) -> str:
    mark = "right" if item.right else "WRONG"
    return f"{mark}  {item.id:22} {item.seconds:6.1f} s {item.evaluated_tokens:5} tokens  {item.answer[:150]}"


if __name__ == "__main__":
    sys.exit(main())
