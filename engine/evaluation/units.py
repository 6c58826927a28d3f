r"""BM25 with the raw question over other units than turns, as the raw-history study compares them.

`turn` and `message` are the dataset's turns; `user` leaves out what an assistant wrote; `pair` joins a turn
with the one that follows it in its session (in AI chats: the user's with the reply). Units are ranked, and
their turns come in the order of the units.

Single letters count as words here, as in the tokeniser that the known baselines used (bm25s with `\w+`);
the product leaves them out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.evaluation.archive import SampleArchive, indexed_text
from engine.evaluation.data import DataTurn
from engine.index import Index, NewDocuments

UNITS = ("turn", "user", "pair", "message")
_LETTER = re.compile(r"(?<!\w)([^\W\d_aA])(?!\w)", re.ASCII)


@dataclass(frozen=True, slots=True)
class UnitIndex:
    """An index over units, each a run of document numbers."""

    index: Index
    members: Sequence[tuple[int, ...]]
    language: str

    def ranked(self, query: str, k: int) -> tuple[int, ...]:
        """Turns of the units that match, best unit first."""
        scores = self.index.scores(self.index.vocabulary.query_terms(_spelled(query), (self.language,)))
        order = np.argsort(-scores, kind="stable")
        turns = [d for u in order[:k] if scores[u] > 0 for d in self.members[u]]
        return tuple(turns[:k])


def unit_index(archive: SampleArchive, unit: str) -> UnitIndex:
    """Index a sample by unit."""
    members = list(_members(archive.turns, unit))
    texts = [_spelled("\n".join(indexed_text(archive.turns[d]) for d in unit_docs)) for unit_docs in members]
    first = np.array([m[0] for m in members], np.int64)
    columns = archive.index.columns
    index = Index()
    index.append(
        NewDocuments(
            texts=texts,
            languages=[archive.language] * len(texts),
            session=columns.session[first],
            chat=columns.chat[first],
            sender=columns.sender[first],
            time=columns.time[first],
            words=columns.words[first],
        )
    )
    return UnitIndex(index, members, archive.language)


def _spelled(text: str) -> str:
    """Single letters three times, so that the product's tokeniser takes them for words; “a” is a stop word."""
    return _LETTER.sub(r"\1\1\1", text)


def _members(turns: Sequence[DataTurn], unit: str) -> list[tuple[int, ...]]:
    if unit == "user":
        return [(i,) for i, t in enumerate(turns) if t.role != "assistant"]
    if unit != "pair":
        return [(i,) for i in range(len(turns))]
    pairs: list[tuple[int, ...]] = []
    i = 0
    while i < len(turns):
        joined = i + 1 < len(turns) and turns[i + 1].session == turns[i].session and turns[i].role != "assistant"
        pairs.append((i, i + 1) if joined else (i,))
        i += len(pairs[-1])
    return pairs
