"""What the tests of WhatsApp share: a file in memory, and ways to read one."""

import io
import zipfile
from pathlib import Path
from typing import BinaryIO

from importers.base import Facts, Item, Message, Options
from importers.source import Source, open_source
from importers.whatsapp import WHATSAPP

LRM = "\u200e"
NNBSP = "\u202f"


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
    """The lines that messages and problems account for."""
    return sum(i.lines if isinstance(i, Message) else i.skipped for i in items if not isinstance(i, Facts))


def lines_in(text: str) -> int:
    """The lines of a text, however they end."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return plain.count("\n") + (bool(plain) and not plain.endswith("\n"))


def write_zip(path: Path, members: dict[str, str]) -> Source:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return open_source(path)


CHAT = "13/08/2021, 14:42 - Ana: a\n14/08/2021, 14:42 - Bo: b\n"
