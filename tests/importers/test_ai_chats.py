"""ChatGPT and Claude: which words are shown, on which branch, and what is counted as hidden."""

import json
from typing import Any

import pytest
from in_memory import Held, HeldFolder, read

from importers.base import Item, Message, Problem
from importers.claude import CLAUDE
from importers.registry import find_exports


def node(name: str, parent: str | None, text: Any = "x", role: str = "user", **message: Any) -> dict[str, Any]:
    content = text if isinstance(text, dict) else {"content_type": "text", "parts": [text]}
    held = {
        "id": name,
        "author": {"role": role},
        "create_time": 1700000000 + len(name),
        "content": content,
        **message,
    }
    return {"id": name, "message": held, "parent": parent, "children": []}


def conversation(*nodes: dict[str, Any], **about: Any) -> list[Item]:
    told = {"title": "t", "mapping": {n["id"]: n for n in nodes}, "id": "c", **about}
    return read(Held("conversations.json", json.dumps([told]).encode()))


def texts(items: list[Item]) -> list[str]:
    return [i.text for i in items if isinstance(i, Message)]


def lost(items: list[Item]) -> int:
    return sum(i.skipped for i in items if isinstance(i, Problem))


def test_the_shown_branch_is_followed_from_its_end() -> None:
    nodes = (node("q", None, "q"), node("old", "q", "old"), node("new", "q", "new"))
    items = conversation(*nodes, current_node="new")
    assert texts(items) == ["q", "new"]
    assert lost(items) == 1


@pytest.mark.parametrize("current", [None, "gone", 7, {}])
def test_without_a_valid_end_the_newest_leaf_is_taken(current: Any) -> None:
    nodes = (node("q", None, "q"), node("a", "q", "first"), node("later", "q", "second"))
    assert texts(conversation(*nodes, current_node=current)) == ["q", "second"]


def test_a_loop_in_the_tree_ends() -> None:
    assert sorted(texts(conversation(node("a", "b", "a"), node("b", "a", "b"), current_node="a"))) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ({"content_type": "code", "text": "search()"}, {"recipient": "web"}),
        ({"content_type": "thoughts", "thoughts": []}, {}),
        ({"content_type": "reasoning_recap", "content": "x"}, {}),
        ({"content_type": "user_editable_context", "user_profile": "x"}, {}),
        ("hidden", {"metadata": {"is_visually_hidden_from_conversation": True}}),
        ("to a tool", {"recipient": "python"}),
        ("output", {"author": {"role": "tool"}}),
        ("", {}),
        (None, {"author": None}),
    ],
)
def test_what_is_not_shown_is_counted(text: Any, fields: dict[str, Any]) -> None:
    items = conversation(node("q", None, "q"), node("h", "q", text, **fields), current_node="h")
    assert texts(items) == ["q"]
    assert lost(items) == 1


def test_marks_of_citations_go_and_names_of_things_stay() -> None:
    text = 'Rain\ue200cite\ue202turn0search1\ue201 in \ue200entity\ue202["city","Lund"]\ue201\ue203'
    assert texts(conversation(node("q", None, text), current_node="q")) == ["Rain in Lund"]


def test_one_conversation_alone_and_an_object_with_a_list() -> None:
    told = {"title": "t", "mapping": {"q": node("q", None, "hi")}, "current_node": "q", "id": "c"}
    assert texts(read(Held("one.json", json.dumps(told).encode()))) == ["hi"]
    assert texts(read(Held("all.json", json.dumps({"conversations": [told, told]}).encode()))) == ["hi", "hi"]


def test_more_than_ten_parts_come_in_order_and_the_rest_of_the_zip_is_known() -> None:
    def shard(n: int) -> bytes:
        told = {"title": "t", "mapping": {"q": node("q", None, str(n))}, "current_node": "q", "id": str(n)}
        return json.dumps([told]).encode()

    files = {f"conversations-{n:03}.json": shard(n) for n in range(12)}
    files |= {"user.json": b"{}", "chat.html": b"<html></html>", "export_manifest.json": b"{}"}
    folder = HeldFolder("export", files)
    assert [e.importer.name for e in find_exports(folder) if e.importer] == ["chatgpt"]
    assert not [e for e in find_exports(folder) if not e.importer]
    assert texts(read(folder)) == [str(n) for n in range(12)]


def claude(*messages: Any) -> list[Item]:
    told = {"uuid": "c", "name": "t", "created_at": "2025-01-01T00:00:00Z", "chat_messages": messages}
    return list(CLAUDE.read(Held("conversations.json", json.dumps([told]).encode()), None))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ({"text": "plain", "content": []}, "plain"),
        ({"text": "both", "content": [{"type": "text", "text": "block"}]}, "block"),
        ({"text": "", "content": [{"type": "voice_note", "text": "spoken"}]}, "spoken"),
        ({"text": "```\nThis block is not supported on your current device yet.\n```\nrest"}, "rest"),
        ({"text": "see", "attachments": [{"file_name": "", "extracted_content": "pasted"}]}, "see\npasted"),
        ({"text": "see", "attachments": [{"file_name": "a.txt", "extracted_content": "no"}]}, "see"),
    ],
)
def test_claudes_words(message: dict[str, Any], expected: str) -> None:
    assert texts(claude({"uuid": "1", "sender": "human", **message})) == [expected]


def test_claudes_messages_without_words_are_counted() -> None:
    items = claude(
        {"sender": "assistant", "content": [{"type": "thinking", "thinking": "x"}]}, None, {"text": "a"}
    )
    assert texts(items) == ["a"]
    assert lost(items) == 2
