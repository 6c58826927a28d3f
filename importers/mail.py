"""Mail: mbox files of Thunderbird, Apple Mail, Google Takeout and others, and single `.eml` files.

Counted are mails. A mail's text is its plain part, else the words of its HTML; the subject stands beside it. The
chat is the mailbox, and a thread (by References) is a conversation in it.

Where a mail begins in an mbox: at a line "From ADDRESS DATE" with a clock time, after a blank line or at the
start, that is followed by a header line; a body's own "From here on …" is none of that. A bare "From " counts
only in files whose first line is one.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message as MailMessage
from email.policy import Compat32
from email.utils import getaddresses, parsedate_to_datetime
from pathlib import PurePosixPath
from typing import BinaryIO

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Message, Options, Problem
from importers.folder_name import folder_name
from importers.guard import converted, guarded
from importers.html_text import html_text
from importers.source import Source
from importers.text import clean

_MAX_MAIL = 32 * 2**20  # bytes; what lies behind is a large attachment
_MAX_LINE = 2**20
_MAX_HEADER = 20_000  # characters
_SEPARATOR = re.compile(rb"From \S.*\d{1,2}:\d\d")
_BARE = re.compile(rb"From( |$)")
_ESCAPED = re.compile(rb">+From ")
_HEADER = re.compile(rb"[!-9;-~]+:|>?From ")
_MAIL_HEADERS = (
    b"from:",
    b"date:",
    b"subject:",
    b"message-id:",
    b"to:",
    b"received:",
    b"return-path:",
    b"mime-version:",
)
_ENDINGS = frozenset(("eml", "mbox", "mbx", "mboxrd", ""))
_QUOTED_IDS = re.compile(r"<[^<>\s]+>")


class Mail:
    """The importer of mailboxes."""

    name = "mail"
    platform = "mail"
    title = "E-mail (mbox, eml)"
    patterns: tuple[str, ...] = ("*.mbox", "*.eml", "All mail Including Spam and Trash.mbox")
    how_to_export: tuple[str, ...] = (
        "For Gmail open takeout.google.com, choose only “Mail”, create the export, and download it.",
        "In Apple Mail choose a mailbox, then Mailbox → Export Mailbox…; in Thunderbird take the mailbox's file "
        "from the profile folder, or save mails as .eml.",
        "Choose the .mbox file, or the folder of .eml files, here.",
    )

    def recognise(self, source: Source) -> float:
        """By the separator line, or by header lines at the start."""
        head = source.head.lstrip(b"\xef\xbb\xbf\r\n")
        lines = head[:8000].splitlines()
        if len(lines) > 1 and _BARE.match(lines[0]) and _HEADER.match(lines[1]):
            return 0.9 if _has_headers(lines[1:]) else 0.5
        if source.suffix not in _ENDINGS or not lines:
            return 0.0
        return 0.9 if source.suffix == "eml" and _has_headers(lines) else 0.6 if _has_headers(lines, 4) else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the file's order."""
        return guarded(_items(source, options))


def _has_headers(lines: list[bytes], least: int = 2) -> bool:
    """Whether enough of the lines before the first blank one are headers of mail."""
    head = lines[: next((n for n, line in enumerate(lines) if not line.strip()), len(lines))]
    return len({h for line in head for h in _MAIL_HEADERS if line.lower().startswith(h)}) >= least


def _items(source: Source, options: Options) -> Iterator[Item]:
    yield Facts(naive_times=False)
    single = not _BARE.match(source.head.lstrip(b"\xef\xbb\xbf\r\n"))
    chat = folder_name(source) if single else PurePosixPath(source.basename).stem
    if chat.lower() == "mbox":  # Apple Mail: NAME.mbox/mbox
        chat = folder_name(source).removesuffix(".mbox")
    number = 0
    for number, (data, cut) in enumerate(_mails(source, single), 1):
        yield from converted([(number, data)], lambda n, raw: _mail(chat, options.me, n, raw))
        if cut:
            yield Problem(number, "This mail is larger than 32 MB; only its beginning was read.", skipped=0)
    if not number:
        yield Problem(0, "There is no mail in this file.", skipped=0)


def _mails(source: Source, single: bool) -> Iterator[tuple[bytes, bool]]:
    """The bytes of each mail without its separator line, and whether they were cut."""
    with source.open() as stream:
        if single:
            data = stream.read(_MAX_MAIL + 1)
            if data.strip():
                yield data[:_MAX_MAIL], len(data) > _MAX_MAIL
            return
        yield from _split(stream, bare=not _SEPARATOR.match(source.head.lstrip(b"\xef\xbb\xbf\r\n")))


def _split(stream: BinaryIO, *, bare: bool) -> Iterator[tuple[bytes, bool]]:
    mail: list[bytes] = []
    size = 0
    begun, blank = False, True
    held: bytes | None = None  # a separator, if the next line is a header
    pattern = _BARE if bare else _SEPARATOR
    while line := stream.readline(_MAX_LINE):
        if held is not None:
            if _HEADER.match(line):
                if begun:
                    yield b"".join(mail), size > _MAX_MAIL
                mail, size, begun = [], 0, True
            elif begun:
                mail.append(held)
            held = None
        if blank and pattern.match(line.lstrip(b"\xef\xbb\xbf") if not begun else line):
            held, blank = line, False
            continue
        blank = not line.strip()
        size += len(line)
        if begun and size <= _MAX_MAIL:
            mail.append(line[1:] if _ESCAPED.match(line) else line)
    if begun:
        yield b"".join(mail), size > _MAX_MAIL


def _mail(chat: str, me: str | None, number: int, data: bytes) -> Iterator[Item]:
    mail = message_from_bytes(data, policy=_AS_WRITTEN)
    name, address = _sender(mail)
    references = _QUOTED_IDS.findall(_header(mail, "References") + " " + _header(mail, "In-Reply-To"))
    identity = next(iter(_QUOTED_IDS.findall(_header(mail, "Message-ID"))), None)
    answered = _QUOTED_IDS.findall(_header(mail, "In-Reply-To")) or references[-1:]
    text, attachments = _body(mail)
    subject = _header(mail, "Subject")
    moment = _date(mail)
    if not mail.keys() and not text:
        yield Problem(number, "This mail has neither headers nor text.")
        return
    yield Message(
        chat, name or address or None, text, moment, "talk",
        (*((Attachment(subject, "subject"),) if subject else ()), *attachments), number,
        source_id=identity,
        reply_to=next(iter(answered), None),
        conversation=references[0] if references else identity,
        from_me=me.lower() in {name.lower(), address.lower()} if me else None,
    )  # fmt: skip
    if moment is None:
        yield Problem(number, "The date of this mail could not be read; it is kept without.", subject[:80], 0)


class _AsWritten(Compat32):
    """Gives headers as they are; the library's own way replaces letters that are not encoded."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        """The value with its bytes, as surrogates where they are no ASCII."""
        return value


_AS_WRITTEN = _AsWritten()


def _header(mail: MailMessage, name: str) -> str:
    """A header as one line of text, "" where it is missing."""
    return _decoded(str(mail.get(name) or ""))


def _decoded(written: str) -> str:
    """Encoded words become letters; damaged ones stay as they are."""
    text = written = _letters(written[:_MAX_HEADER].encode("utf-8", "surrogateescape"), None)
    if "=?" in written:
        with suppress(ValueError, LookupError, HeaderParseError):
            pieces = decode_header(written)
            text = "".join(p if isinstance(p, str) else _letters(p, charset) for p, charset in pieces)
    return clean(" ".join(text.split()))


def _letters(data: bytes, charset: str | None) -> str:
    """Bytes in the charset that is named, else in UTF-8, else in Latin-1: a wrong name never loses a text."""
    for name in (charset or "utf-8", "utf-8"):
        with suppress(ValueError, LookupError):
            return data.decode(name)
    return data.decode("latin-1")


def _sender(mail: MailMessage) -> tuple[str, str]:
    """Name and address of who wrote it."""
    written = str(mail.get("From") or mail.get("Sender") or "")
    name, address = next(iter(getaddresses([written[:_MAX_HEADER]])), ("", ""))
    return (_decoded(name), clean(address)) if name or address else (_decoded(written), "")


def _date(mail: MailMessage) -> datetime | None:
    """The date it was written, else when the last server got it."""
    received = _header(mail, "Received").rpartition(";")[2]
    for written in (_header(mail, "Date"), received):
        with suppress(ValueError, TypeError, OverflowError):
            moment = parsedate_to_datetime(written[:200])
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None


def _body(mail: MailMessage) -> tuple[str, list[Attachment]]:
    """The text of a mail and what is attached to it."""
    plain: list[str] = []
    html: list[str] = []
    attachments: list[Attachment] = []
    for part in mail.walk():
        if part.is_multipart():
            continue
        mime = part.get_content_type()
        name = _file_name(part)
        if name or part.get_content_disposition() == "attachment" or not mime.startswith("text/"):
            attachments.append(Attachment(name or clean(mime), attachment_kind(name, mime)))
        elif mime == "text/html":
            html.append(_words(part))
        elif mime == "text/plain":
            plain.append(_words(part))
    text = "\n".join(p.strip("\n") for p in plain).strip("\n").rstrip()
    return (text or "\n".join(map(html_text, html)).strip()), attachments


def _file_name(part: MailMessage) -> str:
    return _decoded(part.get_filename() or "")


def _words(part: MailMessage) -> str:
    """The decoded text of a part."""
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    return clean(_letters(data, part.get_content_charset()).replace("\r\n", "\n").replace("\x00", ""))


MAIL = Mail()
