"""The evidence read twice, and which reading counts."""

from datetime import date

from memory_searcher import turn

from engine.agent.calls import Calls
from engine.answer.answerer import Draft
from engine.answer.evidence import Evidence, evidence_from, part_of
from engine.answer.readings import CERTAIN, LEAD, Reading, read, surest
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


def readings(
    shown: Evidence, *replies: str, sure: float = 0.0, question: str = QUESTION
) -> tuple[list[str], str, list[int]]:
    """The answers, what was written meanwhile, and how many messages each reading had."""
    model, pieces = FakeChatModel(list(replies), [[-1.0, -2.0 - sure]] * len(replies)), list[str]()
    found = read(question, shown, calls=Calls(model, Job(), Cost()), now=NOW, on_text=pieces.append)
    return [each.draft.text for each in found], "".join(pieces), [len(each.evidence.items) for each in found]


def test_the_best_few_are_read_first_and_then_all() -> None:
    assert readings(evidence(), "Monday", "Tuesday") == (["Monday", "Tuesday"], "Monday", [3, 5])


def test_a_few_messages_are_read_once() -> None:
    assert readings(evidence(3), "Monday") == (["Monday"], "Monday", [3])
    assert readings(evidence(3), "none") == ([""], "", [3])


def test_where_the_few_say_none_the_answer_to_all_is_written() -> None:
    assert readings(evidence(), "none", "Tuesday") == (["", "Tuesday"], "Tuesday", [3, 5])


def test_what_is_certain_of_the_few_needs_no_more() -> None:
    assert readings(evidence(), "Monday", sure=CERTAIN) == (["Monday"], "Monday", [3])
    assert readings(evidence(), "Monday", "Tuesday", sure=CERTAIN - 0.1)[2] == [3, 5]
    assert readings(evidence(), "at sea", "Tuesday", sure=CERTAIN)[2] == [3, 5]  # no answer to "when"


def test_a_later_message_on_the_matter_is_read_with_the_others_at_once() -> None:
    question = "When is the summer fair?"
    texts = (
        "The summer fair is on Monday",
        "What a day",
        "The fair? In summer!",
        "Summer fair is moved to Friday",
    )
    turns = [turn(n, "Ines", f"2023-05-0{n + 1} 10:00", text, session=n) for n, text in enumerate(texts)]
    shown = evidence_from([Hit(each, 1.0) for each in turns], question, budget=300)

    assert readings(shown, "Friday", question=question) == (["Friday"], "Friday", [4])
    assert readings(shown, "none", "Monday", question=question) == (["", "Monday"], "Monday", [4, 3])


def test_the_surer_answer_counts_and_between_like_ones_that_to_all() -> None:
    def reading(text: str, assurance: float, shown: Evidence) -> Reading:
        return Reading(shown, Draft(text, assurance))

    few, whole = evidence(3), evidence()
    to_all = reading("Tuesday", 3.0 - LEAD / 2, whole)

    assert surest(QUESTION, (reading("Monday", 3.0, few), to_all)).draft.text == "Tuesday"
    assert surest(QUESTION, (reading("Monday", 3.0 + LEAD, few), to_all)).draft.text == "Monday"
    assert surest(QUESTION, (reading("", 0.0, whole), reading("Monday", 3.0, few))).draft.text == "Monday"
    assert surest(QUESTION, (reading("the harbour", 9.0, few), to_all)).draft.text == "Tuesday"
    assert surest(QUESTION, (reading("", 0.0, few), reading("", 0.0, whole))).evidence is whole
