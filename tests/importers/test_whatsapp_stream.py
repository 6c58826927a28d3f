"""WhatsApp files that are broken, endless or huge: all lines counted, nothing raised, memory flat."""

import io
import random
import string
import tracemalloc
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import BinaryIO

import pytest
from whatsapp_files import CHAT, Bytes, items_of, lines_covered, lines_in, write_zip

from importers.base import Facts, Message, Options, Problem
from importers.source import FileSource, ZipSource, open_source
from importers.whatsapp import WHATSAPP

DATA = Path(__file__).parent / "data" / "whatsapp"


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


def test_bytes_of_another_encoding_are_remarked_once_and_lose_nothing() -> None:
    lines = ["13/08/2021, 14:42 - Ana: Zoë".encode(), *["13/08/2021, 14:43 - Ana: Zoë".encode("latin-1")] * 2]
    items = items_of(b"\n".join([lines[0]] * 3_000 + lines))
    problems = [i for i in items if isinstance(i, Problem)]
    assert [(p.line, p.skipped) for p in problems] == [(3_002, 0)]
    assert isinstance(items[-1], Message)
    assert items[-1].text == "Zo\ufffd"
    assert lines_covered(items) == 3_003


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
    source = Counting(big_chat(100_000))
    items = WHATSAPP.read(source, Options())
    next(i for i in items if isinstance(i, Message))
    assert source.read < len(source.data) // 3
    tracemalloc.start()
    count = 1 + sum(isinstance(i, Message) for i in items)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 100_000
    assert peak < 25 * 2**20
