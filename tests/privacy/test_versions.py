"""Archives of every version that there ever was, kept as files, open and hold what they held."""

import shutil
from pathlib import Path

import pytest

from engine import history
from engine.errors import DiskFull
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.store.archive import Archive
from engine.store.keys import KeyStore
from engine.store.schema import VERSION
from engine.types import Filters

ARCHIVES = Path(__file__).parent.parent / "engine" / "data" / "archives"
MESSAGES = 53


def home_of(version: int, folder: Path) -> Home:
    home = Home(folder / "home")
    home.create()
    for path in (ARCHIVES / f"v{version}").iterdir():
        shutil.copyfile(path, home.path / path.name)
    return home


def test_an_archive_of_every_version_is_kept() -> None:
    """See keep_version.py when this fails."""
    assert sorted(path.name for path in ARCHIVES.iterdir()) == [f"v{n}" for n in range(1, VERSION + 1)]


@pytest.mark.parametrize("version", range(1, VERSION + 1))
def test_every_older_archive_opens_with_all_it_held(version: int, tmp_path: Path) -> None:
    home = home_of(version, tmp_path)
    library = Library(home)
    assert library.archive.value("PRAGMA user_version") == VERSION
    assert library.stats()["messages"] == MESSAGES
    assert library.verify(Job()).ok
    (hit, *_) = library.searcher.search("bishop", filters=Filters()).hits
    assert hit.turn.sender == "Noor"
    asked = [each["question"] for each in history.listed(library.archive)]
    assert asked == (["Where is the rook?"] if version >= 2 else [])
    library.close()
    copies = [path.name for path in home.path.glob("archive.v*.backup")]
    assert copies == ([f"archive.v{version}.backup"] if version < VERSION else [])


@pytest.mark.parametrize("version", range(1, VERSION))
def test_the_copy_that_is_kept_is_the_archive_as_it_was(version: int, tmp_path: Path) -> None:
    home = home_of(version, tmp_path)
    Library(home).close()
    copy = home.path / f"archive.v{version}.backup"
    assert copy.stat().st_mode & 0o077 == 0
    old = Archive.__new__(Archive)
    old.path, old._key = copy, KeyStore(home.keys).open()
    old.db = old._connect(read_only=True)
    assert old.value("PRAGMA user_version") == version
    assert old.value("SELECT count(*) FROM message WHERE kind <> 'system'") == MESSAGES
    old.close()


def test_what_is_erased_is_gone_from_the_copy_too(tmp_path: Path) -> None:
    home = home_of(1, tmp_path)
    library = Library(home)
    library.erase_chat("Chess club")
    library.close()
    assert not list(home.path.glob("archive.v*.backup"))


def test_a_migration_without_room_leaves_the_archive_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = home_of(1, tmp_path)
    before = home.archive.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr("engine.store.archive.copy_whole", full)
        with pytest.raises(DiskFull, match="left as it was"):
            Library(home)
    assert home.archive.read_bytes()[100:] == before[100:]
    Library(home).close()
