from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from models.writing import Writing


def _cut(data: bytes, places: list[int]) -> list[bytes]:
    ends = sorted({0, len(data), *(place % (len(data) + 1) for place in places)})
    return [data[a:b] for a, b in pairwise(ends)]


@given(st.text(), st.lists(st.integers(0, 200), max_size=8))
def test_pieces_are_whole_characters_and_make_the_text(text: str, places: list[int]) -> None:
    pieces: list[str] = []
    writing = Writing(may_think=False, on_text=pieces.append)
    for part in _cut(text.encode("utf-8", "replace"), places):
        writing.add(part)
    expected = text.encode("utf-8", "replace").decode()
    assert writing.finish() == expected == "".join(pieces)
    assert "\ufffd" not in "".join(pieces) or "\ufffd" in expected


@given(st.text("ab#\n", max_size=12), st.lists(st.integers(0, 12), max_size=6))
def test_a_stop_string_ends_the_text_wherever_it_is_cut(text: str, places: list[int]) -> None:
    pieces: list[str] = []
    writing = Writing(stop=["##", "\na"], may_think=False, on_text=pieces.append)
    for part in _cut(text.encode(), places):
        writing.add(part)
    found = [place for place in (text.find("##"), text.find("\na")) if place >= 0]
    expected = text[: min(found)] if found else text
    assert writing.stopped == bool(found)
    assert writing.finish() == expected == "".join(pieces)


@given(st.lists(st.integers(0, 60), max_size=8))
def test_thoughts_before_the_answer_are_hidden(places: list[int]) -> None:
    pieces: list[str] = []
    writing = Writing(on_text=pieces.append)
    for part in _cut(b"\n<think>hm, 4 > 3 </thin\n</think>\n\nFour. <think>", places):
        writing.add(part)
    assert writing.finish() == "Four. <think>" == "".join(pieces)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<think>endless", ""),
        ("<thinking aloud", "<thinking aloud"),
        ("<think></think>", ""),
        ("<thi", "<thi"),
        ("  x", "  x"),
    ],
)
def test_thoughts_that_do_not_end_or_are_none(text: str, expected: str) -> None:
    writing = Writing()
    for character in text:
        writing.add(character.encode())
    assert writing.finish() == expected


def test_a_thought_that_the_template_began_is_hidden() -> None:
    writing = Writing(thinking=True)
    writing.add(b"hm</think>\n\nYes.")
    assert writing.finish() == "Yes."


def test_what_was_put_in_the_mouth_is_left_out_but_may_stop() -> None:
    writing = Writing(skip=4, may_think=False, stop=["!"])
    writing.add("Él: ".encode()[:2])
    writing.add("Él: ".encode()[2:] + b"no!")
    assert writing.stopped
    assert writing.finish() == "no"
