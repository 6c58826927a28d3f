"""The short form of the endurance (`make soak` has a million messages), and that it notices what changes."""

from pathlib import Path
from typing import Any

import endurance
import pytest


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no-models"))


def test_many_questions_in_a_row() -> None:
    assert endurance.run(25_000, 60, None) == []


def test_an_answer_that_changes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def fickle(_engine: Any, number: int, _model: str | None) -> int:
        asked.append(number)
        return len(asked)

    monkeypatch.setattr(endurance, "answered", fickle)
    assert "answered in another way" in endurance.run(200, 22, None)[0]
