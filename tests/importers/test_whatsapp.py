"""WhatsApp exports: header shapes of every locale, date order, titles, folders and zips, random chats."""

import os
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from whatsapp_files import CHAT, LRM, NNBSP, Bytes, items_of, lines_covered, lines_in, messages_of, write_zip

from importers.base import Facts, Message, Options, Problem
from importers.source import FileSource, open_source
from importers.whatsapp import WHATSAPP
from importers.whatsapp_title import title_in

# Headers of 13 August 2021 (the 14th in the second line) at 14:42, as phones of many languages write them.
AFTERNOON = [
    "{d}/08/2021, 14:42 - ",
    "8/{d}/21, 2:42 PM - ",
    f"8/{{d}}/21, 2:42{NNBSP}PM - ",
    "{d}.08.21, 14:42 - ",
    "{d}.8.2021 klo 14.42 - ",
    "{d}.08.2021 kl. 14:42 - ",
    "2021-08-{d} 14:42 - ",
    "2021/08/{d} 14:42 - ",
    "2021/8/{d} 下午2:42 - ",
    "{d}/8/21 2:42 p. m. - ",
    "{d}/8/21 2:42 p.\u00a0m. - ",
    f"{{d}}/8/2021, 2:42 p.{NNBSP}m. - ",
    "{d}/08/2021 à 14:42 - ",
    "2021-08-{d} 14 h 42 - ",
    "{d}/08/2021 às 14:42 - ",
    "{d}/08/2021 14.42 - ",
    "2021. 8. {d}. 오후 2:42 - ",
    "2021년 8월 {d}일 오후 2:42 - ",
    "2021年8月{d}日 下午2:42 - ",
    "2021. 08. {d}. 14:42 - ",
    "{d}. 8. 2021 14:42 - ",
    "{d}. 08. 2021. 14:42 - ",
    "{d}.08.21 г., 14:42 ч. - ",
    "{d}.8.21., 14:42 - ",
    "{d}\u200f/8\u200f/2021, 2:42 م - ",
    f"{{d}}/8/2021، 2:42{NNBSP}م - ",
    "{d}/8/2564 14:42 - ",
    "{d}/8/2564 14:42 น. - ",
    "{d}/8/21, 2:42 CH - ",
    "14:42, {d}/8/2021 - ",
    "{d}/8/21 2:42 μ.μ. - ",
    "{d}.08.2021 ÖS 2:42 - ",
    "{d}/08/21, 2:42 pm - ",
    "{d}/08/2021, 2:42 PTG - ",
    "{d}/8/21, 2:42 अपराह्न - ",
    "{d}/8/21, பிற்பகல் 2:42 - ",
    "2021. 08. {d}. du. 2:42 - ",
    "{d}/8/21, 2.42 PM - ",
    "{d}.08.2021, 2:42 nachm. - ",
    "{d}/08/2021, 14:42 – ",
    "{d}/08/21, 14:42: ",
    "{d}/08/2021 - 14:42; ",
]
WITH_SECONDS = [
    "[{d}/08/2021, 14:42:09] ",
    "[{d}/8/21 14:42:09] ",
    "[{d}.08.21, 14:42:09] ",
    "[8/{d}/21, 2:42:09 PM] ",
    f"[8/{{d}}/21, 2:42:09{NNBSP}PM] ",
    f"{LRM}[8/{{d}}/21, 2:42:09{NNBSP}PM] ",
    "[2021-08-{d} 14:42:09] ",
    "[2021-08-{d}, 2:42:09 p.m.] ",
    "[2021/8/{d} 下午2:42:09] ",
    "[2021/08/{d} 14:42:09] ",
    "[{d}/8/2564 BE 14:42:09] ",
    "[{d}.08.2021 14.42.09] ",
    "[{d}.8.2021 klo 14.42.09] ",
    "[2021. 8. {d}. 오후 2:42:09] ",
    "[{d}.08.21, 14:42:09 Uhr] ",
    "[{d}-08-2021 14:42:09] ",
    "[08-{d}-2021, 14:42:09] ",
    "[\u200f{d}\u200f/8\u200f/2021، 2:42:09 م] ",
    "[{d}. 8. 2021, 14:42:09] ",
    "[{d}/08/2021 à 14:42:09] ",
    "[{d}/8/2021, 2:42:09 odp.] ",
    "[{d}/8/2021, 2:42:09 soir] ",
    "{d}/08/2021 14:42:09: ",
    "8/{d}/15, 2:42:09 PM: ",
    "\u200b[{d}/08/2021, 14:42:09] ",
    "\ufeff[{d}/08/2021, 14:42:09] ",
]


@pytest.mark.parametrize("shape", AFTERNOON + WITH_SECONDS)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_headers_of_every_locale(shape: str, newline: str) -> None:
    text = "".join(f"{shape.format(d=13 + n)}Ana: word {n}{newline}and more{newline}" for n in range(2))
    source = Bytes(text.encode())
    assert WHATSAPP.recognise(source) >= 0.9
    items = list(WHATSAPP.read(source, Options()))
    messages = [i for i in items if isinstance(i, Message)]
    year, second = (2015 if "/15" in shape else 2021), (9 if "09" in shape else 0)
    assert [m.timestamp for m in messages] == [datetime(year, 8, 13 + n, 14, 42, second) for n in range(2)]
    assert [(m.sender, m.text) for m in messages] == [("Ana", f"word {n}\nand more") for n in range(2)]
    assert lines_covered(items) == 4


DIGITS = {
    "arabic": "٠١٢٣٤٥٦٧٨٩", "persian": "۰۱۲۳۴۵۶۷۸۹", "devanagari": "०१२३४५६७८९", "bengali": "০১২৩৪৫৬৭৮৯",
    "myanmar": "၀၁၂၃၄၅၆၇၈၉", "thai": "๐๑๒๓๔๕๖๗๘๙", "gujarati": "૦૧૨૩૪૫૬૭૮૯", "tamil": "௦௧௨௩௪௫௬௭௮௯",
}  # fmt: skip


@pytest.mark.parametrize("digits", DIGITS.values(), ids=DIGITS)
def test_digits_of_every_script_are_read_in_headers_and_left_in_texts(digits: str) -> None:
    table = str.maketrans("0123456789", digits)
    text = f"{'28/02/2024, 09:41 - '.translate(table)}Nur: {'12'.translate(table)}"
    (message,) = messages_of(text)
    assert message.timestamp == datetime(2024, 2, 28, 9, 41)
    assert message.text == "12".translate(table)


@pytest.mark.parametrize(
    ("clock", "hour"),
    [
        ("12:05 AM", 0), ("12:05 PM", 12), ("11:05 pm", 23), ("凌晨12:05", 0), ("凌晨3:05", 3), ("早上9:05", 9),
        ("中午12:05", 12), ("中午11:05", 11), ("晚上8:05", 20), ("오전 12:05", 0), ("오후 12:05", 12),
        ("12:05 ص", 0), ("12:05 م", 12), ("0:05", 0), ("23:05", 23), ("রাত 9:05", 21),
        ("午前0:05", 0), ("12:05 a. m.", 0), ("a las 12:05", 12), ("à 12:05", 12),
    ],
)  # fmt: skip
def test_twelve_hour_clocks(clock: str, hour: int) -> None:
    (message,) = messages_of(f"[2023/4/22, {clock}] Ana: x")
    assert message.timestamp == datetime(2023, 4, 22, hour, 5)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_encodings(encoding: str) -> None:
    data = "13/06/2019, 10:00 - Zoë: naïve Ж\n13/06/2019, 10:01 - Zoë: ok\n".encode(encoding)
    assert WHATSAPP.recognise(Bytes(data)) >= 0.9
    assert [m.text for m in messages_of(data)] == ["naïve Ж", "ok"]


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("WhatsApp Chat with Ruth Ek.txt", "Ruth Ek"),
        ("WhatsApp Chat - Ruth Ek.zip", "Ruth Ek"),
        ("WhatsApp Chat with Ruth Ek (2).txt", "Ruth Ek"),
        ("WhatsApp_Chat_with_Ruth_Ek.txt", "Ruth Ek"),
        ("Chat de WhatsApp con Club de té.txt", "Club de té"),
        ("WhatsApp Chat mit Ruth.txt", "Ruth"),
        ("Discussion WhatsApp avec Zoé.txt", "Zoé"),
        ("Conversa do WhatsApp com Zé.zip", "Zé"),
        ("Чат WhatsApp с Ольга.txt", "Ольга"),
        ("与小林的 WhatsApp 聊天.txt", "小林"),
        ("Deniz ile WhatsApp Sohbeti.txt", "Deniz"),
        ("Anything WhatsApp anything - Vera.zip", "Vera"),
        ("chat.txt", None),
        ("notes about WhatsApp.txt", None),
    ],
)
def test_titles_in_file_names(name: str, title: str | None) -> None:
    assert title_in(name) == title


def test_titles_without_a_telling_file_name() -> None:
    line = "13/08/2021, 14:42 - "
    assert messages_of(f"{line}Ana: a\n{line}Bo: b")[0].chat == "Ana & Bo"
    assert messages_of(f"{line}Ana created group “Rowers”\n{line}Bo: b")[0].chat == "Rowers"
    iphone = f"[13/08/2021, 14:42:00] Ruth: {LRM}Messages and calls are end-to-end encrypted."
    assert messages_of(iphone)[0].chat == "Ruth"


def test_a_zip_or_folder_is_claimed_for_its_one_chat(tmp_path: Path) -> None:
    zipped = write_zip(
        tmp_path / "WhatsApp Chat - Ruth.zip", {"_chat.txt": CHAT, "notes.txt": "buy milk", "a.jpg": "x"}
    )
    assert WHATSAPP.recognise(zipped) > 0.9
    assert {m.chat for m in WHATSAPP.read(zipped, Options()) if isinstance(m, Message)} == {"Ruth"}
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "_chat.txt").write_text(CHAT, encoding="utf-8")
    assert WHATSAPP.recognise(open_source(tmp_path / "out")) > 0.9


def test_a_zip_of_several_chats_is_left_to_its_members(tmp_path: Path) -> None:
    names = ("WhatsApp Chat with Ruth.txt", "WhatsApp Chat with Otto.txt")
    zipped = write_zip(tmp_path / "all.zip", dict.fromkeys(names, CHAT))
    assert WHATSAPP.recognise(zipped) == 0
    titles = {
        next(i.chat for i in WHATSAPP.read(m, Options()) if isinstance(i, Message)) for m in zipped.members()
    }
    assert titles == {"Ruth", "Otto"}


def test_a_place_without_a_chat_says_so(tmp_path: Path) -> None:
    zipped = write_zip(tmp_path / "none.zip", {"notes.txt": "buy milk"})
    assert WHATSAPP.recognise(zipped) == 0
    facts, problem = WHATSAPP.read(zipped, Options())
    assert isinstance(facts, Facts)
    assert isinstance(problem, Problem)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "buy milk\non 13/08/2021, 14:42 - maybe",
        '{"messages": []}',
        "[14:42:09] <ana> hi",
        "2021-08-13 14:42 Ana: hi",
        "13.08.2021 14:42:09\tAna\thi",
        "[13-Aug-21 02:42 PM] ana#0001\nhi\n",
    ],
)
def test_other_texts_are_not_taken_for_whatsapp(text: str) -> None:
    assert WHATSAPP.recognise(Bytes(text.encode())) < 0.5


def test_a_forced_order_wins_and_impossible_dates_are_problems() -> None:
    items = items_of(
        "13/08/2021, 14:42 - Ana: a\nmore\n02/03/2021, 14:42 - Bo: b", options=Options(date_order="mdy")
    )
    facts, problem, message = items
    assert isinstance(facts, Facts)
    assert (facts.date_order, facts.date_order_is_guess) == ("mdy", False)
    assert problem == Problem(1, "There is no such date or time: 13/08/2021, 14:42.", "Ana: a more", 2)
    assert isinstance(message, Message)
    assert message.timestamp == datetime(2021, 2, 3, 14, 42)
    assert lines_covered(items) == 3


def test_facts_name_the_order_and_the_missing_zone() -> None:
    facts = items_of(CHAT)[0]
    assert facts == Facts("dmy", "The first number goes above 12, so it is the day.", False, (), True)


def test_the_time_of_the_file_bounds_its_dates(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("03/02/2024, 10:00 - Ana: a\n04/02/2024, 10:00 - Ana: b\n", encoding="utf-8")
    moment = datetime(2024, 2, 10).timestamp()
    os.utime(path, (moment, moment))
    facts = next(iter(WHATSAPP.read(FileSource(path), Options())))
    assert isinstance(facts, Facts)
    assert (facts.date_order, facts.date_order_is_guess) == ("dmy", False)


class Writer:
    """Writes random messages the way one kind of phone does."""

    def __init__(self, date: str, clock: str, header: str, newline: str) -> None:
        self.date, self.clock, self.header, self.newline = date, clock, header, newline

    def line(self, moment: datetime, sender: str, text: str) -> str:
        day = self.date.format(t=moment, yy=moment.year % 100)
        half = "AM" if moment.hour < 12 else "PM"
        clock = self.clock.format(t=moment, hour=moment.hour % 12 or 12, half=half)
        return f"{self.header.format(day, clock)}{sender}: {text}".replace("\n", self.newline) + self.newline


WRITERS = [
    Writer("{t.day:02}/{t.month:02}/{t.year}", "{t.hour:02}:{t.minute:02}", "{}, {} - ", "\n"),
    Writer("{t.month}/{t.day}/{yy:02}", "{hour}:{t.minute:02}\u202f{half}", "{}, {} - ", "\n"),
    Writer("{t.day:02}.{t.month:02}.{yy:02}", "{t.hour:02}:{t.minute:02}:{t.second:02}", "[{}, {}] ", "\r\n"),
    Writer("{t.month}/{t.day}/{yy:02}", "{hour}:{t.minute:02}:{t.second:02} {half}", "[{}, {}] ", "\r\n"),
    Writer("{t.year}-{t.month:02}-{t.day:02}", "{t.hour:02}:{t.minute:02}:{t.second:02}", "[{} {}] ", "\r\n"),
    Writer("{t.day}.{t.month}.{t.year}", "{t.hour}.{t.minute:02}", "{} klo {} - ", "\n"),
    Writer("{t.day:02}/{t.month:02}/{t.year}", "{t.hour:02}:{t.minute:02}", "{} à {} - ", "\n"),
    Writer("{t.year}. {t.month}. {t.day}.", "{t.hour}:{t.minute:02}", "{} {} - ", "\n"),
    Writer("{t.day:02}/{t.month:02}/{t.year}", "{t.hour:02}:{t.minute:02}:{t.second:02}", "{} {}: ", "\r\n"),
]
LETTERS = st.characters(codec="utf-8", exclude_categories=["Cc", "Cf", "Zl", "Zp", "Cs"])
SENDERS = st.sampled_from(["Ana", "Bo - Work", "Зоя", "+49 151 0000000", "小林", "Dr. Z"])
TEXTS = (
    st.lists(st.text(LETTERS, max_size=30), min_size=1, max_size=4)
    .map("\n".join)
    .filter(lambda t: not t.endswith("\n") and t == t.strip("\u200b\ufeff"))
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    writer=st.sampled_from(WRITERS),
    start=st.datetimes(datetime(2012, 1, 1), datetime(2024, 1, 1)),
    told=st.lists(st.tuples(st.integers(0, 40 * 3600), SENDERS, TEXTS), min_size=40, max_size=60),
)
def test_random_chats_are_read_back(writer: Writer, start: datetime, told: list[tuple[int, str, str]]) -> None:
    """Enough days that the date order is not open; texts of any letters, blank lines and spaces in front."""
    moment = start.replace(second=0, microsecond=0)
    wanted = []
    text = ""
    for seconds, sender, body in told:
        moment += timedelta(seconds=seconds - seconds % 60)
        wanted.append((moment, sender, body))
        text += writer.line(moment, sender, body)
    items = items_of(text)
    assert [(m.timestamp, m.sender, m.text) for m in items if isinstance(m, Message)] == wanted
    assert lines_covered(items) == lines_in(text)


def test_a_log_of_irc_is_not_taken_for_notices() -> None:
    log = "[3/13/2024 9:05 PM] <tove> hi\n[3/13/2024 9:06 PM] <nils> yo\n"
    assert WHATSAPP.recognise(Bytes(log.encode(), "room.log")) == 0
