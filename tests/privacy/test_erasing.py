"""What was erased is gone from the bytes, looked at with the key in hand, and not only from what is shown."""

import shutil
import subprocess
import sys
from pathlib import Path

import apsw
import pytest
from life import CANARIES, export
from lives import ROOT, Engine, environment, write_chat

from engine.home import Home
from engine.store.archive import keyed
from engine.store.keys import KeyStore


def decrypted(home: Path, folder: Path) -> bytes:
    """The pages of an archive without their encryption, free ones too, and its log as far as it is not in them."""
    copy = folder / "plain"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(home, copy)
    key = KeyStore(Home(home).keys).open()
    db = keyed(copy / "archive.db", key, apsw.SQLITE_OPEN_READWRITE)
    db.execute("PRAGMA journal_mode = delete").fetchall()
    db.execute("PRAGMA rekey = ''").fetchall()
    db.close()
    data = (copy / "archive.db").read_bytes()
    assert data.startswith(b"SQLite format 3\0")
    return data.lower()


def canaries_in(data: bytes) -> set[str]:
    """Stems, as the index has them, are looked for too."""
    return {word for word in CANARIES if word[:-2].lower().encode() in data}


@pytest.fixture
def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "no-models"))
    made = Engine(tmp_path / "home")
    made.ask("import", paths=[str(export(_folder(tmp_path))), str(write_chat(tmp_path, 300))], me=CANARIES[2])
    made.ask("ask", question=f"What colour is the {CANARIES[1]}? {CANARIES[4]}", now="2024-04-01")
    made.ask("people_merge", names=[CANARIES[2]], into=f"{CANARIES[2]} again")
    assert canaries_in(decrypted(tmp_path / "home", tmp_path)) == set(CANARIES)
    return made


def _folder(tmp_path: Path) -> Path:
    (tmp_path / "life").mkdir()
    return tmp_path / "life"


def test_no_word_of_an_erased_chat_is_left_in_any_page(engine: Engine, tmp_path: Path) -> None:
    engine.ask("search", query=CANARIES[0], k=3)
    engine.ask("transcript", chat_id=engine.ask("chats")[0]["id"])
    assert engine.ask("erase", chat=CANARIES[3])["messages"] >= 300
    assert canaries_in(decrypted(tmp_path / "home", tmp_path)) == set()
    assert [each["title"] for each in engine.ask("chats")] == ["Tobi"]
    engine.close()
    assert canaries_in(decrypted(tmp_path / "home", tmp_path)) == set()


def test_what_a_crash_keeps_from_being_scrubbed_is_scrubbed_at_the_next_start(
    engine: Engine, tmp_path: Path
) -> None:
    engine.kill()
    crash = "import os\nfrom engine.home import Home\nfrom engine.library import Library\n"
    crash += "from engine.store.archive import Archive\n"
    crash += f"Archive.scrub = lambda _: os._exit(9)\nLibrary(Home.default()).erase_chat({CANARIES[3]!r})"
    ended = subprocess.run(
        [sys.executable, "-c", crash], cwd=ROOT, env=environment(tmp_path / "home"), check=False
    )
    assert ended.returncode == 9
    log = tmp_path / "home" / "archive.db-wal"
    assert log.stat().st_size > 20_000, "the log, with older pages in it, was to be emptied by what did not happen"
    again = Engine(tmp_path / "home")
    assert [each["title"] for each in again.ask("chats")] == ["Tobi"]
    assert log.stat().st_size < 5_000, "one page, which says that it is done"
    assert canaries_in(decrypted(tmp_path / "home", tmp_path)) == set()
    again.close()


def test_a_forgotten_question_is_gone_from_every_page(engine: Engine, tmp_path: Path) -> None:
    engine.ask("ask", question="Where is the wendelspoon?", now="2024-04-01")
    assert b"wendelspoon" in decrypted(tmp_path / "home", tmp_path)
    engine.ask("history_forget", id=engine.ask("history")[0]["id"])
    assert b"wendelspoon" not in decrypted(tmp_path / "home", tmp_path)
    engine.close()
