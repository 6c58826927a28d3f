"""What a message's body is: talk, a notice of the app, a deleted message, media, a poll, a call.

WhatsApp writes its own words into the same place as people's. On the iPhone it marks them with an
invisible U+200E; on Android nothing does, and only the whole phrase, in the language of the phone,
tells. A phrase counts only as a whole body or at its fixed place, never because a text contains it.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from importers.base import Attachment, Kind
from importers.text import strip_marks
from importers.whatsapp_words import fold, words

LRM = "\u200e"
_NAME = r"[^\n<>|*?\"]{1,200}?\.\w{1,8}"
_IPHONE_FILE = re.compile(rf"{LRM}?<(?P<word>[^<>:：\n]{{2,40}})[:：] ?(?P<name>{_NAME})>")
_ANDROID_FILE = re.compile(
    rf"{LRM}?(?P<name>{_NAME})[ \u00a0]?[(（](?P<word>[^()（）\n]{{2,60}})[)）]{LRM}?(?=\n|$)"
)
_APP_NAME = re.compile(r"\d{8}-|(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-\d{8}-WA\d+")
_EDITED_TAIL = re.compile(rf"[ \u00a0]?{LRM}?<([^<>:：\n]{{3,80}})>{LRM}?$")
_POLL_TITLE = re.compile(rf"{LRM}?[^\W\d_][^:：\n]{{1,30}}[:：][ ]?\n")
_POLL_OPTION = re.compile(rf"\n{LRM}?[^:：\n]{{2,24}}[:：] ?[^\n]* ?[(（]\d+ ?[^()\n]{{0,24}}[)）](?=\n|$)")
_PLACE = re.compile(
    rf"{LRM}?(?P<word>[^:\n]{{2,80}}): ?{LRM}?(?P<url>https?://(?:maps\.google\.com/|(?:www\.)?google\.com/maps|"
    r"goo\.gl/maps|maps\.app\.goo\.gl/|maps\.apple\.com/|(?:www\.)?foursquare\.com/v/)\S*)"
)
_DATED = re.compile(
    r"(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-(\d{4})(\d\d)(\d\d)-WA\d"
    r"|-(?:PHOTO|VIDEO|AUDIO|GIF|STICKER|PTT)-(\d{4})-(\d\d)-(\d\d)-"
)
_KINDS: tuple[tuple[str, frozenset[str]], ...] = (
    ("sticker", frozenset({"webp", "was"})),
    ("image", frozenset({"jpg", "jpeg", "png", "heic", "heif", "bmp", "tif", "tiff", "avif"})),
    ("gif", frozenset({"gif"})),
    ("video", frozenset({"mp4", "mov", "3gp", "m4v", "avi", "mkv", "webm"})),
    ("voice", frozenset({"opus"})),
    ("audio", frozenset({"mp3", "m4a", "aac", "amr", "ogg", "wav", "flac", "oga", "caf"})),
    ("contact", frozenset({"vcf"})),
)
_QUOTES = '"“”„«»「」『』'
_CLOSED_BY = {"“": "”", "„": "“”", "«": "»", "»": "«", "「": "」", "『": "』", '"': '"', "”": "”"}
_CLAUSE = re.compile(r"[,،、•]|\.\s|\n")
_SHORT = 40
_LONGEST_NOTICE = 1_000


@dataclass(frozen=True, slots=True)
class Body:
    """A body read: its text without the app's marks, and what it is."""

    text: str
    kind: Kind = "talk"
    attachments: tuple[Attachment, ...] = ()
    edited: bool = False


def read_body(text: str, marked: bool, iphone: bool) -> Body:
    """The body that follows “Name: ”. `marked`: the header itself had an invisible mark in front."""
    return (_read_short if len(text) < _SHORT else _read)(text, marked, iphone)


def _read(text: str, marked: bool, iphone: bool) -> Body:
    if body := _phrase(text) or _files(text):
        return body
    text, edited = _without_edit_mark(text)
    if body := _poll(text) or _place(text):
        return body
    if text.startswith(LRM) and iphone and not edited:
        return _spoken_by_app(strip_marks(text).strip(), marked=marked)
    return Body(text.strip(f"{LRM}\u200b\ufeff"), edited=edited)


_read_short = lru_cache(maxsize=1_000)(_read)
"""The same few short phrases come again and again: “<Media omitted>”."""


def _phrase(text: str) -> Body | None:
    """A body that is one of the app's phrases: whole, before a caption, or after a document's name."""
    plain = strip_marks(text).strip()
    first = plain.split("\n", 1)[0]
    last = text.rpartition(LRM)[2]
    kinds = words().kinds
    if (kind := kinds.get(fold(plain))) in ("deleted", "system", "event"):
        return Body(plain, kind)  # type: ignore[arg-type]  # the three are Kinds
    if kind := kind or kinds.get(fold(first)) or (kinds.get(fold(last)) if LRM in text else None):
        if kind in ("deleted", "system", "event"):
            return None
        name = first if kinds.get(fold(first)) == kind else first.partition(" •")[0]
        return Body(plain, "talk", (Attachment(name.strip("<> "), kind),))
    return None


def _files(text: str) -> Body | None:
    """The files of a body: the iPhone writes them at its end, Android on its first line."""
    names = [m["name"] for m in _IPHONE_FILE.finditer(text) if _is_file(m["name"], m["word"], text)]
    if not names and (m := _ANDROID_FILE.match(text)) and _is_file(m["name"], m["word"], text):
        names = [m["name"]]
    if not names:
        return None
    text, edited = _without_edit_mark(text)
    found = tuple(Attachment(strip_marks(name).strip(), file_kind(name)) for name in names)
    return Body(strip_marks(text).strip(), "talk", found, edited)


def _is_file(name: str, word: str, text: str) -> bool:
    """Whether this is a file of the app and not somebody's brackets."""
    if fold(word) in words().attached or _APP_NAME.match(strip_marks(name)):
        return True
    return text.startswith(LRM) or f"{LRM}<" in text


def file_kind(name: str) -> str:
    """The kind of an attachment by its file name."""
    upper = name.upper()
    if "-GIF-" in upper:
        return "gif"
    if "STICKER" in upper or upper.startswith("STK-"):
        return "sticker"
    if upper.startswith("PTT-") or "-PTT-" in upper:
        return "voice"
    ending = name.rpartition(".")[2].casefold()
    return next((kind for kind, endings in _KINDS if ending in endings), "document")


def _without_edit_mark(text: str) -> tuple[str, bool]:
    """The text without its tail “<This message was edited>”, and whether it had one."""
    tail = _EDITED_TAIL.search(text)
    if tail and (fold(tail[1]) in words().edited or f"{LRM}<" in tail[0]):
        return text[: tail.start()], True
    return text, False


def _poll(text: str) -> Body | None:
    """A poll: a title in capitals, the question, and its options with their votes."""
    title = _POLL_TITLE.match(text)
    start = title.end() - 1 if title else -1
    option = _POLL_OPTION.search(text, start) if title else None
    end = option.start() if option else text.find(f"\n{LRM}", start)
    if title is None or end < 0:
        return None
    question = strip_marks(text[start:end]).strip()
    return Body(strip_marks(text).strip(), "talk", (Attachment(question, "poll"),)) if question else None


def _place(text: str) -> Body | None:
    match = _PLACE.match(text)
    if match is None:
        return None
    name = strip_marks(match["word"]).strip()
    return Body(strip_marks(text).strip(), "talk", (Attachment(f"{name}: {match['url']}", "location"),))


def _spoken_by_app(plain: str, *, marked: bool) -> Body:
    """A body that starts with the iPhone's mark and is no phrase that we know.

    That is a notice, save where the header is marked too: such lines carry media, and the phrase
    stands for something left out, in a wording that the tables lack.
    """
    if not plain:
        return Body("")
    if is_call(plain):
        return Body(plain, "event")
    if _POLL_TITLE.match(plain):
        return Body(plain)  # somebody's event or the like: its kind, and below it what they wrote
    short = len(plain) <= _SHORT and "\n" not in plain and not any(q in plain for q in _QUOTES)
    if marked and short and not words().notice.search(plain):
        return Body(plain, "talk", (Attachment(plain, "file"),))
    return Body(plain, "system")


def is_call(plain: str) -> bool:
    """Whether a body tells of a call; what follows the first comma or full stop (“5 min”) is free."""
    return words().kinds.get(fold(_CLAUSE.split(plain, maxsplit=1)[0])) == "event"


def is_notice_of(sender: str, text: str) -> bool:
    """Whether the body is a notice about its own sender, whose name it repeats (“Ana: Ana left”)."""
    name, rest = strip_marks(sender).strip(), strip_marks(text)
    if not rest.startswith(name) or len(rest) > _LONGEST_NOTICE:
        return False
    rest = rest[len(name) :].rstrip()
    if "\n" in rest or not rest or (rest[0] != " " and rest.isascii()):
        return False
    return bool(words().notice.search(name + rest)) or any(q in rest for q in _QUOTES)


def is_notice(text: str) -> bool:
    """Whether the whole body reads like a notice of the app."""
    plain = strip_marks(text).strip()
    if len(plain) > _LONGEST_NOTICE:
        return False
    return words().kinds.get(fold(plain)) == "system" or bool(words().notice.search(plain))


def quotes_open(name: str) -> bool:
    """Whether the words before the first “: ” leave a quotation open: then they are no one's name."""
    opened = ""
    for sign in name:
        if opened:
            opened = "" if sign in _CLOSED_BY[opened] else opened
        elif sign in _CLOSED_BY:
            opened = sign
    return bool(opened)


def media_day(text: str) -> tuple[int, int, int] | None:
    """Year, month, day in the name of a media file in this body."""
    match = _DATED.search(text)
    if match is None:
        return None
    year, month, day = (int(n) for n in match.groups() if n)
    return year, month, day
