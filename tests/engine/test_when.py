from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.when import absolute, anchored, anchors, question_range

NOW = date(2024, 5, 15)  # a Wednesday
DAYS = st.dates(date(1990, 1, 1), date(2090, 12, 31))

RANGES = [
    ("What did Ines say last month?", "2024-04-01", "2024-04-30"),
    ("What happened in March?", "2024-03-01", "2024-03-31"),
    ("Who came to dinner in June?", "2023-06-01", "2023-06-30"),
    ("Where did we eat before Christmas?", None, "2023-12-24"),
    ("Did I run two weeks ago?", "2024-04-28", "2024-05-04"),
    ("What did I promise three days ago?", "2024-05-12", "2024-05-12"),
    ("Who called yesterday?", "2024-05-14", "2024-05-14"),
    ("Where was I in 2021?", "2021-01-01", "2021-12-31"),
    ("What did we plan between May and July?", "2024-05-01", "2024-07-31"),
    ("What did we do between November and February?", "2023-11-01", "2024-02-29"),
    ("What broke from March 2022 to June 2022?", "2022-03-01", "2022-06-30"),
    ("Where did we swim last summer?", "2023-06-01", "2023-08-31"),
    ("What was on 14 March 2024?", "2024-03-14", "2024-03-14"),
    ("What was on March 14th, 2024?", "2024-03-14", "2024-03-14"),
    ("What was on 3 June?", "2023-06-03", "2023-06-03"),
    ("Which films since last Christmas?", "2023-12-25", None),
    ("What changed after 2022?", "2023-01-01", None),
    ("Who wrote until 2020?", None, "2020-12-31"),
    ("Whom did I meet on Friday?", "2024-05-10", "2024-05-10"),
    ("Which books in the last three months?", "2024-02-15", "2024-05-15"),
    ("What did we cook at Thanksgiving?", "2023-11-23", "2023-11-23"),
    ("What did we cook over Easter?", "2024-03-29", "2024-04-01"),
    ("What did she read in the last week of August?", "2023-08-01", "2023-08-31"),
    ("Was it on 2024-02-03?", "2024-02-03", "2024-02-03"),
    ("Was it on 25/12/2023?", "2023-12-25", "2023-12-25"),
    ("Wer kam vor zwei Wochen?", "2024-04-28", "2024-05-04"),
    ("Was habe ich im März gekauft?", "2024-03-01", "2024-03-31"),
    ("Wo waren wir letzten Sommer?", "2023-06-01", "2023-08-31"),
    ("Was geschah am 3. Oktober 2022?", "2022-10-03", "2022-10-03"),
    ("Qui est venu il y a deux semaines ?", "2024-04-28", "2024-05-04"),
    ("Où étions-nous le mois dernier ?", "2024-04-01", "2024-04-30"),
    ("Que s'est-il passé avant Noël ?", None, "2023-12-24"),
    ("¿Quién llamó el mes pasado?", "2024-04-01", "2024-04-30"),
    ("¿Dónde comimos hace dos semanas?", "2024-04-28", "2024-05-04"),
    ("¿Qué compré desde marzo?", "2024-03-01", None),
    ("上个月我们去了哪里?", "2024-04-01", "2024-04-30"),
    ("去年夏天我们做了什么?", "2023-06-01", "2023-08-31"),
    ("2023年5月1日发生了什么?", "2023-05-01", "2023-05-01"),
    ("五月到七月之间谁来过?", "2024-05-01", "2024-07-31"),
    ("三个月前谁搬家了?", "2024-02-01", "2024-02-29"),
]
NO_RANGE = [
    "When did I last see Tom?",
    "May I ask what April said?",
    "What will we do tomorrow?",
    "Wo ist hier das Restaurant?",
    "Did we march to the sea?",
    "Which flat has number 2021?",
    "Was it on 3/4/2024?",  # the third of April or the fourth of March
    "Was it on 31.02.2024?",
    "",
]
MEANINGS = [
    ("I fell yesterday", "yesterday [= 7 May 2023]"),
    ("We met last Friday.", "last Friday [= Friday 5 May 2023]"),
    ("We met last Friday, 12 of us.", "last Friday [= Friday 5 May 2023]"),
    ("I passed! Last Friday, 58 out of 60", "Last Friday [= Friday 5 May 2023]"),
    ("We met on Friday.", "on Friday [= Friday 5 May 2023]"),
    ("I will call on Friday.", "on Friday [= Friday 12 May 2023]"),
    ("I booked it for the 3rd of September", "3rd of September [= 3 September 2023]"),
    ("We married on the 3rd of September", "3rd of September [= 3 September 2022]"),
    ("Two days ago it rained", "Two days ago [= 6 May 2023]"),
    ("We fly next month", "next month [= June 2023]"),
    ("last year was hard", "last year [= 2022]"),
    ("see you tomorrow!", "tomorrow [= 9 May 2023]!"),
    ("last week was long", "last week [= the week before 8 May 2023]"),
    ("last summer", "last summer [= summer 2022]"),
    ("a few years ago we moved", "a few years ago [= a few years before 2023]"),
    ("gestern war ich krank", "gestern [= 7 May 2023]"),
    ("ayer llovió", "ayer [= 7 May 2023]"),
    ("hier soir on a mangé", "hier soir [= 7 May 2023]"),
    ("昨天下雨了", "昨天 [= 2023年5月7日]"),
    ("下周五见", "下周五 [= 2023年5月19日]"),
]
UNCHANGED = [
    "next Friday then",  # said on a Monday: this week's or the next week's?
    "on Friday",
    "Guten Morgen!",
    "We met on 3 May 2021",
    "the last time I saw her",
    "today",
]


@pytest.mark.parametrize(("question", "first", "last"), RANGES)
def test_a_question_means_the_days_that_a_person_expects(
    question: str, first: str | None, last: str | None
) -> None:
    found = question_range(question, NOW)

    assert found is not None
    assert (found.date_from, found.date_to) == (
        first and date.fromisoformat(first),
        last and date.fromisoformat(last),
    )
    assert found.text in question


@pytest.mark.parametrize("question", NO_RANGE)
def test_what_is_no_date_or_not_certain_gives_no_range(question: str) -> None:
    assert question_range(question, NOW) is None


@pytest.mark.parametrize(("text", "expected"), MEANINGS)
def test_a_relative_expression_carries_its_date(text: str, expected: str) -> None:
    assert expected in anchored(text, date(2023, 5, 8))


@pytest.mark.parametrize("text", UNCHANGED)
def test_what_is_absolute_or_open_to_doubt_stays_as_written(text: str) -> None:
    assert anchored(text, date(2023, 5, 8)) == text


def test_an_answer_in_relative_words_becomes_absolute_where_its_source_says_the_same() -> None:
    written = date(2023, 5, 8)

    assert absolute("Tomorrow, at noon", written, "It opens tomorrow at noon") == "9 May 2023, at noon"
    assert absolute("Tomorrow", written, "It opens soon") == "Tomorrow"


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([question for question, _, _ in RANGES]), DAYS)
def test_ranges_are_in_order_and_never_begin_in_the_future(question: str, now: date) -> None:
    found = question_range(question, now)

    if found and found.date_from:
        assert found.date_from <= now
        assert found.date_to is None or found.date_from <= found.date_to


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 90), DAYS)
def test_days_ago_and_days_ahead_are_counted_exactly(count: int, now: date) -> None:
    found = question_range(f"What was {count} days ago?", now)

    assert found is not None
    assert found.date_from == found.date_to == now - timedelta(days=count)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), DAYS)
def test_anchors_only_add_to_any_text(text: str, written: date) -> None:
    rendered, taken = anchored(text, written), 0
    for end, meaning in anchors(text, written):
        taken += len(meaning) + len(" [= ]")
        assert 0 < end <= len(text)
    assert len(rendered) == len(text) + taken
    question_range(text, written)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("we get married on Saturday 21 September, at the orchard", "21 September 2024"),
        ("they will come on Tuesday the 3rd of December", "3 December 2024"),
        ("it was on Thursday, March 14", "14 March 2024"),
        ("Sunday 2 July was hot", "2 July 2023"),
        ("we met on Tuesday 2 July", "2 July 2024"),
        ("so on 3 Jan we leave", "3 January 2025"),
        ("on 3 Jan we left and it was cold", "3 January 2024"),
        ("head of science from the 1st of February", "1 February 2025"),
        ("the photos of 1 June are here", "1 June 2024"),
        ("am 3. Dezember wird operiert", "3 December 2024"),
        ("日子选好了，十月十八号，星期五", "2024年10月18日"),
        ("二月二十八號見", "2025年2月28日"),
        ("12月1日到", "2024年12月1日"),
        ("十月廿三号", "2024年10月23日"),
    ],
)
def test_a_day_without_its_year(text: str, meaning: str) -> None:
    assert [found for _, found in anchors(text, date(2024, 6, 24))] == [meaning]


@pytest.mark.parametrize("text", ["the 21st, Saturday, will do", "I may 2 times", "we march 10 miles", "31 June"])
def test_what_may_be_no_date_is_not_anchored(text: str) -> None:
    assert anchored(text, date(2024, 7, 24)) == text


def test_what_holds_now_is_no_past() -> None:
    assert anchored("I called. The bins are collected on Thursday", date(2024, 9, 13)).count("=") == 0
    assert "[= Thursday 12 September 2024]" in anchored("The bins collected on Thursday stank", date(2024, 9, 13))


def test_a_day_in_a_question_lies_in_the_past() -> None:
    assert anchored("Who came on 3 January?", date(2025, 12, 1), "past") == (
        "Who came on 3 January [= 3 January 2025]?"
    )
