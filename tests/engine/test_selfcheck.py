"""The self-check of a model: speed, questions in both modes within its time, advice, and what is kept."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from app.sample import OWNER, TIMEZONE, files
from app.sample.questions import CHECKED, for_check
from engine.errors import Cancelled
from engine.job import Job
from engine.reading import ImportOptions
from engine.selfcheck import CheckQuestion, CheckResult, KeptResults, ModeResult, check_model, measure_speed
from models.base import ChatMessage, ModelFileError, Reply
from models.grammar import Grammar
from models.machine import machine, processor_name

QUESTIONS = for_check()
OPTIONS = ImportOptions(me=OWNER, timezone=TIMEZONE)


@dataclass
class SteadyModel:
    """Writes the shortest text that the grammar allows, after a pause."""

    pause: float = 0.0
    model_id: str = "steady"
    n_ctx: int = 4096
    asked: int = 0

    def count(self, text: str) -> int:
        return len(text) // 4 + 1

    def reply(
        self,
        messages: Sequence[ChatMessage],
        *,
        grammar: Grammar | None = None,
        should_stop: Callable[[], bool] = lambda: False,
        on_progress: Callable[[int, int], None] | None = None,
        **_: Any,
    ) -> Reply:
        self.asked += 1
        until = time.monotonic() + self.pause
        while time.monotonic() < until and not should_stop():
            time.sleep(0.005)
        return Reply("", 100, 100, 20, seconds=0.5)

    def score(self, messages: Sequence[ChatMessage], continuations: Sequence[str], *_: Any) -> list[float]:
        return [0.0] * len(continuations)

    def close(self) -> None:
        """Nothing is held."""


def always(right: bool) -> tuple[CheckQuestion, ...]:
    return tuple(replace(each, is_right=lambda answer, found: right) for each in QUESTIONS)


def test_the_questions_are_of_the_sample_and_know_what_is_right():
    assert len(QUESTIONS) == len(CHECKED)
    (baby,) = (each for each in QUESTIONS if "baby" in each.question)
    assert baby.is_right("They called her Ottilie [1].", True)
    assert not baby.is_right("They called her Petra.", True)
    assert baby.now > date(2025, 1, 1)


def test_both_modes_are_tried_and_counted():
    said: list[str] = []
    job = Job(lambda event, data: said.append(str(data.get("note"))) if event == "progress" else None)
    result = check_model(job, SteadyModel, files(), OPTIONS, always(right=True), seconds=60)
    assert (result.quick.asked, result.quick.right) == (len(QUESTIONS), len(QUESTIONS))
    assert result.thorough.asked == len(QUESTIONS)
    assert (result.reading, result.writing) == (200.0, 40.0)
    assert result.advice == "quick"
    assert said[0] == "Opening the model"


def test_a_slow_model_is_not_judged_by_too_few_answers():
    started = time.monotonic()
    result = check_model(Job(), lambda: SteadyModel(pause=0.8), files(), OPTIONS, always(right=True), seconds=0.5)
    assert result.quick.asked < 2
    assert result.advice == "unknown"
    assert time.monotonic() - started < 20


def test_it_can_be_stopped():
    job = Job()
    model = SteadyModel()

    def opened() -> SteadyModel:
        job.cancel()
        return model

    with pytest.raises(Cancelled):
        check_model(job, opened, files(), OPTIONS, QUESTIONS)


def test_a_model_that_does_not_open_says_why():
    def opened() -> SteadyModel:
        raise ModelFileError("It is not a model.")

    with pytest.raises(ModelFileError):
        check_model(Job(), opened, files(), OPTIONS, QUESTIONS)


@pytest.mark.parametrize(
    ("quick", "thorough", "advice"),
    [
        ((4, 3), (3, 3), "thorough"),
        ((4, 3), (1, 1), "quick"),
        ((4, 3), (3, 2), "quick"),
        ((4, 1), (3, 1), "search"),
        ((1, 1), (0, 0), "unknown"),
    ],
)
def test_advice(quick: tuple[int, int], thorough: tuple[int, int], advice: str):
    assert CheckResult(1.0, 1.0, ModeResult(*quick), ModeResult(*thorough)).advice == advice


def test_results_are_kept_and_a_damaged_file_counts_as_none(tmp_path: Path):
    kept = KeptResults(tmp_path / "home" / "checks.json")
    assert kept.all() == {}
    result = CheckResult(50.0, 9.0, ModeResult(4, 3, 7.0), ModeResult())
    entry = kept.keep("tiny", 123, result)
    assert KeptResults(tmp_path / "home" / "checks.json").all() == {"tiny": entry}
    assert entry["advice"] == "quick"
    assert entry["size"] == 123
    for damage in ("{", "[1]", '{"tiny": 7}'):
        (tmp_path / "home" / "checks.json").write_text(damage)
        assert kept.all() == {}


def test_speed_is_tokens_by_seconds():
    assert measure_speed(SteadyModel(), lambda: False) == (200.0, 40.0)


def test_the_machine_says_what_runs():
    here = machine()
    assert here.processor
    assert 1 <= here.threads <= here.cores
    assert machine(n_threads=1).threads == 1


def test_the_processor_has_a_name_even_where_the_system_does_not_say(tmp_path: Path):
    (tmp_path / "cpuinfo").write_text("processor\t: 0\nmodel name\t:  Some   Chip 9000 \n")
    assert processor_name(tmp_path / "cpuinfo") == "Some Chip 9000"
    assert processor_name(tmp_path / "nothing")
