import hashlib
import json
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models import getting, store
from models.base import GenerationStopped, ModelError, ModelFileError
from models.catalogue import entries, entry
from models.store import ModelStore


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "models"


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Files that were tried out; llama.cpp is left alone."""
    found: list[Path] = []
    monkeypatch.setattr("models.getting.try_out", found.append)
    return found


@pytest.fixture
def own(tmp_path: Path, gguf: Any) -> Path:
    path = tmp_path / "mine.gguf"
    path.write_bytes(gguf.bytes())
    return path


def test_an_empty_folder_lists_the_catalogue(folder: Path) -> None:
    listed = ModelStore(folder).listed()
    assert [model.id for model in listed] == [model.id for model in entries()]
    assert not any(model.installed or model.path for model in listed)
    assert [model.id for model in listed if model.default] == [entry("default").id]
    keys = "id name size licence installed path fits needed free default languages kind"
    assert set(listed[0].as_json()) == set(keys.split())
    assert ModelStore(folder).preferred() is None
    assert not folder.exists()


def test_adding_listing_checking_removing(folder: Path, own: Path, tried: list[Path]) -> None:
    models = ModelStore(folder)
    done: list[tuple[int, int]] = []
    assert models.add(own, lambda *bytes_: done.append(bytes_)) == "mine"
    assert done[-1] == (own.stat().st_size, own.stat().st_size)
    assert tried == [own]
    listed = models.listed()[-1]
    assert (listed.id, listed.name, listed.licence, listed.installed) == ("mine", "Tiny Q4_K_M", "mit", True)
    assert models.resolve("mine") == folder / "mine.gguf"
    preferred = models.preferred()
    assert preferred is not None
    assert (preferred.id, preferred.path) == (listed.id, listed.path)  # the free memory may differ by now
    assert list(models.check()) == [("mine", "")]
    models.remove("mine")
    assert own.exists()
    assert not (folder / "mine.gguf").exists()
    with pytest.raises(ModelError, match="no model called mine"):
        models.resolve("mine")


def test_adding_twice_and_another_of_the_same_name(
    folder: Path, own: Path, tmp_path: Path, tried: list[Path]
) -> None:
    models = ModelStore(folder)
    assert [models.add(own), models.add(own)] == ["mine", "mine"]
    other = tmp_path / "else" / "mine.gguf"
    other.parent.mkdir()
    other.write_bytes(own.read_bytes() + b"more")
    assert models.add(other) == "mine-2"
    assert models.add(folder / "mine.gguf") == "mine"


def test_a_file_of_the_catalogue_is_known_by_its_checksum(
    folder: Path, own: Path, tried: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    checksum = hashlib.sha256(own.read_bytes()).hexdigest()
    known = replace(entry("default"), sha256=checksum)
    monkeypatch.setattr(store, "entries", lambda: (known,))
    models = ModelStore(folder)
    assert models.add(own) == known.id
    assert models.resolve("default") == folder / known.file


def test_adding_copies_where_no_link_is_possible(
    folder: Path, own: Path, tried: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(18, "other file system")

    monkeypatch.setattr("models.store.os.link", refuse)
    ModelStore(folder).add(own)
    assert (folder / "mine.gguf").read_bytes() == own.read_bytes()
    usage = type("Usage", (), {"free": 1})
    monkeypatch.setattr("models.store.shutil.disk_usage", lambda _: usage)
    own.write_bytes(own.read_bytes() + b"x")
    with pytest.raises(ModelError, match="no room"):
        ModelStore(folder).add(own)
    assert sorted(path.name for path in folder.iterdir()) == ["mine.gguf", "models.json"]


def test_what_is_no_model_is_not_added(folder: Path, own: Path, tmp_path: Path, tried: list[Path]) -> None:
    models = ModelStore(folder)
    letter = tmp_path / "letter.gguf"
    letter.write_text("Dear all, this is no model at all.")
    for path, reason in ((letter, "not a GGUF"), (tmp_path / "none.gguf", "no file")):
        with pytest.raises(ModelFileError, match=reason):
            models.add(path)
    with pytest.raises(GenerationStopped):
        models.add(own, should_stop=lambda: True)
    assert not list(folder.glob("*"))


def test_a_file_that_changed_is_not_opened(folder: Path, own: Path, tried: list[Path]) -> None:
    models = ModelStore(folder)
    models.add(own)
    path = folder / "mine.gguf"
    path.unlink()
    path.write_bytes(own.read_bytes()[:-1] + b"?")
    with pytest.raises(ModelFileError, match="not the file it should be"):
        models.resolve("mine")
    assert "not the file it should be" in dict(models.check("mine"))["mine"]


def test_a_wrong_file_under_a_name_of_the_catalogue_is_not_opened(folder: Path, own: Path) -> None:
    folder.mkdir()
    shutil.copy(own, folder / entry("default").file)
    with pytest.raises(ModelFileError, match="not the file it should be"):
        ModelStore(folder).resolve("default")


def test_an_unchanged_file_is_not_read_again(
    folder: Path, own: Path, tried: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    models = ModelStore(folder)
    models.add(own)
    monkeypatch.setattr("models.store.sha256", lambda *_: pytest.fail("read again"))
    assert models.resolve("mine")


def test_a_file_put_into_the_folder_by_hand_is_noted_when_first_used(folder: Path, own: Path) -> None:
    folder.mkdir()
    shutil.copy(own, folder / "hand.gguf")
    (folder / "rubbish.gguf").write_text("no model")
    models = ModelStore(folder)
    assert [model.id for model in models.listed() if model.installed] == ["hand"]
    models.resolve("hand")
    assert json.loads((folder / "models.json").read_text())["hand.gguf"]["sha256"]


def test_a_path_is_taken_as_it_is_and_never_removed(folder: Path, own: Path) -> None:
    models = ModelStore(folder)
    assert models.resolve(str(own)) == own
    with pytest.raises(ModelError, match="not removed"):
        models.remove(str(own))
    assert own.exists()


def test_removing_what_a_broken_download_left(folder: Path) -> None:
    folder.mkdir()
    part = folder / f"{entry('default').file}.part"
    part.write_bytes(b"half")
    ModelStore(folder).remove(entry("default").id)
    assert not part.exists()
    with pytest.raises(ModelError, match="not installed"):
        ModelStore(folder).remove("default")


def test_a_damaged_record_costs_time_not_models(folder: Path, own: Path, tried: list[Path]) -> None:
    models = ModelStore(folder)
    models.add(own)
    for damaged in ("{", "[]", '{"mine.gguf": {}}'):
        (folder / "models.json").write_text(damaged)
        assert models.resolve("mine").name == "mine.gguf"


def test_preferred_is_the_default_then_the_small_one_then_the_largest(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = ModelStore(folder)
    chat = [replace(model, installed=True) for model in models.listed() if model.kind == "chat"]
    order = []
    while chat:
        monkeypatch.setattr(ModelStore, "listed", lambda _self, chat=chat: list(chat))
        found = models.preferred()
        assert found
        order.append(found.use or found.size)
        chat = [model for model in chat if model.id != found.id]
    assert order[:2] == ["default", "small"]
    assert order[-1] == "test"
    assert order[2:-1] == sorted(order[2:-1], reverse=True)


# The processes beside this one


def _helper(monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    monkeypatch.setattr(getting, "helper", lambda *arguments: [sys.executable, "-c", code, *arguments])


def test_getting_follows_the_fetching_process(folder: Path, monkeypatch: pytest.MonkeyPatch, own: Path) -> None:
    lines = [
        {"event": "source", "name": "here", "total": 2},
        {"event": "progress", "done": 1, "total": 2},
        {"event": "done", "path": str(own)},
    ]
    _helper(monkeypatch, f"print({chr(10).join(map(json.dumps, lines))!r})")
    events: list[tuple[str, Any]] = []
    path = ModelStore(own.parent).get("default", lambda name, data: events.append((name, data)))
    assert path == own
    assert events == [("source", {"name": "here", "total": 2}), ("progress", {"done": 1, "total": 2})]


@pytest.mark.parametrize(
    ("code", "sentence"),
    [
        ('print(\'{"event": "error", "sentence": "The disk is full."}\')', "The disk is full"),
        ("import os; os.abort()", "stopped unexpectedly"),
    ],
)
def test_getting_says_why_it_failed(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, sentence: str
) -> None:
    _helper(monkeypatch, code)
    with pytest.raises(ModelError, match=sentence):
        ModelStore(folder).get("default", lambda _name, _data: None)


def test_getting_can_be_stopped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _helper(monkeypatch, "import time; time.sleep(60)")
    with pytest.raises(GenerationStopped):
        ModelStore(folder).get("default", lambda _name, _data: None, should_stop=lambda: True)


def test_a_file_that_ends_its_process_is_refused(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _helper(monkeypatch, "import os; os.abort()")
    with pytest.raises(ModelFileError, match="stops the program"):
        getting.try_out(own)
    _helper(monkeypatch, "import sys; print('It is odd.'); sys.exit(1)")
    with pytest.raises(ModelFileError, match="It is odd"):
        getting.try_out(own)
    _helper(monkeypatch, "pass")
    getting.try_out(own)


def test_the_frozen_program_is_its_own_helper(monkeypatch: pytest.MonkeyPatch) -> None:
    assert getting.helper("probe", "x") == [sys.executable, "-m", "models.probe", "x"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert getting.helper("fetch", "a", "b") == [sys.executable, "--models-fetch", "a", "b"]


@pytest.mark.model
def test_a_real_file_is_tried_out_in_a_real_process(small_file: Path, own: Path) -> None:
    getting.try_out(small_file)
    with pytest.raises(ModelFileError, match=r"mine.gguf cannot be loaded"):
        getting.try_out(own)
