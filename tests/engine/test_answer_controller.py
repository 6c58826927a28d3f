from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from memory_searcher import MemorySearcher, turn

from engine.answer.abstain import SURE, SURER
from engine.answer.controller import answer_question
from engine.answer.people import Asked, asked_about, speaks_of
from engine.answer.phrases import phrases_for, searched_words
from engine.errors import Cancelled
from engine.job import Job
from engine.types import Answer, Coverage, Filters, Mode
from models.base import ModelError
from tests.fakes import Call, FakeChatModel

NOW = date(2024, 1, 10)
TURNS = [
    turn(0, "Ines", "2023-03-01 10:00", "I booked the ferry to Naxos for the 3rd of June", session=0),
    turn(1, "Rosa", "2023-03-01 10:10", "Lovely, Ines!", session=0),
    turn(2, "Rosa", "2023-04-02 09:00", "Yesterday I broke my wrist at the climbing wall", session=1),
    turn(3, "Sam", "2023-04-02 09:30", "Oh no. I am allergic to plaster", session=1),
    turn(4, "Ines", "2023-05-20 18:00", "Ferry moved: we sail on the 5th of June now", session=2),
    turn(5, "Ole", "2023-06-09 18:00", "Ines fell off the ladder while painting", session=3, chat="Work"),
]
Reply = str | Exception | Callable[[Call], str]


def ask(
    question: str, *replies: Reply, mode: Mode = "quick", turns: list[Any] = TURNS, job: Job | None = None
) -> tuple[Answer, FakeChatModel]:
    model = FakeChatModel(list(replies))
    answer = answer_question(
        job or Job(), question, searcher=MemorySearcher(turns), model=model, mode=mode, filters=Filters(), now=NOW
    )
    return answer, model


def test_quick_answers_with_one_call_and_checked_citations() -> None:
    answer, model = ask(
        "When in June does the ferry sail?",
        "On the 5th of June",
    )

    assert answer.found
    assert answer.answer == "On the 5th of June [1]"
    assert [(c.turn, c.verified, c.text) for c in answer.citations] == [(4, True, TURNS[4].text)]
    assert answer.unsupported == ()
    assert (answer.cost.llm_calls, answer.cost.searches) == (1, 1)
    assert "later than 1] 20 May 2023, Ines: Ferry moved" in model.calls[0].prompt
    assert answer.evidence


def test_what_no_message_supports_is_no_answer() -> None:
    answer, _ = ask("When does the ferry sail?", "On the 9th of July from Piraeus")

    assert not answer.found
    assert answer.citations == ()
    assert answer.nearest


def test_an_answer_of_which_the_model_is_not_sure_is_not_found() -> None:
    def asked(question: str, assurance: float) -> Answer:
        model = FakeChatModel(["On the 5th of June"], [[-0.5, -1.0 - assurance]])
        return answer_question(Job(), question, searcher=MemorySearcher(TURNS), model=model, now=NOW)

    assert asked("When does the ferry sail?", SURE).found
    unsure = asked("When does the ferry sail?", SURE - 0.1)
    assert not unsure.found
    assert unsure.nearest
    far = "When do we sail past the lighthouse with painted windows?"  # the message speaks of the sailing alone
    assert not asked(far, SURER - 0.1).found
    assert asked(far, SURER).found


def test_a_sentence_that_no_message_supports_is_marked() -> None:
    answer, _ = ask("When does the ferry sail?", "On the 5th of June. Tickets cost 40 euros.")

    assert answer.found
    assert answer.unsupported == ("Tickets cost 40 euros.",)
    assert any(citation.verified for citation in answer.citations)


def test_the_model_s_none_is_not_found_with_what_was_searched_and_the_nearest() -> None:
    answer, _ = ask("What does the ferry cost?", "none")

    assert not answer.found
    assert answer.answer == "Not found in your chats. (1 search, 2 chats, Mar 2023 – Jun 2023)"
    assert [hit.turn.id for hit in answer.nearest][:2] == [0, 4]
    assert answer.citations == ()


def test_what_somebody_else_did_is_not_an_answer() -> None:
    answer, model = ask("Where did Ines break her wrist at the climbing wall?")

    assert not answer.found
    assert "Ines" in answer.answer
    assert "Rosa" in answer.answer
    assert model.calls == []  # the code saw it before the model was asked
    assert answer.nearest[0].turn.id in (0, 2)


def test_where_it_is_not_plain_the_model_reads_first() -> None:
    answer, _ = ask("Where did Ines break her wrist?", "the climbing wall")

    assert not answer.found
    assert "Rosa" in answer.answer
    assert answer.cost.llm_calls == 1


def test_an_answer_that_rests_on_somebody_else_s_words_is_taken_back() -> None:
    answer, _ = ask("What is Rosa allergic to at the climbing wall?", "Plaster")

    assert not answer.found


def test_what_another_tells_of_the_person_counts() -> None:
    answer, _ = ask("Where did Ines fall while painting?", "Off the ladder")

    assert answer.found


def test_my_own_questions_are_about_the_owner() -> None:
    answer, _ = ask("What am I allergic to?", "Plaster")

    assert answer.found
    assert answer.citations[0].sender == "Sam"


def test_a_name_that_occurs_nowhere_needs_no_model() -> None:
    answer, model = ask("Where did the ferry take Gwendolyn?")

    assert not answer.found
    assert "Gwendolyn" in answer.answer
    assert model.calls == []


def test_a_mistyped_name_is_not_unknown() -> None:
    answer, _ = ask("What did the ladder do to Innes?", "Fell off")

    assert answer.found


def test_an_empty_archive_is_not_found() -> None:
    answer, model = ask("When does the ferry sail?", turns=[])

    assert not answer.found
    assert answer.nearest == ()
    assert model.calls == []


@pytest.mark.parametrize("mode", ["quick", "thorough", "refind"])
def test_a_failing_model_leaves_the_messages(mode: Mode) -> None:
    answer, _ = ask("When does the ferry sail?", ModelError("The model stopped working."), mode=mode)

    assert not answer.found
    assert "could not answer" in answer.answer
    assert {hit.turn.id for hit in answer.nearest} >= {0, 4}


def test_without_a_model_the_closest_messages_are_shown() -> None:
    answer = answer_question(
        Job(), "When does the ferry sail?", searcher=MemorySearcher(TURNS), model=None, mode="auto", now=NOW
    )

    assert not answer.found
    assert "No model" in answer.answer
    assert answer.nearest[0].turn.id in (0, 4)


def test_thorough_answers_and_its_evidence_holds_all_of_quick_s() -> None:
    quick, _ = ask("When does the ferry sail?", "none")
    answer, model = ask(
        "When does the ferry sail?",
        *("boat, harbour, leave, ticket", "1, 2", "naxos, june", "On the 5th of June"),
        mode="thorough",
    )

    assert answer.found
    assert set(quick.evidence) <= set(answer.evidence)
    assert answer.mode == "thorough"
    assert not model.replies


def test_refind_answers_from_its_notes_alone() -> None:
    search = 'Look.\nAction: search_chatrecord\nAction Input: {"keywords": ["ferry"]}'
    note = 'Both.\nAction: take_note\nAction Input: {"indices": [2]}'
    finish = "Done.\nAction: finish_search\nAction Input: {}"
    answer, model = ask("When does the ferry sail?", search, note, finish, "5 June", mode="refind")

    assert answer.found
    assert set(answer.evidence) == {4}
    assert [step.action for step in answer.trace] == ["search_chatrecord", "take_note", "finish_search"]
    assert not model.replies


def test_the_events_come_in_order_and_the_answer_streams_without_its_numbers() -> None:
    events: list[tuple[str, dict[str, Any]]] = []
    ask(
        "When does the ferry sail?",
        "On the 5th of June",
        job=Job(lambda name, data: events.append((name, data))),
    )

    names = list(dict.fromkeys(name for name, _ in events))
    assert names == ["step", "trace", "evidence", "reading", "text"]
    assert "".join(data["piece"] for name, data in events if name == "text") == "On the 5th of June"


def test_stop_takes_effect_at_once_and_keeps_what_was_streamed() -> None:
    pieces: list[str] = []

    def on_event(name: str, data: dict[str, Any]) -> None:
        if name == "text":
            pieces.append(data["piece"])
            job.cancel()

    job = Job(on_event)
    with pytest.raises(Cancelled):
        ask("When does the ferry sail?", "On the 5th of June", job=job)
    assert len(pieces) == 1


def test_a_cancelled_job_asks_nothing() -> None:
    job = Job()
    job.cancel()
    with pytest.raises(Cancelled):
        ask("When does the ferry sail?", job=job)


def test_not_found_speaks_the_question_s_language_and_names_what_was_searched() -> None:
    assert phrases_for("渡轮什么时候开?").not_found.startswith("在你的聊天记录中")
    assert phrases_for("Wann und wo fährt die Fähre ab, und wer ist dabei?").not_found.startswith("In deinen")
    looked, everything = Coverage(37, 900, "2019-01-04", "2024-03-02"), Coverage(212, 9_000)
    assert searched_words(4, looked, everything) == "4 searches, 37 of 212 chats, Jan 2019 – Mar 2024"


def test_whom_a_question_asks_about() -> None:
    people = MemorySearcher(TURNS).people()

    assert asked_about("What did Ines book?", people) == Asked("Ines", frozenset({"Ines"}))
    assert asked_about("Did Ines or Rosa book it?", people) is None
    assert asked_about("What did I book?", people) == Asked("you", frozenset({"Sam"}))
    assert asked_about("What did Ines tell me?", people) == Asked("Ines", frozenset({"Ines", "Sam"}))
    for for_a_person in ("Who booked it?", "Whose idea was Ines's trip?", "谁给Ines订的票？"):
        assert asked_about(for_a_person, people) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I broke my wrist", False),
        ("Thanks, Ines! I broke my wrist", False),
        ("Ines, I broke my wrist", False),
        ("Ines broke her wrist", True),
        ("How is your wrist, Ines?", True),
        ("You broke your wrist", True),
        ("We saw your wrist and I fainted", False),
    ],
)
def test_of_whom_a_message_of_somebody_else_speaks(text: str, expected: bool) -> None:
    said = turn(1, "Rosa", "2023-04-02 09:00", text)

    assert speaks_of(said, text, Asked("Ines", frozenset({"Ines"})), {"wrist"}) is expected


def test_a_relative_date_copied_from_a_message_becomes_absolute() -> None:
    answer, _ = ask("When did Rosa break her wrist at the climbing wall?", "yesterday")

    assert answer.answer.startswith("1 April 2023 [")
    assert answer.unsupported == ()


def test_the_part_of_the_prompt_that_never_changes_comes_first() -> None:
    _, first = ask("When does the ferry sail?", "none")
    _, second = ask("What does the ferry cost?", "none")

    assert first.calls[0].messages[:-1] == second.calls[0].messages[:-1]


def test_two_people_together_are_not_one_who_is_asked_about() -> None:
    people = MemorySearcher(TURNS).people()

    for question in (
        "Where did Ines and Bruno sail?",
        "Where did Ines and I sail?",
        "Where did my son and Ines go?",
    ):
        assert asked_about(question, people) is None


def test_the_title_of_a_chat_and_the_name_of_an_app_are_known() -> None:
    answer, _ = ask("Which ferry to Naxos was it on WhatsApp in Work?", "the 3rd of June")

    assert answer.found
