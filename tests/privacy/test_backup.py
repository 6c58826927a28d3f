"""Backup and restore: encrypted, whole or not there, on any computer, and never over something by surprise."""

import json
import os
import zipfile
from pathlib import Path

import pytest
from lives import PEOPLE, Engine, answer_of, program, write_chat

from engine import backup as backups
from engine.backup import NotEmpty
from engine.errors import ArchiveBusy, ArchiveDamaged, ArchiveLocked, ArchiveTooNew, KnownError, NothingThere
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.store import keys as keys_module
from engine.store.schema import VERSION


@pytest.fixture(autouse=True)
def quick_scrypt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_module, "SCRYPT_N", 2**10)


def filled(tmp_path: Path, name: str = "home", count: int = 300) -> Library:
    library = Library(Home(tmp_path / name))
    library.import_paths(Job(), [write_chat(tmp_path, count)], ImportOptions())
    return library


def backed_up(tmp_path: Path) -> tuple[Path, str]:
    library = filled(tmp_path)
    recovery = library.new_recovery_key()
    backups.backup(library.archive, library.keys, tmp_path / "chats.backup", Job())
    library.close()
    return tmp_path / "chats.backup", recovery


def test_a_backup_opens_on_another_computer(tmp_path: Path) -> None:
    file, recovery = backed_up(tmp_path)
    home = Home(tmp_path / "other")
    assert backups.restore(home, file, recovery.lower(), Job()) == backups.Restored(300, 1)
    library = Library(home)
    assert library.verify(Job()).ok
    assert library.stats()["messages"] == 300
    library.close()
    assert home.archive.stat().st_mode & 0o077 == 0
    assert sorted(p.name for p in home.path.iterdir()) == ["archive.db", "keys.json"]


def test_a_backup_holds_neither_words_nor_the_key(tmp_path: Path) -> None:
    file, _ = backed_up(tmp_path)
    data = file.read_bytes()
    key = json.loads((tmp_path / "home" / "keys.json").read_text())["locks"][0]["key"]
    for secret in (b"quince", PEOPLE[0].encode(), key.encode(), bytes.fromhex(key)):
        assert secret not in data
    assert file.stat().st_mode & 0o077 == 0
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob("*.pages"))


def test_without_a_portable_lock_there_is_no_backup(tmp_path: Path) -> None:
    library = filled(tmp_path)
    with pytest.raises(KnownError, match="recovery key"):
        backups.backup(library.archive, library.keys, tmp_path / "chats.backup", Job())
    library.close()
    assert not (tmp_path / "chats.backup").exists()


def test_an_archive_with_messages_is_replaced_only_when_asked(tmp_path: Path) -> None:
    file, recovery = backed_up(tmp_path)
    library = filled(tmp_path, "other", 40)
    home = library.home
    library.close()
    with pytest.raises(NotEmpty, match="40 messages"):
        backups.restore(home, file, recovery, Job())
    again = Library(home)
    assert again.stats()["messages"] == 40
    with pytest.raises(ArchiveBusy):
        backups.restore(home, file, recovery, Job(), replace=True)
    again.close()
    backups.restore(home, file, recovery, Job(), replace=True)
    restored = Library(home)
    assert restored.stats()["messages"] == 300
    restored.close()


def test_a_passphrase_of_the_backup_is_that_of_the_restored_archive(tmp_path: Path) -> None:
    library = filled(tmp_path)
    library.lock_with("lemon on the stairs")
    backups.backup(library.archive, library.keys, tmp_path / "chats.backup", Job())
    library.close()
    home = Home(tmp_path / "other")
    with pytest.raises(ArchiveLocked):
        backups.restore(home, tmp_path / "chats.backup", "lemon on the chairs", Job())
    assert not home.archive.exists()
    backups.restore(home, tmp_path / "chats.backup", "lemon on the stairs", Job())
    with pytest.raises(ArchiveLocked):
        Library(home)
    Library(home, passphrase="lemon on the stairs").close()


def damaged(file: Path, how: str) -> None:
    data = bytearray(file.read_bytes())
    if how == "truncated":
        del data[len(data) // 2 :]
    elif how == "a byte of a page":
        data[len(data) // 2] ^= 1
    elif how == "no zip":
        data[:] = b"not a backup at all"
    file.write_bytes(data)


@pytest.mark.parametrize("how", ["truncated", "a byte of a page", "no zip"])
def test_a_damaged_backup_is_refused_and_nothing_is_touched(tmp_path: Path, how: str) -> None:
    file, recovery = backed_up(tmp_path)
    damaged(file, how)
    library = filled(tmp_path, "other", 40)
    home = library.home
    library.close()
    with pytest.raises(ArchiveDamaged):
        backups.restore(home, file, recovery, Job(), replace=True)
    again = Library(home)
    assert again.stats()["messages"] == 40
    again.close()
    assert not list(home.path.glob("*.restoring*"))


@pytest.mark.parametrize("locks", ["[]", "{", '[{"kind": "key file", "key": "00"}]', " " * 200_000])
def test_locks_that_are_none_are_refused(tmp_path: Path, locks: str) -> None:
    file = tmp_path / "odd.backup"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr(backups.LOCKS, locks)
        made.writestr(backups.ARCHIVE, b"x" * 5000)
    with pytest.raises(KnownError):
        backups.restore(Home(tmp_path / "home"), file, "secret", Job())


def test_a_backup_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    library = filled(tmp_path, count=20)
    recovery = library.new_recovery_key()
    library.archive.db.pragma("user_version", VERSION + 1)
    backups.backup(library.archive, library.keys, tmp_path / "chats.backup", Job())
    library.close()
    with pytest.raises(ArchiveTooNew):
        backups.restore(Home(tmp_path / "other"), tmp_path / "chats.backup", recovery, Job())


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(NothingThere):
        backups.restore(Home(tmp_path / "home"), tmp_path / "gone.backup", "secret", Job())


def test_the_two_commands(tmp_path: Path) -> None:
    home, other, file = tmp_path / "one", tmp_path / "two", tmp_path / "chats.backup"
    answer_of(program(home, ["import", str(write_chat(tmp_path, 60)), "--json"]))
    recovery = answer_of(program(home, ["backup", str(file), "--json"]))["recovery_key"]
    assert recovery
    assert answer_of(program(home, ["backup", str(file), "--json"]))["recovery_key"] is None, "shown only once"
    refused = program(other, ["restore", str(file)])
    assert refused.returncode == 1
    assert "BACKSCROLL_PASSPHRASE" in refused.stderr
    found = answer_of(program(other, ["restore", str(file), "--json"], env={"BACKSCROLL_PASSPHRASE": recovery}))
    assert found == {"messages": 60, "chats": 1}
    assert answer_of(program(other, ["verify", "--json"]))["ok"]
    assert (other / "archive.db").exists()


@pytest.mark.skipif(os.name != "posix", reason="elsewhere the system does not let an open file be replaced")
def test_a_locked_archive_that_a_window_has_open_is_not_replaced(tmp_path: Path) -> None:
    """Whoever restores may not know the archive's own secret; the window would write on into nothing."""
    file, recovery = backed_up(tmp_path)
    engine = Engine(tmp_path / "other")
    engine.ask("import", paths=[str(write_chat(tmp_path, 40))])
    engine.ask("passphrase", passphrase="lemon on the stairs")
    home = Home(tmp_path / "other")
    with pytest.raises(NotEmpty, match="cannot be opened"):
        backups.restore(home, file, recovery, Job())
    with pytest.raises(ArchiveBusy):
        backups.restore(home, file, recovery, Job(), replace=True)
    assert engine.ask("verify")["messages"] == 40
    engine.kill()
    assert backups.restore(home, file, recovery, Job(), replace=True).messages == 300
