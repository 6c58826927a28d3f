"""What the program leaves while it is used and while it fails: no word of a chat, nothing that others may read."""

import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from life import CANARIES, export, leaks
from lives import ROOT, Engine, environment, program

from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no-models"))


def modes(folder: Path) -> set[str]:
    """What others of this computer could open."""
    lax = (path for path in folder.rglob("*") if path.stat().st_mode & 0o077)
    return {f"{path.relative_to(folder)} {path.stat().st_mode & 0o777:o}" for path in lax}


@pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are POSIX's")
def test_a_window_in_use_leaves_no_word_and_no_file_for_others(tmp_path: Path) -> None:
    """With a umask that forbids nothing, and a fault whose words are those of a message."""
    folder, home = tmp_path / "life", tmp_path / "life" / "home" / "backscroll"
    folder.mkdir()
    env = {**environment(home), "QT_QPA_PLATFORM": "offscreen", "HOME": str(folder / "home")}
    env |= {
        f"XDG_{kind}_HOME": str(folder / "home" / kind.lower()) for kind in ("CACHE", "CONFIG", "DATA", "STATE")
    }
    env |= {"TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(Path(__file__).with_name("window_life.py")), str(folder), "000"]
    run = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "KeyError at window_life.py" in run.stderr, "the fault was not met"
    assert not [word for word in CANARIES if word.lower() in (run.stdout + run.stderr).lower()]
    assert leaks(folder) == []
    assert {"archive.db", "keys.json", "settings.json"} <= {path.name for path in home.iterdir()}
    assert modes(home) == set()
    saved = {path.name: path.stat().st_mode & 0o777 for path in (folder / "exports").glob("answer*")}
    assert saved == {"answer.pdf": 0o600, "answer.md": 0o600}


def test_files_that_were_copied_with_lax_permissions_are_closed(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    Library(home).close()
    for path in home.path.iterdir():
        path.chmod(0o644)
    Library(home).close()
    assert modes(home.path) == set()


PLANTED = """
import sys
from importers.whatsapp import WhatsApp
def read(self, source, options):
    raise KeyError("{word}")
    yield
WhatsApp.read = read
"""


def test_an_importer_that_crashes_tells_where_and_not_what(tmp_path: Path) -> None:
    path, plant = export(_exports(tmp_path)), PLANTED.format(word=CANARIES[0])
    serve = plant + "from engine.service import serve\nserve(sys.argv[2:])"
    engine = Engine(tmp_path / "home", code=serve)
    engine.send("import", paths=[str(path)])
    error = engine.end()["error"]
    assert error["details"].startswith("KeyError at ")
    assert CANARIES[0] not in str(error)
    assert engine.ask("verify")["messages"] == 0
    engine.close()
    command = plant + "from app.cli import main\nsys.argv[1:] = ['import', sys.argv[1]]\nsys.exit(main())"
    run = subprocess.run(
        [sys.executable, "-c", command, str(path)],
        env=environment(tmp_path / "home"), cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert "KeyError at" in run.stderr
    assert CANARIES[0] not in run.stdout + run.stderr


def _exports(tmp_path: Path) -> Path:
    (tmp_path / "life").mkdir()
    return tmp_path / "life"


def test_sqlite_keeps_what_it_sorts_in_memory(tmp_path: Path) -> None:
    """A file for sorting would hold messages outside of the encryption's reach."""
    assert "TEMP_STORE=2" in apsw.compile_options or "TEMP_STORE=3" in apsw.compile_options
    library = Library(Home(tmp_path / "home"))
    assert library.archive.value("PRAGMA temp_store") in (0, 2), "a connection asks for files"
    library.close()


def test_a_crash_leaves_a_log_that_cannot_be_read(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "home")
    engine.ask("import", paths=[str(export(_exports(tmp_path)))])
    engine.ask("ask", question=f"What colour is the {CANARIES[1]}?", now="2024-04-01")
    engine.kill()
    log = tmp_path / "home" / "archive.db-wal"
    assert log.stat().st_size > 100_000, "there is no log to look at"
    assert leaks(tmp_path / "home") == []
    assert log.stat().st_mode & 0o077 == 0
    assert program(tmp_path / "home", ["verify"]).returncode == 0


def test_what_was_asked_is_on_the_disk_in_the_archive_alone(tmp_path: Path) -> None:
    library = Library(Home(tmp_path / "home"))
    library.import_paths(Job(), [export(_exports(tmp_path))], ImportOptions())
    library.close()
    assert program(tmp_path / "home", ["ask", f"Where is the {CANARIES[4]}?"]).returncode in (0, 1)
    assert leaks(tmp_path / "home") == []
