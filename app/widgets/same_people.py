"""Names that may be one person, each with two buttons: nothing is put together that nobody confirmed."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.archive import Archive
from app.data import Json
from app.engine_client import Engine, Latest
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.theme import GRID
from app.widgets.parts import ErrorBox, column, empty_layout, label, push, row

REASONS = {
    "same number": QT_TRANSLATE_NOOP("SamePeople", "The phone numbers are the same."),
    "same name": QT_TRANSLATE_NOOP("SamePeople", "The names differ only in how they are written."),
    "both you": QT_TRANSLATE_NOOP("SamePeople", "You write under these names."),
    "part of the name": QT_TRANSLATE_NOOP("SamePeople", "One name is a part of the other."),
}
SHOWN = 5


class SamePeople(QWidget):
    """The suggestions. `changed` when people were put together."""

    changed = Signal()

    def __init__(self, engine: Engine, archive: Archive) -> None:
        super().__init__()
        self._engine, self._archive = engine, archive
        self._latest = Latest(engine)
        self._error = ErrorBox()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(GRID)
        layout = column(self, around=0)
        layout.addWidget(label(self.tr("Are these the same person?"), "heading"))
        layout.addWidget(self._error)
        layout.addLayout(self._rows)
        self.hide()

    def refresh(self) -> None:
        """Ask for suggestions."""
        self._latest.call("people_suggestions", {}, result=self._take)

    def _take(self, data: list[Json]) -> None:
        empty_layout(self._rows)
        for each in data[:SHOWN]:
            self._rows.addWidget(self._row(each))
        self.setVisible(bool(data))

    def _row(self, suggestion: Json) -> QWidget:
        names = [str(name) for name in suggestion["names"]]
        reason = REASONS.get(str(suggestion.get("reason")))
        made = QWidget()
        inner = column(made, around=0, between=0)
        inner.addWidget(label(" · ".join(names), wrap=True))
        inner.addWidget(label(translate("SamePeople", reason) if reason else "", "subtle", wrap=True))
        same = push(self.tr("One person"), lambda: self._merge(names))
        other = push(self.tr("Different people"), lambda: self._part(names))
        for button in (same, other):
            button.setAccessibleName(f"{button.text()}: {', '.join(names)}")
        inner.addLayout(row(same, other, None))
        return made

    def _merge(self, names: Sequence[str]) -> None:
        """Show them under the name that wrote most."""
        known = [person.name for person in self._archive.people]
        into = next((name for name in known if name in names), names[0])
        params = {"names": list(names), "into": into}
        self._engine.call("people_merge", params, result=lambda _: self._done(), error=self._error.show_words)

    def _part(self, names: Sequence[str]) -> None:
        """Remember that they are not one."""
        for name in names[:-1]:
            self._engine.call("people_split", {"name": name}, error=self._error.show_words)
        last = {"name": names[-1]}
        self._engine.call("people_split", last, result=lambda _: self._done(), error=self._error.show_words)

    def _done(self) -> None:
        self._error.hide()
        self.changed.emit()
        self.refresh()
