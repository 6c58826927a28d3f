"""What is found in files, folders and zips, and that nothing is lost without a word."""

import io
import zipfile
from pathlib import Path

import pytest
from in_memory import Held, HeldFolder, read

from importers.base import Message
from importers.registry import IMPORTERS, Claiming, Export, Splitting, find_exports
from importers.source import FolderSource, Source, open_source

CSV = b"time,sender,text\n2024-01-01T00:00:00Z,ana,hi\n"
CHAT = (
    b'{"name": "c", "type": "personal_chat", "id": 5, "messages": [{"id": 1, "type": "message", '
    b'"date": "2024-01-01T00:00:00", "from": "Ana", "from_id": "user5", "text": "hello"}]}'
)
DAY = b'[{"type": "message", "user": "U1", "text": "lunch", "ts": "1700000000.000100"}]'
USERS = b'[{"id": "U1", "name": "edda", "profile": {"display_name": "Edda"}}]'


def found(source: Source) -> list[tuple[str, str]]:
    """Importer and place of each export."""
    return sorted((e.importer.name if e.importer else "-", e.name) for e in find_exports(source))


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def test_a_file_is_recognised_by_its_content() -> None:
    assert found(Held("notes.bin", CHAT)) == [("telegram", "notes.bin")]
    (export,) = find_exports(Held("essay.txt", b"Once there was a file without any chat.\n"))
    assert export == Export(None, export.source, reason=export.reason)
    assert export.reason.endswith(".")


def test_a_folder_is_looked_through_and_everything_readable_is_named() -> None:
    folder = HeldFolder(
        "all",
        {
            "a/chat.json": CHAT,
            "a/picture.jpg": b"\xff\xd8",
            "a/essay.txt": b"no chat",
            "b/deep/table.csv": CSV,
            "b/archive.db": b"SQLite format 3\x00",
            "b/.DS_Store": b"\x00\x01",
            "b/random.bin": b"\x00\x01",
        },
    )
    assert found(folder) == [
        ("-", "a/essay.txt"),
        ("-", "b/archive.db"),
        ("table", "b/deep/table.csv"),
        ("telegram", "a/chat.json"),
    ]


def test_an_export_that_needs_its_folder_is_found_at_any_depth_and_leaves_the_rest() -> None:
    files = {"work/slack/users.json": USERS, "work/slack/lunch/2023-11-14.json": DAY, "work/mine.csv": CSV}
    assert found(HeldFolder("all", files)) == [("slack", "work/slack"), ("table", "work/mine.csv")]
    messages = [i for i in read(HeldFolder("all", files)) if isinstance(i, Message)]
    assert {m.sender for m in messages} == {"Edda", "ana"}


def test_a_claimed_folder_leaves_what_is_not_its_own() -> None:
    files = {"users.json": USERS, "lunch/2023-11-14.json": DAY, "mine.csv": CSV}
    assert found(HeldFolder("all", files)) == [("slack", "all"), ("table", "mine.csv")]


def test_parts_of_a_split_export_are_read_as_one_in_order() -> None:
    def page(number: int, name: str) -> bytes:
        return (
            f'<div class="page_wrap chat_page"><div class="history"><div class="message default {name and ""}" '
            f'id="message{number}"><div class="body"><div class="date" title="01.01.2024 00:00:{number:02}"></div>'
            f'{name}<div class="text">{number}</div></div></div></div></div></html>'
        ).encode()

    files = {f"chats/chat_1/messages{n if n > 1 else ''}.html": page(n, "") for n in range(2, 12)}
    files["chats/chat_1/messages.html"] = page(1, '<div class="from_name">Ana</div>')
    assert found(HeldFolder("all", files)) == [("telegram-html", "chats/chat_1/messages.html")]
    messages = [i for i in read(HeldFolder("all", files)) if isinstance(i, Message)]
    assert [m.text for m in messages] == [str(n) for n in range(1, 12)]
    assert {m.sender for m in messages} == {"Ana"}


def test_zips_inside_a_folder_and_inside_a_zip(tmp_path: Path) -> None:
    inner = zipped({"x/chat.json": CHAT})
    (tmp_path / "in.zip").write_bytes(inner)
    (tmp_path / "broken.zip").write_bytes(inner[:60])
    reasons = {e.source.name: e.reason for e in find_exports(FolderSource(tmp_path)) if e.importer is None}
    assert found(FolderSource(tmp_path)) == [("-", "broken.zip"), ("telegram", "in.zip/x/chat.json")]
    assert "damaged" in reasons["broken.zip"]
    outer = tmp_path / "outer" / "two.zip"
    outer.parent.mkdir()
    outer.write_bytes(zipped({"in.zip": inner, "deep.zip": zipped({"in.zip": inner})}))
    assert found(open_source(outer)) == [("-", "deep.zip/in.zip"), ("telegram", "in.zip/x/chat.json")]


def test_a_damaged_zip_inside_a_zip_is_named(tmp_path: Path) -> None:
    inner = zipped({"x/chat.json": CHAT})
    outer = zipped({"in.zip": inner, "mine.csv": CSV})
    path = tmp_path / "outer.zip"
    for at in range(40, outer.index(b"mine.csv") - 30):
        path.write_bytes(outer[:at] + bytes([outer[at] ^ 0xFF]) + outer[at + 1 :])
        names = {e.name: e for e in find_exports(open_source(path))}
        assert names["mine.csv"].importer is not None
        assert len(names) == 2 or "in.zip/x/chat.json" not in names


def test_empty_places_are_named(tmp_path: Path) -> None:
    (tmp_path / "nothing.zip").write_bytes(zipped({}))
    (tmp_path / "folder").mkdir()
    (tmp_path / "file.txt").touch()
    for name in ("nothing.zip", "folder", "file.txt"):
        (export,) = find_exports(open_source(tmp_path / name))
        assert export.importer is None
        assert "empty" in export.reason


def test_names_that_leave_the_folder_are_harmless(tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    path.write_bytes(zipped({"../../evil.json": CHAT, "/abs/table.csv": CSV}))
    messages = [i for i in read(open_source(path)) if isinstance(i, Message)]
    assert sorted(m.text for m in messages) == ["hello", "hi"]
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("importer", IMPORTERS, ids=lambda i: i.name)
def test_importers_claim_no_strange_files(importer: object) -> None:
    if isinstance(importer, Splitting):
        assert importer.part("anything.bin") == ("anything.bin", 1)
    if isinstance(importer, Claiming):
        assert not importer.covers("holiday/plan.csv")
