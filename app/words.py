"""Numbers, dates and counts as a person reads them, in the person's language and locale.

Every function takes plain values and returns text; none needs a window. Counts have two forms, one and
many, which is what English and Chinese need.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from PySide6.QtCore import QDate, QDateTime, QLocale, QTime

from app.data import Json, Place, Searched, Status, Step
from app.i18n import translate

PLATFORMS = {
    "whatsapp": "WhatsApp",
    "telegram": "Telegram",
    "chatgpt": "ChatGPT",
    "claude": "Claude",
    "discord": "Discord",
    "slack": "Slack",
    "signal": "Signal",
    "imessage": "iMessage",
    "line": "LINE",
    "kakaotalk": "KakaoTalk",
    "wechat": "WeChat",
    "viber": "Viber",
    "sms": "SMS",
    "irc": "IRC",
    "matrix": "Matrix",
    "mail": "Mail",
    "gemini": "Gemini",
    "google_chat": "Google Chat",
    "skype": "Skype",
    "teams": "Teams",
    "messenger": "Messenger",
    "instagram": "Instagram",
}
DOT = " · "
NAMED_IN_TRACE = 3  # places of a step that are named


def platform_title(platform: str) -> str:
    """The name of a chat app as its maker writes it."""
    return PLATFORMS.get(platform.lower(), platform.replace("_", " ").capitalize())


def number(value: int) -> str:
    """A whole number with the locale's separators."""
    return QLocale().toString(value)


def size(value: int) -> str:
    """A size in bytes."""
    return QLocale().formattedDataSize(value, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)


def moment(timestamp: str) -> datetime | None:
    """The wall clock of an ISO timestamp, None where there is none or it cannot be read."""
    try:
        return datetime.fromisoformat(timestamp)
    except ValueError:
        return None


def _qdate(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)


def day_heading(timestamp: str) -> str:
    """“Thursday, 14 March 2024” in the locale's order."""
    at = moment(timestamp)
    return (
        QLocale().toString(_qdate(at.date()), QLocale.FormatType.LongFormat)
        if at
        else translate("Words", "No date")
    )


def short_date(timestamp: str) -> str:
    """“14 Mar 2024”."""
    at = moment(timestamp)
    if at is None:
        return translate("Words", "no date")
    return QLocale().toString(
        _qdate(at.date()), translate("Words", "d MMM yyyy", "date format of Qt: 14 Mar 2024")
    )


def month(timestamp: str) -> str:
    """“Mar 2024”."""
    at = moment(timestamp if len(timestamp) > 7 else timestamp + "-01")
    if at is None:
        return ""
    return QLocale().toString(_qdate(at.date()), translate("Words", "MMM yyyy", "date format of Qt: Mar 2024"))


def clock(timestamp: str) -> str:
    """“16:30” or “4:30 PM”, as the locale has it."""
    at = moment(timestamp)
    return QLocale().toString(QTime(at.hour, at.minute), QLocale.FormatType.ShortFormat) if at else ""


def date_and_time(timestamp: str) -> str:
    """“Thu 14 Mar 2024, 16:30”."""
    at = moment(timestamp)
    if at is None:
        return translate("Words", "no date")
    pattern = translate("Words", "ddd d MMM yyyy", "date format of Qt: Thu 14 Mar 2024")
    value = QDateTime(_qdate(at.date()), QTime(at.hour, at.minute))
    return f"{QLocale().toString(value.date(), pattern)}, {clock(timestamp)}"


def date_range(first: str, last: str) -> str:
    """“Jan 2019 – Mar 2024”, one month alone where both fall in it."""
    one, other = month(first), month(last)
    if not one or not other or one == other:
        return one or other
    return f"{one} – {other}"


def duration(seconds: float) -> str:
    """“0.4 s”, “14 s”, “3 min 20 s”, “2 h 5 min”."""
    whole = round(seconds)
    if seconds < 10 and seconds != whole:
        return translate("Words", "{n} s").format(n=QLocale().toString(float(seconds), "f", 1))
    if whole < 60:
        return translate("Words", "{n} s").format(n=whole)
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return translate("Words", "{m} min {s} s").format(m=minutes, s=rest)
    return translate("Words", "{h} h {m} min").format(h=minutes // 60, m=minutes % 60)


def seconds_line(done: int, total: int) -> str:
    """“12 s of 60 s”."""
    return translate("Words", "{done} of {total}").format(done=duration(done), total=duration(total))


def counted(value: int, one: str, many: str) -> str:
    """The form for the count, with the number put in. Both forms are translated already."""
    return (one if value == 1 else many).format(n=number(value))


def messages(value: int) -> str:
    """“1 message”, “2,410 messages”."""
    return counted(value, translate("Words", "{n} message"), translate("Words", "{n} messages"))


def chats(value: int) -> str:
    """“1 chat”, “12 chats”."""
    return counted(value, translate("Words", "{n} chat"), translate("Words", "{n} chats"))


def places(value: int) -> str:
    """“1 place”, “5 places”."""
    return counted(value, translate("Words", "{n} place"), translate("Words", "{n} places"))


def searches(value: int) -> str:
    """“1 search”, “4 searches”."""
    return counted(value, translate("Words", "{n} search"), translate("Words", "{n} searches"))


def files(value: int) -> str:
    """“1 file”, “12 files”."""
    return counted(value, translate("Words", "{n} file"), translate("Words", "{n} files"))


def lines(value: int) -> str:
    """“1 line”, “12 lines”."""
    return counted(value, translate("Words", "{n} line"), translate("Words", "{n} lines"))


def coverage(searched: Searched, total_chats: int) -> str:
    """“4 searches · 37 of 212 chats · Jan 2019 – Mar 2024 · 14 s”; parts that are not known are left out."""
    parts = [searches(searched.searches)] if searched.searches else []
    if searched.chats and total_chats > searched.chats:
        some, everything = number(searched.chats), number(total_chats)
        parts.append(translate("Words", "{some} of {all} chats read").format(some=some, all=everything))
    elif searched.chats:
        parts.append(translate("Words", "all chats read") if total_chats else chats(searched.chats))
    parts.append(date_range(searched.first, searched.last))
    if searched.seconds:
        parts.append(duration(searched.seconds))
    return DOT.join(part for part in parts if part)


def who_and_when(place: Place) -> str:
    """“Mum, 12 Mar 2024”."""
    return ", ".join(part for part in (place.sender, short_date(place.timestamp)) if part)


def _some_of(turns: Sequence[Any], known: Mapping[int, Place]) -> str:
    """Who and when of the first places among turns; empty where none is known."""
    named = dict.fromkeys(who_and_when(known[turn]) for turn in turns if turn in known)
    return "; ".join(list(named)[:NAMED_IN_TRACE])


def trace_line(step: Step, known: Mapping[int, Place]) -> str:
    """One step of the search trace in words, with the first of the known places that it gave."""
    given = step.input if isinstance(step.input, dict) else {}
    if step.action == "search_chatrecord":
        words = given.get("keywords") or step.input or ""
        query = " ".join(map(str, words)) if isinstance(words, list) else str(words)
        text = translate("Words", "Searched for “{query}”").format(query=query)
        days = [str(given[key]) for key in ("date_from", "date_to") if given.get(key)]
        if days:
            text += f" ({' – '.join(short_date(day) for day in days)})"
        text = f"{text}: {places(len(step.hits))}"
    elif step.action == "take_note":
        noted = given.get("indices") or step.hits
        text = translate("Words", "Kept {places}").format(places=places(len(noted)))
    elif step.action == "finish_search":
        return translate("Words", "Finished searching")
    else:
        return step.action.replace("_", " ").capitalize()
    return DOT.join(part for part in (text, _some_of(step.hits, known)) if part)


def archive_line(status: Status) -> str:
    """“4 chats · 2,410 messages · Jan 2022 – Mar 2024”."""
    parts = [chats(status.chats), messages(status.messages), date_range(status.first, status.last)]
    return DOT.join(part for part in parts if part)


def progress_line(done: int, total: int | None, rate: float, seconds_left: float | None) -> str:
    """“1,200 of 8,000 · 350 a second · 20 s left”."""
    text = number(done)
    if total:
        text = translate("Words", "{done} of {total}").format(done=number(done), total=number(total))
    parts = [text]
    if rate >= 1:
        parts.append(translate("Words", "{n} a second").format(n=number(round(rate))))
    if seconds_left is not None and total and done < total:
        parts.append(translate("Words", "{time} left").format(time=duration(round(seconds_left))))
    return DOT.join(parts)


_READ = re.compile(r"([\d,]+) messages read")


def import_lines(data: Json) -> tuple[str, str]:
    """What an import does, and its figures. The engine counts bytes while it reads, chats while it indexes."""
    note = str(data.get("note") or "")
    figures = (
        int(data.get("done") or 0),
        data.get("total"),
        float(data.get("rate") or 0),
        data.get("seconds_left"),
    )
    if note == "Indexing":
        return translate("Words", "Making the messages searchable"), progress_line(*figures)
    if match := _READ.fullmatch(note):
        return messages(int(match[1].replace(",", ""))), transfer_line(*figures)
    return (translate("Words", "Reading") if note == "Reading" else note), transfer_line(*figures)


def transfer_line(done: int, total: int | None, rate: float, seconds_left: float | None) -> str:
    """“120.0 MB of 1.0 GB · 8.2 MB a second · 2 min 10 s left”."""
    text = (
        translate("Words", "{done} of {total}").format(done=size(done), total=size(total)) if total else size(done)
    )
    parts = [text]
    if rate >= 1:
        parts.append(translate("Words", "{n} a second").format(n=size(round(rate))))
    if seconds_left is not None and total and done < total:
        parts.append(translate("Words", "{time} left").format(time=duration(round(seconds_left))))
    return DOT.join(parts)
