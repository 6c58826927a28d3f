"""`backscroll eval` from the outside."""

import json
from pathlib import Path

import pytest

from app.cli import main

TINY = Path(__file__).parent.parent / "engine" / "data" / "tiny_locomo.json"


def test_a_report_and_a_dump(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dump = tmp_path / "d.jsonl"
    assert main(["eval", "locomo", str(TINY), "--method", "bm25", "search", "--dump", str(dump)]) == 0
    assert "## Evidence found within a number of words" in capsys.readouterr().out
    lines = [json.loads(line) for line in dump.read_text("utf-8").splitlines()]
    assert [line["method"] for line in lines[:2]] == ["bm25", "search"]
    assert len(lines) == 12


def test_json_with_budgets_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["eval", "locomo", str(TINY), "--json", "--budget-words", "20", "--limit", "2", "--pooled"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["questions"] == 2
    assert set(found["methods"]) == {"bm25", "search"}


def test_what_is_missing_is_said_before_the_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["eval", "locomo", str(TINY), "--method", "dense"]) == 1
    assert "--embedder" in capsys.readouterr().err
    assert main(["eval", "locomo", str(tmp_path / "none.json")]) == 1
    assert "does not exist" in capsys.readouterr().err


def test_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["eval", "locomo", str(TINY), "--limit", "0"])
    assert stopped.value.code == 2
    assert "at least 1" in capsys.readouterr().err
