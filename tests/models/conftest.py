"""Real models where they are installed, and small GGUF files made by hand."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.home import Home
from models.catalogue import entry
from models.chat import LlamaChat
from models.loading import load_chat


@pytest.fixture(scope="session")
def small_file() -> Path:
    """SmolLM2-135M, which `make test` fetches. A session's fixture, so it sees the real data folder."""
    path = Home.default().models / entry("smollm2-135m-instruct-q4_1").file
    assert path.is_file(), f"{path} is missing: “backscroll models get smollm2-135m-instruct-q4_1” fetches it"
    return path


@pytest.fixture(scope="session")
def small_model(small_file: Path) -> Iterator[LlamaChat]:
    with load_chat(small_file, n_ctx=2048, n_threads=1) as model:
        yield model


class Gguf:
    """Writes a GGUF file piece by piece."""

    KINDS = {"int": (4, "<I"), "float": (6, "<f"), "long": (10, "<Q")}

    def __init__(self, version: int = 3) -> None:
        self.version = version
        self.pairs: list[bytes] = []
        self.tensors: list[bytes] = []
        self.data = b""

    @staticmethod
    def string(text: str) -> bytes:
        data = text.encode()
        return struct.pack("<Q", len(data)) + data

    def text(self, key: str, value: str) -> "Gguf":
        self.pairs.append(self.string(key) + struct.pack("<I", 8) + self.string(value))
        return self

    def number(self, key: str, value: float, kind: str = "int") -> "Gguf":
        code, form = self.KINDS[kind]
        self.pairs.append(self.string(key) + struct.pack("<I", code) + struct.pack(form, value))
        return self

    def numbers(self, key: str, values: list[int]) -> "Gguf":
        head = struct.pack("<IIQ", 9, 4, len(values))
        self.pairs.append(self.string(key) + head + struct.pack(f"<{len(values)}I", *values))
        return self

    def texts(self, key: str, values: list[str]) -> "Gguf":
        head = struct.pack("<IIQ", 9, 8, len(values))
        self.pairs.append(self.string(key) + head + b"".join(map(self.string, values)))
        return self

    def tensor(self, name: str, values: int, offset: int = 0, kind: int = 0) -> "Gguf":
        self.tensors.append(self.string(name) + struct.pack("<IQIQ", 1, values, kind, offset))
        return self

    def bytes(self) -> bytes:
        head = b"GGUF" + struct.pack("<IQQ", self.version, len(self.tensors), len(self.pairs))
        body = head + b"".join(self.pairs) + b"".join(self.tensors)
        return body + b"\0" * (-len(body) % 32) + self.data


@pytest.fixture
def gguf() -> Gguf:
    """A sound header of a small chat model with one tensor of 64 numbers."""
    made = Gguf()
    made.text("general.architecture", "llama").text("general.name", "Tiny").text("general.license", "mit")
    made.number("general.file_type", 15)
    for name, value in (("block_count", 4), ("context_length", 2048), ("embedding_length", 128)):
        made.number(f"llama.{name}", value)
    made.number("llama.attention.head_count", 8).number("llama.attention.head_count_kv", 2)
    made.number("llama.rope.freq_base", 10000.0, "float").texts("tokenizer.ggml.tokens", ["a", "b", "ö"])
    made.text("tokenizer.chat_template", "{{ messages[0].content }}")
    made.tensor("output.weight", 64)
    made.data = bytes(256)
    return made
