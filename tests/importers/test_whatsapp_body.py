"""What the bodies of WhatsApp messages are, in many languages, and who said them."""

import pytest
from whatsapp_files import LRM, NNBSP, messages_of

from importers.base import Options


@pytest.mark.parametrize(
    ("body", "kind", "attachments", "edited"),
    [
        (f"{LRM}image omitted", "talk", ["image"], False),
        (f"{LRM}Bild weggelassen", "talk", ["image"], False),
        (f"{LRM}vídeo omitido", "talk", ["video"], False),
        (f"{LRM}ses dahil edilmedi", "talk", ["audio"], False),
        (f"{LRM}Zorp frobbed Ana", "system", [], False),
        (f"{LRM}", "talk", [], False),
        (f"{LRM}投票：\n喝茶？\n{LRM}选项：好（2 票）\n{LRM}选项：不（0 票）", "talk", ["poll"], False),
        (f"{LRM}SONDAGE :\nThé ?\n{LRM}OPTION : Oui (2 votes)", "talk", ["poll"], False),
        (f"{LRM}ZORP:\nTea?\n{LRM}one way\n{LRM}another", "talk", ["poll"], False),
        (f"{LRM}<attached: 00000004-AUDIO-2021-08-13-14-42-09.opus>", "talk", ["voice"], False),
        (f"{LRM}<pièce jointe : 00000004-STICKER-2021-08-13-14-42-09.webp>", "talk", ["sticker"], False),
        (f"Plan.pdf • {LRM}3 pages {LRM}<attached: 00000005-Plan.pdf>", "talk", ["document"], False),
        (f"Plan.pdf • {LRM}3 pages {LRM}document omitted", "talk", ["document"], False),
        (f"{LRM}<adjunto: 00000006-Eva Ruiz.vcf>", "talk", ["contact"], False),
        (f"{LRM}This message was deleted.", "deleted", [], False),
        (f"{LRM}Вы удалили данное сообщение.", "deleted", [], False),
        (f"see you {LRM}<This message was edited>", "talk", [], True),
        (f"see you {LRM}<یہ پیغام>", "talk", [], True),
        (f"{LRM}Missed voice call", "event", [], False),
        (f"{LRM}Video call, {LRM}No answer", "event", [], False),
        (f"{LRM}Location: https://maps.google.com/?q=1,2", "talk", ["location"], False),
        ("Old Mill (1 Hill Rd): https://foursquare.com/v/0000", "talk", ["location"], False),
        (f"{LRM}POLL:\nTea?\n{LRM}OPTION: Yes (2 votes)\n{LRM}OPTION: No (0 votes)\n", "talk", ["poll"], False),
        (f"{LRM}Ana pinned a message", "system", [], False),
        (f"{LRM}Your security code with Bo changed. Tap to learn more.", "system", [], False),
        ("I left my keys; Bo added salt", "talk", [], False),
        ("a < b and c > d (sort of)", "talk", [], False),
        ("שלום \u200fעולם\u200e ok", "talk", [], False),
        ("read this (file attached)", "talk", [], False),
    ],
)
def test_bodies_on_the_iphone(body: str, kind: str, attachments: list[str], edited: bool) -> None:
    message = messages_of(f"[13/08/2021, 14:42:09] Ana: {body}\n[14/08/2021, 14:42:09] Bo: fine")[0]
    assert (message.kind, [a.kind for a in message.attachments], message.edited) == (kind, attachments, edited)
    assert message.sender == (None if kind == "system" else "Ana")
    assert not message.text.startswith(LRM)
    assert "edited" not in message.text


@pytest.mark.parametrize(
    ("body", "kind", "attachments"),
    [
        ("<Media omitted>", "talk", ["file"]),
        ("<Medien ausgeschlossen>\nunser Hund", "talk", ["file"]),
        ("<Multimedia omitido>", "talk", ["file"]),
        (f"{LRM}IMG-20210813-WA0001.jpg (file attached)\nthe dog", "talk", ["image"]),
        ("PTT-20210813-WA0002.opus (archivo adjunto)", "talk", ["voice"]),
        ("VID-20210813-WA0003.mp4 (words of a language we lack)", "talk", ["video"]),
        ("minutes.docx (bestand bijgevoegd)", "talk", ["document"]),
        ("Diese Nachricht wurde gelöscht.", "deleted", []),
        ("Você apagou esta mensagem", "deleted", []),
        ("Mensagem apagada", "deleted", []),
        ("live location shared", "talk", ["location"]),
        ("konum: https://maps.google.com/?q=41.0,29.0", "talk", ["location"]),
        ("", "talk", []),
        ("null", "talk", []),
        (f"{LRM}@friend look", "talk", []),
        ("This message was deleted, they said", "talk", []),
    ],
)
def test_bodies_on_android(body: str, kind: str, attachments: list[str]) -> None:
    message = messages_of(f"13/08/2021, 14:42 - Ana: {body}\n14/08/2021, 14:42 - Bo: fine")[0]
    assert (message.sender, message.kind) == ("Ana", kind)
    assert [a.kind for a in message.attachments] == attachments
    assert message.text == body.replace(LRM, "")


@pytest.mark.parametrize(
    "line",
    [
        "Ana left",
        'Ana changed the subject from "Trip: May" to "Trip: June"',
        "Ana created group “Trip: May”",
        "Ana hat die Gruppe „Ausflug: Mai“ erstellt.",
        "Ana a créé le groupe « Sortie : mai »",
        "Ana создал(-а) группу «Поход: май»",
        "Ana 將群組主題改為「五月: 山」",
        "Ana changed the group description to: be kind to each other and more of this",
    ],
)
def test_notices_on_android_are_nobodys_words(line: str) -> None:
    text = f"13/08/2021, 14:41 - Ana: hi\n13/08/2021, 14:42 - {line}\n14/08/2021, 14:42 - Ana: fine"
    assert [(m.kind, m.sender) for m in messages_of(text)] == [("talk", "Ana"), ("system", None), ("talk", "Ana")]


def test_names_of_people_are_shown_as_people_know_them() -> None:
    names = [
        f"~{NNBSP}Pim",
        "~ Pim",
        "\u202a+1 (555) 010\u20110199\u202c",
        "Anna - Work",
        "left-handed Leo",
        "Zoë 🌊",
    ]
    text = "".join(f"[13/08/2021, 14:42:{n:02}] {name}: x\n" for n, name in enumerate(names))
    shown = ["Pim", "Pim", "+1 (555) 010-0199", "Anna - Work", "left-handed Leo", "Zoë 🌊"]
    assert [m.sender for m in messages_of(text)] == shown


def test_the_name_of_a_group_speaks_for_the_app_even_where_marks_were_lost() -> None:
    text = """[13/08/2021, 14:42:00] Rowers: Messages and calls are end-to-end encrypted.
[13/08/2021, 14:42:01] Rowers: Ana added you
[13/08/2021, 14:42:02] Ana: Ana changed this group's icon
[13/08/2021, 14:42:03] Ana: Ana is my name
[13/08/2021, 14:42:04] Bo: Rowers: the best
"""
    assert [m.kind for m in messages_of(text)] == ["system", "system", "system", "talk", "talk"]


def test_me_is_known_by_name() -> None:
    text = "13/08/2021, 14:42 - Ana: a\n13/08/2021, 14:43 - Bo: b"
    assert [m.from_me for m in messages_of(text, options=Options(me="Bo"))] == [False, True]
    assert [m.from_me for m in messages_of(text)] == [None, None]


def test_what_is_shared_under_a_heading_is_talk() -> None:
    text = (
        f"[13/08/2021, 14:42:00] Ana: {LRM}x omitted\n[13/08/2021, 14:43:00] Bo: {LRM}EVENT:\nRegatta\nat noon\n"
    )
    shared = messages_of(text)[1]
    assert (shared.sender, shared.kind, shared.text) == ("Bo", "talk", "EVENT:\nRegatta\nat noon")
