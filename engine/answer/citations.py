"""From an answer to checked citations: each exists, was retrieved, quotes exactly, and supports its sentence.

Support is checked by words, not by a model: numbers and names of a sentence must stand in the messages it
cites (or in the question), and so must at least half of its other words. That cannot prove an answer
right, but it catches what a small model makes up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engine.answer.evidence import Evidence, Item
from engine.answer.terms import names, numbers, sentences, terms
from engine.types import Citation, Turn

ENOUGH = 0.5  # share of a sentence's own words that its messages must have
MOST_CITED = 4  # for one sentence
# Words of an answer that no message needs to have.
_UNITS = terms("times occasions messages yes no ja nein oui non sí 是的 没有")
_COUNTS = {"one": 1, "once": 1, "two": 2, "twice": 2, "three": 3, "four": 4, "five": 5, "six": 6}


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer whose sentences end in the numbers of the citations that support them."""

    text: str
    citations: tuple[Citation, ...]
    unsupported: tuple[str, ...]
    items: tuple[Item, ...]  # the evidence behind the citations, in their order


def check(answer: str, evidence: Evidence, question: str, stored: Mapping[int, Turn]) -> Checked:
    """Find and place the citations of an answer; `stored` holds the turns as the archive has them now.

    Each sentence cites the messages that hold its words. One that none of them supports cites nothing.
    """
    real = [item for item in evidence.items if _exact(item, stored)]
    used: list[Item] = []
    written, unsupported = [], []
    for sentence in sentences(answer):
        support = supporting(sentence, real, question)
        used += [item for item in support if item not in used]
        written.append(f"{sentence} {''.join(f'[{used.index(item) + 1}]' for item in support)}".strip())
        if not support:
            unsupported.append(sentence)
    citations = tuple(_citation(place, item) for place, item in enumerate(used, 1))
    return Checked(" ".join(written), citations, tuple(unsupported), tuple(used))


def supporting(sentence: str, items: Sequence[Item], question: str) -> tuple[Item, ...]:
    """The fewest items that hold a sentence's words, those that fit the question first; none where none do."""
    asked = terms(question)
    own = terms(sentence) - asked - _UNITS
    missing = set(own)
    chosen: list[Item] = []
    while missing and len(chosen) < MOST_CITED:
        best = max(items, key=lambda item: _worth(item, missing, asked), default=None)
        if best is None or not missing & terms(source_of(best)):
            break
        chosen.append(best)
        missing -= terms(source_of(best))
    if len(own) == 1 and (count := _count(*own)) and count > 1 and not chosen:
        chosen = [item for item in items if 2 * len(asked & terms(source_of(item))) >= len(asked)]
        chosen = chosen if len(chosen) == count else []
    elif not chosen and items and not own:
        chosen = [max(items, key=lambda item: _worth(item, set(), asked))]  # "yes", or the question's own words
    kept = tuple(item for item in items if item in chosen)
    return kept if kept and _supported(sentence, kept, question) else ()


def _count(word: str) -> int:
    """The number that a word is, 0 where it is none."""
    return int(word) if word.isdecimal() else next((n for name, n in _COUNTS.items() if word in terms(name)), 0)


def _worth(item: Item, missing: set[str], asked: frozenset[str]) -> float:
    """How many of the missing words an item holds; between equals, how well it fits the question."""
    known = terms(source_of(item))
    return len(missing & known) + len(asked & known) / max(1, len(asked))


def source_of(item: Item) -> str:
    """All that an item says: its words with their dates, who wrote it and when."""
    return f"{item.rendered} {item.turn.sender}"


def _supported(sentence: str, items: Sequence[Item], question: str) -> bool:
    source = " ".join(source_of(item) for item in items)
    known, asked = terms(source), terms(question)
    counted = {word for word in terms(sentence) if _count(word) == len(items)}
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


def _citation(n: int, item: Item) -> Citation:
    turn = item.turn
    return Citation(n, turn.id, turn.chat, turn.sender, turn.timestamp, item.passage, verified=True)
