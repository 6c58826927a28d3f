"""The date of an answer, held against what its messages tell."""

import pytest
from memory_searcher import turn

from engine.answer.dates import in_words_of, told_date
from engine.answer.evidence import Item, evidence_from
from engine.types import Hit

WRITTEN = "2023-07-03 21:10"


def cited(*texts: str) -> tuple[Item, ...]:
    hits = [Hit(turn(n, "Maria", WRITTEN, text), 1.0) for n, text in enumerate(texts)]
    return evidence_from(hits, "When was the accident?", budget=200).items


@pytest.mark.parametrize(
    ("text", "answer", "right"),
    [
        ("Something awful happened yesterday, look at the car", "3 July 2023", "2 July 2023"),
        ("Something awful happened yesterday, look at the car", "on 2023-07-03", "2 July 2023"),
        ("Passed! Last Friday, 58 out of 60", "3 July 2023", "Friday 30 June 2023"),
        ("前天有人来店里偷了一张唱片", "2023年7月3日", "2023年7月1日"),
        ("I painted that sunrise last year", "2022-08-08", "2022"),
    ],
)
def test_the_day_that_a_message_tells_counts_and_not_the_day_of_its_writing(
    text: str, answer: str, right: str
) -> None:
    assert told_date(answer, cited(text)) == right


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Something awful happened yesterday", "2 July 2023"),  # it is what the message tells
        ("Yesterday I packed, today we got the keys", "3 July 2023"),  # told of today as well
        ("We got the keys", "3 July 2023"),  # tells no other day
        ("Tomorrow we get the keys", "3 July 2023"),  # nothing that is over
        ("The fair was on 12 May 2023, I heard of it yesterday", "12 May 2023"),  # the message names it
        ("I fell yesterday and last Friday", "3 July 2023"),  # which of the two?
        ("Something awful happened yesterday", "in July"),
        ("Something awful happened yesterday", "a broken wing"),
    ],
)
def test_everything_else_stays_as_it_was_said(text: str, answer: str) -> None:
    assert told_date(answer, cited(text)) == answer


def test_without_a_message_nothing_is_put_right() -> None:
    assert told_date("3 July 2023", ()) == "3 July 2023"


@pytest.mark.parametrize(
    ("question", "answer", "written"),
    [
        ("书店是哪一天开业的？", "18 October 2024", "2024年10月18日"),
        ("书店是哪一天开业的？", "2024-10-18", "2024年10月18日"),
        ("书店是哪一天开业的？", "2024年10月18日", "2024年10月18日"),
        ("When did the shop open?", "2024-10-18", "18 October 2024"),
        ("When did the shop open?", "Friday 18 October 2024", "Friday 18 October 2024"),
        ("When did the shop open?", "October 2024", "October 2024"),
        ("When did the shop open?", "at 8:30", "at 8:30"),
        ("Wann hat der Laden in der Stadt für uns und die anderen aufgemacht?", "2024-10-18", "2024-10-18"),
    ],
)
def test_a_day_is_written_as_in_the_question_s_language(question: str, answer: str, written: str) -> None:
    assert in_words_of(question, answer) == written
