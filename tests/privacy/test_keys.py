"""The key is never nowhere: a keyring that is lost, a crash while locks change, two programs at once."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from lives import ROOT, environment

from engine.errors import ArchiveDamaged, ArchiveLocked, KeyLost, KnownError
from engine.store import keys as keys_module
from engine.store.keys import KeyStore


class Keyring:
    """A keyring in memory that can be lost."""

    def __init__(self) -> None:
        self.held: dict[str, str] = {}
        self.works = True

    def set_password(self, _service: str, name: str, value: str) -> None:
        if not self.works:
            raise RuntimeError("no keyring")
        self.held[name] = value

    def get_password(self, _service: str, name: str) -> str | None:
        return self.held.get(name)

    def delete_password(self, _service: str, name: str) -> None:
        del self.held[name]


@pytest.fixture
def keyring(monkeypatch: pytest.MonkeyPatch) -> Keyring:
    made = Keyring()
    monkeypatch.setattr(keys_module, "_keyring_backend", lambda: made)
    monkeypatch.setattr(keys_module, "SCRYPT_N", 2**10)
    return made


@pytest.fixture
def store(tmp_path: Path) -> KeyStore:
    return KeyStore(tmp_path / "keys.json")


def test_the_key_is_in_the_keyring_and_not_in_the_file(store: KeyStore, keyring: Keyring) -> None:
    key = store.create()
    assert key.hex() not in store.path.read_text()
    assert list(keyring.held.values()) == [key.hex()]
    assert store.open() == key
    assert store.protection().kind == "keyring"


def test_a_lost_keyring_locks_nobody_out_who_has_the_recovery_key(store: KeyStore, keyring: Keyring) -> None:
    key = store.create()
    recovery = store.add_recovery_key(key)
    keyring.held.clear()
    with pytest.raises(ArchiveLocked, match="no longer holds"):
        store.open()
    for typed in (recovery, recovery.lower(), recovery.replace("-", ""), recovery.replace("-", " ") + "\n"):
        keyring.held.clear()
        assert store.open(typed) == key
    assert store.open() == key, "the new keyring was not given the key"
    assert store.has_recovery_key()


def test_the_recovery_key_opens_even_where_the_keyring_stays_broken(store: KeyStore, keyring: Keyring) -> None:
    key = store.create()
    recovery = store.add_recovery_key(key)
    keyring.held.clear()
    keyring.works = False
    assert store.open(recovery) == key
    assert store.protection().kind == "keyring", "the key must not fall into a plain file by itself"


def test_a_passphrase_takes_the_key_out_of_the_keyring(store: KeyStore, keyring: Keyring) -> None:
    key = store.create()
    store.set_passphrase(key, "lemon on the stairs")
    assert keyring.held == {}
    with pytest.raises(ArchiveLocked):
        store.open()
    assert store.open("lemon on the stairs") == key
    store.set_passphrase(key, "another one")
    with pytest.raises(ArchiveLocked):
        store.open("lemon on the stairs")
    store.remove_passphrase(key)
    assert store.open() == key


def test_the_same_passphrase_in_another_spelling_of_its_letters(store: KeyStore, keyring: Keyring) -> None:
    key = store.create()
    store.set_passphrase(key, "caf\u00e9 noir")
    assert store.open("cafe\u0301 noir") == key


def test_an_empty_passphrase_is_refused(store: KeyStore, keyring: Keyring) -> None:
    key = store.create()
    with pytest.raises(KnownError, match="protects nothing"):
        store.set_passphrase(key, "  ")
    assert store.open() == key


@pytest.mark.parametrize("step", ["set_passphrase", "remove_passphrase", "add_recovery_key"])
@pytest.mark.parametrize("at", range(4))
def test_a_crash_at_any_step_leaves_a_way_in(
    store: KeyStore, keyring: Keyring, monkeypatch: pytest.MonkeyPatch, step: str, at: int
) -> None:
    key = store.create()
    recovery = store.add_recovery_key(key)
    if step == "remove_passphrase":
        store.set_passphrase(key, "four words and one")
    steps = 0

    def crash_at(original):  # type: ignore[no-untyped-def]
        def run(*arguments):  # type: ignore[no-untyped-def]
            nonlocal steps
            steps += 1
            if steps == at + 1:
                raise InterruptedError
            return original(*arguments)

        return run

    with monkeypatch.context() as patched:
        for name in ("write_atomically", "_to_keyring", "_drop_from_keyring"):
            patched.setattr(keys_module, name, crash_at(getattr(keys_module, name)))
        try:
            if step == "set_passphrase":
                store.set_passphrase(key, "four words and one")
            elif step == "remove_passphrase":
                store.remove_passphrase(key)
            else:
                recovery = store.add_recovery_key(key)
        except InterruptedError:
            pass
    assert store.open(recovery) == key
    if step == "set_passphrase" and store.protection().kind == "passphrase":
        assert keyring.held == {}, "the next opening must destroy what the crash left in the keyring"


def test_an_old_key_does_not_stay_in_the_blocks_of_the_file(
    store: KeyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys_module, "SCRYPT_N", 2**10)
    key = store.create()
    assert key.hex() in store.path.read_text()
    with store.path.open("rb") as old:
        store.set_passphrase(key, "lemon on the stairs")
        assert old.read().strip(b"\0") == b""
    assert key.hex() not in store.path.read_text()


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", '{"locks": 1}', '{"locks": [{}]}', '{"locks": [{"kind": "passphrase"}]}',
        '{"locks": [{"kind": "key file", "key": "xyz"}]}', '{"locks": [{"kind": "charm", "spell": "aa"}]}',
        '{"locks": [{"kind": ["keyring"], "name": "aa"}]}', "\0" * 40, '{"locks": [' * 5000,
    ],
)  # fmt: skip
def test_a_key_file_that_is_none_is_a_sentence(store: KeyStore, text: str) -> None:
    store.path.write_text(text)
    with pytest.raises(ArchiveDamaged):
        store.open("anything")


def test_a_lost_key_file_is_told_apart_from_a_lost_keyring(store: KeyStore) -> None:
    with pytest.raises(KeyLost, match="missing"):
        store.open()


def test_two_programs_that_make_the_archive_at_once_agree_on_its_key(tmp_path: Path) -> None:
    code = (
        "from engine.home import Home\nfrom engine.library import Library\n"
        "library = Library(Home.default())\nprint(library._key.hex(), library.stats()['messages'])"
    )
    env = environment(tmp_path / "home")
    running = [
        subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, env=env, cwd=ROOT, text=True)
        for _ in range(4)
    ]
    said = {process.communicate(timeout=60)[0] for process in running}
    assert len(said) == 1
    assert said.pop().endswith(" 0\n")
    locks = json.loads((tmp_path / "home" / "keys.json").read_text())["locks"]
    assert [lock["kind"] for lock in locks] == ["key file"]


@pytest.mark.skipif(os.name != "posix", reason="permissions of this kind are POSIX's")
def test_folder_and_files_are_for_the_owner_alone_whatever_the_umask(tmp_path: Path) -> None:
    code = (
        "import os\nos.umask(0)\nfrom engine.home import Home\nfrom engine.library import Library\n"
        "library = Library(Home.default())\nlibrary.new_recovery_key()\n"
        "with library.archive.transaction() as db:\n"
        "    db.execute(\"INSERT OR REPLACE INTO sender (name) VALUES ('Tobi')\")\n"
        "os._exit(0)"
    )
    home = tmp_path / "home"
    subprocess.run([sys.executable, "-c", code], env=environment(home), cwd=ROOT, check=True)
    assert home.stat().st_mode & 0o777 == 0o700
    files = {path.name: path.stat().st_mode & 0o777 for path in home.iterdir()}
    assert {"archive.db", "archive.db-wal", "archive.db-shm", "keys.json"} <= files.keys()
    assert set(files.values()) == {0o600}
    home.chmod(0o755)
    subprocess.run([sys.executable, "-c", code], env=environment(home), cwd=ROOT, check=True)
    assert home.stat().st_mode & 0o777 == 0o700


def test_what_a_crash_left_half_written_is_destroyed(tmp_path: Path, store: KeyStore) -> None:
    """It may hold the key in plain, which a passphrase that was set afterwards was to hide."""
    key = store.create()
    left = tmp_path / ".keys.json.x7"
    left.write_bytes(store.path.read_bytes())
    young = tmp_path / ".keys.json.y8"
    young.touch()
    os.utime(left, (1, 1))
    with left.open("rb") as bytes_on_disk:
        assert store.open() == key
        assert not left.exists()
        assert bytes_on_disk.read().strip(b"\0") == b""
    assert young.exists(), "it may be another process's, which is writing it"
    store.destroy()
    assert list(tmp_path.iterdir()) == []
