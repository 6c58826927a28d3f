"""Slack's export: a zip with lists of people and channels and, in a folder a channel, a JSON file a day.

A record is an element of a day's file; `line` is its number in that file, and problems name the file. Channels
are read one after the other, days in order, and each day by time. A thread is a conversation; its replies lie
in the files of their own days. Direct messages have the id of the conversation as their name.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.guard import converted, guarded
from importers.in_time_order import in_time_order
from importers.json_stream import OPENED, pieces, shape
from importers.parts import parts_of
from importers.slack_text import Names, message_text
from importers.source import Source
from importers.times import from_epoch

_DAY = re.compile(r"(?:.*/)?([^/]+)/\d{4}-\d{2}-\d{2}\.json")
_PEOPLE = ("users.json", "org_users.json")
_CHANNELS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_SYSTEM = frozenset(
    "channel_join channel_leave channel_topic channel_purpose channel_name channel_archive channel_unarchive "
    "channel_posting_permissions channel_convert_to_private channel_convert_to_public group_join group_leave "
    "group_topic group_purpose group_name group_archive group_unarchive pinned_item unpinned_item bot_add "
    "bot_remove bot_enable bot_disable reminder_add ekm_access_denied joiner_notification app_conversation_join "
    "bot_profile_update document_mention".split()
)
_EVENTS = frozenset({"huddle_thread", "sh_room_created", "sh_room_shared", "call"})
_DELETED = frozenset({"tombstone", "message_deleted"})


class Slack:
    """The importer of a workspace's export."""

    name = "slack"
    platform = "slack"
    title = "Slack"
    patterns = ("*Slack export*.zip", "*.zip")
    how_to_export = (
        "An owner or admin opens the workspace's menu, Tools and settings, Workspace settings, and "
        "“Import/Export Data”.",
        "Choose Export, a date range, and “Start Export”; public channels are in every export, private ones and "
        "direct messages only where Slack has allowed it.",
        "An e-mail says when the zip is ready; download it and choose it here as it is.",
    )

    def recognise(self, source: Source) -> float:
        """By the lists at the top and a day's file; a single day's file is read without names."""
        if not source.members():
            return 0.85 if _is_day(source) else 0.0
        names = {m.name.lower() for m in source.members()}
        days = (m for m in source.members() if _DAY.fullmatch(m.name))
        if not names & {*_PEOPLE, *_CHANNELS} or (day := next(days, None)) is None:
            return 0.0
        return 0.95 if b'"ts"' in day.head or day.head.lstrip()[:1] == b"[" else 0.0

    def covers(self, name: str) -> bool:
        """The days, and the lists at the top."""
        return bool(_DAY.fullmatch(name)) or name.lower().endswith(".json")

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then channel by channel."""
        return guarded(_read(source, options))


SLACK = Slack()


def _is_day(source: Source) -> bool:
    if b'"ts"' not in source.head:
        return False
    found = shape(source)
    keys = {"item.user", "item.text", "item.bot_id", "item.subtype"}
    return found.get("") == "[" and "item.ts" in found and bool(keys & found.keys()) and "item.type" in found


def _read(source: Source, options: Options) -> Iterator[Item]:
    yield Facts()
    channels = dict(_pairs(source, _CHANNELS, _channel_name))
    names = Names(dict(_pairs(source, _PEOPLE, _display_name)), channels)
    ids = {name: key for key, name in channels.items()}
    days: dict[str, list[Source]] = {}
    for member in source.members():
        if found := _DAY.fullmatch(member.name):
            days.setdefault(found[1], []).append(member)
    if not days:
        days[PurePosixPath(source.name).parent.name or "Slack"] = list(parts_of(source))
    for channel, files in days.items():
        maker = _Maker(channel, ids.get(channel, channel), names, options)
        for file in sorted(files, key=lambda f: f.basename):
            for item in in_time_order(_day(file, maker)):
                yield replace(item, reason=f"{file.name}: {item.reason}") if isinstance(item, Problem) else item


def _pairs(source: Source, files: tuple[str, ...], name_of: Any) -> Iterator[tuple[str, str]]:
    """Id and name of each entry in the lists of these names."""
    for member in source.members():
        if member.basename.lower() in files:
            for piece in pieces((member,), {""}, {"item"}):
                if not isinstance(piece, Problem) and isinstance(piece.value, dict):
                    key, name = piece.value.get("id"), name_of(piece.value)
                    if isinstance(key, str) and isinstance(name, str) and name:
                        yield key, name


def _channel_name(entry: dict[str, Any]) -> Any:
    return entry.get("name") or entry.get("id")


def _display_name(user: dict[str, Any]) -> Any:
    """What Slack shows: the display name, else the real one, else the short one."""
    about = user.get("profile")
    profile = about if isinstance(about, dict) else {}
    places = ((profile, "display_name"), (user, "display_name"), (profile, "real_name"), (user, "real_name"))
    return next((p[k] for p, k in places if p.get(k)), None) or user.get("name")


def _day(file: Source, maker: "_Maker") -> Iterator[Item]:
    for piece in pieces((file,), {""}, {"item"}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.value is not OPENED:
            yield from converted([(piece.number, piece.value)], maker.items)


class _Maker:
    """Makes messages of the records of one channel."""

    def __init__(self, channel: str, key: str, names: Names, options: Options) -> None:
        self._channel = channel
        self._key = key
        self._names = names
        self._me = options.me

    def items(self, number: int, record: Any) -> Iterator[Item]:
        """One message, or the problem in its place."""
        if not isinstance(record, dict):
            yield Problem(number, "This is no message.", excerpt(str(record)[:200]))
            return
        inner = record.get("message")
        if record.get("subtype") == "message_changed" and isinstance(inner, dict):
            record = {"ts": record.get("ts"), **inner, "edited": inner.get("edited") or True}
        ts, thread = record.get("ts"), record.get("thread_ts")
        sender = self._sender(record)
        yield Message(
            chat=self._channel,
            sender=sender,
            text=message_text(record, self._names),
            timestamp=from_epoch(ts),
            kind=_kind(record),
            attachments=tuple(_files(record)),
            line=number,
            chat_id=self._key,
            source_id=str(ts) if ts else None,
            reply_to=str(thread) if thread and thread != ts else None,
            conversation=str(thread) if thread else None,
            from_me=sender == self._me if self._me else None,
            edited=bool(record.get("edited")),
            reactions=tuple(self._reactions(record)),
        )

    def _sender(self, record: dict[str, Any]) -> str | None:
        """People by the list or what the message says of them, bots by the name they go by."""
        comment = record.get("comment")
        user = record.get("user") or (comment.get("user") if isinstance(comment, dict) else None)
        if isinstance(user, str) and user in self._names.people:
            return self._names.people[user]
        about, bot = record.get("user_profile"), record.get("bot_profile")
        told = (
            _display_name(about) if isinstance(about, dict) else None,
            record.get("username"),
            bot.get("name") if isinstance(bot, dict) else None,
        )
        named = next((t for t in told if isinstance(t, str) and t), None)
        if named is None and isinstance(user, str):
            return self._names.person(user)
        return named or (str(record["bot_id"]) if record.get("bot_id") else None)

    def _reactions(self, record: dict[str, Any]) -> Iterator[str]:
        entries = record.get("reactions")
        for entry in entries if isinstance(entries, list) else ():
            if isinstance(entry, dict):
                listed = entry.get("users")
                users = listed if isinstance(listed, list) else []
                yield from (f":{entry.get('name')}: {self._names.person(str(u))}" for u in users)
                count = entry.get("count")
                if isinstance(count, int) and count > len(users):
                    yield f":{entry.get('name')}: ×{count - len(users)}"


def _kind(record: dict[str, Any]) -> Kind:
    subtype = record.get("subtype")
    if subtype in _DELETED:
        return "deleted"
    if subtype in _EVENTS:
        return "event"
    return "system" if subtype in _SYSTEM or record.get("type") not in ("message", None) else "talk"


def _files(record: dict[str, Any]) -> Iterator[Attachment]:
    """Files with their names; voice clips are told by their subtype."""
    entries = record.get("files")
    one = record.get("file")
    for entry in entries if isinstance(entries, list) else [one] if isinstance(one, dict) else ():
        if isinstance(entry, dict):
            name = str(entry.get("name") or entry.get("title") or "file")
            spoken = entry.get("subtype") == "slack_audio"
            yield Attachment(name, "voice" if spoken else attachment_kind(name, str(entry.get("mimetype") or "")))
