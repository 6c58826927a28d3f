"""The short form of `make proof`: one life with canary words, traced where that is possible."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from life import CANARIES, leaks
from lives import Engine
from proof import PLANT, can, importers_of_network, run_life, strangers, traced

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(autouse=True)
def no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no-models"))


def test_a_life_leaves_no_word_in_any_file_and_makes_no_connection(tmp_path: Path) -> None:
    log = tmp_path / "trace"
    watched = can(*traced(log))
    run = run_life(tmp_path / "life", before=traced(log) if watched else ())
    assert run.returncode == 0, run.stderr
    assert leaks(tmp_path / "life") == []
    if watched:
        assert strangers(log.read_text()) == []


def test_a_word_in_a_file_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "crash.log").write_bytes("KeyError: 'Zorvexil'".encode("utf-16-le"))
    (tmp_path / "recent-Quambrinth.txt").touch()
    assert leaks(tmp_path) == ["crash.log", "recent-Quambrinth.txt"]


@pytest.mark.skipif(not can("strace", "-o", "/dev/null"), reason="this account may not trace")
def test_a_planted_connection_is_noticed_in_the_trace(tmp_path: Path) -> None:
    log = tmp_path / "trace"
    plant = PLANT.format(after="pass") + "raise SystemExit(0)"
    run_life(tmp_path / "life", before=traced(log), plant=plant)
    assert any("AF_INET" in line for line in strangers(log.read_text()))


@pytest.mark.parametrize(
    ("line", "strange"),
    [
        ("7 socket(AF_UNIX, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3", False),
        ("7 socketpair(AF_UNIX, SOCK_STREAM, 0, [3, 4]) = 0", False),
        ('7 connect(3, {sa_family=AF_UNIX, sun_path="/run/x"}, 9) = 0', False),
        ("7 socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = -1 EACCES", True),
        ("7 socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE) = 3", True),
        ("7 connect(3, {sa_family=AF_INET6, sin6_port=htons(443)}, 28) = 0", True),
        ('7 sendto(3, ""..., 5, 0, {sa_family=AF_INET, sin_port=htons(53)}, 16) = 5', True),
        ('7 sendto(3, ""..., 5, MSG_NOSIGNAL, NULL, 0) = 5', False),
        ("7 +++ exited with 0 +++", False),
    ],
)
def test_the_lines_of_a_trace_are_told_apart(line: str, strange: bool) -> None:
    assert bool(strangers(line)) is strange


def test_a_connection_planted_in_a_test_turns_it_red(tmp_path: Path) -> None:
    """The suite runs with its own options, so with sockets off."""
    (tmp_path / "test_planted.py").write_text(
        "import socket\ndef test_it():\n    socket.create_connection(('127.0.0.1', 9), 1)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-c", str(ROOT / "pyproject.toml"), "test_planted.py"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "SocketConnectBlockedError" in run.stdout or "SocketBlockedError" in run.stdout, run.stdout


def test_only_fetching_imports_network_modules_and_a_planted_import_is_noticed(tmp_path: Path) -> None:
    assert importers_of_network(ROOT) == []
    for package in ("app", "engine", "models", "importers"):
        (tmp_path / package).mkdir()
    (tmp_path / "engine" / "one.py").write_text("import importlib\nimportlib.import_module('http.client')\n")
    (tmp_path / "app" / "two.py").write_text("def f():\n    from urllib import request\n")
    (tmp_path / "models" / "fetch.py").write_text("import socket\n")
    assert importers_of_network(tmp_path) == ["app/two.py", "engine/one.py"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has this lock")
def test_a_connection_planted_in_the_engine_is_refused_by_its_lock(tmp_path: Path) -> None:
    """Also where there is a network: the lock is asked, not the cable."""
    plant = """
import socket, sys
from engine.desk import Desk
from engine.service import serve
def call_home(self, job, params):
    socket.create_connection(("127.0.0.1", 9), 1)
Desk._status = call_home
serve(sys.argv[2:])
"""
    engine = Engine(tmp_path / "home", code=plant)
    engine.send("status")
    assert engine.end()["error"]["details"].startswith("PermissionError")
    engine.close()


DIALOG = """
import sys
import shiboken6
from PySide6.QtWidgets import QApplication, QFileDialog
{make}
dialog = QFileDialog(None, "", sys.argv[1])
dialog.show()
for _ in range(50):
    app.processEvents()
dialog.done(1)
shiboken6.delete(dialog)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the dialog is the system's own")
@pytest.mark.parametrize(
    ("make", "remembered"),
    [
        ("app = QApplication([])", ["config/QtProject.conf"]),
        ("from app.gui import make_application\napp = make_application([])", []),
    ],
)
def test_no_file_dialog_remembers_where_a_person_looked(tmp_path: Path, make: str, remembered: list[str]) -> None:
    folder = tmp_path / "exports" / CANARIES[3]
    folder.mkdir(parents=True)
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CONFIG_HOME": str(tmp_path / "config")}
    env |= {"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")}
    code = DIALOG.format(make=make)
    subprocess.run([sys.executable, "-c", code, str(folder)], env=env, cwd=ROOT, check=True, capture_output=True)
    left = [path for path in tmp_path.rglob("*") if path.is_file() and CANARIES[3].encode() in _plain(path)]
    assert [path.relative_to(tmp_path).as_posix() for path in left] == remembered


def _plain(path: Path) -> bytes:
    """A file with the spaces of its addresses as people write them."""
    return path.read_bytes().replace(b"%20", b" ")


@pytest.mark.skipif(sys.platform != "linux", reason="the limits are read from /proc")
def test_the_engine_leaves_no_core_dump(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "home")
    assert re.search(r"Max core file size +0 +0 ", Path(f"/proc/{engine.pid}/limits").read_text())
    engine.close()
    pr_get_dumpable = 3
    code = (
        "import ctypes\nfrom engine.home import harden\nharden()\n"
        f"print(ctypes.CDLL(None).prctl({pr_get_dumpable}, 0, 0, 0, 0))"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert run.stdout.strip() == "0", "another program of this account may look into its memory"
