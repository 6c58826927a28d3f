"""IRC logs: random channels in the shape of each client, and days that nothing or too much says."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import LINE, Said, chats, counted, read, said

from importers.irc import IRC

NICKS = st.text("abcXYZ019_[]^`{|}-", min_size=2, max_size=9).filter(
    lambda nick: not nick[0].isdigit() and nick[0] != "-"
)
SINGLE = LINE.filter(bool)
CHANNELS = chats(texts=SINGLE, names=NICKS)


@settings(max_examples=40)
@given(chats(texts=SINGLE, names=NICKS, step=60))
def test_irssi_comes_back(chat: list[Said]) -> None:
    lines = [f"--- Log opened {chat[0].at:%a %b %d %H:%M:%S %Y}"]
    day = chat[0].at.date()
    for m in chat:
        if m.at.date() != day:
            day = m.at.date()
            lines.append(f"--- Day changed {day:%a %b %d %Y}")
        lines.append(f"{m.at:%H:%M} <@{m.sender}> {m.text}")
    messages, problems = read(IRC, Held("#room.log", ("\n".join(lines) + "\n").encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == len(lines)
    assert {m.chat for m in messages} == {"#room"}


@settings(max_examples=40)
@given(CHANNELS)
def test_weechat_comes_back(chat: list[Said]) -> None:
    text = "".join(f"{m.at:%Y-%m-%d %H:%M:%S}\t+{m.sender}\t{m.text}\n" for m in chat)
    messages, problems = read(IRC, Held("irc.net.#room.weechatlog", text.encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == len(chat)


@settings(max_examples=40)
@given(CHANNELS)
def test_hexchat_comes_back_over_new_years(chat: list[Said]) -> None:
    near = [m for m in chat if (m.at - chat[0].at).days < 180]
    begin = f"**** BEGIN LOGGING AT {near[0].at:%a %b %d %H:%M:%S %Y}\n\n"
    text = begin + "".join(f"{m.at:%b %d %H:%M:%S} <{m.sender}>\t{m.text}\n" for m in near)
    messages, problems = read(IRC, Held("net-#room.log", text.encode()))
    assert said(messages) == near
    assert counted(messages, problems) == text.count("\n")


@settings(max_examples=30)
@given(CHANNELS)
def test_znc_takes_the_day_from_the_file_name(chat: list[Said]) -> None:
    today = [m for m in chat if m.at.date() == chat[0].at.date()]
    text = "".join(f"[{m.at:%H:%M:%S}] <{m.sender}> {m.text}\n" for m in today)
    messages, _ = read(IRC, Held(f"net/#room/{chat[0].at:%Y-%m-%d}.log", text.encode()))
    assert said(messages) == today
    assert {m.chat for m in messages} == {"#room"}


def test_a_clock_that_passes_midnight_without_a_word_makes_a_new_day() -> None:
    text = (
        b"--- Log opened Sat Sep 02 23:00:00 2023\n23:59 < ada> one\n00:01 < ben> two\n00:00 < ada> same night\n"
    )
    messages, _ = read(IRC, Held("#room.log", text))
    assert [str(m.timestamp) for m in messages] == [
        "2023-09-02 23:59:00", "2023-09-03 00:01:00", "2023-09-03 00:00:00",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "line",
    [
        "18:00 -!- ada [a@b] has quit [x]",
        "[18:00] *** Joins: ada (a@b)", "Sep 02 18:00:00 <--\tada has quit (x)",
        "2023-09-02 18:00:00\t--\tada is now known as eve", "=== ada entered the room.",
        "18:00 * ada sets mode +o ben",
    ],
)  # fmt: skip
def test_notices_are_no_talk(line: str) -> None:
    data = f"--- Log opened Sat Sep 02 17:00:00 2023\n17:59 < ada> hi\n{line}\n17:59 < ada> ho\n"
    messages, problems = read(IRC, Held("#room.log", data.encode()))
    assert [m.kind for m in messages] == ["talk", "system", "talk"]
    assert not problems


def test_other_text_is_not_taken_for_a_log() -> None:
    assert IRC.recognise(Held("notes.txt", b"10:30 meet ada\n11:00 < lunch > with ben\nand then home\n")) < 0.5
    assert IRC.recognise(Held("empty.log", b"")) == 0
