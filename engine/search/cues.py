"""Small words that tell what a question is after, and what a turn does: ask, tell of oneself, name a time.

The lists are in `cues.toml`, one table a language; a language that is not there loses a little of the
ranking, nothing else. A question is read with the words of its own language only: “war” and “son” mean
something in English.
"""

import tomllib
from collections.abc import Collection, Sequence
from functools import cache
from importlib.resources import files

MARKS = ("asks", "tells", "times", "numbers")
"""What is marked of every turn, by the words that it holds."""
UNSPACED = "unspaced"


@cache
def cue_words(kind: str, languages: tuple[str, ...]) -> frozenset[str]:
    """The words of a kind in these languages, and in the scripts that write no spaces."""
    tables = _tables()
    return frozenset(w for name in (*languages, UNSPACED) for w in tables.get(name, {}).get(kind, "").split())


def language_of(words: Collection[str], languages: Sequence[str]) -> str:
    """Which of these languages a question is in, by its question words; the first one where nothing tells."""
    asked = set(words)
    counts = {name: len(asked & cue_words("question", (name,))) for name in languages}
    return max(languages, key=counts.__getitem__) if languages else "english"


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads(files("engine.search").joinpath("cues.toml").read_text("utf-8"))
