"""Invented messages for the speed figures: word lengths and frequencies as in chats, always the same.

Words are drawn with Zipf's law from an invented vocabulary, so that postings have the skew of real text.
With `--text FILE` the programs take lines of a real corpus instead; nothing of it is kept.
"""

from pathlib import Path

import numpy as np

WORDS = 120_000
SEED = 7


def vocabulary(size: int = WORDS) -> list[str]:
    """Invented words, short ones first, as frequent words are."""
    rng = np.random.default_rng(SEED)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    words: dict[str, None] = {}
    while len(words) < size:
        length = int(rng.integers(2, 5)) if len(words) < 300 else int(rng.integers(3, 11))
        words["".join(rng.choice(letters, length))] = None
    return list(words)


def messages(count: int, *, text: Path | None = None) -> list[str]:
    """Messages of 1 to 60 words, most of them short, with capitals and some punctuation."""
    if text is not None:
        lines = text.read_text(encoding="utf-8", errors="replace").splitlines()
        return [lines[i % len(lines)] for i in range(count)]
    rng = np.random.default_rng(SEED + 1)
    words = np.array(vocabulary())
    share = 1 / np.arange(2, len(words) + 2) ** 1.05
    lengths = np.clip(rng.gamma(1.4, 8.5, count), 1, 60).astype(int)
    drawn = words[rng.choice(len(words), int(lengths.sum()), p=share / share.sum())]
    ends = np.cumsum(lengths)
    parts = np.split(drawn, ends[:-1])
    return [f"{' '.join(p)}{mark}".capitalize() for p, mark in zip(parts, _marks(rng, count), strict=True)]


def _marks(rng: np.random.Generator, count: int) -> list[str]:
    return rng.choice(["", "", ".", "?", "!", " :)"], count).tolist()


def questions(texts: list[str], count: int) -> list[str]:
    """Questions made of words of random messages."""
    rng = np.random.default_rng(SEED + 2)
    chosen = rng.integers(0, len(texts), count)
    return [" ".join(texts[i].split()[:9]) for i in chosen]


def whatsapp_file(path: Path, texts: list[str]) -> None:
    """The messages as an Android export of four people."""
    rng = np.random.default_rng(SEED + 3)
    people = ("Ana", "Ben Okri", "Cleo Park", "Dan")
    minutes = np.cumsum(rng.choice([0, 0, 1, 1, 2, 5, 30, 240], len(texts)))
    start = np.datetime64("2015-01-01T08:00")
    stamps = np.datetime_as_string(start + minutes.astype("timedelta64[m]"), unit="m")
    with path.open("w", encoding="utf-8") as stream:
        for stamp, who, text in zip(stamps, rng.integers(0, 4, len(texts)), texts, strict=True):
            year, month, day, clock = stamp[:4], stamp[5:7], stamp[8:10], stamp[11:]
            stream.write(f"{day}/{month}/{year}, {clock} - {people[who]}: {text}\n")
