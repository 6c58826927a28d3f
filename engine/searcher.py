"""Search over the archive: the paper's search and the product's ranking, with turns read from the store.

Implements `engine.agent.ports.Searcher`. A snapshot: after an import the library makes a new one.
"""

import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any

import numpy as np

from engine.agent.ports import Person
from engine.directory import Directory
from engine.index import NO_TIME, Bools, Index
from engine.search.fusion import best_turns, fuse, matching
from engine.search.layout import Layout
from engine.search.masks import document_mask
from engine.search.question import ALWAYS, Days, Names, read_question
from engine.search.ranking import rank
from engine.segment import USER_NAMES
from engine.store.archive import Archive
from engine.types import Coverage, Filters, Hit, SearchResult, Turn

KEPT_SCOPES = 8
IDS_A_QUERY = 500


class ArchiveSearcher:
    """Searches one state of the archive."""

    def __init__(self, archive: Archive, index: Index, directory: Directory) -> None:
        self.archive = archive
        self.index = index
        self.directory = directory
        self._scopes: dict[tuple[Filters, frozenset[int]], _Scope] = {}
        self._recipients: dict[int, tuple[str, ...]] = {}

    # the two searches

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
        """The ReFind paper's search; see `ports.Searcher.search`."""
        started = time.monotonic()
        scope = self._scope(filters, seen_sessions)
        scores = self.index.scores(self._terms(query))
        docs = matching(scores, scope.mask)
        if fused:
            found = fuse(scores, docs, self.index.columns.session, self.index.session_count, k)
        else:
            found = [(int(d), float(scores[d])) for d in best_turns(scores, k, docs)]
        hits = self._hits(found, context)
        return SearchResult(hits, scope.coverage, time.monotonic() - started)

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
        """The product's ranking of a question; see `ports.Searcher.rank`."""
        started = time.monotonic()
        scope = self._scope(filters)
        found = self._ranked(question, words, days, scope.mask, limit)
        return SearchResult(self._hits(found, context), scope.coverage, time.monotonic() - started)

    def _ranked(
        self, question: str, words: Sequence[str], days: Days, mask: Bools | None, limit: int
    ) -> list[tuple[int, float]]:
        read = read_question(
            question,
            self.index.vocabulary,
            self._names,
            languages=self.directory.languages,
            extra=words,
            days=days,
        )
        docs, scores = rank(read, self.index, self._layout, mask, limit=limit)
        if not len(docs) and mask is not None and not read.terms:
            # Only dates or people were asked for: everything of theirs, newest first.
            docs = np.flatnonzero(mask & self.index.alive)[::-1][:limit].astype(np.int32)
            scores = np.zeros(len(docs), np.float32)
        return [(int(d), float(s)) for d, s in zip(docs, scores, strict=True)]

    @cached_property
    def _names(self) -> Names:
        return Names(self.directory.senders, self.directory.owners, people=self.directory.people)

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self.index, self.directory.languages)

    def _terms(self, text: str) -> list[int]:
        return self.index.vocabulary.query_terms(text, self.directory.languages)

    def _scope(self, filters: Filters, seen_sessions: frozenset[int] = frozenset()) -> "_Scope":
        """Mask and coverage of filters; remembered, because people type on with the same filters."""
        known = self._scopes.get((filters, seen_sessions))
        if known is None:
            mask = document_mask(
                self.index.columns,
                date_from=filters.date_from,
                date_to=filters.date_to,
                chats=self.directory.chat_ids(filters.chats, filters.platforms),
                senders=self.directory.sender_ids(filters.senders),
                seen_sessions=seen_sessions,
            )
            if len(self._scopes) >= KEPT_SCOPES:
                self._scopes.clear()
            known = self._scopes[(filters, seen_sessions)] = _Scope(mask, self._coverage(mask))
        return known

    # turns

    def _hits(self, found: Sequence[tuple[int, float]], context: int) -> tuple[Hit, ...]:
        around = {doc: self._neighbours(doc, context) for doc, _ in found}
        turns = self.turns({d for near in around.values() for d in near})
        return tuple(
            Hit(turns[doc], score, tuple(turns[d] for d in around[doc] if d in turns))
            for doc, score in found
            if doc in turns
        )

    def _neighbours(self, doc: int, context: int) -> list[int]:
        """The turns around one, cut at the session's ends: they are consecutive documents."""
        session = self.index.columns.session
        near = range(max(0, doc - context), min(len(session), doc + context + 1))
        return [d for d in near if session[d] == session[doc]]

    def turns(self, ids: Collection[int]) -> dict[int, Turn]:
        """Turns by id; see `ports.Searcher.turns`."""
        found = self._some("SELECT id, session, chat, sender, messages FROM turn WHERE id IN ({})", ids)
        members = {row[0]: np.frombuffer(row[4], "<i8").tolist() for row in found}
        wanted = [number for numbers in members.values() for number in numbers]
        stored = {
            row[0]: row
            for row in self._some("SELECT id, text, timestamp, order_time FROM message WHERE id IN ({})", wanted)
        }
        return {
            row[0]: self._turn(row, members[row[0]], [stored[i] for i in members[row[0]] if i in stored])
            for row in found
        }

    def _some(self, sql: str, ids: Collection[int]) -> list[tuple[Any, ...]]:
        """Rows by id, a few hundred ids a query."""
        numbers = [int(i) for i in ids]
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(numbers), IDS_A_QUERY):
            part = numbers[start : start + IDS_A_QUERY]
            rows += self.archive.rows(sql.format(",".join("?" * len(part))), *part)
        return rows

    def _turn(self, row: tuple[Any, ...], ids: list[int], stored: list[tuple[Any, ...]]) -> Turn:
        doc, session, chat, sender, _ = row
        place = self.directory.chats[chat]
        stamp = stored[0][2] if stored else None
        return Turn(
            id=doc,
            chat=place.title,
            platform=place.platform,
            session=session,
            sender=self.directory.senders.get(sender, ""),
            timestamp=stamp,
            local_time=stored[0][3] if stamp else None,
            text="\n".join([r[1] for r in stored]),
            messages=tuple(ids),
            chat_id=chat,
            recipients=tuple(n for n in self._members(chat) if n != self.directory.senders.get(sender)),
        )

    def _members(self, chat: int) -> tuple[str, ...]:
        """The senders of a chat of two, nobody for larger ones."""
        if chat not in self._recipients:
            columns = self.index.columns
            senders = np.unique(columns.sender[columns.chat == chat])
            names = tuple(dict.fromkeys(self.directory.senders.get(int(s), "") for s in senders))
            self._recipients[chat] = names if len(names) == 2 else ()
        return self._recipients[chat]

    # what is there

    def people(self) -> Sequence[Person]:
        """Everybody who writes in the archive."""
        owners = self.directory.owners
        return [
            Person(name, name in owners or name.lower() in USER_NAMES, tuple(w for w in written if w != name))
            for name, written in self.directory.people.items()
            if name
        ]

    def places(self) -> Collection[str]:
        """Titles of the chats and names of their platforms."""
        chats = self.directory.chats.values()
        return {chat.title for chat in chats} | {chat.platform for chat in chats}

    def frequency(self, words: Sequence[str]) -> dict[str, int]:
        """In how many turns each word occurs, whatever its inflection."""
        result = {}
        for word in words:
            terms = self._terms(word)
            result[word] = max((self.index.document_frequency(t) for t in terms), default=0)
        return result

    def coverage(self, filters: Filters) -> Coverage:
        """What a search with these filters looks through."""
        return self._scope(filters).coverage

    def _coverage(self, mask: Bools | None) -> Coverage:
        columns, alive = self.index.columns, self.index.alive
        kept = np.flatnonzero(alive if mask is None else mask & alive)
        times = columns.time[kept]
        times = times[times != NO_TIME]
        first, last = (int(times.min()), int(times.max())) if len(times) else (None, None)
        chats = int(np.count_nonzero(np.bincount(columns.chat[kept], minlength=1)))
        return Coverage(chats, len(kept), _day(first), _day(last))


@dataclass(frozen=True, slots=True)
class _Scope:
    """What filters let through."""

    mask: Bools | None
    coverage: Coverage


def _day(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).date().isoformat()
