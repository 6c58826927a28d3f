"""Slack's mark-up in words."""

from typing import Any

import pytest

from importers.slack_text import Names, blocks_text, message_text, plain

NAMES = Names({"U1": "Edda", "U2": "Jun"}, {"C1": "lunch"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<@U1> and <@U2|jun> and <@U9|guest> and <@U8>", "@Edda and @Jun and @guest and @U8"),
        ("<#C1> <#C1|> <#C1|old-name> <#C9>", "#lunch #lunch #old-name #C9"),
        ("<!here> <!channel> <!everyone>", "@here @channel @everyone"),
        ("<!subteam^S1|@cooks> <!subteam^S1>", "@cooks @S1"),
        ("<!date^1700000000^{date}|14 November>", "14 November"),
        ("<https://e.org/?a=1&amp;b=2|the plan>", "the plan (https://e.org/?a=1&b=2)"),
        ("<https://e.org>", "https://e.org"),
        ("<mailto:a@e.org|a@e.org> <tel:+49|+49>", "a@e.org +49"),
        ("1 &lt; 2 &amp;&amp; 3 &gt; 2, &amp;lt; stays", "1 < 2 && 3 > 2, &lt; stays"),
        ("*bold* _it_ `code` :tada:", "*bold* _it_ `code` :tada:"),
    ],
)
def test_mrkdwn(text: str, expected: str) -> None:
    assert plain(text, NAMES) == expected


def rich(*elements: dict[str, Any], kind: str = "rich_text_section") -> list[dict[str, Any]]:
    return [{"type": "rich_text", "elements": [{"type": kind, "elements": list(elements)}]}]


@pytest.mark.parametrize(
    ("element", "expected"),
    [
        ({"type": "text", "text": "a"}, "a"),
        ({"type": "user", "user_id": "U1"}, "@Edda"),
        ({"type": "channel", "channel_id": "C1"}, "#lunch"),
        ({"type": "broadcast", "range": "here"}, "@here"),
        ({"type": "emoji", "name": "wave", "unicode": "1f44b-1f3fe"}, "👋🏾"),
        ({"type": "emoji", "name": "party"}, ":party:"),
        ({"type": "emoji", "name": "odd", "unicode": "zz"}, ":odd:"),
        ({"type": "link", "url": "https://e.org", "text": "x"}, "x (https://e.org)"),
        ({"type": "date", "timestamp": 5, "fallback": "noon"}, "noon"),
        ({"type": "new thing", "text": "t"}, "t"),
    ],
)
def test_rich_text(element: dict[str, Any], expected: str) -> None:
    assert blocks_text(rich(element), NAMES) == expected


def test_lists_and_other_blocks() -> None:
    items = [{"type": "rich_text_section", "elements": [{"type": "text", "text": t}]} for t in "ab"]
    assert blocks_text(rich(*items, kind="rich_text_list"), NAMES) == "• a\n• b"
    blocks = [
        {"type": "header", "text": {"type": "plain_text", "text": "Head"}},
        {
            "type": "section",
            "text": {"type": "mrkdwn", "text": "<@U1>"},
            "fields": [{"type": "mrkdwn", "text": "f"}],
        },
        {"type": "divider"},
        {"type": "context", "elements": [{"type": "mrkdwn", "text": "c"}, {"type": "image"}]},
    ]
    assert blocks_text(blocks, NAMES) == "Head\n@Edda\nf\nc"


def test_attachments_speak_for_bots_and_where_there_is_nothing_else() -> None:
    attached = [{"title": "Build", "text": "passed", "fields": [{"title": "Time", "value": "3 s"}]}]
    assert message_text({"text": "", "attachments": attached}, NAMES) == "Build\npassed\nTime: 3 s"
    assert message_text({"text": "see", "attachments": attached}, NAMES) == "see"
    assert (
        message_text({"text": "see", "bot_id": "B", "attachments": attached}, NAMES)
        == "see\nBuild\npassed\nTime: 3 s"
    )
    assert message_text({"attachments": [{"fallback": "only this"}]}, NAMES) == "only this"
    assert message_text({}, NAMES) == ""


def test_a_comment_on_a_file_is_read_where_old_exports_keep_it() -> None:
    record = {"subtype": "file_comment", "text": "", "comment": {"user": "U1", "comment": "<@U1> sharper"}}
    assert message_text(record, NAMES) == "@Edda sharper"
