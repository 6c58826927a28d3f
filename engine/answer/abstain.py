"""When to say "not found": the code's own checks, before and after the model.

Small models answer whatever they are asked. Two things code can see for itself: a name that occurs
nowhere in the archive, and evidence in which somebody else than the person asked about says it.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from engine.agent.ports import Person, Searcher
from engine.answer.evidence import Item
from engine.answer.people import Asked, asked_about, named, speaks_of, subjects
from engine.answer.terms import names, sentences, terms, words_and_terms
from engine.types import Hit
from engine.when import MONTHS, WEEKDAYS

NOT_NAMES = frozenset(word.lower() for word in (*MONTHS, *WEEKDAYS, "I", "OK", "TV"))
TITLES = frozenset("dr mr mrs ms miss sir prof".split())
ALIKE = 0.8  # names at least so alike are taken for a slip of the keyboard
LOOKED_AT = 15  # hits that are looked at
COMPARED = 3  # of each side
MARGIN = 0.2  # how much more of the question the other side must hold
SURE = 1.0  # assurance that an answer needs
SURER = 3.3  # the same where its messages have little to do with the question
LITTLE = 0.25  # share of the question's weight
AROUND = 2  # turns on each side that say what a message is about
LONGEST = 2_000  # characters of a turn that are looked at


@dataclass(frozen=True, slots=True)
class Trap:
    """The question asks about `asked`, but what matches it was said by `speaker` of themselves."""

    asked: str
    speaker: str


def unknown_names(question: str, searcher: Searcher) -> tuple[str, ...]:
    """Names in the question that no message has and no person, chat or app bears, not even nearly."""
    candidates = [name for name in names(question) if name.lower() not in NOT_NAMES]
    if not candidates:
        return ()
    counts = searcher.frequency(candidates)
    bearers = (*(person.name for person in searcher.people()), *searcher.places())
    known = {part.lower() for bearer in bearers for part in re.findall(r"\w+", bearer)}
    return tuple(
        name
        for name in candidates
        if terms(name)
        and name.lower() not in TITLES
        and not counts.get(name)
        and not get_close_matches(name.lower(), known, n=1, cutoff=ALIKE)
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


def trap_before(hits: Sequence[Hit], asked: Asked, wanted: Mapping[str, float]) -> Trap | None:
    """What matches the question is clearly said by somebody else of themselves.

    For the best hits, each with the turns around it, every sentence belongs to whom it speaks of. Compared
    is the share of the question's weight that the three best of each side hold, and the very best must be
    the other's too. The margin leaves only what is plain before anything was read: of LoCoMo's public half it
    refuses 49 % of 237 questions about the wrong person and 2.8 % of the 762 others (at a margin of 0.05 it
    was 63 and 7.5 %, most of the latter questions for lists). The rest is left to `trap_after`.
    """
    own: list[float] = []
    others: list[tuple[float, str]] = []
    for hit in hits[:LOOKED_AT]:
        spoken, there = _by_subject(hit, asked)
        for subject in there:
            share = held(spoken[subject], wanted)
            if subject == asked.name or subject in asked.senders:
                own.append(share)
            else:
                others.append((share, subject))
    best_own, best_others = sorted(own, reverse=True), sorted(others, reverse=True)
    lead = _mean([share for share, _ in best_others]) - _mean(best_own)
    if lead <= MARGIN or not best_others or best_others[0][0] <= max(own, default=0.0):
        return None
    return Trap(asked.name, best_others[0][1])


def held(said: frozenset[str], wanted: Mapping[str, float]) -> float:
    """The share of the question's weight that these stems hold, 0 to 1."""
    whole = sum(wanted.values())
    return sum(wanted[stem] for stem in said & wanted.keys()) / whole if whole else 0.0


def _by_subject(hit: Hit, asked: Asked) -> tuple[dict[str, frozenset[str]], frozenset[str]]:
    """The stems of a hit and its surroundings by whom they speak of, and of whom the hit itself speaks."""
    spoken: dict[str, frozenset[str]] = {}
    there: frozenset[str] = frozenset()
    for turn in hit.context or (hit.turn,):
        for sentence in sentences(turn.text[:LONGEST]):
            about = subjects(sentence, turn, asked)
            for subject in about:
                spoken[subject] = spoken.get(subject, frozenset()) | terms(sentence)
            if turn.id == hit.turn.id:
                there |= about
    return spoken, there


def _mean(values: Sequence[float]) -> float:
    """The mean of the first three, what is missing counted as nothing."""
    return sum(values[:COMPARED]) / COMPARED


def trap_after(cited: Collection[Item], asked: Asked, wanted: Mapping[str, float]) -> Trap | None:
    """Every message that the answer rests on was said by somebody else of themselves."""
    if not cited or any(speaks_of(item.turn, item.passage, asked, wanted) for item in cited):
        return None
    return Trap(asked.name, next(iter(cited)).turn.sender)


def is_sure(assurance: float, cited: Collection[Item], wanted: Mapping[str, float], searcher: Searcher) -> bool:
    """Whether the model is sure enough of an answer, given how much of the question its messages speak of.

    Limits from 54 answers to questions of LoCoMo and of an invented archive: 2 wrong ones and 3 where there was
    no answer lie below the first, with 1 right one; below the second, with messages that hold less than a
    quarter of the question's weight, 3 without an answer and a wrong one, and none that was right.
    """
    near = {doc for item in cited for doc in range(max(0, item.turn.id - AROUND), item.turn.id + AROUND + 1)}
    sessions = {item.turn.session for item in cited}
    there = [turn for turn in searcher.turns(near).values() if turn.session in sessions]
    said = frozenset().union(*(terms(f"{turn.sender} {turn.text[:LONGEST]}") for turn in there))
    return assurance >= (SURE if held(said, wanted) >= LITTLE else SURER)


def person_asked(question: str, searcher: Searcher) -> Asked | None:
    """The one person that the question is about, where there is exactly one."""
    return asked_about(question, searcher.people())
