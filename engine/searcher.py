"""Search over the archive: the paper's search and the product's ranking, with turns read from the store.

Implements `engine.agent.ports.Searcher`. A snapshot: after an import the library makes a new one.
"""

import time
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from engine.agent.ports import Person
from engine.directory import Directory
from engine.index import NO_TIME, Bools, Floats, Index
from engine.search.fusion import best_turns, fuse
from engine.search.layout import Layout
from engine.search.masks import document_mask
from engine.search.question import Names, read_question
from engine.search.ranking import rank
from engine.segment import USER_NAMES
from engine.store.archive import Archive
from engine.types import Coverage, Filters, Hit, SearchResult, Turn


class ArchiveSearcher:
    """Searches one state of the archive."""

    def __init__(self, archive: Archive, index: Index, directory: Directory) -> None:
        self.archive = archive
        self.index = index
        self.directory = directory
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
        mask = self._mask(filters, seen_sessions)
        scores = self._masked(self.index.scores(self._terms(query)), mask)
        if fused:
            found = fuse(scores, self.index.columns.session, self.index.session_count, k)
        else:
            found = [(int(d), float(scores[d])) for d in best_turns(scores, k)]
        hits = self._hits(found, context)
        return SearchResult(hits, self._coverage(mask), time.monotonic() - started)

    def rank(
        self, question: str, *, filters: Filters, words: Sequence[str] = (), limit: int = 100, context: int = 1
    ) -> SearchResult:
        """The product's ranking of a question; see `ports.Searcher.rank`."""
        started = time.monotonic()
        mask = self._mask(filters)
        found = self._ranked(question, words, mask, limit)
        return SearchResult(self._hits(found, context), self._coverage(mask), time.monotonic() - started)

    def _ranked(
        self, question: str, words: Sequence[str], mask: Bools | None, limit: int
    ) -> list[tuple[int, float]]:
        read = read_question(
            question, self.index.vocabulary, self._names, languages=self.directory.languages, extra=words
        )
        docs, scores = rank(read, self.index, self._layout, mask, limit=limit)
        if not len(docs) and mask is not None and not read.terms:
            # Only dates or people were asked for: everything of theirs, newest first.
            docs = np.flatnonzero(mask & self.index.alive)[::-1][:limit].astype(np.int32)
            scores = np.zeros(len(docs), np.float32)
        return [(int(d), float(s)) for d, s in zip(docs, scores, strict=True)]

    @cached_property
    def _names(self) -> Names:
        return Names(self.directory.senders, self.directory.owners)

    @cached_property
    def _layout(self) -> Layout:
        return Layout.of(self.index, self.directory.languages)

    def _terms(self, text: str) -> list[int]:
        return self.index.vocabulary.query_terms(text, self.directory.languages)

    def _mask(self, filters: Filters, seen_sessions: frozenset[int] = frozenset()) -> Bools | None:
        return document_mask(
            self.index.columns,
            date_from=filters.date_from,
            date_to=filters.date_to,
            chats=self.directory.chat_ids(filters.chats, filters.platforms),
            senders=self.directory.sender_ids(filters.senders),
            seen_sessions=seen_sessions,
        )

    @staticmethod
    def _masked(scores: Floats, mask: Bools | None) -> Floats:
        if mask is not None:
            scores[~mask] = 0
        return scores

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
        result = {}
        for doc in ids:
            rows = self.archive.rows("SELECT session, chat, sender, messages FROM turn WHERE id = ?", int(doc))
            if rows:
                result[int(doc)] = self._turn(int(doc), *rows[0])
        return result

    def _turn(self, doc: int, session: int, chat: int, sender: int, packed: bytes) -> Turn:
        ids = np.frombuffer(packed, "<i8").tolist()
        marks = ",".join("?" * len(ids))
        rows = self.archive.rows(
            f"SELECT text, timestamp, order_time FROM message WHERE id IN ({marks}) ORDER BY order_time, id", *ids
        )
        place = self.directory.chats[chat]
        stamp = rows[0][1] if rows else None
        return Turn(
            id=doc,
            chat=place.title,
            platform=place.platform,
            session=session,
            sender=self.directory.senders.get(sender, ""),
            timestamp=stamp,
            local_time=rows[0][2] if stamp else None,
            text="\n".join(r[0] for r in rows),
            messages=tuple(ids),
            chat_id=chat,
            recipients=tuple(n for n in self._members(chat) if n != self.directory.senders.get(sender)),
        )

    def _members(self, chat: int) -> tuple[str, ...]:
        """The senders of a chat of two, nobody for larger ones."""
        if chat not in self._recipients:
            columns = self.index.columns
            senders = np.unique(columns.sender[columns.chat == chat])
            names = tuple(self.directory.senders.get(int(s), "") for s in senders)
            self._recipients[chat] = names if len(names) == 2 else ()
        return self._recipients[chat]

    # what is there

    def people(self) -> Sequence[Person]:
        """Everybody who writes in the archive."""
        owners = self.directory.owners
        return [
            Person(name, is_owner=name in owners or name.lower() in USER_NAMES)
            for name in self.directory.senders.values()
            if name
        ]

    def frequency(self, words: Sequence[str]) -> dict[str, int]:
        """In how many turns each word occurs, whatever its inflection."""
        result = {}
        for word in words:
            terms = self._terms(word)
            result[word] = max((self.index.document_frequency(t) for t in terms), default=0)
        return result

    def coverage(self, filters: Filters) -> Coverage:
        """What a search with these filters looks through."""
        return self._coverage(self._mask(filters))

    def _coverage(self, mask: Bools | None) -> Coverage:
        columns, alive = self.index.columns, self.index.alive
        kept = alive if mask is None else mask & alive
        times = columns.time[kept]
        times = times[times != NO_TIME]
        first, last = (int(times.min()), int(times.max())) if len(times) else (None, None)
        chats = int(np.count_nonzero(np.bincount(columns.chat[kept], minlength=1))) if kept.any() else 0
        return Coverage(chats, int(np.count_nonzero(kept)), _day(first), _day(last))


def _day(seconds: int | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).date().isoformat()


def documents(hits: Iterable[Hit]) -> list[int]:
    """The turn ids of hits, in their order."""
    return [h.turn.id for h in hits]
