"""Google Chat of Google Takeout (`Google Chat/Groups/…/messages.json`) and its forerunner, `Hangouts.json`.

Google Chat writes times as sentences in the account's language, always in UTC; the title of a chat, or the
people in it, lie in `group_info.json` beside it. Hangouts' events carry microseconds, and each conversation is
put in the order of time. Counted are messages and events.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.folder_name import folder_name
from importers.guard import converted, guarded
from importers.in_time_order import in_time_order
from importers.json_stream import OPENED, load, pieces, shape
from importers.siblings import sibling
from importers.source import Source
from importers.text import clean
from importers.times import from_epoch, from_iso_utc
from importers.written_dates import written_moment

_CONVERSATION = "conversations.item"
_EVENT = f"{_CONVERSATION}.events.item"
_MAX_INFO = 2**22


class GoogleChat:
    """The importer of Google Chat and Hangouts."""

    name = "google-chat"
    platform = "google-chat"
    title = "Google Chat and Hangouts (Google Takeout)"
    patterns: tuple[str, ...] = ("messages.json", "Hangouts.json", "takeout-*.zip")
    how_to_export: tuple[str, ...] = (
        "Open takeout.google.com, choose “Deselect all”, then tick “Google Chat”.",
        "Create the export and download the zip from the link in the mail.",
        "Choose the zip here as it is.",
    )

    def recognise(self, source: Source) -> float:
        """By the keys of a message of Google Chat, or of an event of Hangouts."""
        if source.suffix != "json":
            return 0.0
        found = shape(source)
        if (
            "messages.item.creator" in found
            or {"messages.item.created_date", "messages.item.text"} <= found.keys()
        ):
            return 0.95
        return 0.95 if _is_hangouts(found) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order, in Hangouts in that of time."""
        hangouts = _is_hangouts(shape(source))
        return guarded(_hangouts_items(source) if hangouts else _chat_items(source, options.me))


def _is_hangouts(found: dict[str, str]) -> bool:
    return f"{_CONVERSATION}.conversation" in found and any(
        path.startswith((f"{_CONVERSATION}.events", f"{_CONVERSATION}.conversation.conversation"))
        for path in found
    )


def _chat_items(source: Source, me: str | None) -> Iterator[Item]:
    yield Facts(naive_times=False)
    chat = _title(source)
    for piece in pieces([source], into={"", "messages"}, take={"messages.item"}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.value is not OPENED:
            yield from converted([(piece.number, piece.value)], partial(_chat_message, chat, me))


def _title(source: Source) -> str:
    """The space's name, else the names of its people, else the folder's name."""
    info: Any = {}
    beside = sibling(source, "group_info.json")
    if beside is not None and beside.size <= _MAX_INFO:
        with beside.open() as stream:
            try:
                info = load(stream.read(_MAX_INFO))
            except (ValueError, RecursionError):
                info = {}
    if isinstance(info, dict) and isinstance(info.get("name"), str) and info["name"].strip():
        return clean(info["name"])
    members = info.get("members") if isinstance(info, dict) else None
    names = [str(m["name"]) for m in members or () if isinstance(m, dict) and m.get("name")]
    return clean(", ".join(names[:8])) or folder_name(source)


def _chat_message(chat: str, me: str | None, number: int, record: dict[str, Any]) -> Iterator[Item]:
    creator = record.get("creator") or record.get("updater") or {}
    name, email = clean(str(creator.get("name") or "")), clean(str(creator.get("email") or ""))
    dates = (
        record.get(f"{what}_date") for what in ("created", "deleted", "updated")
    )  # deleted ones have no other
    moment = _moment(next(filter(None, dates), None))
    text = clean(str(record.get("text") or "")).rstrip()
    attachments = tuple(_attachments(record))
    message_id, topic = record.get("message_id"), record.get("topic_id")
    kind: Kind = "talk" if text or attachments else "system"
    if record.get("message_state") == "DELETED" or record.get("deleted_date"):
        kind, text = "deleted", ""
    updated = record.get("updated_date")
    yield Message(
        chat, name or email or None, text, moment, kind, attachments, number,
        source_id=str(message_id) if message_id else None,
        reply_to=_answered(record, message_id, topic),
        from_me=me.lower() in {name.lower(), email.lower()} if me else None,
        edited=kind == "talk" and bool(updated) and updated != record.get("created_date"),
        reactions=tuple(_reactions(record)),
    )  # fmt: skip
    if moment is None:
        yield Problem(number, "The date of this message could not be read; it is kept without.", excerpt(text), 0)


def _moment(written: object) -> datetime | None:
    """A sentence that names a time, which is always UTC here."""
    if not isinstance(written, str):
        return None
    moment = written_moment(written) or from_iso_utc(written)
    return moment if moment is None or moment.tzinfo else moment.replace(tzinfo=UTC)


def _answered(record: dict[str, Any], message_id: object, topic: object) -> str | None:
    """The quoted message, else the first one of the thread ("space/topic/topic")."""
    quoted = record.get("quoted_message_metadata")
    if isinstance(quoted, dict) and quoted.get("message_id"):
        return str(quoted["message_id"])
    parts = str(message_id or "").split("/")
    if topic and len(parts) == 3 and parts[2] != parts[1]:
        return f"{parts[0]}/{parts[1]}/{parts[1]}"
    return None


def _attachments(record: dict[str, Any]) -> Iterator[Attachment]:
    for file in record.get("attached_files") or ():
        name = clean(str(file.get("original_name") or file.get("export_name") or "file"))
        yield Attachment(name, attachment_kind(name))
    for annotation in record.get("annotations") or ():
        for key, value in annotation.items() if isinstance(annotation, dict) else ():
            if not isinstance(value, dict):
                continue
            if key == "drive_metadata" and value.get("title"):
                yield Attachment(clean(str(value["title"])), "document")
            elif key == "url_metadata" and value.get("title"):
                yield Attachment(clean(str(value["title"])), "link")
            elif key == "video_call_metadata":
                yield Attachment("video call", "link")


def _reactions(record: dict[str, Any]) -> Iterator[str]:
    for reaction in record.get("reactions") or ():
        emoji = reaction.get("emoji")
        shown = emoji.get("unicode") or emoji.get("custom_emoji") if isinstance(emoji, dict) else emoji
        for email in reaction.get("reactor_emails") or ("",):
            yield clean(f"{shown} {email}").strip()


def _hangouts_items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=False)
    for _, items in groupby(_by_conversation(source), key=lambda found: found[0]):
        yield from in_time_order(item for _, item in items)


def _by_conversation(source: Source) -> Iterator[tuple[int, Item]]:
    """The number of a conversation with each of its messages and problems."""
    count, about = 0, _About({})
    into = {"", "conversations", _CONVERSATION, f"{_CONVERSATION}.events"}
    for piece in pieces([source], into=into, take={f"{_CONVERSATION}.conversation", _EVENT}):
        if isinstance(piece, Problem):
            yield count, piece
        elif piece.path == _EVENT:
            for item in converted([(piece.number, piece.value)], partial(_event, about)):
                yield count, item
        elif piece.value is OPENED and piece.path == _CONVERSATION:
            count, about = count + 1, _About({})
        elif piece.path == f"{_CONVERSATION}.conversation" and isinstance(piece.value, dict):
            about = _About(piece.value)


class _About:
    """A Hangouts conversation: its id, its title and the people in it."""

    def __init__(self, wrapped: dict[str, Any]) -> None:
        inner = wrapped.get("conversation")
        details = inner if isinstance(inner, dict) else {}
        self.id = _id(wrapped.get("conversation_id")) or _id(details.get("id"))
        people = details.get("participant_data")
        self.names = {
            _id(p.get("id")): clean(str(p["fallback_name"]))
            for p in (people if isinstance(people, list) else ())
            if isinstance(p, dict) and p.get("fallback_name")
        }
        name = details.get("name")
        self.title = clean(str(name)) if name else ", ".join(sorted(self.names.values())[:8]) or "Hangouts"


def _id(value: object) -> str:
    """An id, which Hangouts wraps in an object."""
    if isinstance(value, dict):
        return str(value.get("gaia_id") or value.get("id") or value.get("chat_id") or "")
    return str(value or "")


def _event(about: _About, number: int, event: dict[str, Any]) -> Iterator[Item]:
    sender = _id(event.get("sender_id"))
    own = event.get("self_event_state")
    me = _id(own.get("user_id")) if isinstance(own, dict) else ""
    kind, text, attachments = _content(event)
    moment = from_epoch(event.get("timestamp"), 1_000_000)
    yield Message(
        about.title, about.names.get(sender, sender) or None, text, moment, kind, attachments, number,
        chat_id=about.id or None,
        source_id=str(event["event_id"]) if event.get("event_id") else None,
        from_me=sender == me if me and sender else None,
    )  # fmt: skip
    if moment is None:
        yield Problem(number, "The time of this event could not be read; it is kept without.", excerpt(text), 0)


def _content(event: dict[str, Any]) -> tuple[Kind, str, tuple[Attachment, ...]]:
    chat = event.get("chat_message")
    if not isinstance(chat, dict):
        sort = str(event.get("event_type") or "event").replace("_", " ").lower()
        return ("event" if "hangout" in sort or "call" in sort else "system"), sort, ()
    content = chat.get("message_content") or {}
    parts = (
        "\n" if s.get("type") == "LINE_BREAK" else str(s.get("text") or "") for s in content.get("segment") or ()
    )
    text = clean("".join(parts)).rstrip()
    attachments = tuple(_hangouts_attachment(a) for a in content.get("attachment") or ())
    return "talk", text, attachments


def _hangouts_attachment(attachment: dict[str, Any]) -> Attachment:
    embedded = attachment.get("embed_item") or {}
    sorts = " ".join(map(str, embedded.get("type") or embedded.get("types") or ()))
    photo = embedded.get("plus_photo")
    url = str(photo.get("url") or "") if isinstance(photo, dict) else ""
    kind = "location" if "PLACE" in sorts else "image" if "PHOTO" in sorts else "file"
    return Attachment(clean(url.rpartition("/")[2]) or kind, kind)


GOOGLE_CHAT = GoogleChat()
