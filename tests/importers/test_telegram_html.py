"""Telegram's web pages that are damaged or hostile."""

import time

from in_memory import Held

from importers.base import Message, Options, Problem
from importers.telegram_html import TELEGRAM_HTML

SAID = (
    '<div class="message default" id="message{0}"><div class="body"><div class="from_name">Noor</div>'
    "{1}</div></div>"
)
TEXT = '<div class="text">the kite is up</div>'


def test_a_message_nested_without_end_is_left_out_in_no_time() -> None:
    deep = SAID.format(2, "<div>" * 60_000 + TEXT)
    page = f"<html><body>{SAID.format(1, TEXT)}{deep}{SAID.format(3, TEXT)}</body></html>"
    started = time.process_time()
    items = list(TELEGRAM_HTML.read(Held("messages.html", page.encode()), Options()))
    assert time.process_time() - started < 2  # the parser alone takes longer than five
    assert [i.source_id for i in items if isinstance(i, Message)] == ["1", "3"]
    assert [i.line for i in items if isinstance(i, Problem) and i.skipped] == [2]
