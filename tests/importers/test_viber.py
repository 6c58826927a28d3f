"""Viber: random chats with either order of the date, plain and as formulas."""

import csv
import io
from datetime import timedelta

import pytest
from hypothesis import given, settings
from in_memory import Held
from written_chats import NAMES, TEXT, Said, chats, counted, read, said

from importers.base import Options
from importers.viber import VIBER

PLAIN = TEXT.filter(lambda text: not text.startswith("=") and "message" not in text.lower())


def page(chat: list[Said], form: str, delimiter: str) -> str:
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerows([m.at.strftime(form), f"{m.at:%H:%M:%S}", m.sender, "+15550001", m.text] for m in chat)
    return out.getvalue()


@pytest.mark.parametrize(("form", "order"), [("%d/%m/%Y", "dmy"), ("%m/%d/%Y", "mdy"), ("%Y-%m-%d", "ymd")])
@settings(max_examples=25)
@given(chat=chats(texts=PLAIN, names=NAMES))
def test_chats_come_back_in_the_order_that_is_chosen(form: str, order: str, chat: list[Said]) -> None:
    text = page(chat, form, ",")
    messages, problems = read(VIBER, Held("Ada.csv", text.encode()), Options(date_order=order))  # type: ignore[arg-type]
    assert said(messages) == chat
    assert counted(messages, problems) == text.count("\n")


@settings(max_examples=25)
@given(chats(texts=PLAIN, names=NAMES))
def test_a_day_above_twelve_decides_for_the_whole_file(chat: list[Said]) -> None:
    late = [Said(m.sender, m.text, m.at.replace(day=14) + timedelta(days=n)) for n, m in enumerate(chat)]
    messages, _ = read(VIBER, Held("Ada.csv", page(late, "%m/%d/%Y", "\t").encode()))
    assert said(messages) == late
