"""ChatGPT's export: `conversations.json`, since 2026 split into `conversations-000.json` and so on.

A conversation is a tree, since an edited question or a regenerated answer begins a new branch. What is read
is the path that ChatGPT shows: from `current_node` up to the root. A record is a message of the tree; each
is shown (then `line` is its number), or counted in one remark a file: system prompts, tool calls and their
output, thoughts, and branches that are no longer shown. Senders are "user" and "assistant".
"""

import json
import re
from collections.abc import Iterator
from typing import Any

from importers.attachment_kind import attachment_kind, file_name
from importers.base import Attachment, Facts, Item, Message, Options, Problem, excerpt
from importers.conversations import UNTITLED, conversation_files, number_of
from importers.guard import converted, guarded
from importers.json_stream import OPENED, pieces, shape
from importers.source import Source
from importers.times import from_epoch, from_iso_utc

_PATHS = ("item", "conversations.item", "")  # an array, an object with an array, or one conversation
_COMPANIONS = frozenset(
    "chat.html user.json user_settings.json message_feedback.json shared_conversations.json export_manifest.json "
    "model_comparisons.json sora.json group_chats.json library.json shopping.json tasks.json codex.json".split()
)
_SHOWN_TYPES = frozenset({"text", "multimodal_text"})
_POINTERS = (("image", "image"), ("audio_video", "video"), ("audio", "voice"), ("video", "video"))
_HIDDEN = (
    "These are not shown in ChatGPT and were left out: hidden instructions, tool calls, thoughts, and older "
    "versions of edited messages."
)
_MARK = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_PRIVATE = re.compile("[\ue200-\ue2ff]")


class ChatGpt:
    """The importer of conversations.json and its parts."""

    name = "chatgpt"
    platform = "chatgpt"
    title = "ChatGPT"
    patterns = ("conversations.json", "conversations-000.json", "*.zip")
    how_to_export = (
        "On chatgpt.com choose your name, Settings, Data controls, and “Export data”.",
        "Confirm; within a day or so an e-mail from OpenAI brings a link that works for 24 hours.",
        "Download the zip and choose it here as it is.",
    )

    def recognise(self, source: Source) -> float:
        """By the key `mapping` of a conversation."""
        if source.members():
            files = [m for m in source.members() if number_of(m.name) is not None and "/" not in m.name]
            return 0.95 if any(_path(m) is not None for m in files) else 0.0
        return 0.95 if _path(source) is not None else 0.0

    def covers(self, name: str) -> bool:
        """The conversations, and the files of the export that hold no messages."""
        base = name.rpartition("/")[2].lower()
        return number_of(name) is not None or base in _COMPANIONS

    def part(self, basename: str) -> tuple[str, int]:
        """conversations-000.json is part 1."""
        number = number_of(basename)
        return ("conversations.json", number) if number is not None else (basename, 1)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the shown messages of every conversation."""
        return guarded(_read(source))


CHATGPT = ChatGpt()


def _path(source: Source) -> str | None:
    """Where the conversations lie, None where there are none."""
    if b'"mapping"' not in source.head:
        return None
    found = shape(source)
    below = ((p, f"{p}.".lstrip(".")) for p in _PATHS)
    return next((p for p, b in below if f"{b}mapping" in found and _has_tree(found, b)), None)


def _has_tree(found: dict[str, str], below: str) -> bool:
    keys = {f"{below}{key}" for key in ("current_node", "title", "create_time", "conversation_id", "id")}
    return bool(keys & found.keys()) or any(k.endswith((".message", ".children")) for k in found)


def _read(source: Source) -> Iterator[Item]:
    yield Facts()
    reader = _Reader()
    for file in conversation_files(source, lambda m: _path(m) is not None):
        path = _path(file)
        into = {"", "conversations"} if path else set()
        for piece in pieces((file,), into, {path or ""}):
            if isinstance(piece, Problem):
                yield piece
            elif piece.value is not OPENED:
                yield from converted([(piece.number, piece.value)], reader.items)
    if reader.hidden:
        yield Problem(reader.number, _HIDDEN, skipped=reader.hidden, lost=False)


class _Reader:
    """Turns conversations into messages and counts what is not shown."""

    def __init__(self) -> None:
        self.number = 0  # messages of all trees so far
        self.hidden = 0

    def items(self, number: int, conversation: Any) -> Iterator[Item]:
        """The shown messages of one conversation, the oldest first."""
        if not isinstance(conversation, dict) or not isinstance(conversation.get("mapping"), dict):
            yield Problem(number, "This is no conversation.", excerpt(str(conversation)[:200]))
            return
        mapping = conversation["mapping"]
        total = sum(1 for n in mapping.values() if isinstance(n, dict) and n.get("message") is not None)
        shown = 0
        for node in _shown_path(mapping, conversation.get("current_node")):
            made = _message(node, conversation, self.number + shown + 1)
            if made is not None:
                shown += 1
                yield made
        self.number += total
        self.hidden += total - shown


def _shown_path(mapping: dict[str, Any], current: Any) -> list[dict[str, Any]]:
    """The nodes from the root to the current one; without a valid one, to the newest leaf."""
    name = current if isinstance(current, str) and current in mapping else _newest_leaf(mapping)
    path: list[dict[str, Any]] = []
    seen: set[str] = set()
    while isinstance(name, str) and name not in seen:
        seen.add(name)
        node = mapping.get(name)
        if not isinstance(node, dict):
            break
        path.append(node)
        name = node.get("parent")
    return path[::-1]


def _newest_leaf(mapping: dict[str, Any]) -> str | None:
    parents = {n.get("parent") for n in mapping.values() if isinstance(n, dict)}
    leaves = [name for name, n in mapping.items() if isinstance(n, dict) and name not in parents]
    return max(leaves, key=lambda name: _written(mapping[name]), default=None)


def _written(node: dict[str, Any]) -> float:
    message = node.get("message")
    moment = message.get("create_time") if isinstance(message, dict) else None
    return moment if isinstance(moment, int | float) else 0.0


def _message(node: dict[str, Any], conversation: dict[str, Any], number: int) -> Message | None:
    """The message of a node, None where ChatGPT does not show it."""
    message = node.get("message")
    if not isinstance(message, dict):
        return None
    author, content, about = (_object(message.get(k)) for k in ("author", "content", "metadata"))
    role = author.get("role")
    if role not in ("user", "assistant") or message.get("recipient") not in ("all", None):
        return None
    if about.get("is_visually_hidden_from_conversation") or content.get("content_type") not in _SHOWN_TYPES:
        return None
    text = _text(content)
    attached = (*_pointers(content), *_uploads(about))
    if not text and not attached:
        return None
    key = conversation.get("conversation_id") or conversation.get("id")
    moment = message.get("create_time")
    title = conversation.get("title")
    return Message(
        chat=title if isinstance(title, str) and title.strip() else UNTITLED,
        sender=str(role),
        text=text,
        timestamp=from_epoch(moment) or from_iso_utc(moment),
        attachments=attached,
        line=number,
        chat_id=key if isinstance(key, str) else None,
        conversation=key if isinstance(key, str) else None,
        source_id=next((i for i in (message.get("id"), node.get("id")) if isinstance(i, str)), None),
        from_me=role == "user",
    )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _parts(content: dict[str, Any]) -> list[Any]:
    parts = content.get("parts")
    return parts if isinstance(parts, list) else [content.get("text")]


def _text(content: dict[str, Any]) -> str:
    """The written and the spoken words."""
    words = (p if isinstance(p, str) else _object(p).get("text") for p in _parts(content))
    text = "\n".join(w for w in words if isinstance(w, str) and w)
    return _PRIVATE.sub("", _MARK.sub(_marked, text)).strip() if _PRIVATE.search(text) else text


def _marked(found: re.Match[str]) -> str:
    """Citation marks say nothing to a reader; the mark of an entity holds its name."""
    kind, _, details = found[1].partition("\ue202")
    if kind == "entity":
        try:
            return str(json.loads(details)[1])
        except (ValueError, LookupError, TypeError):
            return ""
    return ""


def _pointers(content: dict[str, Any]) -> Iterator[Attachment]:
    for part in _parts(content):
        kind = str(_object(part).get("content_type") or "")
        if kind.endswith("asset_pointer"):
            pointer = _object(part).get("asset_pointer") or _object(part).get("audio_asset_pointer")
            target = _object(pointer).get("asset_pointer") if isinstance(pointer, dict) else pointer
            name = file_name(target) if isinstance(target, str) else ""
            yield Attachment(name or "file", next((k for word, k in _POINTERS if word in kind), "file"))


def _uploads(about: dict[str, Any]) -> Iterator[Attachment]:
    uploads = about.get("attachments")
    for upload in uploads if isinstance(uploads, list) else ():
        if isinstance(name := _object(upload).get("name"), str) and name:
            yield Attachment(name, attachment_kind(name, str(_object(upload).get("mime_type") or "")))
