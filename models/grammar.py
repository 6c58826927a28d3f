"""What a reply may be: a small algebra of texts, matched one character at a time.

A grammar is built from frozen nodes (`Literal`, `Choice`, `Sequence`, `Repeat`, `Text`, `Numbers`, `Date`,
`json_string`) and never parsed from text, so that neither the archive nor a model can write one. Matching
uses derivatives: `node.after(character)` is the node for what may follow, `NOTHING` where nothing may
(Brzozowski, "Derivatives of regular expressions", 1964). Every node other than NOTHING can be completed, so
a prefix that is accepted can always be finished.

The sampler of models/llama.py asks this algebra after it has ranked the tokens. llama.cpp's own grammars are
not used: they are tried on the whole vocabulary before sampling, cannot say "distinct numbers" or "a date
that exists", and end the process with a C++ exception when they are broken.
"""

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from functools import reduce
from typing import Protocol

CONTROLS = frozenset(map(chr, (*range(9), *range(11, 32), *range(127, 160)))) | {"\ufffd"}
_EARLIEST, _LATEST = date(1900, 1, 1), date(2199, 12, 31)


@dataclass(frozen=True, slots=True)
class Characters:
    """A set of characters, or of all characters but these."""

    members: frozenset[str] = frozenset()
    inverted: bool = False

    def __contains__(self, character: str) -> bool:
        return (character in self.members) != self.inverted

    def __or__(self, other: "Characters") -> "Characters":
        match self.inverted, other.inverted:
            case False, False:
                return Characters(self.members | other.members)
            case True, True:
                return Characters(self.members & other.members, True)
            case True, False:
                return Characters(self.members - other.members, True)
            case _:
                return other | self

    @property
    def single(self) -> str:
        """The one member, "" where there are none or several."""
        return next(iter(self.members)) if len(self.members) == 1 and not self.inverted else ""


class Node(Protocol):
    """A set of texts."""

    @property
    def nullable(self) -> bool:
        """Whether the empty text is one of them."""

    def first(self) -> Characters:
        """The characters with which one of them can begin."""

    def after(self, character: str) -> "Node":
        """The rests of those that begin with this character."""


@dataclass(frozen=True, slots=True)
class Literal:
    """Exactly this text."""

    text: str

    @property
    def nullable(self) -> bool:
        """True for the empty literal."""
        return not self.text

    def first(self) -> Characters:
        """Its first character."""
        return Characters(frozenset(self.text[:1]))

    def after(self, character: str) -> Node:
        """The literal without its first character."""
        return Literal(self.text[1:]) if self.text[:1] == character else NOTHING


@dataclass(frozen=True, slots=True)
class Choice:
    """Any one of the options; without options it is NOTHING."""

    options: tuple[Node, ...]

    @property
    def nullable(self) -> bool:
        """True where one option is."""
        return any(option.nullable for option in self.options)

    def first(self) -> Characters:
        """The first characters of all options."""
        return reduce(Characters.__or__, (option.first() for option in self.options), Characters())

    def after(self, character: str) -> Node:
        """The options that go on with this character."""
        return _choice(option.after(character) for option in self.options)


NOTHING: Node = Choice(())
EMPTY: Node = Literal("")


@dataclass(frozen=True, slots=True)
class Sequence:
    """The parts one after the other."""

    parts: tuple[Node, ...]

    def __post_init__(self) -> None:
        if NOTHING in self.parts:
            raise ValueError("A sequence with an impossible part could never be finished.")

    @property
    def nullable(self) -> bool:
        """True where all parts are."""
        return all(part.nullable for part in self.parts)

    def first(self) -> Characters:
        """The first characters of the parts up to the first that cannot be empty."""
        found = Characters()
        for part in self.parts:
            found |= part.first()
            if not part.nullable:
                break
        return found

    def after(self, character: str) -> Node:
        """The character can belong to the first part, or to the next where that one may be empty."""
        ways: list[Node] = []
        for position, part in enumerate(self.parts):
            ways.append(_sequence(part.after(character), *self.parts[position + 1 :]))
            if not part.nullable:
                break
        return _choice(ways)


@dataclass(frozen=True, slots=True)
class Repeat:
    """The part several times; `at_most` None is without limit. The part must not be empty."""

    part: Node
    at_least: int = 0
    at_most: int | None = None
    separator: str = ""

    def __post_init__(self) -> None:
        if self.part.nullable or self.at_least < 0 or not _in_order(self.at_least, self.at_most):
            raise ValueError("A repeated part must not be empty, and the counts must be in order.")

    @property
    def nullable(self) -> bool:
        """True where no repetition is asked for."""
        return self.at_least == 0

    def first(self) -> Characters:
        """The first characters of the part."""
        return Characters() if self.at_most == 0 else self.part.first()

    def after(self, character: str) -> Node:
        """The rest of the part, then the remaining repetitions."""
        if self.at_most == 0:
            return NOTHING
        most = None if self.at_most is None else self.at_most - 1
        rest: Node = Repeat(self.part, max(0, self.at_least - 1), most, self.separator)
        if self.separator and most != 0:
            least = max(1, self.at_least - 1)
            more = Sequence((Literal(self.separator), Repeat(self.part, least, most, self.separator)))
            rest = more if self.at_least > 1 else Choice((more, EMPTY))
        return _sequence(self.part.after(character), rest)


@dataclass(frozen=True, slots=True)
class Text:
    """Free text: the characters of `only`, or where it is empty all but those of `without` and controls."""

    at_most: int
    at_least: int = 0
    without: str = "\n"
    only: str = ""

    def __post_init__(self) -> None:
        if not 0 <= self.at_least <= self.at_most:
            raise ValueError("A free text needs its lengths in order.")

    @property
    def nullable(self) -> bool:
        """True where no character is asked for."""
        return self.at_least == 0

    def first(self) -> Characters:
        """The allowed characters."""
        if self.at_most == 0:
            return Characters()
        if self.only:
            return Characters(frozenset(self.only))
        return Characters(CONTROLS | frozenset(self.without), True)

    def after(self, character: str) -> Node:
        """The same with one character less."""
        if character not in self.first():
            return NOTHING
        return Text(self.at_most - 1, max(0, self.at_least - 1), self.without, self.only)


@dataclass(frozen=True, slots=True)
class Numbers:
    """A list of allowed whole numbers, each at most once unless `distinct` is off: "3, 7, 12"."""

    allowed: tuple[int, ...]
    at_least: int = 0
    at_most: int = 1
    separator: str = ", "
    distinct: bool = True

    def __post_init__(self) -> None:
        most = len(set(self.allowed)) if self.distinct else (self.at_most if self.allowed else 0)
        if not 0 <= self.at_least <= self.at_most or self.at_least > most:
            raise ValueError("A list of numbers needs enough of them, and its counts in order.")

    @property
    def nullable(self) -> bool:
        """True where no number is asked for."""
        return self.at_least == 0

    def first(self) -> Characters:
        """The first digits (or signs) of the allowed numbers."""
        return Characters(frozenset(str(number)[0] for number in self.allowed) if self.at_most else frozenset())

    def after(self, character: str) -> Node:
        """The rest of a number that begins so, then the other numbers."""
        if not self.at_most:
            return NOTHING
        fitting = [number for number in dict.fromkeys(self.allowed) if str(number)[0] == character]
        return _choice(_sequence(Literal(str(number)[1:]), self._without(number)) for number in fitting)

    def _without(self, number: int) -> Node:
        """What may follow once this number is written."""
        allowed = tuple(other for other in self.allowed if other != number) if self.distinct else self.allowed
        if self.at_most == 1 or not allowed:
            return EMPTY
        rest = Numbers(allowed, max(1, self.at_least - 1), self.at_most - 1, self.separator, self.distinct)
        more = Sequence((Literal(self.separator), rest))
        return more if self.at_least > 1 else Choice((more, EMPTY))


@dataclass(frozen=True, slots=True)
class Date:
    """A day that exists, as YYYY-MM-DD, from `earliest` to `latest`, both included."""

    earliest: date = _EARLIEST
    latest: date = _LATEST
    written: str = ""

    def __post_init__(self) -> None:
        if self.earliest > self.latest:
            raise ValueError("The earliest day must not be after the latest.")

    @property
    def nullable(self) -> bool:
        """True once it is written out."""
        return len(self.written) == 10

    def first(self) -> Characters:
        """The digits or the hyphen that can follow."""
        return Characters(frozenset(c for c in "0123456789-" if self._possible(self.written + c)))

    def after(self, character: str) -> Node:
        """The same with one character written."""
        written = self.written + character
        return Date(self.earliest, self.latest, written) if self._possible(written) else NOTHING

    def _possible(self, written: str) -> bool:
        """Whether a day of the range is written so, or begins so."""
        shape = zip(written, "0000-00-00", strict=False)
        if len(written) > 10 or any(c not in ("-" if kind == "-" else "0123456789") for c, kind in shape):
            return False
        first, last = self.earliest.isoformat(), self.latest.isoformat()
        if not first[: len(written)] <= written <= last[: len(written)]:
            return False
        return len(written) < 6 or self._in_calendar(written)

    def _in_calendar(self, written: str) -> bool:
        """Whether a month, or a day of the range, begins as written (the year is complete)."""
        year, rest = int(written[:4]), written[5:]
        months = [month for month in range(1, 13) if f"{month:02}".startswith(rest[:2])]
        spans = [(date(year, month, 1), date(year, month, monthrange(year, month)[1])) for month in months]
        days = [(max(low, self.earliest), min(high, self.latest)) for low, high in spans]
        if len(rest) < 4:
            return any(low <= high for low, high in days)
        return any(f"{day:02}".startswith(rest[3:]) for low, high in days for day in range(low.day, high.day + 1))


def json_string(at_most: int, at_least: int = 0, without: str = "") -> Node:
    """A JSON string in quotation marks; lengths count the characters that it stands for."""
    plain = Text(1, 1, without='"\\\n\t' + without)
    escaped = Literal("\\"), Text(1, 1, only='"\\nt')
    character = Choice((plain, Sequence(escaped)))
    return Sequence((Literal('"'), Repeat(character, at_least, at_most), Literal('"')))


def advance(node: Node, text: str) -> Node:
    """The node after a text, NOTHING where it does not fit."""
    for character in text:
        node = node.after(character)
    return node


def forced(node: Node) -> str:
    """The text that must follow, up to the first place with a choice or a possible end."""
    text = ""
    while not node.nullable and (character := node.first().single):
        text += character
        node = node.after(character)
    return text


@dataclass(frozen=True, slots=True)
class Grammar:
    """All texts that a reply may be."""

    root: Node

    def accepts(self, written: str) -> bool:
        """Whether a reply can begin so."""
        return advance(self.root, written) != NOTHING

    def complete(self, written: str) -> bool:
        """Whether a reply can end here."""
        return advance(self.root, written).nullable

    def forced(self, written: str) -> str:
        """The text that must follow, "" where there is a choice or the reply may end."""
        return forced(advance(self.root, written))


def _choice(options: Iterable[Node]) -> Node:
    """A choice without NOTHING, doubles or nesting."""
    flat: dict[Node, None] = {}
    for option in options:
        for inner in option.options if isinstance(option, Choice) else (option,):
            flat[inner] = None
    return next(iter(flat)) if len(flat) == 1 else Choice(tuple(flat))


def _sequence(*parts: Node) -> Node:
    """A sequence without empty literals or nesting; NOTHING where a part is."""
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Sequence) else (part,))
    if NOTHING in flat:
        return NOTHING
    kept = tuple(part for part in flat if part != EMPTY)
    return kept[0] if len(kept) == 1 else Sequence(kept) if kept else EMPTY


def _in_order(low: int, high: int | None) -> bool:
    return high is None or low <= high
