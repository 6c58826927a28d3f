"""Importing: looking at files first, choosing, progress, cancelling, failing, the report."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QComboBox, QFileDialog, QPushButton, QRadioButton
from pytestqt.qtbot import QtBot
from reading_gui import button, texts

from app.data_import import FilePreview, ImportReport, Problem
from app.widgets.preview_card import SHOWN_PROBLEMS, problem_lines
from app.widgets.report import report_text
from app.window import Window, local_paths


def look(window: Window, qtbot: QtBot, *names: str) -> None:
    window.go("importing")
    window.importing.take([f"/exports/{name}" for name in names])
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=5000)
    qtbot.wait(30)


def test_dropped_files_are_looked_at_and_nothing_is_stored(make_window, qtbot: QtBot, tmp_path: Path):
    window = make_window("--empty")
    export = tmp_path / "WhatsApp Chat.txt"
    export.write_text("x")
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(export)), QUrl("https://example.com/chat.txt")])
    drop = QDropEvent(
        QPointF(5, 5), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(drop)
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=5000)
    qtbot.wait(30)
    read = texts(window.importing)
    assert "WhatsApp chat export · 1,200 messages" in read
    assert "Nour: did you see the heron" in read
    assert window.archive.empty
    assert window.navigation.current == "importing"


def test_only_local_files_that_exist_are_taken(tmp_path: Path):
    (tmp_path / "a.txt").write_text("")
    urls = [QUrl.fromLocalFile(str(tmp_path / name)) for name in ("a.txt", "b.txt")]
    assert local_paths([*urls, QUrl("ftp://example.com/a.txt")]) == [str(tmp_path / "a.txt")]


def test_the_date_order_is_explained_and_can_be_switched(window: Window, qtbot: QtBot):
    look(window, qtbot, "Riverside.txt")
    assert "Please check the dates." in texts(window.importing)
    assert "9 Jan 2023" in texts(window.importing)
    choices = [each for each in window.importing.findChildren(QRadioButton) if each.isVisible()]
    assert [each.isChecked() for each in choices] == [True, False]
    choices[1].click()
    qtbot.waitUntil(lambda: "Sept 2023" in texts(window.importing), timeout=5000)
    choices = [each for each in window.importing.findChildren(QRadioButton) if each.isVisible()]
    assert [each.isChecked() for each in choices] == [False, True]
    assert window.importing._orders == {"/exports/Riverside.txt": "mdy"}


def test_an_import_runs_to_its_report(make_window, qtbot: QtBot, tmp_path: Path):
    window = make_window("--empty")
    look(window, qtbot, "Riverside.txt", "unknown.doc")
    assert "Not recognised." in texts(window.importing)
    window.importing.preview.me.setCurrentText("Nour")
    window.importing.preview.zone.setCurrentText("Europe/Lisbon")
    button(window.importing, "Import").click()
    qtbot.waitUntil(lambda: "a second" in texts(window.importing), timeout=5000)
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=5000)
    qtbot.wait(30)
    read = texts(window.importing)
    assert "1,180 new · 19 already there · 4 notices of the app · 1 line skipped" in read
    button(window.importing, "Skipped lines and remarks").click()
    assert "Line 31: A line without a date.  “lorem ipsum”" in texts(window.importing)
    qtbot.waitUntil(lambda: bool(window.archive.chats), timeout=5000)
    assert not [path for path in tmp_path.glob("settings*") if "Nour" in path.read_text()]


def test_who_the_person_is_known_to_be_is_chosen_in_the_next_import(make_window, qtbot: QtBot):
    window = make_window()
    assert window.archive.status is not None
    window.archive.status = replace(window.archive.status, owners=("李梅", "somebody else"))
    look(window, qtbot, "Riverside.txt")
    assert window.importing.preview.chosen_me == "李梅"


def test_a_report_can_be_saved(window: Window, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    look(window, qtbot, "Riverside.txt")
    window.importing.start_import()
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=5000)
    qtbot.wait(30)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "report.txt"), ""))
    button(window.importing, "Save the report…").click()
    assert "31\tA line without a date.\tlorem ipsum" in (tmp_path / "report.txt").read_text("utf-8")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "no" / "report.txt"), ""))
    button(window.importing, "Save the report…").click()
    assert "could not be saved" in texts(window.importing)


def test_cancelling_goes_back_to_the_files(window: Window, qtbot: QtBot):
    look(window, qtbot, "slow.txt")
    window.importing.start_import()
    qtbot.waitUntil(lambda: "left" in texts(window.importing), timeout=5000)
    button(window.importing, "Pause").click()
    assert button(window.importing, "Go on")
    button(window.importing, "Cancel").click()
    assert not window.importing.busy
    assert button(window.importing, "Import").isEnabled()


@pytest.mark.parametrize(
    ("name", "said"), [("full.txt", "The disk is full."), ("crash.txt", "stopped unexpectedly")]
)
def test_a_failed_import_says_why_and_can_be_tried_again(window: Window, qtbot: QtBot, name: str, said: str):
    look(window, qtbot, name)
    window.importing.start_import()
    qtbot.waitUntil(lambda: not window.importing.busy, timeout=5000)
    qtbot.wait(30)
    assert said in texts(window.importing)
    assert button(window.importing, "Import").isEnabled()


def test_nothing_recognised_leaves_nothing_to_import(window: Window, qtbot: QtBot):
    look(window, qtbot, "unknown.doc")
    assert not button(window.importing, "Import").isEnabled()


def test_formats_tell_how_to_export(window: Window, qtbot: QtBot):
    window.go("importing")
    qtbot.waitUntil(lambda: "WhatsApp chat export" in texts(window.importing), timeout=5000)
    button(window.importing, "WhatsApp chat export").click()
    assert "2. Choose Export chat." in texts(window.importing)


def test_the_columns_of_a_table_can_be_assigned(window: Window, qtbot: QtBot):
    look(window, qtbot, "table.csv")
    assert not button(window.importing.preview, "Import").isEnabled()
    choices = {
        each.accessibleName(): each for each in window.importing.findChildren(QComboBox) if each.isVisible()
    }
    assert choices["Time"].currentText() == "Tag"
    assert [choices["Words"].itemText(n) for n in range(4)] == ["None", "Tag", "Wer", "Gesagt"]
    choices["Words"].setCurrentIndex(3)
    choices["Words"].activated.emit(3)
    qtbot.waitUntil(lambda: "Table · 12 messages" in texts(window.importing), timeout=5000)
    assert button(window.importing.preview, "Import").isEnabled()
    assert window.importing._columns == {
        "/exports/table.csv": {"text": "Gesagt", "sender": "", "time": "Tag", "date": "", "chat": ""}
    }


def test_contacts_are_counted_as_contacts(window: Window, qtbot: QtBot):
    look(window, qtbot, "contacts.vcf")
    assert "Contacts (vCard) · 31 contacts: numbers get the names of people" in texts(window.importing)
    report = ImportReport.read({"files": [{"path": "/x/a.vcf", "status": "imported", "contacts": 31, "named": 4}]})
    assert "Imported · 31 contacts; 4 people got their name" in report_text(report)


def test_many_problems_are_counted_not_listed():
    problems = tuple(Problem(n, "odd") for n in range(SHOWN_PROBLEMS + 7))
    assert problem_lines(problems).endswith("and 7 more")


def test_a_report_as_text_names_every_problem():
    report = ImportReport.read(
        {
            "files": [
                {
                    "path": "/x/chat.txt",
                    "status": "partly",
                    "new": 5,
                    "skipped": 2,
                    "date_order": "dmy",
                    "date_order_reason": "13/02 is there",
                    "problems": [{"line": 3, "reason": "odd", "excerpt": "x"}, {"line": 9, "reason": "odd"}],
                }
            ]
        }
    )
    assert report_text(report).splitlines() == [
        "/x/chat.txt",
        "Imported in part · 5 new · 2 lines skipped",
        "dmy: 13/02 is there",
        "3\todd\tx",
        "9\todd\t",
    ]


def test_a_preview_without_dates_or_people_can_be_read():
    assert FilePreview.read({"path": "x", "status": "unrecognised", "chats": None}).recognised is False


def test_what_was_imported_before_is_listed_with_its_report(window: Window, qtbot: QtBot):
    window.go("importing")
    past = window.importing.past
    qtbot.waitUntil(lambda: "Riverside.txt" in texts(past), timeout=5000)
    read = texts(past)
    assert "Imported · 1,180 new · 19 already there · 4 notices of the app · 1 line skipped" in read
    assert "Dates: day first: 04/03 is 4 March. A day is above 12." in read
    button(past, "Skipped lines and remarks").click()
    assert "Line 31: A line without a date." in texts(past)
    again = [each for each in past.findChildren(QPushButton) if each.text() == "Look at it again…"]
    assert len(again) == 1, "only where the file is still there"
    again[0].click()
    qtbot.waitUntil(lambda: "Please check the dates." in texts(window.importing), timeout=5000)


@pytest.mark.parametrize("sure", [True, False])
def test_an_import_is_taken_back_after_a_question(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, sure: bool
):
    window.go("importing")
    past = window.importing.past
    asked: list[str] = []
    monkeypatch.setattr(type(past), "sure", lambda self, name: bool(asked.append(name)) or sure)
    qtbot.waitUntil(lambda: "Riverside.txt" in texts(past), timeout=5000)
    button(past, "Take it back…").click()
    assert asked == ["Riverside.txt"]
    if sure:
        qtbot.waitUntil(lambda: "Taking an import back" in texts(window.importing), timeout=5000)
        qtbot.waitUntil(lambda: bool(texts(past)) and "Riverside.txt" not in texts(past), timeout=5000)
    else:
        assert not window.importing.busy


@pytest.mark.parametrize("go_on", [True, False])
def test_an_import_that_was_cut_off_can_be_gone_on_with(make_window, qtbot: QtBot, go_on: bool):
    window = make_window("--cut")
    window.go("importing")
    qtbot.waitUntil(lambda: "An import was cut off" in texts(window.importing), timeout=5000)
    assert "a.txt, b.txt. In the archive already: 1 file." in texts(window.importing)
    if go_on:
        button(window.importing, "Go on with it").click()
        qtbot.waitUntil(lambda: "1,180 new" in texts(window.importing._report), timeout=5000)
    else:
        button(window.importing, "Leave it").click()
    assert "An import was cut off" not in texts(window.importing)
    window.importing.refresh()
    qtbot.wait(100)
    assert "An import was cut off" not in texts(window.importing)
