import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models import shared, store
from models.base import ModelError, ModelFileError
from models.catalogue import entries
from models.checksums import sha256
from models.store import ModelStore


@pytest.fixture
def place(tmp_path: Path, gguf: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installer's folder with a model that the catalogue knows."""
    folder = tmp_path / "installed"
    folder.mkdir()
    path = folder / "known.gguf"
    path.write_bytes(gguf.bytes())
    known = replace(entries()[0], id="known", file=path.name, sha256=sha256(path))
    monkeypatch.setattr(store, "entries", lambda: (known,))
    return folder


def test_a_program_that_runs_from_its_sources_has_no_shared_folder() -> None:
    assert shared.shared_folders() == ()


def test_an_installed_program_looks_beside_itself(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "MacOS" / "backscroll"))
    found = {}
    for system in ("linux", "win32", "darwin"):
        monkeypatch.setattr(sys, "platform", system)
        found[system] = shared.shared_folders()
    beside = tmp_path / "MacOS" / "models"
    assert found == {
        "linux": (beside, shared.SYSTEM),
        "win32": (beside,),
        "darwin": (tmp_path / "Resources" / "models",),
    }


def test_a_shared_model_counts_as_installed_and_is_not_removed(tmp_path: Path, place: Path) -> None:
    models = ModelStore(tmp_path / "models", [place])
    (listed,) = models.listed()
    assert (listed.installed, listed.path) == (True, str(place / "known.gguf"))
    assert models.resolve("known") == place / "known.gguf"
    with pytest.raises(ModelError, match="came with the program"):
        models.remove("known")
    assert (place / "known.gguf").exists()


def test_the_checksum_of_a_shared_model_is_kept_in_the_persons_own_folder(
    tmp_path: Path, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = ModelStore(tmp_path / "models", [place])
    models.resolve("known")
    monkeypatch.setattr(store, "sha256", lambda *_: pytest.fail("read again"))
    assert models.resolve("known")
    assert [path.name for path in place.iterdir()] == ["known.gguf"]


def test_a_damaged_shared_model_is_not_opened(tmp_path: Path, place: Path) -> None:
    (place / "known.gguf").write_bytes(b"GGUF rubbish")
    with pytest.raises(ModelFileError, match="not the file it should be"):
        ModelStore(tmp_path / "models", [place]).resolve("known")


def test_the_persons_own_file_comes_first(tmp_path: Path, place: Path) -> None:
    own = tmp_path / "models"
    own.mkdir()
    (own / "known.gguf").write_bytes((place / "known.gguf").read_bytes())
    assert ModelStore(own, [place]).resolve("known") == own / "known.gguf"
