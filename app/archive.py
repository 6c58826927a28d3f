"""What the pages share about the archive: its state, chats and people. Asked anew after every change."""

from PySide6.QtCore import QObject, Signal

from app.data import Chat, Json, Person, Status
from app.engine_client import Engine, Latest


class Archive(QObject):
    """The last known state; `changed` is emitted when a part of it is new."""

    changed = Signal()
    opened = Signal()  # the state is known, so whatever kept it shut is over
    failed = Signal(object)  # ErrorWords: the archive could not be opened

    def __init__(self, engine: Engine, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.status: Status | None = None
        self.chats: tuple[Chat, ...] = ()
        self.people: tuple[Person, ...] = ()
        self._calls = [Latest(engine), Latest(engine), Latest(engine)]

    @property
    def empty(self) -> bool:
        """Whether it is known that nothing is in the archive."""
        return self.status is not None and not self.status.messages

    @property
    def platforms(self) -> tuple[str, ...]:
        """The chat apps that are there."""
        return tuple(sorted({chat.platform for chat in self.chats if chat.platform}))

    def refresh(self) -> None:
        """Ask the engine for everything."""
        status, chats, people = self._calls
        status.call("status", result=self._take_status, error=self.failed.emit)
        chats.call("chats", result=self._take_chats)
        people.call("people", result=self._take_people)

    def forget(self) -> None:
        """Know nothing any more: the archive was locked."""
        for each in self._calls:
            each.cancel()
        self.status, self.chats, self.people = None, (), ()
        self.changed.emit()

    def refresh_status(self) -> None:
        """Ask for the state alone: after a model was loaded."""
        self._calls[0].call("status", result=self._take_status)

    def _take_status(self, data: Json) -> None:
        self.status = Status.read(data)
        self.opened.emit()
        self.changed.emit()

    def _take_chats(self, data: list[Json]) -> None:
        self.chats = tuple(Chat.read(each) for each in data)
        self.changed.emit()

    def _take_people(self, data: list[Json]) -> None:
        self.people = tuple(Person.read(each) for each in data)
        self.changed.emit()
