"""A task under way: what it does, how far, how fast, how long still; with its buttons."""

from PySide6.QtWidgets import QProgressBar, QWidget

from app import words
from app.data import Json
from app.widgets.parts import Elided, card, column, label, row


class Running(QWidget):
    """Indeterminate until the total is known. Whoever uses it adds the `buttons`."""

    def __init__(self, title: str) -> None:
        super().__init__()
        frame, inner = card()
        layout = column(self, around=0)
        layout.addWidget(frame)
        layout.addStretch(1)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(title)
        self._note, self._figures = Elided(""), label("", "subtle", wrap=True)
        self.buttons = row()
        self._title = label(title, "heading")
        inner.addWidget(self._title)
        inner.addWidget(self._note)
        inner.addWidget(self.bar)
        inner.addWidget(self._figures)
        inner.addLayout(self.buttons)

    def begin(self, title: str = "") -> None:
        """Nothing is known yet."""
        if title:
            self._title.setText(title)
            self.bar.setAccessibleName(title)
        self.bar.setRange(0, 0)
        self._note.set_whole("")
        self._figures.setText("")

    def event_of(self, name: str, data: Json) -> None:
        """Show an event of the engine, where it is one of progress."""
        if name != "progress":
            return
        done, total = int(data.get("done") or 0), data.get("total")
        self.bar.setRange(0, 1000 if total else 0)
        if total:
            self.bar.setValue(round(1000 * done / total))
        note, figures = words.import_lines(data)
        self._note.set_whole(note)
        self._figures.setText(figures)
