"""Who of an app's people is the owner of the archive: a list for each app, to be set or corrected at any time."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel, QWidget

from app import words
from app.archive import Archive
from app.engine_client import Engine
from app.widgets.parts import ErrorBox, column, empty_layout, label

SHOWN = 16  # characters of a name in the closed list, so that a long name does not widen the window
MOST = 200  # names in a list, those who write most first


class YourNames(QWidget):
    """One row an app. `changed` when the owner was set."""

    changed = Signal()

    def __init__(self, engine: Engine, archive: Archive) -> None:
        super().__init__()
        self._engine, self._archive = engine, archive
        self._error = ErrorBox()
        self._rows = QGridLayout()
        self._rows.setColumnStretch(2, 1)
        layout = column(self, around=0)
        layout.addWidget(label(self.tr("You are"), "heading"))
        layout.addWidget(self._error)
        layout.addLayout(self._rows)

    def show_names(self) -> None:
        """Show each app with its people."""
        empty_layout(self._rows)
        for at, platform in enumerate(self._archive.platforms):
            name = QLabel(words.platform_title(platform))
            choice = self._choice(platform)
            name.setBuddy(choice)
            self._rows.addWidget(name, at, 0)
            self._rows.addWidget(choice, at, 1)
        self.setVisible(bool(self._archive.platforms))

    def _choice(self, platform: str) -> QComboBox:
        people = [person for person in self._archive.people if platform in person.platforms]
        choice = QComboBox()
        choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        choice.setMinimumContentsLength(SHOWN)
        choice.setAccessibleName(self.tr("Your name in {app}").format(app=words.platform_title(platform)))
        choice.addItem(self.tr("None of these people"), None)
        for person in people[:MOST]:
            choice.addItem(person.name, person.name)
        owner = next((person.name for person in people if platform in person.owner_in), None)
        choice.setCurrentIndex(max(0, choice.findData(owner)))
        choice.activated.connect(lambda _: self._set(platform, choice.currentData()))
        return choice

    def _set(self, platform: str, name: str | None) -> None:
        params = {"platform": platform, "name": name}
        self._engine.call("set_me", params, result=lambda _: self.changed.emit(), error=self._error.show_words)
