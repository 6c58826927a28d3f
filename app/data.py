"""What the engine process sends, as frozen data for the window.

The window trusts the shape of the protocol, not its completeness: unknown keys are ignored and missing
ones take their defaults, so that an engine that knows more can serve an older page.
"""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

Json = dict[str, Any]
ChatId = int | str
T = TypeVar("T")


def known(kind: type[T], data: Json, **made: Any) -> T:
    """An instance of a dataclass from the keys that it declares; None counts as missing."""
    names = {each.name for each in fields(kind)}  # type: ignore[arg-type]
    given = {key: value for key, value in data.items() if key in names and value is not None}
    return kind(**(given | made))


def read_all(kind: Any, items: Iterable[Json] | None) -> tuple[Any, ...]:
    """What `kind.read` makes of each item."""
    return tuple(kind.read(item) for item in items or ())


@dataclass(frozen=True, slots=True)
class Attachment:
    """What hung on a message: its name and kind, never its content."""

    name: str = ""
    kind: str = "file"

    @classmethod
    def read(cls, data: Json) -> "Attachment":
        """From JSON."""
        return known(cls, data)


@dataclass(frozen=True, slots=True)
class Message:
    """One message as the export has it."""

    id: int = 0
    sender: str = ""
    timestamp: str = ""
    text: str = ""
    kind: str = "talk"
    from_me: bool = False
    source_id: str = ""
    reply_to: str = ""
    edited: bool = False
    attachments: tuple[Attachment, ...] = ()
    reactions: tuple[str, ...] = ()

    @classmethod
    def read(cls, data: Json) -> "Message":
        """From JSON."""
        return known(
            cls,
            data,
            attachments=read_all(Attachment, data.get("attachments")),
            reactions=tuple(data.get("reactions") or ()),
        )

    @property
    def day(self) -> str:
        """Its date as YYYY-MM-DD, empty where it has none."""
        return self.timestamp[:10]


@dataclass(frozen=True, slots=True)
class Chat:
    """One conversation thread of the archive."""

    id: ChatId = 0
    title: str = ""
    platform: str = ""
    messages: int = 0
    people: tuple[str, ...] = ()
    first: str = ""
    last: str = ""

    @classmethod
    def read(cls, data: Json) -> "Chat":
        """From JSON."""
        return known(cls, data, people=tuple(data.get("people") or ()))


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who wrote in the archive."""

    name: str = ""
    messages: int = 0
    platforms: tuple[str, ...] = ()
    also: tuple[str, ...] = ()  # other names that they write under
    owner_in: tuple[str, ...] = ()  # platforms where they are the owner of the archive

    @classmethod
    def read(cls, data: Json) -> "Person":
        """From JSON."""
        lists = {key: tuple(data.get(key) or ()) for key in ("platforms", "also", "owner_in")}
        return known(cls, data, **lists)


@dataclass(frozen=True, slots=True)
class Place:
    """A turn that was found: a hit, a piece of evidence or a near miss. `turn` is its id."""

    turn: int = 0
    chat: str = ""
    chat_id: ChatId = 0
    platform: str = ""
    sender: str = ""
    timestamp: str = ""
    text: str = ""
    messages: tuple[int, ...] = ()
    context: tuple["Place", ...] = ()

    @classmethod
    def read(cls, data: Json) -> "Place":
        """From JSON; the context of a hit is a list of turns of the same shape."""
        return known(
            cls, data, messages=tuple(data.get("messages") or ()), context=read_all(cls, data.get("context"))
        )

    @property
    def message(self) -> int | None:
        """The message to open, where it is known."""
        return self.messages[0] if self.messages else None


@dataclass(frozen=True, slots=True)
class Citation:
    """A numbered mark of an answer and the turn it points to."""

    n: int
    place: Place
    verified: bool = False

    @classmethod
    def read(cls, data: Json) -> "Citation":
        """From JSON."""
        return cls(int(data["n"]), Place.read(data), bool(data.get("verified")))


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the search trace: an action, its input and how many places it gave."""

    action: str = ""
    input: Any = None
    hits: tuple[Any, ...] = ()

    @classmethod
    def read(cls, data: Json) -> "Step":
        """From JSON."""
        return known(cls, data, hits=tuple(data.get("hits") or ()))


@dataclass(frozen=True, slots=True)
class Searched:
    """How much was looked through, and what it took."""

    chats: int = 0
    turns: int = 0
    first: str = ""
    last: str = ""
    searches: int = 0
    seconds: float = 0.0

    @classmethod
    def read(cls, searched: Json | None, cost: Json | None = None) -> "Searched":
        """From the `searched` and `cost` parts of a result."""
        searched, cost = searched or {}, cost or {}
        return cls(
            chats=searched.get("chats") or 0,
            turns=searched.get("turns") or 0,
            first=searched.get("from") or "",
            last=searched.get("to") or "",
            searches=cost.get("searches") or 0,
            seconds=cost.get("seconds") or 0.0,
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its checked citations, or "not found" with what came close."""

    answer: str = ""
    found: bool = False
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[str, ...] = ()
    trace: tuple[Step, ...] = ()
    nearest: tuple[Place, ...] = ()
    searched: Searched = Searched()
    mode: str = ""
    cost: Json | None = None

    @classmethod
    def read(cls, data: Json) -> "Answer":
        """From JSON."""
        return known(
            cls,
            data,
            citations=read_all(Citation, data.get("citations")),
            unsupported=tuple(data.get("unsupported") or ()),
            trace=read_all(Step, data.get("trace")),
            nearest=read_all(Place, data.get("nearest")),
            searched=Searched.read(data.get("searched"), data.get("cost")),
        )


@dataclass(frozen=True, slots=True)
class Remembered:
    """A question that was asked before, with its answer."""

    id: int = 0
    asked_at: str = ""
    question: str = ""
    answer: Answer = Answer()

    @classmethod
    def read(cls, data: Json) -> "Remembered":
        """From JSON."""
        return known(cls, data, answer=Answer.read(data.get("answer") or {}))


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, and how long it took."""

    hits: tuple[Place, ...] = ()
    searched: Searched = Searched()
    seconds: float = 0.0
    months: dict[str, int] | None = None  # all that was found by month, not only the hits; None where not asked

    @classmethod
    def read(cls, data: Json) -> "SearchResult":
        """From JSON."""
        seconds = float(data.get("seconds") or 0.0)
        searched = Searched.read(data.get("searched"))
        return cls(read_all(Place, data.get("hits")), searched, seconds, data.get("months"))


@dataclass(frozen=True, slots=True)
class TranscriptPage:
    """A stretch of one chat."""

    messages: tuple[Message, ...] = ()
    has_earlier: bool = False
    has_later: bool = False
    chat: Chat = Chat()

    @classmethod
    def read(cls, data: Json) -> "TranscriptPage":
        """From JSON."""
        return known(
            cls, data, messages=read_all(Message, data.get("messages")), chat=Chat.read(data.get("chat") or {})
        )


@dataclass(frozen=True, slots=True)
class Status:
    """The state of the archive and of the engine."""

    chats: int = 0
    messages: int = 0
    turns: int = 0
    first: str = ""
    last: str = ""
    encrypted: bool = False
    protection: str = ""
    home: str = ""
    sample: bool = False
    owners: tuple[str, ...] = ()
    recovery_key: bool = False
    network_lock: bool = False
    model_id: str = ""
    model_name: str = ""
    model_loaded: bool = False

    @classmethod
    def read(cls, data: Json) -> "Status":
        """From JSON."""
        model = data.get("model") or {}
        return known(
            cls,
            data,
            owners=tuple(data.get("owners") or ()),
            model_id=model.get("id") or "",
            model_name=model.get("name") or "",
            model_loaded=bool(model.get("loaded")),
        )
