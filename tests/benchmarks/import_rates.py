"""Rate and memory of importers on generated files: messages a second of processor time, and the most memory held.

usage: PYTHONPATH=. python tests/benchmarks/import_rates.py [--messages 1000000] [--only NAME …] [--folder DIR]

Each file is read in a process of its own, whose memory is measured from its start; the empty row is the same
process without reading. Prints a table for docs/importing.md.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from xml.sax.saxutils import quoteattr

import corpus

from importers.base import Message, Options
from importers.registry import IMPORTERS, find_exports
from importers.source import open_source

PEOPLE = ("Ana Lima", "Ben Okri", "Cleo Park", "Dan")
START = datetime(2015, 1, 1, 8, tzinfo=UTC)
PAUSE = 211  # seconds between two messages on average
TEXTS = 50_000  # different texts; more files repeat them

Said = tuple[int, datetime, str, str]  # number, time, sender, text


def said(count: int) -> Iterator[Said]:
    """The messages of one chat of four."""
    texts = corpus.messages(min(count, TEXTS))
    for number, text in enumerate(islice(cycle(texts), count)):
        yield number, START + timedelta(seconds=PAUSE * number + number * 7 % 60), PEOPLE[number * 5 % 7 % 4], text


def whatsapp(path: Path, messages: Iterator[Said]) -> None:
    """An Android export, day first."""
    with path.open("w", encoding="utf-8") as out:
        for _, at, who, text in messages:
            out.write(f"{at:%d/%m/%Y, %H:%M} - {who}: {text}\n")


def telegram(path: Path, messages: Iterator[Said]) -> None:
    """Telegram Desktop's JSON of one chat, indented as the app does."""
    with path.open("w", encoding="utf-8") as out:
        out.write('{\n "name": "Allotment",\n "type": "private_group",\n "id": 4242,\n "messages": [\n')
        for number, at, who, text in messages:
            record = {
                "id": number, "type": "message", "date": f"{at:%Y-%m-%dT%H:%M:%S}",
                "date_unixtime": str(int(at.timestamp())), "from": who, "from_id": f"user{PEOPLE.index(who)}",
                "text": text, "text_entities": [{"type": "plain", "text": text}],
            }  # fmt: skip
            out.write((",\n" if number else "") + json.dumps(record, indent=1, ensure_ascii=False))
        out.write("\n ]\n}\n")


def discord(path: Path, messages: Iterator[Said]) -> None:
    """DiscordChatExporter's JSON of one channel, indented as the program does."""
    with path.open("w", encoding="utf-8") as out:
        out.write('{\n"guild": {"id": "9", "name": "Allotment", "iconUrl": ""},\n"channel": {"id": "77", "type": ')
        out.write('"GuildTextChat", "name": "general", "topic": null},\n"messages": [\n')
        for number, at, who, text in messages:
            author = {
                "id": str(PEOPLE.index(who)), "name": who.lower().replace(" ", "."), "discriminator": "0000",
                "nickname": who, "color": None, "isBot": False, "roles": [], "avatarUrl": "https://cdn.example/a.png",
            }  # fmt: skip
            record = {
                "id": str(10**17 + number), "type": "Default", "timestamp": at.isoformat(),
                "timestampEdited": None, "callEndedTimestamp": None, "isPinned": False, "content": text,
                "author": author, "attachments": [], "embeds": [],
                "stickers": [], "reactions": [], "mentions": [], "inlineEmojis": [],
            }  # fmt: skip
            out.write((",\n" if number else "") + json.dumps(record, indent=2, ensure_ascii=False))
        out.write("\n]\n}\n")


def line(path: Path, messages: Iterator[Said]) -> None:
    """LINE's text, a heading a day."""
    day = ""
    with path.open("w", encoding="utf-8") as out:
        out.write("[LINE] Chat history with Allotment\nSaved on: 2023/09/03 08:00\n")
        for _, at, who, text in messages:
            if (heading := f"{at:%Y/%m/%d(%a)}") != day:
                day = heading
                out.write(f"\n{day}\n")
            out.write(f"{at:%H:%M}\t{who}\t{text}\n")


def sms(path: Path, messages: Iterator[Said]) -> None:
    """SMS Backup & Restore's XML."""
    with path.open("w", encoding="utf-8") as out:
        out.write("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<smses count=\"1\">\n")
        for number, at, who, text in messages:
            out.write(
                f'  <sms protocol="0" address="+4477009001{PEOPLE.index(who):02}" date="{int(at.timestamp())}000" '
                f'type="{1 + number % 2}" subject="null" body={quoteattr(text)} toa="null" sc_toa="null" '
                f'service_center="null" read="1" status="-1" locked="0" date_sent="0" sub_id="1" '
                f'readable_date="{at:%d %b %Y %H:%M:%S}" contact_name="{who}" />\n'
            )
        out.write("</smses>\n")


FILES: dict[str, tuple[str, Callable[[Path, Iterator[Said]], None]]] = {
    "whatsapp": ("WhatsApp Chat with Allotment.txt", whatsapp),
    "telegram": ("result.json", telegram),
    "discord": ("Allotment - general [77].json", discord),
    "line": ("[LINE] Allotment.txt", line),
    "sms-backup-restore": ("sms-20230903.xml", sms),
}


def measure(name: str, path: Path | None) -> dict[str, float]:
    """Read a file to its end in this process."""
    started, count = time.process_time(), 0
    if path:
        (export,) = find_exports(open_source(path))
        importer = export.importer
        assert importer, f"{path} is not recognised"
        assert importer.name == name, f"{path} was read as {importer.name}"
        count = sum(isinstance(i, Message) for i in importer.read(export.source, Options()))
    seconds = time.process_time() - started
    return {"messages": count, "seconds": seconds, "peak": peak()}


def peak() -> float:
    """The most memory that this program held, in MB; getrusage would count what its parent held before it."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def main() -> int:
    """Write the files, read each in a process of its own, print the table."""
    parser = argparse.ArgumentParser(description="Rate and memory of importers.")
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--folder", type=Path, help="where the files are made, and kept")
    parser.add_argument("--measure", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        name, *path = options.measure
        print(json.dumps(measure(name, Path(path[0]) if path else None)))
        return 0
    print("| format | file, MB | messages | seconds | messages a second | peak memory, MB |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print(row("(nothing read)", None), flush=True)
        for name, (file, write) in FILES.items():
            if options.only and name not in options.only:
                continue
            path = folder / file
            if not path.exists():
                write(path, said(options.messages))
            print(row(name, path), flush=True)
            if not options.folder:
                path.unlink()
    return 0


def row(name: str, path: Path | None) -> str:
    """A line of the table, measured in a process of its own."""
    command = [sys.executable, __file__, "--measure", name, *([str(path)] if path else [])]
    found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    title = next((i.title for i in IMPORTERS if i.name == name), name)
    size = f"{path.stat().st_size / 2**20:,.0f}" if path else "–"
    rate = f"{found['messages'] / found['seconds']:,.0f}" if path else "–"
    return f"| {title} | {size} | {found['messages']:,} | {found['seconds']:.1f} | {rate} | {found['peak']:.0f} |"


if __name__ == "__main__":
    sys.exit(main())
