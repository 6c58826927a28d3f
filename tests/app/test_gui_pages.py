"""Models, Privacy, Settings, Overview, and what the window does when the archive or the engine fails."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.data_models import Machine, ModelCheck, ModelInfo
from app.idle import Idle
from app.messages import ErrorWords
from app.settings import LOCK_AFTER, MODEL, THEME, Settings
from app.widgets.help import HelpDialog
from app.widgets.locking import PassphraseDialog
from app.widgets.machine_card import processor_line, threads_line, variant
from app.widgets.model_card import ModelCard, check_lines, memory_line
from app.widgets.network_card import Network, engine_line, sum_line
from app.widgets.recovery import RecoveryKeyDialog
from app.window import Window


def models(window: Window, qtbot: QtBot) -> dict[str, ModelCard]:
    window.go("models")
    qtbot.waitUntil(lambda: len(window.models._cards) >= 3, timeout=5000)
    qtbot.wait(30)
    return window.models._cards


def answer(monkeypatch: pytest.MonkeyPatch, said: QMessageBox.StandardButton) -> list[str]:
    asked: list[str] = []

    def question(parent: object, title: str, text: str) -> QMessageBox.StandardButton:
        asked.append(text)
        return said

    monkeypatch.setattr(QMessageBox, "question", question)
    return asked


def test_models_say_what_fits_and_which_is_used(window: Window, qtbot: QtBot):
    cards = models(window, qtbot)
    assert next(iter(cards)) == "tiny-1b"
    assert "In use" in texts(cards["tiny-1b"])
    assert "Fits this computer · needs 1.8 GB of memory, 7.5 GB free" in texts(cards["tiny-1b"])
    assert "Will not fit in the free memory" in texts(cards["huge-70b"])


def test_a_model_is_fetched_after_a_question_with_progress(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    asked = answer(monkeypatch, QMessageBox.StandardButton.Yes)
    button(models(window, qtbot)["small-0.5b"], "Get…").click()
    assert "468.6 MB" in asked[0]
    assert "only time that Backscroll uses the network" in asked[0]
    qtbot.waitUntil(lambda: "a second" in texts(window.models._cards["small-0.5b"]), timeout=5000)
    qtbot.waitUntil(lambda: "On this computer" in texts(window.models._cards["small-0.5b"]), timeout=5000)


def test_no_means_no(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    answer(monkeypatch, QMessageBox.StandardButton.No)
    button(models(window, qtbot)["small-0.5b"], "Get…").click()
    assert not window.models._calls


def test_a_download_can_be_cancelled(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    answer(monkeypatch, QMessageBox.StandardButton.Yes)
    button(models(window, qtbot)["huge-70b"], "Get…").click()
    qtbot.wait(15)
    button(window.models._cards["huge-70b"], "Cancel").click()
    assert not window.models._calls
    qtbot.waitUntil(lambda: "Get…" in texts(window.models._cards["huge-70b"]), timeout=5000)


def test_using_checking_and_adding_models(window: Window, qtbot: QtBot, settings: Settings):
    cards = models(window, qtbot)
    button(cards["tiny-1b"], "Check the file").click()
    qtbot.waitUntil(lambda: "whole and can be used" in texts(cards["tiny-1b"]), timeout=5000)
    window.take_files(["/models/own.gguf"])
    qtbot.waitUntil(lambda: "own" in window.models._cards, timeout=5000)
    qtbot.wait(30)
    button(window.models._cards["own"], "Use").click()
    qtbot.waitUntil(lambda: "In use" in texts(window.models._cards["own"]), timeout=5000)
    assert settings.get(MODEL) == "own"


def test_a_broken_model_file_is_refused_in_words(window: Window, qtbot: QtBot):
    models(window, qtbot)
    window.take_files(["/models/broken.gguf"])
    qtbot.waitUntil(lambda: "The file is not a GGUF model." in texts(window.models), timeout=5000)


def test_memory_that_is_not_known_is_not_invented():
    assert memory_line(ModelInfo(fits="fits")) == "Fits this computer"


def test_what_runs_now_is_said(window: Window, qtbot: QtBot):
    models(window, qtbot)
    qtbot.waitUntil(lambda: "Invented Chip 9000" in texts(window.models), timeout=5000)
    read = texts(window.models)
    assert "Invented Chip 9000 · AVX2, FMA · code for haswell" in read
    assert "3 on 4 cores" in read
    assert "Tiny 1B · in memory" in read
    assert "Not yet" in read


def test_a_model_is_tried_out_and_the_result_is_kept(window: Window, qtbot: QtBot):
    button(models(window, qtbot)["tiny-1b"], "Try it out (a minute)").click()
    qtbot.waitUntil(lambda: "Good for quick answers" in texts(window.models._cards["tiny-1b"]), timeout=10_000)
    read = texts(window.models._cards["tiny-1b"])
    assert "Quick: 3 of 4 right, 6.5 s each. Thorough: 1 of 2 right, 17 s each." in read
    assert "Reads about 90 words a second and writes about 9." in texts(window.models._machine)


def test_trying_out_says_what_it_does(qtbot: QtBot):
    card = ModelCard(ModelInfo(id="tiny", name="Tiny", installed=True, kind="chat"), used=True)
    qtbot.addWidget(card)
    card.show()
    card.progress({"done": 0, "total": None, "note": "Opening the model"})
    assert "Opening the model" in texts(card)
    card.progress({"done": 12, "total": 60, "note": "Asking a question: quick"})
    assert "Asking a question about the sample archive, quickly · 12 s of 1 min 0 s" in texts(card)


def test_trying_out_can_be_cancelled(make_window, qtbot: QtBot):
    window = make_window("--patient")
    button(models(window, qtbot)["tiny-1b"], "Try it out (a minute)").click()
    qtbot.waitUntil(lambda: "Opening the model" in texts(window.models._cards["tiny-1b"]), timeout=5000)
    button(window.models._cards["tiny-1b"], "Cancel").click()
    assert not window.models._calls
    qtbot.waitUntil(lambda: "Try it out" in texts(window.models._cards["tiny-1b"]), timeout=5000)
    assert "Good for" not in texts(window.models._cards["tiny-1b"])


def test_a_result_of_too_few_answers_says_so():
    assert "Too few answers" in check_lines(ModelCheck.read({"quick": {"asked": 1, "right": 1, "seconds": 40}}))
    assert "Too few answers" in check_lines(ModelCheck.read({"advice": "of a newer engine"}))


@pytest.mark.parametrize(
    ("module", "name"),
    [("libggml-cpu-haswell.so", "haswell"), ("ggml-cpu-zen4.dll", "zen4"), ("libggml-cpu.so.0", ""), ("", "")],
)
def test_the_variant_is_read_from_the_name_of_the_library(module: str, name: str):
    assert variant(module) == name


def test_safe_settings_are_said():
    assert threads_line(Machine(threads=1, cores=4, safe=True)) == "1 on 4 cores · safe settings after a crash"
    assert processor_line(Machine(processor="Chip")) == "Chip"


def test_privacy_tells_where_how_and_how_many_connections(window: Window, qtbot: QtBot):
    window.go("privacy")
    qtbot.waitUntil(lambda: "None since the start at" in texts(window.privacy), timeout=5000)
    read = texts(window.privacy)
    assert "/home/me/.local/share/backscroll" in read
    assert "The key is in the system's keyring." in read
    assert "0 opened since the start · 0 open now" in read
    assert f"grep Seccomp /proc/{window._engine.process_id}/status" in read
    button(window.privacy, "Check the archive").click()
    qtbot.waitUntil(lambda: "The archive is sound." in texts(window.privacy), timeout=5000)


def test_connections_are_counted_and_never_called_none():
    known = Network({"tried": 0, "open": 0, "since": "2024-03-14T23:41:00"}, {"tried": 2, "open": 1})
    assert sum_line(known) == "Since 23:41: 3 connections, other than the downloads below."
    assert sum_line(Network({"since": "2024-03-14T23:41:00"}, {})) == "This system does not tell."


def test_the_kernels_word_on_the_engine_is_shown():
    known = Network({}, {"tried": 0, "open": 0}, engine_process=77, engine_locked=True)
    assert "Seccomp: 2 for process 77" in engine_line(known)
    assert "Seccomp" not in engine_line(Network({}, {"tried": 0}, engine_process=77, engine_locked=False))


@pytest.mark.parametrize("sure", [True, False])
def test_erasing_everything_asks_first(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, sure: bool):
    monkeypatch.setattr(type(window.privacy), "_sure", lambda self, text: sure)
    window.go("privacy")
    button(window.privacy, "Erase everything…").click()
    if sure:
        qtbot.waitUntil(lambda: window.archive.empty, timeout=5000)
    else:
        qtbot.wait(100)
        assert not window.archive.empty


def test_settings_rows_come_from_their_declarations(window: Window, qtbot: QtBot, settings: Settings):
    window.go("settings")
    boxes = {each.accessibleName(): each for each in window.settings_page.findChildren(QComboBox)}
    assert set(boxes) == {"Colours", "Text size", "Language", "How to answer", "Lock after"}
    colours = boxes["Colours"]
    colours.setCurrentIndex(colours.findData("dark"))
    colours.activated.emit(colours.currentIndex())
    assert settings.get(THEME) == "dark"


def test_the_overview_counts_and_draws(window: Window, qtbot: QtBot):
    window.go("overview")
    qtbot.waitUntil(lambda: bool(window.overview._months._bars), timeout=5000)
    read = texts(window.overview)
    assert "4 chats · 1,980 messages · Jan 2023 – Feb 2023" in read
    assert "WhatsApp · 1 chat · 1,200 messages" in read
    assert len(window.overview._hours._bars) == 24
    assert "messages" in window.overview._months.accessibleDescription()
    assert "First message Mon 9 Jan 2023, 08:05, last message" in read
    window.overview._which.setCurrentIndex(1)
    window.overview.refresh()
    assert "People: Nour, Tomasz" in texts(window.overview)
    assert "WhatsApp · 1,200 messages" in texts(window.overview)


@pytest.mark.parametrize("said", ["One person", "Different people"])
def test_names_are_put_together_only_by_a_person(window: Window, qtbot: QtBot, said: str):
    window.go("overview")
    qtbot.waitUntil(lambda: "Nour · Nour Haddad" in texts(window.overview), timeout=5000)
    assert "One name is a part of the other." in texts(window.overview)
    button(window.overview, said).click()
    qtbot.waitUntil(lambda: "Are these the same person?" not in texts(window.overview), timeout=5000)


def test_names_of_one_person_can_be_taken_apart(window: Window, qtbot: QtBot):
    window.go("overview")
    qtbot.waitUntil(lambda: "also +44 7700 900123" in texts(window.overview), timeout=5000)
    button(window.overview, "Take apart").click()
    qtbot.waitUntil(lambda: "also +44 7700 900123" not in texts(window.overview), timeout=5000)


def test_the_owner_of_an_app_can_be_chosen(window: Window, qtbot: QtBot):
    window.go("overview")
    (choice,) = (
        c for c in window.overview.findChildren(QComboBox) if c.accessibleName() == "Your name in WhatsApp"
    )
    assert choice.currentText() == "None of these people"
    choice.setCurrentIndex(1)
    with qtbot.waitSignal(window.overview._names.changed, timeout=5000):
        choice.activated.emit(1)


def test_a_locked_archive_asks_for_the_passphrase(make_window, qtbot: QtBot):
    window = make_window("--locked", wait=False)
    qtbot.waitUntil(lambda: "The archive is locked by a passphrase." in texts(window), timeout=10_000)
    trouble = window._trouble
    trouble.field.setText("open")
    button(trouble, "Unlock").click()
    qtbot.waitUntil(lambda: "does not open the archive" in texts(trouble), timeout=5000)
    assert trouble.field.text() == ""
    trouble.field.setText("sesame")
    QTest.keyClick(trouble.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not trouble.isVisible(), timeout=5000)
    assert window.archive.status is not None


def test_setting_a_passphrase_and_locking(window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    window.go("privacy")
    window.lock.lock()  # without a passphrase there is nothing that could open it again
    assert window.archive.status is not None
    card = window.privacy._lock
    monkeypatch.setattr(PassphraseDialog, "exec", lambda self: fill(self))
    button(card, "Set a passphrase…").click()
    qtbot.waitUntil(lambda: "A passphrase opens the archive." in texts(card), timeout=5000)
    window.open_chat(window.archive.chats[0])
    window.search.field.setText("heron")
    qtbot.waitUntil(lambda: window.search._hits.rowCount() > 0, timeout=5000)
    old = window._engine.process_id
    button(card, "Lock now").click()
    assert window.archive.status is None
    assert window.archive.chats == ()
    assert window.reader.isHidden()
    assert window.reader.view.messages.rowCount() == 0
    assert window.search.field.text() == ""
    qtbot.waitUntil(lambda: window.archive.status is not None, timeout=10_000)
    assert window._engine.process_id != old
    assert window._notice.text == ""


def test_the_idle_lock_is_set_on_the_privacy_page_too(window: Window, qtbot: QtBot, settings: Settings):
    window.go("privacy")
    choice = window.privacy._lock._after
    choice.setCurrentIndex(choice.findData(15))
    choice.activated.emit(choice.currentIndex())
    assert settings.get(LOCK_AFTER) == 15
    settings.set(LOCK_AFTER, 5)
    assert choice.currentData() == 5


def fill(dialog: PassphraseDialog) -> int:
    """Enter a passphrase as a person does; says what the dialog would."""
    dialog._first.setText("short")
    assert not dialog._ok.isEnabled()
    dialog._first.setText("long enough")
    assert "not the same" in dialog._said.text()
    dialog._second.setText("long enough")
    assert dialog._ok.isEnabled()
    return QDialog.DialogCode.Accepted


def test_a_recovery_key_is_shown_once(window: Window, qtbot: QtBot):
    window.go("privacy")
    button(window.privacy, "Make a recovery key…").click()
    qtbot.waitUntil(lambda: bool(window.findChildren(RecoveryKeyDialog)), timeout=5000)
    (dialog,) = window.findChildren(RecoveryKeyDialog)
    assert dialog.field.text() == "ABCD-EFGH-JKLM"
    qtbot.waitUntil(lambda: "There is a recovery key." in texts(window.privacy), timeout=5000)
    button(dialog, "Close").click()


def test_an_idle_window_locks_itself(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("app.idle.MINUTE", 40)
    idle = Idle()
    heard: list[bool] = []
    idle.idle.connect(lambda: heard.append(True))
    idle.watch(5)
    box = QLabel("x")
    qtbot.addWidget(box)
    for _ in range(5):
        qtbot.wait(60)
        QTest.keyClick(box, Qt.Key.Key_A)
    assert not heard
    qtbot.waitUntil(lambda: heard == [True], timeout=3000)
    idle.watch(5)
    idle.watch(0)
    qtbot.wait(300)
    assert heard == [True]
    idle.deleteLater()


def test_an_archive_that_does_not_open_can_be_tried_again(window: Window, qtbot: QtBot):
    window.archive.failed.emit(ErrorWords("Another Backscroll is using this archive.", kind="ArchiveBusy"))
    button(window._trouble, "Try again").click()
    qtbot.waitUntil(lambda: not window._trouble.isVisible(), timeout=5000)


def test_an_engine_that_cannot_be_kept_running_leaves_a_button(
    make_window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("app.restart.PAUSES", (0.01, 0.01, 0.01))
    window = make_window("--dies", wait=False)
    qtbot.waitUntil(lambda: "could not be kept running" in window._notice.text, timeout=20_000)
    assert button(window._notice, "Start it again")


def test_the_list_of_keys(window: Window, qtbot: QtBot):
    QTest.keyClick(window, Qt.Key.Key_F1)
    dialog = window.findChild(HelpDialog)
    assert dialog is not None
    shown = [each.text() for each in dialog.findChildren(QLabel)]
    assert "Ctrl+K" in shown
    assert "Search all chats" in shown
    dialog.reject()
    QApplication.processEvents()
