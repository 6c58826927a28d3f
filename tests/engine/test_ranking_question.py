"""Reading a question: names, words to search for, what kind of answer it wants."""

import pytest

from engine.search.cues import cue_words, language_of
from engine.search.question import EXTRA_WEIGHT, Names, read_question
from engine.text import Vocabulary, words_of

SENDERS = {0: "Nora Lind", 1: "Erik Berg", 2: "Nora Falk", 3: "Sam"}


def read(text, **more):
    vocabulary = Vocabulary()
    vocabulary.encode(["nora erik sam boat sell son war nora's harbour lind berg falk hat"])
    names = Names(SENDERS, owners=("Sam",))
    return read_question(text, vocabulary, names, **more), vocabulary


def words(question, vocabulary):
    return [vocabulary.terms[t] for t in question.terms]


def test_names_are_not_searched_for_but_say_whose_turns():
    question, vocabulary = read("When did Erik sell his boat?")
    assert question.people == (1,)
    assert words(question, vocabulary) == ["sell", "boat"]
    assert [vocabulary.terms[t] for t in question.names] == ["erik"]
    assert question.asks_when


def test_a_full_name_means_one_person_and_a_first_name_all_who_bear_it():
    assert read("What does Nora Lind sell?")[0].people == (0,)
    assert read("What does Nora sell?")[0].people == (0, 2)
    assert read("Did Nora Falk and Erik sell it?")[0].people == (1, 2)


def test_possessives_name_people_too():
    assert read("What is Erik's boat like?")[0].people == (1,)


def test_i_and_my_mean_the_owner_unless_somebody_is_named():
    assert read("Where is my boat?")[0].people == (3,)
    assert read("Did Erik see my boat?")[0].people == (1,)
    assert read("Where is the boat?")[0].people == ()


def test_words_that_the_archive_lacks_are_counted():
    question, _ = read("Which submarine or boat?")
    assert question.unknown == 1


def test_extra_words_weigh_less():
    question, vocabulary = read("Which boat?", extra=("harbour", "boat"))
    assert dict(zip(words(question, vocabulary), question.weights, strict=True)) == {
        "boat": 1.0,
        "harbour": EXTRA_WEIGHT,
    }


def test_a_question_of_small_words_alone_keeps_them():
    question, vocabulary = read("What was the what?", languages=("english",))
    assert words(question, vocabulary) == []
    assert question.words


def test_question_words_of_another_language_stay_words_here():
    question, vocabulary = read(
        "Which war did the son with the hat sell?", languages=("english", "german", "french")
    )
    assert {"war", "son", "hat", "sell"} <= set(words(question, vocabulary))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wann hat er das Boot verkauft?", "german"),
        ("Quand est-ce qu'il a vendu ?", "french"),
        ("boat", "english"),
    ],
)
def test_the_language_of_a_question(text, language):
    assert language_of(words_of(text), ("english", "german", "french")) == language


def test_numbers_and_other_scripts():
    assert read("How many boats?")[0].asks_number
    assert read("他什么时候卖了船？")[0].asks_when
    assert "什么" in cue_words("question", ("english",))
