"""The recovery key: offered once after the first own chats, kindly and skippably, and once more at most."""

import os
import stat
from datetime import date, timedelta
from pathlib import Path

import pytest
from conftest import MakeWindow
from mnemonics import mnemonics
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.settings import RECOVERY_OFFER, Settings
from app.widgets import recovery
from app.widgets.navigation import PAGES
from app.widgets.recovery import RecoveryKeyDialog
from app.window import Window


def import_own(window: Window, qtbot: QtBot) -> None:
    """Look at a file and import it."""
    window.go("importing")
    window.importing.take(["/exports/Riverside.txt"])
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=10_000)
    window.importing.start_import()
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=10_000)
    qtbot.waitUntil(lambda: not window.archive.empty, timeout=10_000)
    qtbot.wait(50)


def started_again(window: Window, make_window: MakeWindow, *arguments: str) -> Window:
    """The window of the next start, with the same settings."""
    window.close()
    return make_window(*arguments)


@pytest.fixture
def offered(make_window: MakeWindow, qtbot: QtBot) -> Window:
    """A window that has just imported the first chats."""
    window = make_window("--empty")
    assert window.recovery.isHidden()
    import_own(window, qtbot)
    assert window.recovery.isVisible()
    return window


def test_it_says_what_it_is_for_and_takes_no_focus(offered: Window):
    assert "is the only way to open your chats" in texts(offered.recovery)
    assert not offered.recovery.isAncestorOf(offered.focusWidget() or offered)


def test_the_whole_way_by_keyboard(
    offered: Window, qtbot: QtBot, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    QTest.keyClick(offered, Qt.Key.Key_K, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: bool(offered.findChildren(RecoveryKeyDialog)), timeout=5000)
    (dialog,) = offered.findChildren(RecoveryKeyDialog)
    assert dialog.field.text() == "ABCD-EFGH-JKLM"
    assert dialog.field.accessibleName() == "Recovery key"
    assert all(len(found) == 1 for found in mnemonics(dialog).values())
    qtbot.waitUntil(dialog.isActiveWindow, timeout=5000)
    QTest.keyClick(dialog, Qt.Key.Key_C, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: "Copied." in texts(dialog), timeout=5000)
    held = QGuiApplication.clipboard().mimeData()
    assert held.text() == "ABCD-EFGH-JKLM"
    assert bytes(held.data(recovery.SECRET_HINT).data()) == b"secret"
    kept = tmp_path / "kept.txt"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(kept), ""))
    QTest.keyClick(dialog, Qt.Key.Key_S, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(lambda: "another place" in texts(dialog), timeout=5000)
    assert kept.read_text() == "ABCD-EFGH-JKLM\n"
    assert os.name != "posix" or stat.S_IMODE(kept.stat().st_mode) == 0o600
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    assert offered.recovery.isHidden()
    assert settings.get(RECOVERY_OFFER) == recovery.DONE
    qtbot.waitUntil(lambda: offered.archive.status.recovery_key, timeout=5000)
    assert "ABCD" not in (tmp_path / "settings.json").read_text()


def test_a_key_that_cannot_be_saved_is_said(offered: Window, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    dialog = RecoveryKeyDialog("ABCD", offered)
    dialog.show()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "gone" / "kept.txt"), ""))
    button(dialog, "Save…").click()
    assert "could not be saved" in texts(dialog)
    dialog.deleteLater()


def test_later_is_once_more_after_a_while_and_then_never(
    offered: Window, make_window: MakeWindow, qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    QTest.keyClick(offered, Qt.Key.Key_R, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(offered.recovery.isHidden, timeout=5000)
    import_own(offered, qtbot)
    assert offered.recovery.isHidden(), "it came back on the same day"
    window = started_again(offered, make_window)
    assert window.recovery.isHidden(), "it came back before its day"
    settings.set(RECOVERY_OFFER, "2020-02-02")
    window = started_again(window, make_window)
    qtbot.waitUntil(window.recovery.isVisible, timeout=5000)
    assert not window.recovery._later.isVisible(), "there is no later after this"
    window.recovery._make.setFocus()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.recovery.isHidden()
    import_own(window, qtbot)
    window = started_again(window, make_window)
    import_own(window, qtbot)
    assert window.recovery.isHidden(), "it came a third time"


def test_leaving_it_alone_is_later(offered: Window, settings: Settings):
    day = date.fromisoformat(settings.get(RECOVERY_OFFER))
    assert day - date.today() >= timedelta(days=6)


def test_esc_in_it_is_later(offered: Window, settings: Settings):
    day = settings.get(RECOVERY_OFFER)
    offered.recovery._make.setFocus()
    QTest.keyClick(offered, Qt.Key.Key_Escape)
    assert offered.recovery.isHidden()
    assert settings.get(RECOVERY_OFFER) == day


def test_who_wants_none_is_not_asked_again(offered: Window, make_window: MakeWindow, qtbot: QtBot):
    QTest.keyClick(offered, Qt.Key.Key_N, Qt.KeyboardModifier.AltModifier)
    qtbot.waitUntil(offered.recovery.isHidden, timeout=5000)
    window = started_again(offered, make_window)
    import_own(window, qtbot)
    assert window.recovery.isHidden()


def test_after_erasing_everything_the_next_archive_has_its_own_offer(
    offered: Window, qtbot: QtBot, settings: Settings, monkeypatch: pytest.MonkeyPatch
):
    button(offered.recovery, "I don't want one").click()
    monkeypatch.setattr("app.pages.privacy.confirmed", lambda *_: True)
    offered.privacy._erase_chat()
    qtbot.wait(100)
    assert settings.get(RECOVERY_OFFER) == recovery.DONE, "the key is the same as before"
    offered.privacy._erase_all()
    qtbot.waitUntil(lambda: settings.get(RECOVERY_OFFER) == "", timeout=5000)


@pytest.mark.parametrize("arguments", [("--empty", "--key-file"), ("--empty", "--sample")])
def test_where_it_would_save_nothing_it_is_not_offered(
    make_window: MakeWindow, qtbot: QtBot, arguments: tuple[str, ...]
):
    """Beside a key file, and for the invented chats of the sample."""
    window = make_window(*arguments)
    if "--sample" in arguments:
        window.load_sample()
        qtbot.waitUntil(lambda: not window.importing.busy and not window.archive.empty, timeout=10_000)
    else:
        import_own(window, qtbot)
    assert window.recovery.isHidden()


def test_it_waits_for_the_end_of_the_tour(make_window: MakeWindow, qtbot: QtBot):
    window = make_window("--empty")
    window.tour.begin()
    import_own(window, qtbot)
    assert window.recovery.isHidden()
    window.tour.end()
    assert window.recovery.isVisible()


def test_its_letters_press_nothing_else(offered: Window, qtbot: QtBot):
    twice = []
    for page in PAGES:
        offered.go(page)
        qtbot.wait(30)
        twice += [found for found in mnemonics(offered).values() if len(found) > 1]
    assert twice == []


def test_a_lost_key_is_said_and_the_way_to_a_new_beginning_is_open(
    make_window: MakeWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    window = make_window("--lost", wait=False)
    qtbot.waitUntil(lambda: "there is no other" in texts(window), timeout=10_000)
    assert not window._trouble.field.isVisible(), "there is nothing that could be entered"
    assert button(window._trouble, "Try again").isVisible()
    monkeypatch.setattr("app.pages.privacy.confirmed", lambda *_: True)
    window.privacy._erase_all()
    qtbot.waitUntil(lambda: window.archive.empty, timeout=5000)
    assert window._trouble.isHidden()
    assert not [each for each in QApplication.topLevelWidgets() if isinstance(each, QMessageBox)]
