"""Search, the list of chats, and reading a chat."""

from datetime import date

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot
from reading_gui import texts

from app.data import Message
from app.widgets.bubbles import right_to_left
from app.widgets.filters import Checklist, Dates
from app.widgets.results import PLACE
from app.widgets.transcript_model import KEPT, ROW, rows_of
from app.window import Window
from engine.types import Filters


def search(window: Window, qtbot: QtBot, text: str) -> list:
    page = window.search
    window.go("search")
    page.field.clear()
    QTest.keyClicks(page.field, text)
    qtbot.waitUntil(lambda: page._hits.rowCount() > 0 or "Nothing found" in texts(page), timeout=5000)
    return list(page._hits.hits)


def open_chat(window: Window, qtbot: QtBot, at: int = 0) -> None:
    window.open_chat(window.archive.chats[at])
    qtbot.waitUntil(lambda: window.reader.view.messages.rowCount() > 0, timeout=5000)
    qtbot.wait(80)


def test_results_appear_as_you_type(window: Window, qtbot: QtBot):
    hits = search(window, qtbot, "heron")
    assert hits
    assert all("heron" in hit.text for hit in hits)
    assert "places · 4 ms" in texts(window.search)
    assert window.search.timeline.isVisible()


def test_nothing_found_says_what_to_do(window: Window, qtbot: QtBot):
    assert search(window, qtbot, "xylophone") == []
    assert "Try another word." in texts(window.search)


def test_a_failed_search_says_so_where_it_happened(window: Window, qtbot: QtBot):
    window.go("search")
    window.search.field.setText("fails")
    qtbot.waitUntil(lambda: "The index cannot be read." in texts(window.search), timeout=5000)


def test_operators_and_chips_narrow(window: Window, qtbot: QtBot):
    hits = search(window, qtbot, "heron from:Nour")
    assert {hit.sender for hit in hits} == {"Nour"}
    window.search.filters.set_filters(Filters(chats=("Nour",)))
    qtbot.waitUntil(lambda: {hit.chat for hit in window.search._hits.hits} <= {"Nour"}, timeout=5000)


def test_the_keyboard_goes_from_hit_to_hit_and_opens(window: Window, qtbot: QtBot):
    search(window, qtbot, "ladder")
    page = window.search
    QTest.keyClick(page.field, Qt.Key.Key_Down)
    QTest.keyClick(page.list, Qt.Key.Key_Down)
    assert page.list.currentIndex().row() == 1
    QTest.keyClick(page.list, Qt.Key.Key_Return)
    wanted = page._hits.index(1).data(PLACE)
    qtbot.waitUntil(lambda: window.reader.view.messages.row_of(wanted.message) is not None, timeout=5000)
    assert window.reader.view.bubbles.lit == set(wanted.messages)


def test_dragging_over_the_timeline_narrows_the_dates(window: Window, qtbot: QtBot):
    search(window, qtbot, "heron")
    line = window.search.timeline
    with qtbot.waitSignal(line.narrowed) as told:
        QTest.mousePress(line, Qt.MouseButton.LeftButton, pos=QPoint(3, 20))
        QTest.mouseMove(line, QPoint(10, 20))
        QTest.mouseRelease(line, Qt.MouseButton.LeftButton, pos=QPoint(10, 20))
    assert told.args == [date(2023, 1, 1), date(2023, 1, 31)]
    assert window.search.filters.filters.date_to == date(2023, 1, 31)


def test_the_timeline_by_keyboard(window: Window, qtbot: QtBot):
    search(window, qtbot, "heron")
    line = window.search.timeline
    with qtbot.waitSignal(line.narrowed) as told:
        QTest.keyClick(line, Qt.Key.Key_Right)
        QTest.keyClick(line, Qt.Key.Key_Right)
        QTest.keyClick(line, Qt.Key.Key_Return)
    assert told.args[0] == date(2023, 2, 1)


def test_people_are_chosen_from_a_list(window: Window, qtbot: QtBot):
    bar = window.search.filters
    bar._chips["senders"].click()
    popup = bar.findChild(Checklist)
    assert popup is not None
    popup._field.setText("nour")
    assert popup._shown.rowCount() == 1
    popup._items.item(0).setCheckState(Qt.CheckState.Checked)
    assert bar.filters.senders == ("Nour",)
    assert bar._chips["senders"].text() == "Nour"
    popup.close()
    bar._clear.click()
    assert bar.filters == Filters()


def test_dates_are_chosen(window: Window, qtbot: QtBot):
    bar = window.search.filters
    bar._chips["dates"].click()
    popup = bar.findChild(Dates)
    assert popup is not None
    popup._from_on.setChecked(True)
    assert bar.filters.date_from == date(2023, 1, 9)
    assert bar.filters.date_to is None
    popup.clear()
    assert bar.filters == Filters()
    popup.close()


def test_chats_are_found_by_name_person_or_app(window: Window, qtbot: QtBot):
    window.go("chats")
    page = window.chats
    assert page._shown.rowCount() == 4
    page.field.setText("telegram")
    assert page._shown.rowCount() == 1
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.reader.view.messages.rowCount() > 0, timeout=5000)
    assert window.reader._title._whole == "Nour"


def test_a_chat_opens_at_its_end_and_grows_upwards_without_moving(window: Window, qtbot: QtBot):
    open_chat(window, qtbot)
    view = window.reader.view
    assert not view.messages.has_later
    rows = view.messages.rowCount()
    view.verticalScrollBar().setValue(view.verticalScrollBar().minimum() + 40)
    middle = view.indexAt(QPoint(view.viewport().width() // 2, view.viewport().height() // 2))
    before = (middle.data(ROW).message.id, view.visualRect(middle).top())
    qtbot.waitUntil(lambda: view.messages.rowCount() > rows, timeout=5000)
    row = view.messages.row_of(before[0])
    assert row is not None
    assert abs(view.visualRect(view.messages.index(row)).top() - before[1]) <= 2


def test_memory_stays_flat_in_a_chat_of_half_a_million(make_window, qtbot: QtBot):
    window = make_window("--large")
    open_chat(window, qtbot)
    view = window.reader.view
    for _ in range(12):
        first = view.messages.messages[0].id
        view.verticalScrollBar().setValue(view.verticalScrollBar().minimum())
        qtbot.waitUntil(lambda first=first: view.messages.messages[0].id < first, timeout=5000)
    assert view.messages.rowCount() <= KEPT
    assert view.messages.has_later
    window.reader.go_to_date("2040-06-01")
    qtbot.waitUntil(lambda: view.messages.messages[0].timestamp.startswith("2040-05"), timeout=5000)
    assert view.currentIndex().data(ROW).message.day == "2040-06-01"


def test_find_in_a_chat_goes_round(window: Window, qtbot: QtBot):
    open_chat(window, qtbot)
    QTest.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    find = window.reader.finder
    assert find.isVisible()
    find.field.setText("heron")
    qtbot.waitUntil(lambda: "30 of 30" in texts(find), timeout=5000)
    QTest.keyClick(find.field, Qt.Key.Key_Return)
    assert "1 of 30" in texts(find)
    QTest.keyClick(find.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert "30 of 30" in texts(find)
    assert window.reader.view.bubbles.marked == ("heron*",)
    find.field.setText("xylophone")
    qtbot.waitUntil(lambda: "Nothing found" in texts(find), timeout=5000)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not find.isVisible()
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert window.reader.isHidden()


def test_back_goes_to_the_place_before(window: Window, qtbot: QtBot):
    hits = search(window, qtbot, "heron")
    for hit in (hits[0], hits[-1]):
        window.open_place(hit)
        qtbot.waitUntil(lambda hit=hit: window.reader.view.messages.row_of(hit.message) is not None, timeout=5000)
    window.reader.go_back()
    assert window.reader.view.bubbles.lit == {hits[0].message}


def test_below_a_width_the_chat_takes_the_place_of_the_page(window: Window, qtbot: QtBot):
    window.resize(900, 640)
    open_chat(window, qtbot)
    assert not window._middle.isVisible()
    window.resize(1300, 700)
    assert window._middle.isVisible()
    window.resize(900, 640)
    window.close_chat()
    assert window._middle.isVisible()


@pytest.mark.parametrize("said", ["yes", "no"])
def test_a_link_opens_only_after_a_question(window: Window, monkeypatch: pytest.MonkeyPatch, said: str):
    opened: list[str] = []
    asked: list[str] = []
    answer = QMessageBox.StandardButton.Open if said == "yes" else QMessageBox.StandardButton.Cancel

    def question(box: QMessageBox) -> QMessageBox.StandardButton:
        asked.append(box.text())
        return answer

    monkeypatch.setattr(QMessageBox, "exec", question)
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toString()))
    window.reader.view.open_link("https://example.com/x")
    assert "https://example.com/x" in asked[0]
    assert opened == (["https://example.com/x"] if said == "yes" else [])


def test_names_and_days_are_shown_where_they_begin():
    def message(number: int, sender: str, at: str) -> Message:
        return Message(number, sender, at, source_id=f"s{number}", reply_to="s1" if number == 3 else "")

    rows = rows_of(
        [
            message(1, "Ana", "2024-03-01T10:00:00"),
            message(2, "Ana", "2024-03-01T10:01:00"),
            message(3, "Ana", "2024-03-01T11:00:00"),
            message(4, "Bo", "2024-03-01T11:00:05"),
            message(5, "Bo", "2024-03-02T11:00:05"),
        ]
    )
    assert [row.new_day for row in rows] == [True, False, False, False, True]
    assert [row.named for row in rows] == [True, False, True, True, True]
    assert rows[2].quoted is rows[0].message


@pytest.mark.parametrize(
    ("text", "answer"), [("سلام Ana", True), ("12: שלום", True), ("Ana سلام", False), ("123", False)]
)
def test_direction_follows_the_first_strong_letter(text: str, answer: bool):
    assert right_to_left(text) is answer
