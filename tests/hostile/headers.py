"""Hostile GGUF headers: cut, changed at random, and built to be absurd. Each must be refused or read, quickly.

`python tests/hostile/headers.py --files 20000` prints how many were tried, the longest time and the most memory.
"""

import argparse
import random
import struct
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

from models.base import ModelFileError
from models.gguf import read_header
from models.template import ChatTemplate

MOST_SECONDS = 3.0
MOST_BYTES = 48 << 20
INTEGER, FLOAT, STRING, ARRAY = 4, 6, 8, 9
LENGTHS = (0, 1, 23, 2**16, 2**31 - 1, 2**31, 2**32 - 1, 2**62, 2**63 - 1, 2**63, 2**64 - 1)


def text(value: str) -> bytes:
    """A string of the format."""
    data = value.encode()
    return struct.pack("<Q", len(data)) + data


def pair(key: str, kind: int, value: bytes) -> bytes:
    """A key with its value."""
    return text(key) + struct.pack("<I", kind) + value


def tensor(name: str, *shape: int, kind: int = 0, offset: int = 0) -> bytes:
    """A tensor's description."""
    sizes = b"".join(struct.pack("<Q", size) for size in shape)
    return text(name) + struct.pack("<I", len(shape)) + sizes + struct.pack("<IQ", kind, offset)


def header(*pairs: bytes, tensors: tuple[bytes, ...] = (), counts: tuple[int, int] | None = None) -> bytes:
    """A header; `counts` (tensors, pairs) may lie."""
    said = counts or (len(tensors), len(pairs))
    return b"GGUF" + struct.pack("<IQQ", 3, *said) + b"".join(pairs) + b"".join(tensors)


ARCHITECTURE = pair("general.architecture", STRING, text("llama"))
WHOLE = header(
    ARCHITECTURE,
    pair("general.name", STRING, text("Tiny")),
    pair("llama.context_length", INTEGER, struct.pack("<I", 2048)),
    pair("tokenizer.ggml.tokens", ARRAY, struct.pack("<IQ", STRING, 3) + text("a") + text("b") + text("c")),
    pair("llama.attention.head_count_kv", ARRAY, struct.pack("<IQ", INTEGER, 2) + struct.pack("<II", 2, 2)),
    pair("tokenizer.chat_template", STRING, text("{{ messages[0].content }}")),
    tensors=(tensor("token_embd.weight", 8, 4),),
) + bytes(512)


def absurd() -> Iterator[tuple[str, bytes]]:
    """Headers that say what cannot be."""
    for length in LENGTHS:
        size = struct.pack("<Q", length)
        yield f"{length} pairs", header(ARCHITECTURE, counts=(0, length)) + bytes(64)
        yield f"{length} tensors", header(ARCHITECTURE, counts=(length, 1)) + bytes(64)
        yield f"a key of {length}", header(ARCHITECTURE, size + b"key", counts=(0, 2))
        yield f"a text of {length}", header(ARCHITECTURE, text("a") + struct.pack("<I", STRING) + size)
        for kind in (INTEGER, STRING, ARRAY, 99):
            array = struct.pack("<I", kind) + size
            yield f"an array of {length} of kind {kind}", header(ARCHITECTURE, pair("a", ARRAY, array)) + bytes(64)
        yield f"a tensor of {length}", header(ARCHITECTURE, tensors=(tensor("t", length, length, length),))
        yield f"a tensor at {length}", header(ARCHITECTURE, tensors=(tensor("t", 1, offset=length),)) + bytes(64)
        alignment = pair("general.alignment", 10, size)
        yield f"an alignment of {length}", header(ARCHITECTURE, alignment, tensors=(tensor("t", 1),)) + bytes(64)
        heads = pair("llama.attention.head_count", 10, size)
        yield f"{length} heads", header(ARCHITECTURE, heads, pair("llama.embedding_length", 10, size))
    for kind in (7, 13, 255, 2**31, 2**32 - 1):
        yield f"a value of kind {kind}", header(ARCHITECTURE, pair("a", kind, bytes(8)))
        yield f"a tensor of kind {kind}", header(ARCHITECTURE, tensors=(tensor("t", 32, kind=kind),)) + bytes(64)
    yield "arrays in arrays", header(ARCHITECTURE, pair("a", ARRAY, struct.pack("<IQ", ARRAY, 1) * 5000))
    yield "an architecture that is a path", header(pair("general.architecture", STRING, text("../../etc/passwd")))
    yield "an architecture that is a number", header(pair("general.architecture", INTEGER, bytes(4)))
    yield "no architecture", header(pair("general.name", STRING, text("x")))
    yield "the same key 4000 times", header(*[ARCHITECTURE] * 4000)
    yield "no dimension", header(ARCHITECTURE, tensors=(text("t") + struct.pack("<I", 0),)) + bytes(64)
    yield "a name that is no text", header(pair("general.name", STRING, struct.pack("<Q", 4) + b"\xff\xfe\0\x80"))
    yield "65,536 tensors", header(ARCHITECTURE, tensors=(tensor("t", 1),) * 65_536) + bytes(64)


def large() -> Iterator[tuple[str, bytes, int]]:
    """Headers whose file is large: (name, beginning, size); what lies between is empty on the disk, too."""
    long_text = text("a") + struct.pack("<IQ", STRING, 4 << 20)
    yield "a thousand texts of 4 MB", header(ARCHITECTURE, long_text, counts=(0, 1001)), 5 << 30
    empty_texts = pair("a", ARRAY, struct.pack("<IQ", STRING, 4 << 20))
    yield "4 million empty texts", header(ARCHITECTURE, empty_texts), 40 << 20
    yield "zeros", b"GGUF" + struct.pack("<IQQ", 3, 0, 4096), 1 << 30
    yield "many tensors in zeros", b"GGUF" + struct.pack("<IQQ", 3, 65_536, 0), 1 << 30


TEMPLATES = (
    "{% include '/etc/passwd' %}",
    "{% import 'os' as os %}{{ os.popen('id').read() }}",
    "{{ ''.__class__.__mro__[1].__subclasses__() }}",
    "{{ cycler.__init__.__globals__.os.system('id') }}",
    "{{ messages.__class__.__init__.__globals__ }}",
    "{% for a in range(10000) %}{% for b in range(10000) %}{{ a * b }}{% endfor %}{% endfor %}",
    "{{ 'a' * 10**9 }}",
    "{{ 9**9**9**9 }}",
    "{% set ns = namespace(x='aaaaaaaaaa') %}{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}",
    "{% set ns = namespace(x='aaaaaaaaaa') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
    "{% set ns = namespace(x=['a']) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=['a']) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}"
    "{{ ns.x | tojson }}",
    "{% set ns = namespace(x='a') %}{% for i in range(60) %}"
    "{% set ns.x = ns.x.replace('a', 'a' ~ ns.x) %}{% endfor %}",
    "{% set ns = namespace(x='aa') %}{% for i in range(60) %}{% set ns.x = ns.x.join([ns.x, ns.x]) %}{% endfor %}",
    "{{ {'a': [1]} | tojson(indent=1000000000) }}",
    "{{ [1] | batch(1000000000, 'x') | list }}",
    "{{ 'a\\nb' | indent(1000000000) }}",
    "{{ strftime_now('%1000000000d') }}",
    "{{ '%1000000000d' % 1 }}",
    "{{ 'a'.ljust(1000000000) }}",
    "{{ range(10**12) | list }}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{{ (messages | string) * 1000000 }}",
    "{{ lipsum(n=1000000) }}",
    "{{ messages[0].content | replace('', 'x' ) | join('y') }}",
)
"""Chat templates that read files, run programs, never end or never stop growing."""


def changed(chance: random.Random) -> bytes:
    """The whole header with some bytes changed, put in or cut off."""
    data = bytearray(WHOLE)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(data) - 512 if chance.random() < 0.95 else len(data))
        act = chance.random()
        if act < 0.5:
            data[place] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        elif act < 0.8:
            data[place : place + 8] = struct.pack("<Q", chance.choice(LENGTHS))
        elif act < 0.9:
            del data[place : place + chance.randint(1, 40)]
        else:
            data[place:place] = chance.randbytes(chance.randint(1, 40))
    return bytes(data)


def outcome(path: Path) -> tuple[str, float, int]:
    """(read or refused, seconds of computing, bytes of memory) of one file."""
    if tracemalloc.is_tracing():
        tracemalloc.reset_peak()
    began = time.process_time()
    try:
        found = read_header(path)
        said = f"read {found.kind} {found.cache_per_token}"[:4]
    except ModelFileError:
        said = "refused"
    return said, time.process_time() - began, tracemalloc.get_traced_memory()[1]


def template_outcome(source: str) -> str:
    """What a chat template did: refused, or the pieces it made."""
    from models.base import ChatMessage

    try:
        pieces = ChatTemplate(source).pieces([ChatMessage("user", "hello")])
    except ModelFileError:
        return "refused"
    return "".join(piece.text for piece in pieces)


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    chance, longest, most, refused = random.Random(options.seed), 0.0, 0, 0
    tracemalloc.start()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.gguf"
        files = [data for _, data in absurd()]
        for number in range(options.files + len(files)):
            path.write_bytes(files[number] if number < len(files) else changed(chance))
            said, seconds, memory = outcome(path)
            longest, most, refused = max(longest, seconds), max(most, memory), refused + (said == "refused")
    total = options.files + len(files)
    sys.stdout.write(
        f"{total} headers: {refused} refused, {total - refused} read; "
        f"{longest:.2f} s and {most / 1e6:.1f} MB at most\n"
    )
    return int(longest > MOST_SECONDS or most > MOST_BYTES)


if __name__ == "__main__":
    sys.exit(main())
