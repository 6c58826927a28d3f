"""What an importer yields, and the shape of an importer.

Importers are plain generators of `Message`, `Problem` and `Facts`. Problems travel as values in the
stream, so one bad record never loses a chat and the ledger can account for every line. An importer
knows nothing of the archive; the consumer cancels by no longer pulling.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from importers.source import Source

Kind = Literal["talk", "system", "deleted", "event"]
DateOrder = Literal["auto", "dmy", "mdy", "ymd"]
DELETED_ACCOUNT = "Deleted Account"
ME = "Me"
"""The sender of the owner's messages in formats that only know "mine"."""


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file, place or contact that hung on a message. Only its description is kept."""

    name: str
    kind: str = "file"  # image, video, audio, voice, document, sticker, gif, contact, location, poll, link, file


@dataclass(frozen=True, slots=True)
class Message:
    """One message as the export has it.

    `timestamp` is naive where the export gives a wall clock without a zone, aware where it gives an
    instant, None where it gives no time. `line` is the 1-based line (text formats) or record number
    where the message starts, `lines` how many of them it covers.
    """

    chat: str
    sender: str | None
    text: str
    timestamp: datetime | None
    kind: Kind = "talk"
    attachments: tuple[Attachment, ...] = ()
    line: int = 0
    lines: int = 1
    chat_id: str | None = None  # the export's own id of the chat; the title where there is none
    source_id: str | None = None  # the export's own id of the message
    reply_to: str | None = None  # source_id of the message replied to
    conversation: str | None = None  # the export's own conversation or thread: it becomes a session
    from_me: bool | None = None
    edited: bool = False
    reactions: tuple[str, ...] = ()  # "👍 Ana", kept as an annotation and never as talk


@dataclass(frozen=True, slots=True)
class Problem:
    """Input that did not become a message, said so that a person can look it up.

    `skipped` is the number of lines or records that were left out; 0 for a remark about something kept.
    `lost` is False for what was left out on purpose, such as parts of an export that the app never shows.
    """

    line: int
    reason: str
    excerpt: str = ""
    skipped: int = 1
    lost: bool = True


@dataclass(frozen=True, slots=True)
class Facts:
    """What the importer decided about the whole file; yielded once, before its first message."""

    date_order: str | None = None  # dmy, mdy, ymd; None where the format has only one
    date_order_reason: str = ""
    date_order_is_guess: bool = False
    other_orders: tuple[str, ...] = ()  # orders that the dates would also allow
    naive_times: bool = False  # True: wall clock without a zone, so the zone matters


@dataclass(frozen=True, slots=True)
class Options:
    """Choices of the person for one import."""

    date_order: DateOrder = "auto"
    me: str | None = None
    columns: dict[str, str] = field(default_factory=dict)  # generic tables: our field -> their column


Item = Message | Problem | Facts


class Importer(Protocol):
    """One chat format. What are properties here are plain class attributes of an importer."""

    @property
    def name(self) -> str:
        """A stable id, as in `backscroll formats`."""

    @property
    def platform(self) -> str:
        """What people filter by: whatsapp, telegram, chatgpt, …"""

    @property
    def title(self) -> str:
        """The format's name for people."""

    @property
    def patterns(self) -> tuple[str, ...]:
        """File names as the app writes them, for dialogs and docs."""

    @property
    def how_to_export(self) -> tuple[str, ...]:
        """Steps, one sentence each."""

    def recognise(self, source: Source) -> float:
        """How sure we are, 0 to 1, from the name and the first bytes; never reads the whole file."""

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, messages and problems in the file's order, in constant memory, without raising.

        Anything wrong with the input is a Problem. Only OSError of the disk itself may escape.
        """


def excerpt(text: str, limit: int = 80) -> str:
    """The start of a line for a problem report, on one line."""
    flat = " ".join(text[: limit * 2].split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"
