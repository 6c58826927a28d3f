"""The smoke test of the installed program, run from the sources; packaging runs the same on what it built."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import __main__ as start
from app import smoke
from app.sample import files
from engine.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What it says where no model is installed."""
    environment = {**os.environ, "BACKSCROLL_MODELS": str(tmp_path_factory.mktemp("models")), "LANG": "C.UTF-8"}
    environment.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(
        [sys.executable, "-m", "app", "--smoke-test", "--questions", "2", "--within", "120"],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (line,) = done.stdout.splitlines()
    said: dict[str, Any] = json.loads(line)
    return said


def test_every_part_works(report: dict[str, Any]) -> None:
    assert report["ok"]
    assert report["version"] == VERSION
    assert report["messages"] > 2000
    assert report["not_imported"] == []
    assert report["hits"]
    assert report["formats"] > 20
    assert report["translations"] == 2


def test_the_processes_beside_the_window_answer(report: dict[str, Any]) -> None:
    assert report["tries_out_models"]
    assert report["fetches_models"]


def test_without_a_model_nothing_is_asked(report: dict[str, Any]) -> None:
    assert report["models"] == []
    assert "answer" not in report
    assert "questions" not in report


def test_it_says_what_runs_on_this_processor(report: dict[str, Any]) -> None:
    assert "=" in report["processor"]
    if sys.platform == "linux":
        assert report["module"].startswith("libggml-cpu")


def test_missing_data_files_are_named(tmp_path: Path) -> None:
    assert smoke.missing_files(tmp_path) == []
    (tmp_path / "data-files.txt").write_text("engine/a.toml\nmodels/b.json\n")
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "b.json").write_text("{}")
    assert smoke.missing_files(tmp_path) == ["engine/a.toml"]


def test_the_sample_is_there_to_be_loaded() -> None:
    assert len(files()) > 5


@pytest.mark.parametrize(("arguments", "home"), [([], None), (["--home", "/h"], "/h")])
def test_without_a_command_the_window_opens(
    arguments: list[str], home: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str | None] = []

    def open_window(home: str | None = None) -> int:
        opened.append(home)
        return 0

    monkeypatch.setattr(sys, "argv", ["backscroll", *arguments])
    monkeypatch.setattr(start, "open_window", open_window)
    assert start.main() == 0
    assert opened == [home]


def test_the_window_starts_without_what_only_the_engine_needs() -> None:
    """Each of these takes a tenth of a second or more, and the window has no use for them."""
    code = "import sys, app.__main__, app.gui; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "app.window" in loaded
    assert loaded & {"numpy", "bm25s", "jinja2", "apsw", "llama_cpp", "app.cli", "importers", "models"} == set()
