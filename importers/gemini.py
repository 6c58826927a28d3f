"""Gemini: "My Activity" of Google Takeout, as JSON or as HTML (folder names are translated).

A record is a prompt and, in most, the answer as HTML; there are no conversations in it, so none are claimed.
The words before the prompt ("Prompted …") are in the account's language: where they are not English they are
found as what the titles of the answered records have in common. Other products' records and other doings lie
in the same list. Counted are records; the answer is part of its prompt's record. The file is newest first and
is put in order.
"""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import takewhile
from typing import Any

from importers.attachment_kind import attachment_kind
from importers.base import Attachment, Facts, Item, Message, Options, Problem, excerpt
from importers.gemini_html import activity_records
from importers.guard import converted, guarded
from importers.html_text import html_text
from importers.in_time_order import in_time_order
from importers.json_stream import Piece, pieces, shape
from importers.source import Source
from importers.text import clean, head_text
from importers.times import from_iso_utc

PRODUCTS = ("gemini", "bard")
USER, ASSISTANT = "user", "Gemini"
_PROMPTED = ("Prompted ",)
_ENGLISH_DOINGS = re.compile(
    r"(?:Used|Created|Gave|Selected|Viewed|Turned|Deleted|Shared|Opened|Visited|Uploaded|Generated|Edited|Changed|"
    r"Searched|Live)\b"
)


class Gemini:
    """The importer of Gemini's activity."""

    name = "gemini"
    platform = "gemini"
    title = "Gemini (Google Takeout)"
    patterns: tuple[str, ...] = ("MyActivity.json", "MyActivity.html", "takeout-*.zip")
    how_to_export: tuple[str, ...] = (
        "Open takeout.google.com, choose “Deselect all”, then tick “My Activity”.",
        "Under “All activity data included” leave only Gemini Apps, and under “Multiple formats” choose JSON.",
        "Create the export, download the zip from the link in the mail, and choose it here.",
    )

    def recognise(self, source: Source) -> float:
        """By the records' keys and the product's name."""
        if source.suffix == "json":
            found = shape(source)
            if not {"item.header", "item.title", "item.time"} <= found.keys():
                return 0.0
            return 0.95 if any(p in head_text(source).lower() for p in PRODUCTS) else 0.4
        if source.suffix in {"html", "htm"}:
            head = head_text(source)
            return 0.9 if "outer-cell" in head and any(p in head.lower() for p in PRODUCTS) else 0.0
        return 0.0

    def read(self, source: Source, options: Options) -> Iterator[Item]:
        """Yield facts, then messages and problems in the order of time."""
        return guarded(_items(source))


def _items(source: Source) -> Iterator[Item]:
    is_html = source.suffix in {"html", "htm"}
    yield Facts(naive_times=is_html and _is_naive(source))
    opening, closing = _wording(source, is_html)
    others: Counter[str] = Counter()

    def convert(number: int, record: Any) -> Iterator[Item]:
        if not any(p in f"{record.get('header')} {record.get('products')}".lower() for p in PRODUCTS):
            others[clean(str(record.get("header")))] += 1
            return
        yield from _messages(number, record, opening, closing)

    records = _records(source, is_html)
    yield from in_time_order(_converted(records, convert))
    if others:
        named = ", ".join(name for name, _ in others.most_common(3))
        yield Problem(0, "These records are of other products and no chat.", excerpt(named), others.total())


def _is_naive(source: Source) -> bool:
    """Whether the first time of the HTML form names no zone that is known."""
    first = (r.value["time"] for r in activity_records(source) if isinstance(r, Piece) and r.value["time"])
    moment: datetime | None = next(first, None)
    return moment is not None and moment.tzinfo is None


def _converted(records: Iterator[Piece | Problem], convert: Any) -> Iterator[Item]:
    for record in records:
        if isinstance(record, Problem):
            yield record
        else:
            yield from converted([(record.number, record.value)], convert)


def _records(source: Source, is_html: bool) -> Iterator[Piece | Problem]:
    if is_html:
        return activity_records(source)
    return pieces([source], into={""}, take={"item"})


def _messages(number: int, record: dict[str, Any], opening: str, closing: str) -> Iterator[Item]:
    title = clean(str(record.get("title") or "")).strip()
    moment = record["time"] if isinstance(record.get("time"), datetime) else from_iso_utc(record.get("time"))
    answer = "\n\n".join(
        html_text(clean(part["html"]))
        for part in record.get("safeHtmlItem") or ()
        if isinstance(part, dict) and isinstance(part.get("html"), str)
    ).strip()
    prompt = _prompt(title, opening, closing)
    if prompt is None and not answer:
        yield Message("Gemini", None, title, moment, "event", line=number)
    else:
        yield Message(
            "Gemini", USER, title if prompt is None else prompt, moment, attachments=_attachments(record),
            line=number, from_me=True,
        )  # fmt: skip
    if answer:
        yield Message("Gemini", ASSISTANT, answer, moment, line=number, lines=0, from_me=False)
    if moment is None:
        yield Problem(number, "The time of this record could not be read; it is kept without.", excerpt(title), 0)


def _prompt(title: str, opening: str, closing: str) -> str | None:
    """What the person wrote, None where the title tells of something else."""
    for start in _PROMPTED:
        if title.startswith(start):
            return title[len(start) :].strip()
    if _ENGLISH_DOINGS.match(title) and not opening:
        return None
    if (opening or closing) and title.startswith(opening) and title.endswith(closing):
        return title[len(opening) : len(title) - len(closing)].strip()
    return None


def _wording(source: Source, is_html: bool) -> tuple[str, str]:
    """What stands before and after the prompt in this account's language, from the first answered records."""
    titles: list[str] = []
    for record in _records(source, is_html):
        value = record.value if isinstance(record, Piece) else None
        if isinstance(value, dict) and value.get("safeHtmlItem") and isinstance(value.get("title"), str):
            titles.append(clean(value["title"]).strip())
        if len(titles) >= 50 or (isinstance(record, Piece) and record.number > 2000):
            break
    titles = sorted(set(titles))
    if len(titles) < 3 or any(t.startswith(_PROMPTED) for t in titles):
        return "", ""
    opening = _common_start(titles)
    opening = re.sub(r"[^\s:：「“\"«]*\Z", "", opening[:80])
    closing = _common_start([t[len(opening) :][::-1] for t in titles])[::-1]
    return opening, re.sub(r"\A[^\s」”\"»]*", "", closing[-80:])


def _common_start(texts: list[str]) -> str:
    """The letters with which all texts begin."""
    first, last = min(texts), max(texts)
    same = (a == b for a, b in zip(first, last, strict=False))
    return first[: sum(1 for _ in takewhile(bool, same))]


def _attachments(record: dict[str, Any]) -> tuple[Attachment, ...]:
    names = record.get("attachedFiles") or [record[key] for key in ("imageFile", "audioFiles") if record.get(key)]
    flat = [n for name in names for n in (name if isinstance(name, list) else [name]) if isinstance(n, str)]
    if not flat:
        notes = (s.get("name") for s in record.get("subtitles") or () if isinstance(s, dict))
        flat = [note for note in notes if isinstance(note, str)]
        flat = flat[1:] or flat  # the first only counts the others
    return tuple(Attachment(clean(name), attachment_kind(name)) for name in flat)


GEMINI = Gemini()
