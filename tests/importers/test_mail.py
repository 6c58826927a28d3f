"""Mail: random mailboxes, where a mail begins, and headers of every kind."""

from datetime import UTC
from email.message import EmailMessage

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from in_memory import Held
from written_chats import TEXT, Said, chats, counted, read

from importers.base import Options
from importers.mail import MAIL

SHORT = st.text(st.characters(categories=["L"]), min_size=1, max_size=9)  # longer ones the library folds wrongly
HEAD = "From a@example.org Sat Sep  2 18:00:00 2023\n"


def mail(n: int, m: Said) -> EmailMessage:
    made = EmailMessage()
    made["From"] = f'"{m.sender}" <x@example.org>'
    made["Subject"] = f"letter {n}"
    made["Date"] = m.at.replace(tzinfo=UTC)
    made["Message-ID"] = f"<{n}@example.org>"
    made.set_content(m.text)
    return made


@settings(max_examples=40, deadline=None)
@given(chats(texts=TEXT, names=SHORT))
def test_mailboxes_come_back(chat: list[Said]) -> None:
    box = b""
    for n, m in enumerate(chat):
        lines = mail(n, m).as_bytes().split(b"\n")
        box += (
            HEAD.encode()
            + b"\n".join(b">" + x if x.lstrip(b">").startswith(b"From ") else x for x in lines)
            + b"\n"
        )
    messages, problems = read(MAIL, Held("box.mbox", box))
    assert [(m.sender, m.text, m.timestamp) for m in messages] == [
        (m.sender, m.text, m.at.replace(tzinfo=UTC)) for m in chat
    ]
    assert [m.source_id for m in messages] == [f"<{n}@example.org>" for n in range(len(chat))]
    assert counted(messages, problems) == len(chat)


@pytest.mark.parametrize(
    "body",
    [
        "From here to there\n",
        "\nFrom the sea at 18:00 in 2023\nit is far\n",
        "\nFrom me 2023\nDear: you\n",
        "line\nFrom a@example.org Sat Sep  2 18:00:00 2023\nSubject: quoted without a blank line\n",
    ],
)
def test_a_body_that_begins_a_line_with_from_is_no_new_mail(body: str) -> None:
    text = HEAD + f"From: a@example.org\nDate: Sat, 2 Sep 2023 18:00:00 +0200\n\nHi\n{body}"
    (message,), _ = read(MAIL, Held("box.mbox", text.encode()))
    assert message.text == ("Hi\n" + body).rstrip()


def test_bare_separators_count_where_the_file_has_no_others() -> None:
    text = "From \nFrom: a@example.org\nSubject: x\n\none\n\nFrom \nFrom: b@example.org\nSubject: y\n\ntwo\n"
    messages, _ = read(MAIL, Held("box.mbox", text.encode()))
    assert [(m.sender, m.text) for m in messages] == [("a@example.org", "one"), ("b@example.org", "two")]


def test_letters_in_any_charset_and_none() -> None:
    raw = (
        b"From: =?utf-8?q?Bj=C3=B6rn=2C_Ek?= <b@example.org>, c@example.org\nSubject: =?nope?q?x?= sm\xc3\xb6r\n"
        b"Date: Sat, 2 Sep 2023 18:00:00 -0000\nContent-Type: text/plain; charset=unknown-8\n\nbl\xe5 r\xc3\xb6k\n"
    )
    (message,), _ = read(MAIL, Held("a.eml", raw), Options(me="B@example.org"))
    assert message.sender == "Björn, Ek"
    assert message.from_me is True
    assert message.attachments[0].name.endswith("smör")
    assert message.text.startswith("bl")


def test_a_thread_is_a_conversation() -> None:
    date = "Date: Sat, 2 Sep 2023 18:00:00 +0000\n"
    second = f"Message-ID: <2@x>\nIn-Reply-To: <1@x>\nReferences: <1@x>\nFrom: b@x\n{date}\nre\n"
    text = HEAD + f"Message-ID: <1@x>\nFrom: a@x\n{date}\nhi\n\n" + HEAD + second
    messages, _ = read(MAIL, Held("box.mbox", text.encode()))
    assert {m.conversation for m in messages} == {"<1@x>"}
    assert messages[1].reply_to == "<1@x>"
