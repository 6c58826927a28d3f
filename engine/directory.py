"""Chats and people of the archive by name: who wrote, where, and whom a person means by a name.

A person's name is what is shown; each name that an export wrote for them finds them too.
"""

import difflib
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from engine.errors import NothingThere
from engine.store.archive import Archive

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Chat:
    """One chat of the archive."""

    id: int
    title: str
    platform: str
    language: str


class Directory:
    """A snapshot of names; made anew after each import."""

    def __init__(self, archive: Archive) -> None:
        self.chats = {
            row[0]: Chat(*row)
            for row in archive.rows("SELECT id, title, platform, language FROM chat ORDER BY id")
        }
        who = archive.rows("SELECT id, name, written FROM who ORDER BY id")
        self.senders: dict[int, str] = {number: name for number, name, _ in who}
        self.written: dict[int, str] = {number: written for number, _, written in who}
        own = {row[0] for row in archive.rows("SELECT DISTINCT name FROM owner")}
        self.owners = frozenset(name for _, name, written in who if written in own)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Languages of the chats, the most frequent first."""
        counts: dict[str, int] = {}
        for chat in self.chats.values():
            counts[chat.language] = counts.get(chat.language, 0) + 1
        return tuple(sorted(counts, key=lambda language: -counts[language])) or ("english",)

    def chat_ids(self, names: Sequence[str], platforms: Sequence[str]) -> list[int] | None:
        """Chats of these titles on these platforms; None where neither is given.

        Raises NothingThere, with what comes close, for a name that no chat has.
        """
        if not names and not platforms:
            return None
        wanted = {p.casefold() for p in platforms}
        if missing := wanted - {c.platform for c in self.chats.values()}:
            raise NothingThere(f"There are no chats from “{min(missing)}” in the archive.")
        chats = [c for c in self.chats.values() if not wanted or c.platform in wanted]
        if not names:
            return [c.id for c in chats]
        titles = [(c.id, c.title) for c in chats]
        return [i for name in names for i in _named(name, titles, "chat")]

    def titled(self, title: str) -> list[int]:
        """Chats of exactly this title, for what cannot be taken back; raises NothingThere."""
        return _named(title, [(c.id, c.title) for c in self.chats.values()], "chat", whole=True)

    @cached_property
    def people(self) -> dict[str, tuple[str, ...]]:
        """Each person's name with all names that they write under."""
        found: dict[str, dict[str, None]] = {}
        for number, name in self.senders.items():
            found.setdefault(name, {})[self.written[number]] = None
        return {name: tuple(written) for name, written in found.items()}

    def sender_ids(self, names: Sequence[str]) -> list[int] | None:
        """Senders that people mean by these names, whichever of a person's; None where none is given."""
        if not names:
            return None
        known = [(name, each) for name, written in self.people.items() for each in {name, *written}]
        people = {person for name in names for person in _named(name, known, "person")}
        return [number for number, name in self.senders.items() if name in people]


def _named(name: str, names: Sequence[tuple[Key, str]], what: str, *, whole: bool = False) -> list[Key]:
    """Keys whose name is this one, to the letter, else whatever its case; else starts with it as a word, else
    holds it as a word, unless it must be the whole name.
    """
    wanted = name.casefold().strip()
    same = [key for key, known in names if known == name]
    folded = [(key, known.casefold().strip()) for key, known in names]
    found = same or [key for key, known in folded if known == wanted]
    if not whole:
        found = found or [key for key, known in folded if known.startswith(wanted + " ")]
        found = found or [key for key, known in folded if wanted in known.split()]
    if not found or not (same or wanted):
        close = difflib.get_close_matches(name, [known for _, known in names if known], n=3, cutoff=0.6)
        hint = f" Did you mean {_either(close)}?" if close else ""
        raise NothingThere(f"There is no {what} named “{name}” in the archive.{hint}")
    return list(dict.fromkeys(found))


def _either(names: Iterable[str]) -> str:
    return " or ".join(f"“{n}”" for n in names)
