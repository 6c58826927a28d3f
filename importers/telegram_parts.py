"""What a Telegram message holds besides its words: text pieces, attachments, reactions, service notices."""

from collections.abc import Iterator
from typing import Any

from importers.attachment_kind import attachment_kind, file_name
from importers.base import Attachment

_PLAIN = frozenset(
    "id type date date_unixtime edited edited_unixtime from from_id text text_entities reply_to_message_id".split()
)
_MEDIA_KINDS = {
    "sticker": "sticker",
    "video_message": "video",
    "video_file": "video",
    "voice_message": "voice",
    "audio_file": "audio",
    "animation": "gif",
}


def plain(text: Any) -> str:
    """The words of a text: a string, or a list of strings and {"type", "text"} joined with nothing between."""
    if isinstance(text, str):
        return text
    if isinstance(text, dict):
        return plain(text.get("text"))
    return "".join(plain(part) for part in text) if isinstance(text, list) else ""


def message_text(record: dict[str, Any]) -> str:
    """All words that the sender wrote: the text, a poll's question, a list's title."""
    said = plain(record.get("text")) or plain(record.get("text_entities"))
    titles = [
        plain(part.get(key))
        for name, key in (("poll", "question"), ("todo_list", "title"))
        if isinstance(part := record.get(name), dict)
    ]
    return "\n".join(filter(None, (said, *titles)))


def attachments(record: dict[str, Any]) -> tuple[Attachment, ...]:
    """Files, places, people, polls, games and hidden link targets of a message."""
    if record.keys() <= _PLAIN and isinstance(record.get("text"), str):
        return ()  # most messages are words only
    return (
        *_files(record),
        *_cards(record),
        *_choices(record),
        *_hidden_links(record.get("text")),
    )


def reactions(record: dict[str, Any]) -> tuple[str, ...]:
    """Each reaction as "👍 Ana"; those that the export only counts as "👍 ×3"."""
    return tuple(_reactions(record.get("reactions")))


def notice(record: dict[str, Any]) -> str:
    """What a service record says, in the export's own names of actions."""
    words = [str(record.get("action") or "notice").replace("_", " ")]
    words += [f"“{plain(record[key])}”" for key in ("title", "new_title", "emoticon") if plain(record.get(key))]
    members = record.get("members")
    if isinstance(members, list):
        words.append(", ".join(m if isinstance(m, str) else "Deleted Account" for m in members))
    reason, seconds = record.get("discard_reason"), record.get("duration_seconds")
    if reason in ("missed", "busy"):
        words.append(f"({reason})")
    elif isinstance(seconds, int) and seconds:
        words.append(f"({seconds} s)")
    text = message_text(record)
    return " ".join(words) + (f": {text}" if text else "")


def _files(record: dict[str, Any]) -> Iterator[Attachment]:
    if photo := record.get("photo"):
        yield Attachment(_real_name(photo) or "photo", "image")
    file, name = record.get("file"), record.get("file_name")
    media = record.get("media_type")
    if not (file or name or media):
        return
    if media == "sticker":
        yield Attachment(str(record.get("sticker_emoji") or _real_name(file) or "sticker"), "sticker")
        return
    known = str(name or _real_name(file) or "")
    kind = _MEDIA_KINDS.get(str(media)) or attachment_kind(known, str(record.get("mime_type") or ""))
    yield Attachment(known or str(media or "file").replace("_", " "), kind)


def _real_name(path: Any) -> str:
    """The file's name; nothing for "(File not included. …)" and the like."""
    return file_name(path) if isinstance(path, str) and not path.startswith("(") else ""


def _cards(record: dict[str, Any]) -> Iterator[Attachment]:
    contact = record.get("contact_information")
    if isinstance(contact, dict):
        names = [str(contact.get(k) or "") for k in ("first_name", "last_name")]
        yield Attachment(" ".join(filter(None, names)) or str(contact.get("phone_number") or "contact"), "contact")
    place = record.get("location_information")
    if isinstance(place, dict):
        named = [str(record[k]) for k in ("place_name", "address") if record.get(k)]
        yield Attachment(", ".join([*named, f"{place.get('latitude')}, {place.get('longitude')}"]), "location")
    for key, kind in (("game_title", "link"), ("game_link", "link")):
        if isinstance(record.get(key), str) and record[key]:
            yield Attachment(record[key], kind)
    for key in ("invoice_information", "giveaway_information"):
        if isinstance(details := record.get(key), dict):
            yield Attachment(str(details.get("title") or key.removesuffix("_information")))


def _choices(record: dict[str, Any]) -> Iterator[Attachment]:
    """The answers of a poll and the items of a list, so that they can be found."""
    for holder, lists in (("poll", ("answers",)), ("todo_list", ("answers", "items"))):
        details = record.get(holder)
        for name in lists if isinstance(details, dict) else ():
            entries = details.get(name)  # type: ignore[union-attr]
            for entry in entries if isinstance(entries, list) else ():
                if text := plain(entry):
                    yield Attachment(text, "poll")


def _hidden_links(text: Any) -> Iterator[Attachment]:
    """Targets of links whose words do not show them."""
    for part in text if isinstance(text, list) else ():
        if isinstance(part, dict) and part.get("type") == "text_link" and isinstance(part.get("href"), str):
            yield Attachment(part["href"], "link")


def _reactions(entries: Any) -> Iterator[str]:
    for entry in entries if isinstance(entries, list) else ():
        if not isinstance(entry, dict):
            continue
        mark = str(entry.get("emoji") or ("⭐" if entry.get("type") == "paid" else "(custom emoji)"))
        recent = entry.get("recent")
        people = (
            [p["from"] for p in recent if isinstance(p, dict) and isinstance(p.get("from"), str)]
            if isinstance(recent, list)
            else []
        )
        yield from (f"{mark} {name}" for name in people)
        count = entry.get("count")
        if isinstance(count, int) and count > len(people):
            yield f"{mark} ×{count - len(people)}"
