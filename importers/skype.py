"""Skype: `messages.json` of Microsoft's export, alone, in the `.tar` as it comes, or in a folder or zip.

Contents are Skype's own markup: quotes, emoticons, edit marks and shared files are elements in it. Counted are
the messages of all conversations; each conversation is newest first and is put in order. A message whose
content is gone was removed. Times are UTC.
"""

import io
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from html import unescape
from itertools import groupby
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.guard import converted, guarded
from importers.html_text import html_text
from importers.in_time_order import in_time_order
from importers.json_stream import OPENED, pieces, shape
from importers.source import Source, SourceError
from importers.text import clean
from importers.times import from_epoch, from_iso_utc

_CONVERSATION = "conversations.item"
_MESSAGE = f"{_CONVERSATION}.MessageList.item"
_QUOTES = frozenset(("quote", "legacyquote", "e_m"))
_QUOTED_ID = re.compile(r"<quote\b[^>]{0,1000}?\bmessageid=\"([^\"]{0,100})\"")
_EDITED = re.compile(r"<e_m\b")
_OBJECT = re.compile(r"<URIObject\b([^>]{0,4000})>(.*?)(?:</URIObject>|\Z)", re.DOTALL)
_NAME = re.compile(r"<OriginalName\b[^>]{0,1000}?\bv=\"([^\"]{0,1000})\"")
_OBJECT_KIND = re.compile(r"\btype=\"([A-Za-z]+)")
_FILE = re.compile(r"<file\b[^>]{0,1000}>([^<]{0,1000})</file>")
_CONTACT = re.compile(r"<c\b[^>]{0,1000}?\bf=\"([^\"]{0,1000})\"")
_LOCATION = re.compile(r"<location\b[^>]{0,1000}?\baddress=\"([^\"]{0,1000})\"")
_DURATION = re.compile(r"<duration>([\d.]+)</duration>")
_CALL_END = re.compile(r"<partlist\b[^>]{0,1000}?\btype=\"(\w+)\"")
_KINDS = {"picture": "image", "video": "video", "audio": "voice", "swift": "file", "sticker": "sticker"}
_LOGS = ("48:calllogs", "48:notifications", "48:annotations", "48:drafts")


class Skype:
    """The importer of Skype's export."""

    name = "skype"
    platform = "skype"
    title = "Skype"
    patterns: tuple[str, ...] = ("messages.json", "*_export.tar", "8_*.tar")
    how_to_export: tuple[str, ...] = (
        "Sign in at secure.skype.com/en/data-export with your Microsoft account (Skype closed in May 2025).",
        "Choose “Conversations”, submit the request, and wait until the file is ready.",
        "Download the .tar file and choose it here as it is.",
    )

    def recognise(self, source: Source) -> float:
        """By the keys of the JSON, or by a tar that holds messages.json."""
        if b"ustar" in source.head[257:263]:
            return 0.9 if b"messages.json" in source.head or _in_tar(source) else 0.0
        return 0.95 if _is_skype(source) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems, each conversation in the order of time."""
        return guarded(_items(source))


class _TarMember(Source):
    """A file in a tar, read in place and from the front."""

    def __init__(self, archive: Source, name: str) -> None:
        self.archive = archive
        self.name = name

    def open(self) -> BinaryIO:
        """The member's bytes."""
        return _TarStream(self.archive.open(), self.name)


class _TarStream(io.RawIOBase, BinaryIO):  # type: ignore[misc,unused-ignore]
    """The bytes of one member; closes the archive with itself."""

    def __init__(self, raw: BinaryIO, name: str) -> None:
        super().__init__()
        self._open = [raw]
        try:
            tar = tarfile.open(fileobj=raw, mode="r|")  # noqa: SIM115 - closed with this stream
            info = next(i for i in tar if i.name == name and i.isfile())
            self._stream = tar.extractfile(info)
        except (tarfile.TarError, StopIteration, EOFError) as error:
            raw.close()
            raise SourceError(f"“{name}” cannot be read, since the tar is damaged.") from error

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return self._stream.read(size) if self._stream else b""

    def close(self) -> None:
        for stream in self._open:
            stream.close()
        super().close()


def _in_tar(source: Source) -> Source | None:
    """The messages.json in a tar."""
    try:
        with source.open() as raw, tarfile.open(fileobj=raw, mode="r|") as tar:
            for count, info in enumerate(tar):
                if info.isfile() and PurePosixPath(info.name).name.lower() == "messages.json":
                    return _TarMember(source, info.name)
                if count > 100_000:
                    break
    except (tarfile.TarError, EOFError):
        pass
    return None


def _is_skype(source: Source) -> bool:
    found = shape(source)
    return "conversations" in found and (f"{_CONVERSATION}.MessageList" in found or "exportDate" in found)


@dataclass(slots=True, eq=False)
class _Conversation:
    """A conversation; `learned` is what the other one is called in the messages, where it has no title."""

    id: str
    title: str
    me: str
    named: bool
    learned: str | None = None

    def renamed(self, item: Item) -> Item:
        """The item under the name that was learned, once all messages have been seen."""
        if self.named or not self.learned or not isinstance(item, Message):
            return item
        sender = self.learned if item.sender == self.title else item.sender
        return replace(item, chat=self.learned, sender=sender)


def _items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=False)
    if not _is_skype(source):
        inner = _in_tar(source)
        if inner is None:
            yield Problem(0, "There is no messages.json in this tar, or the tar is damaged.", skipped=0)
            return
        source = inner
    for conversation, items in groupby(_by_conversation(source, _owner(source)), key=lambda found: found[0]):
        for item in in_time_order(item for _, item in items):
            yield conversation.renamed(item)


def _by_conversation(source: Source, me: str) -> Iterator[tuple[_Conversation, Item]]:
    """The conversation with each of its messages and problems, in the file's order."""
    details: dict[str, Any] = {}
    conversation = _conversation(details, me)
    into = {"", "conversations", _CONVERSATION, f"{_CONVERSATION}.MessageList"}
    take = {f"{_CONVERSATION}.{key}" for key in ("id", "displayName", "threadProperties")} | {_MESSAGE}
    for piece in pieces([source], into=into, take=take):
        if isinstance(piece, Problem):
            yield conversation, piece
        elif piece.path == _MESSAGE:
            for item in converted([(piece.number, piece.value)], partial(_message, conversation)):
                yield conversation, item
        elif piece.value is OPENED and piece.path == _CONVERSATION:
            details = {}
            conversation = _conversation(details, me)
        else:
            details[piece.path.rpartition(".")[2]] = piece.value
            conversation = _conversation(details, me)


def _owner(source: Source) -> str:
    return shape(source).get("userId", "")


def _conversation(details: dict[str, Any], me: str) -> _Conversation:
    identity = clean(str(details.get("id") or ""))
    thread = details.get("threadProperties")
    topic = thread.get("topic") if isinstance(thread, dict) else None
    name = details.get("displayName") or topic
    title = name or identity.partition(":")[2] or "Skype"
    return _Conversation(identity, clean(str(title)), me, bool(name))


def _message(conversation: _Conversation, number: int, message: dict[str, Any]) -> Iterator[Item]:
    content = message.get("content")
    content = clean(content) if isinstance(content, str) else ""
    kind, text, attachments = _read(str(message.get("messagetype") or "Text"), content)
    if conversation.id.startswith(_LOGS) and kind == "talk":
        kind = "system"
    moment = from_iso_utc(message.get("originalarrivaltime")) or _moment_of(message.get("id"))
    properties = message.get("properties")
    properties = properties if isinstance(properties, dict) else {}
    if properties.get("deletetime") or (properties.get("isserversidegenerated") and not content):
        kind, text = "deleted", ""
    quoted = _QUOTED_ID.search(content)
    sender = str(message.get("from") or "").rpartition("/")[2]  # a web address in some versions
    yield Message(
        conversation.title,
        _name(conversation, sender, message.get("displayName")),
        text, moment, kind, attachments, number,
        chat_id=conversation.id or None,
        source_id=str(message["id"]) if message.get("id") else None,
        reply_to=quoted[1] if quoted else None,
        from_me=_bare(sender) == _bare(conversation.me) if conversation.me else None,
        edited=kind == "talk" and (bool(_EDITED.search(content)) or bool(properties.get("edittime"))),
        reactions=_reactions(properties),
    )  # fmt: skip
    if moment is None:
        yield Problem(number, "The time of this message could not be read; it is kept without.", excerpt(text), 0)


def _moment_of(identity: object) -> datetime | None:
    """The milliseconds since 1970 that an id is in most versions."""
    text = str(identity)
    return from_epoch(text, 1000) if text.isdecimal() and len(text) == 13 else None


def _name(conversation: _Conversation, sender: str, shown: object) -> str | None:
    """The display name; for the other one in a chat of two the chat's name; else the id."""
    if isinstance(shown, str) and shown.strip():
        if _bare(sender) == _bare(conversation.id):
            conversation.learned = clean(shown)
        return clean(shown)
    if sender and _bare(sender) == _bare(conversation.id):
        return conversation.title
    return clean(sender) or None


def _bare(identity: str) -> str:
    """An id without its network's number and without the address of a server."""
    return identity.rpartition("/")[2].removeprefix("8:").lower()


def _read(messagetype: str, content: str) -> tuple[Kind, str, tuple[Attachment, ...]]:
    family, _, detail = messagetype.partition("/")
    if family == "Event" or family == "ThreadActivity":
        return ("event" if detail == "Call" else "system"), _notice(messagetype, content), ()
    if not content:
        return "deleted", "", ()
    if family == "Text" or family == "RichText" or family == "InviteFreeRelationshipChanged":
        return _talk(messagetype, content)
    text = html_text(content)
    return ("talk", text, ()) if text and not content.startswith("{") else ("system", messagetype, ())


def _talk(messagetype: str, content: str) -> tuple[Kind, str, tuple[Attachment, ...]]:
    found = tuple(_objects(content))
    if messagetype.startswith("RichText/Media_Card") and not found:
        return "talk", "", (Attachment("card", "link"),)
    text = _OBJECT.sub("", content)
    if found:
        text = _FILE.sub("", text) if not _OBJECT.search(content) else text
        text = "" if messagetype in {"RichText/Contacts", "RichText/Location", "RichText/Files"} else text
    return "talk", html_text(text, _QUOTES), found


def _objects(content: str) -> Iterator[Attachment]:
    """What is shared by a message: pictures, files, contacts, places."""
    for attributes, inside in _OBJECT.findall(content):
        named = _NAME.search(inside)
        typed = _OBJECT_KIND.search(attributes)
        kind = _KINDS.get(typed[1].lower() if typed else "", "file")
        name = unescape(named[1]) if named else kind
        yield Attachment(name, attachment_kind(name) if kind == "file" else kind)
    for name in _FILE.findall(content):
        yield Attachment(unescape(name), attachment_kind(name))
    if content.lstrip().startswith("<contacts"):
        for name in _CONTACT.findall(content):
            yield Attachment(unescape(name), "contact")
    for address in _LOCATION.findall(content):
        yield Attachment(unescape(address), "location")


def _notice(messagetype: str, content: str) -> str:
    """A call with its length, or what changed in a group."""
    if messagetype == "Event/Call":
        ended = _CALL_END.search(content)
        longest = max((float(d) for d in _DURATION.findall(content) if d.count(".") < 2 and d != "."), default=0.0)
        state = {"started": "call started", "missed": "missed call"}.get(ended[1] if ended else "", "call")
        return f"{state}, {longest:.0f} s" if longest else state
    name = messagetype.rpartition("/")[2]
    words = " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)).lower()
    detail = html_text(content, frozenset(("eventtime", "initiator", "rosterversion")))
    return f"{words}: {' '.join(detail.split())}" if detail else words


def _reactions(properties: dict[str, Any]) -> tuple[str, ...]:
    emotions = properties.get("emotions")
    found = []
    for emotion in emotions if isinstance(emotions, list) else ():
        users = emotion.get("users") if isinstance(emotion, dict) else None
        for user in users if isinstance(users, list) else ():
            who = _bare(str(user.get("mri") if isinstance(user, dict) else user))
            found.append(clean(f"{emotion.get('key')} {who}"))
    return tuple(found)


SKYPE = Skype()
