"""KakaoTalk: random chats in the forms of PC, phones and Mac, in both encodings."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read, said

from importers.kakaotalk import _CALL, _DELETED, KAKAOTALK

RULE = "-" * 15
WEEKDAYS = "월화수목금토일"
PLAIN = TEXT.filter(
    lambda text: (
        text not in _DELETED
        and not _CALL.fullmatch(text)
        and not any(c in text for c in "[]")
        and "님" not in text
    )
)
NAMES = st.sampled_from(["민지", "Junho Kim", "이 준호", "Ada"])


def korean_clock(m: Said) -> str:
    return f"{'오전' if m.at.hour < 12 else '오후'} {m.at.hour % 12 or 12}:{m.at:%M}"


def android(m: Said) -> str:
    return f"{m.at.year}년 {m.at.month}월 {m.at.day}일 {korean_clock(m)}, {m.sender} : {m.text}"


def iphone(m: Said) -> str:
    return f"{m.at.year}. {m.at.month}. {m.at.day}. {korean_clock(m)}, {m.sender} : {m.text}"


def english(m: Said) -> str:
    return (
        f"{m.at:%B} {m.at.day}, {m.at.year} at {m.at.hour % 12 or 12}:{m.at:%M} {m.at:%p}, {m.sender} : {m.text}"
    )


@pytest.mark.parametrize("form", [android, iphone, english])
@settings(max_examples=25)
@given(chat=chats(texts=PLAIN, names=NAMES, step=60))
def test_phones_come_back(form: object, chat: list[Said]) -> None:
    assert callable(form)
    text = "민지 님과 카카오톡 대화\n저장한 날짜 : 2030년 1월 1일\n\n" + "".join(f"{form(m)}\n" for m in chat)
    messages, problems = read(KAKAOTALK, Held("KakaoTalkChats.txt", text.encode("utf-8-sig")))
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp949"])
@settings(max_examples=25)
@given(
    chat=chats(
        texts=st.text("가나다라 abc,:!?마바사", min_size=1, max_size=30).map(str.strip).filter(bool),
        names=NAMES,
        step=60,
    )
)
def test_the_pc_comes_back_in_every_encoding(encoding: str, chat: list[Said]) -> None:
    lines = ["민지 님과 카카오톡 대화", "저장한 날짜 : 2030-01-01", ""]
    day = None
    for m in chat:
        if m.at.date() != day:
            day = m.at.date()
            lines.append(f"{RULE} {day.year}년 {day.month}월 {day.day}일 {WEEKDAYS[day.weekday()]}요일 {RULE}")
        lines.append(f"[{m.sender}] [{korean_clock(m)}] {m.text}")
    messages, problems = read(KAKAOTALK, Held("KakaoTalk.txt", ("\r\n".join(lines) + "\r\n").encode(encoding)))
    assert said(messages) == chat
    assert counted(messages, problems) == len(lines)
    assert {m.chat for m in messages} == {"민지"}


@settings(max_examples=30)
@given(chats(texts=PLAIN, names=NAMES))
def test_the_mac_comes_back(chat: list[Said]) -> None:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(["Date", "User", "Message"])
    writer.writerows([f"{m.at:%Y-%m-%d %H:%M:%S}", m.sender, m.text] for m in chat)
    messages, problems = read(
        KAKAOTALK, Held("KakaoTalk_Chat_민지_2030-01-01.csv", page.getvalue().encode("utf-8-sig"))
    )
    assert said(messages) == chat
    assert counted(messages, problems) == page.getvalue().count("\n")
    assert {m.chat for m in messages} == {"민지"}


def test_iphones_that_write_the_day_once() -> None:
    text = "2026년 10월 1일 목요일\n오후 3:16, 민지 : 가마\n둘째 줄 3:17, a : b\n오후 3:17, 준호님이 나갔습니다.\n"
    text = "민지 님과 카카오톡 대화\n저장한 날짜 : 2026. 10. 2.\n\n" + text
    messages, problems = read(KAKAOTALK, Held("KakaoTalk.txt", text.encode()))
    assert [(m.sender, m.text, m.kind, str(m.timestamp)) for m in messages] == [
        ("민지", "가마\n둘째 줄 3:17, a : b", "talk", "2026-10-01 15:16:00"),
        (None, "준호님이 나갔습니다.", "system", "2026-10-01 15:17:00"),
    ]
    assert counted(messages, problems) == 7


def test_a_clock_inside_a_text_opens_nothing_where_lines_carry_dates() -> None:
    text = "2026년 10월 1일 목요일\n2026년 10월 1일 오후 3:16, 민지 : 일정\n10:30, 회의 : 본관\n"
    text += "2026년 10월 1일 오후 3:17,  : 알림\n"
    messages, _ = read(KAKAOTALK, Held("KakaoTalk.txt", ("민지 님과 카카오톡 대화\n" + text).encode()))
    assert [(m.sender, m.text) for m in messages] == [("민지", "일정\n10:30, 회의 : 본관"), (None, "알림")]


def test_notices_of_the_pc_have_no_name() -> None:
    text = f"{RULE} 2026년 10월 1일 목요일 {RULE}\n[민지] [15:16] 가마\n[] [오후 3:17] 알림\n"
    text += "준호님이 민지님을 초대하였습니다.\n"
    messages, _ = read(KAKAOTALK, Held("KakaoTalk.txt", text.encode()))
    assert [(m.sender, m.kind) for m in messages] == [("민지", "talk"), (None, "system"), (None, "system")]
