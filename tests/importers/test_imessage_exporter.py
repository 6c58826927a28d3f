"""imessage-exporter: random chats, with every reply printed twice as the tool does."""

from datetime import datetime

from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import NAMES, Said, chats, counted, read, said

from importers.imessage_exporter import IMESSAGE_EXPORTER


def written_time(at: datetime) -> str:
    return f"{at:%b %d, %Y} {at.hour % 12 or 12:>2}:{at:%M:%S %p}"


@settings(max_examples=50)
@given(chats(names=NAMES), st.integers(0, 7))
def test_chats_come_back_once(chat: list[Said], answered: int) -> None:
    blocks = []
    for n, m in enumerate(chat):
        lines = [written_time(m.at), m.sender, *m.text.split("\n")]
        if n == answered and n + 1 < len(chat):
            reply = chat[n + 1]
            inner = [written_time(reply.at), reply.sender, *reply.text.split("\n")]
            lines += [f"    {line}" if line else "" for line in inner]
        if n == answered + 1:
            lines.append("This message responded to an earlier message.")
        blocks.append("\n".join(lines) + "\n")
    text = "\n".join(blocks)
    messages, problems = read(IMESSAGE_EXPORTER, Held("Ada.txt", text.encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")


def test_events_and_deletions_are_no_talk() -> None:
    text = (
        "Sep 02, 2023  6:00:00 PM\nAda\nStarted sharing location!\n\n"
        "Sep 02, 2023  6:01:00 PM\nAda\ngone\nThis message was deleted from the conversation!\n\n"
        "Sep 02, 2023  6:02:00 PM Ada left the conversation.\n\n"
    )
    messages, _ = read(IMESSAGE_EXPORTER, Held("Ada.txt", text.encode()))
    assert [m.kind for m in messages] == ["event", "deleted", "system"]
