"""WhatsApp chats as the app exports them: a text file, or a zip or folder of it with its media.

The file is read twice: `whatsapp_survey` finds out how it is written, `whatsapp_reader` yields the
messages. What a body means is `whatsapp_body`'s business, with the words of `whatsapp_words`.
"""

import re
from collections.abc import Iterator

from importers.base import Facts, Item, Options, Problem
from importers.source import Source
from importers.text import looks_binary
from importers.whatsapp_body import is_notice
from importers.whatsapp_header import Header, find_headers, learn_day_parts
from importers.whatsapp_reader import read_chat
from importers.whatsapp_stream import encoding_of
from importers.whatsapp_title import title_in, title_of

CHAT_NAME = "_chat.txt"
"""What the iPhone calls every chat in its zip."""
LIKELY = 0.5
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_NICK = re.compile(r"<[^<>\s]{1,40}> ")  # who speaks in logs of IRC
_HEAD_LINES = 50
_MAX_BEFORE = 0.4  # of the first lines may stand before the first message


class WhatsApp:
    """WhatsApp's text export, from Android and iPhone, in any language."""

    name = "whatsapp"
    platform = "whatsapp"
    title = "WhatsApp"
    patterns = ("_chat.txt", "WhatsApp Chat with *.txt", "WhatsApp Chat with *.zip", "WhatsApp Chat - *.zip")
    how_to_export = (
        "Android: open the chat, tap ⋮, then More, then Export chat, and choose whether to include media.",
        "iPhone: open the chat, tap its name at the top, scroll down to Export Chat, and choose whether to "
        "attach media.",
        "Save the file or send it to this computer, then drop it here as it is; a zip need not be unpacked.",
    )

    def recognise(self, source: Source) -> float:
        """How sure we are: a text by its first lines, a folder or zip by the one chat text in it."""
        if not source.members():
            return confidence(source)
        chats = chat_texts(source)
        return confidence(chats[0]) if len(chats) == 1 and self.covers(chats[0].name) else 0.0

    def covers(self, name: str) -> bool:
        """Whether a file of a folder or zip is the chat by its name, or a contact sent in it."""
        base = name.rpartition("/")[2]
        return base.lower() == CHAT_NAME or base.lower().endswith(".vcf") or title_in(base) is not None

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, messages and problems of the chat."""
        chats = chat_texts(source) if source.members() else [source]
        if chats:
            return read_chat(chats[0], title_of(source, chats[0]), options)
        return iter((Facts(naive_times=True), Problem(0, "There is no WhatsApp chat in it.", skipped=0)))


def chat_texts(source: Source) -> list[Source]:
    """The members that are WhatsApp chats by their content."""
    texts = (m for m in source.members() if m.suffix in ("txt", ""))
    return [m for m in texts if confidence(m) >= LIKELY]


def confidence(source: Source) -> float:
    """How much the first lines look like a WhatsApp chat: 0 to 1."""
    head = source.head
    encoding = encoding_of(head)
    if not head or (looks_binary(head) and not encoding.startswith("utf-16")):
        return 0.0
    text = head.decode(encoding, "replace").removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n", _HEAD_LINES)[:_HEAD_LINES]
    sample = "\n" + "\n".join(lines)
    headers = list(find_headers(sample, learn_day_parts(sample)))
    if not headers or sample.count("\n", 0, headers[0].start) > _MAX_BEFORE * len(lines):
        return 0.0
    firsts = [sample[h.end :].partition("\n")[0] for h in headers]
    if sum(bool(_NICK.match(first)) for first in firsts) * 2 > len(firsts):
        return 0.0
    if not any(": " in first or first.endswith(":") for first in firsts):
        return 0.6 if any(is_notice(first) for first in firsts) else _only_notices(headers)
    app_named = source.basename.lower() == CHAT_NAME or title_in(source.basename) is not None
    return 0.97 if app_named else 0.6 if source.suffix == "md" else 0.9


def _only_notices(headers: list[Header]) -> float:
    """Lines without a sender are WhatsApp's as likely as not; with an ISO date rather some log's."""
    return 0.3 if any(_ISO.search(header.date) for header in headers) else LIKELY


WHATSAPP = WhatsApp()
