"""A few kills of every step (`make soak` has a hundred of each), and a step that does it wrongly is caught."""

import itertools
import os
import random
import shutil
import signal
import sys
from functools import partial
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("the kills are forks", allow_module_level=True)

import kills
from kills import STEPS, Step, forked, kill_often, write_exports

from engine.errors import ArchiveLocked
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.store import keys as keys_module


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(keys_module, "SCRYPT_N", 2**10)
    monkeypatch.setattr(kills, "SMALL", 400)
    monkeypatch.setattr(kills, "LARGE", 1200)
    monkeypatch.setenv("BACKSCROLL_NO_KEYRING", "1")
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


@pytest.mark.parametrize("readable", [True, False])
def test_a_restore_that_is_killed_before_any_of_its_steps_loses_nothing(folder: Path, *, readable: bool) -> None:
    """Not at random: before each file it opens, renames or deletes; also beside an archive it cannot read."""
    prepared = Home(folder / "prepared")
    prepared.create()
    assert forked(lambda: kills.two_archives(prepared, folder))[0] == "done"
    if not readable:
        assert forked(lambda: locked_in_a_crash(prepared, folder))[0] == "killed"
        assert (prepared.path / "archive.db-wal").stat().st_size > 0
    home, outcomes = Home(folder / "home"), set()
    for step in itertools.count():
        shutil.rmtree(home.path, ignore_errors=True)
        shutil.copytree(prepared.path, home.path)
        if forked(partial(killed_before, step, home, folder))[0] == "done":
            break
        assert forked(partial(look, home, folder))[0] == "done", step
        outcomes.add((folder / "outcome").read_text())
    assert outcomes == {"old", "restored"}, "the kills did not come before and after the change"


OLD_SECRET = "words of the old archive"


def locked_in_a_crash(home: Home, folder: Path) -> None:
    """A passphrase that nobody who restores knows, and messages that are in the log alone."""
    library = Library(home)
    library.lock_with(OLD_SECRET)
    library.import_paths(Job(), [folder / "WhatsApp Chat with Rowing club.txt"], ImportOptions())
    os.kill(os.getpid(), signal.SIGKILL)


def killed_before(step: int, home: Home, folder: Path) -> None:
    """Restore, up to the step of that number."""
    steps = itertools.count()

    def heard(event: str, arguments: tuple[object, ...]) -> None:
        changes = event in ("os.rename", "os.remove") or (event == "open" and str(home.path) in str(arguments[0]))
        if changes and next(steps) == step:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(heard)
    kills.restore(home, folder)


def look(home: Home, folder: Path) -> None:
    """Which of the two archives is there; it is whole and opens with its own secret."""
    for secret, counts in ((None, {400}), (OLD_SECRET, {1100}), (kills.SECRET, {1200})):
        try:
            library = Library(home, passphrase=secret)
        except ArchiveLocked:
            continue
        assert library.verify(Job()).ok
        assert library.stats()["messages"] in counts
        library.close()
        assert not list(home.path.glob("*.restoring"))
        (folder / "outcome").write_text("restored" if secret == kills.SECRET else "old")
        return
    raise AssertionError("neither archive opens")
