"""Random chats for the round trips of single formats, and how to look at what came back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from hypothesis import strategies as st

from importers.base import Facts, Importer, Item, Message, Options, Problem
from importers.source import Source


@dataclass(frozen=True)
class Said:
    """One message of a random chat."""

    sender: str
    text: str
    at: datetime


LETTERS = st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp", "Co", "Cn"])
NAMES = (
    st.text(
        st.characters(categories=["L", "Nd"], include_characters=" -'.", exclude_characters="ـ"),
        min_size=1,
        max_size=12,
    )
    .map(str.strip)
    .filter(lambda name: bool(name) and name[0].isalpha())
)
LINE = st.text(LETTERS, max_size=40).map(str.strip)
TEXT = st.lists(LINE, min_size=1, max_size=4).map(lambda lines: "\n".join(lines).strip()).filter(bool)
WORDS = st.lists(st.text(st.characters(categories=["L"]), min_size=1, max_size=8), min_size=1, max_size=6).map(
    " ".join
)


@st.composite
def chats(draw: st.DrawFn, *, texts: st.SearchStrategy[str] = TEXT, names: st.SearchStrategy[str] = NAMES,
          step: int = 1, pause: int = 0) -> list[Said]:  # fmt: skip
    """Messages in the order of time, `pause` steps apart or more; times are whole multiples of `step` seconds."""
    people = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    now = draw(st.datetimes(datetime(2012, 1, 1), datetime(2030, 1, 1)))
    now = now.replace(second=now.second // step * step % 60, microsecond=0)
    said = []
    for _ in range(draw(st.integers(1, 8))):
        said.append(Said(draw(st.sampled_from(people)), draw(texts), now))
        now += timedelta(seconds=step * draw(st.integers(pause, 200_000 // step)))
    return said


def read(
    importer: Importer, source: Source, options: Options | None = None
) -> tuple[list[Message], list[Problem]]:
    """What the importer makes of a source that it must recognise."""
    assert importer.recognise(source) >= 0.5
    items: list[Item] = list(importer.read(source, options or Options()))
    assert isinstance(items[0], Facts)
    return [i for i in items if isinstance(i, Message)], [i for i in items if isinstance(i, Problem)]


def said(messages: Sequence[Message]) -> list[Said]:
    """The talk among messages."""
    return [Said(m.sender or "", m.text, m.timestamp) for m in messages if m.kind == "talk" and m.timestamp]


def counted(messages: Sequence[Message], problems: Sequence[Problem]) -> int:
    """The lines or records that messages and problems account for."""
    return sum(m.lines for m in messages) + sum(p.skipped for p in problems)
