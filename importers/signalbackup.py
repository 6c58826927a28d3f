"""Signal on Android, written by signalbackup-tools with `--exporttxt`: one text file a chat.

A message is `[Jan 15, 2024 09:30:00] <Name> text`, a file `[…] *** <Name> sent file "pier.jpg"`, a notice
`[…] *** text`; reactions stand behind the text. Counted are lines. Times are the computer's wall clock. The
owner has a name like everybody else.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options
from importers.drafts import Draft, Opened, gather
from importers.guard import guarded
from importers.source import Source
from importers.text import decoded_lines, head_text, looks_binary
from importers.times import at, clock_time
from importers.written_dates import written_day

_OPENING = re.compile(
    r"\[([^\W\d]{2,10}\.? \d{1,2}, \d{4}) (\d\d:\d\d:\d\d)\] "
    r"(?:<(?P<name>.+?)> (?P<text>.*)|\*\*\* (?P<notice>.*))$"
)
_FILE = re.compile(r"<(?P<name>.+?)> sent file(?: \"(?P<file>.*)\"| of type (?P<mime>\S+))?(?P<rest>.*)$")
_REACTION = r"[^();\n]{1,100}: [^\w\s();:]{1,16}"
_REACTIONS = re.compile(rf" \(({_REACTION}(?:; {_REACTION})*)\)\Z")
_TAIL = 4000  # characters at the end of a text in which its reactions are looked for
_CALL = re.compile(
    r"\b(?:missed|incoming|outgoing|declined|group|voice|audio|video)\b.*\bcall\b|\bcalled\b", re.IGNORECASE
)
_ID = re.compile(r" \(_id\d+\)$")

BACKUP = (
    "In Signal on Android choose Settings → Chats → Chat backups, make a backup, and note its passphrase.",
    "Copy the file signal-DATE.backup to this computer and get signalbackup-tools (github.com/bepaald).",
)
"""What comes first, whatever the tool is then asked to write."""


class SignalBackup:
    """The importer of signalbackup-tools' text files."""

    name = "signalbackup"
    platform = "signal"
    title = "Signal for Android (signalbackup-tools)"
    patterns: tuple[str, ...] = ("* (_id*).txt",)
    how_to_export: tuple[str, ...] = (
        *BACKUP,
        "Run `signalbackup-tools signal-DATE.backup PASSPHRASE --exporttxt signal-chats`.",
        "Choose the folder signal-chats here: it has one file a chat.",
    )

    def recognise(self, source: Source) -> float:
        """By how many lines begin with a written date in brackets and a name in angles."""
        if source.suffix not in {"txt", "text", ""} or looks_binary(source.head):
            return 0.0
        lines = [line for line in head_text(source).splitlines()[:100] if line.strip()]
        if not lines or not _OPENING.match(lines[0]):
            return 0.0
        return 0.95 if sum(1 for line in lines if _OPENING.match(line)) >= 0.2 * len(lines) else 0.6

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source, options.me))


def _items(source: Source, me: str | None) -> Iterator[Item]:
    yield Facts(naive_times=True)
    chat = _ID.sub("", PurePosixPath(source.basename).stem)
    yield from gather(decoded_lines(source), _opening, lambda draft: _message(chat, me, draft))


def _opening(line: str, _open: Draft | None) -> Opened:
    found = _OPENING.match(line)
    if not found:
        return None
    moment: datetime | None = at(written_day(found[1]), clock_time(found[2]))
    if found["name"]:
        return Draft(found["name"], moment, [found["text"]])
    file = _FILE.match(found["notice"])
    if not file:
        return Draft(None, moment, [found["notice"]], "system")
    draft = Draft(file["name"], moment, [file["rest"].strip()])
    name = file["file"] or file["mime"] or "attachment"
    draft.attachments.append(Attachment(name, attachment_kind(file["file"] or "", file["mime"] or "")))
    return draft


def _message(chat: str, me: str | None, draft: Draft) -> Message:
    text, reactions = _split_reactions(draft.text)
    kind: Kind = draft.kind
    if kind == "system" and _CALL.search(text[:200]):
        kind = "event"
    return Message(
        chat, draft.sender, text, draft.timestamp, kind, tuple(draft.attachments), draft.line, draft.lines,
        from_me=draft.sender == me if me and draft.sender else None,
        reactions=reactions,
    )  # fmt: skip


def _split_reactions(text: str) -> tuple[str, tuple[str, ...]]:
    """The text without the reactions behind it: " (Ada: 👍; Ben: ❤)"."""
    found = _REACTIONS.search(f" {text}" if text.startswith("(") else text, max(0, len(text) - _TAIL))
    if not found:
        return text, ()
    pairs = (pair.rpartition(": ") for pair in found[1].split("; "))
    return text[: max(0, len(text) - len(found[0]))], tuple(f"{emoji} {who}" for who, _, emoji in pairs)


SIGNAL_BACKUP = SignalBackup()
