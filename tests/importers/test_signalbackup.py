"""signalbackup-tools: random chats, and what stands behind a text."""

from hypothesis import given, settings
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read, said

from importers.signalbackup import SIGNAL_BACKUP


@settings(max_examples=50)
@given(chats(texts=TEXT.filter(lambda text: not text.endswith(")"))))
def test_chats_come_back(chat: list[Said]) -> None:
    text = "".join(f"[{m.at:%b %d, %Y %H:%M:%S}] <{m.sender}> {m.text}\n" for m in chat)
    messages, problems = read(SIGNAL_BACKUP, Held("Ada (_id3).txt", text.encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")
    assert {m.chat for m in messages} == {"Ada"}


def test_a_bracket_at_the_end_is_a_reaction_only_when_it_holds_one() -> None:
    text = "[Sep 02, 2023 18:00:00] <Ada> see (note: this)\n[Sep 02, 2023 18:00:01] <Ada> hot (Ben: 🔥)\n"
    messages, _ = read(SIGNAL_BACKUP, Held("Ada (_id3).txt", text.encode()))
    assert [(m.text, m.reactions) for m in messages] == [("see (note: this)", ()), ("hot", ("🔥 Ben",))]
