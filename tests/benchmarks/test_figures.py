"""The figures that the speed programs print, and that the short one still runs."""

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest
from figures import Figure, in_turns, shown

FAST = Figure("to bake", "the old oven", (2.0, 1.0, 4.0), (8.0, 6.0, 8.0), 4.0)
FOLDER = Path(__file__).parent


def test_the_ratio_is_the_median_of_rounds_that_took_turns() -> None:
    assert FAST.ratios == [4.0, 6.0, 2.0]
    assert FAST.ratio == 4.0


def test_a_limit_is_held_against_every_measurement() -> None:
    assert Figure("to bake", "an hour", (2.0, 4.0), (1.0,), 1.0).ratios == [0.5, 0.25]


def test_a_row_says_spread_goal_and_whether_it_was_reached() -> None:
    assert FAST.row() == "| to bake | 2 s | the old oven: 8 s | 4 (2–6) | ≥ 4 | yes |  |"
    assert "**no**" in Figure("to bake", "an hour", (2.0,), (1.0,), 1.0).row()


@pytest.mark.parametrize(("floor", "status"), [(4.0, 0), (4.1, 1)])
def test_a_figure_below_its_floor_ends_with_an_error(
    floor: float, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    options = argparse.Namespace(json=True, floors=True)
    assert shown([FAST], options, {"to bake, the old oven": floor}, "") == status
    out, err = capsys.readouterr()
    assert json.loads(out)["ratio"] == 4.0
    assert bool(err) == bool(status)


def test_works_take_turns() -> None:
    order: list[str] = []
    measured = in_turns(lambda: order.append("a"), lambda: order.append("b"), turns=2)
    assert order == ["a", "b", "a", "b"]
    assert [len(times) for times in measured] == [2, 2]


def test_the_program_runs_on_a_few_messages() -> None:
    command = [sys.executable, str(FOLDER / "speed.py"), "--messages", "1500", "--questions", "4", "--turns", "1"]
    rows = ["--rows", "index", "append", "import", "start", "search", "evidence"]
    run = subprocess.run(
        [*command, *rows, "--json"], capture_output=True, text=True, cwd=FOLDER.parents[1], check=True
    )
    found = {json.loads(line)["what"] for line in run.stdout.splitlines()}
    assert {"index from stored text", "search as you type, p95", "WhatsApp import"} <= found
