"""Copies of databases do not outlive their reading, even where the process that made them is killed."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from importers.private_copy import private_folder, remove_leftovers

DIES = """
import os, sys, tempfile
tempfile.tempdir = sys.argv[1]
from importers.private_copy import private_folder
with private_folder() as folder:
    (folder / "chat.db").write_text("secret")
    os._exit(9)
"""


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def killed(temporary: Path) -> Path:
    """The folder of a process that was killed while it read."""
    run = subprocess.run([sys.executable, "-c", DIES, str(temporary)], cwd=Path(__file__).parents[2], check=False)
    assert run.returncode == 9
    (folder,) = temporary.iterdir()
    assert (folder / "chat.db").exists()
    return folder


def test_the_folder_is_for_the_owner_alone_and_goes_away(temporary: Path) -> None:
    with private_folder() as folder:
        (folder / "chat.db").write_text("secret", encoding="utf-8")
        assert folder.parent == temporary
        if sys.platform != "win32":
            assert folder.stat().st_mode & 0o077 == 0
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_goes_at_the_next_start(temporary: Path) -> None:
    killed(temporary)
    remove_leftovers()
    assert list(temporary.iterdir()) == []


def test_what_a_killed_process_left_goes_before_the_next_copy(temporary: Path) -> None:
    left = killed(temporary)
    with private_folder() as folder:
        assert list(temporary.iterdir()) == [folder]
        assert not left.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="a second lock of the same process succeeds there")
def test_a_folder_in_use_stays(temporary: Path) -> None:
    with private_folder() as folder:
        remove_leftovers()
        with private_folder():
            assert (folder / "in-use").exists()


def test_a_folder_without_a_mark_goes_once_it_is_old(temporary: Path) -> None:
    folder = temporary / "backscroll-copy-x"
    folder.mkdir()
    remove_leftovers()
    assert folder.exists()
    os.utime(folder, (time.time() - 120,) * 2)
    remove_leftovers()
    assert not folder.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege there")
def test_a_link_is_not_followed(temporary: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "in-use").write_text("", encoding="utf-8")
    (temporary / "backscroll-copy-x").symlink_to(elsewhere)
    remove_leftovers()
    assert (elsewhere / "in-use").exists()
