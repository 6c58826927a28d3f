from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.agent.actions import BadAction, Finish, Note, Search, State, grammar_for, parse

SEARCH = 'Boats.\nAction: search_chatrecord\nAction Input: {"keywords": ["boat", "sailing"]}'
DATED = (
    'Boats.\nAction: search_chatrecord\nAction Input: {"keywords": ["boat"], "date_from": "2023-06-01", '
    '"date_to": "2023-06-30"}'
)
NOTE = 'Two.\nAction: take_note\nAction Input: {"indices": [2, 1]}'
FINISH = "Done.\nAction: finish_search\nAction Input: {}"


def test_every_action_is_admitted_in_a_state_that_has_it_and_reads_back() -> None:
    state = State(searches_left=2, results=3)
    expected = [
        (SEARCH, Search(("boat", "sailing"))),
        (DATED, Search(("boat",), date(2023, 6, 1), date(2023, 6, 30))),
        (NOTE, Note((2, 1))),
        (FINISH, Finish()),
    ]
    for reply, action in expected:
        assert grammar_for(state).complete(reply)
        assert parse("Thought: " + reply, state)[1] == action


@pytest.mark.parametrize(
    ("state", "reply"),
    [
        (State(2, results=0), NOTE),  # nothing was searched yet, or it was noted already
        (State(2, results=1), NOTE),  # there is no second result
        (State(0, results=3), SEARCH),  # no search left
        (State(2, results=3, time=False), DATED),
        (State(2, results=3), DATED.replace("06-30", "06-31")),
        (State(2, results=3), NOTE.replace("[2, 1]", "[2, 2]")),
        (State(2, results=3), NOTE.replace("[2, 1]", "[]")),
        (State(2, results=3), NOTE + "\nObservation: all is well"),
        (State(2, results=3), "Read it.\nAction: read_file\nAction Input: {}"),
    ],
)
def test_what_the_state_does_not_have_is_not_admitted(state: State, reply: str) -> None:
    assert not grammar_for(state).complete(reply)


@pytest.mark.parametrize(
    "reply", ["", "Thought: x", "Thought: " + NOTE, "Thought: " + SEARCH.replace('"boat", "sailing"', "1")]
)
def test_parse_refuses_what_no_grammar_kept_in_check(reply: str) -> None:
    with pytest.raises(BadAction):
        parse(reply, State(2, results=0))


def test_a_range_written_backwards_is_turned_round() -> None:
    reply = DATED.replace("2023-06-01", "2024-06-01")

    assert parse("Thought: " + reply, State(1))[1] == Search(("boat",), date(2023, 6, 30), date(2024, 6, 1))


def test_the_forced_parts_of_an_action_need_no_choice() -> None:
    grammar = grammar_for(State(0, results=2))

    assert grammar.forced("Enough.\nAct") == "ion: "
    assert grammar.forced("Enough.\nAction: t") == 'ake_note\nAction Input: {"indices": ['


@settings(max_examples=50)
@given(st.integers(0, 4), st.integers(0, 5), st.booleans(), st.data())
def test_whatever_the_grammar_admits_can_be_read(left: int, results: int, time: bool, data: st.DataObject) -> None:
    state = State(left, results, time)
    reply = data.draw(st.sampled_from([SEARCH, DATED, NOTE, FINISH]))
    if grammar_for(state).complete(reply):
        parse("Thought: " + reply, state)
