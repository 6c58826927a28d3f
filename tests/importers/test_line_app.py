"""LINE: random chats in tabs and quotes, and what quotes and headings may be mistaken for."""

from datetime import datetime

from hypothesis import given, settings
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read, said

from importers.base import Options
from importers.line_app import LINE

PLAIN = TEXT.filter(lambda text: not text.startswith(("☎", '"')) and text.count('"') % 2 == 0 and "\t" not in text)


def written(chat: list[Said], clock: str = "%H:%M") -> str:
    lines = ["[LINE] Chat history with Ada", "Saved on: 2030/01/01 10:00", ""]
    day = None
    for m in chat:
        if m.at.date() != day:
            day = m.at.date()
            lines += ["", f"{day:%Y/%m/%d}({day:%a})"]
        quoted = m.text.replace('"', '""')
        lines.append(f"{m.at.strftime(clock)}\t{m.sender}\t" + (f'"{quoted}"' if "\n" in m.text else m.text))
    return "\n".join(lines) + "\n"


@settings(max_examples=50)
@given(chats(texts=PLAIN, step=60))
def test_phones_come_back(chat: list[Said]) -> None:
    text = written(chat)
    messages, problems = read(LINE, Held("talk.txt", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()))
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")


@settings(max_examples=30)
@given(chats(texts=PLAIN, step=60))
def test_a_twelve_hour_clock_comes_back(chat: list[Said]) -> None:
    messages, _ = read(LINE, Held("talk.txt", written(chat, "%I:%M%p").encode()))
    assert said(messages) == chat


def test_an_open_quote_ends_at_the_next_message() -> None:
    text = '[LINE] Chat history with Ada\nx\n\n2023/09/02(Sat)\n10:00\tAda\t"odd\n\n'
    text += "2023/09/03(Sun)\n11:00\tBen\tnext\n"
    messages, problems = read(LINE, Held("talk.txt", text.encode()))
    assert [(m.sender, m.text, str(m.timestamp)) for m in messages] == [
        ("Ada", '"odd', "2023-09-02 10:00:00"),
        ("Ben", "next", "2023-09-03 11:00:00"),
    ]
    assert counted(messages, problems) == 8


def test_the_owner_is_known_when_named() -> None:
    text = b"[LINE] Chat history with Ada\nx\n\n2023/09/02(Sat)\n10:00\tAda\thi\n10:01\tBen\tho\n"
    messages, _ = read(LINE, Held("talk.txt", text), Options(me="Ben"))
    assert [m.from_me for m in messages] == [False, True]


def test_a_group_without_a_header_and_with_spaces() -> None:
    text = b"2023.09.02 Saturday\n10:00 Ada hi there\n10:01 Ben Photos\n10:02 Ada bye now\n10:03 Ben see you\n"
    messages, problems = read(LINE, Held("Kiln club.txt", text))
    assert [(m.sender, m.text) for m in messages] == [
        ("Ada", "hi there"), ("Ben", "Photos"), ("Ada", "bye now"), ("Ben", "see you"),
    ]  # fmt: skip
    assert messages[1].attachments[0].kind == "image"
    assert {m.chat for m in messages} == {"Kiln club"}
    assert counted(messages, problems) == 5


def test_what_was_unsent_is_deleted() -> None:
    text = b"[LINE] Chat history in Kiln\nx\n\nSat, 09/02/2023\n10:00\tAda\tMessage unsent.\n"
    text += b"10:01\t\tBen left the group.\n"
    messages, _ = read(LINE, Held("talk.txt", text))
    assert [m.kind for m in messages] == ["deleted", "system"]
    assert {m.chat for m in messages} == {"Kiln"}


def test_days_are_read_whatever_the_language_of_the_weekday() -> None:
    text = "[LINE] Chat history with Wit\nsaved\n\nพ., 13/3/2024\n21:05\tWit\thi\nsáb., 6/4/2024\n9:05\tWit\tyo\n"
    messages, problems = read(LINE, Held("x.txt", text.encode()))
    assert [m.timestamp for m in messages] == [datetime(2024, 3, 13, 21, 5), datetime(2024, 4, 6, 9, 5)]
    assert counted(messages, problems) == 7
