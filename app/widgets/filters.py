"""Filters as chips: people, chats, apps and dates. Each chip opens a small window to choose in."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from PySide6.QtCore import QDate, QPoint, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QDateEdit, QFrame, QLineEdit, QListView, QWidget

from app import words
from app.i18n import translate
from app.theme import GRID
from app.widgets.parts import Button, column, label, push, row
from engine.types import Filters

MENU = 32  # characters of a chip's text


class Popup(QFrame):
    """A frame that opens beneath a chip and closes when the person clicks elsewhere or presses Esc."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setProperty("look", "hover")

    def open_at(self, chip: QWidget) -> None:
        """Show it beneath a widget, inside of the screen."""
        self.adjustSize()
        place = chip.mapToGlobal(QPoint(0, chip.height() + 2))
        room = chip.screen().availableGeometry()
        if place.y() + self.height() > room.bottom():
            place.setY(chip.mapToGlobal(QPoint(0, 0)).y() - self.height() - 2)
        place.setX(max(room.left(), min(place.x(), room.right() - self.width())))
        self.move(place)
        self.show()


class Checklist(Popup):
    """Names to tick, with a field that narrows them."""

    changed = Signal(tuple)

    def __init__(self, title: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._items = QStandardItemModel(self)
        self._shown = QSortFilterProxyModel(self)
        self._shown.setSourceModel(self._items)
        self._shown.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._field = QLineEdit()
        self._field.setPlaceholderText(title)
        self._field.setAccessibleName(title)
        self._field.textChanged.connect(self._shown.setFilterFixedString)
        self._list = QListView()
        self._list.setModel(self._shown)
        self._list.setAccessibleName(title)
        self._list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self._list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self._list.setFixedSize(280, 240)
        layout = column(self, around=1)
        layout.addWidget(self._field)
        layout.addWidget(self._list)
        layout.addLayout(row(None, push(self.tr("&Clear"), self.clear), push(self.tr("&Done"), self.close)))
        self._items.itemChanged.connect(lambda _: self.changed.emit(self.ticked()))

    def set_choices(self, names: Iterable[tuple[str, str]], ticked: Iterable[str]) -> None:
        """Values with their names, and which of them are ticked."""
        on = set(ticked)
        self._items.blockSignals(True)
        self._items.clear()
        for value, name in names:
            item = QStandardItem(name)
            item.setData(value)
            item.setToolTip(name)
            item.setCheckable(True)
            item.setCheckState(Qt.CheckState.Checked if value in on else Qt.CheckState.Unchecked)
            self._items.appendRow(item)
        self._items.blockSignals(False)
        self._items.layoutChanged.emit()

    def ticked(self) -> tuple[str, ...]:
        """The values that are ticked."""
        items = (self._items.item(at) for at in range(self._items.rowCount()))
        return tuple(item.data() for item in items if item.checkState() == Qt.CheckState.Checked)

    def clear(self) -> None:
        """Untick all."""
        for at in range(self._items.rowCount()):
            self._items.item(at).setCheckState(Qt.CheckState.Unchecked)

    def open_at(self, chip: QWidget) -> None:
        """Show it with the cursor in its field."""
        self._field.clear()
        super().open_at(chip)
        self._field.setFocus()


class Dates(Popup):
    """From and to, with quick choices."""

    changed = Signal(object, object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._from_on, self._from = self._edge(self.tr("&From"))
        self._to_on, self._to = self._edge(self.tr("&To"))
        quick = row(between=1)
        for text, days in ((self.tr("30 days"), 30), (self.tr("A year"), 365)):
            chip = Button(text, look="chip")
            chip.clicked.connect(lambda _=False, back=days: self._last(back))
            quick.addWidget(chip)
        quick.addStretch(1)
        layout = column(self, around=1)
        layout.addWidget(label(self.tr("Dates"), "heading"))
        layout.addLayout(quick)
        layout.addLayout(row(self._from_on, self._from))
        layout.addLayout(row(self._to_on, self._to))
        layout.addLayout(row(None, push(self.tr("&Clear"), self.clear), push(self.tr("&Done"), self.close)))

    def _edge(self, name: str) -> tuple[QCheckBox, QDateEdit]:
        box, edit = QCheckBox(name), QDateEdit()
        edit.setCalendarPopup(True)
        edit.setAccessibleName(name.replace("&", ""))
        edit.setDisplayFormat(translate("Words", "d MMM yyyy", "date format of Qt: 14 Mar 2024"))
        edit.setMinimumWidth(16 * GRID)
        box.toggled.connect(self._tell)
        edit.dateChanged.connect(lambda: box.setChecked(True))
        edit.dateChanged.connect(self._tell)
        return box, edit

    def set_range(self, first: date | None, last: date | None, earliest: date, latest: date) -> None:
        """What is chosen, and where the archive begins and ends."""
        self.blockSignals(True)
        for box, edit, chosen, other in (
            (self._from_on, self._from, first, earliest),
            (self._to_on, self._to, last, latest),
        ):
            day = chosen or other
            edit.setDate(QDate(day.year, day.month, day.day))
            box.setChecked(chosen is not None)
        self.blockSignals(False)

    def clear(self) -> None:
        """No limit."""
        self._from_on.setChecked(False)
        self._to_on.setChecked(False)

    def _last(self, days: int) -> None:
        start = QDate.currentDate().addDays(-days)
        self._from.setDate(start)
        self._from_on.setChecked(True)
        self._to_on.setChecked(False)

    def _tell(self) -> None:
        first = _day(self._from.date()) if self._from_on.isChecked() else None
        last = _day(self._to.date()) if self._to_on.isChecked() else None
        self.changed.emit(first, last)


def _day(value: QDate) -> date:
    return date(value.year(), value.month(), value.day())


class FilterBar(QWidget):
    """The chips. Holds what is chosen as the engine's `Filters`."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.filters = Filters()
        self._earliest, self._latest = date.today() - timedelta(days=365), date.today()
        self._choices: dict[str, list[tuple[str, str]]] = {"senders": [], "chats": [], "platforms": []}
        titles = {"senders": self.tr("People"), "chats": self.tr("Chats"), "platforms": self.tr("Apps")}
        self._titles = titles | {"dates": self.tr("Dates")}
        self._chips: dict[str, Button] = {}
        layout = row()
        for kind, title in self._titles.items():
            chip = Button(title, "down", "chip")
            chip.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
            chip.clicked.connect(lambda _=False, which=kind: self._open(which))
            self._chips[kind] = chip
            layout.addWidget(chip)
        self._clear = Button(self.tr("Clear filters"), "close", only_icon=True)
        self._clear.clicked.connect(lambda: self.set_filters(Filters()))
        layout.addWidget(self._clear)
        layout.addStretch(1)
        self.setLayout(layout)
        self._show()

    def set_choices(
        self, people: Iterable[str], chats: Iterable[str], platforms: Iterable[str], first: str, last: str
    ) -> None:
        """What is in the archive."""
        self._choices = {
            "senders": [(name, name) for name in people],
            "chats": [(name, name) for name in dict.fromkeys(chats)],
            "platforms": [(each, words.platform_title(each)) for each in platforms],
        }
        one, other = words.moment(first), words.moment(last)
        if one and other:
            self._earliest, self._latest = one.date(), other.date()

    def set_filters(self, filters: Filters) -> None:
        """Choose."""
        if filters != self.filters:
            self.filters = filters
            self._show()
            self.changed.emit()

    def _open(self, kind: str) -> None:
        if kind == "dates":
            dates = Dates(self)
            chosen = self.filters
            dates.set_range(chosen.date_from, chosen.date_to, self._earliest, self._latest)
            dates.changed.connect(
                lambda one, other: self.set_filters(replace(self.filters, date_from=one, date_to=other))
            )
            popup: Popup = dates
        else:
            names = Checklist(self._titles[kind], self)
            names.set_choices(self._choices[kind], getattr(self.filters, kind))
            names.changed.connect(lambda got: self.set_filters(replace(self.filters, **{kind: got})))
            popup = names
        popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        popup.open_at(self._chips[kind])

    def _show(self) -> None:
        for kind, chip in self._chips.items():
            text = self._text(kind)
            shown = text if len(text) <= MENU else text[: MENU - 1] + "…"
            chip.setText(shown.replace("&", "&&") or self._titles[kind])
            chip.setToolTip(text)
            chip.setAccessibleName(f"{self._titles[kind]}: {text}" if text else self._titles[kind])
            chip.setProperty("set", "true" if text else "false")
            chip.style().unpolish(chip)
            chip.style().polish(chip)
        self._clear.setVisible(self.filters != Filters())

    def _text(self, kind: str) -> str:
        """What a chip says when something is chosen, empty where nothing is."""
        if kind == "dates":
            ends = [self.filters.date_from, self.filters.date_to]
            first, last = (words.short_date(day.isoformat()) if day else "" for day in ends)
            return f"{first} – {last}" if first or last else ""
        chosen: tuple[str, ...] = getattr(self.filters, kind)
        if kind == "platforms":
            chosen = tuple(words.platform_title(each) for each in chosen)
        return chosen[0] + (f" +{len(chosen) - 1}" if len(chosen) > 1 else "") if chosen else ""
