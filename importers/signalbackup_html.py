"""Signal on Android, written by signalbackup-tools with `--exporthtml`: a folder a chat, a page or more each.

A record is a message or a notice; the headings of days are none. Earlier versions of an edited message lie inside
it and do not count. The owner's messages have no name. Times are the computer's wall clock.
"""

import re
from collections.abc import Iterator
from datetime import datetime

from selectolax.lexbor import LexborNode

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options
from importers.guard import converted, guarded
from importers.html_pages import (
    attribute,
    blocks,
    child,
    children,
    classes,
    cut_off,
    no_content,
    no_message,
    parsed,
    words,
)
from importers.parts import parts_of
from importers.signalbackup import BACKUP
from importers.source import Source
from importers.times import at, clock_time
from importers.written_dates import written_day

_OPENING = re.compile(r"(?P<inside>(?:</div>|<hr>) *)?<!-- Message: _id:")
_ID = re.compile(r"<!-- Message: _id:(\d+)")
_PART = re.compile(r"(.+?)(?:_(\d+))?\.html?", re.DOTALL)
_TITLE = re.compile(r"<title>(.*?)</title>", re.DOTALL)
_WHEN = re.compile(r"(\w{3,9} {1,2}\d{1,2}, \d{4}) (\d\d:\d\d:\d\d)")
_NAMED = re.compile(r"'(.+)'")
_FROM = re.compile(r"From: (.+)")


class SignalBackupHtml:
    """The importer of signalbackup-tools' web pages."""

    name = "signalbackup-html"
    platform = "signal"
    title = "Signal for Android (signalbackup-tools, HTML)"
    patterns = ("*.html",)
    how_to_export = (
        *BACKUP,
        "Run `signalbackup-tools signal-DATE.backup PASSPHRASE --exporthtml signal-chats`.",
        "Choose the folder signal-chats here: it has a folder for each chat.",
    )

    def recognise(self, source: Source) -> float:
        """By the comment at the top and the classes of a conversation; the tool writes other pages too."""
        head = source.head
        if source.members() or b"signalbackup-tools" not in head[:600]:
            return 0.0
        return 0.95 if b".msg-outgoing" in head and b".conversation-box" in head else 0.0

    def part(self, basename: str) -> tuple[str, int]:
        """Ana.html is page 1, Ana_1.html page 2."""
        found = _PART.fullmatch(basename)
        return (f"{found[1]}.html", int(found[2] or 0) + 1) if found else (basename, 1)

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then the messages of all pages."""
        return guarded(_read(parts_of(source), options.me or ME))


SIGNAL_BACKUP_HTML = SignalBackupHtml()


def _read(pages: tuple[Source, ...], me: str) -> Iterator[Item]:
    yield Facts(naive_times=True)
    number = 0
    for source in pages:
        pieces = blocks(source, _OPENING)
        head = next(pieces, "")
        page = _Page(head, me)
        last = head
        for last in pieces:
            number += 1
            yield from converted([(number, last)], page.items)
        yield from cut_off(number, last)
    if not number:
        yield no_message()


class _Page:
    """Makes messages of blocks; in a chat of two, what comes in is from the one that it is called after."""

    def __init__(self, head: str, me: str) -> None:
        titled = _TITLE.search(head)
        tree = parsed(titled[0]) if titled else None
        title = tree.css_first("title") if tree else None
        self._chat = (words(title) if title else "") or "Signal"
        self._me = me

    def items(self, number: int, block: str) -> Iterator[Item]:
        """The message or notice of a block."""
        tree = parsed(block)
        root = tree.css_first("div.msg") if tree else None
        if root is None:
            yield no_content(number, block)
            return
        found = _ID.match(block)
        style = classes(root)
        notice = "msg-status" in style
        mine = "msg-outgoing" in style
        footer = child(root, "footer-status") if notice else child(root, "footer")
        yield Message(
            chat=self._chat,
            sender=None if notice else self._me if mine else self._sender(root),
            text=_text(root),
            timestamp=_moment(footer),
            kind=_kind(root, style),
            attachments=tuple(_attachments(root)),
            line=number,
            source_id=found[1] if found else None,
            from_me=None if notice else mine,
            edited=footer is not None and child(footer, "edited") is not None,
            reactions=tuple(_reactions(root)),
        )

    def _sender(self, root: LexborNode) -> str:
        named = next((c for c in children(root) if any(n.startswith("msg-name-") for n in classes(c))), None)
        return (words(named) if named else "") or self._chat


def _kind(root: LexborNode, style: set[str]) -> Kind:
    if "msg-status" in style:
        icons = {name for n in root.css(".status-text span") for name in classes(n)}
        return "event" if any("-call" in name for name in icons) else "system"
    return "deleted" if "deleted-msg" in style else "talk"


def _moment(footer: LexborNode | None) -> datetime | None:
    shown = child(footer, "msg-data") if footer is not None else None
    found = _WHEN.search(words(shown)) if shown else None
    return at(written_day(found[1]), clock_time(found[2])) if found else None


def _text(root: LexborNode) -> str:
    """The body, which stands in a `pre` of its own `div`; a poll's question; what view-once media say."""
    lines = []
    for part in children(root):
        style = classes(part)
        if part.tag == "div" and (not style or style & {"msg-all-emoji", "status-text", "viewonce"}):
            lines += [words(n, verbatim=True) for n in children(part) if n.tag == "pre"]
        elif "poll" in style:
            lines += [words(n) for n in part.css(".poll-title")]
        elif "attachment" in style:
            lines += [words(n, verbatim=True) for n in part.css(".caption")]
    return "\n".join(filter(None, (line.strip("\n").rstrip() for line in lines)))


def _attachments(root: LexborNode) -> Iterator[Attachment]:
    """What lies right in the message, not in what it quotes or in its earlier versions."""
    for part in children(root):
        style = classes(part)
        if "attachment" in style:
            yield _file(part)
        elif "shared-contact" in style:
            name = part.css_first(".shared-contact-name")
            yield Attachment((words(name) if name else "") or "contact", "contact")
        elif "poll" in style:
            yield from (Attachment(words(n), "poll") for n in part.css(".poll-option-title"))
        elif "linkpreview" in style:
            title = part.css_first(".linkpreview_title") or part
            yield Attachment(words(title), "link")


def _file(part: LexborNode) -> Attachment:
    """A file under the name that it had, else under that of its copy beside the page."""
    shown = _NAMED.search(words(part)) if "attachment-unknown-type" in classes(part) else None
    node = part.css_first("img[src], source[src]") or part.css_first("a[href]")
    name = file_name(attribute(node, "src") or attribute(node, "href")) if node else "attachment"
    name = shown[1] if shown else name
    kind = attachment_kind(name, attribute(node, "type") if node else "")
    return Attachment(name, "image" if kind == "file" and node and node.tag == "img" else kind)


def _reactions(root: LexborNode) -> Iterator[str]:
    """ "👍 Ana" for each who reacted."""
    row = child(root, "msg-reactions")
    for reaction in children(row) if row is not None else ():
        emoji = reaction.css_first(".msg-emoji")
        about = reaction.css_first(".msg-reaction-info")
        if emoji and about:
            for line in words(about).replace("Received: ", "\n").split("\n"):
                if found := _FROM.search(line):
                    yield f"{words(emoji)} {found[1].strip()}"
