import io
import sys
from pathlib import Path

import pytest

from app import __main__ as start
from app import floor
from app.program import this_program

NEW = "flags\t\t: fpu sse sse2 ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm avx2"


def test_a_new_processor_lacks_nothing() -> None:
    assert floor.lacking(["processor\t: 0", NEW]) == set()


def test_an_old_processor_is_told_what_it_lacks() -> None:
    assert floor.lacking([NEW.replace(" sse4_2", "").replace(" popcnt", "")]) == {"sse4_2", "popcnt"}


def test_where_nothing_is_said_nothing_is_lacking() -> None:
    assert floor.lacking(["Features\t: fp asimd"]) == set()


def test_this_processor_runs_the_program() -> None:
    assert not floor.too_old()


def test_an_old_processor_gets_a_sentence_before_anything_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    said = io.StringIO()
    monkeypatch.setattr(floor, "too_old", lambda: True)
    monkeypatch.setattr("app.floor.shutil.which", lambda _: None)
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setattr(sys, "argv", ["backscroll", "--engine"])
    assert start.main() == 1
    assert said.getvalue() == f"{floor.SENTENCE}\n"


def test_a_person_who_started_it_from_a_menu_gets_a_dialog(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[list[str]] = []
    monkeypatch.setattr("app.floor.shutil.which", lambda name: f"/bin/{name}" if name == "kdialog" else None)
    monkeypatch.setattr("app.floor.subprocess.run", lambda command, **_: shown.append(command))
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    floor.complain()
    assert shown == [["/bin/kdialog", "--error", floor.SENTENCE]]


def test_the_program_is_started_again_as_it_was_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert this_program() == [sys.executable, "-m", "app"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "backscroll.exe"))
    assert this_program() == [str(tmp_path / "backscroll.exe")]
    (tmp_path / "backscroll-cli.exe").touch()
    assert this_program() == [str(tmp_path / "backscroll-cli.exe")]
