"""Discord through DiscordChatExporter: JSON, CSV and plain text, one channel a file, perhaps in parts.

A record is an element of `messages` (JSON) or a row (CSV, numbered as a spreadsheet does); in plain text lines
are counted. JSON and newer CSV have instants; plain text and CSV of 2.42 have the wall clock of the computer
that exported, in its locale. A forwarded message keeps its words under the one who forwarded it; what a bot
posts as an embed is its text. A server's channel is called “general in Lab”, as Discord's own export does.
"""

from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.discord_text import CSV_HEADING, is_plain_text, part_of, read_csv, read_plain_text
from importers.guard import converted, guarded
from importers.json_stream import OPENED, pieces, shape
from importers.parts import parts_of
from importers.source import Source
from importers.text import head_text
from importers.times import from_iso

_TALK = frozenset(
    "Default Reply ChatInputCommand ContextMenuCommand ThreadStarterMessage ApplicationCommand".split()
)
_FIRST_TALK_NUMBER = 19  # Discord's number of a reply; the notices that the exporter knows are below


class Discord:
    """The importer of DiscordChatExporter's files."""

    name = "discord"
    platform = "discord"
    title = "Discord (DiscordChatExporter)"
    patterns = ("*.json", "*.csv", "*.txt")
    how_to_export = (
        "Discord exports only your own messages; the free program DiscordChatExporter writes whole channels.",
        "Open it, follow its guide to sign in, and choose the servers, channels or direct messages.",
        "Choose the format JSON, which keeps the most, and export.",
        "Choose the files, or the folder that they lie in, here.",
    )

    def recognise(self, source: Source) -> float:
        """By the keys of the JSON, the column names of the CSV, or the heading of the text."""
        if source.members():
            return 0.0
        if b'"guild"' in source.head and {"guild", "channel", "messages"} <= shape(source).keys():
            return 0.95
        head = head_text(source)[:1_000].lstrip("\ufeff")
        return 0.95 if head.startswith(CSV_HEADING) or is_plain_text(head) else 0.0

    def part(self, basename: str) -> tuple[str, int]:
        """“general [part 2].json” is part 2 of “general.json”."""
        return part_of(basename)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the messages of all parts."""
        parts = parts_of(source)
        head = head_text(parts[0]).lstrip("\ufeff \r\n\t")
        if head.startswith("{"):
            return guarded(_read_json(parts, options))
        return guarded((read_csv if head.startswith(CSV_HEADING) else read_plain_text)(parts, options))


DISCORD = Discord()


def _read_json(parts: tuple[Source, ...], options: Options) -> Iterator[Item]:
    yield Facts()
    channel = _Channel(PurePosixPath(parts[0].name).stem, options.me)
    for piece in pieces(parts, {"", "messages"}, {"guild", "channel", "messages.item"}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.path == "messages.item":
            yield from converted([(piece.number, piece.value)], channel.items)
        elif piece.value is not OPENED and isinstance(piece.value, dict):
            channel.describe(piece.path, piece.value)


class _Channel:
    """Makes messages of the records of one channel."""

    def __init__(self, title: str, me: str | None) -> None:
        self._title = title
        self._guild = ""
        self._key: str | None = None
        self._me = me

    def describe(self, key: str, about: dict[str, Any]) -> None:
        """Take in what the file says of the server or the channel."""
        name = about.get("name")
        if key == "guild":
            self._guild = name if isinstance(name, str) and str(about.get("id")) != "0" else ""
        else:
            self._key = str(about["id"]) if about.get("id") is not None else None
            self._title = name if isinstance(name, str) and name else self._title

    def items(self, number: int, record: Any) -> Iterator[Item]:
        """One message, or the problem in its place."""
        if not isinstance(record, dict):
            yield Problem(number, "This is no message.", excerpt(str(record)[:200]))
            return
        author = _object(record.get("author"))
        sender = next((str(author[k]) for k in ("nickname", "name", "id") if author.get(k)), None)
        reference = _object(record.get("reference"))
        replied = reference.get("messageId") if reference.get("type") != "Forward" else None
        kind = _kind(record)
        yield Message(
            chat=f"{self._title} in {self._guild}" if self._guild else self._title,
            sender=sender,
            text=_text(record, is_bot=author.get("isBot") is True),
            timestamp=_time(record.get("timestamp")),
            kind=kind,
            attachments=tuple(_attachments(record)),
            line=number,
            chat_id=self._key,
            source_id=str(record["id"]) if record.get("id") is not None else None,
            reply_to=str(replied) if replied is not None and kind == "talk" else None,
            from_me=self._me in (sender, author.get("name")) if self._me else None,
            edited=bool(record.get("timestampEdited")),
            reactions=tuple(_reactions(record.get("reactions"))),
        )


def _object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _objects(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []


def _time(value: Any) -> datetime | None:
    return from_iso(value)


def _kind(record: dict[str, Any]) -> Kind:
    kind = str(record.get("type") or "Default")
    if kind.isdecimal():
        return "talk" if int(kind) >= _FIRST_TALK_NUMBER or kind == "0" else "system"
    return "event" if kind == "Call" else "talk" if kind in _TALK else "system"


def _text(record: dict[str, Any], *, is_bot: bool) -> str:
    """The content, what was forwarded, and the embeds where they are the message's own words."""
    forwarded = _object(record.get("forwardedMessage"))
    said = [t for t in (record.get("content"), forwarded.get("content")) if isinstance(t, str) and t]
    if is_bot or not said:
        said += [_embed(e) for part in (record, forwarded) for e in _objects(part.get("embeds"))]
    return "\n".join(filter(None, said))


def _embed(embed: dict[str, Any]) -> str:
    fields = [f"{f.get('name')}: {f.get('value')}" for f in _objects(embed.get("fields"))]
    return "\n".join(
        t for t in (embed.get("title"), embed.get("description"), *fields) if isinstance(t, str) and t
    )


def _attachments(record: dict[str, Any]) -> Iterator[Attachment]:
    for part in (record, _object(record.get("forwardedMessage"))):
        for file in _objects(part.get("attachments")):
            name = str(file.get("fileName") or file.get("url") or "file")
            yield Attachment(name, attachment_kind(name))
        for sticker in _objects(part.get("stickers")):
            yield Attachment(str(sticker.get("name") or "sticker"), "sticker")
        for embed in _objects(part.get("embeds")):
            if part.get("content") and isinstance(link := embed.get("title") or embed.get("url"), str):
                yield Attachment(link, "link")


def _reactions(entries: Any) -> Iterator[str]:
    for entry in _objects(entries):
        emoji = _object(entry.get("emoji"))
        mark = str(emoji.get("name") or emoji.get("code") or "?")
        users = [str(u.get("nickname") or u.get("name")) for u in _objects(entry.get("users"))]
        yield from (f"{mark} {user}" for user in users)
        count = entry.get("count")
        if isinstance(count, int) and count > len(users):
            yield f"{mark} ×{count - len(users)}"
