"""The sample archive as the engine is given it: exports of invented chats, and questions with known answers."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.job import Job
from engine.reading import ImportOptions
from engine.selfcheck import SECONDS, CheckQuestion, CheckResult, check_model
from models.base import ChatModel


@dataclass(frozen=True, slots=True)
class Sample:
    """Its export files, who its owner is, where their clock stood, and what the self-check asks of it."""

    paths: tuple[Path, ...]
    owner: str
    timezone: str
    questions: tuple[CheckQuestion, ...] = ()

    @property
    def options(self) -> ImportOptions:
        """How its exports are read."""
        return ImportOptions(me=self.owner, timezone=self.timezone)

    def check(self, job: Job, open_model: Callable[[], ChatModel], seconds: float = SECONDS) -> CheckResult:
        """The self-check of a model; see `check_model`."""
        return check_model(job, open_model, self.paths, self.options, self.questions, seconds=seconds)
