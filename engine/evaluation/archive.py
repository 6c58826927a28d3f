"""A sample's turns in an index, without importers and segmentation: one dataset turn is one document."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import numpy as np

from engine.evaluation.data import DataTurn, Sample
from engine.index import NO_TIME, Floats, Index, NewDocuments
from engine.languages import guess_language
from engine.search.layout import Layout
from engine.search.question import Names
from engine.text import STEMMERS


@dataclass(frozen=True, slots=True)
class SampleArchive:
    """A sample, indexed. Document numbers are positions in `turns`."""

    sample: Sample
    turns: Sequence[DataTurn]
    index: Index
    layout: Layout
    names: Names
    senders: dict[int, str]
    document: dict[str, int]  # turn id → document
    language: str

    def bm25(self, query: str) -> Floats:
        """BM25 of every turn for the words of a query."""
        return self.index.scores(self.index.vocabulary.query_terms(query, (self.language,)))


def index_sample(sample: Sample) -> SampleArchive:
    """Index a sample. Turns of people carry their sender's name, as in the product; AI chats do not."""
    turns = sample.turns
    language = guess_language(t.text for t in turns)
    language = language if language in STEMMERS else "english"
    sender = {name: i for i, name in enumerate(dict.fromkeys(t.sender for t in turns))}
    session = {name: i for i, name in enumerate(dict.fromkeys(t.session for t in turns))}
    titles = [sample.chats.get(t.session, sample.id) for t in turns]
    chat = {name: i for i, name in enumerate(dict.fromkeys(titles))}
    index = Index()
    index.append(
        NewDocuments(
            texts=[indexed_text(t) for t in turns],
            languages=[language] * len(turns),
            session=np.array([session[t.session] for t in turns], np.int32),
            chat=np.array([chat[title] for title in titles], np.int32),
            sender=np.array([sender[t.sender] for t in turns], np.int32),
            time=np.array([_seconds(t.time) for t in turns], np.int64),
            words=np.array([t.words for t in turns], np.int32),
        )
    )
    senders = {i: name for name, i in sender.items()}
    # The product's turn of an AI chat is a question with its reply, so who wrote it says nothing there.
    owners = () if any(t.role == "assistant" for t in turns) else (sample.owner,)
    return SampleArchive(
        sample=sample,
        turns=turns,
        index=index,
        layout=Layout.of(index, (language,)),
        names=Names(senders, owners, ()),
        senders=senders,
        document={t.id: i for i, t in enumerate(turns)},
        language=language,
    )


def indexed_text(turn: DataTurn) -> str:
    """What the index holds of a turn."""
    return f"{turn.sender} {turn.text}" if turn.role == "person" else turn.text


def _seconds(moment: datetime | None) -> int:
    return NO_TIME if moment is None else int(moment.replace(tzinfo=UTC).timestamp())
