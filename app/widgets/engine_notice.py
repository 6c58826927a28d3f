"""Says when the engine has stopped, and when it is back."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame

from app.engine_client import EngineClient, EngineState
from app.widgets.parts import announce, column, label, push, row

BACK_FOR = 6000  # ms that “it is back” stays


class EngineNotice(QFrame):
    """A line above the page, hidden while all is well."""

    def __init__(self, engine: EngineClient) -> None:
        super().__init__()
        self.setProperty("look", "notice")
        self._engine = engine
        self._troubled = False
        self._text = label("", wrap=True)
        self._start = push(self.tr("Start it &again"), engine.start_again)
        inner = row(self._text, self._start)
        inner.setStretch(0, 1)
        column(self, around=1).addLayout(inner)
        self._gone = QTimer(self, singleShot=True, interval=BACK_FOR)
        self._gone.timeout.connect(self.hide)
        engine.state_changed.connect(self._show_state)
        self.hide()

    @property
    def text(self) -> str:
        """What is said, empty while all is well."""
        return "" if self.isHidden() else self._text.text()

    def _show_state(self, state: EngineState) -> None:
        self._gone.stop()
        self._start.setVisible(state == EngineState.STOPPED)
        if state == EngineState.READY:
            if self._troubled:
                self._troubled = False
                said = self.tr("The engine is running again.")
                if self._engine.safe:
                    said += " " + self.tr("It uses safe settings now: fewer threads and less memory.")
                self._say(said)
                self._gone.start()
            return
        self._troubled = state != EngineState.STARTING
        if state == EngineState.RESTARTING:
            self._say(
                self.tr("The engine stopped unexpectedly and is starting again. Nothing that was stored is lost.")
            )
        elif state == EngineState.STOPPED:
            said = self.tr("The engine could not be kept running.")
            self._say(said + " " + self.tr("If starting it again does not help, choose a smaller model."))

    def _say(self, text: str) -> None:
        self._text.setText(text)
        self.show()
        announce(self, text)
