"""The threads of a model follow what other programs do."""

import os
import time

import pytest

from models import cores
from models.cores import Load, Spent, spent


class Machine:
    """A computer of so many cores, on which others keep some busy while this program works too."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, count: int) -> None:
        self.now, self.everybody, self.own = 0.0, 0.0, 0.0
        monkeypatch.setattr(cores, "usable", lambda: count)
        monkeypatch.setattr(time, "monotonic", lambda: self.now)

    def look(self) -> Spent:
        return Spent(self.now, self.everybody, self.own)

    def goes_on(self, seconds: float, others: float, own: float = 0.0) -> None:
        self.now += seconds
        self.own += own * seconds
        self.everybody += (others + own) * seconds


@pytest.mark.parametrize(
    ("count", "others", "own", "wanted"),
    [
        (2, 0.0, 2.0, 2),  # what this program does itself is no reason to do less
        (2, 0.3, 1.7, 2),
        (2, 1.0, 1.0, 1),
        (2, 5.0, 0.0, 1),  # never none
        (8, 0.0, 7.0, 7),  # one is left to the window
        (8, 1.0, 7.0, 7),
        (8, 3.0, 5.0, 5),
    ],
)
def test_threads_are_the_cores_that_others_leave_free(
    monkeypatch: pytest.MonkeyPatch, count: int, others: float, own: float, wanted: int
) -> None:
    machine = Machine(monkeypatch, count)
    load = Load(machine.look)
    machine.goes_on(1.0, others, own)

    assert load.threads() == wanted


def test_a_neighbour_that_leaves_gives_its_core_back(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = Machine(monkeypatch, 2)
    load = Load(machine.look)
    machine.goes_on(1.0, 1.0)
    assert load.threads() == 1

    machine.goes_on(0.1, 0.0)
    assert load.threads() == 1  # too soon to look again
    machine.goes_on(2.0, 0.0)
    assert load.threads() == 2


def test_a_system_that_does_not_say_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "usable", lambda: 2)

    assert Load(lambda: None).threads() == 2


@pytest.mark.skipif(spent() is None, reason="only Linux says what its processors do")
def test_the_system_counts_this_program_among_all() -> None:
    before = spent()
    until = time.process_time() + 0.3
    while time.process_time() < until:
        pass
    after = spent()

    assert before
    assert after
    counted = 0.3 if os.nice(0) <= 0 else 0.0  # who is nice is not among them
    assert after.own - before.own >= counted - 0.05
    assert after.everybody - before.everybody >= counted - 0.1
    assert after.at > before.at
