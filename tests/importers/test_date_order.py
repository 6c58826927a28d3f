"""The date order of a file: each rule on its own, and that it never depends on what it must not."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from importers.calendars import CALENDARS
from importers.date_order import Hints, Order, Parts, day_of, decide, forced
from importers.whatsapp_header import parts_of


def dates(*written: str) -> list[Parts]:
    """The parts of dates as they stand in a file."""
    found = [parts_of(text) for text in written]
    assert None not in found
    return [parts for parts in found if parts]


@pytest.mark.parametrize(
    ("written", "order", "reason"),
    [
        (["03/04/2021", "13/04/2021"], "dmy", "The first number goes above 12, so it is the day."),
        (["3/4/21", "3/30/21"], "mdy", "The second number goes above 12, so it is the day."),
        (["2021-04-03", "2021-04-05"], "ymd", "The year comes first."),
        (["2021/4/3"], "ymd", "The year comes first."),
        (["04-28-2018", "05-02-2018"], "mdy", "The second number goes above 12, so it is the day."),
        (["01.02.23", "03.02.23"], "dmy", "Dates with dots are written day first everywhere."),
        (["19/08/26", "19/08/27"], "ymd", ""),
    ],
)
def test_dates_that_prove_their_order(written: list[str], order: str, reason: str) -> None:
    decision = decide(dates(*written), Hints(latest=date(2026, 11, 1)))
    assert decision.order == order
    assert not decision.is_guess
    assert decision.reason == reason or not reason


def test_a_dense_month_is_likelier_than_one_day_a_month_and_called_a_guess() -> None:
    decision = decide(dates("01/05/2023", "02/05/2023", "03/05/2023", "05/05/2023"), Hints())
    assert (decision.order, decision.is_guess, decision.other_orders) == ("dmy", True, ("mdy",))


def test_one_message_out_of_place_does_not_turn_the_order_round() -> None:
    written = ["2/1/23", "2/2/23", "2/4/23", "1/12/23", "2/5/23", "2/6/23", "3/1/23", "3/2/23"]
    assert decide(dates(*written), Hints()).order == "mdy"


def test_the_day_of_export_rules_out_later_dates() -> None:
    decision = decide(dates("03/02/2024", "04/02/2024"), Hints(latest=date(2024, 2, 10)))
    assert (decision.order, decision.is_guess) == ("dmy", False)
    assert "later than the export" in decision.reason


def test_a_clock_that_is_wrong_rules_out_nothing() -> None:
    assert decide(dates("13/02/2024"), Hints(latest=date(1980, 1, 1))).order == "dmy"


@pytest.mark.parametrize(("named", "order"), [(date(2023, 2, 1), "dmy"), (date(2023, 1, 2), "mdy")])
def test_the_day_in_a_media_name_decides(named: date, order: str) -> None:
    written = dates("01/02/2023")
    decision = decide(written, Hints(media=[(written[0], named)]))
    assert (decision.order, decision.is_guess) == (order, False)


@pytest.mark.parametrize(
    ("hints", "order"),
    [
        (Hints(language="de"), "dmy"),
        (Hints(language="en", upper_case_clock=True, twelve_hours=True), "mdy"),
        (Hints(language="en"), "dmy"),
        (Hints(language="es", upper_case_clock=True, twelve_hours=True), "dmy"),
        (Hints(usual="mdy"), "mdy"),
    ],
)
def test_habits_decide_where_one_day_tells_nothing(hints: Hints, order: str) -> None:
    decision = decide(dates("5/6/23"), hints)
    assert (decision.order, decision.is_guess) == (order, True)


def test_two_digits_of_a_year_come_first_where_the_language_writes_so() -> None:
    assert decide(dates("21. 8. 3", "21. 8. 4"), Hints(language="ko")).order == "ymd"
    assert decide(dates("3. 8. 21", "4. 8. 21"), Hints(language="cs")).order == "dmy"


def test_dates_that_fit_no_order_leave_the_order_that_fits_most() -> None:
    decision = decide(dates("13/02/2023", "14/02/2023", "31/02/2023", "28/02/2023"), Hints())
    assert (decision.order, decision.fits, decision.is_guess) == ("dmy", False, False)


def test_no_dates_are_no_problem() -> None:
    assert decide([], Hints()).order == "dmy"


def test_a_forced_order_is_kept_even_where_it_makes_no_sense() -> None:
    written = dates("13/02/2023", "02/03/2023")
    decision = forced("mdy", written, Hints())
    assert decision.order == "mdy"
    assert [day_of(parts, "mdy") for parts in written] == [None, date(2023, 2, 3)]


@pytest.mark.parametrize(
    ("written", "calendar", "day"),
    [
        ("17/3/2567", "buddhist", date(2024, 3, 17)),
        ("1403/1/1", "persian", date(2024, 3, 20)),
        ("1399/12/30", "persian", date(2021, 3, 20)),
        ("113/8/17", "republic", date(2024, 8, 17)),
        ("1/1/1445", "islamic", date(2023, 7, 19)),
    ],
)
def test_years_of_other_calendars(written: str, calendar: str, day: date) -> None:
    (parts,) = dates(written)
    decision = decide([parts], Hints(latest=date(2026, 1, 1)))
    assert decision.calendar == calendar
    assert day_of(parts, decision.order, decision.calendar) == day


def test_the_persian_calendar_has_no_gaps() -> None:
    days = [
        CALENDARS["persian"](year, 4, month, day)
        for year in range(1385, 1410)
        for month in range(1, 13)
        for day in range(1, 32)
    ]
    known = [d for d in days if d]
    assert known == [known[0] + timedelta(days=n) for n in range(len(known))]


FORMS: dict[Order, str] = {"dmy": "{d}/{m}/{y}", "mdy": "{m}/{d}/{y}", "ymd": "{y}/{m}/{d}"}


@settings(max_examples=60, deadline=None)
@given(
    order=st.sampled_from(["dmy", "mdy", "ymd"]),
    start=st.dates(date(2010, 1, 1), date(2024, 1, 1)),
    gaps=st.lists(st.integers(1, 9), min_size=25, max_size=120),
    padded=st.booleans(),
)
def test_any_chat_of_some_weeks_is_read_as_it_was_written(
    order: Order, start: date, gaps: list[int], padded: bool
) -> None:
    days = [start]
    for gap in gaps:
        days.append(days[-1] + timedelta(days=gap))
    number = "{:02}" if padded else "{}"
    written = [FORMS[order].format(d=number.format(x.day), m=number.format(x.month), y=x.year) for x in days]
    parts = dates(*written)
    decision = decide(parts, Hints())
    assert decision.order == order
    assert [day_of(p, decision.order, decision.calendar) for p in parts] == days
