"""Times of tables and text exports: every locale's way to write them, and one order of day and month a file."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from importers.written_times import WrittenTimes, from_count, survey

NAIVE = datetime(2023, 10, 25, 13, 5)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        (
            "2023-10-25T13:05:00.1234567+02:00",
            datetime(2023, 10, 25, 13, 5, 0, 123456, timezone(timedelta(hours=2))),
        ),
        ("2023-10-25 13:05", NAIVE),
        ("2023-10-25T13:05:00Z", NAIVE.replace(tzinfo=UTC)),
        ("2023-10-25 13:05:00 UTC", NAIVE.replace(tzinfo=UTC)),
        ("25.10.2023 13:05 +05:30", NAIVE.replace(tzinfo=timezone(timedelta(hours=5, minutes=30)))),
        ("25.10.2023 13:05 GMT-3:00", NAIVE.replace(tzinfo=timezone(timedelta(hours=-3)))),
        ("25/10/2023, 1:05 PM", NAIVE),
        ("25/10/2023 1:05\u202fp.m.", NAIVE),
        ("25. 10. 2023 13:05", NAIVE),
        ("25-10-2023 13.05", NAIVE),
        ("2023/10/25 下午 1:05", NAIVE),
        ("2023-10-25 오후 1:05", NAIVE),
        ("25-Oct-23 01:05 PM", NAIVE),
        ("Wed, 25 Oct 2023 13:05:00", NAIVE),
        ("October 25, 2023 at 1:05 PM", NAIVE),
        ("25.10.2023", datetime(2023, 10, 25)),
        ("1698239100", datetime(2023, 10, 25, 13, 5, tzinfo=UTC)),
        ("1698239100000", datetime(2023, 10, 25, 13, 5, tzinfo=UTC)),
        ("1698239100000000", datetime(2023, 10, 25, 13, 5, tzinfo=UTC)),
        ("1698239100000000000", datetime(2023, 10, 25, 13, 5, tzinfo=UTC)),
        ("", None),
        ("yesterday", None),
        ("99.99.2023 13:05", None),
        ("25.10.2023 25:99", None),
    ],
)
def test_reads_times_of_many_locales(text: str, moment: datetime | None) -> None:
    assert survey([text], "auto", None).read(text) == moment


def test_the_whole_file_decides_which_number_is_the_day() -> None:
    times = survey(["10/6/2023 12:37 AM", "10/25/2023 1:05 PM"], "auto", None)
    assert times.read("10/6/2023 12:37 AM") == datetime(2023, 10, 6, 0, 37)
    facts = times.facts()
    assert facts.date_order == "mdy"
    assert facts.naive_times
    assert not facts.date_order_is_guess


def test_a_chosen_order_is_kept() -> None:
    times = survey(["10/6/2023 12:37"], "dmy", None)
    assert times.read("10/6/2023 12:37") == datetime(2023, 6, 10, 12, 37)


def test_instants_need_no_order() -> None:
    facts = survey(["2023-10-25T13:05:00Z", "1698239100"], "auto", None).facts()
    assert facts.date_order is None
    assert not facts.naive_times


def test_a_number_too_large_to_be_a_time_is_none() -> None:
    assert from_count("9" * 19) is None or from_count("9" * 19).year > 2200  # type: ignore[union-attr]
    assert from_count("12") is None
    assert WrittenTimes().read("9" * 400) is None
