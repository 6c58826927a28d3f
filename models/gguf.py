"""The header of a GGUF file, read with every count and length checked against the file's size.

llama.cpp reads headers too, but a wrong file can end its process; this reader refuses it with a sentence
first. It follows the GGUF specification (versions 2 and 3): magic, version, counts, typed key-value pairs,
tensor descriptions, then the aligned tensor data.
"""

import mmap
import struct
from dataclasses import dataclass, field
from pathlib import Path

from models.base import ModelFileError

Value = int | float | bool | str | None

_MAX_PAIRS = 4_096
_MAX_TENSORS = 65_536
_MAX_STRING = 4 << 20  # chat templates are the longest, some 20 kB
_MAX_ARRAY = 4 << 20  # vocabularies and their merges; the largest known have 300,000
_MAX_STRINGS = 2 * _MAX_ARRAY  # in all arrays together
_MAX_KEPT = 16 << 20  # bytes of all strings that are kept
_SIMPLE = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_STRING, _ARRAY = 8, 9

# Values a block and bytes a block of each tensor type (ggml.h); types that are not here are not measured.
_BLOCKS = {
    0: (1, 4),
    1: (1, 2),
    2: (32, 18),
    3: (32, 20),
    6: (32, 22),
    7: (32, 24),
    8: (32, 34),
    10: (256, 84),
    11: (256, 110),
    12: (256, 144),
    13: (256, 176),
    14: (256, 210),
    15: (256, 292),
    20: (32, 18),
    23: (256, 136),
    24: (1, 1),
    25: (1, 2),
    26: (1, 4),
    27: (1, 8),
    28: (1, 8),
    30: (1, 2),
}
_FILE_TYPES = {
    0: "F32",
    1: "F16",
    2: "Q4_0",
    3: "Q4_1",
    7: "Q8_0",
    8: "Q5_0",
    9: "Q5_1",
    10: "Q2_K",
    11: "Q3_K_S",
    12: "Q3_K_M",
    13: "Q3_K_L",
    14: "Q4_K_S",
    15: "Q4_K_M",
    16: "Q5_K_S",
    17: "Q5_K_M",
    18: "Q6_K",
    24: "IQ1_S",
    25: "IQ4_NL",
    30: "IQ4_XS",
    32: "BF16",
}


@dataclass(frozen=True, slots=True)
class Header:
    """What a GGUF file says of itself. Arrays are kept as their lengths, except the heads of each layer."""

    path: Path
    size: int  # bytes of the file
    values: dict[str, Value] = field(repr=False)
    heads_kv: tuple[int, ...] = ()  # for each layer
    ranks: bool = False  # whether there are weights that rank texts

    @property
    def architecture(self) -> str:
        """Such as "qwen2"."""
        return str(self.values.get("general.architecture", ""))

    @property
    def name(self) -> str:
        """The name inside the file, else the file's."""
        return str(self.values.get("general.name") or self.path.stem)

    @property
    def licence(self) -> str:
        """The licence inside the file, "" where it does not say."""
        return str(self.values.get("general.license") or "")

    @property
    def file_type(self) -> str:
        """Such as "Q4_K_M", "" where it is unknown."""
        number = self.values.get("general.file_type")
        return _FILE_TYPES.get(number, "") if isinstance(number, int) else ""

    @property
    def context(self) -> int:
        """Tokens that the model was trained for, 0 where the file does not say."""
        return self.number("context_length")

    @property
    def chat_template(self) -> str:
        """The chat template, "" where there is none."""
        found = self.values.get("tokenizer.chat_template")
        return found if isinstance(found, str) else ""

    @property
    def kind(self) -> str:
        """`embedding`, `reranker` or `chat`, by its pooling."""
        pooling = self.number("pooling_type")
        encoder = "bert" in self.architecture or self.architecture == "gemma-embedding"
        return "reranker" if pooling == 4 else "embedding" if encoder or pooling else "chat"

    @property
    def cache_per_token(self) -> int:
        """Bytes of 16-bit keys and values for one token, over all layers that keep any."""
        layers = self.number("block_count")
        heads = self.number("attention.head_count")
        width = self.number("embedding_length") // heads if heads else 0
        keys = self.number("attention.key_length") or width
        values = self.number("attention.value_length") or width
        kept = sum(self.heads_kv) or (self.number("attention.head_count_kv") or heads) * layers
        return kept * (keys + values) * 2

    def number(self, name: str) -> int:
        """A whole number of the architecture's section, 0 where there is none."""
        found = self.values.get(f"{self.architecture}.{name}")
        return found if isinstance(found, int) and 0 <= found < 1 << 40 else 0


def read_header(path: Path) -> Header:
    """Read and check a header.

    Raises:
        ModelFileError: the file is no GGUF file, is cut off, or says what cannot be.
        OSError: it cannot be read.
    """
    if path.stat().st_size < 24:
        raise ModelFileError(f"{path.name} {_NO_MODEL}")
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _Reader(data, path).header()
    except _Wrong as wrong:
        raise ModelFileError(f"{path.name} {wrong}") from None


class _Wrong(Exception):
    """The rest of a sentence that begins with the file's name."""


_NO_MODEL = "is not a GGUF model file."
_CUT_OFF = "is cut off. Get or copy it again."
_NONSENSE = "is damaged: its header says what cannot be. Get or copy it again."


class _Reader:
    """Reads forward; never beyond the end of the file."""

    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self._data = data
        self._size = len(data)
        self._place = 0
        self._path = path
        self._ranks = False
        self._strings = 0
        self._kept = 0
        self._heads: tuple[int, ...] = ()

    def header(self) -> Header:
        if self._bytes(4) != b"GGUF":
            raise _Wrong(_NO_MODEL)
        version = self._number("I")
        if version not in (2, 3):
            raise _Wrong(f"is in version {version} of the GGUF format, which this program does not know.")
        tensors, pairs = self._number("Q"), self._number("Q")
        if tensors > _MAX_TENSORS or pairs > _MAX_PAIRS:
            raise _Wrong(_NONSENSE)
        values: dict[str, Value] = {}
        for _ in range(pairs):
            key = self._string()
            values[key] = self._value(key)
        if not isinstance(values.get("general.architecture"), str):
            raise _Wrong(_NONSENSE)
        self._check_tensors(tensors, values.get("general.alignment", 32))
        return Header(self._path, self._size, values, self._heads, self._ranks)

    def _value(self, key: str) -> Value:
        kind = self._number("I")
        if kind == _ARRAY:
            return self._array(key)
        return self._string() if kind == _STRING else self._simple(kind)

    def _array(self, key: str) -> int:
        kind, count = self._number("I"), self._number("Q")
        if count > _MAX_ARRAY:
            raise _Wrong(_NONSENSE)
        if kind == _STRING:
            self._skip_strings(count)
        elif key.endswith(".attention.head_count_kv"):
            numbers = [self._simple(kind) for _ in range(min(count, _MAX_PAIRS))]
            self._heads = tuple(number for number in numbers if isinstance(number, int))
        elif kind in _SIMPLE:
            self._skip(count * struct.calcsize("<" + _SIMPLE[kind]))
        else:
            raise _Wrong(_NONSENSE)
        return count

    def _check_tensors(self, count: int, alignment: Value) -> None:
        """The data of every tensor lies within the file."""
        if not isinstance(alignment, int) or not 1 <= alignment <= 1 << 20:
            raise _Wrong(_NONSENSE)
        end = 0
        for _ in range(count):
            end = max(end, self._tensor_end())
        begin = -(-self._place // alignment) * alignment
        if count and begin + end > self._size:
            raise _Wrong(_CUT_OFF)

    def _tensor_end(self) -> int:
        self._ranks |= self._string().startswith("cls")
        dimensions = self._number("I")
        if not 1 <= dimensions <= 4:
            raise _Wrong(_NONSENSE)
        values = 1
        for _ in range(dimensions):
            values *= self._number("Q")
        kind, offset = self._number("I"), self._number("Q")
        if values > 1 << 44 or offset > 1 << 44:
            raise _Wrong(_NONSENSE)
        per_block, size = _BLOCKS.get(kind, (1, 0))
        return offset + -(-values // per_block) * size

    def _simple(self, kind: int) -> Value:
        if kind not in _SIMPLE:
            raise _Wrong(_NONSENSE)
        form = "<" + _SIMPLE[kind]
        found: Value = struct.unpack(form, self._bytes(struct.calcsize(form)))[0]
        return found

    def _number(self, form: str) -> int:
        return int.from_bytes(self._bytes(struct.calcsize("<" + form)), "little")

    def _string(self) -> str:
        length = self._length()
        self._kept += length
        if self._kept > _MAX_KEPT:
            raise _Wrong(_NONSENSE)
        return self._bytes(length).decode("utf-8", "replace")

    def _length(self) -> int:
        length = self._number("Q")
        if length > _MAX_STRING:
            raise _Wrong(_NONSENSE)
        return length

    def _skip_strings(self, count: int) -> None:
        """Half a million of them in a vocabulary, so without a call for each."""
        place, data, size = self._place, self._data, self._size
        self._strings += count
        if self._strings > _MAX_STRINGS:
            raise _Wrong(_NONSENSE)
        for _ in range(count):
            place += 8 + int.from_bytes(data[place : place + 8], "little")
            if place > size:
                raise _Wrong(_CUT_OFF)
        self._place = place

    def _skip(self, count: int) -> None:
        if count > self._size - self._place:
            raise _Wrong(_CUT_OFF)
        self._place += count

    def _bytes(self, count: int) -> bytes:
        begin = self._place
        self._skip(count)
        return self._data[begin : self._place]
