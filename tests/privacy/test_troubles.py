"""What can go wrong with a disk, a clock and a second window: a sentence each time, and nothing lost."""

import json
import random
import shutil
import subprocess
import sys
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from lives import ROOT, Engine, answer_of, chat_lines, environment, program, write_chat

from engine.errors import ArchiveBusy, ArchiveDamaged, Cancelled, DiskFull, KnownError, NothingThere, NotWritable
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.salvage import salvage
from engine.store.archive import sentence_for


def imported(library: Library, *paths: Path, job: Job | None = None) -> int:
    library.import_paths(job or Job(), paths, ImportOptions())
    return int(library.stats()["messages"])


@pytest.fixture
def library(tmp_path: Path) -> Library:
    made = Library(Home(tmp_path / "home"))
    assert imported(made, write_chat(tmp_path, 400)) == 400
    return made


def changes(library: Library, tmp_path: Path) -> list[Callable[[], object]]:
    more = write_chat(tmp_path, 3000, title="Rowing club")
    return [lambda: imported(library, more), lambda: library.erase_chat("Tobi"), lambda: library.verify(Job())]


def test_a_full_disk_undoes_the_step_and_keeps_the_rest(library: Library, tmp_path: Path) -> None:
    pages = int(library.archive.db.pragma("page_count"))
    for limit in range(pages, pages + 60, 12):
        library.archive.db.pragma("max_page_count", limit)
        with pytest.raises(DiskFull, match="safe"):
            imported(library, write_chat(tmp_path, 3000, title="Rowing club"))
        assert library.stats()["messages"] == 400
    library.archive.db.pragma("max_page_count", 2**30)
    assert imported(library, write_chat(tmp_path, 3000, title="Rowing club")) == 3400
    assert library.verify(Job()).ok
    library.close()


def test_what_a_failed_erase_rolled_back_is_not_believed_to_be_written(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(library, write_chat(tmp_path, 300, title="Rowing club"))

    def full(*_: object) -> None:
        raise apsw.FullError

    with monkeypatch.context() as patched:
        patched.setattr("engine.erasing.must_scrub", full)
        with pytest.raises(DiskFull):
            library.erase_chat("Tobi")
    assert imported(library, write_chat(tmp_path, 900, title="Rowing club")) == 1300
    library.close()
    again = Library(library.home)
    result = again.verify(Job())
    assert (result.ok, result.index_problems) == (True, [])
    again.close()


def can_mount() -> bool:
    command = ["unshare", "-m", "sh", "-c", "mount -t tmpfs none /mnt"]
    return sys.platform == "linux" and shutil.which("unshare") is not None and not subprocess.call(
        command, stderr=subprocess.DEVNULL
    )  # fmt: skip


def in_tmpfs(home: Path, size: str, script: str) -> "subprocess.CompletedProcess[str]":
    """Run a script with a small file system of its own at the home."""
    home.mkdir(exist_ok=True)
    mount = f"mount -t tmpfs -o size={size},mode=700 none '{home}'"
    return subprocess.run(
        ["unshare", "-m", "sh", "-ec", f"{mount}\n{script}"],
        capture_output=True, text=True, check=False, cwd=ROOT, env=environment(home),
    )  # fmt: skip


@pytest.mark.skipif(not can_mount(), reason="this account may not mount a file system")
def test_a_disk_that_is_really_full(tmp_path: Path) -> None:
    small, large = tmp_path / "small", tmp_path / "large"
    small.mkdir(), large.mkdir()
    write_chat(small, 300)
    write_chat(large, 20_000)
    backscroll = f"'{sys.executable}' -m app"
    script = f"""
{backscroll} import '{small}' >&2
{backscroll} import '{large}' && exit 3
{backscroll} verify --json
{backscroll} stats --json"""
    run = in_tmpfs(tmp_path / "home", "1500k", script)
    assert run.returncode == 0, run.stderr
    assert "disk is full" in run.stderr
    assert '"ok":true' in run.stdout
    assert '"messages":300' in run.stdout


@pytest.mark.skipif(not can_mount(), reason="this account may not mount a file system")
def test_a_folder_that_became_read_only(tmp_path: Path) -> None:
    export = write_chat(tmp_path, 50)
    backscroll = f"'{sys.executable}' -m app"
    script = f"""
{backscroll} import '{export}' >&2
mount -o remount,ro '{tmp_path}/home'
{backscroll} import '{export}' && exit 3
{backscroll} search quince && exit 4
exit 0"""
    run = in_tmpfs(tmp_path / "home", "8m", script)
    assert run.returncode == 0, run.stderr
    assert "cannot be" in run.stderr
    assert "Traceback" not in run.stderr
    assert "Something went wrong" not in run.stderr


class At(Job):
    """A job that does something when the first progress is reported."""

    def __init__(self, action: Callable[[], object]) -> None:
        super().__init__()
        self.action: Callable[[], object] | None = action

    def report(self, done: int, total: int | None = None, note: str = "") -> None:
        if self.action and note.endswith("read"):
            self.action()
            self.action = None


@pytest.mark.parametrize("what", ["removed", "truncated", "grown"])
def test_an_export_that_changes_while_it_is_read(library: Library, tmp_path: Path, what: str) -> None:
    path = write_chat(tmp_path, 8_000, title="Rowing club")

    def change() -> None:
        if what == "removed":
            path.unlink()
        elif what == "truncated":
            with path.open("r+b") as stream:
                stream.truncate(1000)
        else:
            with path.open("ab") as stream:
                stream.write(b"\xff\xfe half a line" * 3000)

    job = At(change)
    (report,) = library.import_paths(job, [path], ImportOptions()).files
    assert report.problems or report.new > 8_000
    assert job.action is None, "nothing was changed while it was read"
    assert library.verify(Job()).ok
    path = write_chat(tmp_path, 8_000, title="Rowing club")
    imported(library, path)
    assert library.stats()["messages"] >= 8_400
    assert library.verify(Job()).ok
    library.close()


def test_a_clock_that_is_set_back(library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "strftime", lambda *_: "1999-01-01T00:00:00")
    monkeypatch.setattr(time, "time", lambda: 0.0)
    assert imported(library, write_chat(tmp_path, 900)) == 900
    assert library.verify(Job()).ok
    library.close()
    again = Library(library.home)
    assert again.stats()["messages"] == 900
    again.close()


def test_programs_that_import_at_once_take_turns(tmp_path: Path) -> None:
    env = environment(tmp_path / "home")
    paths = [write_chat(tmp_path, 1500, title=f"Club {n}", word=f"club{n}") for n in range(4)]
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "app", "import", str(path)], cwd=ROOT, env=env, stdout=-3, stderr=-1
        )
        for path in paths
    ]
    for process in running:
        said = process.communicate(timeout=120)[1]
        assert process.returncode == 0, said
    assert answer_of(program(tmp_path / "home", ["verify", "--json"])) == {
        "ok": True, "messages": 6000, "turns": 6000, "files": 4, "problems": [], "mended": False,
    }  # fmt: skip


def test_an_import_that_another_program_overtook_rests_on_the_newest_index(
    library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Library(library.home)
    original = Library.refresh

    def overtaken(self: Library) -> None:
        original(self)
        if self is library:
            monkeypatch.setattr(Library, "refresh", original)
            imported(other, write_chat(tmp_path, 200, title="Rowing club"))

    monkeypatch.setattr(Library, "refresh", overtaken)
    assert imported(library, write_chat(tmp_path, 300, title="Choir")) == 900
    result = library.verify(Job())
    assert (result.ok, result.index_problems) == (True, [])
    library.close(), other.close()


def test_what_another_program_imports_can_be_read_and_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no-models"))
    engine = Engine(tmp_path / "home")
    engine.ask("import", paths=[str(write_chat(tmp_path, 50))])
    path = write_chat(tmp_path, 50, title="Choir", word="marzipan")
    answer_of(program(tmp_path / "home", ["import", str(path), "--json"]))
    (choir,) = [each["id"] for each in engine.ask("chats") if each["title"] == "Choir"]
    assert len(engine.ask("transcript", chat_id=choir)["messages"]) == 50
    said = engine.ask("ask", question="Who wrote about marzipan?", now="2024-04-01")
    assert said["nearest"][0]["chat"] == "Choir"
    assert engine.ask("search", query="marzipan")["hits"][0]["chat"] == "Choir"
    engine.close()


def test_what_another_program_changes_is_no_damage(library: Library, tmp_path: Path) -> None:
    """Neither before nor while it is looked for; an index that is as it should be is not made again."""
    other = Library(library.home)
    imported(other, write_chat(tmp_path, 200, title="Rowing club"))
    before = library.archive.rows("SELECT id FROM turn ORDER BY id")

    class Meanwhile(Job):
        def report(self, done: int, total: int | None = None, note: str = "") -> None:
            if note == "Checking the turns" and not other.stats()["messages"] > 600:
                imported(other, write_chat(tmp_path, 300, title="Choir"))

    result = library.verify(Meanwhile())
    assert (result.ok, result.problems, result.index_problems, result.messages) == (True, [], [], 600)
    assert library.verify(Job()).messages == 900
    assert library.archive.rows("SELECT id FROM turn ORDER BY id")[: len(before)] == before
    library.close(), other.close()


def test_a_writer_that_is_at_work_is_named(
    library: Library, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("engine.store.archive.BUSY_MS", 50)
    other = Library(library.home)
    with library.archive.transaction(), pytest.raises(ArchiveBusy, match="Another Backscroll"):
        imported(other, write_chat(tmp_path, 20, title="Choir"))
    assert imported(other, tmp_path / "WhatsApp Chat with Choir.txt") == 420
    library.close(), other.close()


def test_any_damaged_byte_is_found_or_mended(library: Library) -> None:
    home = library.home
    library.close()
    whole, chance = home.archive.read_bytes(), random.Random(5)
    outcomes: Counter[str] = Counter()
    for _ in range(40):
        shutil.rmtree(home.path / "archive.damaged", ignore_errors=True)
        for log in home.path.glob("archive.d*"):
            log.unlink()
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
        home.archive.write_bytes(data)
        outcomes[outcome(home)] += 1
    assert outcomes["unnoticed"] == 0
    assert outcomes["mended"] > 0, "damage in the index must not cost a message"
    assert outcomes["found"] > 0


def test_a_damaged_file_that_was_kept_goes_with_the_first_erasure(library: Library) -> None:
    home = library.home
    library.close()
    whole, chance = home.archive.read_bytes(), random.Random(5)
    kept = home.path / "archive.damaged"
    while not kept.exists():
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1
        home.archive.write_bytes(data)
        outcome(home)
    assert kept.stat().st_mode & 0o077 == 0
    again = Library(home)
    assert again.erase_chat("Tobi") == 400
    assert not kept.exists()
    again.close()


def test_there_is_an_archive_at_every_moment_of_a_rescue(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, key = library.home, library._key
    library.close()
    seen = []
    replace = Path.replace

    def watched(path: Path, target: Path) -> Path:
        seen.append(home.archive.exists())
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", watched)
    salvage(home.archive, key)
    assert seen == [True]
    again = Library(home)
    assert again.verify(Job()).messages == 400
    again.close()


def outcome(home: Home) -> str:
    """What becomes of an archive with a damaged byte."""
    try:
        opened = Library(home)
        result = opened.verify(Job())
        messages = opened.stats()["messages"]
        opened.close()
    except ArchiveDamaged:
        return "found"
    if not result.ok:
        return "found"
    if (home.path / "archive.damaged").exists() and messages == 400:
        return "mended"
    return "unnoticed"


@pytest.mark.parametrize("size", [0, 1, 100, 4096, 40_000])
def test_an_archive_that_was_cut_off_is_a_sentence(library: Library, size: int) -> None:
    home = library.home
    library.close()
    home.archive.write_bytes(home.archive.read_bytes()[:size])
    if size:
        with pytest.raises(ArchiveDamaged):
            Library(home)
    else:  # what a crash at the very first moment leaves
        assert imported(Library(home)) == 0


@pytest.mark.parametrize(
    ("error", "kind"), [(apsw.IOError("disk I/O error"), ArchiveDamaged), (apsw.FullError(), DiskFull)]
)
def test_what_the_disk_refuses_is_told_apart(error: apsw.Error, kind: type[KnownError]) -> None:
    assert isinstance(sentence_for(error, Path("archive.db")), kind)


def test_a_write_that_the_disk_refuses_is_no_damage() -> None:
    error = apsw.IOError("disk I/O error")
    error.extendedresult = apsw.SQLITE_IOERR_WRITE
    assert isinstance(sentence_for(error, Path("archive.db")), NotWritable)


def test_an_import_that_was_stopped_while_it_indexes_leaves_no_statement_open(
    library: Library, tmp_path: Path
) -> None:
    """What is left open would keep an old state of the archive, and erasing would be refused as busy."""

    class Stopped(Job):
        def report(self, done: int, total: int | None = None, note: str = "") -> None:
            if note == "Indexing":
                self.cancel()

    with pytest.raises(Cancelled) as kept:  # with all its frames, as a debugger or a log would keep them
        imported(library, write_chat(tmp_path, 900), job=Stopped())
    assert library.archive.db.txn_state() == apsw.SQLITE_TXN_NONE
    assert library.erase_chat("Tobi") == 400
    assert kept.value
    library.close()


def test_an_import_that_fills_a_gap_leaves_no_statement_open(tmp_path: Path) -> None:
    """It cuts the chat anew only as far as it must, and does not read to the end."""
    library = Library(Home(tmp_path / "home"))
    imported(library, write_chat(tmp_path, 8_000, start=4_000))
    imported(library, write_chat(tmp_path, 500))
    assert library.archive.db.txn_state() == apsw.SQLITE_TXN_NONE
    other = Library(library.home)
    imported(other, write_chat(tmp_path, 60, title="Choir"))
    assert library.erase_chat("Tobi") == 8_500
    library.close(), other.close()


@pytest.mark.parametrize("cut", [3, 30, 200])
def test_a_zip_that_was_cut_off_is_a_sentence(library: Library, tmp_path: Path, cut: int) -> None:
    path = tmp_path / "WhatsApp Chat - Choir.zip"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("_chat.txt", chat_lines(100))
    path.write_bytes(path.read_bytes()[:-cut])
    (report,) = library.import_paths(Job(), [path], ImportOptions()).files
    assert report.status == "unrecognised"
    assert report.problems[0].reason.endswith(".")
    (seen,) = library.preview(Job(), [path], ImportOptions())
    assert seen.reason == report.problems[0].reason
    library.close()


@pytest.mark.parametrize(
    ("asked", "gone"),
    [("Anna", {"Anna"}), ("ANNA ", {"Anna"}), ("Anna Work ", {"Anna Work "}), ("choir", {"Choir", "choir\x1f"})],
)
def test_only_the_chat_of_that_very_title_is_erased(tmp_path: Path, asked: str, gone: set[str]) -> None:
    titles = {"Anna", "Anna Work ", "With Anna", "Choir", "choir\x1f", "CHOIR\u3000two"}
    lines = [
        json.dumps({"chat": each, "sender": "Tobi", "text": each, "timestamp": "2024-03-01T09:00:00"})
        for each in titles
    ]
    (tmp_path / "chats.jsonl").write_text("\n".join(lines), encoding="utf-8")
    library = Library(Home(tmp_path / "home"))
    assert imported(library, tmp_path / "chats.jsonl") == 6
    assert library.erase_chat(asked) == len(gone)
    assert {title for (title,) in library.archive.rows("SELECT title FROM chat")} == titles - gone
    for part in ("Ann", "Work", "with", "", " "):
        with pytest.raises(NothingThere):
            library.erase_chat(part)
    library.close()
