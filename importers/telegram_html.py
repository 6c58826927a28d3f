"""Telegram Desktop's HTML export (`messages.html`, `messages2.html`, …), for people who have nothing else.

A record is a `div.message`, the headings of days included; each becomes a message or a problem. The pages are
cut at these elements and each is parsed on its own, so memory stays constant. A `joined` message has no name:
the one before it has, also across pages. Times keep the offset that is written; in zones with summer time it
is the winter offset all year, which the page does not tell, so a remark says so.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from selectolax.lexbor import LexborNode

from importers.attachment_kind import attachment_kind, file_name
from importers.base import DELETED_ACCOUNT, Attachment, Facts, Item, Message, Options, Problem
from importers.guard import converted, guarded
from importers.html_pages import blocks, child, children, classes, cut_off, no_content, no_message, parsed, words
from importers.parts import parts_of
from importers.source import Source
from importers.text import head_text
from importers.times import from_iso

_MESSAGE = re.compile(r'<div\b[^<>]*\bclass="message\s[^"]*"')
_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\s+(\d{1,2}:\d{2}:\d{2})(?:\s+UTC([+-]\d{2}:\d{2}))?")
_VIA = re.compile(r"\s+via @\w+$")
_PAGE = re.compile(r"messages(\d*)\.html?", re.IGNORECASE)
_REPLY = re.compile(r"go_to_message(-?\d+)")
_KINDS = ("photo", "video", "voice_message", "audio_file", "contact", "location", "venue", "live_location",
          "game", "poll", "file", "sticker", "animated", "call", "invoice")  # fmt: skip
_NAMED = {
    "photo": "image",
    "voice_message": "voice",
    "audio_file": "audio",
    "animated": "gif",
    "venue": "location",
    "live_location": "location",
    "game": "link",
    "invoice": "file",
}
_OFFSETS = (
    "Telegram's web pages write the winter offset all year; in summer these times may be an hour off. "
    "An export as “Machine-readable JSON” has the exact times."
)


class TelegramHtml:
    """The importer of messages.html and its further pages."""

    name = "telegram-html"
    platform = "telegram"
    title = "Telegram Desktop (HTML)"
    patterns = ("messages.html", "messages2.html")
    how_to_export = (
        "Open Telegram Desktop on a computer, open the chat, choose the three dots and “Export chat history”.",
        "Choose the format “Machine-readable JSON” rather than HTML where you can: its times are exact.",
        "If you already have an HTML export, choose the folder with messages.html here.",
    )

    def recognise(self, source: Source) -> float:
        """By the class names of Telegram's page."""
        if b"page_wrap" not in source.head:
            return 0.0
        head = head_text(source)
        return 0.9 if 'class="history"' in head and ("chat_page" in head or _MESSAGE.search(head)) else 0.0

    def part(self, basename: str) -> tuple[str, int]:
        """messages.html is page 1, messages2.html page 2."""
        found = _PAGE.fullmatch(basename)
        return ("messages.html", int(found[1] or 1)) if found else (basename, 1)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the messages of all pages."""
        return guarded(_read(parts_of(source), options))


TELEGRAM_HTML = TelegramHtml()


def _read(pages: tuple[Source, ...], options: Options) -> Iterator[Item]:
    dates = _DATE.findall(head_text(pages[0]))
    has_offset = any(d[4] for d in dates)
    yield Facts(naive_times=bool(dates) and not has_offset)
    if has_offset:
        yield Problem(0, _OFFSETS, skipped=0)
    reader = _Pages(options)
    for page in pages:
        yield from reader.read(page)
    if not reader.number:
        yield no_message()


class _Pages:
    """Reads pages one after the other; what carries over is the last sender, the title and the count."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._title = ""
        self._sender: str | None = None
        self.number = 0

    def read(self, page: Source) -> Iterator[Item]:
        """The messages of one page."""
        pieces = blocks(page, _MESSAGE)
        head = parsed(next(pieces, ""))
        heading = head.css_first(".page_header .text") if head else None
        self._title = (words(heading) if heading else "") or self._title or "Telegram"
        last = ""
        for last in pieces:
            self.number += 1
            yield from converted([(self.number, last)], self._items)
        yield from cut_off(self.number, last.lower())

    def _items(self, number: int, block: str) -> Iterator[Item]:
        page = parsed(block)
        root = page.css_first("div.message") if page else None
        body = child(root, "body") if root else None
        if root is None or body is None:
            yield no_content(number, block)
        elif "service" in classes(root):
            yield Message(self._title, None, words(body), None, "system", line=number, source_id=_id(root))
        else:
            yield self._message(number, root, body)

    def _message(self, number: int, root: LexborNode, body: LexborNode) -> Message:
        named = child(body, "from_name")
        if named is not None:
            self._sender = _VIA.sub("", _name(named)) or DELETED_ACCOUNT
        said = [body, *(n for n in children(body) if {"forwarded", "body"} <= classes(n))]
        texts = [words(t) for part in said for t in children(part) if "text" in classes(t)]
        found = body.css(".media_wrap .media, .media_wrap > a, .media_poll")
        media = list({m.mem_id: m for m in found if _media_kind(m)}.values())
        date = child(body, "date")
        reply = body.css_first(".reply_to a")
        replied = _REPLY.search(reply.attributes.get("href") or "") if reply else None
        texts += [words(q) for q in body.css(".media_poll .question")]
        call = any(_media_kind(m) == "call" for m in media)
        if call:
            texts += [f"call: {', '.join(_shown(m))}" for m in media]
        return Message(
            chat=self._title,
            sender=self._sender,
            text="\n".join(filter(None, texts)),
            timestamp=_time(date.attributes.get("title") or "" if date else ""),
            kind="event" if call else "talk",
            attachments=tuple(a for m in media for a in _attachments(m)),
            line=number,
            source_id=_id(root),
            reply_to=replied[1] if replied else None,
            from_me=self._sender == self._options.me if self._options.me else None,
            edited="edited" in (words(date) if date else ""),
            reactions=tuple(_reactions(body)),
        )


def _id(root: LexborNode) -> str | None:
    return (root.attributes.get("id") or "").removeprefix("message") or None


def _name(node: LexborNode) -> str:
    """A sender's name without the date that a forwarded one carries inside."""
    parts = [c.text_content or "" for c in node.iter(include_text=True) if "details" not in classes(c)]
    return " ".join("".join(parts).split())


def _time(title: str) -> datetime | None:
    found = _DATE.search(title)
    if found is None:
        return None
    day, month, year, clock, offset = found.groups()
    return from_iso(f"{year}-{int(month):02}-{int(day):02}T{clock:0>8}{offset or ''}")


def _media_kind(node: LexborNode) -> str:
    """The part of the class name that tells what it is: media_photo, photo_wrap, media_call, …"""
    names = " ".join(classes(node))
    return next((k for k in _KINDS if f"media_{k}" in names or f"{k}_wrap" in names or f"{k}_file" in names), "")


def _attachments(node: LexborNode) -> Iterator[Attachment]:
    kind = _media_kind(node)
    if kind == "poll":
        yield from (Attachment(_answer(a), "poll") for a in node.css(".answer"))
        return
    href = node.attributes.get("href") or ""
    shown = _shown(node)
    if kind == "call":
        return
    if kind == "location" and "?q=" in href:
        yield Attachment(href.partition("?q=")[2].partition("&")[0], "location")
    elif kind in ("contact", "venue", "game", "invoice", "live_location", "location"):
        yield Attachment(shown[0] if shown else kind, _NAMED.get(kind, "contact"))
    else:
        name = file_name(href) or next(iter(shown), kind)
        yield Attachment(name, _NAMED.get(kind) or (attachment_kind(name) if kind == "file" else kind))


def _shown(node: LexborNode) -> list[str]:
    return list(filter(None, (words(n) for n in node.css(".title, .description, .status"))))


def _answer(node: LexborNode) -> str:
    """The answer without the dash before it and the votes after it."""
    text = "".join(c.text_content or "" for c in node.iter(include_text=True) if "details" not in classes(c))
    return " ".join(text.split()).removeprefix("- ")


def _reactions(body: LexborNode) -> Iterator[str]:
    """ "👍 Ana" for each person shown, "👍 ×3" for those only counted."""
    for reaction in body.css(".reactions .reaction"):
        mark = reaction.css_first(".emoji")
        emoji = words(mark) if mark else "(custom emoji)"
        people = [n.attributes.get("title") or "" for n in reaction.css("[title]")]
        count = reaction.css_first(".count")
        yield from (f"{emoji} {name}" for name in people if name)
        if count:
            yield f"{emoji} ×{words(count)}"
