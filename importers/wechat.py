"""WeChat, which has no export of its own: the CSV and JSON of MemoTrace (WeChatMsg), PyWxDump and chatlog.

Columns are found by their names, since their order differs by version. Only text is text: the other kinds hold
XML or nothing, of which the title is kept. Counted are lines of CSV (a text may hold line breaks) and records of
JSON. Times are UTC where the tool gives seconds since 1970, else the wall clock of the computer.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from pathlib import PurePosixPath
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.csv_rows import csv_rows
from importers.guard import converted, guarded
from importers.json_stream import pieces, shape
from importers.source import Source
from importers.text import clean, head_text, looks_binary
from importers.times import from_epoch, from_iso

# our field → their columns, in lower case; the first that has a value counts
_COLUMNS: dict[str, tuple[str, ...]] = {
    "time": ("createtime", "create_time", "timestamp", "strtime", "时间", "time"),
    "text": ("strcontent", "msg", "content", "内容"),
    "type": ("type", "type_name", "类型"),
    "subtype": ("subtype", "sub_type"),
    "mine": ("issender", "is_sender", "isself", "issend"),
    "name": ("remark", "sendername", "发送人", "nickname", "sender", "talker"),
    "chat": ("talkername",),
    "id": ("msgsvrid", "消息id", "serverid", "seq"),  # localId is not unique
    "talker": ("talkerid", "strtalker", "room_name", "talker"),
}
_SIGNATURES = (
    {"localid", "talkerid", "type", "issender", "createtime", "strcontent"},  # MemoTrace, all chats
    {"type_name", "is_sender", "talker", "room_name", "msg"},  # PyWxDump
    {"发送人", "时间", "内容", "类型"},  # MemoTrace, one chat
    {"time", "sendername", "sender", "talkername", "talker", "content"},  # chatlog
    {"seq", "time", "talker", "sender", "isself", "type", "content"},  # chatlog, JSON
)
_TEXT, _APP, _CALL, _QUOTE = 1, 49, 50, 57
_SYSTEM = frozenset((10000, 10002, 9999))
_KINDS = {3: "image", 34: "voice", 42: "contact", 43: "video", 47: "sticker", 48: "location", 62: "video"}
_APP_KINDS = {3: "audio", 4: "video", 5: "link", 6: "file", 19: "link", 33: "link", 36: "link", 51: "video"}
_NAMED = {
    "文本": 1, "文字": 1, "text": 1, "图片": 3, "image": 3, "语音": 34, "voice": 34, "视频": 43, "video": 43,
    "名片": 42, "动画表情": 47, "表情包": 47, "表情": 47, "emoji": 47, "位置": 48, "地图": 48, "系统通知": 10000,
    "系统消息": 10000, "system": 10000, "撤回消息": 10000, "拍一拍": 10000, "引用回复": 57, "引用消息": 57,
    "带有引用的文本消息": 57,
    "语音通话": 50, "音视频通话": 50, "文件": 6, "分享链接": 5, "卡片式链接": 5, "小程序": 33, "转账": 2000,
}  # fmt: skip
_TELLING = {42: ("nickname",), 48: ("poiname", "label")}
_PREFIX = re.compile(r"\A(?:wxid_[\w-]+|[\w-]+@chatroom):\n")  # the sender, before a text in a group


class WeChat:
    """The importer of what WeChat tools write."""

    name = "wechat"
    platform = "wechat"
    title = "WeChat (MemoTrace, PyWxDump, chatlog)"
    patterns: tuple[str, ...] = ("messages.csv", "*.csv", "*.json")
    how_to_export: tuple[str, ...] = (
        "WeChat itself exports nothing; open it on a Windows computer and let a tool such as MemoTrace read it.",
        "In the tool choose the contacts and export them as CSV.",
        "Choose the CSV file or its folder here.",
    )

    def recognise(self, source: Source) -> float:
        """By the names of the columns or keys."""
        if source.suffix == "json":
            return 0.9 if _json_path(source) else 0.0
        if source.suffix not in {"csv", "txt", "tsv"} or looks_binary(source.head):
            return 0.0
        first = head_text(source).partition("\n")[0]
        names = {name.strip().strip('"').lower() for name in re.split(r"[,\t]", first)}
        return 0.95 if _is_known(names) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source))


@dataclass(frozen=True, slots=True)
class _Record:
    """A row by lower-case column name, its line and how many lines it covers."""

    cells: dict[str, Any]
    line: int
    lines: int = 1

    def value(self, name: str) -> Any:
        """The first value among the columns of that meaning."""
        return next((self.cells[c] for c in _COLUMNS[name] if self.cells.get(c) not in (None, "")), None)


@dataclass(slots=True)
class _Chats:
    """What chats are called: the other one's name where there is one other, else the file's."""

    stem: str
    others: dict[str, set[str]] = field(default_factory=dict)

    def learn(self, record: _Record) -> None:
        """Note who else writes in the record's chat."""
        names = self.others.setdefault(str(record.value("talker") or ""), set())
        if len(names) < 2 and not _is_mine(record) and _type(record)[0] not in _SYSTEM and record.value("name"):
            names.add(clean(str(record.value("name"))))

    def title(self, talker: str) -> str:
        """The name of the chat with this id."""
        names = self.others.get(talker, set())
        if len(names) == 1:
            return next(iter(names))
        return self.stem if len(self.others) < 2 else f"{self.stem} {talker}".strip()


def _items(source: Source) -> Iterator[Item]:
    chats = _Chats(PurePosixPath(source.basename).stem)
    naive = False
    for record in _records(source):
        if isinstance(record, _Record):
            moment = _moment(record)
            naive = naive or (moment is not None and moment.tzinfo is None)
            chats.learn(record)
    yield Facts(naive_times=naive)
    for record in _records(source):
        if isinstance(record, Problem):
            yield record
        else:
            yield from converted([(record.line, record)], lambda _, r: _message(chats, r), lost=record.lines)


def _records(source: Source) -> Iterator[_Record | Problem]:
    return _from_json(source) if source.suffix == "json" else _from_csv(source)


def _from_json(source: Source) -> Iterator[_Record | Problem]:
    prefix = _json_path(source) or "item"
    parent = prefix.removesuffix("item").rstrip(".")
    steps = parent.split(".") if parent else []
    into = {".".join(steps[:n]) for n in range(len(steps) + 1)}
    for piece in pieces([source], into=into, take={prefix}):
        if isinstance(piece, Problem):
            yield piece
        elif piece.path == prefix and isinstance(piece.value, dict):
            yield _Record({str(key).lower(): value for key, value in piece.value.items()}, piece.number)
        elif piece.path == prefix:
            yield Problem(piece.number, "This record is no message.", excerpt(str(piece.value)[:200]))


def _json_path(source: Source) -> str | None:
    """Where the messages lie: the array whose elements have all keys of a known tool."""
    keys: dict[str, set[str]] = {}
    for path in shape(source):
        parent, _, key = path.rpartition(".")
        keys.setdefault(parent, set()).add(key.lower())
    found = (path for path, names in keys.items() if path.endswith("item") and _is_known(names))
    return next(found, None)


def _from_csv(source: Source) -> Iterator[_Record | Problem]:
    first = head_text(source).partition("\n")[0]
    names: list[str] = []
    passed = 0  # lines that hold no message; they count with the next one
    for row in csv_rows(source, delimiter="\t" if "\t" in first else ","):
        if isinstance(row, Problem):
            yield row
        elif not names or not any(row.cells):
            names = names or [name.strip().strip("\ufeff").lower() for name in row.cells]
            passed += row.lines
        elif len(row.cells) < 3:
            yield Problem(row.line, "This line has too few columns.", excerpt(",".join(row.cells)), row.lines)
        else:
            yield _Record(dict(zip(names, row.cells, strict=False)), row.line, row.lines + passed)
            passed = 0
    if passed:
        yield Problem(1, "These lines hold no message.", skipped=passed)


def _is_known(names: set[str]) -> bool:
    return any(signature <= names for signature in _SIGNATURES)


def _type(record: _Record) -> tuple[int, int]:
    """Type and subtype as WeChat numbers them; names of types are turned into numbers."""
    written = str(record.value("type") or "1").strip().lower()
    subtype = str(record.value("subtype") or "0").strip()
    number = int(written) if written.isdecimal() else _NAMED.get(written, _TEXT)
    if number in {_QUOTE, 5, 6, 33, 2000}:
        return _APP, number
    return number, int(subtype) if subtype.isdecimal() else 0


def _is_mine(record: _Record) -> bool | None:
    """Whether the row says that it is the owner's; None where it does not say."""
    mine = record.value("mine")
    if mine is None:
        return True if record.value("name") == "我" else None
    return str(mine).strip().lower() in {"1", "true", "是"}


def _moment(record: _Record) -> datetime | None:
    """Seconds or milliseconds since 1970, or a written time."""
    written = record.value("time")
    text = str(written).strip()
    if text.isdecimal():
        return from_epoch(text, 1000 if len(text) > 11 else 1)
    return from_iso(text)


def _message(chats: _Chats, record: _Record) -> Iterator[Item]:
    number, subtype = _type(record)
    mine = _is_mine(record)
    raw = clean(str(record.value("text") or ""))
    kind, text, attachments = _read(number, subtype, raw)
    talker = str(record.value("talker") or "")
    moment = _moment(record)
    name = clean(str(record.value("name") or "")) or (ME if mine else None)
    source_id = record.value("id")
    yield Message(
        clean(str(record.value("chat") or "")) or chats.title(talker), None if kind == "system" else name, text,
        moment, kind, attachments, record.line, record.lines,
        chat_id=talker or None,
        source_id=str(source_id) if source_id is not None else None,
        from_me=mine if kind != "system" else None,
    )  # fmt: skip
    if moment is None:
        yield Problem(
            record.line, "The time of this message could not be read; it is kept without.", excerpt(text), 0
        )


def _read(number: int, subtype: int, raw: str) -> tuple[Kind, str, tuple[Attachment, ...]]:
    if number in _SYSTEM:
        return "system", _plain(raw), ()
    if number == _CALL:
        return "event", _plain(raw) or "call", ()
    if number == _APP:
        return _app(subtype, raw)
    if number in _KINDS:
        name = _plain(raw) or _told(raw, _TELLING.get(number, ())) or _KINDS[number]
        return "talk", "", (Attachment(name, _KINDS[number]),)
    return "talk", _PREFIX.sub("", raw).rstrip(), ()


def _app(subtype: int, raw: str) -> tuple[Kind, str, tuple[Attachment, ...]]:
    """A reply to a quoted message keeps its own words; links and files keep their title."""
    title = _title(raw)
    if subtype == _QUOTE:
        return "talk", title if _is_xml(raw) else raw.rstrip(), ()
    kind = _APP_KINDS.get(subtype, "link")
    name = title or _plain(raw) or kind
    if amount := _told(raw, ("feedesc",)):
        name = f"{name} {amount}"
    return "talk", "", (Attachment(name, attachment_kind(name) if kind == "file" else kind),)


def _is_xml(raw: str) -> bool:
    return _PREFIX.sub("", raw).lstrip().startswith("<")


def _plain(raw: str) -> str:
    """The text itself, or nothing where it is XML."""
    return "" if _is_xml(raw) else raw.strip()


def _told(raw: str, names: tuple[str, ...]) -> str:
    """The attributes or elements of these names, each once."""
    if not _is_xml(raw):
        return ""
    found = (re.search(rf"\b{name}=\"([^\"]*)\"|<{name}>(?:<!\[CDATA\[)?([^<\]]*)", raw) for name in names)
    values = (unescape(f[1] or f[2] or "").strip() for f in found if f)
    return ", ".join(dict.fromkeys(v for v in values if v))


def _title(raw: str) -> str:
    if not _is_xml(raw):
        return ""
    title, end, _ = raw.partition("<title>")[2].partition("</title>")
    return unescape(title.removeprefix("<![CDATA[").removesuffix("]]>")).strip() if end else ""


WECHAT = WeChat()
