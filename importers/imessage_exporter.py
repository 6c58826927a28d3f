"""iMessage, written by imessage-exporter as text (1.x to 4.x): one file a chat.

A message is a line with its time, a line with its sender, its body and notes, and a blank line. Replies are
printed twice: indented under the message that they answer, and again in their own place; only the latter count.
Counted are lines. Times are the wall clock of the computer that exported.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options
from importers.drafts import HEADING, Draft, Opened, gather
from importers.guard import guarded
from importers.source import Source
from importers.text import decoded_lines, head_text, looks_binary
from importers.times import at, clock_time
from importers.written_dates import written_day

_TIME = r"([A-Z][a-z]{2} \d{1,2}, \d{4}) {1,2}(\d{1,2}:\d\d:\d\d [AP]M)"
_HEADER = re.compile(rf"{_TIME}(?: \(.*\))?$")
_NOTICE = re.compile(rf"{_TIME} (?!\()(.+)$")
_NESTED = re.compile(rf"(?: {{4}})+{_TIME}(?: \(.*\))?$")
_REACTIONS = re.compile(r"(?:Reactions|Tapbacks):$")
_REACTION = re.compile(r"\s*(?:(.+?) by (.+)|Sticker from (.+?)(?:: .*| not found!))$")
_EMOJI = {"Loved": "❤️", "Liked": "👍", "Disliked": "👎", "Laughed": "😂", "Emphasized": "‼️", "Questioned": "❓"}
_ATTACHMENT = re.compile(r"(?:(?:~?/|[A-Z]:\\|\.{1,2}/).*[/\\])?[Aa]ttachments[/\\].*[^/\\]$")
_STICKER = re.compile(r"(?:.+ )?Sticker from .+?: (.+?)(?: \((?:Genmoji prompt|App): .*\))?$")
_EFFECTS = "Confetti Echo Fireworks Balloons Heart Lasers Sparkles Spotlight Slam Loud Gentle".split()
_EFFECT = re.compile(rf"Sent with (?:{'|'.join(_EFFECTS)}|Shooting Start?|Invisible Ink)$")
_EDITED = re.compile(r"Edited .+? later: (.*)$")
_UNSENT = re.compile(r"(?:\S+ )+unsent (?:this message part .*|a message)!$")
_EVENTS = frozenset(("SharePlay Message", "Started sharing location!", "Stopped sharing location!"))
_ANSWERS = "This message responded to an earlier message."
_DELETED = "This message was deleted from the conversation!"
_MISSING = "Attachment missing!"


class IMessageExporter:
    """The importer of imessage-exporter's text files."""

    name = "imessage-exporter"
    platform = "imessage"
    title = "iMessage (imessage-exporter)"
    patterns: tuple[str, ...] = ("*.txt",)
    how_to_export: tuple[str, ...] = (
        "On the Mac install imessage-exporter (`brew install imessage-exporter`) and let your terminal read the "
        "whole disk in System Settings → Privacy & Security.",
        "Run `imessage-exporter -f txt -o imessage-chats`.",
        "Choose the folder imessage-chats here: it has one file a chat.",
    )

    def recognise(self, source: Source) -> float:
        """By the first lines: a time as the tool writes it, alone, and a sender."""
        if source.suffix not in {"txt", "text", ""} or looks_binary(source.head):
            return 0.0
        lines = head_text(source).splitlines()[:60]
        first = next((line for line in lines if line.strip()), "")
        if not (_HEADER.match(first) or _NOTICE.match(first)):
            return 0.0
        return 0.95 if any(_HEADER.match(line) for line in lines) else 0.6

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source, options.me))


def _items(source: Source, me: str | None) -> Iterator[Item]:
    yield Facts(naive_times=True)
    chat = PurePosixPath(source.basename).stem
    state = _State()
    yield from gather(decoded_lines(source), state.opening, lambda draft: _message(chat, me or ME, draft))


@dataclass(slots=True)
class _State:
    """Whether the line before was blank: only then can a message begin."""

    after_blank: bool = True

    def opening(self, line: str, open_: Draft | None) -> Opened:
        """Say whether a line opens a message or continues."""
        could, self.after_blank = self.after_blank, not line.strip()
        if open_ is None and self.after_blank:
            return HEADING
        if not could:
            return None
        if found := _HEADER.match(line):
            return Draft(None, _moment(found), [])
        if found := _NOTICE.match(line):
            return Draft(None, _moment(found), [found[3]], "system")
        return None


def _moment(found: re.Match[str]) -> datetime | None:
    return at(written_day(found[1]), clock_time(found[2]))


def _message(chat: str, me: str, draft: Draft) -> Message:
    if draft.kind == "system":
        return Message(chat, None, draft.text, draft.timestamp, "system", line=draft.line, lines=draft.lines)
    sender = draft.body[0].strip() if draft.body else None
    lines, reactions = _without_reactions(list(_without_replies(draft.body[1:])))
    kind: Kind = "deleted" if _DELETED in lines else "event" if lines and lines[0] in _EVENTS else "talk"
    unsent = any(map(_UNSENT.match, lines))
    kept, attachments = _body(lines)
    text, edited = _last_version(kept)
    if unsent and not text and not attachments:
        kind = "deleted"
    return Message(
        chat, sender, text, draft.timestamp, kind, tuple(attachments), draft.line, draft.lines,
        from_me=sender == me, edited=edited, reactions=reactions,
    )  # fmt: skip


def _without_replies(body: list[str]) -> Iterator[str]:
    """The lines that are not those of replies printed under the message."""
    inside = False
    for line in body:
        inside = bool(_NESTED.match(line)) or (inside and (line.startswith("    ") or not line.strip()))
        if not inside:
            yield line


def _without_reactions(lines: list[str]) -> tuple[list[str], tuple[str, ...]]:
    kept: list[str] = []
    reactions: list[str] = []
    inside = False
    for line in lines:
        if _REACTIONS.match(line):
            inside = True
        elif inside and (reaction := reaction_of(line)):
            reactions.append(reaction)
        elif inside and not line.strip():
            continue
        else:
            inside = False
            kept.append(line)
    return kept, tuple(reactions)


def reaction_of(line: str) -> str:
    """ "❤️ Ada" for "Loved by Ada"; "" for what is no reaction."""
    found = _REACTION.match(line)
    if not found:
        return ""
    what, who, sticker = found.groups()
    return f"sticker {sticker}" if sticker else f"{_EMOJI.get(what, what)} {who}"


def _body(lines: list[str]) -> tuple[list[str], list[Attachment]]:
    """What was written, and what hung on it."""
    kept: list[str] = []
    attachments: list[Attachment] = []
    for line in lines:
        if line == _MISSING:
            attachments.append(Attachment("attachment"))
        elif _ATTACHMENT.match(line):
            name = file_name(line)
            attachments.append(Attachment(name, attachment_kind(name)))
        elif len(line) < 1000 and (found := _STICKER.match(line)):
            attachments.append(Attachment(file_name(found[1]), "sticker"))
        elif line not in {_ANSWERS, _DELETED} and not _EFFECT.match(line) and not _UNSENT.match(line):
            kept.append(line)
    return kept, attachments


def _last_version(lines: list[str]) -> tuple[str, bool]:
    """The text as it was last edited: versions follow each other, the first with its time."""
    edits = [place for place, line in enumerate(lines) if _EDITED.match(line)]
    first = _NOTICE.match(lines[0]) if lines else None
    if not edits or not first:
        if first:
            lines = [first[3], *lines[1:]]
        return "\n".join(lines).strip("\n").rstrip(), False
    last = _EDITED.match(lines[edits[-1]])
    text = [last[1] if last else "", *lines[edits[-1] + 1 :]]
    return "\n".join(text).strip("\n").rstrip(), True


IMESSAGE_EXPORTER = IMessageExporter()
