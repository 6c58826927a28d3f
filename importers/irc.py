"""IRC logs of irssi, WeeChat, ZNC, HexChat and XChat, mIRC, and bare `[HH:MM] <nick> text` files.

Clients and themes differ, so a line is read by its parts (a time in any of the known shapes, then what follows)
and never by the client. The day comes from the line, else from "Log opened" and "Day changed" lines, else from
the file's name, else it is unknown. A "Day changed" that goes back in time is a fault of irssi 1.3 and counts as
the next day; a clock that falls back past midnight without such a line does too, unless the file is named by
its day. Counted are lines; headings and blank lines count with the message that follows. Times are local.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from pathlib import PurePosixPath

from importers.base import Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.folder_name import folder_name
from importers.guard import guarded
from importers.source import Source
from importers.text import decoded_lines, head_text, looks_binary
from importers.times import MONTHS, at, day, from_iso

_TIME = re.compile(
    r"""(?:
      \[?(?P<date>\d{4}-\d\d-\d\d)[ T](?P<full>\d\d:\d\d(?::\d\d)?)(?P<offset>[+-]\d{4}|Z)?\]?   # WeeChat, others
    | \[?(?P<month>[A-Za-z]{3})\ +(?P<day>\d{1,2})\ (?P<dated>\d\d:\d\d(?::\d\d)?)\]?          # HexChat
    | \[(?P<boxed>\d{1,2}:\d\d(?::\d\d)?)\]                                                    # ZNC, mIRC
    | (?P<plain>\d\d:\d\d(?::\d\d)?)                                                           # irssi
    )(?P<gap>[ \t]*)""",
    re.VERBOSE,
)
_TALK = re.compile(r"<[ @+%&~!]*(?P<nick>[^<>\t]{1,64}?) *>[ \t]?(?P<text>.*)")
_ACTION = re.compile(r"\*[ \t]+(?P<nick>\S+)(?:[ \t](?P<text>.*))?$")
_NOTICE = re.compile(r"-(?P<nick>[^\s()\-!][^\s()]*)(?:\([^)]*\))?-[ \t](?P<text>.*)")
_TABBED = re.compile(r"(?P<prefix>[^\t]*)\t(?P<text>.*)")  # WeeChat, and nothing else
_SYSTEM = re.compile(r"(?:-!-|\*\*\*|===|--[->]|<--|--|=!=)(?:\s|$)")
_SYSTEM_MARKS = frozenset({"", "-->", "<--", "--", "---", "-", "=!=", "*** ", "***"})
_EVENT = re.compile(
    r"(?:\([^)]*\)|\[[^\]]*\])?\s*(?:has (?:joined|left|quit|changed)|is now known as|(?:sets|gives|removes) "
    r"(?:mode|channel|voice)|entered the room|left the room|was kicked|has kicked|talking (?:on|in)|You are now)"
    r"|(?:Joins|Parts|Quits|Disconnected|Topic for|Now talking|Rejoined|Retrieving|Loaded|Looking up):?(?:\s|$)"
)
_OPENED = re.compile(
    r"(?:--- Log opened|\*{4} BEGIN LOGGING AT|Session (?:Start|Time):)\s*(?P<when>.*)$", re.IGNORECASE
)
_DAY_CHANGED = re.compile(r"(?:--- )?Day changed(?: to)?\s+(?P<when>.*)$")
_HEADING = re.compile(
    r"\s*$|--- (?:Log|Day)|\*{4} (?:BEGIN|ENDING) LOGGING|Session (?:Start|Close|Ident|Time):", re.IGNORECASE
)
_FILE_DAY = re.compile(r"(?<!\d)(\d{4})[-_.]?(\d\d)[-_.]?(\d\d)(?!\d)")
_HALF_DAY = timedelta(hours=12)


class Irc:
    """The importer of IRC logs."""

    name = "irc"
    platform = "irc"
    title = "IRC logs (irssi, WeeChat, ZNC, HexChat)"
    patterns: tuple[str, ...] = ("*.log", "*.weechatlog", "YYYY-MM-DD.log")
    how_to_export: tuple[str, ...] = (
        "Find the logs of your client: ~/irclogs (irssi), ~/.local/share/weechat/logs (WeeChat), "
        "~/.znc/users/NAME/moddata/log (ZNC), ~/.config/hexchat/logs (HexChat).",
        "Choose that folder here; a channel with one file a day is read as one chat.",
    )

    def recognise(self, source: Source) -> float:
        """By how many of the first lines have a time and a nick, or are known notices."""
        if source.suffix in {"json", "csv", "xml", "html", "md", "db"} or looks_binary(source.head):
            return 0.0
        lines = head_text(source).splitlines()[:300]
        if len(source.head) >= 65_536:
            lines = lines[:-1]
        clock = _Clock(None)
        filled = [line for line in lines if not _HEADING.match(line)]
        talk = sum(1 for line in filled if _is_talk(line))
        known = sum(1 for line in filled if _read_line(line, clock, "") is not None)
        if not talk:
            return 0.5 if len(filled) < len(lines) and filled and known == len(filled) else 0.0
        return 0.9 if known >= 0.8 * len(filled) else 0.5 if known >= 0.6 * len(filled) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source))


@dataclass(slots=True)
class _Clock:
    """What is known of the time so far: the day, and the last full time."""

    day: date | None
    fixed: bool = False  # the file is named by its day, so the day never moves on by itself
    last: datetime | None = None
    corrected: bool = False

    def opened(self, line: str) -> None:
        """Take the day of a heading."""
        if found := _OPENED.match(line):
            self.day, self.last = _written_day(found["when"]) or self.day, None
        elif found := _DAY_CHANGED.match(line):
            written = _written_day(found["when"])
            if self.day and (written is None or written <= self.day):
                written, self.corrected = self.day + timedelta(days=1), True
            self.day, self.last = written or self.day, None

    def time_of(self, found: re.Match[str]) -> datetime | None:
        """The full time of a line, where its day is known."""
        if found["date"]:
            moment = from_iso(f"{found['date']}T{found['full']}{found['offset'] or ''}")
        elif found["month"]:
            moment = self._in_year(found["month"], found["day"], _clock(found["dated"]))
        else:
            moment = self._on_day(_clock(found["boxed"] or found["plain"]))
        if moment is not None:
            self.day, self.last = moment.date(), moment.replace(tzinfo=None)
        return moment

    def _in_year(self, month: str, number: str, clock: time | None) -> datetime | None:
        """HexChat writes no year: it is the heading's, and one more after each December."""
        if self.day is None or (at_month := MONTHS.get(month.lower())) is None:
            return None
        year = self.day.year + (1 if self.day.month == 12 and at_month == 1 else 0)
        return at(day(year, at_month, number), clock)

    def _on_day(self, clock: time | None) -> datetime | None:
        moment = at(self.day, clock)
        if moment and self.last and not self.fixed and self.last - moment > _HALF_DAY:
            moment += timedelta(days=1)
        return moment


def _items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=True)
    file_day = _FILE_DAY.search(source.basename)
    known = day(*file_day.groups()) if file_day else None
    clock = _Clock(known, fixed=known is not None)
    chat = _chat(source)
    held: Message | None = None
    headings, told = 0, False
    for number, line in decoded_lines(source):
        message = None if _HEADING.match(line) else _read_line(line, clock, chat)
        if message is not None:
            if held is not None:
                yield held
            held = replace(message, line=number, lines=1 + headings)
            headings = 0
            if message.timestamp is None and not told:
                told = True
                yield Problem(number, "The day of these lines is written nowhere, so they have no time.", "", 0)
        elif _HEADING.match(line):
            headings += 1
            clock.opened(line)
        else:
            yield Problem(number, "This line is not of a form that IRC logs have.", excerpt(line))
    if held is not None:
        yield replace(held, lines=held.lines + headings)
    elif headings:
        yield Problem(1, "There is no message in this file.", skipped=headings)
    if clock.corrected:
        yield Problem(1, "Some “Day changed” lines went back in time and were read as the next day.", "", 0)


def _read_line(line: str, clock: _Clock, chat: str) -> Message | None:
    """The message of a line, None where it is of no known form."""
    found = _TIME.match(line)
    if not found:
        return Message(chat, None, line.strip(), clock.last, "system") if _SYSTEM.match(line) else None
    parts = _parts(line[found.end() :], tabbed=found["gap"] == "\t")
    if parts is None:
        return None
    sender, text, kind = parts
    return Message(chat, sender, text, clock.time_of(found), kind)


def _parts(rest: str, *, tabbed: bool) -> tuple[str | None, str, Kind] | None:
    """Sender, text and kind of what follows the time."""
    if found := _TALK.match(rest):
        return found["nick"], found["text"], "talk"
    if tabbed and (found := _TABBED.match(rest)):
        return _weechat(found["prefix"].strip(), found["text"])
    if _SYSTEM.match(rest):
        return None, rest, "system"
    if found := _ACTION.match(rest):
        text = found["text"] or ""
        if _EVENT.match(text) or _EVENT.match(found["nick"]):
            return None, rest, "system"
        return found["nick"].lstrip("@+%&~!"), text, "talk"
    if found := _NOTICE.match(rest):
        return found["nick"], found["text"], "talk"
    return None


def _weechat(prefix: str, text: str) -> tuple[str | None, str, Kind]:
    if prefix in _SYSTEM_MARKS:
        return None, text, "system"
    if prefix == "*":
        nick, _, action = text.partition(" ")
        return (None, text, "system") if _EVENT.match(action) else (nick.lstrip("@+%&~!"), action, "talk")
    return prefix.lstrip(" @+%&~!"), text, "talk"


def _is_talk(line: str) -> bool:
    found = _TIME.match(line)
    parts = _parts(line[found.end() :], tabbed=found["gap"] == "\t") if found else None
    return parts is not None and parts[2] == "talk"


def _clock(text: str) -> time | None:
    try:
        return time.fromisoformat(text.zfill(5) if len(text) < 6 else text.zfill(8))
    except ValueError:
        return None


def _written_day(text: str) -> date | None:
    """The day in "Mon Sep 30 23:58:44 2019", "Tue Oct 01 2019", "27 Aug 2020" or "2019-09-30"."""
    if found := _FILE_DAY.search(text):
        return day(*found.groups())
    words = re.findall(r"[^\W\d]+|\d+(?::\d+)*", text)
    months = [MONTHS[w.lower()] for w in words if w.lower() in MONTHS]
    years = [w for w in words if w.isdecimal() and len(w) == 4]
    numbers = [w for w in words if w.isdecimal() and len(w) <= 2]
    return day(years[-1], months[0], numbers[0]) if months and years and numbers else None


def _chat(source: Source) -> str:
    """The channel: what is left of the file's name without its day and ending, else the folder's name."""
    stem = PurePosixPath(source.basename).stem
    if "#" in stem:
        stem = stem[stem.index("#") :]
    bare = _FILE_DAY.sub("", stem).strip(" ._-")
    return bare if bare and "raw" not in bare.split(".") else folder_name(source)


IRC = Irc()
