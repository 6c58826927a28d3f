"""Imports in any order and any pieces end in the same turns and the same scores as one import of everything."""

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from builders import START, new_library, put, say
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import overview
from engine.errors import Cancelled
from engine.job import Job
from engine.library import Library
from engine.reading import Found, ImportOptions
from engine.types import Filters
from importers.base import Message, Problem
from importers.source import Source

WORDS = "boiler plumber friday tuesday cash train ticket cake candle".split()


@st.composite
def chats(draw: st.DrawFn) -> list[Message]:
    """Messages over some days in two chats, one of them with threads."""
    gaps = draw(st.lists(st.sampled_from([0.5, 1, 4, 6, 30, 200, 400, 3000]), min_size=1, max_size=40))
    minute, messages = 0.0, []
    for gap in gaps:
        minute += gap
        text = " ".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=4)))
        chat = draw(st.sampled_from(["Family", "Work"]))
        thread = draw(st.sampled_from([None, None, None, "t1", "t2"])) if chat == "Work" else None
        sender = draw(st.sampled_from(["Ana", "Ben"]))
        kind = draw(st.sampled_from(["talk"] * 6 + ["system"]))
        messages.append(say(minute, sender, text, chat=chat, conversation=thread, kind=kind))
    return messages


def turns_of(library: Library) -> list[tuple[str, tuple[str, ...]]]:
    """Each turn as its session's place and its messages' texts, whatever the numbers."""
    rows = library.archive.rows("SELECT id FROM turn ORDER BY id")
    turns = library.searcher.turns([r[0] for r in rows])
    result = []
    for turn in turns.values():
        texts = []
        for message in turn.messages:
            row = library.archive.rows("SELECT order_time, text, sender FROM message WHERE id = ?", message)[0]
            texts.append(f"{row[0]} {library.searcher.directory.senders[row[2]]} {row[1]}")
        result.append((turn.chat, tuple(texts)))
    return sorted(result)


def sessions_are_consecutive(library: Library) -> bool:
    columns, alive = library.searcher.index.columns, library.searcher.index.alive
    living = columns.session[alive]
    changes = int(np.count_nonzero(np.diff(living))) + 1 if len(living) else 0
    return changes == len(np.unique(living))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chats(), st.data())
def test_pieces_in_any_order_equal_one_import(
    tmp_path_factory: pytest.TempPathFactory, messages: list[Message], data: st.DataObject
) -> None:
    whole = new_library(tmp_path_factory.mktemp("whole"))
    put(whole, messages)
    pieces = new_library(tmp_path_factory.mktemp("pieces"))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(messages)), max_size=3)))
    runs = [messages[a:b] for a, b in zip([0, *cuts], [*cuts, len(messages)], strict=True)]
    for run in data.draw(st.permutations(runs)):
        put(pieces, run)
    assert sessions_are_consecutive(pieces)
    assert [t for _, t in turns_of(pieces)] == [t for _, t in turns_of(whole)]
    for query in WORDS:
        a, b = (
            sorted(
                round(h.score, 5) for h in lib.searcher.search(query, filters=Filters(), k=99, fused=False).hits
            )
            for lib in (whole, pieces)
        )
        assert a == b
    assert pieces.verify(Job()).ok
    assert not pieces.verify(Job()).mended
    # A second import of everything adds nothing.
    again = put(pieces, messages)
    assert (again.new, again.system) == (0, 0)
    reopened = Library(pieces.home)
    assert turns_of(reopened) == turns_of(pieces)
    for library in (whole, pieces, reopened):
        library.close()


def test_counts_add_up(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    items = [
        say(0, "Ana", "one", lines=3),
        say(1, "Ana", "one"),
        say(1, "Ana", "one"),
        say(2, "", "Ana changed the group's name", kind="system"),
        Problem(9, "no date", "???", skipped=2),
    ]
    report = put(library, items)
    assert (report.new, report.system, report.duplicate, report.skipped, report.joined) == (3, 1, 0, 2, 2)
    assert report.status == "partly"
    again = put(library, items)
    assert (again.new, again.system, again.duplicate) == (0, 0, 4)
    library.close()


def test_a_cancelled_import_leaves_nothing_behind(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "the boiler is cold")])
    job = Job()

    def items():  # type: ignore[no-untyped-def]
        yield say(1, "Ben", "the plumber comes")
        job.cancel()
        yield say(900, "Ben", "on Friday")

    class Endless:
        name, platform, title, patterns, how_to_export = "list", "whatsapp", "A list", (), ()

        def read(self, source: Source, options: object):  # type: ignore[no-untyped-def]
            return items()

    with pytest.raises(Cancelled):
        library._import(job, Found("x", Source(), Endless()), ImportOptions())  # type: ignore[arg-type]
    assert library.stats()["messages"] == 1
    assert library.searcher.search("plumber", filters=Filters()).hits == ()
    assert put(library, [say(1, "Ben", "the plumber comes")]).new == 1
    assert library.verify(Job()).ok
    library.close()


def test_instants_are_shown_on_the_persons_clock(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    instant = datetime(2024, 7, 1, 23, 30, tzinfo=UTC)
    put(library, [Message("Family", "Ana", "night train", instant)], timezone="Europe/Berlin")
    (hit,) = library.searcher.search("train", filters=Filters()).hits
    assert hit.turn.timestamp == "2024-07-02T01:30:00+02:00"
    assert hit.turn.local_time == int((datetime(2024, 7, 2, 1, 30) - datetime(1970, 1, 1)).total_seconds())
    library.close()


def test_filters_and_context(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(i * 10, "Ana" if i % 2 else "Ben", f"train number {i}") for i in range(8)])
    put(library, [say(0, "Cleo", "train", chat="Work")], platform="slack")
    search = library.searcher.search
    assert {h.turn.sender for h in search("train", filters=Filters(senders=("ana",)), k=9).hits} == {"Ana"}
    assert {h.turn.chat for h in search("train", filters=Filters(platforms=("slack",)), k=9).hits} == {"Work"}
    assert search("train", filters=Filters(date_to=START.date().replace(day=2)), k=99).searched.turns == 9
    assert search("train", filters=Filters(date_from=START.date().replace(day=2)), k=99).hits == ()
    (third,) = search("3", filters=Filters(), k=1).hits
    assert [t.text for t in third.context] == [f"train number {i}" for i in (1, 2, 3, 4, 5)]
    seen = frozenset(h.turn.session for h in search("train", filters=Filters(), k=1).hits)
    rest = search("train", filters=Filters(), k=99, seen_sessions=seen).hits
    assert rest
    assert not seen & {h.turn.session for h in rest}
    library.close()


def test_erasing_a_chat_leaves_no_word_of_it(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher secret"), say(9, "Ben", "secret river", chat="Work")])
    assert library.erase_chat("Family") == 1
    assert library.searcher.search("kingfisher", filters=Filters()).hits == ()
    assert len(library.searcher.search("secret", filters=Filters()).hits) == 1
    assert "kingfish" not in " ".join(library.searcher.index.vocabulary.terms)
    assert [c["title"] for c in overview.chats(library.archive)] == ["Work"]
    library.close()
    again = Library(library.home)
    assert again.verify(Job()).ok
    assert not again.verify(Job()).mended
    assert put(again, [say(0, "Ana", "kingfisher secret")]).new == 1
    again.close()


def test_nothing_readable_lies_on_the_disk(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana Canaryson", "kingfisher secret", source_id="id-kingfisher")])
    for path in library.home.path.iterdir():
        data = path.read_bytes().lower()
        assert b"kingfish" not in data, path
        assert b"canaryson" not in data, path
        assert path.stat().st_mode & 0o077 == 0, path
    library.close()


def test_the_same_chat_from_another_phone_adds_nothing_twice(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "ok"), say(0, "Ana", "ok"), say(3, "Ben", "the boiler is cold")])
    seconds = [
        say(0.2, "Ana", "ok"),
        say(0.5, "Ana", "ok"),
        say(0.9, "Ana", "ok"),
        say(3.4, "Ben", "the boiler\u200e is cold"),
    ]
    report = put(library, seconds)
    assert (report.new, report.duplicate) == (1, 3)
    library.close()


def test_an_export_without_ids_joins_the_chat_that_has_them(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(0, "Ana", "kingfisher", chat_id="user77", source_id="1")], platform="telegram")
    report = put(library, [say(0, "Ana", "kingfisher"), say(5, "Ana", "heron")], platform="telegram")
    assert (report.new, report.duplicate) == (1, 1)
    assert len(overview.chats(library.archive)) == 1
    put(library, [say(0, "Eve", "owl", chat_id="user78", source_id="1")], platform="telegram")
    assert len(overview.chats(library.archive)) == 2
    library.close()


def test_turning_the_dates_round_later_replaces_what_was_read(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    path = tmp_path / "WhatsApp Chat with Ana.txt"
    path.write_text("03/04/2024, 09:00 - Ana: kingfisher\n04/04/2024, 09:05 - Ben: heron\n", encoding="utf-8")
    first = library.import_paths(Job(), [path], ImportOptions(date_order="dmy")).files[0]
    put(library, [say(0, "Ana", "in another file", chat="Ana")])
    again = library.import_paths(Job(), [path], ImportOptions(date_order="mdy")).files[0]
    assert (first.new, again.new, again.duplicate) == (2, 2, 0)
    (hit,) = library.searcher.search("kingfisher", filters=Filters()).hits
    assert hit.turn.timestamp == "2024-03-04T09:00:00"
    assert library.stats()["messages"] == 3
    assert library.verify(Job()).ok
    assert not library.verify(Job()).mended
    library.close()
