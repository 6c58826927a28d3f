"""sigtop: random chats in its three forms."""

import json
from datetime import UTC

from hypothesis import given, settings
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read, said

from importers.sigtop import SIGTOP

PLAIN = TEXT.filter(lambda text: not text.startswith(("[", ">")))


@settings(max_examples=40)
@given(chats(texts=PLAIN))
def test_the_text_form_comes_back(chat: list[Said]) -> None:
    blocks = ["Conversation: Ada (+15550001)\n"]
    for m in chat:
        when = m.at.strftime("%a, %d %b %Y %H:%M:%S +0000")
        blocks.append(
            f"From: {m.sender} (+15550001)\nType: incoming\nSent: {when}\nReceived: {when}\n\n{m.text}\n"
        )
    text = "\n".join(blocks) + "\n"
    messages, problems = read(SIGTOP, Held("Ada.txt", text.encode()))
    assert [Said(s.sender, s.text, s.at.replace(tzinfo=None)) for s in said(messages)] == chat
    assert counted(messages, problems) == text.count("\n")
    assert {m.chat for m in messages} == {"Ada"}


@settings(max_examples=40)
@given(chats(texts=PLAIN, step=60))
def test_the_short_form_comes_back(chat: list[Said]) -> None:
    text = "".join(f"{m.at:%Y-%m-%d %H:%M} {m.sender}: {m.text}\n" for m in chat)
    messages, problems = read(SIGTOP, Held("Ada.txt", text.encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")


@settings(max_examples=40)
@given(chats())
def test_json_comes_back(chat: list[Said]) -> None:
    records = [
        {"id": f"{n}", "type": "incoming", "conversationId": "c", "source": m.sender, "body": m.text,
         "sent_at": int(m.at.replace(tzinfo=UTC).timestamp() * 1000)}
        for n, m in enumerate(chat)
    ]  # fmt: skip
    messages, problems = read(SIGTOP, Held("Ada.json", json.dumps(records).encode()))
    assert [Said(s.sender, s.text, s.at.replace(tzinfo=None)) for s in said(messages)] == chat
    assert counted(messages, problems) == len(chat)


def test_a_file_without_texts_says_where_they_are() -> None:
    records = [{"type": "outgoing", "conversationId": "c", "timestamp": 1700000000000}]
    messages, problems = read(SIGTOP, Held("Ada.json", json.dumps(records).encode()))
    assert [(m.sender, m.text) for m in messages] == [("You", "")]
    assert any("text form" in p.reason or "-f text" in p.reason for p in problems)
