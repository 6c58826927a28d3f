"""Says that an import was cut off, and offers to go on with it."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from app import words
from app.data import Json
from app.engine_client import Engine, Latest
from app.widgets.parts import column, label, push, row


class Unfinished(QFrame):
    """Hidden where there is none. `resumed` for the button."""

    resumed = Signal()

    def __init__(self, engine: Engine) -> None:
        super().__init__()
        self.setProperty("look", "notice")
        self._engine = engine
        self._latest = Latest(engine)
        self._text = label("", wrap=True)
        layout = column(self)
        layout.addWidget(label(self.tr("An import was cut off"), "heading"))
        layout.addWidget(self._text)
        go_on = push(self.tr("&Go on with it"), self.resumed.emit, main=True)
        layout.addLayout(row(go_on, push(self.tr("&Leave it"), self._leave), None))
        self.hide()

    def refresh(self) -> None:
        """Ask whether there is one."""
        self._latest.call("unfinished", {}, result=self._take)

    def _take(self, data: Json | None) -> None:
        self.setVisible(bool(data))
        if data:
            names = ", ".join(Path(str(path)).name for path in data["paths"])
            text = self.tr("{names}. In the archive already: {files}. Nothing that was stored is lost.")
            self._text.setText(text.format(names=names, files=words.files(len(data["done"]))))

    def _leave(self) -> None:
        self.hide()
        self._engine.call("leave_import", {})
