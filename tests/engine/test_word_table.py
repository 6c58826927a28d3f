"""The table of words against a dictionary."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.word_table import PADDING, WordTable

WORDS = st.lists(st.text("abz09é", min_size=1, max_size=19), max_size=40)


class Numbering:
    """Numbers words as they come; counts how often it was asked."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}
        self.asked: list[str] = []

    def __call__(self, words: list[str]) -> list[int]:
        self.asked += words
        return [self.known.setdefault(word, len(self.known)) for word in words]


def looked_up(table: WordTable, words: list[str]) -> list[int]:
    encoded = [word.encode() for word in words]
    ends = np.cumsum([len(word) + 1 for word in encoded], dtype=np.int64) - 1
    starts = ends - np.array([len(word) for word in encoded], np.int64)
    return [int(n) for n in table.numbers(b" ".join(encoded) + b" " * PADDING, starts, ends)]


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=4))
def test_every_word_has_the_number_that_it_was_given(batches: list[list[str]]) -> None:
    numbering = Numbering()
    table = WordTable(numbering)
    for words in batches:
        assert looked_up(table, words) == [numbering.known[word] for word in words]


def test_a_short_word_is_asked_for_once_while_the_table_grows() -> None:
    numbering = Numbering()
    table = WordTable(numbering)
    words = [f"w{number * number}" for number in range(20_000)]
    first = looked_up(table, words + words)
    assert looked_up(table, words) == first[:20_000] == first[20_000:]
    assert len(numbering.asked) == len(set(words))


def test_words_that_crowd_together_are_still_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WordTable, "_first_places", lambda self, low, high: np.zeros(len(low), np.int64))
    numbering = Numbering()
    table = WordTable(numbering)
    words = [f"word{number}" for number in range(200)]
    for _ in range(2):
        assert looked_up(table, words) == [numbering.known[word] for word in words]
