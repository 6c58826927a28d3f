"""Apple's Messages database: random chats in both archives and both units of time, and damaged files."""

import plistlib
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read

from importers.apple_body import attributed_text
from importers.base import Message
from importers.imessage import IMESSAGE, apple_time
from importers.source import FileSource

SCHEMA = """
CREATE TABLE handle(ROWID INTEGER PRIMARY KEY, id TEXT);
CREATE TABLE chat(ROWID INTEGER PRIMARY KEY, guid TEXT, style INTEGER, chat_identifier TEXT, display_name TEXT);
CREATE TABLE message(ROWID INTEGER PRIMARY KEY, guid TEXT UNIQUE, text TEXT, attributedBody BLOB,
  handle_id INTEGER DEFAULT 0, date INTEGER, is_from_me INTEGER DEFAULT 0, item_type INTEGER DEFAULT 0,
  associated_message_guid TEXT, associated_message_type INTEGER DEFAULT 0, date_edited INTEGER DEFAULT 0);
CREATE TABLE chat_message_join(chat_id INTEGER, message_id INTEGER);
INSERT INTO chat VALUES(1, 'iMessage;+;chat1', 43, 'chat1', 'Kiln club');
"""


def typedstream(text: str) -> bytes:
    data = text.encode()
    size = len(data)
    if size < 0x80:
        length = bytes([size])
    else:
        length = b"\x81" + size.to_bytes(2, "little") if size < 2**16 else b"\x82" + size.to_bytes(4, "little")
    head = (
        b"\x04\x0bstreamtyped\x81\xe8\x03\x84\x01@\x84\x84\x84\x12NSAttributedString\x00\x84\x84\x08NSObject\x00"
    )
    return head + b"\x85\x92\x84\x84\x84\x08NSString\x01\x94\x84\x01+" + length + data + b"\x86\x84\x02iI\x01\x05"


def keyed(text: str) -> bytes:
    uid = plistlib.UID
    objects = ["$null", {"NSString": uid(2)}, text]
    return plistlib.dumps({"$top": {"root": uid(1)}, "$objects": objects}, fmt=plistlib.FMT_BINARY)


@contextmanager
def database(rows: list[dict[str, Any]]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript(SCHEMA)
            people = sorted({row["who"] for row in rows if row.get("who")})
            connection.executemany("INSERT INTO handle VALUES(?, ?)", enumerate(people, 1))
            for number, row in enumerate(rows, 1):
                fields = {"guid": f"G{number}", **{k: v for k, v in row.items() if k != "who"}}
                fields["handle_id"] = people.index(row["who"]) + 1 if row.get("who") else 0
                marks = ",".join("?" * len(fields))
                connection.execute(
                    f"INSERT INTO message({','.join(fields)}) VALUES({marks})", list(fields.values())
                )
                connection.execute("INSERT INTO chat_message_join VALUES(1, ?)", (number,))
            connection.commit()
        yield path


def since_2001(at: datetime) -> int:
    return int((at.replace(tzinfo=UTC) - datetime(2001, 1, 1, tzinfo=UTC)).total_seconds())


ATTACHED = "\ufffc"  # stands in a text where an attachment hangs, and is none of the words


@pytest.mark.parametrize(
    ("kept", "words"), [("look \ufffchere", "look here"), ("\ufffc", ""), ("\ufffc tea?", "tea?")]
)
def test_the_mark_of_an_attachment_is_no_word(kept: str, words: str) -> None:
    with database([{"who": "A", "date": 1, "text": kept}]) as path:
        messages, problems = read(IMESSAGE, FileSource(path))
    assert [m.text for m in messages] == [words]
    assert problems == []


@settings(max_examples=30, deadline=None)
@given(chats(texts=TEXT.filter(lambda text: ATTACHED not in text)), st.data())
def test_chats_come_back_from_every_archive(chat: list[Said], data: st.DataObject) -> None:
    rows: list[dict[str, Any]] = []
    for m in chat:
        body = data.draw(st.sampled_from(["text", "stream", "keyed"]))
        unit = data.draw(st.sampled_from([1, 10**9]))
        row: dict[str, Any] = {"who": m.sender, "date": since_2001(m.at) * unit}
        kept = m.text if body == "text" else typedstream(m.text) if body == "stream" else keyed(m.text)
        rows.append({**row, "text" if body == "text" else "attributedBody": kept})
    with database(rows) as path:
        messages, problems = read(IMESSAGE, FileSource(path))
    found = [Said(m.sender or "", m.text, m.timestamp.replace(tzinfo=None)) for m in messages if m.timestamp]
    assert found == chat
    assert counted(messages, problems) == len(rows)
    assert {m.chat for m in messages} == {"Kiln club"}


@settings(max_examples=60)
@given(st.one_of(TEXT, st.integers(0, 70_000).map(lambda n: "ↄ" * (n // 3) + "x" * (n % 3))))
def test_bodies_of_any_length(text: str) -> None:
    assert attributed_text(typedstream(text)) == text
    assert attributed_text(keyed(text)) == text


@settings(max_examples=200)
@given(st.binary(max_size=200), st.integers(0, 120))
def test_damaged_bodies_are_no_text_or_some_text(noise: bytes, cut: int) -> None:
    for blob in (typedstream("body"), keyed("body")):
        found = attributed_text(blob[:cut] + noise + blob[cut + len(noise) :])
        assert found is None or isinstance(found, str)


def test_a_log_beside_the_database_is_read_too(tmp_path: Path) -> None:
    with database([{"who": "ada", "text": "in the file", "date": 1}]) as path:
        target = tmp_path / "chat.db"
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA wal_autocheckpoint = 0")
            connection.execute(
                "INSERT INTO message(ROWID, guid, text, handle_id, date) VALUES(9, 'G9', 'in the log', 1, 2)"
            )
            connection.commit()
            for name in ("chat.db", "chat.db-wal"):
                (tmp_path / name).write_bytes(path.with_name(name).read_bytes())
        messages, _ = read(IMESSAGE, FileSource(target))
        assert [m.text for m in messages] == ["in the file", "in the log"]
        assert {p.name for p in tmp_path.iterdir()} - {"backscroll-home"} == {"chat.db", "chat.db-wal"}


def test_reactions_count_with_their_message_and_may_be_taken_back() -> None:
    rows = [
        {"who": "ada", "text": "warm", "date": 1},
        {"who": "ben", "date": 2, "associated_message_guid": "p:0/G1", "associated_message_type": 2001},
        {"who": "ada", "date": 3, "associated_message_guid": "bp:G1", "associated_message_type": 2003},
        {"who": "ada", "date": 4, "associated_message_guid": "p:0/G1", "associated_message_type": 3003},
    ]
    with database(rows) as path:
        messages, problems = read(IMESSAGE, FileSource(path))
    (message,) = messages
    assert message.reactions == ("👍 ben",)
    assert counted(messages, problems) == 4


def test_a_damaged_page_costs_its_rows_only() -> None:
    rows = [{"who": "ada", "text": f"message {n} " + "x" * 500, "date": n + 1} for n in range(200)]
    with database(rows) as path:
        data = bytearray(path.read_bytes())
        for place in range(len(data) // 2, len(data) // 2 + 4096):
            data[place] = 0xA5
        path.write_bytes(data)
        items = list(IMESSAGE.read(FileSource(path), None))  # type: ignore[arg-type]
    kept = [i for i in items if isinstance(i, Message)]
    assert 100 < len(kept) < 200


def test_a_database_of_something_else_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "x.db")) as connection:
        connection.execute("CREATE TABLE notes(text TEXT)")
    assert IMESSAGE.recognise(FileSource(tmp_path / "x.db")) == 0
    assert IMESSAGE.recognise(Held("chat.db", b"no database")) == 0


@pytest.mark.parametrize(
    ("written", "second"),
    [(715_370_400, 0), (715_370_400 * 10**9, 0), (715_370_400 * 10**9 + 500_000_000, 500_000)],
)
def test_seconds_and_nanoseconds(written: int, second: int) -> None:
    moment = apple_time(written)
    assert moment is not None
    assert (moment.year, moment.hour, moment.microsecond) == (2023, 18, second)
    assert apple_time(0) is None
    assert apple_time("soon") is None
    assert apple_time(2**62) is not None
