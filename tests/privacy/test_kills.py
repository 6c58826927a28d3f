"""A few kills of every step (`make soak` has a hundred of each), and a step that does it wrongly is caught."""

import random
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the kills are forks", allow_module_level=True)

import kills
from kills import STEPS, Step, kill_often, write_exports

from engine.home import Home
from engine.store import keys as keys_module


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(keys_module, "SCRYPT_N", 2**10)
    monkeypatch.setattr(kills, "SMALL", 400)
    monkeypatch.setattr(kills, "LARGE", 1200)
    write_exports(tmp_path)
    return tmp_path


@pytest.mark.parametrize("step", STEPS, ids=lambda step: step.name)
def test_whatever_is_killed_nothing_is_lost(step: Step, folder: Path) -> None:
    assert kill_often(step, 3, random.Random(), folder) == []


def test_a_writer_without_a_transaction_is_caught(folder: Path) -> None:
    def write(home: Home, _folder: Path) -> None:
        for _ in range(100):
            with (home.path / "list.txt").open("w") as stream:
                for number in range(2_000):
                    print(number, file=stream, flush=number % 50 == 0)

    def check(home: Home, _folder: Path) -> None:
        assert (home.path / "list.txt").read_text().endswith("1999\n")

    careless = Step("careless", write, write, check)
    assert kill_often(careless, 8, random.Random(1), folder)
