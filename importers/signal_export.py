"""Signal, written by signal-export: a folder a chat with `chat.md` and, in newer versions, `data.json`.

Counted are the lines of the file. A chat's name is its folder's name. Times are the wall clock of the computer
that exported. Quotes, reactions, stickers and attachments sit inside the text of `chat.md` and are taken out;
`data.json` has them apart, one JSON object a line.
"""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.drafts import Draft, Opened, gather
from importers.folder_name import folder_name
from importers.guard import converted, guarded
from importers.source import Source
from importers.text import clean, decoded_lines, head_text
from importers.times import from_iso

DELETED = "(This message was deleted)"
_OPENING = re.compile(r"\[(\d{4}-\d\d-\d\d),? (\d\d:\d\d(?::\d\d)?)\] (.+?):(?: (.*))?$")
_ATTACHMENT = re.compile(r"!?\[([^\]\n]{0,300})\]\(\./(media/[^\n]{1,400}?)\)(?=\s|!?\[|$)")
_STICKER = re.compile(
    r"\[([^\]\n]{0,40})\]\(\.\./exported_stickers/[^\n)]{0,400}\)|^\(\( ([^\n]{0,40}) \)\)\s*$", re.MULTILINE
)
_REACTIONS = re.compile(r"^\(- (.{1,4000}) -\)", re.MULTILINE)
_REACTION = re.compile(r"(?:^|, )(.{1,100}?): ([^,]{1,40}?)(?=, |$)")
_QUOTE = re.compile(r"\A\s*\n(?:^>(?: .*|)(?:\n|\Z))+", re.MULTILINE)  # a blank line comes before a quote
_CALL = re.compile(r"(?:Incoming|Outgoing|Missed) (?:(?:voice|video|group|adhoc) )?call(?: \(.*\))?")


class SignalExport:
    """The importer of signal-export's folders."""

    name = "signal-export"
    platform = "signal"
    title = "Signal (signal-export)"
    patterns: tuple[str, ...] = ("chat.md", "data.json")
    how_to_export: tuple[str, ...] = (
        "On the computer that has Signal Desktop, install the tool with `pip install signal-export`.",
        "Close Signal Desktop and run `sigexport ~/signal-chats`.",
        "Choose the folder signal-chats here: each chat in it is a folder with chat.md and data.json.",
    )

    def recognise(self, source: Source) -> float:
        """By the first line with a date in brackets, or by the keys of the first JSON line."""
        if source.members():
            return max((self.recognise(m) for m in _files(source)), default=0.0)
        if source.suffix not in {"md", "json", "txt", "jsonl"}:
            return 0.0
        head = head_text(source)
        if source.suffix in {"json", "jsonl"}:
            keys = ('"date"', '"sender"', '"body"', '"quote"')
            line = head.partition("\n")[0]
            return 0.95 if line.startswith("{") and all(k in line for k in keys) else 0.0
        lines = [line for line in head.splitlines()[:50] if line.strip()]
        opened = sum(1 for line in lines if _OPENING.match(line))
        if not lines or not opened or not _OPENING.match(lines[0]):
            return 0.0
        return 0.95 if source.suffix == "md" else 0.5

    def covers(self, name: str) -> bool:
        """The files of a chat's folder, which all say the same."""
        return name.lower() in {"chat.md", "data.json", "index.html"}

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source))


def _files(source: Source) -> list[Source]:
    """The chat's files in a folder, the richer one first."""
    found = {m.name.lower(): m for m in source.members() if "/" not in m.name}
    return [found[name] for name in ("data.json", "chat.md") if name in found]


def _items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=True)
    chat = folder_name(source)
    if source.members():
        chat, source = PurePosixPath(source.name).name, _files(source)[0]
    if head_text(source).lstrip().startswith("{"):
        yield from converted(decoded_lines(source), lambda n, line: _from_json(chat, n, line))
    else:
        yield from gather(decoded_lines(source), _opening, lambda draft: _from_draft(chat, draft))


def _opening(line: str, _open: Draft | None) -> Opened:
    found = _OPENING.match(line)
    if not found:
        return None
    day, clock, sender, rest = found.groups()
    return Draft(sender, from_iso(f"{day}T{clock}"), [rest or ""])


def _from_draft(chat: str, draft: Draft) -> Message:
    text = "\n".join(draft.body).rstrip()
    if text.strip() == DELETED:
        return _message(chat, draft.sender, draft.timestamp, "", "deleted", line=draft.line, lines=draft.lines)
    text = _QUOTE.sub("", text, count=1)
    reactions = tuple(
        f"{emoji.strip()} {who}" for found in _REACTIONS.findall(text) for who, emoji in _REACTION.findall(found)
    )
    text = _REACTIONS.sub("", text)
    attachments = [
        Attachment(name or file_name(path), attachment_kind(path)) for name, path in _ATTACHMENT.findall(text)
    ]
    attachments += [Attachment(inline or alone, "sticker") for inline, alone in _STICKER.findall(text)]
    text = _STICKER.sub("", _ATTACHMENT.sub("", text)).strip("\n").rstrip()
    return _message(
        chat, draft.sender, draft.timestamp, text, _kind(text, attachments), attachments, reactions,
        line=draft.line, lines=draft.lines,
    )  # fmt: skip


def _from_json(chat: str, number: int, line: str) -> Iterator[Item]:
    if not line.strip():
        yield Problem(number, "This line is empty.")
        return
    record: dict[str, Any] = json.loads(line)
    text = clean(record.get("body") or "").rstrip()
    attachments = [
        Attachment(clean(part.get("name") or file_name(part["path"])), attachment_kind(part.get("path") or ""))
        for part in record.get("attachments") or ()
    ]
    sticker = record.get("sticker")
    if sticker:
        label = sticker.get("emoji") if isinstance(sticker, dict) else sticker
        attachments.append(Attachment(clean(str(label or "sticker")), "sticker"))
    kind: Kind = (
        "deleted" if record.get("deleted") else "event" if record.get("call") else _kind(text, attachments)
    )
    moment = from_iso(record.get("date"))
    yield _message(
        chat, clean(record.get("sender") or "") or None, moment, text, kind, attachments,
        tuple(clean(_reaction(entry)) for entry in record.get("reactions") or ()), line=number,
    )  # fmt: skip
    if moment is None:
        yield Problem(number, "The time of this message could not be read; it is kept without.", excerpt(line), 0)


def _reaction(entry: Any) -> str:
    """One reaction, which is an object or a pair of name and emoji depending on the version."""
    name, emoji = (entry.get("name"), entry.get("emoji")) if isinstance(entry, dict) else entry[:2]
    return f"{emoji} {name}".strip()


def _kind(text: str, attachments: list[Attachment]) -> Kind:
    """Calls are events; a line with nothing in it stands for a notice that signal-export has no words for."""
    if _CALL.fullmatch(text):
        return "event"
    return "talk" if text or attachments else "system"


def _message(
    chat: str,
    sender: str | None,
    moment: datetime | None,
    text: str,
    kind: Kind,
    attachments: list[Attachment] | None = None,
    reactions: tuple[str, ...] = (),
    *,
    line: int,
    lines: int = 1,
) -> Message:
    return Message(
        chat, sender, text, moment, kind, tuple(attachments or ()), line, lines,
        from_me=sender == ME, reactions=reactions,
    )  # fmt: skip


SIGNAL_EXPORT = SignalExport()
