"""What every importer promises, shown for each of `IMPORTERS` on its own samples.

A sample is a folder `tests/importers/data/<importer's name>/<case>/` with `expected.json` and the export:
one file beside it, or a folder `input/` with several (tested as a folder and as a zip). `expected.json` has
`messages` (every message, of each only the fields that matter; `attachments` as [name, kind]) and `records`:
how many lines or records the export has, which messages and problems must account for.
"""

import io
import json
import random
import zipfile
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from importers.base import Facts, Importer, Item, Message, Options, Problem
from importers.registry import IMPORTERS, find_exports
from importers.source import FileSource, Source, SourceError, ZipMember, open_source

DATA = Path(__file__).parent / "data"
SAMPLES = [
    pytest.param(importer, case.parent, id=f"{importer.name}/{case.parent.name}")
    for importer in IMPORTERS
    for case in sorted((DATA / importer.name).glob("*/expected.json"))
]
SINGLE = [p for p in SAMPLES if not (p.values[1] / "input").is_dir()]  # type: ignore[operator]

FOLDERS = [p for p in SAMPLES if p not in SINGLE]


def export_path(case: Path) -> Path:
    """The sample's export: the folder `input`, or the one file beside expected.json."""
    if (case / "input").is_dir():
        return case / "input"
    (path,) = (p for p in case.iterdir() if p.name != "expected.json")
    return path


def read_all(source: Source, options: Options | None = None) -> list[Item]:
    """What the recognised importers make of a place."""
    found = (e for e in find_exports(source) if e.importer)
    return [i for e in found if e.importer for i in e.importer.read(e.source, options or Options())]


def as_expected(message: Message, wanted: dict[str, Any]) -> dict[str, Any]:
    """The message in the words of expected.json, of the fields that are asked for."""
    made = asdict(message)
    made["timestamp"] = message.timestamp.isoformat() if message.timestamp else None
    made["attachments"] = [[a.name, a.kind] for a in message.attachments]
    made["reactions"] = list(message.reactions)
    return {key: made[key] for key in wanted}


def check(items: list[Item], case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    messages = [i for i in items if isinstance(i, Message)]
    wanted = [{"kind": "talk", **m} for m in expected["messages"]]
    assert [as_expected(m, w) for m, w in zip(messages, wanted, strict=False)] == wanted
    assert len(messages) == len(wanted)
    covered = sum(i.lines if isinstance(i, Message) else i.skipped for i in items if not isinstance(i, Facts))
    assert covered == expected["records"]


def test_the_registry_is_in_order_and_says_what_people_need() -> None:
    names = [i.name for i in IMPORTERS]
    assert len(set(names)) == len(names)
    for importer in IMPORTERS:
        assert all((importer.title, importer.platform, importer.patterns, importer.how_to_export))
        assert all(step.rstrip().endswith(".") for step in importer.how_to_export)


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda i: i.name)
def test_every_importer_has_a_sample(importer: Importer) -> None:
    assert list((DATA / importer.name).glob("*/expected.json"))


@pytest.mark.parametrize(("importer", "case"), SAMPLES)
def test_samples_are_recognised_by_their_own_importer_and_read_as_expected(importer: Importer, case: Path) -> None:
    source = open_source(export_path(case))
    found = [e.importer.name for e in find_exports(source) if e.importer]
    assert found
    assert set(found) == {importer.name}
    check(read_all(source), case)


def zipped(folder: Path) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(path, path.relative_to(folder).as_posix())
    return out.getvalue()


@pytest.mark.parametrize(("importer", "case"), FOLDERS)
def test_a_zipped_folder_reads_as_the_folder_does(importer: Importer, case: Path, tmp_path: Path) -> None:
    path = tmp_path / f"{case.name}.zip"
    path.write_bytes(zipped(export_path(case)))
    check(read_all(open_source(path)), case)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # zipfile leaves damaged files open
@pytest.mark.parametrize(("importer", "case"), FOLDERS)
def test_a_damaged_zip_is_never_raised(importer: Importer, case: Path, tmp_path: Path) -> None:
    path = tmp_path / "broken.zip"
    for data in damaged(zipped(export_path(case))):
        path.write_bytes(data)
        try:
            source = open_source(path)
        except SourceError:
            continue
        for item in (*read_all(source), *importer.read(source, Options())):
            assert isinstance(item, Message | Problem | Facts)


@pytest.mark.parametrize(("importer", "case"), SAMPLES)
def test_facts_come_once_and_first(importer: Importer, case: Path) -> None:
    for export in find_exports(open_source(export_path(case))):
        if export.importer:
            items = list(export.importer.read(export.source, Options()))
            assert isinstance(items[0], Facts)
            assert sum(isinstance(i, Facts) for i in items) == 1
            assert all(isinstance(i, Message | Problem | Facts) for i in items)


@pytest.mark.parametrize(("importer", "case"), SINGLE)
def test_damage_is_never_raised(importer: Importer, case: Path, tmp_path: Path) -> None:
    path = export_path(case)
    for number, data in enumerate(damaged(path.read_bytes())):
        broken = tmp_path / f"{number}-{path.name}"
        broken.write_bytes(data)
        try:
            source = open_source(broken)
        except SourceError:
            continue
        list(find_exports(source))
        for item in importer.read(source, Options()):
            assert isinstance(item, Message | Problem | Facts)
            assert_storable(item)


def damaged(data: bytes) -> Iterator[bytes]:
    """Cut short, empty, foreign, and with single bytes changed; the same every time."""
    dice = random.Random(data)
    yield b""
    yield b"\x00\xff" * 500
    yield dice.randbytes(2_000)
    yield b"[" * 20_000
    yield b'{"messages":' * 5_000
    yield from (data[: len(data) * n // 8] for n in range(1, 8))
    for _ in range(25):
        flipped = bytearray(data)
        for _ in range(dice.randint(1, 3)):
            flipped[dice.randrange(len(flipped))] = dice.randrange(256)
        yield bytes(flipped)


def assert_storable(item: Item) -> None:
    """Nothing in it that SQLite or JSON could not hold."""
    if isinstance(item, Message):
        assert isinstance(item.timestamp, datetime | None)
        "\n".join(
            [item.text, item.chat, item.sender or "", *(a.name for a in item.attachments), *item.reactions]
        ).encode("utf-8")
    elif isinstance(item, Problem):
        item.excerpt.encode("utf-8")
        assert item.reason.endswith(".")


@pytest.mark.parametrize(("importer", "case"), SAMPLES)
def test_stopping_early_closes_the_files(importer: Importer, case: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[io.IOBase] = []

    def watch(kind: type[Source]) -> None:
        plain = kind.open

        def open_and_note(self: Source) -> Any:
            stream = plain(self)
            opened.append(stream)
            return stream

        monkeypatch.setattr(kind, "open", open_and_note)

    watch(FileSource)
    watch(ZipMember)
    for export in find_exports(open_source(export_path(case))):
        if export.importer:
            items = export.importer.read(export.source, Options())
            next(i for i in items if isinstance(i, Message))
            items.close()  # type: ignore[attr-defined]
    assert opened
    assert all(stream.closed for stream in opened)
