"""The records of an SMS Backup & Restore file, one XML element after another, in flat memory.

The letters are repaired before the XML parser sees them: two references to surrogates become the one character
that they mean, references that XML does not allow become U+FFFD, and the base64 data of pictures is dropped.
There is no document for the parser, so that there are no entities and nothing nested deeper than a record.
"""

import io
import re
from collections.abc import Iterator
from itertools import pairwise
from xml.etree.ElementTree import Element, ParseError, fromstring

from importers.base import Problem, excerpt
from importers.source import Source
from importers.text import guess_encoding

_CHUNK = 2**20  # characters
_MAX_RECORD = 32 * 2**20  # characters of one record without its pictures
_BATCH = 100_000  # characters of records that are parsed together
_TAGS = frozenset({"sms", "mms", "call"})
_START = re.compile(r"<(?:sms|mms|call)(?=[\s>/])")
_ROOTS = ("</smses>", "</calls>", "</allsms>")
_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,7})|(\d{1,8}));")
_HIGH = r"&#(?:[xX][dD][89aAbB][0-9a-fA-F]{2}|55(?:29[6-9]|[3-9]\d\d)|56(?:[0-2]\d\d|31\d));"
_LOW = r"&#(?:[xX][dD][c-fC-F][0-9a-fA-F]{2}|56(?:3[2-9]\d|[4-9]\d\d)|57(?:[0-2]\d\d|3[0-3]\d|34[0-3]));"
_PAIR = re.compile(_HIGH + _LOW)
_UNFINISHED = re.compile(
    rf"(?:{_HIGH})?&(?:#[xX]?[0-9a-fA-F]{{0,8}})?\Z|{_HIGH}\Z|\s(?:d(?:a(?:t(?:a=?)?)?)?)?\Z|<[a-z]{{0,4}}\Z"
)
_DATA = re.compile(r"""\sdata=(["'])([A-Za-z0-9+/=\s]*)""")
_BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
_SHORT = 256  # characters; what is shorter may be left where it is
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def sms_records(source: Source) -> Iterator[Element | Problem]:
    """Each record as an element with its parts, or why it could not be read. Problems carry its number."""
    number = 1
    for batch in _batches(_fragments(_repaired(source))):
        yield from _together(batch) or (_parsed(text, number + at) for at, text in enumerate(batch))
        number += len(batch)


def _batches(fragments: Iterator[str]) -> Iterator[list[str]]:
    """Several records at once, since making a parser for each takes longer than parsing it."""
    batch: list[str] = []
    size = 0
    for fragment in fragments:
        batch.append(fragment)
        size += len(fragment)
        if size > _BATCH:
            yield batch
            batch, size = [], 0
    yield batch


def _together(batch: list[str]) -> list[Element]:
    """The elements of sound records; nothing where one of them is damaged, so that each is looked at alone.

    As many elements as records, none of another kind and no letters between them: each record is one element.
    """
    if not batch or max(map(len, batch)) > _MAX_RECORD:
        return []
    try:
        found = list(fromstring(f"<r>{''.join(map(_bare, batch))}</r>"))
    except (ParseError, ValueError):
        return []
    sound = len(found) == len(batch) and all(e.tag in _TAGS and not (e.tail or "").strip() for e in found)
    return found if sound else []


def _bare(fragment: str) -> str:
    text = fragment.rstrip()
    for root in _ROOTS:
        text = text.removesuffix(root)
    return text


def _parsed(fragment: str, number: int) -> Element | Problem:
    if len(fragment) > _MAX_RECORD:
        return Problem(number, "This record is too long to be a message and was left out.", excerpt(fragment))
    try:
        return fromstring(_bare(fragment))
    except (ParseError, ValueError):
        return Problem(number, "This record is damaged or not complete and was left out.", excerpt(fragment))


def _fragments(chunks: Iterator[str]) -> Iterator[str]:
    """The text from the start of each record to the start of the next."""
    held, begun = "", False
    for chunk in chunks:
        held += chunk
        starts = [m.start() for m in _START.finditer(held)]
        if starts and not begun:
            held, begun = held[starts[0] :], True
            starts = [s - starts[0] for s in starts]
        for start, end in pairwise(starts):
            yield held[start:end]
        if starts:
            held = held[starts[-1] :]
        elif not begun:
            held = held[-8:]
        if len(held) > _MAX_RECORD:
            held = held[: _MAX_RECORD + 1]
    if begun:
        yield held


def _repaired(source: Source) -> Iterator[str]:
    """The file's text in pieces, without pictures and with references that XML allows."""
    held, quote = "", ""
    with source.open() as raw, io.TextIOWrapper(raw, guess_encoding(source.head), "replace") as stream:
        while chunk := stream.read(_CHUNK):
            text, quote = _without_data(held + chunk, quote)
            cut = _UNFINISHED.search(text, max(0, len(text) - 40))
            end = cut.start() if cut and not quote else len(text)
            held = text[end:]
            yield _references(text[:end])
    yield _references(held)


def _without_data(text: str, quote: str) -> tuple[str, str]:
    """The text without the long values of `data`; the quote that is still open at its end, or ""."""
    kept, at = [], 0
    if quote:
        inside = _BASE64.match(text)
        at = inside.end() if inside else 0
        if at == len(text):
            return "", quote
    for found in _DATA.finditer(text, at):
        if found.end() == len(text):
            kept.append(text[at : found.start(2)])
            return "".join(kept), found[1]
        if found.end() - found.start(2) >= _SHORT:
            kept.append(text[at : found.start(2)])
            at = found.end()
    kept.append(text[at:])
    return "".join(kept), ""


def _references(text: str) -> str:
    if "&#" in text:
        text = _REFERENCE.sub(_allowed, _PAIR.sub(_joined, text))
    return _CONTROL.sub("\ufffd", text)


def _code(found: re.Match[str]) -> int:
    return int(found[1], 16) if found[1] else int(found[2])


def _joined(found: re.Match[str]) -> str:
    """The character that a pair of surrogates means."""
    high, low = map(_code, _REFERENCE.finditer(found[0]))
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))


def _allowed(found: re.Match[str]) -> str:
    code = _code(found)
    if code in {9, 10, 13} or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000:
        return found[0]
    return "\ufffd"
