"""From a draft to checked citations: each exists, was retrieved, quotes exactly, and supports its sentence.

Support is checked by words, not by a model: numbers and names of a sentence must stand in the messages it
cites (or in the question), and so must at least half of its other words. That cannot prove an answer
right, but it catches what a small model makes up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.answer.answerer import Draft
from engine.answer.evidence import Evidence, Item, day_words
from engine.answer.terms import names, numbers, sentences, terms
from engine.types import Citation, Turn

ENOUGH = 0.5  # share of a sentence's own words that its messages must have
_UNITS = terms("times occasions messages")
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer whose sentences end in the numbers of the citations that support them."""

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...]


def check(draft: Draft, evidence: Evidence, question: str, stored: Mapping[int, Turn]) -> Checked:
    """Place and check the citations of a draft; `stored` holds the turns as the archive has them now."""
    real = [item for n in draft.numbers if (item := evidence.item(n)) and _exact(item, stored)]
    used: list[Item] = []
    verified: set[int] = set()
    written, unsupported = [], []
    for sentence in sentences(draft.text):
        support = supporting(sentence, real, question)
        for item in support or real:
            if item not in used:
                used.append(item)
        verified.update(item.n for item in support)
        marks = "".join(f"[{used.index(item) + 1}]" for item in support or real)
        written.append(f"{sentence} {marks}".strip())
        if not support:
            unsupported.append(sentence)
    cited = tuple(_citation(place, item, item.n in verified) for place, item in enumerate(used, 1))
    return Checked(" ".join(written), cited, tuple(unsupported))


def supporting(sentence: str, items: Sequence[Item], question: str) -> tuple[Item, ...]:
    """The items that support a sentence: the fewest that hold its words, none where all together do not."""
    if not items or not _supported(sentence, items, question):
        return ()
    open_terms = set(terms(sentence) - terms(question))
    adding: list[Item] = []
    for item in sorted(items, key=lambda item: -len(open_terms & terms(source_of(item)))):
        if open_terms & terms(source_of(item)):
            adding.append(item)
            open_terms -= terms(source_of(item))
    kept = tuple(item for item in items if item in adding)
    return kept if kept and _supported(sentence, kept, question) else tuple(items)


def source_of(item: Item) -> str:
    """All that an item says: its words with their dates, who wrote it and when."""
    return f"{item.rendered} {day_words(item.turn)} {item.turn.sender}"


def _supported(sentence: str, items: Sequence[Item], question: str) -> bool:
    source = " ".join(source_of(item) for item in items)
    known, asked = terms(source), terms(question)
    counted = {str(len(items))} | {word for word, count in _COUNTS.items() if count == len(items)}
    if not numbers(sentence) <= numbers(source) | numbers(question) | counted:
        return False
    if not all(terms(name) <= known | asked for name in names(sentence)):
        return False
    own = terms(sentence) - asked - counted - _UNITS
    if not own:
        return bool(asked & known)
    return len(own & known) >= ENOUGH * len(own)


def _exact(item: Item, stored: Mapping[int, Turn]) -> bool:
    """Whether the turn is in the archive and the passage is an exact part of it."""
    turn = stored.get(item.turn.id)
    return turn is not None and item.passage in turn.text


def _citation(n: int, item: Item, verified: bool) -> Citation:
    turn = item.turn
    return Citation(n, turn.id, turn.chat, turn.sender, turn.timestamp, item.passage, verified)
