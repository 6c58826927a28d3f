"""Hits by month: all that a search finds, not only the best of it."""

from datetime import date, timedelta
from pathlib import Path

from builders import START, new_library, put, say, say_at

from engine.completion import completed
from engine.library import Library
from engine.months import hits_by_month, query_words
from engine.types import Filters
from importers.base import Message

DAY = 24 * 60


def months(
    library: Library, query: str, filters: Filters | None = None, *, complete: bool = False
) -> dict[str, int]:
    index = library.searcher.index
    words = query_words(query, completed(query, index) if complete else query)
    return hits_by_month(library.searcher, words, filters or Filters())


def test_every_turn_counts_in_its_month(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [say(at * DAY, "Ana" if at % 2 else "Ben", f"heron {at}") for at in range(250)])
    found = months(library, "heron")
    assert sum(found.values()) == 250
    assert found["2024-03"] == 31
    assert list(found) == sorted(found)
    library.close()


def test_turns_with_all_words_count_where_there_are_some(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(
        library,
        [
            say(0, "Ana", "heron"),
            say(40 * DAY, "Ben", "heron at the weir"),
            say(80 * DAY, "Ana", "weir"),
            say(120 * DAY, "Ben", "nothing of it"),
        ],
    )
    assert months(library, "heron weir") == {"2024-04": 1}
    assert months(library, "heron xylophone") == {"2024-03": 1, "2024-04": 1}
    assert months(library, "xylophone") == {}
    assert months(library, "her", complete=True) == {"2024-03": 1, "2024-04": 1}
    library.close()


def test_filters_and_erased_chats_do_not_count(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(
        library, [say(0, "Ana", "heron"), say(40 * DAY, "Ben", "heron"), say(80 * DAY, "Cy", "heron", chat="Work")]
    )
    assert months(library, "heron", Filters(senders=("Ana",))) == {"2024-03": 1}
    since = (START + timedelta(days=30)).date()
    assert months(library, "heron", Filters(date_from=since, date_to=date(2024, 12, 31))) == {
        "2024-04": 1,
        "2024-05": 1,
    }
    library.erase_chat("Work")
    assert months(library, "heron") == {"2024-03": 1, "2024-04": 1}
    library.close()


def test_a_turn_without_a_time_is_in_no_month(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    put(library, [Message("Family", "Ana", "heron", None), say_at(START, "Ben", "heron")])
    assert sum(months(library, "heron").values()) == 1
    library.close()


def test_an_empty_archive_has_no_months(tmp_path: Path) -> None:
    library = new_library(tmp_path)
    assert months(library, "heron") == {}
    library.close()
