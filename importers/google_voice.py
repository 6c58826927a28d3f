"""Google Voice, the web pages of a Takeout: texts, group conversations, calls, voicemail and recordings.

The folder Calls has a page for each stretch of texts with one person or group, and one for each call. A record is
a `div.message` of texts or the `div.haudio` of a call. A person's pages make one chat, in the order of time. Whose
words they are and what kind of call it was is read from the mark-up, which is the same in every language: the
owner's name stands in an `abbr`, others' in a `span`, and the labels link to `#placed`, `#missed`, ….
Times have offsets.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from selectolax.lexbor import LexborHTMLParser, LexborNode

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Message, Options
from importers.guard import converted, guarded
from importers.html_pages import attribute, blocks, no_content, no_message, parsed, words
from importers.in_time_order import in_time_order
from importers.source import Source
from importers.times import from_iso

_RECORD = re.compile(r'<div\b[^<>]*\bclass="(?:message|haudio)"')
_PAGE = re.compile(r"([^/]*) - \d{4}-\d\d-\d\dT\d\d[_:]\d\d[_:]\d\dZ?(?:-\d+)?\.html?")
_BESIDE = re.compile(r"[^/]* - \d{4}-\d\d-\d\dT\d\d[_:]\d\d[_:]\d\dZ?(?:-\d+)*(?:\.\w+)?|[Bb]ills\.html")
_KIND_OF_PAGE = re.compile(r" - \w+$")
_LABEL = re.compile(r"#(placed|received|missed|voicemail|recorded)\b")
_FILLERS = frozenset(("MMS Sent", "MMS Received"))
_NAMED = {"img": "image", "video": "video", "audio": "audio"}


class GoogleVoice:
    """The importer of a Takeout's Voice/Calls folder, or of single pages of it."""

    name = "google-voice"
    platform = "google-voice"
    title = "Google Voice (Google Takeout)"
    patterns = ("takeout-*.zip", "* - Text - *.html")
    how_to_export = (
        "Open takeout.google.com, choose “Deselect all”, then tick “Voice”.",
        "Create the export and download the zip from the link in the mail.",
        "Choose the zip here as it is.",
    )

    def recognise(self, source: Source) -> float:
        """A page by its class names; a folder by a page in it."""
        pages = [m for m in source.members() if _PAGE.fullmatch(m.name)]
        head = (pages[0] if pages else source).head
        if source.members() and not pages:
            return 0.0
        if b'class="hChatLog' in head or (b'class="haudio"' in head and b'class="contributor' in head):
            return 0.95
        return 0.0

    def covers(self, name: str) -> bool:
        """The pages and what lies beside them: pictures, recordings, contact cards."""
        return bool(_BESIDE.fullmatch(name))

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Facts, then problems, then all messages in the order of time."""
        return guarded(_read(source, options))


GOOGLE_VOICE = GoogleVoice()


def _read(source: Source, options: Options) -> Iterator[Item]:
    yield Facts()
    pages = tuple(m for m in source.members() if _PAGE.fullmatch(m.basename)) or (source,)
    yield from in_time_order(_all(pages, options.me or ME))


def _all(pages: tuple[Source, ...], me: str) -> Iterator[Item]:
    number = 0
    for source in pages:
        page = _Page(source, me)
        yield from page.read(number)
        if page.number == number:
            nothing = no_message()
            yield replace(nothing, line=number, reason=f"{source.basename}: {nothing.reason}")
        number = page.number


class _Page:
    """One page: a stretch of texts with someone, or one call."""

    def __init__(self, source: Source, me: str) -> None:
        self._source = source
        self._me = me
        self._chat = ""
        self._chat_id: str | None = None
        self.number = 0

    def read(self, before: int) -> Iterator[Item]:
        """The page's messages, numbered on from `before`."""
        pieces = blocks(self._source, _RECORD)
        self._begin(next(pieces, ""))
        self.number = before
        for block in pieces:
            self.number += 1
            yield from converted([(self.number, block)], self._items)

    def _begin(self, head: str) -> None:
        """The chat's name: that of the other person, or those of a group's members."""
        tree = parsed(head)
        people = tree.css(".participants .tel") if tree else []
        if people:
            self._chat = ", ".join(sorted(_person(p) for p in people))
            self._chat_id = "group:" + ",".join(sorted(_telephone(p) or _person(p) for p in people))
            return
        found = _PAGE.fullmatch(self._source.basename)
        name = _KIND_OF_PAGE.sub("", found[1]) if found else PurePosixPath(self._source.basename).stem
        self._chat = name.strip(" -") or "Unknown"

    def _items(self, number: int, block: str) -> Iterator[Item]:
        tree = parsed(block)
        call = tree.css_first("div.haudio") if tree else None
        said = tree.css_first("div.message") if tree else None
        if tree is not None and call is not None:
            yield self._call(number, call, _label(tree))
        elif said is not None:
            yield self._text(number, said)
        else:
            yield no_content(number, block)

    def _text(self, number: int, said: LexborNode) -> Message:
        person = said.css_first(".sender .tel") or said.css_first(".tel")
        mine = person is not None and person.css_first("abbr.fn") is not None
        body = said.css_first("q")
        moment = said.css_first("abbr.dt")
        attachments = tuple(_attachments(said))
        text = words(body) if body else ""
        return Message(
            chat=self._chat,
            sender=self._me if mine else _person(person) if person else None,
            text="" if attachments and text in _FILLERS else text,
            timestamp=from_iso(attribute(moment, "title")) if moment else None,
            attachments=attachments,
            line=number,
            chat_id=self._chat_id,
            from_me=mine,
        )

    def _call(self, number: int, call: LexborNode, label: str) -> Message:
        """A call says so in its heading's words; a voicemail says its transcript and has the recording."""
        person = call.css_first(".contributor .tel")
        heading = call.css_first(".contributor")
        moment = call.css_first("abbr.published")
        length = call.css_first("abbr.duration")
        spoken = call.css_first(".full-text")
        recordings = tuple(Attachment(file_name(attribute(a, "src")), "voice") for a in call.css("audio[src]"))
        mine = label == "placed"
        other = _person(person) if person else ""
        event = [words(heading) if heading else "", words(length) if length else ""]
        if other not in event[0]:
            event.insert(1, other)
        left = label == "voicemail" and bool(recordings or spoken)
        return Message(
            chat=self._chat,
            sender=self._me if mine else other or self._chat,
            text=words(spoken) if spoken else "" if left else " ".join(filter(None, event)) or "call",
            timestamp=from_iso(attribute(moment, "title")) if moment else None,
            kind="talk" if left else "event",
            attachments=recordings,
            line=number,
            from_me=mine,
        )


def _person(link: LexborNode) -> str:
    """A name, a number where there is no name; "" where there is neither."""
    name = link.css_first(".fn")
    return (words(name) if name else "") or _telephone(link)


def _telephone(link: LexborNode) -> str:
    return attribute(link, "href").removeprefix("tel:").strip()


def _label(tree: LexborHTMLParser) -> str:
    """placed, received, missed, voicemail or recorded; "" where no label says it."""
    links = (attribute(a, "href") for a in tree.css(".tags a"))
    return next((found[1] for link in links if (found := _LABEL.search(link))), "")


def _attachments(said: LexborNode) -> Iterator[Attachment]:
    """Pictures and sounds, and links to videos and contact cards; the names often have no ending."""
    for node in said.css("img[src], video[src], audio[src]"):
        name = file_name(attribute(node, "src"))
        yield Attachment(name, _NAMED.get(node.tag or "", "file"))
    for link in said.css("a.vcard[href], a.video[href], a.audio[href]"):
        if "tel" not in attribute(link, "class"):
            name = file_name(attribute(link, "href"))
            kind = "contact" if "vcard" in attribute(link, "class") else attribute(link, "class").split()[0]
            yield Attachment(name, kind if attachment_kind(name) == "file" else attachment_kind(name))
