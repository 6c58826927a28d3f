"""KakaoTalk: the text files of PC, Android and iPhone and the CSV of the Mac, in Korean and English.

A line of the PC holds name and clock in brackets below a day heading, a line of a phone the whole date; what
opens a message is the only thing that differs, and all forms are tried on each line. Old PC files are in CP949.
Counted are lines (of the CSV too, since a text may hold line breaks); headings count with the message that
follows. Times are the device's wall clock.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.csv_rows import Row, csv_rows
from importers.drafts import HEADING, Draft, Opened, gather
from importers.guard import guarded
from importers.source import Source
from importers.text import clean, decoded_lines, head_text, looks_binary, strip_marks
from importers.times import CLOCK, MONTHS, at, clock_time, day, from_iso

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_KOREAN_DAY = r"(?P<{0}y>\d{{4}})(?:년|\.)\s?(?P<{0}m>\d{{1,2}})(?:월|\.)\s?(?P<{0}d>\d{{1,2}})(?:일|\.)"
_ENGLISH_DAY = (
    rf"(?:(?P<{{0}}mon>(?i:{_MONTH}))\.? (?P<{{0}}n>\d{{{{1,2}}}})|(?P<{{0}}n2>\d{{{{1,2}}}}) "
    rf"(?P<{{0}}mon2>(?i:{_MONTH}))\.?),? (?P<{{0}}year>\d{{{{4}}}})"
)
_DATE = f"(?:{_KOREAN_DAY.format('k')}|{_ENGLISH_DAY.format('e')})"
_PHONE = re.compile(rf"{_DATE}(?:,| at)?\s+(?P<clock>{CLOCK})(?P<sep>[,:])\s(?P<rest>.*)")
_PHONE_EMPTY = re.compile(rf"{_DATE}(?:,| at)?\s+{CLOCK}\s*$")
_PC = re.compile(rf"\[(?P<name>.*?)\] \[(?P<clock>{CLOCK})\](?: (?P<text>.*))?$")
_CLOCK_ONLY = re.compile(rf"(?P<clock>{CLOCK}), (?P<rest>.*)")
_HEADING = re.compile(rf"(?:-{{5,}}\s*)?(?:\w+day,? )?{_DATE}(?: \w요일|,? \w+day)?(?:\s*-{{5,}})?\s*$")
_RULE = re.compile(r"-{5,}\s*$")
_TITLE = re.compile(
    r"(.+?)\s*님과(?:의)? 카카오톡 대화.*|(.+?) 카카오톡 대화|KakaoTalk Chats? with (.+)"
    r"|(.+?) (?:with )?KakaoTalk Chats?"
)
_SAVED = re.compile(r"(?:저장한 날짜|Date Saved)\s?:")
_NOTICE = re.compile(
    r".+(?:님이 (?:나갔습니다|들어왔습니다|.*초대(?:하였|했)습니다|.*내보냈습니다)|님을 초대하였습니다"
    r"|채팅방 관리자가 메시지를 가렸습니다"
    r"|(?:left|joined|entered) (?:this |the )?(?:chatroom|chat room|open chat)"
    r"|invited .+ to (?:this |the )?(?:chatroom|chat room))\.?"
)
_DELETED = frozenset({"삭제된 메시지입니다.", "This message was deleted.", "This message has been deleted."})
_CALL = re.compile(
    r"(?:보이스톡|페이스톡|그룹콜|라이브톡|Voice Call|Video Call|Group Call)"
    r"(?: (?:해요|취소|부재중|응답 없음|종료|Canceled|Missed|No answer|\d{1,2}:\d\d(?::\d\d)?))?"
)
_MEDIA = {
    "사진": "image", "Photo": "image", "동영상": "video", "Video": "video", "이모티콘": "sticker",
    "Emoticon": "sticker", "음성메시지": "voice", "Voice message": "voice",
    "지도": "location", "연락처": "contact",
}  # fmt: skip
_MEDIA_TEXT = re.compile(r"<?(사진|동영상|Photo|Video|Photos)(?: \d+장?| 읽지 않음)?>?")
_FILE = re.compile(r"(?:파일|File)\s?: (.+)")
_CSV_HEADER = re.compile(r'"?Date"?,"?User"?,"?Message"?\s*$', re.IGNORECASE)


class KakaoTalk:
    """The importer of KakaoTalk's files."""

    name = "kakaotalk"
    platform = "kakaotalk"
    title = "KakaoTalk"
    patterns: tuple[str, ...] = ("KakaoTalk_*.txt", "KakaoTalkChats.txt", "KakaoTalk_Chat_*.csv")
    how_to_export: tuple[str, ...] = (
        "Open the chat in KakaoTalk and its menu (☰), then the settings of the chat (⚙).",
        "Choose “Export chat history” (대화 내용 내보내기), as text only.",
        "Send the file to this computer and choose it here; each chat is saved apart.",
    )

    def recognise(self, source: Source) -> float:
        """By the header, the Mac's columns, or how many lines open a message."""
        if source.suffix not in {"txt", "csv", "text", ""} or looks_binary(source.head):
            return 0.0
        lines = [strip_marks(line) for line in _head(source).splitlines()[:300]]
        if not lines:
            return 0.0
        if _CSV_HEADER.match(lines[0]):
            return 0.9
        if any(_TITLE.fullmatch(line.strip()[:200]) for line in lines[:2]) or any(
            _SAVED.match(x) for x in lines[:4]
        ):
            return 0.95
        opened = sum(1 for line in lines if _PHONE.match(line) or _PC.match(line))
        return 0.85 if opened >= 0.3 * len([line for line in lines if line.strip()]) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        first = strip_marks(_head(source).partition("\n")[0])
        return guarded(_csv(source, options) if _CSV_HEADER.match(first) else _text(source, options))


def _head(source: Source) -> str:
    encoding = _encoding(source)
    return source.head.decode(encoding, "replace") if encoding else head_text(source)


def _encoding(source: Source) -> str | None:
    """CP949 where the file is neither UTF-8 nor has a BOM; None leaves the guess to the common rule."""
    if source.head.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return None
    try:
        source.head[:-4].decode("utf-8")
    except UnicodeDecodeError as error:
        return None if error.start > len(source.head) - 8 else "cp949"
    return None


@dataclass(slots=True)
class _State:
    """The day that holds now, for lines with a clock alone."""

    today: date | None = None
    begun: bool = False
    dated: bool = False  # lines carry their date or stand in brackets, so a clock alone opens nothing

    def opening(self, line: str, open_: Draft | None) -> Opened:
        """Say whether a line opens a message, is a heading, or continues."""
        opened = self._message(line)
        if opened is not None:
            self.begun = True
            return opened
        if found := _HEADING.match(line):
            self.today = _date(found)
            return HEADING
        if _RULE.match(line) or _PHONE_EMPTY.match(line) or not self.begun:
            return HEADING
        if open_ is not None and len(line) < 300 and _NOTICE.fullmatch(line.strip()):
            return Draft(None, open_.timestamp, [line.strip()], "system")
        return None

    def _message(self, line: str) -> Draft | None:
        if found := _PHONE.match(line):
            self.dated = True
            return _from_phone(at(_date(found), clock_time(found["clock"])), found["rest"], found["sep"] == ",")
        if found := _PC.match(line):
            self.dated = True
            moment = at(self.today, clock_time(found["clock"]))
            return _draft(found["name"], moment, found["text"] or "")
        if self.today and not self.dated and (found := _CLOCK_ONLY.match(line)):
            moment, rest = at(self.today, clock_time(found["clock"])), found["rest"]
            return (
                _from_phone(moment, rest, named=True) if " : " in rest or _NOTICE.fullmatch(rest[:300]) else None
            )
        return None


def _from_phone(moment: datetime | None, rest: str, named: bool) -> Draft:
    """What follows the time on a phone: a name and a text, or a notice."""
    name, colon, text = rest.partition(" : ")
    return _draft(name if named and colon else "", moment, text if named and colon else rest)


def _draft(name: str, moment: datetime | None, text: str) -> Draft:
    """A message, or a notice where nobody is named."""
    return Draft(name.strip(), moment, [text]) if name.strip() else Draft(None, moment, [text], "system")


def _text(source: Source, options: Options) -> Iterator[Item]:
    yield Facts(naive_times=True)
    chat = _title(source)
    lines = decoded_lines(source, _encoding(source))
    yield from gather(
        lines,
        _State().opening,
        lambda d: _message(chat, options.me, d.sender, d.timestamp, d.text, d.kind, d.line, d.lines),
    )


def _csv(source: Source, options: Options) -> Iterator[Item]:
    yield Facts(naive_times=True)
    chat = _title(source)
    heading = 0
    for row in csv_rows(source, _encoding(source)):
        if isinstance(row, Problem):
            yield row
        elif row.line == 1 or not any(row.cells):
            heading += row.lines
        elif len(row.cells) < 3:
            yield Problem(
                row.line, "This line has fewer than three columns.", excerpt(",".join(row.cells)), row.lines
            )
        else:
            yield from _csv_message(chat, options.me, row, heading)
            heading = 0
    if heading:
        yield Problem(1, "These lines at the end or at the head hold no message.", skipped=heading)


def _csv_message(chat: str, me: str | None, row: Row, heading: int) -> Iterator[Item]:
    written, sender, text = row.cells[0], row.cells[1].strip() or None, row.cells[2].rstrip()
    moment = from_iso(written)
    yield _message(
        chat, me, sender, moment, text, "talk" if sender else "system", row.line, row.lines + heading
    )  # fmt: skip
    if moment is None:
        yield Problem(row.line, "The date of this message could not be read; it is kept without.", written[:80], 0)


def _message(
    chat: str,
    me: str | None,
    sender: str | None,
    moment: datetime | None,
    text: str,
    kind: Kind,
    line: int,
    lines: int,
) -> Message:
    if kind == "talk":
        kind = "deleted" if text in _DELETED else "event" if _CALL.fullmatch(text) else "talk"
    return Message(
        chat, sender, clean(text), moment, kind, _attachments(text), line, lines,
        from_me=sender == me if me and sender else None,
    )  # fmt: skip


def _attachments(text: str) -> tuple[Attachment, ...]:
    """The attachment that a placeholder stands for."""
    if found := _FILE.fullmatch(text):
        return (Attachment(found[1], attachment_kind(found[1])),)
    found = _MEDIA_TEXT.fullmatch(text)
    word = found[1].removesuffix("s") if found else text
    return (Attachment(text, _MEDIA[word]),) if word in _MEDIA else ()


def _date(found: re.Match[str]) -> date | None:
    if found["ky"]:
        return day(found["ky"], found["km"], found["kd"])
    month = MONTHS[(found["emon"] or found["emon2"]).lower()]
    return day(found["eyear"], month, found["en"] or found["en2"])


def _title(source: Source) -> str:
    """The chat's name from the header, else from the file's name."""
    for line in _head(source).splitlines()[:2]:
        found = _TITLE.fullmatch(strip_marks(line).strip()[:200])
        if found:
            return next(group for group in found.groups() if group)
    stem = source.basename.rpartition(".")[0]
    named = re.fullmatch(r"KakaoTalk_?(?:Chats?_)?(.*?)_?[\d\-_. ]*", stem)
    return (named[1] if named else stem) or "KakaoTalk"


KAKAOTALK = KakaoTalk()
