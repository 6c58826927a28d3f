"""WeChat's CSV: random chats with columns in any order."""

import csv
import io
from datetime import UTC

from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read

from importers.wechat import WECHAT

COLUMNS = (
    "localId TalkerId Type SubType IsSender CreateTime Status StrContent StrTime Remark NickName Sender".split()
)


@settings(max_examples=40)
@given(chats(texts=TEXT), st.permutations(COLUMNS), st.booleans())
def test_memotrace_comes_back_whatever_the_order_of_columns(
    chat: list[Said], columns: list[str], bom: bool
) -> None:
    page = io.StringIO()
    writer = csv.DictWriter(page, columns, lineterminator="\n", restval="")
    writer.writeheader()
    for n, m in enumerate(chat):
        when = int(m.at.replace(tzinfo=UTC).timestamp())
        writer.writerow({"localId": n, "TalkerId": 3, "Type": 1, "SubType": 0, "IsSender": 0, "CreateTime": when,
                         "StrContent": m.text, "StrTime": "x", "Remark": m.sender, "Sender": "w"})  # fmt: skip
    text = page.getvalue()
    messages, problems = read(WECHAT, Held("m.csv", text.encode("utf-8-sig" if bom else "utf-8")))
    found = [Said(m.sender or "", m.text, m.timestamp.replace(tzinfo=None)) for m in messages if m.timestamp]
    assert found == chat
    assert counted(messages, problems) == text.count("\n")


def test_places_cards_and_transfers_keep_what_they_say() -> None:
    rows = [
        (48, 0, '<msg><location x="1" y="2" label="江边路 3" poiname="码头"/></msg>'),
        (42, 0, '<?xml version="1.0"?><msg username="w" nickname="小舟 &amp; 子"/>'),
        (49, 2000, "<msg><appmsg><title><![CDATA[转账]]></title><wcpayinfo><feedesc><![CDATA[￥5.00]]></feedesc>"
                   "</wcpayinfo></appmsg></msg>"),
    ]  # fmt: skip
    page = io.StringIO()
    writer = csv.writer(page)
    writer.writerow(COLUMNS)
    writer.writerows([n, 3, kind, sub, 0, 1693670400 + n, 2, raw, "x", "小林", "林", "w"]
                     for n, (kind, sub, raw) in enumerate(rows))  # fmt: skip
    messages, _ = read(WECHAT, Held("m.csv", page.getvalue().encode()))
    assert [(m.attachments[0].name, m.attachments[0].kind) for m in messages] == [
        ("码头, 江边路 3", "location"),
        ("小舟 & 子", "contact"),
        ("转账 ￥5.00", "link"),
    ]
