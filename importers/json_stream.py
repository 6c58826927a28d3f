r"""JSON of any size, record by record, as chat apps really write it.

The file is cut into records by matching brackets, and each record is parsed on its own. So memory stays
constant however large the file is, a record with a fault costs one record and not the file, and a file that
ends too early gives everything before its end. Only records that the strict parser refuses are repaired:
escapes such as `\x01`, lone surrogates (U+FFFD), NaN (null), raw control characters, Telegram's unquoted
`document_id`.

A place in the file is written as a path: "" is the top, "messages" a key, "messages.item" each element of it.
"""

import io
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Final, NamedTuple

import orjson

from importers.base import Problem, excerpt
from importers.source import Source
from importers.text import guess_encoding, head_text

CHUNK = 2**20
MAX_RECORD = 64 * 2**20  # bytes of one record; the largest AI conversation seen has about 20 MB
DEPTH = 30  # brackets; no export's own keys lie deeper
OPENED: Final = object()
"""The value of a piece that says: here an object begins that is gone into."""

_SPACE = re.compile(rb"[\s,]*")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_KEY = re.compile(rb'("[^"\\]*(?:\\.[^"\\]*)*")\s*:\s*', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}]+")
_FLAT = rb'[^"{}\[\]]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^"{}\[\]]*+)*+'
_BRACKET = re.compile(_FLAT + rb"[{}\[\]]", re.DOTALL)


def _nested(depth: int) -> bytes:
    """A pattern for a value with brackets at most `depth` deep."""
    inner = rb"(?:" + _nested(depth - 1) + _FLAT + rb")*+" if depth > 1 else b""
    return rb"[{\[]" + _FLAT + inner + rb"[}\]]"


_RECORD = re.compile(_nested(4), re.DOTALL)  # most records are passed in one match
_NEXT = re.compile(rb"[\s,]*(\{" + _nested(4)[len(rb"[{\[]") :] + rb")", re.DOTALL)
_OPENING = re.compile(rb'(\{\s*)("[^"\\]*")?')
_TRIES = 500  # places that look like a record, until a damaged file is given up
_TRIED_SIZE = 8 * 2**20  # bytes of such a place at most; 64 records as they usually are in this file,
_TRIED_LEAST = 2**16  # but at least so much
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL
)
_BARE_ID = re.compile(r'("document_id"\s*:\s*)(?!null\b)([^"\s\d\[{][^"\n]*?)(?=\s*(?:,\s*\n|,\s*"|[}\]\n]|$))')
_TOKEN = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}\[\]]', re.DOTALL)
_DAMAGED = "This record was left out: its JSON is damaged."
_DEEP = "This record was left out: it is nested too deeply."
_UNFINISHED = "The file is not complete: its end is missing."
_CUT = "The file ends in the middle of this record; it is damaged or was not saved to the end."
_LOST = "The file is damaged here, and where it goes on could not be found."


class Piece(NamedTuple):
    """A value of the file, its path, and for records (elements of arrays) their number from 1."""

    path: str
    value: Any
    number: int


def pieces(sources: Iterable[Source], into: Iterable[str], take: Iterable[str]) -> Iterator[Piece | Problem]:
    """The values at the paths `take`, in the files' order; `into` names the containers to go into.

    Numbers go on from file to file. Everything else is passed over without being parsed. Faults of the files
    are Problems; raises OSError or SourceError where a file cannot be read at all.
    """
    number = 0
    for source in sources:
        with source.open() as stream:
            reader = _Reader(stream, source, frozenset(into), frozenset(take), number)
            yield from reader.pieces()
            number = reader.number


def load(raw: bytes) -> Any:
    """One JSON value, repaired where need be. Raises ValueError or RecursionError where nothing helps."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        text = _ESCAPE.sub(_escape, raw.decode("utf-8", "replace"))
        text = _BARE_ID.sub(lambda m: m[1] + json.dumps(m[2]), text)
        return json.loads(text, strict=False, parse_constant=lambda _: None)


def shape(source: Source) -> dict[str, str]:
    """The paths of the first 64 KB, each with its first string value ("" for others).

    The path "" has "{" or "[" by what the file begins with; a file that is no JSON has no "".
    """
    text = head_text(source).lstrip()
    found: dict[str, str] = {}
    if text[:1] not in ("{", "["):
        return found
    found[""] = text[0]
    stack: list[tuple[str, bool]] = []
    key: str | None = None
    for token in _TOKEN.finditer(text):
        mark = token[0]
        if mark in "{[":
            if len(stack) == DEPTH:
                break
            path = "" if not stack else key if key is not None else _below(stack[-1], "")
            found.setdefault(path, "")
            stack.append((path, mark == "["))
            key = None
        elif mark in "}]":
            if stack:
                stack.pop()
            key = None
        elif token[2] and stack and not stack[-1][1]:
            key = _below(stack[-1], token[1])
            found.setdefault(key, "")
        elif key is not None:
            found[key] = found[key] or token[1]
            key = None
    return found


def _below(container: tuple[str, bool], key: str) -> str:
    path, is_array = container
    name = "item" if is_array else key
    return f"{path}.{name}" if path else name


def _escape(found: re.Match[str]) -> str:
    text = found[0]
    if text[1] == "x":
        return "\\u00" + text[2:] if len(text) == 4 else "\\\\x"
    if text[1] == "u":
        if len(text) == 2:
            return "\\\\u"
        return "\\ufffd" if len(text) == 6 and text[2] in "dD" and text[3] in "89abcdefABCDEF" else text
    if text[1] in '"\\/bfnrt':
        return text
    return text[1] if text[1] == "'" else "\\" + text


def _utf8(stream: BinaryIO, source: Source) -> BinaryIO:
    """The stream in UTF-8 without its BOM. Only a BOM decides: JSON is UTF-8 by its standard."""
    if source.head.startswith(b"\xef\xbb\xbf"):
        stream.read(3)
    elif source.head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return _Transcoded(io.TextIOWrapper(stream, guess_encoding(source.head), "replace"))
    return stream


def _start_of(raw: bytes) -> str:
    return excerpt(raw[:400].decode("utf-8", "replace"))


class _Transcoded(io.RawIOBase, BinaryIO):  # type: ignore[misc,unused-ignore]
    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text

    def read(self, size: int = -1) -> bytes:
        return self._text.read(size).encode("utf-8", "replace")


class _Reader:
    """Walks one file. `_data[_at:]` is what has been read and not yet passed."""

    def __init__(
        self, stream: BinaryIO, source: Source, into: frozenset[str], take: frozenset[str], number: int
    ) -> None:
        self._stream = _utf8(stream, source)
        self._into = into
        self._take = take
        self.number = number
        self._data = b""
        self._at = 0
        self._ended = False
        self._stack: list[tuple[str, bool]] = []
        self._passed = 0  # bytes of the file before `_data`
        self._opening = b""  # how a record begins, its own white space included
        self._last: dict[str, Any] = {}  # the last good record, for its keys
        self._home: list[tuple[str, bool]] = []  # where records lie
        self._tried = -1  # where in the file a record was last tried and found broken
        self._suspect = False  # the last record was broken, so its extent may be wrong too

    def pieces(self) -> Iterator[Piece | Problem]:
        """All pieces, then a Problem where the file ends too early."""
        roots = 0
        while (mark := self._peek()) is not None:
            if mark in b"}]":
                self._at += 1
                if self._stack:
                    self._stack.pop()
                continue
            roots += not self._stack
            path = self._path(mark)
            if path is None:
                yield from self._resume(self.number + 1, _LOST, int(not self._suspect), self._tried)
            elif (mark := self._peek() or b"") in (b"{", b"[") and path in self._into:
                self._at += 1
                self._stack.append((path, mark == b"["))
                if mark == b"{":
                    yield Piece(path, OPENED, 0)
            else:
                yield from self._value(path)
                if self._last and path in self._take:
                    yield from self._good_records(path)
        if not roots:
            yield Problem(1, "There is nothing in this file.", skipped=0)
        elif self._stack:
            yield Problem(self.number, _UNFINISHED, skipped=0)

    def _path(self, mark: bytes) -> str | None:
        """The path of the value that comes next, past its key; None where there should be a key and is none."""
        if not self._stack:
            return "" if not self._opening or not self._home else None
        if self._stack[-1][1]:
            return _below(self._stack[-1], "")
        found = self._match(_KEY)
        if found is None:
            return None
        self._at = found.end()
        return _below(self._stack[-1], str(load(found[1])))

    def _value(self, path: str) -> Iterator[Piece | Problem]:
        """Take or pass over the value that begins here."""
        wanted = path in self._take
        record = wanted and (not self._stack or self._stack[-1][1])
        number = self.number + 1 if record else 0
        self.number += record
        brace = self._data.startswith(b"{", self._at)
        if record and brace and not self._opening and (found := self._match(_OPENING)):
            self._opening, self._home = found[1] + b'"', list(self._stack)
        start = self._passed + self._at
        size = self._extent(keep=wanted)
        if size is None:
            yield from self._resume(number or self.number, _CUT if record else _UNFINISHED, int(record), start)
            return
        raw = self._data[self._at : self._at + size]
        self._at += size
        if not wanted:
            return
        try:
            value = load(raw)
        except (ValueError, RecursionError) as error:
            yield self._broken(raw, number, start, error)
        else:
            self._suspect = False
            if record and isinstance(value, dict):
                self._learn(raw, value)
            yield Piece(path, value, number)

    def _good_records(self, path: str) -> Iterator[Piece]:
        """The fast way through what has been read: plain records without a fault, one match each."""
        if not self._stack or _below(self._stack[-1], "") != path or not self._stack[-1][1]:
            return
        while found := _NEXT.match(self._data, self._at):
            try:
                self._last = value = orjson.loads(found[1])
            except orjson.JSONDecodeError:
                return
            self._at = found.end()
            self.number += 1
            yield Piece(path, value, self.number)

    def _learn(self, raw: bytes, value: dict[str, Any]) -> None:
        """Remember how records begin and what keys they have, to find the next one after damage."""
        if not self._last and (found := _OPENING.match(raw)):
            self._opening = found[0]
        self._last = value

    def _broken(self, raw: bytes, number: int, start: int, error: Exception) -> Problem:
        """Step back to the next record if the broken one, by a lost quote or bracket, has swallowed it."""
        end = self._passed + self._at
        if number and start >= self._passed:
            self._at = start - self._passed
            inside = self._find_record(start, end)
            if not inside:
                self._at = end - self._passed
            self._suspect = not inside
        why = _DEEP if isinstance(error, RecursionError) else _DAMAGED
        return Problem(number or self.number, why, _start_of(raw), int(number > 0))

    def _resume(self, number: int, cut: str, skipped: int, start: int) -> Iterator[Problem]:
        """Report, and go on at the next record; where there is none, the file ends here."""
        text = _start_of(self._data[self._at : self._at + 400])
        self._suspect = True
        if self._find_record(start):
            yield Problem(number, _DAMAGED, text, skipped)
            return
        yield Problem(number, cut, text, skipped)
        self._at, self._stack = len(self._data), []
        while self._fill():
            self._at = len(self._data)

    def _find_record(self, after: int, before: int | None = None) -> bool:
        """Go to the next thing in the file that begins and reads as a record, later than `after`.

        `before` bounds the search to what has been read already: looking on to the end of the buffer for each
        of many broken values would take time with their number squared.
        """
        self._tried = max(self._tried, after)
        for _ in range(_TRIES if self._opening else 0):
            found = self._next_opening(before)
            if found < 0:
                return False
            self._at = found
            self._tried = self._passed + found
            if self._is_record():
                self._stack = list(self._home)
                return True
        return False

    def _next_opening(self, before: int | None) -> int:
        """Where in the buffer the next thing begins as records do; -1 where there is none."""
        at = max(self._at, self._tried + 1 - self._passed)
        if before is not None:
            return self._data.find(self._opening, at, before - self._passed + len(self._opening) - 1)
        while (found := self._data.find(self._opening, at)) < 0:
            self._at = at = max(at, len(self._data) - len(self._opening))
            if not self._fill():
                return -1
            at = self._at
        return found

    def _is_record(self) -> bool:
        """Whether what begins here reads as a record and has half the keys of the last one.

        Where no record has been read yet, only its indentation can tell it from what lies inside records.
        """
        if not self._last and b"\n" not in self._opening:
            return False
        usual = (self._passed + self._at) // max(1, self.number)
        size = self._extent(keep=True, limit=min(_TRIED_SIZE, max(_TRIED_LEAST, 64 * usual)))
        try:
            value = load(self._data[self._at : self._at + size]) if size else None
        except (ValueError, RecursionError):
            return False
        return isinstance(value, dict) and len(self._last.keys() & value.keys()) * 2 >= len(self._last)

    def _fill(self) -> bool:
        """Read on, dropping what has been passed; False at the end of the file."""
        if self._ended:
            return False
        data = self._stream.read(max(CHUNK, len(self._data) - self._at))
        self._ended = not data
        self._passed += self._at
        self._data = self._data[self._at :] + data
        self._at = 0
        return not self._ended

    def _peek(self) -> bytes | None:
        """The next byte that is neither white space nor a comma; None at the end."""
        while True:
            found = _SPACE.match(self._data, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._data):
                return self._data[self._at : self._at + 1]
            if not self._fill():
                return None

    def _match(self, pattern: re.Pattern[bytes]) -> re.Match[bytes] | None:
        """A match at the present place that does not hang on where the buffer happens to end."""
        while True:
            found = pattern.match(self._data, self._at)
            if found and found.end() < len(self._data):
                return found
            if len(self._data) - self._at > MAX_RECORD or not self._fill():
                return found

    def _extent(self, *, keep: bool, limit: int | None = None) -> int | None:
        """The length of the value that begins here; None where it never ends or is too long to keep.

        Without `keep` the value is passed on the way and what remains of it is 0 bytes long.
        """
        mark = self._peek()
        if mark not in (b"{", b"["):
            found = self._match(_STRING if mark == b'"' else _SCALAR)
            return len(found[0]) if found else None
        limit = limit or MAX_RECORD
        if found := _RECORD.match(self._data, self._at, self._at + limit):
            return len(found[0])
        depth = offset = 0
        while True:
            found = _BRACKET.match(self._data, self._at + offset)
            if found is None:
                if offset + limit < len(self._data) - self._at or not self._fill():
                    return None
                continue
            offset = found.end() - self._at
            depth += 1 if found[0][-1] in b"{[" else -1
            if not depth:
                return offset
            if not keep:
                self._at += offset
                offset = 0
            elif offset > limit:
                return None
