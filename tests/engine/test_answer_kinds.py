import pytest

from engine.answer.kinds import is_of_the_kind


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much was the vet's bill?", "£312"),
        ("How many children does Ana have?", "two"),
        ("how many of them came?", "nobody"),
        ("When does the ferry sail?", "on Friday"),
        ("And when was that?", "last summer"),
        ("On which date did they move?", "11 April 2025"),
        ("Who came?", "Ana"),
        ("How did Gus fall?", "off a ladder"),
        ("Quand part le bateau ?", "vendredi"),
    ],
)
def test_answers_of_the_kind_that_was_asked_for(question: str, answer: str) -> None:
    assert is_of_the_kind(question, answer)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much did the dress cost?", "moss"),
        ("How many of them came?", "Ana and Ben"),
        ("When was the operation?", "Ms Kaplan"),
        ("Which day is the rubbish collected?", "the council"),
    ],
)
def test_answers_of_another_kind(question: str, answer: str) -> None:
    assert not is_of_the_kind(question, answer)
