"""Tables whose columns the person names: shown with the guess, corrected, read by import and parse alike."""

import json
from pathlib import Path

import pytest

from app.cli import main
from engine import shapes
from engine.columns import headings, written_columns
from engine.errors import KnownError
from engine.job import Job
from engine.reading import ImportOptions, find, preview
from importers.source import open_source

STRANGE = "Tag,Wer,Gesagt\n2024-03-01 09:00,Ines,the canoe leaks\n2024-03-01 09:05,Per,patch it\n"
PLAIN = "timestamp,sender,text,note\n2024-03-01 09:00,Ines,the canoe leaks,x\n"
NAMED = {"time": "Tag", "sender": "Wer", "text": "Gesagt"}


def table(folder: Path, text: str, name: str = "chat.csv") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def shown(path: Path, **columns: str) -> dict[str, object]:
    options = ImportOptions(columns=columns)
    (found,) = find([path], options)
    return shapes.preview(preview(found, options, Job()))


def test_a_preview_shows_the_columns_and_what_they_were_taken_for(tmp_path: Path) -> None:
    found = shown(table(tmp_path, PLAIN))
    assert found["headers"] == ["timestamp", "sender", "text", "note"]
    assert found["columns"] == {"time": "timestamp", "sender": "sender", "text": "text"}


def test_a_table_that_nobody_recognises_can_be_assigned(tmp_path: Path) -> None:
    path = table(tmp_path, STRANGE)
    before, after = shown(path), shown(path, **NAMED)
    assert (before["status"], before["headers"]) == ("unrecognised", ["Tag", "Wer", "Gesagt"])
    assert (after["status"], after["format"], after["senders"]) == ("recognised", "table", ["Ines", "Per"])
    assert after["columns"] == NAMED


def test_a_wrong_guess_can_be_corrected(tmp_path: Path) -> None:
    path = table(tmp_path, "time,from,text,message\n2024-03-01 09:00,Ines,en,the canoe leaks\n")
    assert shown(path, text="message")["sample"][0]["text"] == "the canoe leaks"  # type: ignore[index]


def test_tables_of_one_import_can_differ(tmp_path: Path) -> None:
    one, other = table(tmp_path, STRANGE), table(tmp_path, STRANGE.replace("Wer", "Was"), "other.csv")
    swapped = {"time": "Tag", "sender": "Gesagt", "text": "Was"}
    options = ImportOptions(columns_of={str(one): NAMED, str(other): swapped})
    found = [preview(f, options, Job()) for f in find([one, other], options)]
    assert [p.sample[0].text for p in found] == ["the canoe leaks", "Ines"]
    assert found[1].columns == swapped


def test_a_field_can_be_given_no_column(tmp_path: Path) -> None:
    found = shown(table(tmp_path, PLAIN), sender="", text="text")
    assert found["columns"] == {"time": "timestamp", "text": "text"}
    assert found["sample"][0]["sender"] is None  # type: ignore[index]


def test_parse_and_import_take_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, columns = table(tmp_path, STRANGE), "time=Tag,sender=Wer,text=Gesagt"
    assert main(["parse", str(path), "--columns", columns, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(m["sender"], m["text"]) for m in lines] == [("Ines", "the canoe leaks"), ("Per", "patch it")]
    assert main(["import", str(path), "--columns", columns, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["files"][0]["new"] == 2
    assert main(["import", str(path), "--json"]) == 1


def test_columns_as_people_write_them() -> None:
    assert written_columns("time=Date, sender=From (name, first),text=a=b") == {
        "time": "Date",
        "sender": "From (name, first)",
        "text": "a=b",
    }
    assert written_columns("") == {}
    with pytest.raises(KnownError, match="“colour=Red”"):
        written_columns("colour=Red")


def test_a_letter_with_commas_has_no_headings(tmp_path: Path) -> None:
    assert headings(open_source(table(tmp_path, "hello", "note.md"))) == ()
    assert headings(open_source(table(tmp_path, "a,,b\n1,2,3\n"))) == ()
