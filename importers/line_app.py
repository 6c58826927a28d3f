"""LINE: the text file that the app saves for one chat, from phones and computers, in any of its languages.

Day headings and messages with a clock time alternate; fields stand between tabs, in some versions between
spaces. A text with line breaks is wrapped in double quotes, so inside the quotes nothing is a heading. Counted
are lines; headings count with the message that follows. Times are the phone's wall clock.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from importers.base import Attachment, Facts, Item, Kind, Message, Options
from importers.drafts import HEADING, Draft, Opened, gather
from importers.guard import guarded
from importers.source import Source
from importers.text import decoded_lines, head_text, looks_binary, strip_marks
from importers.times import CLOCK, at, clock_time, day

_HEADER = re.compile(r"\[LINE\]\s*(?P<rest>.+)|(?P<bare>Chat history (?:with|in) .+)")
_TITLES = tuple(
    re.compile(pattern)
    for pattern in (
        r"Chat history (?:with|in) (.+)",
        r"(.+?)(?:との|の)トーク履歴",
        r"[與与]?(.+?)的(?:聊天[記记][錄录]|对话|對話)",
        r"(.+?)\s*님과의? 대화.*",
        r"ประวัติการแชท(?:กับ|ใน)\s*(.+)",
        r"Chat with (.+?)(?:\.txt)?$",
    )
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_DAY = re.compile(
    r"(?:(?P<weekday>[A-Za-z]{3,9}(?=[, ])|[^\s\d,]{1,12}(?=,)),?\s+)?"
    r"(?P<a>\d{1,4})(?P<sep>[/.年-])(?P<b>\d{1,2})[/.月-](?P<c>\d{1,4})日?\.?"
    r"\s*(?:[(（][^)）\d]{1,12}[)）]|[^\W\d]{1,12})?\s*$"
)
_TABBED = re.compile(rf"(?P<clock>{CLOCK})\t(?P<rest>.*)")
_SPACED = re.compile(rf"(?P<clock>{CLOCK})[ \u3000](?P<rest>\S.*)")
_PLACEHOLDERS = {
    "sticker": "スタンプ Sticker 貼圖 贴图 스티커 สติกเกอร์",
    "image": "写真 Photo 照片 圖片 图片 사진 รูป アルバム Album 相簿 相册 앨범",
    "video": "動画 Video 影片 视频 동영상 วิดีโอ",
    "voice": "ボイスメッセージ 語音訊息 语音消息 语音信息 음성메시지",
    "file": "ファイル File 檔案 文件 파일",
    "contact": "連絡先 Contact 聯絡資訊 联系人 연락처",
    "location": "位置情報 Location 位置 位置訊息 位置信息 위치정보",
}
_MEDIA = {f"[{word}]": kind for kind, words in _PLACEHOLDERS.items() for word in words.split()}
_MEDIA |= {"[Voice message]": "voice", "[음성 메시지]": "voice"}
_MEDIA |= {"Photos": "image", "Videos": "video", "Stickers": "sticker", "Audio": "voice"}  # of group chats
_UNSENT = re.compile(
    r"(?:.{1,60}? )?(?:Message unsent|unsent a message|メッセージの送信を取り消しました"
    r"|已?收回(?:了)?訊息|撤回了一条消息)[.。]?"
)
_MAX_QUOTED = 500  # lines; a quote that is open for longer was never meant to be closed


class Line:
    """The importer of LINE's text files."""

    name = "line"
    platform = "line"
    title = "LINE"
    patterns: tuple[str, ...] = ("[LINE] *.txt", "[LINE]*.txt")
    how_to_export: tuple[str, ...] = (
        "Open the chat in LINE, then the menu (☰) and its settings (⚙).",
        "Choose “Export chat history” (on a computer: ⋮ → “Save chat”).",
        "Send the text file to this computer and choose it here; each chat is saved apart.",
    )

    def recognise(self, source: Source) -> float:
        """By the header in its first line, or by day headings and tabbed lines."""
        if source.suffix not in {"txt", "text", ""} or looks_binary(source.head):
            return 0.0
        lines = [strip_marks(line) for line in head_text(source).splitlines()[:400]]
        if lines and _HEADER.match(lines[0]):
            return 0.95
        days = sum(1 for line in lines if _day(line))
        messages = sum(1 for line in lines if _TABBED.match(line) or _SPACED.match(line))
        return 0.8 if days and messages and days + messages >= 0.5 * len([x for x in lines if x]) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source, options))


@dataclass(slots=True)
class _State:
    """The day that holds now, and how names are told from texts where only spaces part them."""

    names: tuple[str, ...] = ()
    today: date | None = None
    begun: bool = False
    quoted_day: date | None = None  # what looked like a day inside quotes that may not close

    def opening(self, line: str, open_: Draft | None) -> Opened:
        """Say whether a line opens a message, is a heading, or continues."""
        message = self._message(line)
        certain = message is not None and (message.kind == "talk" or line.count("\t") > 1)
        if open_ is not None and _in_quotes(open_) and not certain:
            self.quoted_day = _day(line) or (self.quoted_day if not line.strip() else None)
            return None
        if message is not None:
            if self.quoted_day and open_ is not None:  # it was a real heading after all
                while open_.body and not _day(open_.body.pop()):
                    pass
                self.today, self.quoted_day = self.quoted_day, None
                message = self._message(line)
            self.begun = True
            return message
        if found := _day(line):
            self.today, self.begun = found, True
            return HEADING
        return HEADING if not self.begun or (open_ is None and not line.strip()) else None

    def _message(self, line: str) -> Draft | None:
        tabbed = _TABBED.match(line)
        found = tabbed or _SPACED.match(line)
        if found is None or self.today is None:
            return None
        moment = at(self.today, clock_time(found["clock"]))
        rest = found["rest"]
        if tabbed:
            name, tab, text = rest.partition("\t")
            if not tab or not name.strip():
                return Draft(None, moment, [text or name], "system")
        else:
            name = next((n for n in self.names if rest.startswith(n + " ")), "")
            if not name:
                return Draft(None, moment, [rest], "system")
            text = rest[len(name) + 1 :]
        return Draft(strip_marks(name).strip(), moment, [text])


def _in_quotes(draft: Draft) -> bool:
    """Whether the text began with a quote that is still open."""
    text = draft.body[0] if draft.body else ""
    if not text.startswith('"') or draft.kind == "system" or len(draft.body) > _MAX_QUOTED:
        return False
    return sum(line.count('"') for line in draft.body) % 2 == 1


def _items(source: Source, options: Options) -> Iterator[Item]:
    yield Facts(naive_times=True)
    title = _title(source)
    state = _State(_spaced_names(source, title))
    lines = ((number, strip_marks(line) if number <= 2 else line) for number, line in decoded_lines(source))
    yield from gather(lines, state.opening, lambda draft: _message(title, options.me, draft))


def _message(chat: str, me: str | None, draft: Draft) -> Message:
    text = draft.text
    if draft.lines > 1 and len(text) > 1 and text.startswith('"') and text.endswith('"') and "\n" in text:
        text = text[1:-1]
        if '"' not in text.replace('""', ""):
            text = text.replace('""', '"')
    kind: Kind = draft.kind
    if kind == "talk" and (text.startswith("☎") or _UNSENT.fullmatch(text)):
        kind = "event" if text.startswith("☎") else "deleted"
    attachments = (Attachment(text.strip("[]"), _MEDIA[text]),) if text in _MEDIA else ()
    return Message(
        chat, draft.sender, text, draft.timestamp, kind, attachments, draft.line, draft.lines,
        from_me=draft.sender == me if me and draft.sender else None,
    )  # fmt: skip


def _title(source: Source) -> str:
    """The chat's name from the header, else from the file's name."""
    first = strip_marks(head_text(source).partition("\n")[0]).strip()
    for text in (first, source.basename):
        found = _HEADER.match(text)
        rest = (found["rest"] or found["bare"]).strip() if found else ""
        for pattern in _TITLES:
            if rest and (named := pattern.fullmatch(rest)):
                return named[1].strip().strip('“”"「」')
    return source.basename.removesuffix(".txt").removeprefix("[LINE]").strip() or "LINE"


def _spaced_names(source: Source, title: str) -> tuple[str, ...]:
    """Who speaks, in versions that part name and text by a space: the names before which a clock stands.

    A word counts as a name when it follows the clock at least twice, or is the chat's name; the next word
    belongs to it when it is always the same.
    """
    firsts: Counter[str] = Counter()
    seconds: dict[str, set[str]] = {}
    for line in head_text(source).splitlines():
        found = _SPACED.match(line)
        words = found["rest"].split(" ", 2) if found and "\t" not in line else []
        if len(words) > 1:
            firsts[words[0]] += 1
            seconds.setdefault(words[0], set()).add(words[1])
    names = {title}
    for word, count in firsts.items():
        if count > 1:
            following = seconds[word]
            names.add(f"{word} {next(iter(following))}" if len(following) == 1 and count > 2 else word)
    return tuple(sorted((n for n in names if n), key=len, reverse=True))


def _day(line: str) -> date | None:
    """The day of a heading such as `2026/1/30(金)`, `2026.01.30 Friday` or `Fri, 01/30/2026`.

    With the weekday in English it tells the order; in other languages the day comes first where it can.
    """
    found = _DAY.match(line.strip())
    if not found:
        return None
    a, b, c = found["a"], found["b"], found["c"]
    if len(a) == 4:
        return day(a, b, c)
    if len(c) != 4:
        return None
    named = (found["weekday"] or "")[:3].lower()
    month_first = not named or named in _WEEKDAYS
    orders = [d for d in ((day(c, a, b), day(c, b, a)) if month_first else (day(c, b, a), day(c, a, b))) if d]
    return next((d for d in orders if _WEEKDAYS[d.weekday()] == named), orders[0] if orders else None)


LINE = Line()
