"""Whom a question asks about, and of whom a message speaks.

The commonest wrong answer on real chats is right about somebody else: the question asks what Ines did, and
Rosa said "I did it". Whoever writes "I" speaks of themselves; a message speaks of somebody else where it
names them as a third person, or says "you" to them without "I".
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.agent.ports import Person
from engine.answer.terms import sentences, terms
from engine.types import Turn

_I = re.compile(r"\b(?:i|i['’]\w+|me|my|mine|myself|ich|mich|mir|je|moi|yo)\b|\bj['’]|我(?!们)", re.IGNORECASE)
_WE = re.compile(r"\b(?:we|we['’]\w+|us|our|ours|wir|uns|nous|nosotros)\b|我们", re.IGNORECASE)
_YOU = re.compile(
    r"\b(?:you|you['’]\w+|your|yours|u|ur|yourself|du|dich|dir|deine?[mnrs]?|tu|toi|ton|ta|tes|vous)\b|[你您]",
    re.IGNORECASE,
)
_OWNER = re.compile(
    r"\b(?:i|me|my|mine|myself|ich|mich|mir|meine?[mnrs]?|je|moi|mon|ma|mes|yo|mi|mis)\b|我", re.IGNORECASE
)

_PAIR = re.compile(
    r"\b[A-ZÀ-Þ]\w+,? (?:and|und|et|y|&) (?:[A-ZÀ-Þ]\w*|my|me)\b|\b(?:my \w+|I) and [A-ZÀ-Þ]|[和跟与]我|我[和跟与]"
)

_WHO = re.compile(r"^\W*(?:and |so |but )?(?:who|whose|whom|wer|wessen|wem|qui|quién)\b|[谁誰]", re.IGNORECASE)


YOU = "you"
"""The owner, as the one whom an answer addresses."""


@dataclass(frozen=True, slots=True)
class Asked:
    """The one person that a question asks about, under all the names that they write as."""

    name: str
    senders: frozenset[str]


def named(question: str, people: Sequence[Person]) -> tuple[str, ...]:
    """The people one of whose names, or a first name that only one has, stands in the question."""
    bearers: dict[str, set[str]] = {}
    for person in people:
        for name in (person.name, *person.also):
            bearers.setdefault(_first(name), set()).add(person.name)
    return tuple(
        person.name
        for person in people
        if any(
            _says(question, name)
            or (len(bearers[_first(name)]) == 1 and len(_first(name)) > 1 and _says(question, _first(name)))
            for name in (person.name, *person.also)
        )
    )


def asked_about(question: str, people: Sequence[Person]) -> Asked | None:
    """The person that a question asks about; None where it asks about several, nobody, or for a person.

    "I" and "my" are the owner, but only where the question names nobody: in "what did Ines tell me" it is
    Ines who is asked about.
    """
    if _WHO.search(question):
        return None
    found = named(question, people)
    if found and _PAIR.search(question):
        return None
    owners = frozenset(person.name for person in people if person.is_owner)
    if len(found) == 1:
        also = next(person.also for person in people if person.name == found[0])
        both = owners if _OWNER.search(question) else frozenset()  # of "what did Ines give me" either may tell
        return Asked(found[0], frozenset((found[0], *also)) | both)
    if not found and owners and _OWNER.search(question):
        return Asked(YOU, owners)
    return None


def speaks_of(turn: Turn, passage: str, asked: Asked, wanted: Collection[str]) -> bool:
    """Whether a passage can be about the person asked about.

    `wanted` are the stems that matter: what counts is the sentence which holds most of them.
    """
    best = max(sentences(passage), key=lambda sentence: len(terms(sentence) & set(wanted)), default=passage)
    return turn.sender in asked.senders or asked.name in subjects(best, turn, asked)


def subjects(sentence: str, turn: Turn, asked: Asked) -> frozenset[str]:
    """Of whom a sentence can speak: the person asked about (by `asked.name`), its sender, or both.

    A sentence of somebody else speaks of the person where it names them as a third person or says "you"
    without "I". In a chat of two, what is left is the sender's own; elsewhere, and for the owner, of whom
    everybody tells, a sentence without "I" may be about both.
    """
    own = turn.sender in asked.senders
    to_them = not turn.recipients or bool(asked.senders & set(turn.recipients)) or _calls(sentence, asked)
    if own:
        to_other = bool(_YOU.search(sentence)) and not _I.search(sentence)
        return frozenset(turn.recipients[:1] if to_other and turn.recipients else (asked.name,))
    if any(_third_person(sentence, name) for name in asked.senders):
        return frozenset((asked.name,))
    if to_them and _YOU.search(sentence) and not _I.search(sentence) and not _WE.search(sentence):
        return frozenset((asked.name,))
    shared = asked.name == YOU or not turn.recipients
    return frozenset((asked.name, turn.sender) if shared and not _I.search(sentence) else (turn.sender,))


def _third_person(sentence: str, name: str) -> bool:
    """Whether a name stands in a sentence other than to call somebody ("Thanks, Ines!", "Ines, look")."""
    for match in re.finditer(rf"(?<!\w){re.escape(_first(name))}(?!\w)", sentence, re.IGNORECASE):
        before, after = sentence[: match.start()].rstrip(), sentence[match.end() :].lstrip()
        called_last = (not after or after[0] in "!,.?;:") and (before.endswith(",") or len(before.split()) <= 3)
        called_first = not before and after[:1] in "!,;:"
        if not (called_last or called_first):
            return True
    return False


def _calls(passage: str, asked: Asked) -> bool:
    return any(_says(passage, _first(name)) for name in asked.senders)


def _first(name: str) -> str:
    parts = name.split()
    return parts[0].lower() if parts else name.lower()


def _says(text: str, name: str) -> bool:
    if not name.isascii() and len(name) > 1 and not re.search(r"[^\W\d_]\s", name):
        return name in text
    return bool(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE))
