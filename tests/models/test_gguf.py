import struct
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from models.base import ModelFileError
from models.gguf import read_header


def _written(folder: Path, data: bytes) -> Path:
    path = folder / "model.gguf"
    path.write_bytes(data)
    return path


def test_a_header_says_what_the_model_is(tmp_path: Path, gguf: Any) -> None:
    header = read_header(_written(tmp_path, gguf.bytes()))
    assert (header.architecture, header.name, header.licence) == ("llama", "Tiny", "mit")
    assert (header.file_type, header.context, header.kind) == ("Q4_K_M", 2048, "chat")
    assert header.chat_template == "{{ messages[0].content }}"
    assert header.cache_per_token == 4 * 2 * (16 + 16) * 2
    assert header.size == len(gguf.bytes())
    assert not header.ranks


def test_layers_without_a_cache_are_not_counted(tmp_path: Path, gguf: Any) -> None:
    gguf.numbers("llama.attention.head_count_kv", [2, 0, 0, 2]).number("llama.attention.key_length", 32)
    assert read_header(_written(tmp_path, gguf.bytes())).cache_per_token == 4 * (32 + 16) * 2


@pytest.mark.parametrize(("pooling", "kind"), [(1, "embedding"), (3, "embedding"), (4, "reranker")])
def test_pooling_tells_the_kind(tmp_path: Path, gguf: Any, pooling: int, kind: str) -> None:
    gguf.number("llama.pooling_type", pooling).tensor("cls.output.weight", 8, 128)
    header = read_header(_written(tmp_path, gguf.bytes()))
    assert header.kind == kind
    assert header.ranks


def test_every_truncation_is_refused(tmp_path: Path, gguf: Any) -> None:
    data = gguf.bytes()
    for end in (*range(0, len(data), 7), len(data) - 1):
        with pytest.raises(ModelFileError, match=r"cut off|not a GGUF"):
            read_header(_written(tmp_path, data[:end]))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.lists(st.tuples(st.integers(0, 700), st.integers(0, 255)), min_size=1, max_size=6))
def test_damage_is_refused_or_harmless(tmp_path: Path, gguf: Any, changes: list[tuple[int, int]]) -> None:
    data = bytearray(gguf.bytes())
    for place, byte in changes:
        data[place % len(data)] = byte
    try:
        header = read_header(_written(tmp_path, bytes(data)))
    except ModelFileError:
        return
    assert header.cache_per_token >= 0
    assert isinstance(header.name + header.licence + header.file_type + header.chat_template + header.kind, str)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a GGUF"),
        (b"PK\x03\x04" + bytes(100), "not a GGUF"),
        (b"GGUF" + struct.pack("<IQQ", 1, 0, 0) + bytes(50), "version 1"),
        (b"GGUF" + struct.pack(">IQQ", 3, 0, 0) + bytes(50), "version"),
        (b"GGUF" + struct.pack("<IQQ", 3, 1 << 60, 0) + bytes(50), "damaged"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 60) + bytes(50), "damaged"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 0) + bytes(50), "damaged"),
        (b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1 << 62) + bytes(50), "damaged"),
    ],
)
def test_what_is_no_model_is_refused_with_a_reason(tmp_path: Path, data: bytes, reason: str) -> None:
    with pytest.raises(ModelFileError, match=reason):
        read_header(_written(tmp_path, data))


def test_tensors_beyond_the_end_are_a_cut_off_file(tmp_path: Path, gguf: Any) -> None:
    gguf.tensor("more", 64, offset=256)
    with pytest.raises(ModelFileError, match="cut off"):
        read_header(_written(tmp_path, gguf.bytes()))


@pytest.mark.model
def test_a_real_file(small_file: Path) -> None:
    header = read_header(small_file)
    assert (header.architecture, header.file_type, header.context) == ("llama", "Q4_1", 8192)
    assert header.cache_per_token == 30 * 3 * 64 * 2 * 2
