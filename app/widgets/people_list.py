"""Those who write most, with their other names; names that were put together can be taken apart again."""

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from app import words
from app.archive import Archive
from app.engine_client import Engine
from app.widgets.parts import Elided, ErrorBox, column, empty_layout, label, push

MOST = 12  # people, besides those of several names


class PeopleList(QWidget):
    """A row a person. `changed` when names were taken apart."""

    changed = Signal()

    def __init__(self, engine: Engine, archive: Archive) -> None:
        super().__init__()
        self._engine, self._archive = engine, archive
        self._error = ErrorBox()
        self._rows = QGridLayout()
        self._rows.setColumnStretch(0, 1)
        layout = column(self, around=0)
        layout.addWidget(label(self.tr("People"), "heading"))
        layout.addWidget(self._error)
        layout.addLayout(self._rows)

    def show_people(self) -> None:
        """Show who is in the archive."""
        empty_layout(self._rows)
        shown = [person for at, person in enumerate(self._archive.people) if at < MOST or person.also]
        for at, person in enumerate(shown):
            also = self.tr("{name}, also {names}").format(name=person.name, names=", ".join(person.also))
            self._rows.addWidget(Elided(also if person.also else person.name), at, 0)
            self._rows.addWidget(label(words.messages(person.messages), "subtle"), at, 1)
            if person.also:
                apart = push(self.tr("Take apart"), partial(self._split, person.name))
                apart.setAccessibleName(f"{apart.text()}: {also}")
                self._rows.addWidget(apart, at, 2)

    def _split(self, name: str) -> None:
        params = {"name": name}
        self._engine.call(
            "people_split", params, result=lambda _: self.changed.emit(), error=self._error.show_words
        )
