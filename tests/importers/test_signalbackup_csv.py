"""signalbackup-tools' table of messages: random chats come back, with names and without."""

import csv
import io
from datetime import UTC

from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read, said

from importers.signalbackup_csv import SIGNAL_BACKUP_CSV

RECEIVED, SENT = 0xA00014, 0xA00017
HEADINGS = {
    "new": ("_id", "thread_id", "date_sent", "date_received", "from_recipient_id", "type", "body"),
    "old": ("_id", "thread_id", "date", "date_received", "address", "msg_box", "body"),
}


@settings(max_examples=40)
@given(chats(texts=TEXT, names=st.sampled_from(["Me", "5", "77"])), st.sampled_from(["new", "old"]))
def test_a_table_comes_back(chat: list[Said], age: str) -> None:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(HEADINGS[age])
    for n, m in enumerate(chat):
        when = int(m.at.replace(tzinfo=UTC).timestamp() * 1000)
        mine = m.sender == "Me"
        writer.writerow([n, 3, when, when, 1 if mine else m.sender, SENT if mine else RECEIVED, m.text])
    messages, problems = read(SIGNAL_BACKUP_CSV, Held("message.csv", page.getvalue().encode()))
    names = {"Me": "Me", "5": "Contact 5", "77": "Contact 77"}
    assert [Said(s.sender, s.text, s.at.replace(tzinfo=None)) for s in said(messages)] == [
        Said(names[m.sender], m.text, m.at) for m in chat
    ]
    assert counted(messages, problems) == page.getvalue().count("\n")
