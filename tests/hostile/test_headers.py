"""Hostile model files are refused by our own reader, in bounded time and memory, before llama.cpp sees them."""

import random
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from headers import MOST_BYTES, MOST_SECONDS, TEMPLATES, WHOLE, absurd, changed, large, outcome, template_outcome

from models.base import ModelFileError
from models.gguf import read_header

ABSURD = list(absurd())


@pytest.fixture(autouse=True)
def measured() -> Iterator[None]:
    tracemalloc.start()
    yield
    tracemalloc.stop()


def bounded(path: Path) -> str:
    said, seconds, memory = outcome(path)
    assert seconds < MOST_SECONDS
    assert memory < MOST_BYTES
    return said


def test_the_header_that_is_changed_is_a_whole_one(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").write_bytes(WHOLE)
    assert read_header(tmp_path / "model.gguf").architecture == "llama"


@pytest.mark.parametrize("data", [data for _, data in ABSURD], ids=[name for name, _ in ABSURD])
def test_what_cannot_be_is_refused_or_read_quickly(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(data)
    bounded(path)


@pytest.mark.parametrize(("name", "begin", "size"), list(large()), ids=[each[0] for each in large()])
def test_large_files_do_not_fill_the_memory(name: str, begin: bytes, size: int, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    with path.open("wb") as stream:
        stream.write(begin)
        stream.truncate(size)
    if "4 million" in name:  # to trace each of their lengths takes longer than to read them
        tracemalloc.stop()
        assert outcome(path)[1] < MOST_SECONDS
    else:
        assert bounded(path) in ("refused", "read")


def test_random_changes_are_refused_or_read(tmp_path: Path) -> None:
    path, chance = tmp_path / "model.gguf", random.Random()
    outcomes = set()
    for _ in range(500):
        path.write_bytes(changed(chance))
        outcomes.add(bounded(path))
    assert outcomes == {"refused", "read"}


@pytest.mark.parametrize("source", TEMPLATES)
def test_a_template_cannot_reach_out_or_go_on_for_ever(source: str) -> None:
    began = time.monotonic()
    said = template_outcome(source)
    assert time.monotonic() - began < MOST_SECONDS
    assert tracemalloc.get_traced_memory()[1] < MOST_BYTES * 4
    assert said == "refused" or ("root:" not in said and "uid=" not in said and len(said) < 200_000)


def test_a_name_in_the_header_is_never_a_path(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(dict(ABSURD)["an architecture that is a path"])
    assert read_header(path).context == 0
    with pytest.raises(ModelFileError):
        read_header(Path(__file__))
