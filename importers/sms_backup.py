"""SMS Backup & Restore: `sms-*.xml` and `calls-*.xml` of Android, and the same form from Signal and Silence.

Such files reach several GB, nearly all of it pictures in base64, and old ones write emoji as two references to
surrogates, which is no XML. So the text is repaired on its way in, the pictures' data never gets further than
that, and each record is parsed on its own: memory stays flat and a fault costs one record. Counted are records
(`sms`, `mms`, `call`). The file lists all `sms` before all `mms`; one of up to 64 MB is put in the order of time,
a larger one is read as it comes. Times are UTC.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from xml.etree.ElementTree import Element

from importers.attachment_kind import attachment_kind, file_name
from importers.base import ME, Attachment, Facts, Item, Kind, Message, Options, Problem
from importers.guard import converted, guarded
from importers.in_time_order import in_time_order
from importers.sms_records import sms_records
from importers.source import Source
from importers.text import clean, head_text
from importers.times import from_epoch

_ROOT = re.compile(r"<(?:smses|calls|allsms)[\s>]")
_RECORD = re.compile(r"<(?:sms|mms|call)\s")
_TOKEN = "insert-address-token"  # how Android writes "this phone"
_UNNAMED = frozenset({"", "null", "(Unknown)", "Unknown"})
_SENT = frozenset({"2", "4", "5", "6"})  # sent, in the outbox, failed, queued
_DRAFT = "3"
_CALLS = {"1": "incoming call", "2": "outgoing call", "3": "missed call", "4": "voicemail", "5": "rejected call",
          "6": "blocked call", "7": "call answered on another device"}  # fmt: skip
_SORTED_BELOW = 64 * 2**20
_NO_TEXT = frozenset({"application/smil", "application/vnd.wap.multipart.related"})


class SmsBackup:
    """The importer of SMS Backup & Restore."""

    name = "sms-backup-restore"
    platform = "sms"
    title = "SMS Backup & Restore (Android)"
    patterns: tuple[str, ...] = ("sms-*.xml", "calls-*.xml")
    how_to_export: tuple[str, ...] = (
        "Install “SMS Backup & Restore” on the phone and choose “Set up a backup”.",
        "Back up messages (and calls, if you like) to the phone's storage or to your cloud drive.",
        "Copy the file sms-DATE.xml to this computer and choose it here; pictures in it are not kept.",
    )

    def recognise(self, source: Source) -> float:
        """By the root element and the first record."""
        if source.suffix not in {"xml", "txt", ""}:
            return 0.0
        head = head_text(source)
        if _ROOT.search(head):
            return 0.95
        return 0.7 if _RECORD.search(head) and "date=" in head else 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, messages and problems, in the order of time where the file is small enough."""
        items = _items(source)
        return guarded(in_time_order(items) if source.size < _SORTED_BELOW else items)


@dataclass(slots=True)
class _Contacts:
    """Names by number, as the records of chats of two give them."""

    names: dict[str, str] = field(default_factory=dict)

    def learn(self, address: str, name: str) -> None:
        """Remember a name, if it is one."""
        if address and name not in _UNNAMED:
            self.names[_digits(address)] = name

    def name(self, address: str) -> str:
        """The name that goes with a number, else the number."""
        return self.names.get(_digits(address), address)


def _items(source: Source) -> Iterator[Item]:
    yield Facts(naive_times=False)
    contacts = _Contacts()
    number = 0
    for record in sms_records(source):
        number += 1
        if isinstance(record, Problem):
            yield record
        else:
            yield from converted([(number, record)], lambda n, r: _message(contacts, n, r))
    if not number:
        yield Problem(0, "There are no messages in this file.", skipped=0)


def _message(contacts: _Contacts, number: int, record: Element) -> Iterator[Item]:
    moment = from_epoch(record.get("date"), 1000)
    read = {"sms": _sms, "mms": _mms, "call": _call}[record.tag]
    yield read(contacts, number, record, moment)
    if moment is None:
        yield Problem(number, "The time of this message could not be read; it is kept without.", skipped=0)


def _value(element: Element, key: str) -> str:
    """An attribute; "null" stands for none in these files."""
    value = element.get(key)
    if not value or value == "null":
        return ""
    return value if value.isascii() else clean(value)


def _sms(contacts: _Contacts, number: int, record: Element, moment: datetime | None) -> Message:
    address = _value(record, "address")
    contacts.learn(address, _value(record, "contact_name"))
    who = contacts.name(address) or "Unknown"
    sort = _value(record, "type")
    from_me = sort in _SENT or sort == _DRAFT
    return Message(
        who, ME if from_me else who, _value(record, "body").rstrip(), moment,
        "event" if sort == _DRAFT else "talk", _subject(_value(record, "subject")), number,
        chat_id=_digits(address) or None, from_me=from_me,
    )  # fmt: skip


def _mms(contacts: _Contacts, number: int, record: Element, moment: datetime | None) -> Message:
    addresses = [a for a in _value(record, "address").split("~") if a and a != _TOKEN]
    name = _value(record, "contact_name")
    if len(addresses) == 1:
        contacts.learn(addresses[0], name)
    senders = [_value(a, "address") for a in record.iter("addr") if _value(a, "type") == "137"]
    from_me = _value(record, "msg_box") in {"2", "4", "5"} or _TOKEN in senders
    sender = next((s for s in senders if s), addresses[0] if len(addresses) == 1 else "")
    texts, attachments = [], [*_subject(_value(record, "sub"))]
    for part in record.iter("part"):
        kind = _value(part, "ct").lower()
        if kind.startswith("text/plain"):
            texts.append(_value(part, "text"))
        elif kind not in _NO_TEXT:
            attachments.append(_attachment(part, kind))
    text = "\n".join(t for t in texts if t).rstrip()
    people = ", ".join(sorted(contacts.name(a) for a in addresses))
    return Message(
        people or "Unknown", ME if from_me else contacts.name(sender) or None, text, moment,
        _mms_kind(record, text, attachments), tuple(attachments), number,
        chat_id="~".join(sorted(map(_digits, addresses))) or None,
        source_id=_value(record, "m_id") or None, from_me=from_me,
    )  # fmt: skip


def _mms_kind(record: Element, text: str, attachments: list[Attachment]) -> Kind:
    """Reports of delivery and unfetched messages hold nothing."""
    if _value(record, "msg_box") == _DRAFT:
        return "event"
    return "talk" if text or attachments else "system"


def _attachment(part: Element, mime: str) -> Attachment:
    name = next((v for v in (_value(part, key) for key in ("name", "cl", "fn", "cid")) if v), "attachment")
    return Attachment(file_name(name).strip("<>"), attachment_kind(name, mime))


def _subject(subject: str) -> tuple[Attachment, ...]:
    """A subject line stands beside the text, since the text is what was written."""
    return (Attachment(subject, "subject"),) if subject and subject.lower() != "nosubject" else ()


def _call(contacts: _Contacts, number: int, record: Element, moment: datetime | None) -> Message:
    address = _value(record, "number")
    contacts.learn(address, _value(record, "contact_name"))
    who = contacts.name(address) or "Unknown"
    sort, seconds = _value(record, "type"), _value(record, "duration")
    text = _CALLS.get(sort, "call") + (f", {seconds} s" if seconds not in {"", "0"} else "")
    from_me = sort == "2"
    return Message(who, ME if from_me else who, text, moment, "event", line=number,
                   chat_id=_digits(address) or None, from_me=from_me)  # fmt: skip


@lru_cache(maxsize=4096)
def _digits(address: str) -> str:
    """A number without spaces and signs, so that one person stays one chat; other addresses as they are."""
    bare = re.sub(r"[\s().\-]", "", address)
    return bare if bare.lstrip("+").isdigit() else address.lower()


SMS_BACKUP = SmsBackup()
