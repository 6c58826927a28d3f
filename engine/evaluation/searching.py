"""The search and the ranking of the product over a sample's index: the same functions, other turns.

Implements `engine.agent.ports.Searcher`, so that the loops and the answerer run on a benchmark unchanged.
"""

from collections.abc import Callable, Collection, Sequence
from functools import cached_property

import numpy as np

from engine.agent.ports import Person
from engine.evaluation.archive import SampleArchive
from engine.index import Bools, Floats
from engine.search.fusion import best_turns, fuse, matching
from engine.search.masks import document_mask
from engine.search.question import ALWAYS, Days, read_question
from engine.search.ranking import rank
from engine.types import Coverage, Filters, Hit, SearchResult, Turn

Scorer = Callable[[str], Floats]


class SampleSearcher:
    """Searches one sample; `scorer` stands in for BM25 in the paper's search."""

    def __init__(self, archive: SampleArchive, scorer: Scorer | None = None) -> None:
        self.archive = archive
        self._scorer = scorer or archive.bm25

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
        """The ReFind paper's search."""
        index = self.archive.index
        scores = self._scorer(query)
        mask = self._mask(filters, seen_sessions)
        docs = matching(scores, mask)
        if fused:
            found = fuse(scores, docs, index.columns.session, index.session_count, k)
        else:
            found = [(int(d), float(scores[d])) for d in best_turns(scores, k, docs)]
        return self._result(found, context, filters)

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
        """The product's ranking."""
        archive = self.archive
        read = read_question(
            question,
            archive.index.vocabulary,
            archive.names,
            languages=(archive.language,),
            extra=words,
            days=days,
        )
        docs, scores = rank(read, archive.index, archive.layout, self._mask(filters), limit=limit)
        found = [(int(d), float(s)) for d, s in zip(docs, scores, strict=True)]
        return self._result(found, context, filters)

    def turns(self, ids: Collection[int]) -> dict[int, Turn]:
        """Turns by document number."""
        return {i: self._turn(i) for i in ids if 0 <= i < len(self.archive.turns)}

    def people(self) -> Sequence[Person]:
        """Everybody who writes in the sample."""
        archive = self.archive
        return [Person(name, is_owner=number in archive.names.owners) for number, name in archive.senders.items()]

    def places(self) -> Collection[str]:
        """Titles of the sample's chats."""
        return set(self.archive.sample.chats.values())

    def frequency(self, words: Sequence[str]) -> dict[str, int]:
        """In how many turns each word occurs."""
        index = self.archive.index
        terms = {w: index.vocabulary.query_terms(w, (self.archive.language,)) for w in words}
        return {w: max((index.document_frequency(t) for t in ts), default=0) for w, ts in terms.items()}

    def coverage(self, filters: Filters) -> Coverage:
        """What a search with these filters looks through."""
        mask = self._mask(filters)
        count = len(self.archive.turns) if mask is None else int(np.count_nonzero(mask))
        columns = self.archive.index.columns
        chats = columns.chat if mask is None else columns.chat[mask]
        return Coverage(len(np.unique(chats)), count)

    def _mask(self, filters: Filters, seen_sessions: frozenset[int] = frozenset()) -> Bools | None:
        names = self.archive.senders.items()
        senders = [i for i, name in names if name in filters.senders] if filters.senders else None
        return document_mask(
            self.archive.index.columns,
            date_from=filters.date_from,
            date_to=filters.date_to,
            senders=senders,
            seen_sessions=seen_sessions,
        )

    def _result(self, found: Sequence[tuple[int, float]], context: int, filters: Filters) -> SearchResult:
        session = self.archive.index.columns.session
        hits = []
        for doc, score in found:
            near = range(max(0, doc - context), min(len(session), doc + context + 1))
            around = tuple(self._turn(d) for d in near if session[d] == session[doc])
            hits.append(Hit(self._turn(doc), score, around))
        return SearchResult(tuple(hits), self.coverage(filters))

    def _turn(self, doc: int) -> Turn:
        turn, columns = self.archive.turns[doc], self.archive.index.columns
        seconds = int(columns.time[doc]) if turn.time else None
        return Turn(
            id=doc,
            chat=self.archive.sample.id,
            platform="benchmark",
            session=int(columns.session[doc]),
            sender=turn.sender,
            timestamp=turn.time.isoformat() if turn.time else None,
            local_time=seconds,
            text=turn.text,
            messages=(doc,),
            recipients=tuple(n for n in self._members.get(int(columns.chat[doc]), ()) if n != turn.sender),
        )

    @cached_property
    def _members(self) -> dict[int, tuple[str, ...]]:
        """The senders of each chat of two."""
        columns = self.archive.index.columns
        members: dict[int, set[int]] = {}
        for chat, sender in set(zip(columns.chat.tolist(), columns.sender.tolist(), strict=True)):
            members.setdefault(chat, set()).add(sender)
        return {c: tuple(self.archive.senders[s] for s in sorted(m)) for c, m in members.items() if len(m) == 2}
