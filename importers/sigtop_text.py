"""sigtop's text form: blocks of fields, a blank line, the body.

    Conversation: Ada (+15550101)

    From: Ada (+15550101)
    Type: incoming
    Sent: Mon, 15 Jan 2024 09:30:00 +0100
    Received: Mon, 15 Jan 2024 09:30:01 +0100
    Attachment: pier.jpg (image/jpeg, 1234 bytes)
    Reaction: 👍 from You

    the body, which may hold blank lines

A quoted message stands before the body, its lines marked with ">"; the versions of an edited one are marked with
"|", newest first.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from email.utils import parsedate_to_datetime

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message
from importers.drafts import HEADING, Draft, Opened, gather
from importers.source import Source
from importers.text import decoded_lines

CONVERSATION = "Conversation: "
_FIELD = re.compile(r"(From|Type|Sent|Received|Attachment|Reaction|Edited|Version): (.*)$")
_TYPE = re.compile(r"Type: [\w-]+$")
_DETAIL = re.compile(r"(.*\S) \((?:\+?\d[\d ]*|group|[0-9a-fA-F-]{36}|[\w.]+\.\d+)\)$")
_FILE = re.compile(r"(.*) \(([^(),]*)(?:, -?\d+ bytes)?\)$")
_CALLS = frozenset(("call-history", "call"))


def bare_name(name: str) -> str:
    """A name without the number or id that sigtop puts behind it."""
    found = _DETAIL.match(name)
    return found[1] if found else name


def text_items(source: Source) -> Iterator[Item]:
    """Facts, then a message a block."""
    yield Facts(naive_times=False)
    blocks = _Blocks()
    yield from gather(
        blocks.lines(decoded_lines(source)), blocks.opening, lambda draft: _message(blocks.chat, draft)
    )


class _Blocks:
    """Tells where blocks begin, for which the line before and the line after are needed."""

    def __init__(self) -> None:
        self.chat = "Signal"
        self._before = ""
        self._after = ""

    def lines(self, lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
        """The same lines, with their neighbours noted."""
        held: tuple[int, str] | None = None
        for found in lines:
            if held is not None:
                self._after = found[1]
                yield held
                self._before = held[1]
            held = found
        if held is not None:
            self._after = ""
            yield held

    def opening(self, line: str, open_: Draft | None) -> Opened:
        """A block begins after a blank line, with who wrote it and the type, or with the type and a time."""
        if open_ is None and line.startswith(CONVERSATION):
            self.chat = bare_name(line.removeprefix(CONVERSATION))
            return HEADING
        if self._before.strip():
            return None
        sent = self._after.startswith(("Sent: ", "Received: "))
        if (line.startswith("From: ") and _TYPE.match(self._after)) or (_TYPE.match(line) and sent):
            return Draft(None, None, [line])
        return None


def _message(chat: str, draft: Draft) -> Message:
    fields, body = _parts(draft.body)
    edited = "Edited" in fields
    if edited:
        inner, body = _parts(_newest(body))
        fields |= {key: values for key, values in inner.items() if key == "Attachment"}
    sort = next(iter(fields.get("Type", ())), "unknown")
    kind: Kind = "talk"
    text = "\n".join(body).strip("\n").rstrip()
    if sort not in {"incoming", "outgoing"}:
        kind, text = ("event" if sort in _CALLS else "system"), text or sort.replace("-", " ")
    sender = next(iter(fields.get("From", ())), None)
    draft.timestamp = _sent(fields)
    return Message(
        chat, bare_name(sender) if sender else None, text, draft.timestamp, kind,
        tuple(_attachment(written) for written in fields.get("Attachment", ())), draft.line, draft.lines,
        from_me=sort == "outgoing",
        edited=edited,
        reactions=tuple(map(_reaction, fields.get("Reaction", ()))),
    )  # fmt: skip


def _parts(lines: list[str]) -> tuple[dict[str, list[str]], list[str]]:
    """The fields at the head of a block, and its body without the quoted message before it."""
    fields: dict[str, list[str]] = {}
    end = next((n for n, line in enumerate(lines) if not _FIELD.match(line)), len(lines))
    for found in filter(None, map(_FIELD.match, lines[:end])):
        fields.setdefault(found[1], []).append(found[2])
    body = lines[end + 1 :]
    if body and body[0].startswith("> From: "):
        quoted = next((n for n, line in enumerate(body) if not line.startswith(">")), len(body))
        body = body[quoted + 1 :]
    return fields, body


def _newest(body: list[str]) -> list[str]:
    """The lines of the first version in an edit history, without their marks."""
    bare = [line.removeprefix("|").removeprefix(" ") for line in body if line.startswith("|")]
    end = next((n for n, line in enumerate(bare) if n and re.fullmatch(r"Version: \d+", line)), len(bare))
    return bare[:end]


def _sent(fields: dict[str, list[str]]) -> datetime | None:
    """When it was sent, else when it came."""
    for written in (*fields.get("Sent", ()), *fields.get("Received", ())):
        try:
            return parsedate_to_datetime(written)
        except ValueError:
            continue
    return None


def _attachment(written: str) -> Attachment:
    found = _FILE.match(written)
    name, mime = (found[1], found[2]) if found else (written, "")
    return Attachment(name, attachment_kind(name, mime))


def _reaction(written: str) -> str:
    emoji, _, who = written.partition(" from ")
    return f"{emoji} {bare_name(who)}".strip()
