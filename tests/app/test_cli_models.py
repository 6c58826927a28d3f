import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from app import cli_models
from models.base import GenerationStopped, ModelError
from models.catalogue import entries, entry
from models.store import ModelStore


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BACKSCROLL_MODELS", str(tmp_path / "models"))
    return tmp_path / "models"


def _run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home")
    cli_models.add_parser(parser.add_subparsers())
    options = parser.parse_args(["models", *arguments])
    return int(options.run(options))


def test_list(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    assert _run("list", "--json") == 0
    assert [model["id"] for model in json.loads(capsys.readouterr().out)] == [model.id for model in entries()]
    assert _run("list") == 0
    shown = capsys.readouterr().out
    assert "default" in shown
    assert str(folder) in shown


def test_get(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    def get(_self: ModelStore, _name: str, on_event: Any) -> Path:
        on_event("source", {"name": "here", "total": 10})
        on_event("progress", {"done": 5, "total": 10})
        on_event("checking", {})
        return folder / "x.gguf"

    monkeypatch.setattr(ModelStore, "get", get)
    assert _run("get", "default", "--json") == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["id"] == entry("default").id
    assert captured.err == ""
    assert _run("get", "default") == 0
    assert "ready" in capsys.readouterr().out


def test_get_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def get(*_: object) -> Path:
        raise GenerationStopped(None)  # type: ignore[arg-type]

    monkeypatch.setattr(ModelStore, "get", get)
    assert _run("get", "default") == 130


def test_add_check_remove(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: Path
) -> None:
    faults = {"mine": ""}
    monkeypatch.setattr(ModelStore, "add", lambda *_: "mine")
    monkeypatch.setattr(ModelStore, "resolve", lambda *_: folder / "mine.gguf")
    monkeypatch.setattr(ModelStore, "remove", lambda *_: None)
    monkeypatch.setattr(ModelStore, "check", lambda *_: iter(faults.items()))
    assert _run("add", str(tmp_path / "mine.gguf"), "--json") == 0
    assert json.loads(capsys.readouterr().out) == {"id": "mine", "path": str(folder / "mine.gguf")}
    assert _run("check", "--json") == 0
    assert json.loads(capsys.readouterr().out) == [{"id": "mine", "ok": True, "problem": ""}]
    faults["mine"] = "mine.gguf is cut off."
    assert _run("check", "mine") == 1
    assert "cut off" in capsys.readouterr().out
    faults.clear()
    assert _run("check") == 0
    assert "No model" in capsys.readouterr().out
    assert _run("remove", "mine") == 0
    assert "removed" in capsys.readouterr().out


def test_what_cannot_be_done_is_left_to_the_caller_to_say() -> None:
    with pytest.raises(ModelError, match="no model called"):
        _run("remove", "nothing")
