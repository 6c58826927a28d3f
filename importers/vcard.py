"""Contacts of a vCard file (.vcf, versions 2.1, 3.0 and 4.0): names with their phone numbers and mail addresses.

No chat format, so no importer of the registry: a contact list only says who hides behind a number. Read line
by line; photos are passed over. The grammar is RFC 6350's, with 2.1's quoted-printable and its soft line ends.
"""

import quopri
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from importers.base import Problem, excerpt
from importers.source import Source
from importers.text import decoded_lines, head_text

MAX_FIELD = 10_000  # characters; names and numbers are short, photos are not
_ESCAPED = re.compile(r"\\([\\,;:nN])")
_BEGIN = re.compile(r"\s*BEGIN:VCARD\s*(?:\n|\r|$)", re.IGNORECASE)
_PARTS = re.compile(r"(?<!\\);")


@dataclass(slots=True)
class Contact:
    """One person of the list. `line` is where the card begins."""

    name: str = ""
    numbers: list[str] = field(default_factory=list)
    mails: list[str] = field(default_factory=list)
    line: int = 0


def is_vcard(source: Source) -> bool:
    """By the first line, whatever the file is called."""
    return bool(_BEGIN.match(head_text(source)))


def contacts(source: Source) -> Iterator[Contact | Problem]:
    """The contacts that have a name and a number or address; a problem for each card that is broken."""
    card: _Card | None = None
    for number, line in _fields(source):
        key = line[:12].strip().upper()
        if key.startswith("BEGIN:VCARD"):
            if card is not None:
                yield _broken(card)
            card = _Card(number)
        elif key.startswith("END:VCARD"):
            if card is not None and (found := card.contact()):
                yield found
            card = None
        elif card is not None:
            card.take(line)
        elif line.strip():
            yield Problem(number, "This line belongs to no contact.", excerpt(line))
    if card is not None:
        yield _broken(card)


def _broken(card: "_Card") -> Problem:
    return Problem(card.line, "This contact has no end and was left out.", excerpt(card.name))


def _fields(source: Source) -> Iterator[tuple[int, str]]:
    """Whole fields: continued lines put together, with the number of the first."""
    first, held = 0, ""
    for number, line in decoded_lines(source):
        soft = held.endswith("=") and "QUOTED-PRINTABLE" in held.partition(":")[0].upper()
        if soft:
            held = held[:-1] + line.lstrip(" \t") if len(held) < MAX_FIELD else held[:-1]
        elif line[:1] in (" ", "\t") and held:
            held += line[1:] if len(held) < MAX_FIELD else ""
        else:
            if held:
                yield first, held
            first, held = number, line
    if held:
        yield first, held


class _Card:
    """A card that is being read."""

    def __init__(self, line: int) -> None:
        self.line = line
        self.name = ""
        self._parts = ""
        self._others: list[str] = []
        self._numbers: list[str] = []
        self._mails: list[str] = []

    def take(self, line: str) -> None:
        """One field, such as `item1.TEL;TYPE=CELL:+44 7700 900123`."""
        head, mark, value = line.partition(":")
        names = head.split(";")
        key = names[0].rpartition(".")[2].strip().upper()
        if not mark or key not in ("FN", "N", "NICKNAME", "ORG", "TEL", "EMAIL"):
            return
        value = _decoded(value, names[1:])
        if key == "FN":
            self.name = self.name or _plain(value)
        elif key == "N":
            self._parts = self._parts or _name_of(value)
        elif key == "TEL":
            self._numbers.append(_plain(value.removeprefix("tel:").partition(";ext=")[0]))
        elif key == "EMAIL":
            self._mails.append(_plain(value.removeprefix("mailto:")))
        else:
            self._others.append(_plain(value.replace(";", " ")))

    def contact(self) -> Contact | None:
        """The contact, None where it has no name or nothing to be reached by."""
        name = self.name or self._parts or next(filter(None, self._others), "")
        numbers, mails = [n for n in self._numbers if n], [m for m in self._mails if m]
        return Contact(name, numbers, mails, self.line) if name and (numbers or mails) else None


def _decoded(value: str, parameters: list[str]) -> str:
    """The value without its quoted-printable, in the character set that the field names."""
    named = [p.strip().strip('"').upper() for p in parameters]
    if not any(p.removeprefix("ENCODING=") in ("QUOTED-PRINTABLE", "Q") for p in named):
        return value
    charset = next((p.removeprefix("CHARSET=") for p in named if p.startswith("CHARSET=")), "UTF-8")
    raw = quopri.decodestring(value.encode("utf-8", "replace"))
    try:
        return raw.decode(charset, "replace")
    except LookupError:
        return raw.decode("utf-8", "replace")


def _name_of(value: str) -> str:
    """`Family;Given;Additional;Prefix;Suffix` as people say it."""
    family, given, middle, *_ = [_plain(p.replace(",", " ")) for p in (*_PARTS.split(value), "", "", "")]
    return " ".join(filter(None, (given, middle, family)))


def _plain(value: str) -> str:
    """Without escapes, on one line."""
    text = _ESCAPED.sub(lambda m: " " if m[1] in "nN" else m[1], value)
    return " ".join("".join(c for c in text if c.isprintable() or c.isspace()).split())
