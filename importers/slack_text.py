"""Slack's mark-up as plain text: mrkdwn, rich text blocks, attachments.

Names stand for ids, and a link keeps both its words and its target. Marks such as *bold* stay as typed.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_TOKEN = re.compile(r"<([^<>\n]*)>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))
_TEXT_BLOCKS = ("section", "header", "markdown")


class Names:
    """The names of people and channels by their ids."""

    def __init__(self, people: Mapping[str, str], channels: Mapping[str, str]) -> None:
        self.people = people
        self.channels = channels

    def person(self, key: str) -> str:
        """The name, or the id where it is not known."""
        return self.people.get(key) or ("Slackbot" if key == "USLACKBOT" else key)

    def channel(self, key: str) -> str:
        """The channel's name without its #."""
        return self.channels.get(key) or key


def message_text(record: dict[str, Any], names: Names) -> str:
    """All words of a message: its text, else its blocks; of bots, and where there is nothing else, attachments.

    A comment on a file stood in a place of its own until 2018.
    """
    comment = record.get("comment")
    text = record.get("text") or (comment.get("comment") if isinstance(comment, dict) else None)
    said = plain(text, names) if isinstance(text, str) and text else blocks_text(record.get("blocks"), names)
    if said and not (record.get("bot_id") or record.get("subtype") == "bot_message"):
        return said
    shown = [a for a in attachments_text(record.get("attachments"), names) if a not in said]
    return "\n".join(filter(None, (said, *shown)))


def plain(text: str, names: Names) -> str:
    """Text in mrkdwn with ids, links and entities put into words."""
    text = _TOKEN.sub(lambda found: _token(found[1], names), text)
    for entity, letter in _ENTITIES:
        text = text.replace(entity, letter)
    return text


def _token(inner: str, names: Names) -> str:
    target, _, label = inner.partition("|")
    if target.startswith("@"):
        key = target[1:]
        return f"@{names.people.get(key) or label.lstrip('@') or names.person(key)}"
    if target.startswith("#"):
        return f"#{label or names.channel(target[1:])}"
    if target.startswith("!"):
        return _command(target[1:], label)
    address = target.partition(":")[2] if target.startswith(("mailto:", "tel:")) else target
    return f"{label} ({address})" if label and label != address else address


def _command(command: str, label: str) -> str:
    """<!here>, <!subteam^S1|@team>, <!date^1700000000^{date}|14 November>."""
    kind, _, rest = command.partition("^")
    if kind == "subteam":
        return label or f"@{rest}"
    if kind == "date":
        return label or rest.partition("^")[0]
    return f"@{kind}"


def blocks_text(blocks: Any, names: Names) -> str:
    """The words of layout blocks, one block a line."""
    lines = (_block(b, names) for b in blocks if isinstance(b, dict)) if isinstance(blocks, list) else ()
    return "\n".join(filter(None, lines))


def _block(block: dict[str, Any], names: Names) -> str:
    kind = block.get("type")
    if kind == "rich_text":
        return "\n".join(_rich(e, names) for e in _objects(block.get("elements"))).strip("\n")
    if kind in _TEXT_BLOCKS:
        fields = [block.get("text"), *_objects(block.get("fields"))]
        return "\n".join(filter(None, (_text_object(f, names) for f in fields)))
    if kind == "context":
        return " ".join(filter(None, (_text_object(e, names) for e in _objects(block.get("elements")))))
    return _text_object(block.get("title"), names) or str(block.get("title") or "")


def _text_object(value: Any, names: Names) -> str:
    text = value.get("text") if isinstance(value, dict) else value
    return plain(text, names) if isinstance(text, str) else ""


def _rich(element: dict[str, Any], names: Names, depth: int = 0) -> str:
    """A part of a rich text: a section, quote, list or piece of code."""
    if element.get("type") == "rich_text_list" and depth < 20:
        return "\n".join(f"• {_rich(item, names, depth + 1)}" for item in _objects(element.get("elements")))
    return "".join(_piece(p, names) for p in _objects(element.get("elements")))


def _piece(piece: dict[str, Any], names: Names) -> str:
    make = _PIECES.get(str(piece.get("type")))
    return make(piece, names) if make else str(piece.get("text") or "")


def _link(piece: dict[str, Any], names: Names) -> str:
    url, text = str(piece.get("url") or ""), str(piece.get("text") or "")
    return f"{text} ({url})" if text and text != url else url


def _emoji(piece: dict[str, Any], names: Names) -> str:
    """The character itself where the block has it: "1f44d-1f3fd" is two code points."""
    try:
        return "".join(chr(int(code, 16)) for code in str(piece["unicode"]).split("-"))
    except (KeyError, ValueError, OverflowError):
        return f":{piece.get('name') or 'emoji'}:"


_PIECES: dict[str, Callable[[dict[str, Any], Names], str]] = {
    "link": _link,
    "emoji": _emoji,
    "user": lambda p, names: f"@{names.person(str(p.get('user_id')))}",
    "channel": lambda p, names: f"#{names.channel(str(p.get('channel_id')))}",
    "usergroup": lambda p, _: f"@{p.get('usergroup_id')}",
    "broadcast": lambda p, _: f"@{p.get('range')}",
    "date": lambda p, _: str(p.get("fallback") or p.get("timestamp") or ""),
}


def attachments_text(attachments: Any, names: Names) -> Iterator[str]:
    """The words of each attachment that a bot posts, or that a link brings along."""
    for entry in _objects(attachments):
        parts = [entry.get(key) for key in ("pretext", "title", "text")]
        fields = [f"{f.get('title')}: {f.get('value')}" for f in _objects(entry.get("fields")) if f.get("value")]
        words = [plain(p, names) for p in (*parts, *fields) if isinstance(p, str) and p]
        if not words:
            words = [blocks_text(entry.get("blocks"), names) or _text_object(entry.get("fallback"), names)]
        yield "\n".join(filter(None, words))


def _objects(value: Any) -> list[dict[str, Any]]:
    return [v for v in value if isinstance(v, dict)] if isinstance(value, list) else []
