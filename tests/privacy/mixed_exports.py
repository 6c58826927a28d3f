"""Exports for the mixed use: pieces of ten chats that overlap, in four forms, and damaged ones."""

import json
import random
import zipfile
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from zlib import crc32

from lives import WORDS

CHATS = (
    ("Rowing club", "txt"), ("Aunt Dorota", "txt"), ("Night shift", "zip"), ("Kellerband", "zip"),
    ("Harbour watch", "json"), ("Bo", "json"), ("Allotment 14", "json"), ("Marit", "jsonl"),
    ("School run", "jsonl"), ("Quiz night", "txt"),
)  # fmt: skip
"""Titles, and the form in which each is always exported."""

PEOPLE = ("Ilse Varga", "Tobi", "Henrike", "Old Sam", "Nuno")
LINES = 12_000  # of a chat at most
FIRST = datetime(2020, 1, 3, 8, 0)


@dataclass(frozen=True)
class Export:
    """A file, and which lines of which chat are in it."""

    path: Path
    title: str
    lines: frozenset[int]


def said(title: str, number: int) -> tuple[datetime, str, str]:
    """When, who and what: the same for the same chat and number."""
    chance = random.Random(f"{title} {number}")
    words = " ".join(chance.choices(WORDS, k=chance.randint(1, 12)))
    more = "\nand a second line" if number % 17 == 0 else ""
    people = PEOPLE[len(title) % 3 :][:3]
    return FIRST + timedelta(minutes=180 * number + number % 50), chance.choice(people), f"{words} {number}{more}"


class Exports:
    """Writes exports into a folder; only the newest few are kept."""

    def __init__(self, folder: Path, chance: random.Random) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._chance = chance
        self._kept: list[Path] = []
        self._number = 0

    def make(self, *, most: int = 4_000) -> Export:
        """A random piece of a random chat."""
        return self._export(*self._chance.choice(CHATS), most)

    def damaged(self) -> Export:
        """A piece of a chat of its own, cut off or with wrong bytes."""
        form = self._chance.choice(("txt", "zip", "json", "jsonl"))
        export = self._export(f"Damaged {self._number}", form, 1_500)
        data = bytearray(export.path.read_bytes())
        if self._chance.random() < 0.5:
            del data[self._chance.randrange(len(data)) :]
        else:
            for _ in range(self._chance.randint(1, 40)):
                data[self._chance.randrange(len(data))] = self._chance.randrange(256)
        export.path.write_bytes(data)
        return export

    def _export(self, title: str, form: str, most: int) -> Export:
        first = self._chance.randrange(LINES)
        numbers = range(first, min(LINES, first + self._chance.randint(1, most)))
        self._number += 1
        folder = self._folder / str(self._number)
        folder.mkdir()
        writers = {"txt": _write_text, "zip": _write_zip, "json": _write_telegram, "jsonl": _write_lines}
        path = writers[form](folder, title, numbers)
        self._kept.append(path)
        if len(self._kept) > 8:
            old = self._kept.pop(0)
            old.unlink()
            old.parent.rmdir()
        return Export(path, title, frozenset(numbers))


def _text(title: str, numbers: range) -> str:
    lines = (said(title, number) for number in numbers)
    return "".join(f"{when:%d/%m/%Y, %H:%M} - {who}: {what}\n" for when, who, what in lines)


def _write_text(folder: Path, title: str, numbers: range) -> Path:
    """WhatsApp, as a file."""
    path = folder / f"WhatsApp Chat with {title}.txt"
    path.write_text(_text(title, numbers), encoding="utf-8")
    return path


def _write_zip(folder: Path, title: str, numbers: range) -> Path:
    """WhatsApp, as phones make it."""
    path = folder / f"WhatsApp Chat - {title}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("_chat.txt", _text(title, numbers))
    return path


def _write_telegram(folder: Path, title: str, numbers: range) -> Path:
    messages = [
        {
            "id": number,
            "type": "message",
            "date": when.isoformat(),
            "date_unixtime": str(int(when.timestamp())),
            "from": who,
            "from_id": f"user{PEOPLE.index(who) + 1}",
            "text": what,
        }
        for number in numbers
        for when, who, what in [said(title, number)]
    ]
    path = folder / "result.json"
    chat = {"name": title, "type": "private_group", "id": crc32(title.encode()), "messages": messages}
    path.write_text(json.dumps(chat, indent=1), encoding="utf-8")
    return path


def _write_lines(folder: Path, title: str, numbers: range) -> Path:
    path = folder / f"{title}.jsonl"
    with path.open("w", encoding="utf-8") as stream:
        for number in numbers:
            when, who, what = said(title, number)
            entry = {"chat": title, "sender": who, "timestamp": when.isoformat(), "text": what}
            stream.write(json.dumps(entry) + "\n")
    return path
