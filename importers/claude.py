"""Claude's export: `conversations.json`, alone or in the zip `data-….zip`.

A record is an element of a conversation's `chat_messages`; `line` is its number in the file. Shown are the
text blocks, spoken notes and pasted text; messages that hold only thoughts and tool calls are counted in one
remark a file. Senders are "human" and "assistant".
"""

import re
from collections.abc import Iterator
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Message, Options, Problem, excerpt
from importers.conversations import UNTITLED, conversation_files, number_of
from importers.guard import converted, guarded
from importers.json_stream import OPENED, pieces, shape
from importers.source import Source
from importers.times import from_iso_utc

_COMPANIONS = frozenset({"users.json", "projects.json", "memories.json"})
_SENDERS = {"human": True, "user": True, "assistant": False}
_PASTED = frozenset({"", "paste.txt"})
_NO_BLOCK = re.compile(r"```\s*This block is not supported on your current device yet\.\s*```\s*")
"""Claude writes this in `text` where a block is no text."""


class Claude:
    """The importer of Claude's conversations.json."""

    name = "claude"
    platform = "claude"
    title = "Claude"
    patterns = ("conversations.json", "data-*.zip")
    how_to_export = (
        "On claude.ai or in the desktop app choose your name, Settings, Privacy, and “Export data”.",
        "An e-mail brings a link that works for 24 hours.",
        "Download the zip and choose it here as it is.",
    )

    def recognise(self, source: Source) -> float:
        """By the key `chat_messages` of a conversation."""
        if source.members():
            files = [m for m in source.members() if number_of(m.name) is not None and "/" not in m.name]
            return 0.95 if any(map(_is_ours, files)) else 0.0
        return 0.95 if _is_ours(source) else 0.0

    def covers(self, name: str) -> bool:
        """The conversations, and the files of the export that hold no messages."""
        base = name.rpartition("/")[2].lower()
        return number_of(name) is not None or base in _COMPANIONS or name.lower().startswith("projects/")

    def part(self, basename: str) -> tuple[str, int]:
        """conversations.json, should it be split."""
        number = number_of(basename)
        return ("conversations.json", number) if number is not None else (basename, 1)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the messages of every conversation."""
        return guarded(_read(source))


CLAUDE = Claude()


def _is_ours(source: Source) -> bool:
    if b'"chat_messages"' not in source.head and b'"uuid"' not in source.head:
        return False
    found = shape(source)
    # A first conversation may be longer than what is looked at, but its own keys come before its messages.
    return "item.chat_messages" in found or "chat_messages" in found or "conversations.item.chat_messages" in found


def _read(source: Source) -> Iterator[Item]:
    yield Facts()
    reader = _Reader()
    for file in conversation_files(source, _is_ours):
        single = "chat_messages" in shape(file)
        into, take = (set(), {""}) if single else ({"", "conversations"}, {"item", "conversations.item"})
        for piece in pieces((file,), into, take):
            if isinstance(piece, Problem):
                yield piece
            elif piece.value is not OPENED:
                yield from reader.items(piece.number, piece.value)
    if reader.hidden:
        reason = "These hold no words, only thoughts, tool calls and the like, and were left out."
        yield Problem(reader.number, reason, skipped=reader.hidden, lost=False)


class _Reader:
    """Turns conversations into messages and counts those without words."""

    def __init__(self) -> None:
        self.number = 0  # messages of all conversations so far
        self.hidden = 0

    def items(self, number: int, conversation: Any) -> Iterator[Item]:
        """The messages of one conversation, in its order."""
        messages = conversation.get("chat_messages") if isinstance(conversation, dict) else None
        if not isinstance(messages, list):
            yield Problem(number, "This is no conversation.", excerpt(str(conversation)[:200]))
            return
        first = self.number + 1
        self.number += len(messages)
        for line, record in enumerate(messages, first):
            yield from converted([(line, record)], lambda n, r: self._items(n, r, conversation))

    def _items(self, number: int, record: Any, conversation: dict[str, Any]) -> Iterator[Item]:
        if not isinstance(record, dict):
            yield Problem(number, "This is no message.", excerpt(str(record)[:200]))
            return
        text, attached = _text(record), tuple(_attachments(record))
        if not text and not attached:
            self.hidden += 1
            return
        key, title, sender = conversation.get("uuid"), conversation.get("name"), record.get("sender")
        yield Message(
            chat=title if isinstance(title, str) and title.strip() else UNTITLED,
            sender=sender if isinstance(sender, str) else None,
            text=text,
            timestamp=from_iso_utc(record.get("created_at")),
            attachments=attached,
            line=number,
            chat_id=key if isinstance(key, str) else None,
            conversation=key if isinstance(key, str) else None,
            source_id=record["uuid"] if isinstance(record.get("uuid"), str) else None,
            from_me=_SENDERS.get(str(sender)),
        )


def _text(record: dict[str, Any]) -> str:
    """The text blocks, else the plain text, and what was pasted."""
    blocks = _objects(record.get("content"))
    said = [b.get("text") for b in blocks if b.get("type") in ("text", "voice_note")]
    words = [w for w in said if isinstance(w, str) and w]
    if not words and isinstance(record.get("text"), str):
        words = [_NO_BLOCK.sub("", record["text"])]
    words += [
        a["extracted_content"]
        for a in _objects(record.get("attachments"))
        if a.get("file_name") in _PASTED and isinstance(a.get("extracted_content"), str)
    ]
    return "\n".join(filter(str.strip, words))


def _attachments(record: dict[str, Any]) -> Iterator[Attachment]:
    for entry in (*_objects(record.get("attachments")), *_objects(record.get("files"))):
        name = entry.get("file_name")
        if isinstance(name, str) and name and name not in _PASTED:
            yield Attachment(name, attachment_kind(name, str(entry.get("file_type") or "")))


def _objects(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []
