"""Starting: one window a home folder, the language, and the whole program up to its event loop."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app import gui
from app.gui import OneWindow
from app.i18n import locale_of

ROOT = Path(__file__).parents[2]


def test_a_second_start_asks_the_first_to_come_forward(qtbot: QtBot, tmp_path: Path):
    first, second = OneWindow(tmp_path), OneWindow(tmp_path)
    assert first.acquire()
    with qtbot.waitSignal(first.asked, timeout=5000):
        assert not second.acquire()
    first.release()
    assert second.acquire()
    second.release()


def test_the_lock_of_a_window_that_died_holds_nobody_up(tmp_path: Path):
    program = (
        "import os, sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication\n"
        "from app.gui import OneWindow\n"
        "app = QCoreApplication([]); print(OneWindow(Path(sys.argv[1])).acquire(), flush=True); os._exit(9)\n"
    )
    died = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert died.stdout.strip() == "True"
    one = OneWindow(tmp_path)
    assert one.acquire()
    one.release()


def test_english_keeps_the_region_of_an_english_system(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(QLocale, "system", lambda: QLocale("en_IE"))
    assert locale_of("en").name() == "en_IE"
    assert locale_of("zh_CN").name() == "zh_CN"
    assert locale_of("system").name() == "en_IE"


PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from app import gui

make = gui.make_application


def made(arguments):
    app = make(arguments)
    QTimer.singleShot(1500, app.closeAllWindows)
    return app


gui.make_application = made
sys.exit(gui.run(sys.argv[1]))
"""


def test_the_program_starts_and_ends_without_a_word(tmp_path: Path):
    home = tmp_path / "home"
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(home)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=environment,
        timeout=120,
        check=False,
    )
    said = [line for line in ran.stderr.splitlines() if "This plugin does not support" not in line]
    assert (ran.returncode, ran.stdout, said) == (0, "", [])
    assert (home / "settings.json").exists()
    if os.name == "posix":
        assert stat.S_IMODE(home.stat().st_mode) == 0o700


def test_a_home_that_cannot_be_written_is_said_in_words(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("")
    said: list[str] = []
    monkeypatch.setattr(QMessageBox, "critical", lambda parent, title, text: said.append(text))
    monkeypatch.setattr(gui, "make_application", lambda arguments: qapp)
    assert gui.run(tmp_path / "file" / "home") == 1
    assert "cannot be written" in said[0]
