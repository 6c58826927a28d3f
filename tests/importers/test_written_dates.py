"""Dates as sentences in many languages."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from importers.times import clock_time, from_epoch
from importers.written_dates import written_moment

WANTED = datetime(2021, 1, 5, 15, 45, 10)


@pytest.mark.parametrize(
    "text",
    [
        "Tuesday, January 5, 2021 at 3:45:10\u202fPM UTC",
        "Tuesday, 5 January 2021 at 15:45:10 UTC",
        "Dienstag, 5. Januar 2021 um 15:45:10 UTC",
        "mardi 5 janvier 2021 à 15:45:10 UTC",
        "martes, 5 de enero de 2021, 15:45:10 UTC",
        "terça-feira, 5 de janeiro de 2021 às 15:45:10 UTC",
        "martedì 5 gennaio 2021 alle ore 15:45:10 UTC",
        "dinsdag 5 januari 2021 om 15:45:10 UTC",
        "wtorek, 5 stycznia 2021 15:45:10 UTC",
        "вторник, 5 января 2021 г. в 15:45:10 UTC",
        "вівторок, 5 січня 2021 р. о 15:45:10 UTC",
        "2021. január 5., kedd 15:45:10 UTC",
        "5 Ocak 2021 Salı 15:45:10 UTC",
        "tisdag 5 januari 2021 15:45:10 UTC",
        "2021年1月5日火曜日 15:45:10 UTC",
        "2021年1月5日星期二 下午3:45:10 UTC",
        "2021년 1월 5일 화요일 오후 3:45:10 UTC",
        "05.01.2021, 15:45:10 UTC",
        "2021년 1월 5일 화요일 오후 3시 45분 10초 UTC",
        "2021年1月5日火曜日 15時45分10秒 UTC",
        "2021年1月5日星期二 UTC 15:45:10",
        "الثلاثاء، 5 يناير 2021 في 3:45:10 م UTC",
        "Τρίτη 5 Ιανουαρίου 2021 στις 3:45:10 μ.μ. UTC",
        "tiistai 5. tammikuuta 2021 klo 15.45.10 UTC",
        "tirsdag den 5. januar 2021 kl. 15.45.10 UTC",
        "Selasa, 5 Januari 2021 pukul 15.45.10 UTC",
        "यूटीसी मंगलवार, 5 जनवरी 2021 को 3:45:10 pm UTC",
        "วันอังคารที่ 5 มกราคม พ.ศ. 2564 เวลา 15:45:10 UTC",
        "יום שלישי, 5 בינואר 2021 בשעה 15:45:10 UTC",
        "2021. január 5., vasárnap 15:45:10 UTC",
        "dissabte, 5 de gener de 2021, 15:45:10 UTC",
        "2021 m. sausio 5 d., antradienis 15:45:10 UTC",
        "e shtunë, 5 janar 2021 në 3:45:10 e pasdites, UTC",
    ],
)
def test_sentences_of_many_languages(text: str) -> None:
    assert written_moment(text) == WANTED.replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "hours"), [("CET", 1), ("MESZ", 2), ("GMT+2", 2), ("GMT−3:30", -3.5), ("PDT", -7)]
)
def test_zones(zone: str, hours: float) -> None:
    moment = written_moment(f"Jan 5, 2021, 3:45:10 PM {zone}")
    offset = moment.utcoffset() if moment else None
    assert offset is not None
    assert offset.total_seconds() == hours * 3600


@pytest.mark.parametrize(
    "text", ["", "3:45 PM", "January 2021", "no time at all", "February 30, 2021 at 3:45 PM", "x" * 500]
)
def test_what_is_no_time(text: str) -> None:
    assert written_moment(text) is None


def test_an_unknown_zone_leaves_the_clock_as_written() -> None:
    moment = written_moment("Jan 5, 2021, 3:45:10 PM XYZ")
    assert moment == WANTED


@given(st.text(max_size=80))
def test_any_text_is_a_time_or_none(text: str) -> None:
    assert written_moment(text) is None or isinstance(written_moment(text), datetime)


@pytest.mark.parametrize(
    ("text", "clock"),
    [("12:05 AM", "00:05"), ("12:05 p.m.", "12:05"), ("午後12:05", "12:05"), ("上午12:01", "00:01"),
     ("오후 1:05", "13:05"),
     ("0:01", "00:01"), ("23:59:58", "23:59:58"), ("8:28\u202fPM", "20:28")],
)  # fmt: skip
def test_clocks(text: str, clock: str) -> None:
    assert str(clock_time(text)).startswith(clock)


@pytest.mark.parametrize("text", ["25:00", "12:60", "noon", ""])
def test_what_is_no_clock(text: str) -> None:
    assert clock_time(text) is None


@given(st.one_of(st.integers(), st.floats(allow_nan=True), st.text(max_size=20), st.booleans(), st.none()))
def test_any_count_of_seconds_is_a_time_or_none(value: object) -> None:
    moment = from_epoch(value)
    assert moment is None or moment.tzinfo is UTC
