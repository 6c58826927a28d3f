"""Every line or record of an export is accounted for: by the importer, the preview, a dry run and the import."""

import json
from pathlib import Path

import pytest
from builders import new_library, put, say

from app.cli import main
from engine import ledger
from engine.ingest import read_items
from engine.job import Job
from engine.ledger import FileReport
from engine.reading import Found, ImportOptions, dry_run, find, preview
from importers.base import Importer, Message, Problem
from importers.registry import IMPORTERS

DATA = Path(__file__).parent.parent / "importers" / "data"
SAMPLES = [
    pytest.param(importer, case.parent, id=f"{importer.name}/{case.parent.name}")
    for importer in IMPORTERS
    for case in sorted((DATA / importer.name).glob("*/expected.json"))
]


def export_path(case: Path) -> Path:
    """The sample's export: the folder `input`, or the one file beside expected.json."""
    if (case / "input").is_dir():
        return case / "input"
    (path,) = (p for p in case.iterdir() if p.name != "expected.json")
    return path


def summed(reports: list[FileReport]) -> dict[str, int]:
    return {count: sum(getattr(r, count) for r in reports) for count in (*ledger.COUNTS, "records")}


def kinds(found: list[Found]) -> dict[str, int]:
    """Messages and problems as `parse` gives them."""
    items = [
        i for f in found if f.importer for i in read_items(f.importer, f.source, ImportOptions().for_file(f.path))
    ]
    messages = [i for i in items if isinstance(i, Message)]
    return {
        "talk": sum(m.kind != "system" for m in messages),
        "system": sum(m.kind == "system" for m in messages),
        "skipped": sum(i.skipped for i in items if isinstance(i, Problem)),
    }


@pytest.mark.parametrize(("importer", "case"), SAMPLES)
def test_the_counts_of_every_sample_add_up(importer: Importer, case: Path, tmp_path: Path) -> None:
    path = export_path(case)
    records = json.loads((case / "expected.json").read_text(encoding="utf-8"))["records"]
    found = list(find([path]))
    parsed = kinds(found)
    seen = [preview(f, ImportOptions(), Job()) for f in found]
    dry = summed([dry_run(f, ImportOptions(), Job()) for f in found])
    library = new_library(tmp_path)
    first = summed(library.import_paths(Job(), [path], ImportOptions()).files)
    again = summed(library.import_paths(Job(), [path], ImportOptions()).files)

    assert first["records"] == dry["records"] == again["records"] == records
    assert sum(p.messages for p in seen) == parsed["talk"] + parsed["system"]
    assert (dry["new"], dry["system"], dry["skipped"]) == (parsed["talk"], parsed["system"], parsed["skipped"])
    assert first["new"] + first["system"] + first["duplicate"] == parsed["talk"] + parsed["system"]
    assert (again["new"], again["system"]) == (0, 0)
    assert library.verify(Job()).ok
    entries = ledger.imports(library.archive)
    assert {count: sum(e[count] for e in entries) for count in ledger.COUNTS} == {
        count: first[count] + again[count] for count in ledger.COUNTS
    }
    library.close()


def test_imports_are_listed_with_their_problems_and_can_be_kept(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ines", "hello"), Problem(7, "The line has no sender.", "??", skipped=2)])
    put(library, [say(0, "Ines", "hello"), say(1, "Per", "joined", kind="system")])
    newest, oldest = ledger.imports(library.archive)
    assert (newest["duplicate"], newest["system"], newest["status"]) == (1, 1, "imported")
    assert (oldest["new"], oldest["skipped"], oldest["status"]) == (1, 2, "partly")
    assert oldest["problems"] == [{"line": 7, "reason": "The line has no sender.", "excerpt": "??", "skipped": 2}]
    assert json.loads(ledger.as_json([newest, oldest])) == [newest, oldest]
    text = ledger.as_text([newest, oldest])
    assert "list, partly: 1 new, 0 already there, 0 notices, 2 skipped, 0 lines joined" in text
    assert "  line 7: The line has no sender.  “??”" in text


def test_the_command_line_shows_the_ledger(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = tmp_path / "WhatsApp Chat with Per.txt"
    export.write_text(
        "13/02/2024, 09:00 - Per: the tent is dry\n13/02/2024, 09:01 - Ines: good\n", encoding="utf-8"
    )
    assert main(["import", str(export)]) == 0
    capsys.readouterr()
    assert main(["imports", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["format"], entry["new"], entry["date_order"]) == ("whatsapp", 2, "dmy")
    assert main(["imports"]) == 0
    assert "whatsapp, imported: 2 new" in capsys.readouterr().out
