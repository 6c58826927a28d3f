"""Discord's own data package: a zip with a folder a channel, holding only the owner's messages.

The messages are `messages.json` since 2023 and `messages.csv` before, newest first; they come out oldest first.
A record is an element or a row; `line` is its number in its file, and problems name the file. Folders are
named in the account's language and case, so they are known by their shape: a folder a channel, called after its
number. Times are UTC. Ids are kept as text, since they are larger than other programs count.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Message, Options, Problem, excerpt
from importers.csv_rows import csv_rows
from importers.guard import converted, guarded
from importers.in_time_order import in_time_order
from importers.json_stream import OPENED, load, pieces
from importers.source import Source
from importers.times import from_iso_utc

_FILE = re.compile(r"((?:[^/]+/)?c?(\d{1,20}))/(messages\.json|messages\.csv|channel\.json)", re.IGNORECASE)
_INDEX = re.compile(r"[^/]+/index\.json", re.IGNORECASE)
_USER = re.compile(r"[^/]+/user\.json", re.IGNORECASE)
_OTHERS = frozenset({"account", "activity", "servers", "programs", "support_tickets", "ads", "readme.txt"})
_SMALL = 64 * 2**20


class DiscordPackage:
    """The importer of the data package."""

    name = "discord-package"
    platform = "discord"
    title = "Discord (data package)"
    patterns = ("package.zip",)
    how_to_export = (
        "In Discord open User Settings, Data & Privacy, and “Request all of my data”; tick Messages.",
        "An e-mail brings a link, often only after some days.",
        "Download package.zip and choose it here as it is.",
        "It holds only what you wrote; for whole channels see DiscordChatExporter.",
    )

    def recognise(self, source: Source) -> float:
        """By folders that are named after channels' numbers and hold channel.json or the messages."""
        found = [f for m in source.members() if (f := _FILE.fullmatch(m.name))]
        if not found:
            return 0.0
        described = any(f[3].lower() == "channel.json" for f in found)
        indexed = any(_INDEX.fullmatch(m.name) for m in source.members())
        return 0.95 if described and indexed else 0.7 if described else 0.0

    def covers(self, name: str) -> bool:
        """The channels' folders, and the parts of the package that hold no messages."""
        first = name.partition("/")[0].lower().replace(" ", "_")
        return any(p.fullmatch(name) for p in (_FILE, _INDEX, _USER)) or first in _OTHERS

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then channel by channel."""
        return guarded(_read(source, options))


DISCORD_PACKAGE = DiscordPackage()


def _read(source: Source, options: Options) -> Iterator[Item]:
    yield Facts()
    members = source.members()
    titles = next((_loaded(m) for m in members if _INDEX.fullmatch(m.name)), {})
    user = next((_loaded(m) for m in members if _USER.fullmatch(m.name)), {})
    owner = next((n for n in (user.get("username"), options.me) if isinstance(n, str) and n), ME)
    channels: dict[str, dict[str, Source]] = {}
    for member in members:
        if found := _FILE.fullmatch(member.name):
            channels.setdefault(found[1], {})[found[3].lower()] = member
    for files in channels.values():
        yield from _channel(files, titles, owner)


def _channel(files: dict[str, Source], titles: dict[str, Any], owner: str) -> Iterator[Item]:
    messages = files.get("messages.json") or files.get("messages.csv")
    if messages is None:
        return
    found = _FILE.fullmatch(messages.name)
    key = found[2] if found else ""
    about = _loaded(files["channel.json"]) if "channel.json" in files else {}
    title = titles.get(key) if isinstance(titles.get(key), str) else _described(about) or f"Channel {key}"

    def items(number: int, record: Any) -> Iterator[Item]:
        if isinstance(record, dict):
            yield _message(number, record, str(title), key, owner)
        else:
            yield Problem(number, "This is no message.", excerpt(str(record)[:200]))

    for item in in_time_order(_made(messages, items)):
        yield replace(item, reason=f"{messages.name}: {item.reason}") if isinstance(item, Problem) else item


def _described(about: dict[str, Any]) -> str:
    name, guild = about.get("name"), about.get("guild")
    server = guild.get("name") if isinstance(guild, dict) else None
    return f"{name} in {server}" if name and server else str(name or "")


def _loaded(file: Source) -> dict[str, Any]:
    """A small JSON object; empty where it cannot be read, since it only gives names."""
    with file.open() as stream:
        try:
            value = load(stream.read(_SMALL))
        except (ValueError, RecursionError):
            return {}
    return value if isinstance(value, dict) else {}


def _made(file: Source, items: Any) -> Iterator[Item]:
    if file.suffix == "csv":
        yield from _made_of_rows(file, items)
        return
    for piece in pieces((file,), {""}, {"item"}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.value is not OPENED:
            yield from converted([(piece.number, piece.value)], items)


def _made_of_rows(file: Source, items: Any) -> Iterator[Item]:
    heading: list[str] | None = None
    for number, row in enumerate(csv_rows(file), 1):
        if isinstance(row, Problem):
            yield Problem(number, row.reason)
        elif heading is None:
            heading = row.cells
        elif row.cells:
            yield from converted([(number, dict(zip(heading, row.cells, strict=False)))], items)


def _message(number: int, record: dict[str, Any], title: str, key: str, owner: str) -> Message:
    links, text = record.get("Attachments"), record.get("Contents")
    names = (file_name(link.partition("?")[0]) for link in str(links or "").split())
    return Message(
        chat=title,
        sender=owner,
        text=text if isinstance(text, str) else "",
        timestamp=from_iso_utc(record.get("Timestamp")),
        attachments=tuple(Attachment(n, attachment_kind(n)) for n in names if n),
        line=number,
        chat_id=key,
        source_id=str(record["ID"]) if record.get("ID") not in (None, "") else None,
        from_me=True,
    )
