"""Locks the archive: at the person's wish, or when nobody has used the window for a while."""

from PySide6.QtCore import QObject, Signal

from app.archive import Archive
from app.engine_client import EngineClient
from app.idle import Idle
from app.settings import LOCK_AFTER, Settings

PASSPHRASE = "passphrase"  # as the engine calls this protection


class Lock(QObject):
    """Ends the engine with its key. `locking` tells the window to forget what it shows."""

    locking = Signal()

    def __init__(self, engine: EngineClient, archive: Archive, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._archive, self._settings = engine, archive, settings
        self._idle = Idle(self)
        self._idle.idle.connect(self.lock)
        settings.subscribe(lambda _: self._watch())
        archive.changed.connect(self._watch)

    @property
    def possible(self) -> bool:
        """Whether there is a passphrase that could open the archive again."""
        status = self._archive.status
        return status is not None and status.protection == PASSPHRASE

    def lock(self) -> None:
        """Lock, where that is possible."""
        if self.possible:
            self.locking.emit()
            self._archive.forget()
            self._engine.restart()

    def _watch(self) -> None:
        self._idle.watch(self._settings.get(LOCK_AFTER) if self.possible else 0)
