"""A searcher over a list of turns, small enough to be right by reading it. For the loops' tests."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine.agent.ports import Person
from engine.answer.terms import ordered_terms, terms
from engine.search.question import ALWAYS, Days
from engine.types import Coverage, Filters, Hit, SearchResult, Turn


def turn(
    number: int,
    sender: str,
    when: str,
    text: str,
    *,
    session: int = 0,
    chat: str = "Lea",
    to: tuple[str, ...] = (),
) -> Turn:
    """A turn at a wall-clock time given as "2023-05-07 10:00"."""
    moment = datetime.fromisoformat(when)
    seconds = int((moment - datetime(1970, 1, 1)).total_seconds())
    return Turn(
        number, chat, "whatsapp", session, sender, moment.isoformat(), seconds, text, (number,), recipients=to
    )


@dataclass
class MemorySearcher:
    """Ranks turns by how many different words of the query they have."""

    all_turns: list[Turn]
    owner: str = "Sam"
    queries: list[str] = field(default_factory=list)

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
        self.queries.append(query)
        return self._best(query, filters, k, context, seen_sessions)

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
        self.queries.append(question)
        return self._best(" ".join([question, *words]), filters, limit, context, frozenset())

    def turns(self, ids: Collection[int]) -> dict[int, Turn]:
        return {turn.id: turn for turn in self.all_turns if turn.id in set(ids)}

    def people(self) -> Sequence[Person]:
        names = dict.fromkeys(name for t in self.all_turns for name in (t.sender, *t.recipients))
        return [Person(name, name == self.owner) for name in names]

    def places(self) -> Collection[str]:
        return {turn.chat for turn in self.all_turns} | {turn.platform for turn in self.all_turns}

    def frequency(self, words: Sequence[str]) -> dict[str, int]:
        return {word: sum(bool(terms(word) & terms(turn.text)) for turn in self.all_turns) for word in words}

    def coverage(self, filters: Filters) -> Coverage:
        kept = self._kept(filters, frozenset())
        days = sorted(turn.timestamp[:10] for turn in kept if turn.timestamp)
        chats = len({turn.chat for turn in kept})
        return Coverage(chats, len(kept), days[0] if days else None, days[-1] if days else None)

    def _kept(self, filters: Filters, seen: frozenset[int]) -> list[Turn]:
        first, last = filters.date_from, filters.date_to
        return [
            turn
            for turn in self.all_turns
            if turn.session not in seen
            and (first is None or (turn.timestamp or "") >= first.isoformat())
            and (last is None or (turn.timestamp or "")[:10] <= last.isoformat())
            and (not filters.chats or turn.chat in filters.chats)
        ]

    def _best(self, query: str, filters: Filters, k: int, context: int, seen: frozenset[int]) -> SearchResult:
        wanted = set(ordered_terms(query))
        kept = self._kept(filters, seen)
        scored = [(len(wanted & terms(f"{turn.sender} {turn.text}")), turn) for turn in kept]
        best = sorted(((score, turn) for score, turn in scored if score), key=lambda pair: -pair[0])[:k]
        hits = tuple(Hit(turn, float(score), self._around(turn, context)) for score, turn in best)
        return SearchResult(hits, self.coverage(filters))

    def _around(self, hit: Turn, context: int) -> tuple[Turn, ...]:
        session = [turn for turn in self.all_turns if turn.session == hit.session]
        place = session.index(hit)
        return tuple(session[max(0, place - context) : place + context + 1])
