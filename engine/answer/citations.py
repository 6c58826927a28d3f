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
MOST_CITED = 4  # for one sentence
# Words of an answer that no message needs to have.
_UNITS = terms("times occasions messages yes no ja nein oui non sí 是的 没有")
_COUNTS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer whose sentences end in the numbers of the citations that support them."""

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...]
    items: tuple[Item, ...]  # the evidence behind the citations, in their order


def check(draft: Draft, evidence: Evidence, question: str, stored: Mapping[int, Turn]) -> Checked:
    """Place and check the citations of a draft; `stored` holds the turns as the archive has them now.

    A small model often names the question before the answer, or one message too many. What it named is
    therefore only preferred: each sentence cites the messages that hold its words.
    """
    real = [item for item in evidence.items if _exact(item, stored)]
    named = [item for item in real if item.n in draft.numbers]
    used: list[Item] = []
    verified: set[int] = set()
    written, unsupported = [], []
    for sentence in sentences(draft.text):
        support = supporting(sentence, real, question, named)
        cited = support or named
        used += [item for item in cited if item not in used]
        verified.update(item.n for item in support)
        written.append(f"{sentence} {''.join(f'[{used.index(item) + 1}]' for item in cited)}".strip())
        if not support:
            unsupported.append(sentence)
    citations = tuple(_citation(place, item, item.n in verified) for place, item in enumerate(used, 1))
    return Checked(" ".join(written), citations, tuple(unsupported), tuple(used))


def supporting(
    sentence: str, items: Sequence[Item], question: str, named: Sequence[Item] = ()
) -> tuple[Item, ...]:
    """The fewest items that hold a sentence's words, those that were named first; none where they do not."""
    asked = terms(question)
    missing = set(terms(sentence) - asked - _UNITS)
    chosen: list[Item] = []
    while missing and len(chosen) < MOST_CITED:
        best = max(items, key=lambda item: _worth(item, missing, asked, named), default=None)
        if best is None or not missing & terms(source_of(best)):
            break
        chosen.append(best)
        missing -= terms(source_of(best))
    kept = tuple(item for item in items if item in chosen) or tuple(named)
    return kept if kept and _supported(sentence, kept, question) else ()


def _worth(item: Item, missing: set[str], asked: frozenset[str], named: Sequence[Item]) -> float:
    """How many of the missing words an item holds; between equals, what was named and what fits the question."""
    known = terms(source_of(item))
    return len(missing & known) + 0.5 * (item in named) + 0.5 * len(asked & known) / max(1, len(asked))


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
