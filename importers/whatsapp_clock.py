"""Words that stand beside a clock time: the halves and parts of the day, and joints like “um” or “à”.

They come from `whatsapp_clock.toml`. A word that is not there can still be learned from the file: see
`learned_day_parts`.
"""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path

_TABLES = Path(__file__).with_suffix(".toml")
NOON = 12


@cache
def _tables() -> Mapping[str, frozenset[str]]:
    raw: dict[str, list[str]] = tomllib.loads(_TABLES.read_text(encoding="utf-8"))
    return {name: frozenset(v for word in found for v in (word, word.casefold())) for name, found in raw.items()}


@lru_cache(maxsize=1_000)
def noon_side(word: str, hour: int) -> int | None:
    """0 for before noon, 12 for after it, None where the word is no day part.

    The word may hold a joint too (“à 오후”): then the last part of it that is known decides.
    """
    known = " ".join(word.split())
    parts = [part for part in known.split(" ") if len(part) > 1]  # “a” alone is a joint in “a las 12:30”
    for candidate in (known, known.replace(" ", ""), *reversed(parts)):
        side = _side(candidate.strip(".,،"), hour)
        if side is not None:
            return side
    return None


def _side(word: str, hour: int) -> int | None:
    names = {name for name, found in _tables().items() if word in found or word.casefold() in found}
    if "after noon" in names or "evening" in names:
        return NOON
    if "before noon" in names or "morning" in names:
        return 0
    if "midday" in names:
        return 0 if hour == NOON - 1 else NOON
    if "night" in names:
        return NOON if NOON // 2 <= hour < NOON else 0
    return None


def is_joint(word: str) -> bool:
    """Whether the word only joins date and time, or names the unit of the hour."""
    return all(w.strip(".,،") in _tables()["joints"] for w in word.split(" "))


def learned_day_parts(uses: Sequence[tuple[str, str, int]]) -> dict[str, int]:
    """The sides of day parts that no table has, by how a file uses them: (date, word, hour) in order.

    Two words that never stand beside an hour above 12 are the halves of the day; the one that opens
    more of the days on which both occur is the morning.
    """
    words = list(dict.fromkeys(word for _, word, _ in uses))
    if len(words) != 2 or any(hour > NOON for _, _, hour in uses):
        return dict.fromkeys(words, 0) if len(words) == 1 else {}
    first_word: dict[str, str] = {}
    both: dict[str, set[str]] = {}
    for day, word, _ in uses:
        first_word.setdefault(day, word)
        both.setdefault(day, set()).add(word)
    opens = [first_word[day] for day, seen in both.items() if len(seen) == len(words)]
    morning = words[0] if opens.count(words[0]) >= opens.count(words[1]) else words[1]
    return {word: 0 if word == morning else NOON for word in words}
