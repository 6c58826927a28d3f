"""Text as people's exports hold it: encodings guessed once a file, lines streamed, marks removed."""

import codecs
import io
import re
from collections.abc import Iterator
from functools import lru_cache

from charset_normalizer import from_bytes

from importers.source import Source

MAX_LINE = 1_000_000  # characters; what is longer is cut into several lines so that memory stays bounded
DIRECTION_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@lru_cache(maxsize=4)
def guess_encoding(head: bytes) -> str:
    """The encoding of a text file by its first bytes: BOM, then strict UTF-8, then the best guess."""
    for bom, name in _BOMS:
        if head.startswith(bom):
            return name
    try:
        codecs.getincrementaldecoder("utf-8")("strict").decode(head, final=False)
    except UnicodeDecodeError:
        best = from_bytes(head[:20_000]).best()
        return best.encoding if best else "latin-1"
    return "utf-8"


def head_text(source: Source) -> str:
    """The first 64 KB of a file as text; undecodable bytes become U+FFFD."""
    return source.head.decode(guess_encoding(source.head), "replace").removeprefix("\ufeff")


def looks_binary(head: bytes) -> bool:
    """Whether the first bytes hold NULs without being UTF-16 or UTF-32 with a BOM."""
    return b"\x00" in head and not head.startswith(tuple(b for b, _ in _BOMS[1:]))


def decoded_lines(source: Source, encoding: str | None = None) -> Iterator[tuple[int, str]]:
    r"""Number (from 1) and text of each line, without its ending; \n, \r\n and \r end a line.

    `encoding` is for formats that know theirs better than the common guess does.
    Raises SourceError or OSError only where the file cannot be opened or read.
    """
    encoding = encoding or guess_encoding(source.head)
    with source.open() as raw, io.TextIOWrapper(raw, encoding, "replace") as stream:
        number = 0
        while line := stream.readline(MAX_LINE):
            number += 1
            yield number, line.rstrip("\n").removeprefix("\ufeff") if number == 1 else line.rstrip("\n")


def clean(text: str) -> str:
    """Replace lone surrogates, which no encoding can store, by U+FFFD."""
    return _SURROGATES.sub("\ufffd", text)


def strip_marks(text: str) -> str:
    """Remove direction marks and the BOM, for names and headers (never for the middle of a body)."""
    return DIRECTION_MARKS.sub("", text)
