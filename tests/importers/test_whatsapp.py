"""WhatsApp exports: every header shape and locale, what bodies are, titles, damage, and all lines counted."""

import io
import os
import random
import string
import tracemalloc
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from importers.base import Facts, Item, Message, Options, Problem
from importers.source import FileSource, Source, ZipSource, open_source
from importers.whatsapp import WHATSAPP
from importers.whatsapp_title import title_in

LRM = "\u200e"
NNBSP = "\u202f"
DATA = Path(__file__).parent / "data" / "whatsapp"


class Bytes(Source):
    """A file in memory."""

    def __init__(self, data: bytes, name: str = "chat.txt") -> None:
        self.data = data
        self.name = name
        self.size = len(data)

    def open(self) -> BinaryIO:
        return io.BytesIO(self.data)


def items_of(text: str | bytes, name: str = "chat.txt", options: Options | None = None) -> list[Item]:
    data = text if isinstance(text, bytes) else text.encode()
    return list(WHATSAPP.read(Bytes(data, name), options or Options()))


def messages_of(text: str | bytes, name: str = "chat.txt", options: Options | None = None) -> list[Message]:
    return [i for i in items_of(text, name, options) if isinstance(i, Message)]


def lines_covered(items: list[Item]) -> int:
    return sum(i.lines if isinstance(i, Message) else i.skipped for i in items if not isinstance(i, Facts))


def lines_in(text: str) -> int:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.count("\n") + (bool(plain) and not plain.endswith("\n"))


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
        ("中午12:05", 12), ("中午11:05", 11), ("晚上8:05", 20), ("오전 12:05", 0), ("오후 12:05", 12), ("12:05 ص", 0),
        ("12:05 م", 12), ("0:05", 0), ("23:05", 23), ("রাত 9:05", 21), ("午前0:05", 0), ("12:05 a. m.", 0),
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
    ("body", "kind", "attachments", "edited"),
    [
        (f"{LRM}image omitted", "talk", ["image"], False),
        (f"{LRM}Bild weggelassen", "talk", ["image"], False),
        (f"{LRM}vídeo omitido", "talk", ["video"], False),
        (f"{LRM}ses dahil edilmedi", "talk", ["audio"], False),
        (f"{LRM}GIF はno such phrase", "system", [], False),
        (f"{LRM}<attached: 00000004-AUDIO-2021-08-13-14-42-09.opus>", "talk", ["voice"], False),
        (f"{LRM}<pièce jointe : 00000004-STICKER-2021-08-13-14-42-09.webp>", "talk", ["sticker"], False),
        (f"Plan.pdf • {LRM}3 pages {LRM}<attached: 00000005-Plan.pdf>", "talk", ["document"], False),
        (f"Plan.pdf • {LRM}3 pages {LRM}document omitted", "talk", ["document"], False),
        (f"{LRM}<adjunto: 00000006-Eva Ruiz.vcf>", "talk", ["contact"], False),
        (f"{LRM}This message was deleted.", "deleted", [], False),
        (f"{LRM}Вы удалили данное сообщение.", "deleted", [], False),
        (f"see you {LRM}<This message was edited>", "talk", [], True),
        (f"see you {LRM}<یہ پیغام>", "talk", [], True),
        (f"{LRM}Missed voice call", "event", [], False),
        (f"{LRM}Video call, {LRM}No answer", "event", [], False),
        (f"{LRM}Location: https://maps.google.com/?q=1,2", "talk", ["location"], False),
        ("Old Mill (1 Hill Rd): https://foursquare.com/v/0000", "talk", ["location"], False),
        (f"{LRM}POLL:\nTea?\n{LRM}OPTION: Yes (2 votes)\n{LRM}OPTION: No (0 votes)\n", "talk", ["poll"], False),
        (f"{LRM}Ana pinned a message", "system", [], False),
        (f"{LRM}Your security code with Bo changed. Tap to learn more.", "system", [], False),
        ("I left my keys; Bo added salt", "talk", [], False),
        ("a < b and c > d (sort of)", "talk", [], False),
        ("שלום \u200fעולם\u200e ok", "talk", [], False),
        ("read this (file attached)", "talk", [], False),
    ],
)
def test_bodies_on_the_iphone(body: str, kind: str, attachments: list[str], edited: bool) -> None:
    message = messages_of(f"[13/08/2021, 14:42:09] Ana: {body}\n[14/08/2021, 14:42:09] Bo: fine")[0]
    assert (message.kind, [a.kind for a in message.attachments], message.edited) == (kind, attachments, edited)
    assert message.sender == (None if kind == "system" else "Ana")
    assert not message.text.startswith(LRM)
    assert "edited" not in message.text


@pytest.mark.parametrize(
    ("body", "kind", "attachments"),
    [
        ("<Media omitted>", "talk", ["file"]),
        ("<Medien ausgeschlossen>\nunser Hund", "talk", ["file"]),
        ("<Multimedia omitido>", "talk", ["file"]),
        (f"{LRM}IMG-20210813-WA0001.jpg (file attached)\nthe dog", "talk", ["image"]),
        ("PTT-20210813-WA0002.opus (archivo adjunto)", "talk", ["voice"]),
        ("VID-20210813-WA0003.mp4 (words of a language we lack)", "talk", ["video"]),
        ("minutes.docx (bestand bijgevoegd)", "talk", ["document"]),
        ("Diese Nachricht wurde gelöscht.", "deleted", []),
        ("Você apagou esta mensagem", "deleted", []),
        ("Mensagem apagada", "deleted", []),
        ("live location shared", "talk", ["location"]),
        ("konum: https://maps.google.com/?q=41.0,29.0", "talk", ["location"]),
        ("", "talk", []),
        ("null", "talk", []),
        (f"{LRM}@friend look", "talk", []),
        ("This message was deleted, they said", "talk", []),
    ],
)
def test_bodies_on_android(body: str, kind: str, attachments: list[str]) -> None:
    message = messages_of(f"13/08/2021, 14:42 - Ana: {body}\n14/08/2021, 14:42 - Bo: fine")[0]
    assert (message.sender, message.kind) == ("Ana", kind)
    assert [a.kind for a in message.attachments] == attachments
    assert message.text == body.replace(LRM, "")


@pytest.mark.parametrize(
    "line",
    [
        "Ana left",
        'Ana changed the subject from "Trip: May" to "Trip: June"',
        "Ana created group “Trip: May”",
        "Ana hat die Gruppe „Ausflug: Mai“ erstellt.",
        "Ana a créé le groupe « Sortie : mai »",
        "Ana создал(-а) группу «Поход: май»",
        "Ana 將群組主題改為「五月: 山」",
        "Ana changed the group description to: be kind to each other and more of this",
    ],
)
def test_notices_on_android_are_nobodys_words(line: str) -> None:
    text = f"13/08/2021, 14:41 - Ana: hi\n13/08/2021, 14:42 - {line}\n14/08/2021, 14:42 - Ana: fine"
    assert [(m.kind, m.sender) for m in messages_of(text)] == [("talk", "Ana"), ("system", None), ("talk", "Ana")]


def test_names_of_people_are_shown_as_people_know_them() -> None:
    names = [
        f"~{NNBSP}Pim",
        "~ Pim",
        "\u202a+1 (555) 010\u20110199\u202c",
        "Anna - Work",
        "left-handed Leo",
        "Zoë 🌊",
    ]
    text = "".join(f"[13/08/2021, 14:42:{n:02}] {name}: x\n" for n, name in enumerate(names))
    shown = ["Pim", "Pim", "+1 (555) 010-0199", "Anna - Work", "left-handed Leo", "Zoë 🌊"]
    assert [m.sender for m in messages_of(text)] == shown


def test_the_name_of_a_group_speaks_for_the_app_even_where_marks_were_lost() -> None:
    text = """[13/08/2021, 14:42:00] Rowers: Messages and calls are end-to-end encrypted.
[13/08/2021, 14:42:01] Rowers: Ana added you
[13/08/2021, 14:42:02] Ana: Ana changed this group's icon
[13/08/2021, 14:42:03] Ana: Ana is my name
[13/08/2021, 14:42:04] Bo: Rowers: the best
"""
    assert [m.kind for m in messages_of(text)] == ["system", "system", "system", "talk", "talk"]


def test_me_is_known_by_name() -> None:
    text = "13/08/2021, 14:42 - Ana: a\n13/08/2021, 14:43 - Bo: b"
    assert [m.from_me for m in messages_of(text, options=Options(me="Bo"))] == [False, True]
    assert [m.from_me for m in messages_of(text)] == [None, None]


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


def write_zip(path: Path, members: dict[str, str]) -> Source:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return open_source(path)


CHAT = "13/08/2021, 14:42 - Ana: a\n14/08/2021, 14:42 - Bo: b\n"


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


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
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


@pytest.mark.parametrize("case", sorted(DATA.iterdir()), ids=lambda p: p.name)
def test_every_line_of_every_sample_is_accounted_for(case: Path) -> None:
    path = next(p for p in sorted(case.rglob("*.txt")))
    items = list(WHATSAPP.read(FileSource(path), Options()))
    text = path.read_bytes().decode("utf-16" if case.name == "utf16" else "utf-8")
    assert lines_covered(items) == lines_in(text)
    starts = [i.line for i in items if not isinstance(i, Facts) and i.line]
    assert starts == sorted(starts)


def mutated(data: bytes, dice: random.Random) -> bytes:
    """A copy with some bytes changed, removed, doubled or moved."""
    out = bytearray(data)
    for _ in range(dice.randint(1, 8)):
        at, size = dice.randrange(len(out) + 1), dice.randint(1, 40)
        change = dice.randrange(5)
        if change == 0:
            out[at : at + 1] = bytes([dice.randrange(256)])
        elif change == 1:
            del out[at : at + size]
        elif change == 2:
            out[at:at] = out[at : at + size]
        elif change == 3:
            out[at:at] = dice.choice(["\u200e", "\ud800", "\r", "\x00", "[", "：", "٣", "\u2028"]).encode(
                "utf-8", "surrogatepass"
            )
        else:
            out[at:at] = dice.choice(
                [b"\n", b"]", b" - ", b": ", b"99/99/9999, 99:99 - ", b"<", b"(", b"\xff\xfe"]
            )
    return bytes(out)


@pytest.mark.parametrize("seed", range(60))
def test_broken_input_ends_in_problems_and_never_in_an_exception(seed: int) -> None:
    dice = random.Random(seed)
    path = dice.choice(sorted(DATA.rglob("*.txt")))
    data = mutated(path.read_bytes(), dice)
    source = Bytes(data, path.name)
    assert 0 <= WHATSAPP.recognise(source) <= 1
    items = list(WHATSAPP.read(source, Options()))
    assert sum(isinstance(i, Facts) for i in items) == 1
    for item in items:
        if isinstance(item, Message):
            (item.text + (item.sender or "") + item.chat).encode()


def test_a_line_of_a_million_characters_is_one_message() -> None:
    text = f"13/08/2021, 14:42 - Ana: {'x' * 1_000_000}\n13/08/2021, 14:43 - Bo: b"
    items = items_of(text)
    assert [len(m.text) for m in items if isinstance(m, Message)] == [1_000_000, 1]
    assert lines_covered(items) == 2


def test_a_body_without_end_is_cut_and_its_lines_are_counted() -> None:
    text = "13/08/2021, 14:42 - Ana: a\n" + "no header here\n" * 600_000 + "13/08/2021, 14:43 - Bo: b"
    items = items_of(text)
    assert [m.sender for m in items if isinstance(m, Message)] == ["Ana", "Bo"]
    assert any(isinstance(i, Problem) and "longer than" in i.reason for i in items)
    assert lines_covered(items) == lines_in(text)


def test_text_that_is_no_chat_at_all_is_one_problem() -> None:
    items = items_of("no header here\n" * 200_000)
    _, problem = items
    assert isinstance(problem, Problem)
    assert problem.skipped == 200_000


def test_a_second_phone_that_starts_late_in_a_big_file_is_found() -> None:
    first = "".join(f"{d:02}/03/2021, 14:{m:02} - Ana: {'words ' * 12}\n" for d in range(1, 29) for m in range(60))
    second = "".join(f"[4/{d}/21, 2:{m:02}:00 PM] Bo: {'words ' * 12}\n" for d in range(1, 29) for m in range(60))
    items = items_of(first * 12 + second)
    messages = [i for i in items if isinstance(i, Message)]
    assert len(messages) == 13 * 28 * 60
    assert messages[-1].timestamp == datetime(2021, 4, 28, 14, 59)
    assert lines_covered(items) == 13 * 28 * 60


def test_a_damaged_zip_gives_what_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "WhatsApp Chat - Ruth.zip"
    dice = random.Random(1)
    text = "".join(
        f"{n % 28 + 1:02}/08/2021, 14:42 - Ana: {''.join(dice.choices(string.ascii_letters, k=60))}\n"
        for n in range(20_000)
    )
    write_zip(path, {"_chat.txt": text})
    data = bytearray(path.read_bytes())
    middle = len(data) // 2
    data[middle : middle + 50] = b"\x00" * 50
    path.write_bytes(data)
    items = list(WHATSAPP.read(open_source(path), Options()))
    assert isinstance(items[-1], Problem)
    assert "cannot be read further" in items[-1].reason


def test_a_zip_bomb_is_a_sentence() -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("_chat.txt", "w") as member:
        member.write(CHAT.encode())
        for _ in range(60):
            member.write(b"\n" * 2**20)
    source = ZipSource(data, "bomb.zip")
    (chat,) = source.members()
    items = list(WHATSAPP.read(chat, Options()))
    assert isinstance(items[-1], Problem)
    assert "almost nothing" in items[-1].reason


class Counting(Bytes):
    """A file that knows how much of it was read."""

    read = 0

    def open(self) -> BinaryIO:
        outer = self

        class Stream(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                data = super().read(size)
                outer.read += len(data)
                return data

        return Stream(self.data)


def big_chat(messages: int) -> bytes:
    start = datetime(2020, 1, 1)
    moments = (start + timedelta(minutes=7 * n) for n in range(messages))
    return "".join(
        f"{t.day:02}/{t.month:02}/{t.year}, {t.hour:02}:{t.minute:02} - {'AB'[n % 2]}: some words number {n}\n"
        for n, t in enumerate(moments)
    ).encode()


def test_the_first_message_comes_early_and_memory_stays_flat() -> None:
    source = Counting(big_chat(300_000))
    items = WHATSAPP.read(source, Options())
    next(i for i in items if isinstance(i, Message))
    assert source.read < len(source.data) // 4
    tracemalloc.start()
    count = 1 + sum(isinstance(i, Message) for i in items)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 300_000
    assert peak < 40 * 2**20


def test_the_time_of_the_file_bounds_its_dates(tmp_path: Path) -> None:
    path = tmp_path / "chat.txt"
    path.write_text("03/02/2024, 10:00 - Ana: a\n04/02/2024, 10:00 - Ana: b\n", encoding="utf-8")
    moment = datetime(2024, 2, 10).timestamp()
    os.utime(path, (moment, moment))
    facts = next(iter(WHATSAPP.read(FileSource(path), Options())))
    assert isinstance(facts, Facts)
    assert (facts.date_order, facts.date_order_is_guess) == ("dmy", False)
