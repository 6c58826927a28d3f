"""The HTML form of Google's "My Activity", cell by cell, as the records that the JSON form would hold.

A cell has the product as its heading and, between line breaks, the title, notes, the time in the account's
language and then the answer.
"""

import io
import re
from collections.abc import Iterator

from importers.base import Problem
from importers.html_text import html_text
from importers.json_stream import Piece
from importers.source import Source
from importers.written_dates import written_moment

_CHUNK = 2**20
_MAX_CELL = 20 * 2**20
_CELL = '<div class="outer-cell'
_HEADER = re.compile(r'mdl-typography--title"[^>]{0,200}>(.{0,300}?)</p>', re.DOTALL)
_CONTENT = re.compile(r'<div class="content-cell[^"]*body-1"[^>]*>(.*?)(?=<div class="content-cell|\Z)', re.DOTALL)
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)


def activity_records(source: Source) -> Iterator[Piece | Problem]:
    """A piece a cell; its value has the keys of the JSON form, with `time` as a datetime or None."""
    for number, cell in enumerate(_cells(source), 1):
        if len(cell) > _MAX_CELL:
            yield Problem(number, "This record is too long to be one and was left out.")
        else:
            yield Piece("item", _record(cell), number)


def _cells(source: Source) -> Iterator[str]:
    """The cells as they come, without the page before the first one."""
    held, begun = "", False
    with source.open() as raw, io.TextIOWrapper(raw, "utf-8", "replace") as stream:
        while chunk := stream.read(_CHUNK):
            held += chunk
            *whole, held = held.split(_CELL)
            yield from whole if begun else whole[1:]
            begun = begun or bool(whole)
            held = held if begun else held[-len(_CELL) :]
            if len(held) > _MAX_CELL:
                held = held[: _MAX_CELL + 1]
    if begun:
        yield held


def _record(cell: str) -> dict[str, object]:
    header = _HEADER.search(cell)
    content = _CONTENT.search(cell)
    parts = _BREAK.split(content[1]) if content else []
    texts = [html_text(part) if len(part) < 5000 else "" for part in parts]
    place = next((n for n, text in enumerate(texts) if written_moment(text)), len(parts))
    moment = written_moment(texts[place]) if place < len(parts) else None
    before = [html_text(part) for part in parts[:place]]
    answer = "<br>".join(parts[place + 1 :])
    return {
        "header": html_text(header[1]) if header else "",
        "title": before[0] if before else "",
        "time": moment,
        "subtitles": [{"name": text.removeprefix("- ")} for text in before[1:] if text],
        "safeHtmlItem": [{"html": answer}] if html_text(answer) else [],
    }
