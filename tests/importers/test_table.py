"""Tables: columns guessed and corrected, and rows that are not as they should be."""

from datetime import UTC, datetime

import pytest
from in_memory import Held, read

from importers.base import Message, Options, Problem
from importers.table import TABLE, columns, guess_columns

CSV = b"Created At,User Name,Message Body,Channel\n2024-01-02T03:04:05Z,ana,hello,tea\n"


def messages(data: bytes, name: str = "t.csv", **chosen: str) -> list[Message]:
    found = TABLE.read(Held(name, data), Options(columns=chosen))
    return [i for i in found if isinstance(i, Message)]


def test_columns_are_guessed_by_their_names() -> None:
    assert columns(Held("t.csv", CSV)) == ("Created At", "User Name", "Message Body", "Channel")
    assert guess_columns(Held("t.csv", CSV)) == {
        "text": "Message Body", "sender": "User Name", "time": "Created At", "chat": "Channel",
    }  # fmt: skip
    (message,) = messages(CSV)
    assert (message.chat, message.sender, message.text) == ("tea", "ana", "hello")
    assert message.timestamp == datetime(2024, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_the_persons_columns_count_more_than_the_guess() -> None:
    data = b"a,b,c\nhello,ana,2024-01-02\n"
    assert guess_columns(Held("t.csv", data)) == {}
    (message,) = messages(data, text="a", sender="b", time="c")
    assert (message.sender, message.text, message.timestamp) == ("ana", "hello", datetime(2024, 1, 2))
    assert messages(CSV, chat="", text="User Name")[0].text == "ana"
    assert messages(CSV, chat="")[0].chat == "t"


def test_without_columns_there_is_a_problem_and_no_guess() -> None:
    items = list(TABLE.read(Held("t.csv", b"a,b\n1,2\n"), Options()))
    assert [i.reason for i in items if isinstance(i, Problem)]
    assert TABLE.recognise(Held("t.csv", b"a,b\n1,2\n")) == 0.0


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_told_by_the_columns(delimiter: str) -> None:
    rows = [["time", "sender", "text"], ["2024-01-02", "ana", "one, two; three"], ["2024-01-03", "bo", "x"]]
    data = "\n".join(delimiter.join(f'"{cell}"' for cell in row) for row in rows).encode()
    assert [m.text for m in messages(data)] == ["one, two; three", "x"]


def test_an_unquoted_delimiter_in_the_last_column_belongs_to_the_text() -> None:
    assert messages(b"time,sender,text\n2024-01-02,ana,well, yes\n")[0].text == "well, yes"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings(encoding: str) -> None:
    rows = "time,sender,text\n" + "2024-01-02,Zoë,über den Fluss geführt und schön müde\n" * 5
    assert {m.text for m in messages(rows.encode(encoding))} == {"über den Fluss geführt und schön müde"}


def test_json_lines_with_a_broken_line_lose_that_line() -> None:
    data = b'{"ts": 1, "from": "a", "text": "x"}\n{"ts": 2, "fro\n\n{"ts": 1700000000, "from": "b", "text": "y"}\n'
    items = read(Held("t.jsonl", data))
    assert [i.text for i in items if isinstance(i, Message)] == ["x", "y"]
    assert [(p.line, p.skipped) for p in items if isinstance(p, Problem) and p.skipped] == [(2, 1)]


@pytest.mark.parametrize(
    "data",
    [
        b"name,age\nana,3\n",
        b"Dear all, here is the text, from me\nit goes on, and on\n",
        b'[{"uuid": "1", "full_name": "x"}]',
        b"text\nonly words\n",
        b'{"messages": [{"text": "x", "sender": "y"}]}',
    ],
)
def test_what_is_no_table_of_messages_is_left_alone(data: bytes) -> None:
    assert TABLE.recognise(Held("t.csv", data)) == 0.0


@pytest.mark.parametrize(
    "heading",
    ["Datum;Uhrzeit;Absender;Nachricht", "Fecha;Hora;Remitente;Mensaje", "Date;Heure;Auteur;Texte",
     "Data;Ora;Mittente;Messaggio", "Datum;Tijd;Afzender;Bericht", "日付;時間;送信者;本文"],
)  # fmt: skip
def test_day_and_clock_in_columns_of_their_own_whatever_the_language(heading: str) -> None:
    rows = f"{heading}\n13.03.2024;21:05;Ana;hello\n14.03.2024;09:06;Bo;well\n"
    (first, second) = messages(rows.encode())
    assert (str(first.timestamp), first.sender, first.text) == ("2024-03-13 21:05:00", "Ana", "hello")
    assert (str(second.timestamp), second.sender) == ("2024-03-14 09:06:00", "Bo")
