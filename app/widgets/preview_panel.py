"""The files of an import before it starts: a card each, who of the people is “me”, and the time zone."""

from collections.abc import Collection, Sequence
from zoneinfo import available_timezones

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout, QWidget

from app.data_import import FilePreview
from app.widgets.parts import column, empty_layout, push, row
from app.widgets.preview_card import PreviewCard


class PreviewPanel(QWidget):
    """Shows previews and holds the choices.

    `order_chosen` carries a path and a date order to look with, `columns_chosen` a path and columns.
    """

    import_wanted = Signal()
    cancelled = Signal()
    order_chosen = Signal(str, str)
    columns_chosen = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self._cards: dict[str, PreviewCard] = {}
        self._files = QVBoxLayout()
        self._files.setSpacing(8)
        self.me, self.zone = QComboBox(), QComboBox()
        self.me.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.me.setMinimumContentsLength(24)
        me, self._zone_label = QLabel(self.tr("&You are")), QLabel(self.tr("Time &zone of the export"))
        me.setBuddy(self.me)
        self._zone_label.setBuddy(self.zone)
        self.me.setAccessibleName(self.tr("Which of these people you are"))
        self.zone.setAccessibleName(self.tr("Time zone of the export"))
        self.go = push(self.tr("&Import"), self.import_wanted.emit, main=True)
        layout = column(self, around=0, between=2)
        layout.addLayout(self._files)
        layout.addLayout(row(me, self.me, None))
        layout.addLayout(row(self._zone_label, self.zone, None))
        layout.addLayout(row(self.go, push(self.tr("&Cancel"), self.cancelled.emit), None))
        layout.addStretch(1)

    @property
    def paths(self) -> list[str]:
        """The files that can be imported."""
        return [path for path, shown in self._cards.items() if shown.preview.recognised]

    @property
    def chosen_me(self) -> str:
        """The name of the person, empty where they are not among the people."""
        return self.me.currentText() if self.me.currentIndex() > 0 else ""

    @property
    def chosen_zone(self) -> str | None:
        """The zone of naive times, None for this computer's."""
        return self.zone.currentText() if self.zone.currentIndex() > 0 else None

    def clear(self) -> None:
        """Forget the files."""
        empty_layout(self._files)
        self._cards.clear()

    def show_files(self, files: Sequence[FilePreview], owner: Collection[str] = ()) -> None:
        """Show these; a name of the owner is chosen where one of the people has it."""
        self.clear()
        for each in files:
            self._add(each)
        people = dict.fromkeys(name for each in files for name in each.senders)
        self.me.clear()
        self.me.addItem(self.tr("None of these people"))
        self.me.addItems(list(people))
        if me := next((name for name in people if name in owner), None):
            self.me.setCurrentText(me)
        if not self.zone.count():
            self.zone.addItem(self.tr("As this computer has it"))
            self.zone.addItems(sorted(available_timezones()))
        naive = any(each.naive_times for each in files)
        self.zone.setVisible(naive)
        self._zone_label.setVisible(naive)
        self.go.setEnabled(bool(self.paths))

    def replace(self, preview: FilePreview) -> None:
        """Show a file anew, its dates read in another way."""
        old = self._cards.get(preview.path)
        if old:
            at = self._files.indexOf(old)
            self._files.removeWidget(old)
            old.hide()
            old.deleteLater()
            self._add(preview, at, old.orders)
            self.go.setEnabled(bool(self.paths))

    def _add(self, preview: FilePreview, at: int = -1, orders: tuple[str, ...] = ()) -> None:
        made = PreviewCard(preview, orders)
        made.order_chosen.connect(self.order_chosen.emit)
        made.columns_chosen.connect(self.columns_chosen.emit)
        self._cards[preview.path] = made
        self._files.insertWidget(at, made)
