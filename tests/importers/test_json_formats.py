"""Matrix, Skype, Gemini, Google Chat, Hangouts, Teams and WeChat's JSON: random chats, written as each does."""

import html
import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read

from importers.base import Importer
from importers.gemini import GEMINI
from importers.google_chat import GOOGLE_CHAT
from importers.matrix import MATRIX
from importers.skype import SKYPE
from importers.teams import TEAMS
from importers.wechat import WECHAT

PLAIN = TEXT.filter(lambda text: not text.startswith((">", "- ", "<", "{")) and "\u00a0" not in text)


def milliseconds(m: Said) -> int:
    return int(m.at.replace(tzinfo=UTC).timestamp() * 1000)


def iso(m: Said) -> str:
    return m.at.isoformat() + "Z"


def matrix(chat: list[Said]) -> Any:
    events: list[dict[str, Any]] = []
    for n, m in enumerate(chat):
        events.append(
            {"type": "m.room.message", "sender": m.sender, "content": {"msgtype": "m.text", "body": m.text},
             "event_id": f"${n}", "origin_server_ts": milliseconds(m), "room_id": "!r"}
        )  # fmt: skip
    return {"room_name": "Kiln", "messages": events}


def skype(chat: list[Said]) -> Any:
    found = [
        {"id": str(n), "displayName": m.sender, "originalarrivaltime": iso(m), "messagetype": "RichText",
         "content": html.escape(m.text), "from": "8:x", "properties": None}
        for n, m in enumerate(chat)
    ]  # fmt: skip
    newest_first = found[::-1]
    conversation = {"id": "19:k", "displayName": "Kiln", "threadProperties": None, "MessageList": newest_first}
    return {"userId": "8:me", "exportDate": "x", "conversations": [conversation]}


def gemini(chat: list[Said]) -> Any:
    records = [
        {"header": "Gemini Apps", "title": f"Prompted {m.text}", "time": iso(m), "products": ["Gemini Apps"]}
        for m in chat
    ]
    return records[::-1]


def google_chat(chat: list[Said]) -> Any:
    when = "{:%A, %B} {}, {} at {}:{:%M:%S\u202f%p} UTC"
    return {
        "messages": [
            {"creator": {"name": m.sender, "email": "x@example.org"}, "text": m.text,
             "created_date": when.format(m.at, m.at.day, m.at.year, m.at.hour % 12 or 12, m.at)}
            for m in chat
        ]
    }  # fmt: skip


def hangouts(chat: list[Said]) -> Any:
    people = sorted({m.sender for m in chat})
    events = [
        {"sender_id": {"gaia_id": str(people.index(m.sender) + 1)}, "event_id": str(n),
         "timestamp": str(milliseconds(m) * 1000),
         "chat_message": {"message_content": {"segment": [{"type": "TEXT", "text": m.text}]}}}
        for n, m in enumerate(chat)
    ]  # fmt: skip
    names = [{"id": {"gaia_id": str(n)}, "fallback_name": name} for n, name in enumerate(people, 1)]
    about = {"conversation_id": {"id": "h"}, "conversation": {"id": {"id": "h"}, "participant_data": names}}
    return {"conversations": [{"conversation": about, "events": events}]}


def teams(chat: list[Said]) -> Any:
    return {
        "value": [
            {"id": str(n), "messageType": "message", "createdDateTime": iso(m), "chatId": "k",
             "from": {"user": {"displayName": m.sender}},
             "body": {"contentType": "html", "content": f"<p>{html.escape(m.text).replace(chr(10), '<br>')}</p>"}}
            for n, m in enumerate(chat)
        ]
    }  # fmt: skip


def chatlog(chat: list[Said]) -> Any:
    return [
        {"seq": n, "time": iso(m), "talker": "k", "talkerName": "Kiln", "sender": "w", "senderName": m.sender,
         "isSelf": False, "type": 1, "content": m.text}
        for n, m in enumerate(chat)
    ]  # fmt: skip


FORMS: list[tuple[Importer, str, Callable[[list[Said]], Any]]] = [
    (MATRIX, "export.json", matrix),
    (SKYPE, "messages.json", skype),
    (GEMINI, "MyActivity.json", gemini),
    (GOOGLE_CHAT, "messages.json", google_chat),
    (GOOGLE_CHAT, "Hangouts.json", hangouts),
    (TEAMS, "messages.json", teams),
    (WECHAT, "chat.json", chatlog),
]


@pytest.mark.parametrize(("importer", "name", "form"), FORMS, ids=[form.__name__ for _, _, form in FORMS])
@settings(max_examples=30)
@given(chat=chats(texts=PLAIN, pause=1))
def test_chats_come_back(
    importer: Importer, name: str, form: Callable[[list[Said]], Any], chat: list[Said]
) -> None:
    data = json.dumps(form(chat), ensure_ascii=False, indent=1).encode()
    messages, problems = read(importer, Held(name, data))
    one_owner = form is gemini
    assert [
        (one_owner or m.sender, m.text, (m.timestamp or datetime.min).replace(tzinfo=None)) for m in messages
    ] == [(one_owner or m.sender, m.text, m.at) for m in chat]
    assert all(m.timestamp and m.timestamp.tzinfo for m in messages)
    assert counted(messages, problems) == len(chat)


def test_matrix_archive_is_one_event_after_another() -> None:
    events = matrix([Said("@a:b", "one", datetime(2023, 1, 1)), Said("@a:b", "two", datetime(2023, 1, 2))])[
        "messages"
    ]
    data = "".join(json.dumps(event, indent=1) + "\n" for event in events).encode()
    messages, problems = read(MATRIX, Held("room.json", data))
    assert [m.text for m in messages] == ["one", "two"]
    assert counted(messages, problems) == 2


def test_one_broken_event_costs_one_event() -> None:
    whole = json.dumps(matrix([Said("@a:b", f"text {n}", datetime(2023, 1, 1)) for n in range(5)]), indent=1)
    messages, problems = read(MATRIX, Held("export.json", whole.replace('"text 2"', '"text 2').encode()))
    assert [m.text for m in messages if m.kind == "talk"] == ["text 0", "text 1", "text 3", "text 4"]
    assert counted(messages, problems) == 5


def test_a_skype_chat_without_a_title_takes_its_name_from_the_messages() -> None:
    chat = skype([Said("Ada", "first", datetime(2023, 1, 1)), Said("Ada", "second", datetime(2023, 1, 2))])
    conversation = chat["conversations"][0]
    conversation |= {"id": "8:ada", "displayName": None}
    first, second = conversation["MessageList"]
    first |= {"from": "8:me", "displayName": None}
    second |= {"from": "8:ada"}
    messages, _ = read(SKYPE, Held("messages.json", json.dumps(chat).encode()))
    assert [(m.chat, m.sender, m.from_me) for m in messages] == [("Ada", "Ada", False), ("Ada", "8:me", True)]


def test_a_deleted_google_chat_message_has_the_time_of_its_deletion() -> None:
    record = {"creator": {"name": "Ada"}, "message_state": "DELETED",
              "deleted_date": "Sunday, September 10, 2023 at 17:13:43 UTC"}  # fmt: skip
    (message,), _ = read(GOOGLE_CHAT, Held("messages.json", json.dumps({"messages": [record]}).encode()))
    assert (message.kind, str(message.timestamp)) == ("deleted", "2023-09-10 17:13:43+00:00")


def test_what_element_could_not_decrypt_is_no_talk() -> None:
    room = matrix([Said("@a:b", "one", datetime(2023, 1, 1)), Said("@a:b", "** Unable **", datetime(2023, 1, 2)),
                   Said("@a:b", "verify me", datetime(2023, 1, 3))])  # fmt: skip
    room["messages"][1]["content"]["msgtype"] = "m.bad.encrypted"
    room["messages"][2]["content"]["msgtype"] = "m.key.verification.request"
    messages, problems = read(MATRIX, Held("export.json", json.dumps(room).encode()))
    assert [(m.text, m.kind) for m in messages] == [("one", "talk"), ("verify me", "system")]
    assert counted(messages, problems) == 3
