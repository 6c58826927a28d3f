"""Follow-up questions are asked together with what went before; others are left alone."""

import pytest

from engine.followup import is_followup, standalone

FIRST = "When did Mum say the boiler would be fixed?"


@pytest.mark.parametrize(
    "question",
    [
        "and when was that?",
        "Why?",
        "Who else?",
        "What did she say about the boiler?",
        "Is that expensive?",
        "how about Tuesday",
        "Where is it now?",
        "那是什么时候？",
        "为什么？",
        "她说了什么？",
    ],
)
def test_what_leans_on_the_question_before(question: str) -> None:
    assert is_followup(question)
    assert standalone(question, [FIRST]) == f"{FIRST} {question}"


@pytest.mark.parametrize(
    "question",
    [
        FIRST,
        "Did Nour tell Tomasz that she would bring the ladder back?",
        "What is the name of the dentist in Mill Lane?",
        "妈妈什么时候说锅炉会在星期四修好？",
        "",
    ],
)
def test_what_stands_by_itself(question: str) -> None:
    assert not is_followup(question)
    assert standalone(question, ["Who came?"]) == question


def test_the_first_question_is_never_a_followup() -> None:
    assert standalone("and when was that?", []) == "and when was that?"


def test_a_chain_of_followups_goes_back_to_what_they_are_about() -> None:
    assert standalone("Why?", [FIRST, "and who told him?"]) == f"{FIRST} Why?"
