"""A benchmark as data: archives of turns with questions whose evidence is known.

A dataset's own turn is exactly one turn here, so that its ids can be compared; segmentation is not used.
"""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

Role = Literal["person", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class DataTurn:
    """One turn of a dataset, with its own id."""

    id: str
    session: str
    sender: str
    text: str
    time: datetime | None = None
    role: Role = "person"

    @property
    def words(self) -> int:
        """Words that a reader pays for: the sender's name and the text."""
        return len(f"{self.sender} {self.text}".split())


@dataclass(frozen=True, slots=True)
class DataQuestion:
    """One question with what is known of its answer."""

    id: str
    text: str
    type: str
    answer: str = ""
    gold_turns: tuple[str, ...] = ()  # ids in the same sample
    gold_sessions: tuple[str, ...] = ()
    asked: datetime | None = None
    answerable: bool = True
    choices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """One archive with the questions about it. Turns of a session are consecutive, in time order."""

    id: str
    turns: tuple[DataTurn, ...]
    questions: tuple[DataQuestion, ...]
    owner: str = ""  # the sender whose archive it is, where there is one
    chats: dict[str, str] = field(default_factory=dict)  # session → chat, where a sample has several


class DatasetError(ValueError):
    """A file is not what the dataset's description says; the text is a sentence."""


def pooled(samples: list[Sample]) -> Sample:
    """All samples as one archive; turn and session ids get the sample's name in front."""
    turns: list[DataTurn] = []
    questions: list[DataQuestion] = []
    chats: dict[str, str] = {}
    for sample in samples:
        mark = f"{sample.id}/"
        turns += [DataTurn(mark + t.id, mark + t.session, t.sender, t.text, t.time, t.role) for t in sample.turns]
        chats |= {mark + t.session: mark + sample.chats.get(t.session, "") for t in sample.turns}
        questions += [
            DataQuestion(
                mark + q.id,
                q.text,
                q.type,
                q.answer,
                tuple(mark + g for g in q.gold_turns),
                tuple(mark + g for g in q.gold_sessions),
                q.asked,
                q.answerable,
                q.choices,
            )
            for q in sample.questions
        ]
    owners = {s.owner for s in samples}
    return Sample("pooled", tuple(turns), tuple(questions), owners.pop() if len(owners) == 1 else "", chats)


def joined(sample: Sample, count: int) -> Sample:
    """A sample with so many turns of a session written as one: the same talk in long messages."""
    turns: list[DataTurn] = []
    stands_for: dict[str, str] = {}
    held = 0
    for turn in sample.turns:
        if turns and held < count and turns[-1].session == turn.session:
            last = turns[-1]
            turns[-1] = replace(last, text=f"{last.text}\n{turn.sender}: {turn.text}")
            held += 1
        else:
            turns.append(turn)
            held = 1
        stands_for[turn.id] = turns[-1].id
    questions = tuple(
        replace(q, gold_turns=tuple(dict.fromkeys(stands_for[g] for g in q.gold_turns))) for q in sample.questions
    )
    return replace(sample, turns=tuple(turns), questions=questions)
