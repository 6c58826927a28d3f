"""When to say "not found": the code's own checks, before and after the model.

Small models answer whatever they are asked. Two things code can see for itself: a name that occurs
nowhere in the archive, and evidence in which somebody else than the person asked about says it.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from engine.agent.ports import Person, Searcher
from engine.answer.evidence import Evidence, Item
from engine.answer.people import Asked, asked_about, named, speaks_of
from engine.answer.terms import names, terms, words_and_terms
from engine.when import MONTHS, WEEKDAYS

NOT_NAMES = frozenset(word.lower() for word in (*MONTHS, *WEEKDAYS, "I", "OK", "TV"))
ALIKE = 0.8  # names at least so alike are taken for a slip of the keyboard
TRAP_MARGIN = 0.25  # how much more of the question somebody else's message must hold


@dataclass(frozen=True, slots=True)
class Trap:
    """The question asks about `asked`, but what matches it was said by `speaker` of themselves."""

    asked: str
    speaker: str


def unknown_names(question: str, searcher: Searcher) -> tuple[str, ...]:
    """Names in the question that no message has and nobody bears, not even nearly."""
    candidates = [name for name in names(question) if name.lower() not in NOT_NAMES]
    if not candidates:
        return ()
    counts = searcher.frequency(candidates)
    known = {part.lower() for person in searcher.people() for part in person.name.split()}
    return tuple(
        name
        for name in candidates
        if not counts.get(name) and not get_close_matches(name.lower(), known, n=1, cutoff=ALIKE)
    )


def weights(question: str, searcher: Searcher, people: Sequence[Person]) -> dict[str, float]:
    """The question's stems with their inverse document frequency, names of people left out."""
    pairs = words_and_terms(question)
    of_people = {stem for name in named(question, people) for stem in terms(name)}
    counts = searcher.frequency([word for word, stem in pairs if stem not in of_people])
    total = max(1, max(counts.values(), default=1))
    return {
        stem: math.log(1 + (total + 1) / (counts.get(word, 0) + 0.5))
        for word, stem in pairs
        if stem not in of_people
    }


def held(item: Item, wanted: Mapping[str, float]) -> float:
    """The share of the question's weight that an item holds, 0 to 1."""
    whole = sum(wanted.values())
    return sum(wanted[stem] for stem in terms(item.rendered) & set(wanted)) / whole if whole else 0.0


def trap_before(evidence: Evidence, asked: Asked, wanted: Mapping[str, float]) -> Trap | None:
    """Somebody else's message holds clearly more of the question than any about the person asked about."""
    own = other = 0.0
    speaker = ""
    for item in evidence.items:
        share = held(item, wanted)
        if speaks_of(item.turn, item.passage, asked, wanted):
            own = max(own, share)
        elif share > other:
            other, speaker = share, item.turn.sender
    return Trap(asked.name, speaker) if other - own > TRAP_MARGIN else None


def trap_after(cited: Collection[Item], asked: Asked, wanted: Mapping[str, float]) -> Trap | None:
    """Every message that the answer rests on was said by somebody else of themselves."""
    if not cited or any(speaks_of(item.turn, item.passage, asked, wanted) for item in cited):
        return None
    return Trap(asked.name, next(iter(cited)).turn.sender)


def person_asked(question: str, searcher: Searcher) -> Asked | None:
    """The one person that the question is about, where there is exactly one."""
    return asked_about(question, searcher.people())
