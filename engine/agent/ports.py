"""What the loops and the answer need of the archive, as a protocol.

The library implements it over the real index; tests over a list of turns. Everything that the agent and
the answerer know of the chats comes through here, so nothing else can leak into a prompt.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from engine.search.question import ALWAYS, Days
from engine.types import Coverage, Filters, Hit, SearchResult, TraceStep, Turn


@dataclass(frozen=True, slots=True)
class Person:
    """Someone who writes or is written to in the archive. `is_owner`: the person whose archive it is."""

    name: str
    is_owner: bool = False
    also: tuple[str, ...] = ()  # other names that they write under


class Searcher(Protocol):
    """Search over one archive."""

    def search(
        self,
        query: str,
        *,
        filters: Filters,
        k: int = 5,
        context: int = 2,
        seen_sessions: frozenset[int] = frozenset(),
        fused: bool = True,
    ) -> SearchResult:
        """The search of the ReFind paper: BM25 over turns, session fusion unless `fused` is off, ±context turns.

        Sessions of `seen_sessions` are left out before scoring.
        """

    def rank(
        self,
        question: str,
        *,
        filters: Filters,
        words: Sequence[str] = (),
        days: Days = ALWAYS,
        limit: int = 100,
        context: int = 1,
    ) -> SearchResult:
        """The product's own ranking; `words` are added at low weight, turns of `days` come before others.

        Where the question has no word to search for but the filters have dates, the turns of those days.
        """

    def turns(self, ids: Collection[int]) -> dict[int, Turn]:
        """Turns by id; unknown ids are left out."""

    def people(self) -> Sequence[Person]:
        """Everybody in the archive."""

    def places(self) -> Collection[str]:
        """Titles of the chats and names of the apps that they come from."""

    def frequency(self, words: Sequence[str]) -> dict[str, int]:
        """In how many turns each word occurs, in any inflected form that the index knows; 0 for nowhere."""

    def coverage(self, filters: Filters) -> Coverage:
        """What a search with these filters looks through."""


@dataclass(frozen=True, slots=True)
class Gathering:
    """What a loop brought home: hits, best first, with what it did and looked through."""

    hits: tuple[Hit, ...]
    trace: tuple[TraceStep, ...] = ()
    searched: Coverage = field(default_factory=Coverage)
