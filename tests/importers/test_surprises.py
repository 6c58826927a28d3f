"""Exports whose structure is not what it should be: any value of a sample replaced by any other."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held, HeldFolder, read

from importers.base import Facts, Message, Problem
from importers.source import Source

DATA = Path(__file__).parent / "data"
JSON_SAMPLES = sorted(p for p in DATA.rglob("*.json") if p.name != "expected.json")
STRANGE: list[Any] = [
    None, True, 0, -1, 2**63, 1e308, "", "x", "\ud83d", [], {}, [None], [[]], [{}], {"": None}, {"id": {}},
    ["x", 1], {"text": [1, None]}, "9" * 400, [[[[[]]]]],
]  # fmt: skip


def readable(path: Path) -> Any:
    """The JSON of a sample, None for samples that are broken on purpose."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        return None


WHOLE = [p for p in JSON_SAMPLES if isinstance(readable(p), dict | list)]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield (*path, key)
        yield from places(held, (*path, key))


def replaced(document: Any, place: tuple[Any, ...], value: Any, *, remove: bool) -> Any:
    changed = copy.deepcopy(document)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    if remove:
        del holder[place[-1]]
    else:
        holder[place[-1]] = value
    return changed


@pytest.mark.parametrize("sample", WHOLE, ids=lambda p: p.relative_to(DATA).as_posix())
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_any_value_may_be_anything(sample: Path, data: st.DataObject) -> None:
    document = readable(sample)
    for _ in range(data.draw(st.integers(1, 3))):
        where = list(places(document))
        if where:
            place, value = data.draw(st.sampled_from(where)), data.draw(st.sampled_from(STRANGE))
            document = replaced(document, place, value, remove=data.draw(st.booleans()))
    changed = json.dumps(document).encode()
    case = DATA.joinpath(*sample.relative_to(DATA).parts[:2])
    inside = case / "input"
    if inside in sample.parents:
        files = {p.relative_to(inside).as_posix(): p for p in inside.rglob("*") if p.is_file()}
        source: Source = HeldFolder("x", {n: changed if p == sample else p.read_bytes() for n, p in files.items()})
    else:
        source = Held(sample.name, changed)
    for item in read(source):
        assert isinstance(item, Message | Problem | Facts)
        if isinstance(item, Problem):
            assert not item.reason.startswith("Nothing could be read")  # a surprise costs a record, not the rest
        if isinstance(item, Message):
            (item.text + item.chat + (item.sender or "")).encode("utf-8")
