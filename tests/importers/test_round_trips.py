"""Chats made at random, written as each app writes them, and read back the same."""

import csv
import html
import io
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held, HeldFolder, read

from importers.base import Message, Problem
from importers.source import Source

START = datetime(2021, 3, 4, 5, 6, 7, tzinfo=UTC)
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=60).map(str.strip).filter(bool)
LINES = st.lists(TEXT, min_size=1, max_size=3).map("\n".join)


@dataclass(frozen=True)
class Said:
    """One message of a made-up chat."""

    sender: str
    text: str
    time: datetime


@st.composite
def chats(draw: st.DrawFn) -> list[Said]:
    """A chat in the order of time, no two messages in the same second."""
    people = draw(st.lists(st.sampled_from(["Ana", "Björn Ek", "李雷", "o'Neil"]), min_size=1, unique=True))
    steps = draw(st.lists(st.integers(1, 100_000), min_size=1, max_size=12))
    times = [START + timedelta(seconds=sum(steps[: n + 1])) for n in range(len(steps))]
    return [Said(draw(st.sampled_from(people)), draw(LINES), time) for time in times]


def dumped(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False, indent=1).encode()


def telegram(chat: list[Said]) -> Source:
    def record(n: int, said: Said) -> dict[str, Any]:
        words: Any = [said.text[:3], {"type": "bold", "text": said.text[3:]}] if n % 2 else said.text
        clock = (said.time + timedelta(hours=2)).strftime("%Y-%m-%dT%H:%M:%S")
        epoch = str(int(said.time.timestamp()))
        return {"id": n, "type": "message", "date": clock, "date_unixtime": epoch, "from": said.sender,
                "from_id": f"user{len(said.sender)}", "text": words}  # fmt: skip

    messages = [record(n, said) for n, said in enumerate(chat)]
    return Held("result.json", dumped({"name": "x", "type": "private_group", "id": 1, "messages": messages}))


def telegram_html(chat: list[Said]) -> Source:
    blocks, last = [], None
    for n, said in enumerate(chat):
        name = "" if said.sender == last else f'<div class="from_name">\n{html.escape(said.sender)} \n</div>'
        last = said.sender
        when = said.time.strftime("%d.%m.%Y %H:%M:%S UTC+00:00")
        blocks.append(
            f'<div class="message default clearfix{"" if name else " joined"}" id="message{n}">\n'
            f'<div class="body">\n'
            f'<div class="pull_right date details" title="{when}">\n1\n</div>\n{name}\n<div class="text">\n'
            f"{html.escape(said.text).replace(chr(10), '<br>')}\n</div>\n</div>\n</div>\n"
        )
    page = '<html><div class="page_wrap"><div class="chat_page"><div class="history">\n{}</div></div></div></html>'
    return Held("messages.html", page.format("".join(blocks)).encode())


def chatgpt(chat: list[Said]) -> Source:
    nodes: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    parent = "root"
    for n, said in enumerate(chat):
        role = "user" if said.sender == chat[0].sender else "assistant"
        message = {"id": str(n), "author": {"role": role}, "create_time": said.time.timestamp(),
                   "recipient": "all", "metadata": {},
                   "content": {"content_type": "text", "parts": [said.text]}}  # fmt: skip
        nodes[str(n)] = {"id": str(n), "message": message, "parent": parent, "children": []}
        nodes[f"{n}-old"] = {"id": f"{n}-old", "message": None, "parent": parent, "children": []}
        parent = str(n)
    one = {"title": "x", "mapping": nodes, "current_node": parent, "conversation_id": "c"}
    return Held("conversations.json", dumped([one]))


def claude(chat: list[Said]) -> Source:
    messages = [
        {"uuid": str(n), "text": "", "content": [{"type": "thinking"}, {"type": "text", "text": said.text}],
         "sender": "human" if said.sender == chat[0].sender else "assistant", "created_at": said.time.isoformat()}
        for n, said in enumerate(chat)
    ]  # fmt: skip
    return Held("conversations.json", dumped([{"uuid": "c", "name": "x", "chat_messages": messages}]))


def table_of(delimiter: str, write: Callable[[datetime], str]) -> Callable[[list[Said]], Source]:
    def table(chat: list[Said]) -> Source:
        out = io.StringIO()
        writer = csv.writer(out, delimiter=delimiter)
        writer.writerow(["When", "Author", "Message"] if delimiter == ";" else ["timestamp", "sender", "text"])
        writer.writerows([write(said.time), said.sender, said.text] for said in chat)
        return Held("t.csv", out.getvalue().replace("When", "Timestamp").encode("utf-8-sig"))

    return table


def json_lines(chat: list[Said]) -> Source:
    lines = [json.dumps({"ts": s.time.timestamp(), "from": {"name": s.sender}, "content": s.text}) for s in chat]
    return Held("t.jsonl", "\n".join(lines).encode())


def discord(chat: list[Said]) -> Source:
    messages = [
        {"id": str(n), "type": "Default", "timestamp": s.time.isoformat(), "content": s.text, "embeds": [],
         "author": {"id": "1", "name": s.sender, "nickname": s.sender}, "attachments": []}
        for n, s in enumerate(chat)
    ]  # fmt: skip
    about = {"guild": {"id": "0", "name": "Direct Messages"}, "channel": {"id": "5", "name": "x"}}
    return Held("x.json", dumped({**about, "messages": messages, "messageCount": len(messages)}))


def discord_csv(chat: list[Said]) -> Source:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    out.write("AuthorID,Author,Date,Content,Attachments,Reactions\n")
    writer.writerows(["1", s.sender, s.time.isoformat(), s.text, "", ""] for s in chat)
    return Held("x.csv", out.getvalue().encode())


def discord_text(chat: list[Said]) -> Source:
    bar = "=" * 62
    head = f"{bar}\nGuild: Direct Messages\nChannel: Private / x\n{bar}\n\n"
    body = "".join(f"[{s.time:%d.%m.%Y %H:%M:%S} +00:00] {s.sender}\n{s.text}\n\n" for s in chat)
    return Held("x.txt", f"{head}{body}\n{bar}\nExported {len(chat)} message(s)\n{bar}\n".encode())


def discord_package(chat: list[Said]) -> Source:
    rows = [{"ID": 2**60 + n, "Timestamp": f"{s.time:%Y-%m-%d %H:%M:%S}", "Contents": s.text, "Attachments": ""}
            for n, s in enumerate(chat)]  # fmt: skip
    files = {"messages/index.json": {"5": "x"}, "messages/c5/channel.json": {"id": "5"},
             "messages/c5/messages.json": rows[::-1], "account/user.json": {"username": "Ana"}}  # fmt: skip
    return HeldFolder("package", {name: dumped(value) for name, value in files.items()})


def slack(chat: list[Said]) -> Source:
    people = sorted({s.sender for s in chat})
    days: dict[str, list[dict[str, Any]]] = {}
    for s in chat:
        text = s.text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        record = {"type": "message", "user": f"U{people.index(s.sender)}", "text": text,
                  "ts": f"{int(s.time.timestamp())}.000000"}  # fmt: skip
        days.setdefault(f"x/{s.time:%Y-%m-%d}.json", []).append(record)
    users = [{"id": f"U{n}", "name": "n", "profile": {"real_name": name}} for n, name in enumerate(people)]
    return HeldFolder("s", {"users.json": dumped(users), **{day: dumped(found) for day, found in days.items()}})


def broken_letters(text: str) -> str:
    """UTF-8 as Meta writes it."""
    return text.encode().decode("latin-1")


def meta_parts(chat: list[Said]) -> Source:
    records = [{"sender_name": broken_letters(s.sender), "timestamp_ms": int(s.time.timestamp() * 1000),
                "content": broken_letters(s.text)} for s in reversed(chat)]  # fmt: skip
    halves = [h for h in (records[: len(records) // 2], records[len(records) // 2 :]) if h]
    files = {
        f"messages/inbox/x_1/message_{n}.json": json.dumps(
            {"participants": [], "messages": half, "title": "x", "thread_path": "inbox/x_1"}
        ).encode()
        for n, half in enumerate(halves, 1)
    }
    return HeldFolder("facebook", files)


def meta_encrypted(chat: list[Said]) -> Source:
    records = [{"senderName": s.sender, "timestamp": int(s.time.timestamp() * 1000), "text": s.text,
                "type": "text", "isUnsent": False, "media": [], "reactions": []} for s in chat]  # fmt: skip
    return Held("x_3.json", dumped({"participants": ["Ana"], "threadName": "x_3", "messages": records}))


WRITERS: dict[str, Callable[[list[Said]], Source]] = {
    "telegram": telegram,
    "telegram-html": telegram_html,
    "chatgpt": chatgpt,
    "claude": claude,
    "table-iso": table_of(",", datetime.isoformat),
    "table-epoch-ms": table_of("\t", lambda t: str(int(t.timestamp() * 1000))),
    "table-written": table_of(";", lambda t: f"{t:%d %B %Y, %H:%M:%S} UTC"),
    "json-lines": json_lines,
    "discord": discord,
    "discord-csv": discord_csv,
    "discord-text": discord_text,
    "discord-package": discord_package,
    "slack": slack,
    "meta-parts": meta_parts,
    "meta-encrypted": meta_encrypted,
}
ROLES = {"chatgpt": ("user", "assistant"), "claude": ("human", "assistant")}


def as_written(name: str, chat: list[Said]) -> list[tuple[str, str, datetime]]:
    """What of the chat the format can hold."""

    def sender(said: Said) -> str:
        if name in ROLES:
            return ROLES[name][said.sender != chat[0].sender]
        return "Ana" if name == "discord-package" else said.sender

    def text(said: Said) -> str:
        if name == "telegram-html":  # a browser shows neither white space at the ends of lines nor blank ends
            return "\n".join(line.strip(" ") for line in said.text.split("\n")).strip()
        return said.text

    return [(sender(s), text(s), s.time) for s in chat]


@pytest.mark.parametrize("name", WRITERS)
@settings(max_examples=25, deadline=None)
@given(chat=chats())
def test_what_is_written_is_read_back(name: str, chat: list[Said]) -> None:
    items = read(WRITERS[name](chat))
    messages = [i for i in items if isinstance(i, Message)]
    assert [(m.sender, m.text, m.timestamp) for m in messages] == as_written(name, chat)
    assert not sum(i.skipped for i in items if isinstance(i, Problem))
    assert {m.kind for m in messages} == {"talk"}
