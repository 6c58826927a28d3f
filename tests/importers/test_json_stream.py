"""The cutter of JSON: the same values as the standard parser, wherever the buffer ends, and after damage."""

import io
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held

import importers.json_stream as json_stream
from importers.base import Problem
from importers.json_stream import OPENED, Piece, load, pieces, shape

LEAVES = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=12)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
RECORDS = st.lists(st.dictionaries(st.sampled_from(["id", "text", "of"]), VALUES, max_size=3), max_size=8)


def taken(data: bytes, into: tuple[str, ...] = ("", "messages")) -> tuple[list[Any], list[Problem]]:
    """The records under `messages`, and the problems."""
    found = list(pieces((Held("x.json", data),), into, ("messages.item", "item")))
    records = [p for p in found if isinstance(p, Piece) and p.value is not OPENED]
    numbers = [p.number for p in records]
    assert numbers == sorted(set(numbers))
    return [p.value for p in records], [p for p in found if isinstance(p, Problem)]


@settings(max_examples=150, deadline=None)
@given(RECORDS, st.sampled_from([None, 1]), st.booleans(), st.integers(1, 40))
def test_reads_what_the_standard_parser_reads(
    records: list[Any], indent: int | None, ascii_only: bool, chunk: int
) -> None:
    document = {"before": {"messages": [1, "]"]}, "messages": records, "after": ["}", {"a": '"'}]}
    data = json.dumps(document, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "replace")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "CHUNK", chunk)
        assert taken(data) == (json.loads(data)["messages"], [])


@settings(max_examples=100, deadline=None)
@given(RECORDS, st.data())
def test_a_cut_file_gives_all_records_before_the_cut_and_says_so(records: list[Any], data: st.DataObject) -> None:
    whole = json.dumps({"messages": records}, indent=1).encode()
    cut = data.draw(st.integers(0, len(whole) - 2))
    found, problems = taken(whole[:cut])
    assert found == records[: len(found)]
    assert problems


DAMAGE = [
    ('"id": N', '"id: N'),
    ('"id": N', 'id": N'),
    ('"cN"', 'cN"'),
    ('"cN"', '"cN'),
    ('"cN"', '"cN\\"'),
    ("[N,", "[N"),
    ("[N,", "N,"),
    (": N", ": N:"),
    (": N", "::N"),
]


@pytest.mark.parametrize(("number", "indent"), [(0, 1), (1, 1), (3, 1), (7, 1), (1, None), (3, None), (7, None)])
@pytest.mark.parametrize(("old", "new"), DAMAGE)
def test_damage_in_one_record_costs_that_record(number: int, indent: int | None, old: str, new: str) -> None:
    records = [{"id": n, "text": f"c{n}", "of": [n, {"id": 91}, {"id": 92}]} for n in range(8)]
    text = json.dumps({"messages": records}, indent=indent)
    old = old if indent is None else old.replace("[N,", "[\n    N,")
    broken = text.replace(old.replace("N", str(number)), new.replace("N", str(number)), 1)
    assert broken != text
    found, problems = taken(broken.encode())
    assert found == [r for r in records if r["id"] != number]
    assert sum(p.skipped for p in problems) == 1


def test_repairs_what_chat_apps_write_wrongly() -> None:
    assert load(rb'"a\x07b"') == "a\x07b"
    assert load(rb'"C:\\x41"') == "C:\\x41"
    assert load(rb'"\ud83d\ude00 \ud83d \ude00"') == "😀 \ufffd \ufffd"
    assert load(b'{"a": NaN, "b": -Infinity}') == {"a": None, "b": None}
    assert load(b'"tab\tand\nline"') == "tab\tand\nline"
    assert load(b'{"document_id": stickers/a (2).webp\n}') == {"document_id": "stickers/a (2).webp"}
    assert load(b'"\xff"') == "\ufffd"
    assert load(rb'"it\'s \q"') == "it's \\q"


def test_reads_byte_order_marks_and_values_one_after_the_other() -> None:
    assert taken(b'\xef\xbb\xbf{"messages": [1]}')[0] == [1]
    assert taken(b"\xff\xfe" + '{"messages": ["é"]}'.encode("utf-16-le"))[0] == ["é"]
    found = pieces((Held("x", b'{"a": 1}\n{"a": 2}'),), (), ("",))
    assert [p.value for p in found if isinstance(p, Piece)] == [{"a": 1}, {"a": 2}]


def test_numbers_go_on_from_part_to_part() -> None:
    parts = (Held("1", b"[7, 8]"), Held("2", b"[9]"))
    found = [p for p in pieces(parts, ("",), ("item",)) if isinstance(p, Piece)]
    assert [(p.value, p.number) for p in found] == [(7, 1), (8, 2), (9, 3)]


@pytest.mark.parametrize(
    "data", [b"", b"  ", b"]]]]", b'{"messages": "', b'{"messages": ["', b'["', b'{"a', b"{{{{"]
)
def test_ends_on_anything(data: bytes) -> None:
    assert taken(data)[1] or not data.strip(b"]")


def test_too_deep_a_record_is_a_problem_and_the_next_is_read() -> None:
    found, problems = taken(b'{"messages": [' + b"[" * 5_000 + b"]" * 5_000 + b', {"id": 1}]}')
    assert found == [{"id": 1}]
    assert "nested too deeply" in problems[0].reason


def test_a_record_too_long_to_hold_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_stream, "MAX_RECORD", 10_000)
    monkeypatch.setattr(json_stream, "CHUNK", 1_000)
    records = [{"id": 1}, {"id": 2}, {"id": 3, "text": ["x"] * 9_000}, {"id": 4}]
    found, problems = taken(json.dumps({"messages": records}).encode())
    assert found == [records[0], records[1], records[3]]
    assert len(problems) == 1


def test_the_shape_has_paths_with_their_first_words() -> None:
    found = shape(Held("x", b'{"type": "chat", "messages": [{"from": {"id": 1}}, {"date": "now"}], "cut": {"x'))
    assert found[""] == "{"
    assert found["type"] == "chat"
    assert found["messages.item.date"] == "now"
    assert "messages.item.from.id" in found
    assert "" not in shape(Held("x", b"no json"))


class Watched(bytes):
    """Bytes that add up how far they are looked through."""

    looked = 0

    def __radd__(self, before: bytes) -> "Watched":
        return Watched(before + bytes(self))

    def find(self, sub: Any, start: Any = 0, end: Any = None, /) -> int:
        place = super().find(sub, start, end)
        Watched.looked += (min(len(self), end or len(self)) if place < 0 else place) - start
        return place


class WatchedStream(io.BytesIO):
    """A stream of watched bytes."""

    def read(self, size: int | None = -1, /) -> bytes:
        return Watched(super().read(size))


class WatchedFile(Held):
    """A file whose bytes are watched."""

    def open(self) -> io.BytesIO:
        return WatchedStream(self.data)


@pytest.mark.parametrize("broken", ["tru", "[tru]", '{"id": 1,, "text": tru}'])
def test_many_broken_values_are_looked_through_once_each(broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Watched, "looked", 0)
    good = '{"id": 1, "text": "a"}'
    data = f'{{"messages": [{good}, {f"{broken}, " * 3_000}{good}]}}'.encode()
    found = list(pieces((WatchedFile("x.json", data),), ("", "messages"), ("messages.item",)))
    problems = [p for p in found if isinstance(p, Problem)]
    records = [p.value for p in found if isinstance(p, Piece) and p.value is not OPENED]
    assert records == [json.loads(good)] * 2
    assert len(problems) == sum(p.skipped for p in problems) == 3_000
    assert Watched.looked < 3 * len(data)
