"""Chats and people of the archive by name: who wrote, where, and whom a person means by a name."""

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from engine.errors import NothingThere
from engine.store.archive import Archive


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
        self.senders: dict[int, str] = dict(archive.rows("SELECT id, name FROM sender ORDER BY id"))
        self.owners = frozenset(row[0] for row in archive.rows("SELECT DISTINCT name FROM owner"))

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
        titles = {c.id: c.title for c in chats}
        return [i for name in names for i in _named(name, titles, "chat")]

    def sender_ids(self, names: Sequence[str]) -> list[int] | None:
        """Senders that people mean by these names; None where none is given."""
        return [i for name in names for i in _named(name, self.senders, "person")] if names else None


def _named(name: str, names: dict[int, str], what: str) -> list[int]:
    """Ids whose name is this one, else starts with it as a word, else holds it as a word."""
    wanted = name.casefold().strip()
    folded = {i: n.casefold() for i, n in names.items()}
    exact = [i for i, n in folded.items() if n == wanted]
    starts = [i for i, n in folded.items() if n.startswith(wanted + " ")]
    holds = [i for i, n in folded.items() if wanted in n.split()]
    found = exact or starts or holds
    if not found or not wanted:
        close = difflib.get_close_matches(name, [n for n in names.values() if n], n=3, cutoff=0.6)
        hint = f" Did you mean {_either(close)}?" if close else ""
        raise NothingThere(f"There is no {what} named “{name}” in the archive.{hint}")
    return found


def _either(names: Iterable[str]) -> str:
    return " or ".join(f"“{n}”" for n in names)
