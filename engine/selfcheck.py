"""A check of a minute: how fast a model is on this computer, and which mode it is good for.

It reads and writes a fixed text for the speed, then answers questions whose answers are known, on the sample
archive in a folder that is gone afterwards: first quickly, then thoroughly, for a minute. A
few questions say much about a model that fails and little about small differences, so a slower mode is only
advised where it answered more.
"""

import json
import math
import secrets
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from pathlib import Path
from typing import Any

from engine.asking import ask
from engine.errors import Cancelled
from engine.files import write_atomically
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.store.keys import KeyStore, wrap
from engine.types import Mode
from models.base import ChatMessage, ChatModel

SECONDS = 60.0
QUICK_UNTIL = 0.5  # of the time; the rest is for thorough answers
ENOUGH = 2  # answers of a mode before it is judged
READ = "The heron stood by the weir until the milk float came, and nobody on the towpath said a word. " * 8
WRITTEN = 24  # tokens


@dataclass(frozen=True, slots=True)
class CheckQuestion:
    """A question about the sample archive, asked on a day, and whether an answer (and “found”) is right."""

    question: str
    now: date
    is_right: Callable[[str, bool], bool]


@dataclass(frozen=True, slots=True)
class ModeResult:
    """How a mode did: questions asked and answered rightly, seconds an answer. `asked` is 0 where time ran out."""

    asked: int = 0
    right: int = 0
    seconds: float = 0.0

    @property
    def share(self) -> float:
        """The part of the answers that was right."""
        return self.right / self.asked if self.asked else 0.0


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What the check found; speeds are tokens a second."""

    reading: float
    writing: float
    quick: ModeResult
    thorough: ModeResult

    @property
    def advice(self) -> str:
        """The mode that the model is good for: quick or thorough; “search” where it is often wrong.

        “unknown” where there were too few answers to say.
        """
        if self.quick.asked < ENOUGH:
            return "unknown"
        if self.thorough.asked >= ENOUGH and self.thorough.share > max(self.quick.share, 0.5):
            return "thorough"
        return "quick" if self.quick.share >= 0.5 else "search"

    def as_json(self) -> dict[str, Any]:
        """For the protocol and the file of results."""
        return {**asdict(self), "advice": self.advice}


class _Within(Job):
    """A part of a task that ends with the task, or when its time is over (`late`)."""

    def __init__(self, task: Job, until: float) -> None:
        super().__init__()
        self._task = task
        self._until = until

    @property
    def late(self) -> bool:
        """Whether its time is over."""
        return time.monotonic() > self._until

    def stopped(self) -> bool:
        """Whether to stop."""
        return self.late or self._task.stopped()

    def check(self) -> None:
        """Raise Cancelled where it is to stop."""
        self._task.check()
        if self.late:
            raise Cancelled


class _Clock:
    """The minute: what is left of it, told to the task."""

    def __init__(self, job: Job, seconds: float) -> None:
        self._job = job
        self._seconds = seconds
        self._started = time.monotonic()

    def say(self, what: str) -> None:
        """Report how much of the time has gone."""
        gone = min(time.monotonic() - self._started, self._seconds)
        self._job.report(round(gone), round(self._seconds), what)

    def until(self, part: float) -> float:
        """The moment when a part (0 to 1) of the time is over."""
        return self._started + part * self._seconds


def check_model(
    job: Job,
    open_model: Callable[[], ChatModel],
    exports: Sequence[Path],
    options: ImportOptions,
    questions: Sequence[CheckQuestion],
    *,
    seconds: float = SECONDS,
) -> CheckResult:
    """Run the check; its questions take `seconds` at most. Raises Cancelled.

    Raises:
        ModelError: the model cannot be opened.
    """
    job.report(0, None, "Opening the model")
    model = open_model()
    job.report(0, None, "Measuring its speed")
    reading, writing = measure_speed(model, job.stopped)
    with tempfile.TemporaryDirectory(prefix="backscroll-check-", ignore_cleanup_errors=True) as folder:
        library = _archive_for_once(Home(Path(folder)))
        try:
            library.import_paths(_Within(job, math.inf), exports, options)
            clock = _Clock(job, seconds)
            quick = _try(job, clock, library, model, "quick", questions, clock.until(QUICK_UNTIL))
            thorough = _try(job, clock, library, model, "thorough", questions[: quick.asked], clock.until(1.0))
        finally:
            library.close()
    return CheckResult(round(reading, 1), round(writing, 1), quick, thorough)


def measure_speed(model: ChatModel, should_stop: Callable[[], bool]) -> tuple[float, float]:
    """Tokens a second that the model reads and writes. Raises GenerationStopped."""
    prompt = [ChatMessage("user", READ + "Tell the story in your own words.")]
    read = model.reply(prompt, max_tokens=1, should_stop=should_stop)
    written = model.reply(prompt, max_tokens=WRITTEN, should_stop=should_stop)
    return _rate(read.evaluated_tokens, read.seconds), _rate(written.generated_tokens, written.seconds)


def _rate(count: int, seconds: float) -> float:
    return count / seconds if seconds > 0 else 0.0


def _archive_for_once(home: Home) -> Library:
    """A new archive whose key is kept nowhere: a passphrase that nobody knows, not an entry in the keyring."""
    home.create()
    key, secret = secrets.token_bytes(32), secrets.token_hex(16)
    KeyStore(home.keys).adopt(key, [{"kind": "passphrase", **wrap(key, secret)}])
    return Library(home, passphrase=secret)


def _try(
    job: Job,
    clock: _Clock,
    library: Library,
    model: ChatModel,
    mode: Mode,
    questions: Sequence[CheckQuestion],
    until: float,
) -> ModeResult:
    """Ask one question after the other until the time is over; one that was begun too late does not count."""
    asked = right = 0
    taken = 0.0
    for each in questions:
        clock.say(f"Asking a question: {mode}")
        within = _Within(job, until if asked else clock.until(1.0))  # a slow computer finishes one
        started = time.monotonic()
        try:
            answer = ask(library, within, each.question, model=model, mode=mode, now=each.now)
        except Cancelled:
            job.check()
            break
        asked += 1
        right += each.is_right(answer.answer, answer.found)
        taken += time.monotonic() - started
        if within.late:
            break
    return ModeResult(asked, right, round(taken / asked, 1) if asked else 0.0)


class KeptResults:
    """Results of checks by model, in a small file beside the archive. It holds nothing of any chat."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def all(self) -> dict[str, dict[str, Any]]:
        """Results by model id; a damaged file counts as none."""
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        entries = found.items() if isinstance(found, dict) else ()
        return {name: each for name, each in entries if isinstance(each, dict)}

    def keep(self, model: str, size: int, result: CheckResult) -> dict[str, Any]:
        """Remember a result with the size of the model's file and the time; returns what is kept."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        at = datetime.now().isoformat(timespec="seconds")
        entry = {**result.as_json(), "size": size, "checked_at": at}
        write_atomically(self._path, json.dumps({**self.all(), model: entry}, indent=1).encode())
        return entry
