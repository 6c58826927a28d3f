"""iMessage, written by imessage-exporter as web pages (1.x to 4.x): one file a chat.

A record is a `div.message` or a `div.announcement`. Replies are printed twice: inside the message that they
answer, and again in their own place; only the latter count, and the former tell what they answer. Times are the
wall clock of the computer that exported; the link under a time has the message's own id.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath

from selectolax.lexbor import LexborNode

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options
from importers.guard import converted, guarded
from importers.html_pages import (
    attribute,
    blocks,
    children,
    classes,
    cut_off,
    no_content,
    no_message,
    parsed,
    words,
)
from importers.html_text import html_text
from importers.imessage_exporter import reaction_of
from importers.source import Source
from importers.text import head_text
from importers.times import at, clock_time
from importers.written_dates import written_day

_OPENING = re.compile(
    r'(?P<inside><div class="reply"[^<>]*>\s*)?<div class ?="(?:message|announcement)"[^<>]*>(?=\s*<(?:div|p)\b)'
)
_SHOWN = re.compile(
    r'class ?="(?:message|announcement)"[^<>]*>\s*<(?:div class="(?:sent|received)|p>\s*<span class="time)'
)
_TIME = re.compile(r"([A-Z][a-z]{2} {1,2}\d{1,2}, \d{4}) {1,2}(\d{1,2}:\d\d:\d\d [AP]M)")
_GUID = re.compile(r"message-guid=([\w:/-]+)")
_MEDIA = {"img": "image", "video": "video", "audio": "audio", "source": "video"}
_DOWNLOAD = re.compile(r"Click to download (.+?)(?: \([\d.]+ [KMGT]?i?B\))?$")
_EVENTS = ("shareplay", "shared_location")


class IMessageHtml:
    """The importer of imessage-exporter's web pages."""

    name = "imessage-html"
    platform = "imessage"
    title = "iMessage (imessage-exporter, HTML)"
    patterns = ("*.html",)
    how_to_export = (
        "On the Mac install imessage-exporter (`brew install imessage-exporter`) and let your terminal read the "
        "whole disk in System Settings → Privacy & Security.",
        "Run `imessage-exporter -f html -o imessage-chats`.",
        "Choose the folder imessage-chats here: it has one page a chat.",
    )

    def recognise(self, source: Source) -> float:
        """By the first message or announcement, or by the style sheet where that fills the first 64 KB."""
        if source.members() or b"class" not in source.head or b"<html" not in source.head[:200].lower():
            return 0.0
        head = head_text(source)
        if 'class="page_wrap"' in head:
            return 0.0
        styled = ".reply_context" in head and ".message_part" in head
        return 0.95 if _SHOWN.search(head) else 0.9 if styled else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the messages in the page's order."""
        return guarded(_read(source, options.me or ME))


IMESSAGE_HTML = IMessageHtml()


def _read(source: Source, me: str) -> Iterator[Item]:
    yield Facts(naive_times=True)
    page = _Page(PurePosixPath(source.basename).stem, me)
    pieces = blocks(source, _OPENING)
    last = next(pieces, "")
    number = 0
    for number, block in enumerate(pieces, 1):
        last = block
        yield from converted([(number, block)], page.items)
    if number:
        yield from cut_off(number, last)
    else:
        yield no_message()


class _Page:
    """Makes messages of blocks, and knows which message each reply answers."""

    def __init__(self, chat: str, me: str) -> None:
        self._chat = chat
        self._me = me
        self._answers: dict[str, str] = {}

    def items(self, number: int, block: str) -> Iterator[Item]:
        """The message or announcement of a block."""
        tree = parsed(block)
        found = tree.css_first("div.message, div.announcement") if tree else None
        if found is None:
            yield no_content(number, block)
        elif "announcement" in classes(found):
            yield self._announcement(number, found)
        else:
            yield self._message(number, found)

    def _announcement(self, number: int, found: LexborNode) -> Message:
        stamp = found.css_first(".timestamp")
        when = _moment(words(stamp)) if stamp else None
        if stamp:
            stamp.decompose()
        return Message(self._chat, None, words(found), when, "system", line=number)

    def _message(self, number: int, found: LexborNode) -> Message:
        stamp = found.css_first(".timestamp")
        guid = _guid(found, stamp)
        for reply in found.css(".replies > .reply"):
            if guid and attribute(reply, "id"):
                self._answers[attribute(reply, "id")] = guid
        for nested in found.css(".replies"):
            nested.decompose()
        bubble = next((c for c in children(found) if classes(c) & {"sent", "received"}), found)
        mine = "sent" in classes(bubble)
        name = found.css_first(".sender")
        text, attachments, kind, edited = _content(found)
        return Message(
            chat=self._chat,
            sender=self._me if mine else (words(name) if name else "") or None,
            text=text,
            timestamp=_moment(words(stamp)) if stamp else None,
            kind=kind,
            attachments=attachments,
            line=number,
            source_id=guid,
            reply_to=self._answers.pop(guid, None) if guid else None,
            from_me=mine,
            edited=edited,
            reactions=tuple(_reactions(found)),
        )


def _guid(found: LexborNode, stamp: LexborNode | None) -> str | None:
    link = stamp.css_first("a") if stamp else None
    linked = _GUID.search(attribute(link, "href")) if link else None
    return linked[1] if linked else attribute(found, "id").removeprefix("r-") or None


def _moment(text: str) -> datetime | None:
    found = _TIME.search(text)
    return at(written_day(found[1]), clock_time(found[2])) if found else None


def _content(found: LexborNode) -> tuple[str, tuple[Attachment, ...], Kind, bool]:
    """The text, what hung on it, what kind of message it is, and whether it was edited."""
    subject = found.css_first(".subject")
    lines = [words(subject, verbatim=True)] if subject else []
    attachments: list[Attachment] = []
    unsent = False
    for part in found.css(".message_part"):
        attachments += _attachments(part)
        said, gone = _said(part)
        lines += said
        unsent |= gone
    events = [words(n) for name in _EVENTS for n in found.css(f".{name}")]
    text = "\n".join(filter(None, (line.strip("\n").rstrip() for line in lines + events)))
    deleted = found.css_first(".deleted") is not None or (unsent and not text and not attachments)
    edited = found.css_first(".edited") is not None
    return text, tuple(attachments), "deleted" if deleted else "event" if events else "talk", edited


def _said(part: LexborNode) -> tuple[list[str], bool]:
    """The words of one part of a message, and whether it was taken back."""
    edited = part.css(".edited tr")
    if edited:
        cells = edited[-1].css("td")
        gone = edited[-1].css_first(".unsent") is not None
        return ([words(cells[-1], verbatim=True).strip()] if cells and not gone else []), gone
    if part.css_first(".unsent") is not None:
        return [], True
    lines = [words(n, verbatim=True) for n in part.css(".bubble")]
    lines += [_of_app(n) for n in part.css(".app")]
    lines += [words(n) for n in part.css(".transcription")]
    return lines, False


def _of_app(app: LexborNode) -> str:
    """What an app's balloon shows, and where it links to."""
    link = app.css_first("a[href]")
    target = attribute(link, "href") if link else ""
    shown = "\n".join(filter(None, (line.strip() for line in html_text(app.html or "").split("\n"))))
    return "\n".join(filter(None, (target if target.startswith("http") and target not in shown else "", shown)))


def _attachments(part: LexborNode) -> Iterator[Attachment]:
    """Pictures, films, sounds, files to load and stickers; those of an app's balloon are its decoration."""
    seen: set[str] = set()
    for node in part.css("img[src], video[src], source[src], audio[src], .attachment a[href], .attachment_error"):
        name, kind = _described(node)
        if name and name not in seen and not _within(node, "app"):
            seen.add(name)
            yield Attachment(name, "sticker" if _within(node, "sticker") else kind)


def _described(node: LexborNode) -> tuple[str, str]:
    if node.tag == "a":
        shown = _DOWNLOAD.match(words(node))
        name = shown[1] if shown else file_name(attribute(node, "href"))
        return name, attachment_kind(name)
    if "attachment_error" in classes(node):
        name = words(node).partition(": ")[2] or "attachment"
        return name, attachment_kind(name)
    name = file_name(attribute(node, "src"))
    known = attachment_kind(name)
    return name, _MEDIA.get(node.tag or "", "file") if known == "file" else known


def _within(node: LexborNode, name: str) -> bool:
    """Whether the element lies in one of that class, inside its part of the message."""
    above = node.parent
    while above is not None and not classes(above) & {"message_part", "message"}:
        if name in classes(above):
            return True
        above = above.parent
    return False


def _reactions(found: LexborNode) -> Iterator[str]:
    for node in found.css(".tapbacks > .tapback, .reactions > .reaction, .reactions > p > .reaction"):
        line = words(node)
        if reaction := reaction_of(line):
            yield reaction
        elif line.startswith("from "):
            yield f"sticker {line[5:]}"
