"""A word that is still being typed finds what it may become."""

from pathlib import Path

import pytest
from builders import new_library, put, say

from engine.completion import MOST, completed
from engine.types import Filters


@pytest.fixture
def searcher(tmp_path: Path):
    library = new_library(tmp_path)
    put(
        library,
        [say(9 * n, "Ana", text) for n, text in enumerate(("the heron came", "herons again", "a ladder", "鸟"))],
    )
    return library.searcher


@pytest.mark.parametrize("typed", ["he", "her", "hero", "heron"])
def test_every_beginning_finds_the_word(searcher, typed: str) -> None:
    assert "heron" in completed(typed, searcher.index).split()
    hits = searcher.search(completed(typed, searcher.index), filters=Filters(), k=9).hits
    assert {hit.turn.text for hit in hits} == {"the heron came", "herons again"}


@pytest.mark.parametrize("typed", ["wed", "wedd", "weddi", "weddin", "wedding"])
def test_a_word_is_found_at_every_letter_though_its_stem_is_shorter(tmp_path: Path, typed: str) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "what a wedding"), say(9, "Ana", "we went home")])
    hits = library.searcher.search(completed(typed, library.searcher.index), filters=Filters(), k=9).hits
    assert [hit.turn.text for hit in hits] == ["what a wedding"]


@pytest.mark.parametrize("typed", ["heron ", "h", "", "鸟", "xylo", "12"])
def test_what_is_finished_too_short_or_unknown_stays(searcher, typed: str) -> None:
    assert completed(typed, searcher.index) == typed


def test_there_are_never_too_many_words(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(9 * n, "Ana", f"zeb{letter}k") for n, letter in enumerate("abcdefghijklmnop")])
    assert len(completed("zeb", library.searcher.index).split()) == 1 + MOST
