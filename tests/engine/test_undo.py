"""Taking an import back: what goes, what stays, and that nothing of it is left to be found."""

from functools import partial
from pathlib import Path

import pytest
from builders import new_library, put, say

from engine import history, ledger, overview
from engine.errors import Cancelled, NothingThere
from engine.job import Job
from engine.library import Library
from engine.types import Filters
from engine.undo import undo_import


def undo(library: Library, file: int, job: Job | None = None) -> int:
    return library.shrink(partial(undo_import, job=job or Job(), file=file))


def found(library: Library, words: str) -> list[str]:
    return sorted(h.turn.text for h in library.searcher.search(words, filters=Filters(), k=20).hits)


def test_only_what_the_import_brought_goes(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher by the weir"), say(200, "Ben", "the weir is loud")])
    put(library, [say(0, "Ana", "kingfisher by the weir"), say(100, "Cy", "otter at the weir")])
    put(library, [say(0, "Dee", "weir and otter", chat="Boats")])
    assert undo(library, 2) == 1
    assert found(library, "weir") == ["kingfisher by the weir", "the weir is loud", "weir and otter"]
    assert found(library, "otter") == ["weir and otter"]
    assert [entry["id"] for entry in ledger.imports(library.archive)] == [3, 1]
    assert "Cy" not in {person["name"] for person in overview.people(library.archive)}
    library.close()
    again = Library(library.home)
    check = again.verify(Job())
    assert check.ok
    assert not check.mended
    assert found(again, "weir") == ["kingfisher by the weir", "the weir is loud", "weir and otter"]
    assert put(again, [say(100, "Cy", "otter at the weir")]).new == 1
    again.close()


def test_a_chat_without_messages_goes_and_so_do_its_words(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher secret")])
    put(library, [say(0, "Ben", "plain river", chat="Work")])
    assert undo(library, 1) == 1
    assert [chat["title"] for chat in overview.chats(library.archive)] == ["Work"]
    assert "kingfish" not in " ".join(library.searcher.index.vocabulary.terms)
    library.close()


def test_answers_that_rest_on_it_go_and_others_stay(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher here")])
    put(library, [say(500, "Ben", "heron there")])
    (kingfisher,) = library.searcher.search("kingfisher", filters=Filters()).hits
    (heron,) = library.searcher.search("heron", filters=Filters()).hits
    for hit in (kingfisher, heron):
        answer = {"answer": "yes", "citations": [{"turn": hit.turn.id}], "evidence": [hit.turn.id]}
        history.remember(library.archive, hit.turn.text, answer, "2024-03-01T10:00:00")
    undo(library, 1)
    assert [each["question"] for each in history.listed(library.archive)] == ["heron there"]
    library.close()


def test_an_unknown_import_says_so_and_changes_nothing(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher here")])
    with pytest.raises(NothingThere):
        undo(library, 9)
    assert found(library, "kingfisher") == ["kingfisher here"]
    library.close()


def test_stopping_it_changes_nothing(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher here")])
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        undo(library, 1, job)
    assert found(library, "kingfisher") == ["kingfisher here"]
    assert len(ledger.imports(library.archive)) == 1
    library.close()
