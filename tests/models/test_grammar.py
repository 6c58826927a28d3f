from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.grammar import (
    NOTHING,
    Choice,
    Date,
    Grammar,
    Literal,
    Node,
    Numbers,
    Repeat,
    Sequence,
    Text,
    advance,
    json_string,
)

WORDS = st.text("abc -[]\n", min_size=1, max_size=4)
LEAVES: st.SearchStrategy[Node] = st.one_of(
    WORDS.map(Literal),
    st.builds(Text, st.integers(1, 4)),
    st.builds(lambda only: Text(3, 1, only=only), WORDS),
    st.lists(st.integers(0, 30), min_size=2, max_size=5).map(lambda found: Numbers(tuple(found), 1, 3)),
    st.just(Date(date(2021, 2, 27), date(2021, 3, 2))),
    st.just(json_string(3)),
)


def _inner(nodes: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    several = st.lists(nodes, min_size=1, max_size=3).map(tuple)
    repeated = nodes.filter(lambda node: not node.nullable)
    return st.one_of(
        several.map(Choice),
        several.map(Sequence),
        st.builds(Repeat, repeated, st.integers(0, 2), st.integers(2, 3), st.sampled_from(["", ", "])),
    )


NODES = st.recursive(LEAVES, _inner, max_leaves=5)


def _walk(node: Node, data: st.DataObject) -> str:
    """A text of the node: random steps, then the shortest way to an end."""
    alphabet = 'abc, -[]\n0123456789"\\nté中'
    written = ""
    for _ in range(data.draw(st.integers(0, 15))):
        possible = [c for c in dict.fromkeys(alphabet) if c in node.first()]
        if not possible:
            break
        character = data.draw(st.sampled_from(possible))
        written, node = written + character, node.after(character)
    return written + _ending(node, alphabet)


def _ending(node: Node, alphabet: str) -> str:
    """The shortest text that completes the node, breadth first."""
    reached = {node: ""}
    waiting = [node]
    for found in waiting:
        if found.nullable:
            return reached[found]
        for character in alphabet:
            following = found.after(character)
            if following != NOTHING and following not in reached:
                reached[following] = reached[found] + character
                waiting.append(following)
    pytest.fail("a state that cannot be finished")


@settings(max_examples=60, deadline=None)
@given(NODES, st.data())
def test_whatever_is_generated_is_accepted_at_every_step_and_complete(node: Node, data: st.DataObject) -> None:
    grammar = Grammar(node)
    text = _walk(node, data)
    assert grammar.complete(text)
    for end in range(len(text)):
        forced = grammar.forced(text[:end])
        assert grammar.accepts(text[:end])
        assert text[end:].startswith(forced)
        assert not forced or not grammar.complete(text[:end])


@settings(max_examples=60, deadline=None)
@given(NODES, st.data(), st.text(max_size=12))
def test_first_says_exactly_which_characters_are_accepted(node: Node, data: st.DataObject, text: str) -> None:
    written = _walk(node, data)
    written = written[: data.draw(st.integers(0, len(written)))]
    state = advance(node, written)
    for character in text + 'a0-" \n':
        assert (character in state.first()) == (state.after(character) != NOTHING)


@settings(max_examples=100, deadline=None)
@given(st.dates(date(1999, 1, 1), date(2030, 1, 1)), st.integers(0, 900), st.text("0123456789-", max_size=11))
def test_dates_are_days_of_the_range(earliest: date, span: int, text: str) -> None:
    latest = earliest + timedelta(days=span)
    grammar = Grammar(Date(earliest, latest))
    assert grammar.complete(earliest.isoformat())
    assert grammar.complete(latest.isoformat())
    assert not grammar.accepts((latest + timedelta(days=1)).isoformat())
    assert not grammar.accepts((earliest - timedelta(days=1)).isoformat())
    days = [(earliest + timedelta(days=n)).isoformat() for n in range(span + 1)]
    assert grammar.accepts(text) == any(day.startswith(text) for day in days)


def test_a_date_that_does_not_exist_is_refused() -> None:
    grammar = Grammar(Date())
    assert not grammar.accepts("2023-02-29")
    assert grammar.complete("2024-02-29")
    assert not grammar.accepts("2023-13")
    assert not grammar.accepts("٢٠٢٣")
    assert Grammar(Date(latest=date.max)).complete("9999-12-31")


def test_forced_text_runs_to_the_next_choice() -> None:
    grammar = Grammar(
        Sequence(
            (
                Literal("Action: "),
                Choice((Literal("search_chats"), Literal("search_people"), Literal("stop"))),
                Literal("!"),
            )
        )
    )
    assert grammar.forced("") == "Action: s"
    assert grammar.forced("Action: se") == "arch_"
    assert grammar.forced("Action: search_p") == "eople!"
    assert grammar.forced("Action: stop!") == ""
    assert grammar.complete("Action: stop!")


def test_numbers_are_allowed_ones_and_distinct() -> None:
    grammar = Grammar(Numbers((1, 2, 12), at_least=1, at_most=3))
    assert grammar.complete("12, 1, 2")
    assert not grammar.complete("")
    assert not grammar.accepts("1, 1,")
    assert grammar.complete("1, 12")
    assert not grammar.accepts("3")
    assert Grammar(Numbers((1, 2), 1, 3, distinct=False)).complete("1, 1, 2")
    assert Grammar(Numbers((4,), 1, 3)).forced("") == "4"


def test_numbers_may_be_left_out() -> None:
    assert Grammar(Numbers((), at_most=2)).complete("")
    assert not Grammar(Numbers((), at_most=2)).accepts("1")


def test_text_leaves_out_lines_controls_and_what_is_named() -> None:
    grammar = Grammar(Text(5, without="\n["))
    assert grammar.complete("né 中")
    for refused in ("a\nb", "a[", "a\x1b", "a\x00", "sechs!", "\ufffd"):
        assert not grammar.accepts(refused)
    assert Grammar(Text(5, without="")).complete("a\nb")


def test_json_strings_escape_what_json_wants_escaped() -> None:
    grammar = Grammar(json_string(6))
    assert grammar.complete(r'"a\"b\\"')
    assert not grammar.accepts('"a"b')
    assert not grammar.accepts('"a\n')
    assert not grammar.accepts(r'"\q')


def test_separated_repetitions() -> None:
    grammar = Grammar(Repeat(Text(3, 1, only="ab"), 2, 3, ", "))
    assert grammar.complete("a, bb")
    assert not grammar.complete("a")
    assert not grammar.accepts("a, b, a,")
    assert not grammar.complete("a, ")


@pytest.mark.parametrize(
    "build",
    [
        lambda: Text(1, 2),
        lambda: Numbers((1, 1), at_least=2, at_most=2),
        lambda: Date(date(2020, 1, 2), date(2020, 1, 1)),
        lambda: Repeat(Text(3)),
        lambda: Repeat(Literal("a"), 3, 2),
        lambda: Sequence((Literal("a"), NOTHING)),
    ],
)
def test_a_grammar_that_could_never_be_finished_is_refused(build: object) -> None:
    with pytest.raises(ValueError, match=r"\."):
        build()  # type: ignore[operator]
