"""Messages put in the order of time, in little memory."""

import random
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from importers.base import Facts, Item, Message, Problem
from importers.in_time_order import in_time_order

START = datetime(2020, 1, 1)


@settings(max_examples=50)
@given(st.lists(st.integers(0, 50), max_size=40))
def test_it_is_a_stable_sort(minutes: list[int]) -> None:
    messages = [Message("c", "s", str(n), START + timedelta(minutes=m)) for n, m in enumerate(minutes)]
    assert list(in_time_order(messages)) == sorted(messages, key=lambda m: m.timestamp or START)


def test_many_blocks_newest_first_come_back_whole() -> None:
    messages = [Message("c", "s", str(n), START - timedelta(minutes=n)) for n in range(5_000)]
    assert [int(m.text) for m in in_time_order(messages) if isinstance(m, Message)] == list(range(4_999, -1, -1))
    random.Random(1).shuffle(messages)
    assert [int(m.text) for m in in_time_order(messages) if isinstance(m, Message)] == list(range(4_999, -1, -1))


def test_newest_first_turns_equal_times_round_but_not_one_record() -> None:
    newest_first = [
        Message("c", "s", "4", START + timedelta(hours=1), line=1),
        Message("c", "s", "2 question", START, line=2),
        Message("c", "s", "3 answer", START, line=2, lines=0),
        Message("c", "s", "1", START, line=3),
        Message("c", "s", "0", START - timedelta(hours=1), line=4),
    ]
    assert [m.text[0] for m in in_time_order(newest_first) if isinstance(m, Message)] == ["0", "1", "2", "3", "4"]


def test_a_message_without_time_stays_behind_its_neighbour_and_facts_come_first() -> None:
    late, none, early = Message("c", "s", "late", START), Message("c", "s", "none", None), Message(
        "c", "s", "early", START - timedelta(days=1)
    )  # fmt: skip
    items: list[Item] = [Facts(), late, none, Problem(1, "A fault."), early]
    assert list(in_time_order(items)) == [Facts(), Problem(1, "A fault."), early, late, none]
