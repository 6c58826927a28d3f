"""The evidence read twice, and which reading counts."""

from datetime import date

from memory_searcher import turn

from engine.agent.calls import Calls
from engine.answer.answerer import Draft
from engine.answer.evidence import Evidence, evidence_from, part_of
from engine.answer.readings import LEAD, Reading, read, surest
from engine.job import Job
from engine.types import Cost, Hit
from tests.fakes import FakeChatModel

QUESTION = "When is the ferry?"
NOW = date(2024, 1, 10)
TEXTS = ("The ferry is on Monday", "Ferry moved to Tuesday", "Ferry again", "I like the ferry", "No ferry today")


def evidence(count: int = len(TEXTS)) -> Evidence:
    """Messages a day apart, ranked from the newest to the oldest."""
    turns = [turn(n, "Ines", f"2023-05-0{n + 1} 10:00", text, session=n) for n, text in enumerate(TEXTS[:count])]
    return evidence_from([Hit(each, 1.0) for each in reversed(turns)], QUESTION, budget=300)


def reading(text: str, assurance: float) -> Reading:
    return Reading(Evidence(), Draft(text, assurance))


def test_a_part_has_its_own_numbers_and_marks() -> None:
    whole = evidence()
    part = part_of(whole, whole.ranked[:2])

    assert [(item.n, item.turn.id, item.later_than) for item in part.items] == [(1, 3, None), (2, 4, None)]
    assert [line.split(",")[0] for line in part.text.splitlines()] == ["[1] 4 May 2023", "[2] 5 May 2023"]
    assert part.ranked == (4, 3)


def test_a_mark_follows_its_message_into_the_part() -> None:
    turns = [
        turn(0, "Ines", "2023-05-01 10:00", "The summer fair is on Monday", session=0),
        turn(1, "Ines", "2023-05-02 10:00", "What a day", session=1),
        turn(2, "Ines", "2023-05-03 10:00", "The summer fair is moved to Friday", session=2),
    ]
    whole = evidence_from([Hit(each, 1.0) for each in turns], "When is the summer fair?", budget=300)
    part = part_of(whole, (2, 0))

    assert [item.later_than for item in whole.items] == [None, None, 1]
    assert [(item.n, item.later_than) for item in part.items] == [(1, None), (2, 1)]


def test_the_best_few_are_read_first_and_then_all() -> None:
    model, pieces = FakeChatModel(["Monday", "Tuesday"]), []
    found = read(QUESTION, evidence(), calls=Calls(model, Job(), Cost()), now=NOW, on_text=pieces.append)

    assert [len(each.evidence.items) for each in found] == [3, 5]
    assert [each.draft.text for each in found] == ["Monday", "Tuesday"]
    assert "".join(pieces) == "Monday"  # the second is not written over the first
    assert TEXTS[0] not in model.calls[0].prompt
    assert TEXTS[0] in model.calls[-1].prompt


def test_a_few_messages_are_read_once() -> None:
    model = FakeChatModel(["Monday"])

    assert len(read(QUESTION, evidence(3), calls=Calls(model, Job(), Cost()), now=NOW)) == 1


def test_where_the_few_say_none_the_answer_to_all_is_written() -> None:
    model, pieces = FakeChatModel(["none", "Tuesday"]), []
    read(QUESTION, evidence(), calls=Calls(model, Job(), Cost()), now=NOW, on_text=pieces.append)

    assert "".join(pieces) == "Tuesday"


def test_the_surer_answer_counts_and_between_like_ones_that_to_all() -> None:
    few, whole = reading("Monday", 3.0), reading("Tuesday", 3.0 - LEAD / 2)

    assert surest(QUESTION, (few, whole)).draft.text == "Tuesday"
    assert surest(QUESTION, (reading("Monday", 3.0 + LEAD), whole)).draft.text == "Monday"
    assert surest(QUESTION, (few, reading("", 0.0))).draft.text == "Monday"
    assert surest(QUESTION, (reading("the harbour", 9.0), whole)).draft.text == "Tuesday"  # no answer to "when"
    assert surest(QUESTION, (reading("", 0.0), reading("", 0.0))).draft.text == ""
