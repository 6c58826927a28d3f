"""Signal, written by sigtop: its text, short text and JSON forms.

Text: a block a message, with fields, a blank line and the body. Short text: a line a message, continued by the
lines of its body. JSON: Signal Desktop's own records, whose newer versions (since schema 1270) hold no text.
Counted are lines, in JSON records. The text form has offsets, JSON is UTC, short text is the computer's wall
clock. The owner is "You", as sigtop writes it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem
from importers.drafts import Draft, Opened, gather
from importers.guard import converted, guarded
from importers.json_stream import pieces, shape
from importers.sigtop_text import CONVERSATION, text_items
from importers.source import Source
from importers.text import clean, decoded_lines, head_text, looks_binary
from importers.times import from_epoch, from_iso

YOU = "You"
_SHORT = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d|unknown) (.+?):(?: (.*))?$")
_MOMENT = r"(?:\d{4}-\d\d-\d\d \d\d:\d\d|unknown)"
_DETAILS = re.compile(
    rf"\[(?P<reply>reply to .{{1,200}}? on {_MOMENT}(?:, |(?=\])))?(?P<edited>edited(?:, |(?=\])))?"
    r"(?:(?P<count>\d{1,4}) attachments?)?\](?: |$)"
)
_SERVICE = re.compile(r"\[([\w-]+) message\]$")
_FIRST = re.compile(r"From: |Type: ")
_CALLS = frozenset(("call-history", "call"))
_NO_TEXTS = (
    "Some messages have no text, since newer versions of Signal keep it elsewhere. "
    "Export again with `sigtop export-messages -f text` to have the texts."
)


class Sigtop:
    """The importer of sigtop's files."""

    name = "sigtop"
    platform = "signal"
    title = "Signal (sigtop)"
    patterns: tuple[str, ...] = ("*.txt", "*.json")
    how_to_export: tuple[str, ...] = (
        "On the computer that has Signal Desktop, install sigtop (github.com/tbvdm/sigtop).",
        "Run `sigtop export-messages signal-chats`; the text form, which is the default, holds the most.",
        "Choose the folder signal-chats here: it has one file a chat.",
    )

    def recognise(self, source: Source) -> float:
        """By the first field of the text form, the lines of the short one, or the records' keys."""
        if source.suffix == "json":
            found = shape(source)
            mine = {"item.type", "item.conversationId"} <= found.keys()
            return 0.9 if mine and found.keys() & {"item.sent_at", "item.timestamp"} else 0.0
        if source.suffix not in {"txt", "text", ""} or looks_binary(source.head):
            return 0.0
        lines = [line for line in head_text(source).splitlines()[:100] if line.strip()]
        if lines and lines[0].startswith(CONVERSATION):
            return 0.95 if any(_FIRST.match(line) for line in lines[:4]) else 0.6
        if not lines or not _SHORT.match(lines[0]):
            return 0.0
        return 0.75 if sum(1 for line in lines if _SHORT.match(line)) >= 0.15 * len(lines) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        if source.suffix == "json":
            return guarded(_json_items(source))
        if head_text(source).lstrip().startswith(CONVERSATION):
            return guarded(text_items(source))
        return guarded(_short_items(source))


def _short_items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=True)
    chat = PurePosixPath(source.basename).stem
    yield from gather(decoded_lines(source), _opening, lambda draft: _short_message(chat, draft))


def _opening(line: str, _open: Draft | None) -> Opened:
    found = _SHORT.match(line)
    if not found:
        return None
    moment, sender, text = found.groups()
    return Draft(sender, from_iso(moment), [text or ""])


def _short_message(chat: str, draft: Draft) -> Message:
    text = draft.text
    kind: Kind = "talk"
    attachments: tuple[Attachment, ...] = ()
    edited = False
    if service := _SERVICE.fullmatch(text):
        kind = "event" if service[1] in _CALLS else "system"
        text = service[1].replace("-", " ")
    elif (details := _DETAILS.match(text)) and details[0] != "[]":
        text = text[details.end() :]
        edited = bool(details["edited"])
        attachments = (Attachment("attachment"),) * min(int(details["count"] or 0), 100)
    return Message(
        chat, draft.sender, text, draft.timestamp, kind, attachments, draft.line, draft.lines,
        from_me=draft.sender == YOU, edited=edited,
    )  # fmt: skip


@dataclass(slots=True)
class _Texts:
    """How many messages have text, to tell a file whose texts are elsewhere."""

    chat: str
    missing: int = 0


def _json_items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=False)
    texts = _Texts(PurePosixPath(source.basename).stem)
    for piece in pieces([source], into={""}, take={"item"}):
        if isinstance(piece, Problem):
            yield piece
        else:
            yield from converted([(piece.number, piece.value)], lambda n, r: (_json_message(texts, n, r),))
    if texts.missing:
        yield Problem(0, _NO_TEXTS, skipped=0)


def _json_message(texts: _Texts, number: int, record: dict[str, Any]) -> Message:
    sort = str(record.get("type") or "")
    mine = sort == "outgoing"
    body = record.get("body")
    attachments = tuple(_json_attachments(record))
    kind: Kind = "talk"
    text = clean(body).rstrip() if isinstance(body, str) else ""
    if sort not in {"incoming", "outgoing"}:
        kind, text = ("event" if sort in _CALLS else "system"), text or sort.replace("-", " ")
    elif record.get("deletedForEveryone"):
        kind, text = "deleted", ""
    elif "body" not in record and not attachments:
        texts.missing += 1
    quote = record.get("quote")
    return Message(
        texts.chat,
        YOU if mine else _who(record),
        text,
        _moment(record),
        kind,
        attachments,
        number,
        chat_id=_text(record.get("conversationId")),
        source_id=_text(record.get("id")),
        reply_to=_text(quote.get("messageId")) if isinstance(quote, dict) else None,
        from_me=mine,
        edited=bool(record.get("editHistory")),
        reactions=tuple(_reactions(record)),
    )


def _who(record: dict[str, Any]) -> str | None:
    return next((w for key in ("sourceServiceId", "sourceUuid", "source") if (w := _text(record.get(key)))), None)


def _text(value: object) -> str | None:
    return clean(str(value)) if isinstance(value, str | int) and value != "" else None


def _moment(record: dict[str, Any]) -> datetime | None:
    """When it was sent; `received_at` is a counter and no time."""
    moments = (from_epoch(record.get(key), 1000) for key in ("sent_at", "timestamp", "received_at_ms"))
    return next((m for m in moments if m), None)


def _json_attachments(record: dict[str, Any]) -> Iterator[Attachment]:
    for part in record.get("attachments") or ():
        name, mime = part.get("fileName"), str(part.get("contentType") or "")
        if mime != "text/x-signal-plain":
            kind = "voice" if part.get("flags") == 1 else attachment_kind(str(name or ""), mime)
            yield Attachment(clean(str(name or kind)), kind)
    if isinstance(record.get("sticker"), dict):
        yield Attachment(clean(str(record["sticker"].get("emoji") or "sticker")), "sticker")
    for contact in record.get("contact") or ():
        name = contact.get("name") if isinstance(contact, dict) else None
        shown = name.get("displayName") or name.get("givenName") if isinstance(name, dict) else None
        yield Attachment(clean(str(shown or "contact")), "contact")


def _reactions(record: dict[str, Any]) -> Iterator[str]:
    for reaction in record.get("reactions") or ():
        if not reaction.get("remove"):
            yield clean(f"{reaction.get('emoji')} {reaction.get('fromId') or ''}").strip()


SIGTOP = Sigtop()
