"""Ask the questions about an invented archive with an installed model and count the right answers.

usage: python tests/benchmarks/archive_questions.py [--set sample|en|zh] [--half dev|test|all] [--mode auto]
           [--model ID|none] [--limit N] [--json]

`sample` is the archive that comes with the program; `en` and `zh` lie in questions/ beside this file. They were
written apart from everything that was tuned: tune on their `dev` half only, and judge by the `test` half. The
archive is imported into a temporary home; the models folder is the usual one (BACKSCROLL_MODELS). With
`--model none` nothing is answered, and what counts is which evidence is found.
"""

import argparse
import json
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from app import sample
from app.sample.questions import PATH, Evidence, Question, is_right, load
from engine.asking import ask
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.modelling import ModelDesk
from engine.reading import ImportOptions
from engine.types import Answer, Mode, Turn
from models.base import ChatModel

FOLDER = Path(__file__).with_name("questions")
HALVES = ("dev", "test", "all")


@dataclass(frozen=True)
class QuestionSet:
    """An archive as its export files, and where the questions about it are."""

    exports: Path
    questions: Path
    owner: str
    timezone: str

    def files(self) -> tuple[Path, ...]:
        """The exports, each a file, a zip or a folder."""
        return tuple(sorted(self.exports.iterdir()))

    def load(self, half: str = "all") -> tuple[Question, ...]:
        """The questions of one half, or all."""
        return tuple(q for q in load(self.questions) if half in ("all", q.half))

    def library(self, home: Path) -> Library:
        """The archive in a fresh home."""
        library = Library(Home(home))
        library.import_paths(Job(), self.files(), ImportOptions(me=self.owner, timezone=self.timezone))
        return library


def _beside(name: str, owner: str, timezone: str) -> QuestionSet:
    return QuestionSet(FOLDER / name / "exports", FOLDER / name / "questions.json", owner, timezone)


SETS = {
    "sample": QuestionSet(sample.FOLDER, PATH, sample.OWNER, sample.TIMEZONE),
    "en": _beside("en", "Dee Marchand", "America/Chicago"),
    "zh": _beside("zh", "方敏", "Asia/Shanghai"),
}


@dataclass(frozen=True)
class Outcome:
    """How one question went. `read` and `ranked` count its pieces of evidence given to the model, and found."""

    id: str
    kind: str
    right: bool
    found: bool
    answer: str
    citations: int
    verified: int
    evidence: int
    read: int
    ranked: int
    searches: int
    evaluated_tokens: int
    generated_tokens: int
    seconds: float


def outcomes(
    library: Library, questions: Sequence[Question], model: ChatModel | None, mode: Mode
) -> Iterator[Outcome]:
    """Ask the questions one after the other."""
    turns = all_turns(library)
    for question in questions:
        answer = ask(library, Job(), question.question, model=model, mode=mode, now=question.now)
        yield outcome(question, answer, [turns_with(e, turns) for e in question.evidence])


def all_turns(library: Library) -> tuple[Turn, ...]:
    """Every turn of the archive."""
    searcher = library.searcher
    return tuple(searcher.turns(range(len(searcher.index.columns.session))).values())


def turns_with(evidence: Evidence, turns: Sequence[Turn]) -> frozenset[int]:
    """The turns that hold a message; its words are in its chat only once."""
    return frozenset(t.id for t in turns if t.chat == evidence.chat and evidence.contains in t.text)


def outcome(question: Question, answer: Answer, evidence: Sequence[frozenset[int]]) -> Outcome:
    """An answer held against what is right, and what it rests on against where that stands."""
    cost = answer.cost
    return Outcome(
        id=question.id,
        kind=question.kind,
        right=is_right(question, answer.answer, answer.found),
        found=answer.found,
        answer=answer.answer,
        citations=len(answer.citations),
        verified=sum(c.verified for c in answer.citations),
        evidence=len(evidence),
        read=sum(not turns.isdisjoint(answer.evidence) for turns in evidence),
        ranked=sum(not turns.isdisjoint(answer.ranked) for turns in evidence),
        searches=cost.searches,
        evaluated_tokens=cost.evaluated_tokens,
        generated_tokens=cost.generated_tokens,
        seconds=round(cost.seconds, 1),
    )


def totals(done: Sequence[Outcome]) -> str:
    """The counts in sentences: answers, evidence of the questions that have some, and right answers by kind."""
    none = [o for o in done if o.kind == "none"]
    some = [o for o in done if o.evidence]
    right, asked = Counter(o.kind for o in done if o.right), Counter(o.kind for o in done)
    return (
        f"{sum(o.right for o in done)} of {len(done)} right; not found where nothing is: "
        f"{sum(o.right for o in none)} of {len(none)}; citations verified: {sum(o.verified for o in done)} of "
        f"{sum(o.citations for o in done)}; median {statistics.median(o.seconds for o in done):.1f} s and "
        f"{statistics.median(o.evaluated_tokens for o in done):.0f} evaluated tokens a question\n"
        f"evidence read: all of it for {sum(o.read == o.evidence for o in some)}, some for "
        f"{sum(o.read > 0 for o in some)} of {len(some)} questions; found: all for "
        f"{sum(o.ranked == o.evidence for o in some)}, some for {sum(o.ranked > 0 for o in some)}\n"
        f"right by kind: {', '.join(f'{kind} {right[kind]}/{count}' for kind, count in asked.items())}"
    )


def _line(item: Outcome) -> str:
    mark = "right" if item.right else "WRONG"
    evidence = f"read {item.read}/{item.evidence}" if item.evidence else "        "
    cost = f"{item.seconds:6.1f} s {item.evaluated_tokens:5} tokens"
    return f"{mark}  {item.id:22} {cost}  {evidence}  {' '.join(item.answer.split())[:140]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line a question and the totals."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--set", choices=SETS, default="sample")
    parser.add_argument("--half", choices=HALVES, default="all")
    parser.add_argument("--mode", default="auto")
    parser.add_argument("--model")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    chosen = SETS[options.set]
    questions = chosen.load(options.half)[: options.limit]
    if not questions:
        parser.error(f"the set {options.set} has no questions in its half “{options.half}”")
    model = None if options.model == "none" else ModelDesk(Home.default()).load(options.model)
    with tempfile.TemporaryDirectory() as folder:
        library = chosen.library(Path(folder))
        done = []
        for item in outcomes(library, questions, model, options.mode):
            done.append(item)
            line = json.dumps(asdict(item), ensure_ascii=False) if options.json else _line(item)
            print(line, flush=True)
        library.close()
    print(totals(done), file=sys.stderr if options.json else sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
