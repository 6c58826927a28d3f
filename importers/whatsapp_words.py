"""The app's own words in all languages, read from `whatsapp_words.toml`, ready for look-up.

The words are data, not code: a new language or a new wording is one more line there.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_TABLES = Path(__file__).with_suffix(".toml")
_KINDS = {
    "left out file": "file",
    "left out view once": "file",
    "live location": "location",
    "deleted": "deleted",
    "call": "event",
    "waiting": "system",
    **{f"left out {k}": k for k in ("image", "video", "audio", "sticker", "gif", "contact", "document")},
}
_Tables = Mapping[str, Mapping[str, list[str]]]


@dataclass(frozen=True, slots=True)
class Words:
    """All phrases, folded; build it once with `words()`."""

    kinds: Mapping[str, str]  # whole body -> deleted, system, event, or the kind of what was left out
    languages: Mapping[str, str]  # whole body -> the one language that says it so
    literals: frozenset[str]  # the same bodies as they stand in files, for a first quick test
    longest: int  # characters of the longest of them
    attached: frozenset[str]
    edited: frozenset[str]
    notice: re.Pattern[str]  # found in notices about the chat and its people
    encrypted: re.Pattern[str]  # found in the notice with which every chat begins
    titles: tuple[re.Pattern[str], ...]  # names of exported files; the group is the chat


@cache
def words() -> Words:
    """The tables, read and prepared at first use."""
    tables: _Tables = tomllib.loads(_TABLES.read_text(encoding="utf-8"))
    fixed = {fold(p): kind for table, kind in _KINDS.items() for _, p in _rows(tables, table)}
    literals = frozenset(v for table in _KINDS for _, p in _rows(tables, table) for v in _variants(p))
    return Words(
        kinds=fixed,
        languages=_languages(tables),
        literals=literals,
        longest=max(map(len, literals)),
        attached=frozenset(fold(p) for _, p in _rows(tables, "attached")),
        edited=frozenset(fold(p) for _, p in _rows(tables, "edited")),
        notice=re.compile("|".join(f"(?:{p})" for t in ("encrypted", "notices") for _, p in _rows(tables, t))),
        encrypted=re.compile("|".join(f"(?:{p})" for _, p in _rows(tables, "encrypted"))),
        titles=tuple(_title(p) for p in sorted((p for _, p in _rows(tables, "titles")), key=len, reverse=True)),
    )


def fold(phrase: str) -> str:
    """A phrase as it is compared: no spaces around it, no full stop at its end, no case."""
    return " ".join(phrase.split()).rstrip(".。।").casefold()


def _rows(tables: _Tables, table: str) -> Iterator[tuple[str, str]]:
    """Language and phrase, one by one."""
    for language, phrases in tables[table].items():
        for phrase in phrases:
            yield language, phrase


def _languages(tables: _Tables) -> Mapping[str, str]:
    found: dict[str, set[str]] = {}
    for table in (*_KINDS, "edited"):
        for language, phrase in _rows(tables, table):
            found.setdefault(fold(phrase), set()).add(language)
    return {phrase: min(languages) for phrase, languages in found.items() if len(languages) == 1}


def _variants(phrase: str) -> Iterator[str]:
    """The spellings of a phrase in files: either case at its start, with and without a full stop."""
    for start in (phrase, phrase[:1].upper() + phrase[1:], phrase[:1].lower() + phrase[1:]):
        yield from (start, f"{start}.", f"{start}。", f"{start}।")


def _title(template: str) -> re.Pattern[str]:
    before, after = (r"\s+".join(map(re.escape, part.split(" "))) for part in template.split("{}"))
    return re.compile(f"{before}(.+){after}", re.IGNORECASE)
