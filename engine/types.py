"""The words of the engine as data: turns, hits, evidence, citations, answers and their cost."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

Mode = Literal["auto", "quick", "thorough", "refind"]
MODES: tuple[Mode, ...] = ("auto", "quick", "thorough", "refind")


@dataclass(frozen=True, slots=True)
class Filters:
    """Masks that apply before scoring. Dates are inclusive, in the chats' wall clock; empty means no limit."""

    date_from: date | None = None
    date_to: date | None = None
    senders: tuple[str, ...] = ()
    chats: tuple[str, ...] = ()
    platforms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """The indexed unit: one sender's burst of messages, or a question to an AI with its answer."""

    id: int
    chat: str
    platform: str
    session: int
    sender: str
    timestamp: str | None  # ISO 8601 of its first message, with an offset where the export gives an instant
    local_time: int | None  # the same wall clock as seconds since 1970, for sorting and dates
    text: str  # the messages' own words, joined by line breaks
    messages: tuple[int, ...] = ()  # ids of its messages, in order
    chat_id: int = 0
    recipients: tuple[str, ...] = ()  # whom the chat goes to besides the sender, in chats of two


@dataclass(frozen=True, slots=True)
class Hit:
    """A found turn with the turns around it (`context` includes the turn itself, in order)."""

    turn: Turn
    score: float
    context: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Coverage:
    """What a search looked through."""

    chats: int = 0
    turns: int = 0
    date_from: str | None = None
    date_to: str | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits, best first, with what was searched and how long it took."""

    hits: tuple[Hit, ...]
    searched: Coverage
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Citation:
    """A link from an answer to a turn. `verified`: the turn exists, was retrieved, and supports the sentence."""

    n: int
    turn: int
    chat: str
    sender: str
    timestamp: str | None
    text: str
    verified: bool


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One action of the agent (search_chatrecord, take_note, finish_search), its input and the turns returned."""

    action: str
    input: dict[str, object]
    hits: tuple[int, ...] = ()
    thought: str = ""


@dataclass(slots=True)
class Cost:
    """What an answer cost; added up over all calls."""

    searches: int = 0
    llm_calls: int = 0
    prompt_tokens: int = 0
    evaluated_tokens: int = 0
    generated_tokens: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer with its checked citations, or "not found" with the nearest misses."""

    answer: str
    found: bool
    citations: tuple[Citation, ...] = ()
    unsupported: tuple[str, ...] = ()  # sentences of the answer that no citation supports
    nearest: tuple[Hit, ...] = ()  # what came close, where nothing was found or the model failed
    evidence: tuple[int, ...] = ()  # turns given to the answerer, in ranked order
    ranked: tuple[int, ...] = ()  # all turns found, best first
    trace: tuple[TraceStep, ...] = ()
    searched: Coverage = Coverage()
    mode: Mode = "auto"
    cost: Cost = field(default_factory=Cost)
