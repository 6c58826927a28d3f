"""Matrix: the JSON that Element exports for a room, and matrix-archive's events one after another.

Edits, reactions and deletions are events of their own that come after what they change, so the file is gone
through twice: first for these, then for the messages. Counted are events; an edit or reaction counts with its
message. Display names come from the room's member events, as they were at that point of the room. Times are UTC.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.folder_name import folder_name
from importers.guard import converted, guarded
from importers.json_stream import Piece, pieces, shape
from importers.source import Source
from importers.text import clean
from importers.times import from_epoch

_FALLBACK = re.compile(r"\A(?:> ?[^\n]*(?:\n|\Z))+\n?")
_MEDIA = {"m.image": "image", "m.video": "video", "m.audio": "audio", "m.file": "file", "m.location": "location"}
_MESSAGES = frozenset({"m.room.message", "m.sticker", "m.poll.start", "org.matrix.msc3381.poll.start"})
_CALLS = {"m.call.invite": "call", "m.call.hangup": "call ended", "m.call.reject": "call declined"}
_UNDECRYPTED = "These messages could not be decrypted when the room was exported, so they have no text."


class Matrix:
    """The importer of Matrix rooms."""

    name = "matrix"
    platform = "matrix"
    title = "Matrix (Element)"
    patterns: tuple[str, ...] = ("export.json", "matrix - *.zip")
    how_to_export: tuple[str, ...] = (
        "Open the room in Element on a computer, then the room's info (ⓘ) and “Export chat”.",
        "Choose the format JSON and, for the whole history, “From the beginning”.",
        "Choose the file here; each room is exported apart.",
    )

    def recognise(self, source: Source) -> float:
        """By the keys of a Matrix event."""
        if source.suffix not in {"json", "jsonl", "ndjson", "txt", ""}:
            return 0.0
        found = shape(source)
        path = _path(found)
        return 0.0 if path is None else 0.95 if "room_name" in found or f"{path}event_id" in found else 0.8

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source))


def _path(found: dict[str, str]) -> str | None:
    """Where the events lie, as a prefix of their keys' paths; None where there are none."""
    for prefix in ("messages.item.", "item.", "chunk.item.", ""):
        if f"{prefix}origin_server_ts" in found and f"{prefix}type" in found:
            return prefix
    return None


@dataclass(slots=True)
class _Room:
    """What the first pass found, and the names as they stand during the second."""

    chat: str
    chat_id: str | None = None
    names: dict[str, str] = field(default_factory=dict)
    edits: dict[str, list[dict[str, Any]]] = field(default_factory=lambda: defaultdict(list))
    reactions: dict[str, list[tuple[str, str, str]]] = field(default_factory=lambda: defaultdict(list))
    redacted: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)  # reactions and edits that were taken back
    undecrypted: int = 0

    def name(self, user: object) -> str | None:
        """The display name of a user id, else the id."""
        return clean(self.names.get(str(user), str(user))) if user else None


def _items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=False)
    prefix = _path(shape(source))
    if prefix is None:
        yield Problem(0, "There are no events of a Matrix room in this file.", skipped=0)
        return
    room = _survey(source, prefix)
    for event in _events(source, prefix):
        if isinstance(event, Problem):
            yield event
        else:
            yield from converted([(event.number, event.value)], lambda n, e: _event(room, n, e))
    yield from _orphans(room)
    if room.undecrypted:
        yield Problem(0, _UNDECRYPTED, skipped=room.undecrypted)


def _events(source: Source, prefix: str) -> Iterator[Piece | Problem]:
    take = prefix.removesuffix(".")
    into = {"", take.removesuffix(".item")} if take else set()
    for piece in pieces([source], into=into, take={take}):
        if isinstance(piece, Problem) or piece.path == take:
            yield piece


def _survey(source: Source, prefix: str) -> _Room:
    """The first pass. It never fails: what it cannot read is reported by the second."""
    title = ""
    if prefix == "messages.item.":
        heads = pieces([source], into={""}, take={"room_name"})
        title = next(
            (str(p.value) for p in heads if isinstance(p, Piece) and p.path == "room_name" and p.value), ""
        )
    room = _Room(clean(title) or folder_name(source))
    for piece in _events(source, prefix):
        event = piece.value if isinstance(piece, Piece) else None
        if isinstance(event, dict) and isinstance(event.get("content"), dict):
            _note(room, event, event["content"], number=piece.number if isinstance(piece, Piece) else 0)
    return room


def _note(room: _Room, event: dict[str, Any], content: dict[str, Any], number: int) -> None:
    kind, event_id = event.get("type"), str(event.get("event_id"))
    room.chat_id = room.chat_id or (str(event["room_id"]) if event.get("room_id") else None)
    relation = _relation(content)
    target = str(relation.get("event_id"))
    if kind == "m.room.redaction":
        gone = str(event.get("redacts") or content.get("redacts"))
        room.redacted.add(gone)
        room.gone.add(gone)
    elif kind == "m.room.member" and isinstance(content.get("displayname"), str):
        room.names.setdefault(str(event.get("state_key") or event.get("sender")), content["displayname"])
    elif _is_reaction(event, relation):
        room.reactions[target].append((event_id, str(relation.get("key")), str(event.get("sender"))))
    elif _is_edit(content, relation):
        edit = {**content["m.new_content"], "event": event_id, "number": number, "sender": event.get("sender")}
        room.edits[target].append(edit)


def _relation(content: dict[str, Any]) -> dict[str, Any]:
    relation = content.get("m.relates_to")
    return relation if isinstance(relation, dict) else {}


def _is_reaction(event: dict[str, Any], relation: dict[str, Any]) -> bool:
    return event.get("type") == "m.reaction" and relation.get("rel_type") == "m.annotation"


def _is_edit(content: dict[str, Any], relation: dict[str, Any]) -> bool:
    return relation.get("rel_type") == "m.replace" and isinstance(content.get("m.new_content"), dict)


def _event(room: _Room, number: int, event: dict[str, Any]) -> Iterator[Item]:
    content = event.get("content") or {}
    kind = event.get("type")
    relation = _relation(content)
    if _is_reaction(event, relation) or _is_edit(content, relation):
        return  # counted with the message that it belongs to, or at the end
    unreadable = kind == "m.room.encrypted" or content.get("msgtype") == "m.bad.encrypted"
    if unreadable and not _is_redacted(room, event):
        room.undecrypted += 1
        return
    if kind == "m.room.member" and isinstance(content.get("displayname"), str):
        room.names[str(event.get("state_key") or event.get("sender"))] = content["displayname"]
    yield _message(room, number, event, content, relation)
    if from_epoch(event.get("origin_server_ts"), 1000) is None:
        yield Problem(
            number, "The time of this event could not be read; it is kept without.", excerpt(str(kind)), 0
        )


def _message(
    room: _Room, number: int, event: dict[str, Any], content: dict[str, Any], relation: dict[str, Any]
) -> Message:
    event_id = str(event["event_id"]) if event.get("event_id") else None
    edits = room.edits.pop(event_id, []) if event_id else []
    reactions = room.reactions.pop(event_id, []) if event_id else []
    standing = [e for e in edits if e["event"] not in room.gone and e["sender"] == event.get("sender")]
    shown = standing[-1] if standing else content
    kind, text = _kind_and_text(room, event, content, shown)
    reply = relation.get("m.in_reply_to")
    return Message(
        room.chat, room.name(event.get("sender")), text, from_epoch(event.get("origin_server_ts"), 1000), kind,
        _attachments(event, shown) if kind == "talk" else (),
        number,
        1 + len(edits) + len(reactions),
        room.chat_id or (str(event["room_id"]) if event.get("room_id") else None),
        event_id,
        str(reply["event_id"]) if isinstance(reply, dict) and reply.get("event_id") else None,
        str(relation["event_id"]) if relation.get("rel_type") == "m.thread" and relation.get("event_id") else None,
        edited=bool(standing) and kind == "talk",
        reactions=tuple(f"{clean(key)} {room.name(who)}" for eid, key, who in reactions if eid not in room.gone),
    )  # fmt: skip


def _is_redacted(room: _Room, event: dict[str, Any]) -> bool:
    unsigned = event.get("unsigned")
    return event.get("event_id") in room.redacted or (
        isinstance(unsigned, dict) and "redacted_because" in unsigned
    )


def _kind_and_text(
    room: _Room, event: dict[str, Any], content: dict[str, Any], shown: dict[str, Any]
) -> tuple[Kind, str]:
    kind = str(event.get("type"))
    if kind in _MESSAGES or kind in {"m.room.encrypted", "m.reaction"}:
        if _is_redacted(room, event) or not content:
            return "deleted", ""
        if content.get("msgtype") == "m.key.verification.request":
            return "system", _text(kind, content, is_reply=False)
        return "talk", _text(kind, shown, is_reply="m.in_reply_to" in _relation(content))
    if kind in _CALLS:
        return "event", _CALLS[kind]
    return "system", _notice(room, kind, event, content)


def _text(kind: str, content: dict[str, Any], *, is_reply: bool) -> str:
    poll = next(
        (content[k] for k in ("m.poll", "org.matrix.msc3381.poll.start") if isinstance(content.get(k), dict)), None
    )
    if poll is not None:
        options = [_plain(answer) for answer in poll.get("answers") or ()]
        return "\n".join([_plain(poll.get("question")), *(f"- {option}" for option in options)])
    body = content.get("body")
    text = clean(body) if isinstance(body, str) else ""
    if kind == "m.sticker" or content.get("msgtype") in _MEDIA:
        return text if content.get("filename") and content["filename"] != body else ""  # a caption is no file name
    return (_FALLBACK.sub("", text) if is_reply else text).strip("\n")


def _plain(value: Any) -> str:
    """The text of a poll's question or answer in any of the versions of the standard."""
    if isinstance(value, dict):
        parts = value.get("m.text") or value.get("org.matrix.msc1767.text") or value.get("body") or ""
        if isinstance(parts, list):
            return clean(str(next((p.get("body") for p in parts if isinstance(p, dict)), "")))
        return clean(str(parts))
    return clean(str(value or ""))


def _attachments(event: dict[str, Any], content: dict[str, Any]) -> tuple[Attachment, ...]:
    kind = "sticker" if event.get("type") == "m.sticker" else _MEDIA.get(str(content.get("msgtype")))
    if kind is None:
        return ()
    name = clean(str(content.get("filename") or content.get("body") or kind))
    info = content.get("info")
    mime = str(info.get("mimetype") or "") if isinstance(info, dict) else ""
    if "org.matrix.msc3245.voice" in content:
        kind = "voice"
    return (Attachment(name, attachment_kind(name, mime) if kind == "file" else kind),)


def _notice(room: _Room, kind: str, event: dict[str, Any], content: dict[str, Any]) -> str:
    """A state event in words."""
    if kind == "m.room.member":
        who = room.name(event.get("state_key") or event.get("sender"))
        return f"{who}: {clean(str(content.get('membership') or 'changed'))}"
    for key in ("name", "topic"):
        if isinstance(content.get(key), str):
            return f"{key}: {clean(content[key])}"
    return kind.rpartition(".")[2].replace("_", " ")


def _orphans(room: _Room) -> Iterator[Item]:
    """Edits and reactions whose message is not in the file: an edit is the only text that there is."""
    for target, edits in room.edits.items():
        yield Problem(
            edits[0]["number"], "These edits belong to a message that is not in the file.",
            excerpt(clean(str(edits[-1].get("body") or target))), len(edits),
        )  # fmt: skip
    lost = sum(map(len, room.reactions.values()))
    if lost:
        yield Problem(0, "These reactions belong to messages that are not in the file.", skipped=lost)


MATRIX = Matrix()
