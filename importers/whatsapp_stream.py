"""The text of an export in large pieces, decoded, with every line end as one newline."""

import codecs
import io
import zipfile
import zlib
from collections.abc import Generator

from importers.source import Source, SourceError
from importers.text import guess_encoding

FIRST = 64 * 1024
BLOCK = 256 * 1024
DAMAGE = (SourceError, zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError, RuntimeError)
"""What a broken or locked zip raises while it is read."""


def blocks(source: Source) -> Generator[str, None, None]:
    """The whole text piece by piece, a small one first. Raises one of DAMAGE where the zip is broken."""
    encoding = encoding_of(source.head)
    decoder = io.IncrementalNewlineDecoder(codecs.getincrementaldecoder(encoding)("replace"), translate=True)
    with source.open() as stream:
        size = FIRST
        first = True
        while True:
            data = stream.read(size)
            text = decoder.decode(data, final=not data)
            if first and text:
                text, first = text.removeprefix("\ufeff"), False
            if text:
                yield text
            if not data:
                return
            size = BLOCK


def encoding_of(head: bytes) -> str:
    """The encoding by the first bytes; UTF-16 without its mark is known by the NULs of its ASCII."""
    sample = head[:1024]
    if not head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(sample) > 3:
        even, odd = sample[::2].count(0), sample[1::2].count(0)
        if odd > len(sample) // 5 and not even:
            return "utf-16-le"
        if even > len(sample) // 5 and not odd:
            return "utf-16-be"
    return guess_encoding(head)
