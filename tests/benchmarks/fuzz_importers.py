"""Damages the sample exports at random and holds every importer to its promises.

usage: python tests/benchmarks/fuzz_importers.py [--seconds 600] [--only NAME …] [--seed N] [--keep DIR]

For each format: no exception, only items of the contract, nothing that an archive could not store, facts once and
first, and a second reading that gives the same. In formats of lines, messages and problems account for every line
of what is recognised. The first failures of each format are kept with --keep.
"""

import argparse
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from importers.base import Facts, Importer, Item, Message, Options, Problem
from importers.registry import IMPORTERS, SURE_ENOUGH, find_exports
from importers.source import SourceError, open_source
from importers.text import decoded_lines

DATA = Path(__file__).parent.parent / "importers" / "data"
SLOWEST = 20.0  # seconds for one small file: longer is a hang
TEXT = frozenset({".txt", ".md", ".log", ".weechatlog"})
KEPT = 5  # failures a format
LARGEST = 200_000  # bytes of a mutant
PIECES = (
    b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n", b"\r\n", b"\x0b\x0c\x1c\x85",
    "\u2028\u202e\u200f".encode(), b"\xed\xa0\x80", b"\\ud800", b"&#0;&#xD800;&#1114112;", b"{", b"[", b"}", b"]",
    b'"', b",", b":", b"<", b">", b"null", b"-1", b"1e400", b"NaN", b"99999999999999999999", b"0000-00-00",
    b"31/02/2024, 25:61 - ", b"9999-12-31T23:59:59Z", "٣١/١٢/٢٠٢٣".encode(), "오전 午後 下午 ".encode(),
    b"a" * 5_000, b"[" * 3_000, b"<div>" * 2_000, b'{"a":' * 2_000,
    b"=?utf-8?q?=41?=", b"Content-Type: multipart/mixed; boundary=x\n\n--x\n", b"From \n", b"true", b'"type":',
)  # fmt: skip


@dataclass
class Outcome:
    """What the fuzzing of one format came to."""

    runs: int = 0
    messages: int = 0
    problems: int = 0
    slowest: float = 0.0
    failures: list[str] = field(default_factory=list)


def splice(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """One change: bytes flipped, parts cut, doubled, moved, swapped for a hostile piece or another sample's."""
    if not data:
        return dice.choice(PIECES)
    start = dice.randrange(len(data))
    end = min(len(data), start + dice.choice((1, 2, 8, 64, 512, 4_096)))
    part = data[start:end]
    match dice.randrange(9):
        case 0:
            return data[:start] + bytes([dice.randrange(256)]) + data[start + 1 :]
        case 1:
            return data[:start] + data[end:]
        case 2:
            return data[:end] + part * dice.choice((1, 2, 20)) + data[end:]
        case 3:
            return data[:start] + dice.choice(PIECES) + data[end if dice.random() < 0.5 else start :]
        case 4:
            return data[:start]
        case 5:
            target = dice.randrange(len(other) + 1)
            return data[:start] + other[target : target + len(part)] + data[end:]
        case 6:
            lines = data.split(b"\n")
            i, j = dice.randrange(len(lines)), dice.randrange(len(lines))
            lines[i], lines[j] = lines[j], lines[i]
            return b"\n".join(lines)
        case 7:
            return data[:start] + bytes(b ^ (1 << dice.randrange(8)) for b in part) + data[end:]
        case _:
            return data.replace(part[:3], dice.choice(PIECES)) if part[:3] else data


def mutant(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """A sample after one to a dozen changes."""
    for _ in range(dice.choice((1, 1, 1, 2, 3, 5, 12))):
        data = splice(data, other, dice)[:LARGEST]
    return data


def check(items: Sequence[Item]) -> None:
    """The contract; raises AssertionError where it is broken."""
    assert items, "nothing at all was yielded"
    assert isinstance(items[0], Facts), "facts do not come first"
    for number, item in enumerate(items):
        if isinstance(item, Message):
            assert item.lines >= 0, "fewer than no lines"
            assert item.timestamp is None or isinstance(item.timestamp, datetime)
            named = (a.name for a in item.attachments)
            fields = (item.text, item.chat, item.sender or "", item.source_id or "", item.reply_to or "",
                      item.conversation or "", item.chat_id or "", *named, *item.reactions)  # fmt: skip
            "\n".join(fields).encode()
        elif isinstance(item, Problem):
            assert item.skipped >= 0, "fewer than none skipped"
            assert item.reason.endswith("."), f"no sentence: {item.reason}"
            item.excerpt.encode()
        else:
            assert number == 0, "facts come twice"


def read(importer: Importer, path: Path) -> list[Item]:
    """What the importer makes of a file or folder, recognised or not."""
    source = open_source(path)
    for found in find_exports(source):
        if found.importer:
            check(list(found.importer.read(found.source, Options())))
    return list(importer.read(source, Options()))


def lines_of(path: Path) -> int:
    """Lines of a text file."""
    return sum(1 for _ in decoded_lines(open_source(path)))


def covered(items: Sequence[Item]) -> int:
    """Lines or records that messages and problems account for."""
    return sum(i.lines if isinstance(i, Message) else i.skipped for i in items if not isinstance(i, Facts))


def counts_lines(importer: Importer, path: Path) -> bool:
    """Whether the unit of a sample is the line."""
    return path.suffix in TEXT and "input" not in path.parts and covered(read(importer, path)) == lines_of(path)


def samples(importer: Importer) -> list[Path]:
    """The files of a format's samples."""
    cases = (DATA / importer.name).glob("*/**/*")
    return sorted(p for p in cases if p.is_file() and p.name != "expected.json")


def place(original: Path, data: bytes, folder: Path) -> Path:
    """Write a mutant where its sample lies: alone, or among the other files of its folder."""
    parts = original.parts
    if "input" not in parts:
        path = folder / original.name
        path.write_bytes(data)
        return path
    root = Path(*parts[: parts.index("input") + 1])
    for each in root.rglob("*"):
        if each.is_file():
            to = folder / "input" / each.relative_to(root)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_bytes(data if each == original else each.read_bytes())
    return folder / "input"


def fuzz(importer: Importer, seconds: float, dice: random.Random, keep: Path | None) -> Outcome:
    """Mutate and read until the time is over."""
    files, outcome = samples(importer), Outcome()
    contents = [p.read_bytes() for p in files]
    by_line = [counts_lines(importer, p) for p in files]
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(outcome.failures) < KEPT:
        number = dice.randrange(len(files))
        data = mutant(contents[number], dice.choice(contents), dice)
        with tempfile.TemporaryDirectory() as folder:
            path = place(files[number], data, Path(folder))
            started = time.monotonic()
            failure = attempt(partial(_twice, importer, path, outcome, by_line=by_line[number]))
            outcome.slowest = max(outcome.slowest, time.monotonic() - started)
        outcome.runs += 1
        if not failure and time.monotonic() - started > SLOWEST:
            failure = f"slow: {time.monotonic() - started:.1f} s"
        if failure:
            outcome.failures.append(failure)
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                (keep / f"{importer.name}-{len(outcome.failures)}-{files[number].name}").write_bytes(data)
    return outcome


def _twice(importer: Importer, path: Path, outcome: Outcome, *, by_line: bool) -> None:
    items = read(importer, path)
    check(items)
    if by_line and importer.recognise(open_source(path)) >= SURE_ENOUGH:
        assert covered(items) == lines_of(path), f"{covered(items)} of {lines_of(path)} lines are accounted for"
    assert items == read(importer, path), "a second reading gives something else"
    outcome.messages += sum(isinstance(i, Message) for i in items)
    outcome.problems += sum(isinstance(i, Problem) for i in items)


def attempt(run: Callable[[], None]) -> str:
    """The traceback of a failure, nothing where there is none. A place that cannot be opened is no failure."""
    try:
        run()
    except SourceError:
        return ""
    except Exception:  # noqa: BLE001 -- finding whatever is raised is what this program is for
        return traceback.format_exc(limit=-6)
    return ""


def main() -> int:
    """Fuzz and print a row a format; the exit status says whether all held."""
    parser = argparse.ArgumentParser(description="Fuzz the importers with damaged samples.")
    parser.add_argument("--seconds", type=float, default=600, help="for each format (600)")
    parser.add_argument("--only", action="append", default=[], metavar="NAME")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a folder for what fails")
    options = parser.parse_args()
    bad = 0
    for importer in IMPORTERS:
        if options.only and importer.name not in options.only:
            continue
        dice = random.Random(f"{options.seed} {importer.name}")
        outcome = fuzz(importer, options.seconds, dice, options.keep)
        bad += bool(outcome.failures)
        print(
            f"{importer.name:22} {outcome.runs:7,} mutants  {outcome.messages:9,} messages  "
            f"{outcome.problems:9,} problems  slowest {outcome.slowest:5.2f} s  {len(outcome.failures)} failures",
            flush=True,
        )
        for failure in dict.fromkeys(outcome.failures):
            print(failure, flush=True)
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
