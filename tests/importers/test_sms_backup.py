"""SMS Backup & Restore: random chats, references that are no XML, pictures that must not fill the memory."""

import tracemalloc
from datetime import UTC
from unittest.mock import patch
from xml.sax.saxutils import quoteattr

from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held, Long
from written_chats import TEXT, Said, chats, counted, read

from importers.base import Message, Options
from importers.sms_backup import SMS_BACKUP

NUMBERS = st.integers(0, 999).map(lambda n: f"+1555{n:07}")
BEGIN = "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<smses count=\"1\">\n"


def attribute(text: str, surrogates: bool) -> str:
    """As the app writes it: line breaks as references, in old versions all beyond the BMP as two."""
    value = quoteattr(text, {"\n": "&#10;"})
    if not surrogates:
        return value
    units = (c.encode("utf-16-be") for c in value)
    return "".join(
        chr(int.from_bytes(u, "big"))
        if len(u) == 2
        else "".join(f"&#{int.from_bytes(u[i : i + 2], 'big')};" for i in (0, 2))
        for u in units
    )


@settings(max_examples=50)
@given(chats(texts=TEXT, names=NUMBERS), st.booleans(), st.sampled_from([1, 7, 64, 2**20]))
def test_chats_come_back(chat: list[Said], surrogates: bool, chunk: int) -> None:
    rows = [
        f'  <sms address="{m.sender}" date="{int(m.at.replace(tzinfo=UTC).timestamp() * 1000)}" type="1" '
        f'body={attribute(m.text, surrogates)} contact_name="(Unknown)" />\n'
        for m in chat
    ]
    source = Held("sms.xml", (BEGIN + "".join(rows) + "</smses>").encode())
    with patch("importers.sms_records._CHUNK", chunk):
        messages, problems = read(SMS_BACKUP, source)
    assert [
        Said(m.sender or "", m.text, m.timestamp.replace(tzinfo=None)) for m in messages if m.timestamp
    ] == chat
    assert counted(messages, problems) == len(chat)


def test_lone_surrogates_and_forbidden_references_become_marks() -> None:
    row = '<sms address="1" date="1700000000000" type="1" body="a&#55357;b&#xDE00;c&#0;d&#xD83D;&#xDE00;e&#9;f" />'
    (message,), _ = read(SMS_BACKUP, Held("sms.xml", (BEGIN + row).encode()))
    assert message.text == "a\ufffdb\ufffdc\ufffdd😀e\tf"


def test_a_damaged_record_costs_itself() -> None:
    good = '<sms address="1" date="1700000000000" type="1" body="good" />\n'
    text = (
        BEGIN
        + good
        + '<sms address="1" date="2" body="a & b" />\n<mms date="3"><parts></mms>\n'
        + good
        + "<sms addre"
    )
    messages, problems = read(SMS_BACKUP, Held("sms.xml", text.encode()))
    assert [m.text for m in messages] == ["good", "good"]
    assert counted(messages, problems) == 5


def test_entities_are_not_expanded() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "' + "ha" * 1000 + '"><!ENTITY b "&a;&a;&a;&a;">]>'
    row = '<sms address="1" date="1700000000000" type="1" body="&b;" />'
    messages, problems = read(SMS_BACKUP, Held("sms.xml", (bomb + BEGIN + row).encode()))
    assert not messages
    assert counted(messages, problems) == 1


def test_a_gigabyte_of_pictures_takes_no_memory() -> None:
    picture = (
        '<mms date="1700000000000" msg_box="1" address="+15550001"><parts><part ct="image/jpeg" cl="a.jpg" '
        f'data="{"QUJD" * 500_000}" /></parts><addrs><addr address="+15550001" type="137" /></addrs></mms>\n'
    ).encode()
    source = Long("sms.xml", BEGIN.encode(), picture, 100, b"</smses>")
    tracemalloc.start()
    items = [i for i in SMS_BACKUP.read(source, Options()) if isinstance(i, Message)]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(items) == 100
    assert items[0].attachments[0].name == "a.jpg"
    assert peak < 40 * 2**20


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_records_read_together_are_those_read_alone(data: st.DataObject) -> None:
    pieces = (
        "<sms ",
        "<mms",
        "</mms>",
        "<sms/>",
        "/>",
        ">",
        "<",
        '"',
        "x",
        "<x/>",
        "<!-- -->",
        "</r>",
        "<r>",
        "&amp;",
        "&",
    )
    rows = [f'<sms address="{n}" date="170000000{n}000" type="1" body="kiln {n}" />\n' for n in range(8)]
    text = BEGIN + "".join(rows) + "</smses>"
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(len(BEGIN), len(text)))
        text = text[:at] + data.draw(st.sampled_from(pieces)) + text[at + data.draw(st.integers(0, 3)) :]
    source = Held("sms.xml", text.encode())
    together = list(SMS_BACKUP.read(source, Options()))
    with patch("importers.sms_records._together", return_value=[]):
        assert list(SMS_BACKUP.read(source, Options())) == together
