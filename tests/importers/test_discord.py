"""Discord: kinds of messages, texts that look like headings, and the package's layouts."""

import json
from typing import Any

import pytest
from in_memory import Held, HeldFolder, read

from importers.base import Item, Message, Problem

BAR = "=" * 62


def exported(*records: Any) -> list[Item]:
    about = {"guild": {"id": "9", "name": "Lab"}, "channel": {"id": "2", "name": "general"}}
    return read(Held("general.json", json.dumps({**about, "messages": records}).encode()))


def record(**fields: Any) -> dict[str, Any]:
    return {"id": "1", "type": "Default", "timestamp": "2026-01-20T09:00:00+01:00", "content": "hi",
            "author": {"id": "5", "name": "rae", "nickname": "Rae", "isBot": False}, **fields}  # fmt: skip


def only(items: list[Item]) -> Message:
    (message,) = (i for i in items if isinstance(i, Message))
    return message


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("Default", "talk"),
        ("Reply", "talk"),
        ("20", "talk"),
        (0, "talk"),
        ("8", "system"),
        ("ChannelNameChange", "system"),
        ("Call", "event"),
        (None, "talk"),
    ],
)
def test_kinds(kind: Any, expected: str) -> None:
    assert only(exported(record(type=kind))).kind == expected


@pytest.mark.parametrize(
    ("author", "sender"),
    [
        ({"name": "rae", "nickname": "Rae"}, "Rae"),
        ({"name": "rae", "nickname": None}, "rae"),
        ({"id": "5"}, "5"),
        (None, None),
    ],
)
def test_senders(author: Any, sender: str | None) -> None:
    assert only(exported(record(author=author))).sender == sender


def test_a_preview_of_a_link_is_no_text_of_a_person_but_of_a_bot() -> None:
    embeds = [{"title": "T", "description": "D", "fields": [{"name": "n", "value": "v"}]}]
    person = only(exported(record(embeds=embeds)))
    assert person.text == "hi"
    assert [a.name for a in person.attachments] == ["T"]
    bot = {"id": "1", "name": "bot", "isBot": True}
    assert only(exported(record(embeds=embeds, author=bot))).text == "hi\nT\nD\nn: v"
    assert only(exported(record(embeds=embeds, content=""))).text == "T\nD\nn: v"


def text_file(body: str) -> list[Item]:
    head = f"{BAR}\nGuild: Direct Messages\nChannel: Private / rae\n{BAR}\n\n"
    return read(Held("x.txt", f"{head}{body}\n\n{BAR}\nExported 1 message(s)\n{BAR}\n".encode()))


def test_only_a_date_in_brackets_after_a_blank_line_is_a_heading() -> None:
    items = text_file("[25.10.2023 13:05] rae\nfirst\n[25.10.2023 13:06] not a heading\n\n[draft] nor this")
    assert only(items).text == "first\n[25.10.2023 13:06] not a heading\n\n[draft] nor this"
    assert only(items).chat == "rae"


def test_all_lines_are_accounted_for() -> None:
    items = text_file("stray line\n\n[25.10.2023 13:05] rae#0000\n\n{Stickers}\nhttps://cdn.example.org/wave.png")
    message = only(items)
    assert (message.sender, message.text) == ("rae", "")
    assert [(a.name, a.kind) for a in message.attachments] == [("wave.png", "sticker")]
    lines = message.lines + sum(p.skipped for p in items if isinstance(p, Problem))
    assert lines == 5 + 6 + 4


@pytest.mark.parametrize(
    "names", [("messages", "c123", "account"), ("Messages", "123", "Account"), ("M", "C123", "K")]
)
def test_the_packages_folders_are_known_by_their_shape(names: tuple[str, str, str]) -> None:
    root, channel, account = names
    rows = [{"ID": 2**62 + 1, "Timestamp": "2024-02-02 18:00:05", "Contents": "hi", "Attachments": ""}]
    files = {
        f"package/{root}/index.json": b'{"123": "general in Lab"}',
        f"package/{root}/{channel}/channel.json": b'{"id": "123"}',
        f"package/{root}/{channel}/messages.json": json.dumps(rows).encode(),
        f"package/{account}/user.json": b'{"username": "rae"}',
    }
    message = only(read(HeldFolder("all", files)))
    assert (message.chat, message.sender, message.source_id) == ("general in Lab", "rae", "4611686018427387905")


def test_a_package_without_names_still_gives_its_messages() -> None:
    files = {
        "m/c7/channel.json": b"{",
        "m/c7/messages.csv": b"ID,Timestamp,Contents,Attachments\n1,2020-01-01 00:00:00,a,\n",
    }
    message = only(read(HeldFolder("all", files)))
    assert (message.chat, message.sender, message.from_me) == ("Channel 7", "Me", True)
