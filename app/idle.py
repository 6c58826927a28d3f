"""Notices that nobody has pressed a key or a button for a while."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal

ACTS = frozenset({QEvent.Type.KeyPress, QEvent.Type.MouseButtonPress, QEvent.Type.Wheel, QEvent.Type.TouchBegin})
MINUTE = 60_000  # ms


class Idle(QObject):
    """`idle` after so many minutes. It looks at events only while it watches."""

    idle = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.idle.emit)

    def watch(self, minutes: int) -> None:
        """Begin anew; 0 ends it."""
        app = QCoreApplication.instance()
        if app is None:
            return
        app.removeEventFilter(self)
        self._timer.stop()
        if minutes:
            self._timer.start(minutes * MINUTE)
            app.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Begin to wait anew with every act of the person."""
        if event.type() in ACTS and self._timer.isActive():
            self._timer.start()
        return False
