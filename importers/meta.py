"""Messenger and Instagram: the JSON of “Download your information”, and Messenger's end-to-end encrypted chats.

A thread is a folder with `message_1.json` (the newest) and so on, newest first inside; messages come out oldest
first. Encrypted chats are one file each. A record is an element of `messages`; `line` is its number in its
file, and in a whole download problems name the file. Strings are UTF-8 written as Latin-1 and repaired one by
one. Instagram's times may be those of the device rather than UTC, which the files do not tell.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from importers.attachment_kind import attachment_kind, file_name
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.guard import converted, guarded
from importers.in_time_order import in_time_order
from importers.json_stream import OPENED, load, pieces, shape
from importers.meta_words import is_filler, repaired, said_by_app
from importers.parts import parts_of
from importers.source import Source
from importers.times import from_epoch

_PART = re.compile(r"message(?:_(\d+))?\.json", re.IGNORECASE)
_THREAD_FILE = re.compile(r"(?:your_[a-z_]*activity[a-z_]*/)?messages/(?:[^/]+/)?[^/]+/message(?:_\d+)?\.json")
_HEADER = {"participants", "title", "thread_path", "threadName"}
_MEDIA = (
    ("photos", "image"),
    ("videos", "video"),
    ("audio_files", "voice"),
    ("gifs", "gif"),
    ("files", ""),
    ("media", ""),
)
_SYSTEM_TYPES = frozenset({"Subscribe", "Unsubscribe"})
_NUMBERED = re.compile(r"_\d+$")
_FOLDERS = frozenset(
    "messages ads_information apps_and_websites_off_of_facebook apps_and_websites_off_of_instagram "
    "connections files logged_information media personal_information preferences posts comments friends "
    "security_and_login_information groups events pages profile_information search_history location "
    "other_activity stories reviews marketplace your_activity_across_facebook your_facebook_activity "
    "your_instagram_activity".split()
)
_PROFILES = ("profile_information.json", "personal_information.json")


class Meta:
    """The importer of one of Meta's two apps."""

    patterns = ("message_1.json", "*.zip")

    def __init__(self, name: str, title: str, how_to_export: tuple[str, ...], *, instagram: bool) -> None:
        self.name = name
        self.platform = name
        self.title = title
        self.how_to_export = how_to_export
        self._instagram = instagram

    def recognise(self, source: Source) -> float:
        """By the keys of a thread, or by the folders of a download; which app it is by the paths in it."""
        if not source.members():
            return 0.95 if _is_thread(source) and _is_instagram(source) == self._instagram else 0.0
        first = next((m for m in source.members() if _THREAD_FILE.fullmatch(m.name)), None)
        if first is None or not _is_thread(first):
            return 0.0
        return 0.95 if (_is_instagram(first) or "instagram" in source.name.lower()) == self._instagram else 0.0

    def covers(self, name: str) -> bool:
        """The folders of a download, most of which hold no messages."""
        return name.partition("/")[0].lower() in _FOLDERS or name in ("start_here.html", "index.html")

    def part(self, basename: str) -> tuple[str, int]:
        """message_2.json is part 2 of its folder."""
        found = _PART.fullmatch(basename)
        return ("message.json", int(found[1] or 1)) if found else (basename, 1)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then thread by thread, each oldest first."""
        return guarded(_read(source, options))


MESSENGER = Meta(
    "messenger",
    "Facebook Messenger",
    (
        "On facebook.com or in the app open Settings, Accounts Centre, “Your information and permissions”, and "
        "“Export your information”.",
        "Choose your profile, “Export to device”, only “Messages”, all time, and the format JSON (not HTML).",
        "Meta tells you when the zip is ready; download it and choose it here.",
        "Encrypted chats are apart: on messenger.com choose Settings, Privacy and safety, End-to-end "
        "encrypted chats, Message storage, “Download secure storage data”.",
    ),
    instagram=False,
)
INSTAGRAM = Meta(
    "instagram",
    "Instagram",
    (
        "In the app or on instagram.com open Settings, Accounts Centre, “Your information and permissions”, and "
        "“Export your information”.",
        "Choose your profile, “Export to device”, only “Messages”, all time, and the format JSON (not HTML).",
        "Meta tells you when the zip is ready; download it and choose it here.",
    ),
    instagram=True,
)


@dataclass(slots=True)
class _Thread:
    """What a file says of its thread besides the messages."""

    title: str = ""
    path: str | None = None
    participants: list[str] = field(default_factory=list)
    encrypted: bool = False

    def is_mine(self, sender: str | None, own: str | None) -> bool | None:
        """By the owner's name; in a chat of two, the thread is called after the other one."""
        if own or sender is None:
            return sender == own if own else None
        if len(self.participants) > 2 or self.title not in self.participants:
            return None
        return sender != self.title


def _is_thread(source: Source) -> bool:
    if b'"participants"' not in source.head:
        return False
    found = shape(source).keys()
    if {"messages.item.sender_name", "messages.item.senderName"} & found:
        return True
    return "messages" in found and bool({"thread_path", "threadName", "magic_words"} & found)


def _is_instagram(source: Source) -> bool:
    head = source.head
    facebook = (b"your_facebook_activity", b"your_activity_across_facebook", b"stickers_used", b'"senderName"')
    if "instagram" in source.name.lower() or b"your_instagram_activity" in head:
        return True
    return b"instagram.com" in head and not any(word in head for word in facebook)


def _read(source: Source, options: Options) -> Iterator[Item]:
    yield Facts()
    threads: dict[str, list[Source]] = {}
    for member in source.members():
        if _THREAD_FILE.fullmatch(member.name):
            threads.setdefault(member.name.rpartition("/")[0], []).append(member)
    if not threads:
        yield from _thread(parts_of(source), options.me, named=len(parts_of(source)) > 1)
        return
    own = options.me or _owner(source)
    for files in threads.values():
        yield from _thread(tuple(files), own, named=True)


def _owner(source: Source) -> str | None:
    """The name on the owner's profile, which a whole download holds."""
    profile = source.member(*_PROFILES)
    if profile is None or profile.size > 2**20:
        return None
    with profile.open() as stream:
        try:
            name = load(stream.read(2**20))["profile_v2"]["name"]["full_name"]
            return repaired(name) if isinstance(name, str) else None
        except (ValueError, LookupError, TypeError, RecursionError):
            return None


def _thread(files: tuple[Source, ...], own: str | None, *, named: bool) -> Iterator[Item]:
    """The files of one thread, the one with the oldest messages first."""
    begun = sorted(((*_begin(f), f) for f in files), key=lambda b: b[1])
    about = next((t for t, _, _ in begun if t.title), _Thread())
    for thread, _, file in begun:
        known = replace(thread, title=thread.title or about.title or "Unnamed", path=thread.path or about.path)
        for item in in_time_order(_messages(file, known, own)):
            if named and isinstance(item, Problem):
                yield replace(item, reason=f"{file.name}: {item.reason}")
            else:
                yield item


def _begin(file: Source) -> tuple[_Thread, float]:
    """The thread, since its title stands at the file's end, and the time of the first record."""
    thread = _Thread()
    first: float | None = None
    for piece in pieces((file,), {"", "messages"}, {*_HEADER, "messages.item"}):
        if isinstance(piece, Problem) or piece.value is OPENED:
            continue
        if piece.path == "messages.item":
            if first is None and isinstance(piece.value, dict):
                moment = _time(piece.value)
                first = moment.timestamp() if moment else None
            thread.encrypted |= isinstance(piece.value, dict) and "senderName" in piece.value
        else:
            _describe(thread, piece.path, piece.value)
    if not thread.encrypted:
        thread.title = repaired(thread.title)
        thread.participants = [repaired(p) for p in thread.participants]
    return thread, first or 0.0


def _describe(thread: _Thread, key: str, value: Any) -> None:
    if key == "participants":
        entries = value if isinstance(value, list) else []
        names = [e.get("name") if isinstance(e, dict) else e for e in entries]
        thread.participants = [n for n in names if isinstance(n, str)]
    elif isinstance(value, str):
        if key == "title":
            thread.title = value
        elif key == "thread_path":
            thread.path = value
        else:
            thread.title, thread.path = _NUMBERED.sub("", value), value


def _messages(file: Source, thread: _Thread, own: str | None) -> Iterator[Item]:
    for piece in pieces((file,), {"", "messages"}, {"messages.item"}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.value is not OPENED:
            yield from converted([(piece.number, piece.value)], lambda n, r: _items(n, r, thread, own))


def _items(number: int, record: Any, thread: _Thread, own: str | None) -> Iterator[Item]:
    if not isinstance(record, dict):
        yield Problem(number, "This is no message.", excerpt(str(record)[:200]))
        return
    fix = str if thread.encrypted else repaired
    sender = record.get("sender_name") or record.get("senderName")
    sender = fix(sender) if isinstance(sender, str) else None
    text, kind = _said(record, sender or "", thread)
    yield Message(
        chat=thread.title,
        sender=sender,
        text=text,
        timestamp=_time(record),
        kind=kind,
        attachments=tuple(_attachments(record)),
        line=number,
        chat_id=thread.path,
        from_me=thread.is_mine(sender, own),
        reactions=tuple(_reactions(record, thread)),
    )


def _time(record: dict[str, Any]) -> Any:
    """`timestamp` was in seconds until 2018, and is in milliseconds in encrypted chats."""
    if (value := record.get("timestamp_ms")) is not None:
        return from_epoch(value, 1000)
    value = record.get("timestamp")
    return from_epoch(value, 1000 if isinstance(value, int | float) and value > 10**11 else 1)


def _said(record: dict[str, Any], sender: str, thread: _Thread) -> tuple[str, Kind]:
    """The words, and whether they are talk."""
    raw = record.get("content", record.get("text"))
    content = (raw if thread.encrypted else repaired(raw)) if isinstance(raw, str) else ""
    if record.get("is_unsent") or record.get("isUnsent"):
        return content, "deleted"
    if "call_duration" in record or record.get("type") == "Call" or record.get("missed"):
        seconds = record.get("call_duration")
        return content or (f"call ({seconds} s)" if seconds else "missed call"), "event"
    if record.get("type") in _SYSTEM_TYPES or record.get("type") == "placeholder":
        return content, "system"
    share = record.get("share")
    if isinstance(share, dict):
        return _shared(share, "" if is_filler(content, sender) else content), "talk"
    app = said_by_app(content, sender)
    if app == "filler":
        return ("" if any(_attachments(record)) else content), "talk"
    return content, "event" if app == "call" else "system" if app else "talk"


def _shared(share: dict[str, Any], content: str) -> str:
    """The sender's own words, the link, and what it showed."""
    shown = (repaired(v) for k in ("link", "share_text") if isinstance(v := share.get(k), str))
    return "\n".join(filter(None, (content, *(s for s in shown if s not in content or not content))))


def _attachments(record: dict[str, Any]) -> Iterator[Attachment]:
    for key, kind in _MEDIA:
        entries = record.get(key)
        for entry in entries if isinstance(entries, list) else ():
            uri = entry.get("uri") if isinstance(entry, dict) else None
            name = file_name(repaired(uri)) if isinstance(uri, str) else key.removesuffix("s")
            yield Attachment(name, kind or attachment_kind(name))
    sticker = record.get("sticker")
    if isinstance(sticker, dict):
        yield Attachment(file_name(str(sticker.get("uri") or "sticker")), "sticker")


def _reactions(record: dict[str, Any], thread: _Thread) -> Iterator[str]:
    entries = record.get("reactions")
    fix = str if thread.encrypted else repaired
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("reaction"), str):
            yield f"{fix(entry['reaction'])} {fix(str(entry.get('actor') or ''))}".strip()
