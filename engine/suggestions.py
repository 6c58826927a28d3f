"""Which people of an archive may be one and the same: a guess for a person to confirm, never done by itself.

Pure. Two who speak in the same chat are never one. A name that could be one of several others is left alone:
“Ana” beside “Ana Lima” and “Ana Costa” says nothing.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from engine.addresses import TAIL, is_mail, is_number, normal, same
from engine.segment import USER_NAMES
from importers.base import DELETED_ACCOUNT, ME

Reason = Literal["same number", "same name", "both you", "part of the name"]
SENTENCES: dict[Reason, str] = {
    "same number": "The phone numbers are the same.",
    "same name": "The names differ only in how they are written.",
    "both you": "You write under these names.",
    "part of the name": "One name is the beginning or a part of the other.",
}
LOOKED_UP = 3  # letters by which names that begin alike are found
LONE_SHORT_FORM = 4  # letters that a short form must have where it is the whole name; initials need another word
LARGEST_GROUP = 8  # names of one spelling; more are no person but a role
_NOBODY = frozenset({"assistant", "system", "tool", "unknown", DELETED_ACCOUNT.lower(), *USER_NAMES})
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_WORDS = re.compile(r"[^\W\d_]+|\d+")


@dataclass(slots=True)
class Speaker:
    """A person as the archive shows them now."""

    name: str
    written: set[str] = field(default_factory=set)  # names that they write under
    chats: set[int] = field(default_factory=set)
    is_owner: bool = False
    apart: bool = False  # the person said that this name is nobody else


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Names that may be one person, and why."""

    names: tuple[str, ...]
    reason: Reason

    @property
    def sentence(self) -> str:
        """The reason for people."""
        return SENTENCES[self.reason]


def suggest(people: Sequence[Speaker]) -> list[Suggestion]:
    """Suggestions, the surest first; each pair once."""
    known = [p for p in people if p.name.strip() and p.name.lower() not in _NOBODY]
    known.sort(key=lambda p: (-len(p.chats), p.name))
    found: dict[frozenset[str], Suggestion] = {}
    by_reason: tuple[tuple[Reason, Iterable[list[Speaker]]], ...] = (
        ("same number", _same_numbers(known)),
        ("same name", _same_names(known)),
        ("both you", [[p for p in known if p.is_owner]]),
        ("part of the name", _parts(known)),
    )
    for reason, groups in by_reason:
        for group in groups:
            for names in _possible(group):
                pair = frozenset(names)
                if not any(pair <= known_pair for known_pair in found):
                    found[pair] = Suggestion(names, reason)
    return list(found.values())


def _possible(group: Sequence[Speaker]) -> Iterator[tuple[str, ...]]:
    """The whole group where nobody of it speaks with another, else the pairs that may be one."""
    if len(group) < 2:
        return
    pairs = [(a, b) for a, b in combinations(group, 2) if may_be_one(a, b)]
    if len(pairs) == len(group) * (len(group) - 1) // 2:
        yield tuple(p.name for p in group)
    else:
        yield from ((a.name, b.name) for a, b in pairs)


def may_be_one(one: Speaker, other: Speaker) -> bool:
    """Whether nothing speaks against it: they never speak in one chat, and nobody has split them."""
    return not (one.chats & other.chats) and not (one.apart and other.apart)


def _same_numbers(people: Iterable[Speaker]) -> Iterator[list[Speaker]]:
    """Pairs that write under the same phone number, written differently."""
    numbers: dict[str, list[tuple[str, Speaker]]] = {}
    for person in people:
        for number in {normal(n) for n in person.written if is_number(n)}:
            for known, other in numbers.get(number[-TAIL:], ()):
                if other is not person and same(known, number):
                    yield [other, person]
            numbers.setdefault(number[-TAIL:], []).append((number, person))


def _same_names(people: Iterable[Speaker]) -> list[list[Speaker]]:
    """Groups of one spelling once case, accents, marks and spaces are gone: “~ Ana Lima”, “ana.lima”."""
    groups: dict[str, list[Speaker]] = {}
    for person in people:
        names = [n for n in person.written | {person.name} if not is_number(n)]
        for spelling in {"".join(words_of(n)) for n in names} - {""}:
            groups.setdefault(spelling, []).append(person)
    return [g for g in groups.values() if 2 <= len(g) <= LARGEST_GROUP]


def words_of(name: str) -> list[str]:
    """The words of a name without case, accents, emoji and marks; of a mail address those before the @."""
    text = name.partition("@")[0] if is_mail(name) else name
    plain = unicodedata.normalize("NFKD", text.casefold())
    return _WORDS.findall("".join(c for c in plain if not unicodedata.combining(c)))


def _parts(people: Sequence[Speaker]) -> Iterator[list[Speaker]]:
    """Pairs where one name is a part or short form of one other, and of no more."""
    longer: dict[str, list[tuple[Speaker, list[str]]]] = {}
    named = [(p, words_of(p.name)) for p in people if not is_number(p.name) and p.name != ME]
    for person, words in named:
        for beginning in {b for w in words for b in _beginnings(w)}:
            longer.setdefault(beginning, []).append((person, words))
    for person, words in named:
        if len("".join(words)) < 2:
            continue
        near = longer.get(_beginnings(words[0])[0], ())
        could = [p for p, w in near if p is not person and is_part(words, w) and not p.chats & person.chats]
        if len(could) == 1:
            yield [person, could[0]]


def _beginnings(word: str) -> list[str]:
    """Where a short form of a word can begin: at its start, in scripts without spaces anywhere."""
    if _DENSE.match(word) and len(word) > 1:
        return [word[i : i + 2] for i in range(len(word) - 1)]
    return [word[:LOOKED_UP]]


def is_part(short: Sequence[str], long: Sequence[str]) -> bool:
    """Whether each word of a name is a word of the other or a short form of one, and the other says more."""
    if len("".join(short)) >= len("".join(long)) or len(short) > len(long):
        return False
    rest = [w for w in short if w not in long]
    least = 1 if len(rest) < len(short) else LONE_SHORT_FORM
    return all(any(_shortens(w, other, least) for other in long) for w in rest)


def _shortens(word: str, other: str, least: int) -> bool:
    if _DENSE.match(word):
        return len(word) > 1 and word in other
    return len(word) >= least and other.startswith(word)
