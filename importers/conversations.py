"""What ChatGPT's and Claude's exports have in common: `conversations.json`, alone, in parts, or in a zip."""

import re
from collections.abc import Callable

from importers.parts import parts_of
from importers.source import Source

UNTITLED = "Untitled"
_FILE = re.compile(r"(?:.*/)?conversations(?:[-_](\d+))?\.json", re.IGNORECASE)


def number_of(name: str) -> int | None:
    """1 for conversations.json, N + 1 for conversations-00N.json, None for other names."""
    found = _FILE.fullmatch(name)
    return int(found[1] or 0) + 1 if found else None


def conversation_files(source: Source, is_ours: Callable[[Source], bool]) -> tuple[Source, ...]:
    """The files to read, in order: those of a folder or zip that hold our conversations, or the file itself."""
    members = source.members()
    if not members:
        return parts_of(source)
    numbered = [(n, m) for m in members if (n := number_of(m.name)) is not None and is_ours(m)]
    return tuple(m for _, m in sorted(numbered, key=lambda found: found[0])) or parts_of(source)
