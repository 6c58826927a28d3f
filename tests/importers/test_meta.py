"""Messenger and Instagram: broken letters, sentences of the app, and files in any order."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from in_memory import Held, HeldFolder, read

from importers.base import Item, Message, Options
from importers.meta_words import repaired, said_by_app
from importers.registry import find_exports


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_broken_letters_are_put_right(text: str) -> None:
    assert repaired(text.encode().decode("latin-1")) == text


@pytest.mark.parametrize("text", ["déjà vu", "naïve", "“ciao” é", "Привет", "plain", "", "Ã", "\u00c3\u00a9 €"])
def test_right_letters_stay(text: str) -> None:
    assert repaired(text) == text


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ("Ada sent an attachment.", "filler"),
        ("You sent a photo.", "filler"),
        ("Liked a message", "reaction"),
        ("Reacted ❤️ to your message ", "reaction"),
        ("Hat mit 😂 auf deine Nachricht reagiert", "reaction"),
        ("Ada named the group Trio.", "notice"),
        ("Ada added Cy Lo to the group.", "notice"),
        ("You pinned a message.", "notice"),
        ("Ada started a video chat.", "call"),
        ("Ada started an audio call", "call"),
        ("You missed a call from Ada.", "call"),
        ("Video chat ended", "call"),
        ("Ada left the group.", "notice"),
        ("Ada left the group of volunteers on Monday", ""),
        ("Ada sent me a letter", ""),
        ("I liked a message by Ada", ""),
        ("Adam named the group", ""),
        ("", ""),
    ],
)
def test_sentences_of_the_app(content: str, kind: str) -> None:
    assert said_by_app(content, "Ada") == kind


def record(second: int, **fields: Any) -> dict[str, Any]:
    return {"sender_name": "Ada", "timestamp_ms": 1700000000000 + second * 1000, "content": str(second), **fields}


def thread(*records: Any, **about: Any) -> bytes:
    told = {"participants": [{"name": "Ada"}, {"name": "Bo"}], "messages": records, "title": "Ada", **about}
    return json.dumps(told).encode()


def texts(items: list[Item]) -> list[str]:
    return [i.text for i in items if isinstance(i, Message)]


def test_parts_are_ordered_by_time_whatever_their_numbers() -> None:
    newest_first = {"message_1.json": thread(record(4), record(3)), "message_2.json": thread(record(2), record(1))}
    oldest = {"message_1.json": thread(record(1), record(2)), "message_2.json": thread(record(3), record(4))}
    for files in (newest_first, oldest):
        assert texts(read(HeldFolder("inbox", files))) == ["1", "2", "3", "4"]


def test_whose_message_it_is() -> None:
    def mine(sender: str, me: str | None = None, **about: Any) -> bool | None:
        items = read(Held("message_1.json", thread(record(1, sender_name=sender), **about)), Options(me=me))
        return next(i.from_me for i in items if isinstance(i, Message))

    assert mine("Bo") is True
    assert mine("Ada") is False
    assert mine("Bo", participants=[{"name": n} for n in ("Ada", "Bo", "Cy")], title="Trio") is None
    assert mine("Ada", me="Ada") is True


def test_the_app_is_told_by_what_the_files_point_at() -> None:
    def app(name: str, **fields: Any) -> list[str]:
        return [e.importer.name for e in find_exports(Held(name, thread(record(1, **fields)))) if e.importer]

    assert app("message_1.json") == ["messenger"]
    assert app("message_1.json", share={"link": "https://www.instagram.com/p/x"}) == ["instagram"]
    assert app("message_1.json", photos=[{"uri": "your_instagram_activity/messages/a.jpg"}]) == ["instagram"]
    photos = [{"uri": "your_facebook_activity/messages/a.jpg"}]
    assert app("message_1.json", photos=photos, share={"link": "https://instagram.com/x"}) == ["messenger"]


def test_the_title_at_the_end_of_the_file_is_known_to_the_first_message() -> None:
    items = read(Held("message_1.json", thread(record(1), title="Zo\u00c3\u00ab", thread_path="inbox/z_1")))
    message = next(i for i in items if isinstance(i, Message))
    assert (message.chat, message.chat_id) == ("Zoë", "inbox/z_1")


@pytest.mark.parametrize(
    ("sentence", "sort"),
    [
        ("Ada hat die Gruppe Gipfel genannt.", "notice"),
        ("Ada a quitté le groupe.", "notice"),
        ("Ada añadió a Bo al grupo.", "notice"),
        ("Ada saiu do grupo.", "notice"),
        ("Ada ha inviato un allegato.", "filler"),
        ("Ada hat einen Anhang gesendet.", "filler"),
        ("Ada a manqué un appel.", "call"),
        ("Ada heeft een oproep gemist.", "call"),
        ("Ada hat die Gruppe gern.", ""),
        ("Bo hat die Gruppe verlassen, sagt man", ""),
    ],
)
def test_sentences_of_the_app_in_other_languages(sentence: str, sort: str) -> None:
    assert said_by_app(sentence, "Ada") == sort
