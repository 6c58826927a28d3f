"""`backscroll people`: a list, merging, splitting, and who you are, through the whole program."""

import json
from pathlib import Path

import pytest

from app.cli import main

CHAT = "13/02/2024, 09:00 - {0}: the tent is dry\n13/02/2024, 09:01 - {1}: good\n"


@pytest.fixture(autouse=True)
def archive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two chats in which Per writes under two names."""
    for number, names in enumerate((("Per", "Ines"), ("Per Holm", "Ines"))):
        export = tmp_path / f"WhatsApp Chat with {number}.txt"
        export.write_text(CHAT.format(*names), encoding="utf-8")
        assert main(["import", str(export)]) == 0
    capsys.readouterr()


def people(capsys: pytest.CaptureFixture[str], *options: str) -> dict[str, list[dict[str, object]]]:
    assert main(["people", *options, "--json"]) == 0
    found: dict[str, list[dict[str, object]]] = json.loads(capsys.readouterr().out)
    return found


def names(found: dict[str, list[dict[str, object]]]) -> dict[object, object]:
    return {each["name"]: each["messages"] for each in found["people"]}


def test_names_are_suggested_merged_and_split(capsys: pytest.CaptureFixture[str]) -> None:
    before = people(capsys)
    assert [each["names"] for each in before["suggestions"]] == [["Per", "Per Holm"]]
    merged = people(capsys, "--merge", "Per", "Per Holm", "--into", "Per Holm")
    assert names(merged) == {"Ines": 2, "Per Holm": 2}
    assert merged["suggestions"] == []
    assert main(["search", "tent", "--sender", "Per", "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert [hit["sender"] for hit in hits] == ["Per Holm", "Per Holm"]
    split = people(capsys, "--split", "Per Holm")
    assert names(split) == {"Ines": 2, "Per": 1, "Per Holm": 1}
    assert split["suggestions"] == []


def test_the_owner_is_named_for_an_app(capsys: pytest.CaptureFixture[str]) -> None:
    assert people(capsys, "--me", "whatsapp=Ines")["owners"] == [{"platform": "whatsapp", "name": "Ines"}]
    assert main(["people"]) == 0
    assert "Ines (you): 2 messages, whatsapp" in capsys.readouterr().out
    assert people(capsys, "--me", "whatsapp=")["owners"] == []


def test_names_that_nobody_has_are_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["people", "--merge", "Ghost"]) == 1
    assert "no person named “Ghost”" in capsys.readouterr().err
    assert main(["people", "--me", "Ines"]) == 1
    assert "names no app" in capsys.readouterr().err
