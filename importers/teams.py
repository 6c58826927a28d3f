"""Microsoft Teams: messages of work or school accounts as Microsoft Graph returns them (`chatMessage`, JSON).

A private account's own "Export your data" has the shape of Skype's export and is read as such. Counted are
messages. Times are UTC.
"""

from collections.abc import Iterator
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.guard import converted, guarded
from importers.html_text import html_text
from importers.in_time_order import in_time_order
from importers.json_stream import OPENED, pieces, shape
from importers.source import Source
from importers.text import clean
from importers.times import from_iso_utc

_PATHS = ("item", "value.item", "messages.item")
_SORTED_BELOW = 64 * 2**20
_EMOJI = {"like": "👍", "heart": "❤️", "laugh": "😂", "surprised": "😮", "sad": "😢", "angry": "😠"}
_NO_FILES = frozenset(("messageReference", "forwardedMessageReference"))


class Teams:
    """The importer of Teams messages from Graph."""

    name = "teams"
    platform = "teams"
    title = "Microsoft Teams"
    patterns: tuple[str, ...] = ("*.json", "messages.json")
    how_to_export: tuple[str, ...] = (
        "With a private account open Teams' settings, choose “Export your data” (or go to "
        "teams.live.com/dataexport), and choose the downloaded .tar file here.",
        "With a work account ask your administrator, or save the answer of Microsoft Graph for your chat "
        "(me/chats/ID/messages) as a .json file and choose it here.",
    )

    def recognise(self, source: Source) -> float:
        """By the keys of a chatMessage."""
        return 0.95 if source.suffix == "json" and _path(source) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, messages and problems, in the order of time where the file is small enough."""
        items = _items(source, options.me)
        return guarded(in_time_order(items) if source.size < _SORTED_BELOW else items)


def _path(source: Source) -> str | None:
    found = shape(source)
    wanted = ("createdDateTime", "body.contentType", "messageType")
    return next((path for path in _PATHS if all(f"{path}.{key}" in found for key in wanted)), None)


def _items(source: Source, me: str | None) -> Iterator[Item]:
    yield Facts(naive_times=False)
    path = _path(source) or "item"
    into = {"", path.removesuffix(".item")} if path != "item" else {""}
    for piece in pieces([source], into=into, take={path}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.value is not OPENED:
            yield from converted([(piece.number, piece.value)], lambda n, m: _message(me, n, m))


def _message(me: str | None, number: int, message: dict[str, Any]) -> Iterator[Item]:
    body = message.get("body") or {}
    content = clean(str(body.get("content") or ""))
    text = html_text(content) if body.get("contentType") == "html" else content.rstrip()
    attachments = tuple(_attachments(message))
    sort = message.get("messageType")
    kind: Kind = "talk" if sort == "message" and (text or attachments) else "system"
    if sort != "message":
        text = text or _what_happened(message)
    if message.get("deletedDateTime"):
        kind, text = "deleted", ""
    moment = from_iso_utc(message.get("createdDateTime"))
    sender = _who(message.get("from"))
    channel = message.get("channelIdentity")
    chat_id = message.get("chatId") or (channel.get("channelId") if isinstance(channel, dict) else None)
    title = clean(str(message.get("chatTopic") or message.get("chatName") or chat_id or "Teams"))
    yield Message(
        title, sender, text, moment, kind, attachments, number,
        chat_id=str(chat_id) if chat_id else None,
        source_id=str(message["id"]) if message.get("id") else None,
        reply_to=_answered(message),
        conversation=str(message.get("replyToId") or message.get("id") or "") or None if channel else None,
        from_me=sender == me if me else None,
        edited=kind == "talk" and bool(message.get("lastEditedDateTime")),
        reactions=tuple(_reactions(message)),
    )  # fmt: skip
    if moment is None:
        yield Problem(number, "The time of this message could not be read; it is kept without.", excerpt(text), 0)


def _who(sender: object) -> str | None:
    """The name of the person, app or device that wrote."""
    for value in sender.values() if isinstance(sender, dict) else ():
        if isinstance(value, dict) and (name := value.get("displayName") or value.get("id")):
            return clean(str(name))
    return None


def _what_happened(message: dict[str, Any]) -> str:
    detail = message.get("eventDetail")
    written = str(detail.get("@odata.type") or "") if isinstance(detail, dict) else ""
    return written.rpartition(".")[2].removesuffix("EventMessageDetail") or "system message"


def _answered(message: dict[str, Any]) -> str | None:
    if message.get("replyToId"):
        return str(message["replyToId"])
    for part in message.get("attachments") or ():
        if part.get("contentType") == "messageReference":
            return str(part.get("id"))
    return None


def _attachments(message: dict[str, Any]) -> Iterator[Attachment]:
    if message.get("subject"):
        yield Attachment(clean(str(message["subject"])), "subject")
    for part in message.get("attachments") or ():
        if part.get("contentType") not in _NO_FILES:
            name = clean(str(part.get("name") or part.get("contentType") or "file"))
            yield Attachment(name, attachment_kind(name))


def _reactions(message: dict[str, Any]) -> Iterator[str]:
    for reaction in message.get("reactions") or ():
        user = reaction.get("user")
        who = _who(user) if isinstance(user, dict) else None
        sort = str(reaction.get("reactionType"))
        yield clean(f"{_EMOJI.get(sort, sort)} {who or ''}").strip()


TEAMS = Teams()
