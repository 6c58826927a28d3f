"""What a message's body is: talk, a notice of the app, a deleted message, media, a poll, a call.

WhatsApp writes its own words into the same place as people's. On the iPhone it marks them with an
invisible U+200E; on Android nothing does, and only the whole phrase, in the language of the phone,
tells. A phrase counts only as a whole body or at its fixed place, never because a text contains it.
"""

import re
from dataclasses import dataclass

from importers.base import Attachment, Kind
from importers.text import strip_marks
from importers.whatsapp_words import ATTACHED, EDITED, NOTICE, PHRASE_KINDS

LRM = "\u200e"
_NAME = r"[^\n<>|*?\"]{1,200}?\.\w{1,8}"
_IPHONE_FILE = re.compile(rf"{LRM}?<(?P<word>[^<>:：\n]{{2,40}})[:：] ?(?P<name>{_NAME})>")
_ANDROID_FILE = re.compile(
    rf"^{LRM}?(?P<name>{_NAME})[ \u00a0][(（](?P<word>[^()（）\n]{{2,60}})[)）]{LRM}?$", re.M
)
_APP_NAME = re.compile(r"^(?:\d{8}-|(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-\d{8}-WA\d+)")
_EDITED_TAIL = re.compile(rf"[ \u00a0]?{LRM}?<([^<>:：\n]{{3,80}})>{LRM}?$")
_POLL = re.compile(
    rf"^{LRM}?[^\W\d_][^:\n]{{1,30}}:[ ]?\n(?P<question>[^\n]+(?:\n(?!{LRM})[^\n]+)*?)(?:\n{LRM}?[^:\n]{{2,24}}: [^\n]* [(（]\d+ ?[^()]{{0,24}}[)）])+\s*$"
)
_PLACE = re.compile(
    rf"{LRM}?(?P<word>[^:\n]{{2,80}}): ?{LRM}?(?P<url>https?://(?:maps\.google\.com/|www\.google\.com/maps|goo\.gl/maps|maps\.apple\.com/|"
    r"(?:www\.)?foursquare\.com/v/)\S*)"
)
_DATED = re.compile(
    r"(?:IMG|VID|AUD|PTT|STK|DOC|GIF)-(\d{4})(\d\d)(\d\d)-WA\d|-(?:PHOTO|VIDEO|AUDIO|GIF|STICKER|PTT)-(\d{4})-(\d\d)-(\d\d)-"
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
_QUOTES = "\"“”„«»「」『』‘’'"
_OPENERS = "“„«「『"
_CLOSERS = "”“»」』"


@dataclass(frozen=True, slots=True)
class Body:
    """A body read: its text without the app's marks, and what it is."""

    text: str
    kind: Kind = "talk"
    attachments: tuple[Attachment, ...] = ()
    edited: bool = False


def read_body(text: str, *, marked: bool, iphone: bool) -> Body:
    """The body that follows “Name: ”. `marked`: the header itself had an invisible mark in front."""
    plain = strip_marks(text)
    if kind := PHRASE_KINDS.get(_key(plain)):
        return _fixed(plain, kind)
    if body := _files(text):
        return body
    text, edited = _without_edit_mark(text)
    if body := _poll(text) or _place(text):
        return body
    if text.startswith(LRM) and not edited:
        return _spoken_by_app(plain, marked=marked, iphone=iphone)
    return Body(_without_marks_at_ends(text), edited=edited)


def _key(plain: str) -> str:
    return plain.strip().rstrip(".。।").casefold()


def _fixed(plain: str, kind: str) -> Body:
    """A body that is one of the app's phrases and nothing else."""
    plain = plain.strip()
    if kind == "deleted":
        return Body(plain, "deleted")
    if kind in ("system", "event"):
        return Body(plain, "system" if kind == "system" else "event")
    return Body(plain, "talk", (Attachment(plain.strip("<> "), kind),))


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
    known = word.strip().casefold() in ATTACHED
    return known or bool(_APP_NAME.match(strip_marks(name))) or text.startswith(LRM) or f"{LRM}<" in text


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
    if tail and (tail[1].strip().casefold() in EDITED or f"{LRM}<" in tail[0]):
        return text[: tail.start()], True
    return text, False


def _poll(text: str) -> Body | None:
    match = _POLL.match(text)
    if match is None:
        return None
    return Body(strip_marks(text).strip(), "talk", (Attachment(strip_marks(match["question"]).strip(), "poll"),))


def _place(text: str) -> Body | None:
    match = _PLACE.match(text)
    if match is None:
        return None
    name = strip_marks(match["word"]).strip()
    return Body(strip_marks(text).strip(), "talk", (Attachment(f"{name}: {match['url']}", "location"),))


def _spoken_by_app(plain: str, *, marked: bool, iphone: bool) -> Body:
    """A body that starts with the mark and is no phrase that we know.

    On the iPhone that is a notice, save where the header is marked too: such lines carry media, and
    the phrase stands for something left out, in a language that the tables lack.
    """
    plain = plain.strip()
    if not iphone:
        return Body(plain)
    short = len(plain) <= 40 and "\n" not in plain and not any(q in plain for q in _QUOTES)
    if marked and short and not NOTICE.search(plain):
        return Body(plain, "talk", (Attachment(plain, "file"),))
    return Body(plain, "system")


def _without_marks_at_ends(text: str) -> str:
    return text.strip(f"{LRM}\u200b\ufeff") if text[:1] in "\u200e\u200b\ufeff" or text[-1:] == LRM else text


def is_notice_of(sender: str, text: str) -> bool:
    """Whether the body is a notice about its own sender, whose name it repeats (“Ana: Ana left”)."""
    rest = strip_marks(text)
    if not rest.startswith(sender + " ") and not (rest.startswith(sender) and not sender.isascii()):
        return False
    rest = rest[len(sender) :]
    return "\n" not in rest.strip() and (bool(NOTICE.search(rest)) or any(q in rest for q in '“”„«»「」"'))


def is_notice(text: str) -> bool:
    """Whether the whole body reads like a notice of the app."""
    plain = strip_marks(text).strip()
    return PHRASE_KINDS.get(_key(plain)) == "system" or bool(NOTICE.search(plain))


def opens_quote(name: str) -> bool:
    """Whether the words before the first “: ” leave a quotation open: then they are no one's name."""
    if any(name.rfind(o) > name.rfind(c) for o, c in zip(_OPENERS, _CLOSERS, strict=True) if o != c and o in name):
        return True
    return name.count('"') % 2 == 1 or (name.count("”") % 2 == 1 and "“" not in name)


def media_day(text: str) -> tuple[int, int, int] | None:
    """Year, month, day in the name of a media file in this body."""
    match = _DATED.search(text)
    if match is None:
        return None
    year, month, day = (int(n) for n in match.groups() if n)
    return year, month, day
