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
