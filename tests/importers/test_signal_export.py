"""Signal by signal-export: random chats, and what the text form hides in its lines."""

import json
from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import LINE, Said, chats, counted, read, said

from importers.signal_export import _CALL, SIGNAL_EXPORT

PLAIN = (
    st.lists(LINE, min_size=1, max_size=4)
    .map(lambda lines: "\n".join(lines).strip())
    .filter(lambda text: bool(text) and not any(mark in text for mark in "[]()>`") and not _CALL.fullmatch(text))
)
HEADER = "[2020-01-01 00:00:00] A: first  \n"


@settings(max_examples=40)
@given(chats(texts=PLAIN))
def test_chat_md_comes_back(chat: list[Said]) -> None:
    text = "".join(f"[{m.at:%Y-%m-%d %H:%M:%S}] {m.sender}: {m.text}  \n" for m in chat)
    messages, problems = read(SIGNAL_EXPORT, Held("Ada/chat.md", text.encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")
    assert {m.chat for m in messages} == {"Ada"}


@settings(max_examples=40)
@given(chats())
def test_data_json_comes_back(chat: list[Said]) -> None:
    records = [
        {
            "date": m.at.isoformat(),
            "sender": m.sender,
            "body": f"{m.text}  ",
            "quote": "",
            "reactions": [],
            "attachments": [],
        }
        for m in chat
    ]
    text = "".join(json.dumps(r, ensure_ascii=False) + "\n" for r in records)
    messages, problems = read(SIGNAL_EXPORT, Held("Ada/data.json", text.encode()))
    got = [Said(m.sender or "", m.text, m.timestamp or datetime.min) for m in messages]
    assert got == chat
    assert counted(messages, problems) == len(chat)


def test_a_quote_of_several_lines_goes_and_the_answer_stays() -> None:
    text = HEADER + "[2020-01-01 00:00:05] B: \n\n> first\n> \n> more\n\nanswer\n> typed by hand  \n"
    (_, answer), _ = read(SIGNAL_EXPORT, Held("chat.md", text.encode()))
    assert answer.text == "answer\n> typed by hand"


def test_a_time_that_does_not_exist_costs_the_time_and_not_the_message() -> None:
    messages, problems = read(
        SIGNAL_EXPORT, Held("chat.md", (HEADER + "[2020-02-30 00:00:00] B: kept  \n").encode())
    )
    assert [(m.text, m.timestamp) for m in messages][1:] == [("kept", None)]
    assert [p.skipped for p in problems] == [0]


def test_a_message_without_end_is_cut_and_counted() -> None:
    text = HEADER + ("x" * 99_999 + "\n") * 30
    messages, problems = read(SIGNAL_EXPORT, Held("chat.md", text.encode()))
    assert len(messages) == 1
    assert counted(messages, problems) == 31
    assert any("longer" in p.reason for p in problems)
