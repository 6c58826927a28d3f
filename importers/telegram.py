"""Telegram Desktop's JSON export (`result.json`): one chat, or the whole account.

A record is an element of a chat's `messages`; records are numbered through the file, and each becomes a
message or a problem. Times are instants since version 3.7.6 (`date_unixtime`); the offset of the wall clock
beside them is kept. Older exports have the wall clock only. `source_id` is Telegram's message id, unique
within the chat.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

from importers.base import DELETED_ACCOUNT, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.guard import converted, guarded
from importers.json_stream import OPENED, Piece, pieces, shape
from importers.source import Source
from importers.telegram_parts import attachments, message_text, notice, reactions
from importers.times import from_epoch, from_iso

_LISTS = ("chats.list", "left_chats.list")
_CHATS = ("", *(f"{path}.item" for path in _LISTS))
_INTO = frozenset(("", "messages", "chats", "left_chats", *_LISTS, *(f"{c}.item" for c in _LISTS),
                   *(f"{c}.item.messages" for c in _LISTS)))  # fmt: skip
_ABOUT = {f"{chat}.{key}".lstrip("."): key for chat in _CHATS for key in ("name", "type", "id")}
_MESSAGES = frozenset(f"{chat}.messages.item".lstrip(".") for chat in _CHATS)
_ACCOUNT = "personal_information"
_TITLES = {
    "saved_messages": "Saved Messages",
    "replies": "Replies",
    "verification_codes": "Verification Codes",
}
_CALLS = frozenset({"phone_call", "group_call", "invite_to_group_call", "conference_call"})
_DAY = timedelta(hours=14)


@dataclass(slots=True)
class _Chat:
    """The chat that is being read."""

    name: str | None = None
    type: str = ""
    id: str | None = None

    @property
    def title(self) -> str:
        return _TITLES.get(self.type) or self.name or DELETED_ACCOUNT

    def is_mine(self, sender: str | None, sender_id: str) -> bool | None:
        """In a chat of two, whoever is not the other one is the owner."""
        if self.type == "saved_messages":
            return True if sender_id == f"user{self.id}" else None
        if self.type not in ("personal_chat", "bot_chat") or not sender or not sender_id:
            return None
        return sender != self.name and sender_id != f"user{self.id}"


class Telegram:
    """The importer of result.json."""

    name = "telegram"
    platform = "telegram"
    title = "Telegram Desktop (JSON)"
    patterns = ("result.json",)
    how_to_export = (
        "Open Telegram Desktop on a computer (the phone app and the Mac App Store version cannot export).",
        "For one chat, open it, choose the three dots at the top and “Export chat history”; for everything, "
        "choose Settings, Advanced, “Export Telegram data”.",
        "Choose the format “Machine-readable JSON”, leave out photos and files if you like, and export.",
        "Choose the file result.json here, or the folder that it lies in.",
    )

    def recognise(self, source: Source) -> float:
        """By the keys of a chat or of the account."""
        if source.members():
            return 0.95 if _export_file(source) else 0.0
        if b'"messages"' not in source.head and b'"chats"' not in source.head and b'"about"' not in source.head:
            return 0.0
        found = shape(source)
        if {"chats", "chats.list"} <= found.keys() or {"about", _ACCOUNT, "contacts"} <= found.keys():
            return 0.95
        times = {"messages.item.date", "messages.item.date_unixtime", "messages.item.from_id"}
        if found.get("") == "{" and "type" in found and "id" in found and "messages" in found:
            return 0.95 if times & found.keys() or "messages.item" not in found else 0.0
        return 0.0

    def covers(self, name: str) -> bool:
        """In the export's folder, result.json and the web pages that say the same."""
        return name.lower() == "result.json" or name.lower().endswith(".html")

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then every chat's messages."""
        file = _export_file(source) if source.members() else source
        return guarded(_read(file or source, options))


TELEGRAM = Telegram()


def _export_file(container: Source) -> Source | None:
    """result.json at the top of the export's folder."""
    return next(
        (m for m in container.members() if m.name.lower() == "result.json" and TELEGRAM.recognise(m)), None
    )


def _read(source: Source, options: Options) -> Iterator[Item]:
    yield Facts(naive_times=b'"date"' in source.head and b'"date_unixtime"' not in source.head)
    chat = _Chat()
    account: str | None = None
    for piece in pieces((source,), _INTO, {*_ABOUT, *_MESSAGES, _ACCOUNT}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.value is OPENED:
            chat = _Chat() if piece.path in _CHATS else chat
        elif piece.path == _ACCOUNT:
            account = _account(piece.value)
        elif piece.path in _ABOUT:
            _describe(chat, _ABOUT[piece.path], piece.value)
        else:
            yield from _converted(piece, chat, account, options)


def _converted(piece: Piece, chat: _Chat, account: str | None, options: Options) -> Iterator[Item]:
    yield from converted(
        [(piece.number, piece.value)], lambda number, record: _items(number, record, chat, account, options)
    )


def _describe(chat: _Chat, key: str, value: Any) -> None:
    if key == "name":
        chat.name = value if isinstance(value, str) else None
    elif key == "type":
        chat.type = value if isinstance(value, str) else ""
    else:
        chat.id = None if value is None else str(value)


def _account(about: Any) -> str | None:
    number = about.get("user_id") if isinstance(about, dict) else None
    return None if number is None else f"user{number}"


def _items(number: int, record: Any, chat: _Chat, account: str | None, options: Options) -> Iterator[Item]:
    if not isinstance(record, dict):
        yield Problem(number, "This is no message.", excerpt(str(record)[:200]))
    elif record.get("type") == "unsupported":
        yield Problem(number, "Telegram does not export messages of this kind.", excerpt(str(record)[:200]))
    else:
        yield _message(number, record, chat, account, options)


def _message(number: int, record: dict[str, Any], chat: _Chat, account: str | None, options: Options) -> Message:
    service = record.get("type") == "service"
    sender_id = str(record.get("actor_id" if service else "from_id") or "")
    named = record.get("actor" if service else "from")
    sender = named if isinstance(named, str) and named else None
    return Message(
        chat=chat.title,
        sender=sender or (None if service and not sender_id else _nameless(chat, sender_id)),
        text=notice(record) if service else message_text(record),
        timestamp=_time(record),
        kind=_kind(record) if service else "talk",
        attachments=() if service else attachments(record),
        line=number,
        chat_id=chat.id,
        source_id=_id(record.get("id")),
        reply_to=None if record.get("reply_to_peer_id") else _id(record.get("reply_to_message_id")),
        from_me=_from_me(sender, sender_id, chat, account, options),
        edited=_edited(record),
        reactions=reactions(record),
    )


def _nameless(chat: _Chat, sender_id: str) -> str:
    """Posts of a channel may lack their author; anyone else without a name has left Telegram."""
    return chat.title if chat.type.endswith("channel") or sender_id.startswith("channel") else DELETED_ACCOUNT


def _kind(record: dict[str, Any]) -> Kind:
    return "event" if record.get("action") in _CALLS else "system"


def _id(value: Any) -> str | None:
    return None if value is None or isinstance(value, dict | list) else str(value)


def _from_me(
    sender: str | None, sender_id: str, chat: _Chat, account: str | None, options: Options
) -> bool | None:
    if options.me:
        return sender == options.me
    if account and sender_id:
        return sender_id in (account, account.removeprefix("user"))
    return chat.is_mine(sender, sender_id)


def _edited(record: dict[str, Any]) -> bool:
    """Whether there is a time of editing; some versions write 1970 for "never"."""
    moment = from_epoch(record.get("edited_unixtime")) or from_iso(record.get("edited"))
    return moment is not None and moment.year > 1970


def _time(record: dict[str, Any]) -> datetime | None:
    """The instant with the offset of the wall clock beside it, or the wall clock alone."""
    clock = from_iso(record.get("date"))
    instant = from_epoch(record.get("date_unixtime"))
    if instant is None:
        return clock
    if clock is None or clock.tzinfo is not None:
        return instant
    offset = clock - instant.replace(tzinfo=None)
    if abs(offset) > _DAY or offset % timedelta(minutes=15):
        return instant
    return instant.astimezone(timezone(offset))
