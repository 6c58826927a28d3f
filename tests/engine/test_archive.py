"""The archive file: who may open it, what older and newer versions do, what a crash leaves."""

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from builders import new_library, put, say

from engine.erasing import erase_files
from engine.errors import ArchiveBusy, ArchiveDamaged, ArchiveLocked, ArchiveTooNew, KnownError, NotWritable
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.store.archive import Archive, sentence_for
from engine.store.keys import KeyStore, new_recovery_key, unwrap, wrap
from engine.store.schema import MIGRATIONS, VERSION
from engine.types import Filters


def test_the_key_lies_in_a_file_for_the_owner_alone_where_there_is_no_keyring(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    assert library.protection().kind == "key file"
    assert "no keyring" in library.protection().sentence
    assert library.home.keys.stat().st_mode & 0o777 == 0o600
    library.close()


def test_a_passphrase_locks_and_a_recovery_key_opens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.store.keys.SCRYPT_N", 2**10)
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher")])
    recovery = library.keys.add_recovery_key(library._key)
    library.keys.set_passphrase(library._key, "four small words")
    library.close()
    with pytest.raises(ArchiveLocked, match="passphrase"):
        Library(library.home)
    with pytest.raises(ArchiveLocked, match="does not open"):
        Library(library.home, passphrase="four large words")
    for secret in ("four small words", recovery, recovery.lower()):
        again = Library(library.home, passphrase=secret)
        assert again.stats()["messages"] == 1
        again.close()
    monkeypatch.setenv("BACKSCROLL_PASSPHRASE", "four small words")
    again = Library(library.home)
    again.keys.remove_passphrase(again._key)
    again.close()
    monkeypatch.delenv("BACKSCROLL_PASSPHRASE")
    Library(library.home).close()


def test_wrapping_never_gives_the_same_bytes_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.store.keys.SCRYPT_N", 2**10)
    key = os.urandom(32)
    first, second = wrap(key, "secret"), wrap(key, "secret")
    assert first["hidden"] != second["hidden"]
    assert unwrap(first, "secret") == unwrap(second, "secret") == key
    assert unwrap(first, "Secret") is None
    assert unwrap({**first, "tag": "00" * 32}, "secret") is None


def test_recovery_keys_have_no_mistakable_characters() -> None:
    key = new_recovery_key()
    assert len(key.replace("-", "")) == 32
    assert not set(key) & set("IO01")


def test_a_wrong_key_is_a_sentence(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    library.close()
    keys = json.loads(library.home.keys.read_text())
    keys["locks"][0]["key"] = "00" * 32
    library.home.keys.write_text(json.dumps(keys))
    with pytest.raises(ArchiveDamaged, match="this key"):
        Library(library.home)


def test_a_broken_key_file_is_a_sentence(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    library.close()
    library.home.keys.write_text("{")
    with pytest.raises(ArchiveDamaged):
        Library(library.home)


def test_an_archive_of_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    library.archive.db.pragma("user_version", VERSION + 1)
    library.archive.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    library.close()
    before = library.home.archive.read_bytes()
    with pytest.raises(ArchiveTooNew):
        Library(library.home)
    assert library.home.archive.read_bytes() == before


@pytest.mark.parametrize("version", range(1, VERSION))
def test_every_older_version_is_brought_up_to_date_on_a_copy(tmp_path: Path, version: int) -> None:
    home = Home(tmp_path / "home")
    home.create()
    key = KeyStore(home.keys).create()
    db = apsw.Connection(str(home.archive))
    db.execute(f"PRAGMA key = 'raw:{key.hex()}'")
    for script in MIGRATIONS[:version]:
        db.execute(script)
    db.pragma("user_version", version)
    db.execute("INSERT INTO chat VALUES (1, 'whatsapp', 'Family', 'Family', 'english')")
    db.execute("INSERT INTO sender VALUES (1, 'Ana')")
    db.execute(
        "INSERT INTO file (id, path, format, status, new, imported_at) VALUES (1, 'x', 'list', 'imported', 1, '')"
    )
    db.execute(
        "INSERT INTO message (id, chat, sender, order_time, timestamp, kind, text, key, file, line) "
        "VALUES (1, 1, 1, 60, '1970-01-01T00:01:00', 'talk', 'kingfisher', x'01', 1, 1)"
    )
    db.close()
    library = Library(home)
    assert library.archive.value("PRAGMA user_version") == VERSION
    assert len(library.searcher.search("kingfisher", filters=Filters()).hits) == 1
    assert library.verify(Job()).ok
    assert home.archive.with_suffix(f".v{version}.backup").exists()
    library.close()


def test_the_archive_is_no_plain_database(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    library.close()
    plain = sqlite3.connect(library.home.archive)
    with pytest.raises(sqlite3.DatabaseError):
        plain.execute("SELECT * FROM sqlite_master")
    plain.close()


def test_a_writer_that_waits_too_long_says_who_is_busy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.store.archive.BUSY_MS", 50)
    library = new_library(tmp_path)
    other = library.second_connection()
    writer = Archive(library.home.archive, library._key)
    with writer.transaction(), pytest.raises(ArchiveBusy), library.archive.transaction():
        pass
    for archive in (other, writer):
        archive.close()
    library.close()


def test_another_process_writing_is_noticed(tmp_path: Path) -> None:
    one = new_library(tmp_path)
    two = Library(one.home)
    put(one, [say(0, "Ana", "kingfisher")])
    assert two.searcher.search("kingfisher", filters=Filters()).hits == ()
    two.refresh()
    assert len(two.searcher.search("kingfisher", filters=Filters()).hits) == 1
    put(two, [say(5, "Ben", "heron")])
    one.refresh()
    assert len(one.searcher.search("heron", filters=Filters()).hits) == 1
    assert one.verify(Job()).ok
    one.close()
    two.close()


def test_a_damaged_index_is_found_and_made_again(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(i * 10, "Ana", f"kingfisher {i}") for i in range(30)])
    with library.archive.transaction() as db:
        db.execute("DELETE FROM turn WHERE id IN (3, 7)")
    library.close()
    again = Library(library.home)
    result = again.verify(Job())
    assert result.index_problems
    assert result.mended
    assert again.verify(Job()).index_problems == []
    assert len(again.searcher.search("kingfisher", filters=Filters(), k=99).hits) == 30
    again.close()


def test_an_index_of_another_text_version_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher")])
    library.close()
    monkeypatch.setattr("engine.text.VERSION", 99)
    again = Library(library.home)
    assert len(again.searcher.search("kingfisher", filters=Filters()).hits) == 1
    again.close()


def test_erasing_everything_destroys_the_key_first(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher")])
    library.close()
    kept = [library.home.settings.with_suffix(suffix) for suffix in (".json", ".last.json", ".new.json")]
    for path in kept:
        path.write_bytes(b"{}")
    erase_files(library.home, library.keys)
    assert not [path for path in kept if path.exists()]
    assert not list(library.home.path.glob("archive*"))
    assert not library.home.keys.exists()
    fresh = Library(library.home)
    assert fresh.stats()["messages"] == 0
    fresh.close()


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_a_sentence(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(NotWritable):
        new_library(tmp_path)
    tmp_path.chmod(0o700)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (apsw.FullError(), "disk is full"),
        (apsw.ReadOnlyError(), "cannot be opened for writing"),
        (apsw.BusyError(), "Another Backscroll"),
        (apsw.NotADBError(), "this key"),
        (apsw.CorruptError(), "cannot be read"),
    ],
)
def test_errors_of_sqlite_become_sentences(error: apsw.Error, words: str) -> None:
    known = sentence_for(error, Path("archive.db"))
    assert isinstance(known, KnownError)
    assert words in str(known)
    assert known.advice


def test_our_own_faults_are_not_dressed_up() -> None:
    assert sentence_for(apsw.SQLError("near syntax"), Path("archive.db")) is None


def test_a_process_killed_while_importing_leaves_the_archive_whole(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher")])
    library.close()
    program = f"""
import os, signal, sys, threading
from pathlib import Path
sys.path.insert(0, {str(Path(__file__).parent)!r})
from builders import put, say
from engine.home import Home
from engine.library import Library
library = Library(Home(Path({str(library.home.path)!r})))
threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGKILL)).start()
put(library, (say(i, "Ben", f"heron {{i}}") for i in range(10**7)))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], check=False, env={**os.environ, "BACKSCROLL_NO_KEYRING": "1"}
    )
    assert run.returncode == -9
    again = Library(library.home)
    assert again.stats()["messages"] == 1
    assert again.verify(Job()).ok
    assert put(again, [say(1, "Ben", "heron 1")]).new == 1
    again.close()
