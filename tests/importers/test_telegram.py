"""Telegram: the kinds of records, whose messages are one's own, and old or odd versions."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from in_memory import Held, HeldFolder, read

from importers.base import Facts, Item, Message, Options, Problem
from importers.telegram_parts import attachments, notice, plain, reactions


def chat(*records: dict[str, Any], me: str | None = None, **about: Any) -> list[Item]:
    told = {"name": "Ilse", "type": "personal_chat", "id": 7, **about}
    return read(Held("result.json", json.dumps({**told, "messages": records}).encode()), Options(me=me))


def said(**fields: Any) -> dict[str, Any]:
    return {"id": 1, "type": "message", "date": "2022-03-01T21:00:00", "from": "Ilse", "from_id": "user7",
            "text": "hi", **fields}  # fmt: skip


def only(items: list[Item]) -> Message:
    (message,) = (i for i in items if isinstance(i, Message))
    return message


def test_old_exports_have_the_wall_clock_only() -> None:
    items = chat(said())
    assert only(items).timestamp == datetime(2022, 3, 1, 21)
    assert isinstance(items[0], Facts)
    assert items[0].naive_times


@pytest.mark.parametrize(
    ("fields", "moment"),
    [
        ({"date_unixtime": "1646168400"}, datetime(2022, 3, 1, 21, tzinfo=UTC)),
        ({"date_unixtime": 1646164800}, datetime(2022, 3, 1, 20, tzinfo=UTC)),
        ({"date_unixtime": "hidden"}, datetime(2022, 3, 1, 21)),
        ({"date_unixtime": "1646168400", "date": None}, datetime(2022, 3, 1, 21, tzinfo=UTC)),
        ({"date": "soon"}, None),
    ],
)
def test_times(fields: dict[str, Any], moment: datetime | None) -> None:
    assert only(chat(said(**fields))).timestamp == moment


def test_the_offset_of_the_wall_clock_is_kept_and_odd_ones_are_not() -> None:
    near = only(chat(said(date_unixtime="1646164800"))).timestamp
    assert near is not None
    assert near.hour == 21
    far = only(chat(said(date_unixtime="1646164801"))).timestamp
    assert far is not None
    assert far.tzinfo is UTC


@pytest.mark.parametrize(
    ("fields", "about", "me", "mine"),
    [
        ({}, {}, None, False),
        ({"from": "I", "from_id": "user8"}, {}, None, True),
        ({"from": None, "from_id": "user8"}, {}, None, False),
        ({"from": "I", "from_id": "user8"}, {"type": "private_group"}, None, None),
        ({"from": "I", "from_id": "user8"}, {"type": "private_group"}, "I", True),
        ({"from_id": "user7"}, {"type": "saved_messages"}, None, True),
    ],
)
def test_whose_message_it_is(
    fields: dict[str, Any], about: dict[str, Any], me: str | None, mine: bool | None
) -> None:
    found = only(chat(said(**fields), me=me, **about)).from_me
    assert found is mine or (fields.get("from", "") is None and not found)


@pytest.mark.parametrize(
    ("about", "title"),
    [
        ({"name": None}, "Deleted Account"),
        ({"type": "saved_messages", "name": None}, "Saved Messages"),
        ({"type": "replies"}, "Replies"),
        ({"type": "verification_codes"}, "Verification Codes"),
    ],
)
def test_chats_without_a_name(about: dict[str, Any], title: str) -> None:
    assert only(chat(said(), **about)).chat == title


def test_a_channels_post_without_an_author_is_the_channels() -> None:
    assert (
        only(chat(said(**{"from": None, "from_id": "channel9"}), name="News", type="public_channel")).sender
        == "News"
    )


def test_text_is_joined_with_nothing_between() -> None:
    assert plain(["a", {"type": "bold", "text": "b"}, None, 7, {"text": ["c", {"text": "d"}]}]) == "abcd"
    record = said(text="", text_entities=[{"type": "plain", "text": "from the entities"}])
    assert only(chat(record)).text == "from the entities"


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"photo": "(File not included. Change data exporting settings to download.)"}, [("photo", "image")]),
        ({"file": "(File unavailable, please try again later)", "media_type": "voice_message"},
         [("voice message", "voice")]),
        ({"file": "video_files/a b.mp4", "media_type": "animation"}, [("a b.mp4", "gif")]),
        ({"file": "f/x.ogg", "mime_type": "audio/ogg"}, [("x.ogg", "audio")]),
        ({"contact_information": {"first_name": "", "phone_number": "+1"}}, [("+1", "contact")]),
        ({"todo_list": {"title": "t", "answers": [{"id": 1, "text": "milk"}]}}, [("milk", "poll")]),
        ({"game_title": "Chess"}, [("Chess", "link")]),
        ({"invoice_information": {"title": "Rent", "amount": 5}}, [("Rent", "file")]),
        ({"text": ["x", {"type": "text_link", "text": "y", "href": "e.org/z"}]}, [("e.org/z", "link")]),
        ({"poll": None, "contact_information": [], "location_information": "x", "reactions": 3}, []),
    ],
)  # fmt: skip
def test_attachments(fields: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert [(a.name, a.kind) for a in attachments({"text": "", **fields})] == expected


def test_reactions_name_people_and_count_the_rest() -> None:
    record = {"reactions": [
        {"type": "custom_emoji", "count": 1, "document_id": "x"},
        {"type": "paid", "count": 2, "recent": [{"from": None}, {"from": "Bo"}]},
        None,
    ]}  # fmt: skip
    assert reactions(record) == ("(custom emoji) ×1", "⭐ Bo", "⭐ ×1")


def test_notices_say_what_happened() -> None:
    assert notice({"action": "edit_group_title", "title": "New"}) == "edit group title “New”"
    assert notice({"action": "invite_members", "members": ["Bo", None]}) == "invite members Bo, Deleted Account"
    assert notice({"action": "phone_call", "duration_seconds": 61}) == "phone call (61 s)"


def test_an_edit_in_1970_is_none() -> None:
    assert not only(chat(said(edited="1970-01-01T01:00:00", edited_unixtime="0"))).edited
    assert only(chat(said(edited="2022-03-01T22:00:00"))).edited


def test_a_reply_into_another_chat_points_nowhere_here() -> None:
    assert only(chat(said(reply_to_message_id=5))).reply_to == "5"
    assert only(chat(said(reply_to_message_id=5, reply_to_peer_id="channel1"))).reply_to is None


def test_a_cut_file_gives_what_it_has() -> None:
    whole = json.dumps({"name": "x", "type": "bot_chat", "id": 1, "messages": [said(), said()]}, indent=1)
    items = read(Held("result.json", whole[: whole.rindex('"hi"')].encode()))
    assert len([i for i in items if isinstance(i, Message)]) == 1
    assert sum(p.skipped for p in items if isinstance(p, Problem)) == 1


def test_json_beside_the_pages_of_the_same_chat_is_read_once() -> None:
    page = b'<div class="page_wrap chat_page"><div class="history"></div></div>'
    export = json.dumps({"name": "x", "type": "bot_chat", "id": 1, "messages": [said()]}).encode()
    items = read(HeldFolder("ChatExport", {"result.json": export, "messages.html": page, "css/style.css": b""}))
    assert len([i for i in items if isinstance(i, Message)]) == 1
