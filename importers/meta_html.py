"""Messenger and Instagram: the web pages of “Export your information”, for people who chose HTML and not JSON.

A thread is a folder with `message_1.html` (the newest) and so on, newest first inside; messages come out oldest
first. A record is an element with a date in its foot; the list of participants at the top is none. Dates are in
the account's language and have no zone; where they are three numbers, which is the day is decided once a download.
What the elements are called has changed over the years: all names that were seen are known here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath

from selectolax.lexbor import LexborNode

from importers.attachment_kind import attachment_kind, file_name
from importers.base import Attachment, DateOrder, Item, Kind, Message, Options, Problem
from importers.folder_name import folder_name
from importers.guard import converted, guarded
from importers.html_pages import attribute, blocks, classes, cut_off, no_content, no_message, parsed, words
from importers.html_text import html_text
from importers.in_time_order import in_time_order
from importers.meta import INSTAGRAM, MESSENGER, Meta
from importers.meta_words import said_by_app
from importers.parts import parts_of
from importers.source import Source
from importers.text import head_text
from importers.times import day
from importers.written_dates import written_moment
from importers.written_times import WrittenTimes, survey

_BLOCK = re.compile(r'<(?:div|section)\b[^<>]*\bclass="(?:[^"]* )?(?:_a6-g|_2lej)(?: [^"]*)?"')
_FOOT = "._a6-o, ._2lem"
_NAME = "._a6-h, ._2lel"
_BODY = "._a6-p, ._2let"
_DATES = re.compile(r'class="[^"]*(?:_a6-o|_2lem)[^"]*"[^<>]*>(?:\s*<[^<>]*>)*([^<]+)')
_SENDERS = re.compile(r'class="[^"]*(?:_a6-h|_2lel)[^"]*"[^<>]*>([^<]+)')
_PART = re.compile(r"message(?:_(\d+))?\.html?", re.IGNORECASE)
_THREAD_FILE = re.compile(r"(?:your_[a-z_]*activity[a-z_]*/)?messages/(?:[^/]+/)?[^/]+/message(?:_\d+)?\.html?")
_REACTION = re.compile(r"([^\w\s]+)\s*(.+?)(?:\s+\([^()]*\d{4}[^()]*\))?")
_UNSENT = re.compile(r"(?:This message was unsent|.{1,60} unsent a message)\.?")
_FOLDERS = {
    "photos": "image", "videos": "video", "audio": "voice", "gifs": "gif", "stickers_used": "sticker",
}  # fmt: skip
_SILENT = frozenset(("ul", "video", "audio"))


class MetaHtml:
    """The importer of one of Meta's two apps, for a download of web pages."""

    patterns = ("message_1.html", "*.zip")

    def __init__(self, same: Meta, *, instagram: bool) -> None:
        self.name = f"{same.name}-html"
        self.platform = same.platform
        self.title = f"{same.title} (HTML)"
        self.how_to_export = (
            *same.how_to_export[:3],
            "If you already have it as HTML, choose that zip here: only its times are less exact.",
        )
        self._same = same
        self._instagram = instagram

    def recognise(self, source: Source) -> float:
        """By the classes of a thread's page, or by the folders of a download; which app it is by the paths."""
        page = source
        if source.members():
            found = next((m for m in source.members() if _THREAD_FILE.fullmatch(m.name)), None)
            if found is None:
                return 0.0
            page = found
        if not _is_thread(page):
            return 0.0
        return 0.9 if _is_instagram(page, source) == self._instagram else 0.0

    def covers(self, name: str) -> bool:
        """The folders of a download, most of which hold no messages."""
        return self._same.covers(name)

    def part(self, basename: str) -> tuple[str, int]:
        """message_2.html is part 2 of its folder."""
        return _part(basename)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then thread by thread, each oldest first."""
        return guarded(_read(source, options))


MESSENGER_HTML = MetaHtml(MESSENGER, instagram=False)
INSTAGRAM_HTML = MetaHtml(INSTAGRAM, instagram=True)


def _part(basename: str) -> tuple[str, int]:
    found = _PART.fullmatch(basename)
    return ("message.html", int(found[1] or 1)) if found else (basename, 1)


def _is_thread(source: Source) -> bool:
    """Whether the page shows messages: posts and comments use the same elements, but in other folders."""
    if source.suffix not in {"html", "htm"} or not _PART.fullmatch(source.basename):
        return False
    return b"_a6-g" in source.head or b"_2lej" in source.head


def _is_instagram(page: Source, source: Source) -> bool:
    """By the paths of the download, or by the links and class names that only Instagram's pages have."""
    name = f"{source.name}/{page.name}".lower()
    if "instagram" in name:
        return True
    if "facebook" in name:
        return False
    head = page.head
    return b"your_instagram_activity" in head or b"_2pim" in head or b"instagram.com" in head


@dataclass(frozen=True, slots=True)
class _Thread:
    """What holds for all messages of a thread."""

    title: str
    path: str | None
    times: WrittenTimes
    me: str | None
    pair: bool  # only two people speak, and the thread is called after one of them

    def is_mine(self, sender: str | None) -> bool | None:
        """By the owner's name; in a chat of two, the thread is called after the other one."""
        if self.me or sender is None:
            return sender == self.me if self.me else None
        return sender != self.title if self.pair else None

    def moment(self, text: str) -> datetime | None:
        """The time in the foot of a message."""
        return self.times.read(text) or written_moment(text) or _numbered_month(text)


def _numbered_month(text: str) -> datetime | None:
    """ "1월 08, 2026 4:41 오전": in Chinese, Japanese and Korean the month is a number, wherever it stands."""
    found = re.match(r"(\d{1,2})\s?[月월]\s?(\d{1,2})[日일]?,?\s+(\d{4}),?\s+(.+)", text.strip())
    moment = day(found[3], found[1], found[2]) if found else None
    return written_moment(f"{moment:%Y-%m-%d} {found[4]}") if found and moment else None


def _read(source: Source, options: Options) -> Iterator[Item]:
    threads: dict[str, list[Source]] = {}
    for member in source.members():
        if _THREAD_FILE.fullmatch(member.name):
            threads.setdefault(member.name.rpartition("/")[0], []).append(member)
    found = list(threads.values()) or [list(parts_of(source))]
    times = _survey([file for files in found for file in files], options.date_order)
    yield replace(times.facts(), naive_times=True)
    for files in found:
        yield from _thread(files, times, options.me, named=bool(threads) or len(files) > 1)


def _thread(files: list[Source], times: WrittenTimes, me: str | None, *, named: bool) -> Iterator[Item]:
    """The pages of one thread, the one with the oldest messages (the highest number) first."""
    files = sorted(files, key=lambda file: _part(file.basename)[1], reverse=True)
    title = _title(files[-1])
    path = "/".join(PurePosixPath(files[-1].name).parts[-3:-1]) or None
    senders = {html_text(name) for file in files for name in _SENDERS.findall(head_text(file))}
    thread = _Thread(title, path, times, me, pair=len(senders) <= 2 and title in senders)
    for file in files:
        for item in in_time_order(_messages(file, thread)):
            if named and isinstance(item, Problem):
                yield replace(item, reason=f"{file.name}: {item.reason}")
            else:
                yield item


def _survey(files: list[Source], order: DateOrder) -> WrittenTimes:
    """How the dates are to be read, by a look at all of them, or at the first 2,000 where months have names."""
    found = (d for file in files for block in blocks(file, _BLOCK) if (d := _DATES.search(block)))
    latest = max((f.modified for f in files if f.modified), default=None)
    return survey((d[1] for d in found), order, latest)


def _title(file: Source) -> str:
    tree = parsed(head_text(file).partition("</title>")[0][:10_000])
    found = tree.css_first("title") if tree else None
    return (words(found) if found else "") or folder_name(file)


def _messages(file: Source, thread: _Thread) -> Iterator[Item]:
    pieces = blocks(file, _BLOCK)
    last = next(pieces, "")
    number = 0
    for last in pieces:
        if not number and not _DATES.search(last):
            continue  # the list of participants
        number += 1
        yield from converted([(number, last)], lambda n, block: _items(n, block, thread))
    if number:
        yield from cut_off(number, last)
    else:
        yield no_message()


def _items(number: int, block: str, thread: _Thread) -> Iterator[Item]:
    tree = parsed(block)
    feet = tree.css(_FOOT) if tree else []
    name = tree.css_first(_NAME) if tree else None
    body = tree.css_first(_BODY) if tree else None
    if body is None and name is None:
        yield no_content(number, block)
        return
    sender = (words(name) if name else "") or None
    attachments = tuple(_attachments(body)) if body else ()
    text, kind = _said(_text(body) if body else "", sender or "", bool(attachments))
    yield Message(
        chat=thread.title,
        sender=sender,
        text=text,
        timestamp=thread.moment(words(feet[-1])) if feet else None,
        kind=kind,
        attachments=attachments,
        line=number,
        chat_id=thread.path,
        from_me=thread.is_mine(sender),
        reactions=tuple(_reactions(body)) if body else (),
    )


def _text(body: LexborNode) -> str:
    """The words, and the addresses of links that do not show theirs."""
    text = html_text(body.html or "", _SILENT)
    hidden = (attribute(a, "href") for a in body.css("a[href]"))
    added = [h for h in dict.fromkeys(hidden) if h.startswith("http") and h not in text]
    return "\n".join([text, *added]).strip()


def _said(text: str, sender: str, has_attachments: bool) -> tuple[str, Kind]:
    """The words, and whether they are talk."""
    if _UNSENT.fullmatch(text):
        return "", "deleted"
    app = said_by_app(text, sender)
    if app == "filler":
        return ("" if has_attachments else text), "talk"
    return text, "event" if app == "call" else "system" if app else "talk"


def _attachments(body: LexborNode) -> Iterator[Attachment]:
    """Files of the download, each once however often it is linked."""
    seen: set[str] = set()
    for node in body.css("a[href], img[src], video[src], audio[src], source[src]"):
        path = attribute(node, "href") or attribute(node, "src")
        name = file_name(path)
        if not name or name in seen or "://" in path or path.startswith(("data:", "mailto:", "tel:", "#")):
            continue
        seen.add(name)
        known = next((kind for folder, kind in _FOLDERS.items() if f"/{folder}/" in f"/{path}"), "")
        yield Attachment(name, known or attachment_kind(name))


def _reactions(body: LexborNode) -> Iterator[str]:
    """ "👍 Ana" for each in the list under a message; newer pages write the time behind the name."""
    for entry in body.css("ul li"):
        if classes(entry.parent or entry) & {"_a6-q", "_tqp"} and (found := _REACTION.fullmatch(words(entry))):
            yield f"{found[1]} {found[2]}"
