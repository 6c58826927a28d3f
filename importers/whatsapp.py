"""WhatsApp chats as the app exports them: a text file, or a zip or folder of it with its media.

The file is read twice: `whatsapp_survey` finds out how it is written, `whatsapp_reader` yields the
messages. What a body means is `whatsapp_body`'s business, with the words of `whatsapp_words`.
"""

from collections.abc import Iterator

from importers.base import Item, Options, Problem
from importers.source import Source
from importers.text import looks_binary
from importers.whatsapp_header import find_headers, learn_day_parts
from importers.whatsapp_reader import read_chat
from importers.whatsapp_stream import encoding_of
from importers.whatsapp_title import title_of

_HEAD_LINES = 50
_NEVER_TEXT = frozenset({"json", "html", "htm", "xml", "csv", "db", "sqlite", "vcf", "eml", "mbox"})


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
        if source.members():
            return self._recognise_container(source)
        return confidence(source)

    def _recognise_container(self, source: Source) -> float:
        chats = chat_texts(source)
        if len(chats) != 1:
            return 0.0
        return confidence(chats[0])

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, messages and problems of the chat."""
        chat = source
        if source.members():
            chats = chat_texts(source)
            if not chats:
                yield Problem(0, "There is no WhatsApp chat in it.", skipped=0)
                return
            chat = chats[0]
        yield from read_chat(chat, title_of(source, chat), options)


def chat_texts(source: Source) -> list[Source]:
    """The members that are WhatsApp chats by their content."""
    texts = (m for m in source.members() if m.suffix in ("txt", ""))
    return [m for m in texts if confidence(m) > 0]


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
    if not headers:
        return 0.0
    before = sample.count("\n", 0, headers[0].start)
    if before > 0.4 * len(lines):
        return 0.0
    named = sum(": " in sample[h.end : sample.find("\n", h.end)] for h in headers)
    return 0.9 if named else 0.6


WHATSAPP = WhatsApp()
