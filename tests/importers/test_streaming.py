"""Large files: the first message comes before the file has been read, and memory does not grow with the file.

Left out are formats whose files are newest first (Messenger, Instagram, Discord's package) or a day each (Slack):
their files are small, and must be turned round or sorted.
"""

import tracemalloc
from collections.abc import Iterator

import pytest
from in_memory import Long

from importers.base import Item, Message, Options
from importers.registry import find_exports

TELEGRAM = (
    b'  {"id": 1, "type": "message", "date": "2022-03-01T21:00:00", "date_unixtime": "1646164800", "from": "Ana", '
    b'"from_id": "user1", "text": ["WORDS", {"type": "bold", "text": "you"}]},\n'
)
CHATGPT = (
    b'{"title": "t", "mapping": {"a": {"id": "a", "message": {"id": "a", "author": {"role": "user"}, '
    b'"create_time": 1.5, "content": {"content_type": "text", "parts": ["WORDS"]}}, "parent": null, '
    b'"children": []}}, "current_node": "a", "id": "c"},\n'
)
CLAUDE = (
    b'{"uuid": "c", "name": "n", "chat_messages": [{"uuid": "m", "text": "WORDS", "sender": "human", '
    b'"created_at": "2025-01-01T00:00:00Z", "content": []}]},\n'
)
DISCORD = (
    b'{"id": "1", "type": "Default", "timestamp": "2026-01-20T09:00:00+01:00", "content": "WORDS", '
    b'"author": {"id": "1", "name": "rae"}},\n'
)
PAGE = (
    b'<div class="message default clearfix" id="message1"><div class="body"><div class="date details" '
    b'title="03.06.2023 17:20:05 UTC+01:00"></div>'
    b'<div class="from_name">Noor</div><div class="text">WORDS</div></div></div>\n'
)
ROW = b'2024-01-01T00:00:00Z,ana,"WORDS, you"\n'
FORMS = {
    "telegram": ("r.json", b'{"name": "c", "type": "personal_chat", "id": 5, "messages": [\n', TELEGRAM, b" {}]}"),
    "telegram-html": (
        "messages.html",
        b'<div class="page_wrap chat_page"><div class="history">',
        PAGE,
        b"</html>",
    ),
    "chatgpt": ("conversations.json", b"[", CHATGPT, b" {}]"),
    "claude": ("conversations.json", b"[", CLAUDE, b" {}]"),
    "discord": ("c.json", b'{"guild": {}, "channel": {}, "messages": [', DISCORD, b" {}]}"),
    "table": ("t.csv", b"time,sender,text\n", ROW, b""),
}


def opened(name: str, size: int) -> tuple[Long, Iterator[Item]]:
    """A file of about `size` bytes with messages of four thousand letters, and what its importer makes of it."""
    file, begin, record, end = FORMS[name]
    record = record.replace(b"WORDS", b"hi " * 1_300)
    source = Long(file, begin, record, size // len(record), end)
    (export,) = find_exports(source)
    assert export.importer is not None
    assert export.importer.name == name
    return source, export.importer.read(source, Options())


@pytest.mark.parametrize("name", FORMS)
def test_the_first_message_comes_before_the_file_has_been_read(name: str) -> None:
    source, items = opened(name, 100 * 2**20)
    assert next(i for i in items if isinstance(i, Message)).text
    assert source.given < 12 * 2**20


@pytest.mark.parametrize("name", FORMS)
def test_memory_does_not_grow_with_the_file(name: str) -> None:
    source, items = opened(name, 30 * 2**20)
    tracemalloc.start()
    try:
        count = sum(isinstance(i, Message) for i in items)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert count > 6_000
    assert peak < source.size / 3
