"""One person under several names: merged when asked, found by each name, taken apart; contacts; the owner."""

from pathlib import Path
from typing import Any

import pytest
from builders import new_library, put, say
from hypothesis import given
from hypothesis import strategies as st

from engine import ledger, overview, people, transcript
from engine.addresses import AddressBook, is_number, normal, same
from engine.answer.people import asked_about
from engine.desk import Desk
from engine.errors import KnownError, NothingThere
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions, find, preview
from engine.suggestions import Speaker, is_part, suggest, words_of
from engine.types import Filters

CARD = "BEGIN:VCARD\nVERSION:3.0\nFN:Nour Haddad\nTEL:07700 900 123\nEMAIL:nour@haddad.example\nEND:VCARD\n"


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Nour writes under a number on WhatsApp and as “Nour H” on Telegram, Mum as “Mum” and “Anna Haddad”."""
    made = new_library(tmp_path)
    put(
        made,
        [
            say(0, "+44 7700 900123", "the kayak is in the shed", chat="Boats"),
            say(60, "Mum", "the kayak needs paint", chat="Boats"),
        ],
    )
    put(
        made,
        [
            say(0, "Nour H", "the kayak race is on Sunday", chat="Races"),
            say(60, "Anna Haddad", "I lent the kayak to Per", chat="Races"),
        ],
        platform="telegram",
    )
    return made


def found_by(library: Library, *names: str) -> set[str]:
    result = library.searcher.search("kayak", filters=Filters(senders=names), k=10)
    return {hit.turn.text for hit in result.hits}


def senders(library: Library) -> set[str]:
    return {hit.turn.sender for hit in library.searcher.search("kayak", filters=Filters(), k=10).hits}


def contacts_file(folder: Path, text: str = CARD) -> Path:
    path = folder / "contacts.vcf"
    path.write_text(text, encoding="utf-8")
    return path


# merging and splitting


def test_merged_senders_are_one_person_everywhere(library: Library) -> None:
    people.merge(library.archive, ["Mum", "Anna Haddad"], "Anna Haddad")
    library.adopt()
    both = {"the kayak needs paint", "I lent the kayak to Per"}
    assert found_by(library, "Mum") == found_by(library, "anna") == found_by(library, "Anna Haddad") == both
    assert senders(library) == {"+44 7700 900123", "Nour H", "Anna Haddad"}
    listed = {p["name"]: p for p in overview.people(library.archive)}
    assert listed["Anna Haddad"]["messages"] == 2
    assert listed["Anna Haddad"]["platforms"] == ["telegram", "whatsapp"]
    assert overview.stats(library.archive)["people"] == 3
    assert [m.sender for m in transcript.earlier(library.archive, 1, None, 9).messages][1] == "Anna Haddad"


def test_a_question_finds_a_person_by_each_name(library: Library) -> None:
    people.merge(library.archive, ["Mum", "Anna Haddad"], "Anna Haddad")
    library.adopt()
    for question in ("What did Mum lend to Per?", "What did Anna lend to Per?"):
        asked = asked_about(question, library.searcher.people())
        assert asked
        assert asked.name == "Anna Haddad"
        assert asked.senders == {"Mum", "Anna Haddad"}
        assert library.searcher.rank(question, filters=Filters()).hits[0].turn.text == "I lent the kayak to Per"


def test_messages_stay_verbatim_and_a_merge_can_be_taken_apart(library: Library) -> None:
    before = library.archive.rows("SELECT * FROM message"), library.archive.rows("SELECT * FROM sender")
    people.merge(library.archive, ["Mum", "Anna Haddad"], "Anna")
    assert (library.archive.rows("SELECT * FROM message"), library.archive.rows("SELECT * FROM sender")) == before
    assert set(people.split(library.archive, "Anna")) == {"Mum", "Anna Haddad"}
    library.adopt()
    assert found_by(library, "Mum") == {"the kayak needs paint"}
    assert library.verify(Job()).ok


def test_a_newer_export_of_a_merged_person_goes_to_them(library: Library) -> None:
    people.merge(library.archive, ["Mum", "Anna Haddad"], "Anna Haddad")
    put(library, [say(500, "Mum", "kayak sold", chat="Boats")])
    assert "kayak sold" in found_by(library, "Anna Haddad")


def test_names_that_nobody_has_and_empty_names_are_said(library: Library) -> None:
    with pytest.raises(NothingThere, match="Ghost"):
        people.merge(library.archive, ["Mum", "Ghost"], "Mum")
    with pytest.raises(KnownError, match="needs a name"):
        people.merge(library.archive, ["Mum"], "  ")
    assert library.archive.rows("SELECT * FROM person") == []


def test_erasing_a_chat_forgets_names_and_contacts_of_who_is_gone(library: Library, tmp_path: Path) -> None:
    library.import_paths(Job(), [contacts_file(tmp_path)], ImportOptions())
    people.merge(library.archive, ["Mum", "Anna Haddad"], "Anna")
    library.erase_chat("Boats")
    assert library.archive.rows("SELECT written, name FROM who") == [("Nour H", "Nour H"), ("Anna Haddad", "Anna")]
    assert library.archive.value("SELECT count(*) FROM contact WHERE address = '07700900123'") == 0


# who is me


def test_the_owner_is_known_for_each_platform_and_can_be_changed(library: Library) -> None:
    def mine() -> list[str]:
        sql = "SELECT text FROM message WHERE from_me ORDER BY id"
        return [row[0] for row in library.archive.rows(sql)]

    people.set_owner(library.archive, "whatsapp", "Mum")
    people.set_owner(library.archive, "telegram", "Anna Haddad")
    library.adopt()
    assert library.searcher.directory.owners == {"Mum", "Anna Haddad"}
    assert mine() == ["the kayak needs paint", "I lent the kayak to Per"]
    people.set_owner(library.archive, "telegram", "Nour H")
    assert mine() == ["the kayak needs paint", "the kayak race is on Sunday"]
    with pytest.raises(NothingThere, match="wrote nothing in telegram"):
        people.set_owner(library.archive, "telegram", "Mum")
    people.set_owner(library.archive, "telegram", None)
    assert people.owners(library.archive) == [{"platform": "whatsapp", "name": "Mum"}]
    assert mine() == ["the kayak needs paint"]


def test_later_exports_of_the_platform_know_the_owner(library: Library) -> None:
    people.set_owner(library.archive, "whatsapp", "Mum")
    put(library, [say(500, "Mum", "sold", chat="Boats"), say(501, "Nour H", "sad", chat="Boats")])
    put(library, [say(500, "Mum", "hello", chat="Races")], platform="telegram")
    rows = dict(library.archive.rows("SELECT text, from_me FROM message WHERE text IN ('sold', 'sad', 'hello')"))
    assert rows == {"sold": 1, "sad": 0, "hello": 0}


# contacts


def test_contacts_name_the_numbers_and_mail_addresses_of_senders(library: Library, tmp_path: Path) -> None:
    report = library.import_paths(Job(), [contacts_file(tmp_path)], ImportOptions())
    (file,) = report.files
    assert (file.format, file.status, file.contacts, file.named) == ("vcard", "imported", 1, 1)
    assert found_by(library, "Nour Haddad") == found_by(library, "+44 7700 900123") == {"the kayak is in the shed"}
    put(library, [say(900, "nour@haddad.example", "kayak photos", chat="Mail")], platform="mail")
    assert "kayak photos" in found_by(library, "Nour Haddad")
    assert library.verify(Job()).ok


def test_a_split_is_kept_when_the_contacts_come_again(library: Library, tmp_path: Path) -> None:
    path = contacts_file(tmp_path)
    library.import_paths(Job(), [path], ImportOptions())
    people.split(library.archive, "Nour Haddad")
    (file,) = library.import_paths(Job(), [path], ImportOptions()).files
    assert file.named == 0
    assert "Nour Haddad" not in senders(library)


def test_preview_and_dry_run_count_contacts_and_store_nothing(library: Library, tmp_path: Path) -> None:
    path = contacts_file(tmp_path, CARD + "BEGIN:VCARD\nFN:Cut")
    (found,) = find([path])
    assert preview(found, ImportOptions(), Job()).contacts == 1
    (file,) = library.import_paths(Job(), [path], ImportOptions(), dry_run=True).files
    assert (file.contacts, file.status, file.problems[0].line) == (1, "partly", 7)
    assert library.archive.value("SELECT count(*) FROM contact") == 0


def test_the_ledger_lists_contacts_and_exports(library: Library, tmp_path: Path) -> None:
    library.import_paths(Job(), [contacts_file(tmp_path)], ImportOptions())
    entries = ledger.imports(library.archive)
    assert [(e["format"], e["new"], e["contacts"], e["named"]) for e in entries] == [
        ("vcard", 0, 1, 1),
        ("list", 2, 0, 0),
        ("list", 2, 0, 0),
    ]
    assert "1 contacts, 1 senders got their name" in ledger.as_text(entries)


# numbers


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("+44 7700 900123", "07700 900123", True),
        ("+44 7700 900123", "0044 (0)7700-900123", True),
        ("+44 7700 900123", "447700900123", True),
        ("+44 7700 900123", "+1 7700 900123", False),
        ("+39 06 1234 5678", "06 1234 5678", True),
        ("+7 916 123-45-67", "8 (916) 123-45-67", True),
        ("+52 1 55 1234 5678", "+52 55 1234 5678", True),
        ("+49 30 1234567", "1234567", False),
        ("+49 30 12345", "12345", False),
        ("0161 4960000", "0161 4960001", False),
        ("\u202a+886 912\u00a0345\u00a0678\u202c", "0912-345-678", True),
        ("٠٧٧٠٠ ٩٠٠١٢٣", "+44 7700 900123", True),
    ],
)
def test_numbers_meet_by_their_digits(one: str, other: str, *, is_same: bool) -> None:
    assert same(normal(one), normal(other)) is is_same
    assert same(normal(other), normal(one)) is is_same


@given(st.text(alphabet="0123456789+-() .", max_size=18), st.text(alphabet="0123456789+", max_size=18))
def test_meeting_is_mutual(one: str, other: str) -> None:
    assert same(normal(one), normal(other)) == same(normal(other), normal(one))
    assert same(normal(one), normal(one))


def test_what_is_a_number() -> None:
    assert all(map(is_number, ("+44 7700 900123", "~ +44 7700 900123", "(020) 7946-0000")))
    assert not any(map(is_number, ("Ana", "Room 1234567", "12345", "", "2024-01-01T00:00")))


def test_a_number_of_two_contacts_names_nobody() -> None:
    book = AddressBook([("+447700900123", "Nour"), ("+467700900123", "Per"), ("07700900124", "Ines")])
    assert book.name_of("07700 900123") is None
    assert book.name_of("+44 7700 900123") == "Nour"
    assert book.name_of("+44 7700 900124") == "Ines"
    assert book.name_of("Nour") is None


# suggestions


def speaker(name: str, chat: int, *written: str, **more: bool) -> Speaker:
    return Speaker(name, {*written} or {name}, {chat}, **more)


def suggested(*speakers: Speaker) -> list[tuple[set[str], str]]:
    return [(set(s.names), s.reason) for s in suggest(speakers)]


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("Nour Haddad", "~ nour haddad", "same name"),
        ("Nour Haddad", "nour.haddad", "same name"),
        ("Inés López 🌻", "ines lopez", "same name"),
        ("Nour", "Nour Haddad", "part of the name"),
        ("Haddad", "Nour Haddad", "part of the name"),
        ("Ben Okri", "Benjamin Okri", "part of the name"),
        ("Nour H.", "Nour Haddad", "part of the name"),
        ("Alex", "Alexander Kim", "part of the name"),
        ("小明", "王小明", "part of the name"),
        ("+44 7700 900123", "07700 900123", "same number"),
    ],
)
def test_names_that_may_be_one_person(one: str, other: str, reason: str) -> None:
    assert suggested(speaker(one, 1), speaker(other, 2)) == [({one, other}, reason)]
    assert suggested(speaker(one, 1), speaker(other, 1)) == []
    assert suggested(speaker(one, 1, apart=True), speaker(other, 2, apart=True)) == []


@pytest.mark.parametrize(
    ("one", "other"), [("Ana", "Banana"), ("Al", "Alexander"), ("Ben", "Benjamin"), ("user", "assistant")]
)
def test_names_that_say_nothing(one: str, other: str) -> None:
    assert suggested(speaker(one, 1), speaker(other, 2)) == []


def test_a_name_that_may_be_one_of_two_is_left_alone() -> None:
    ana, lima, costa = speaker("Ana", 1), speaker("Ana Lima", 2), speaker("Ana Costa", 3)
    assert suggested(ana, lima, costa) == []
    assert suggested(ana, lima, speaker("Ana Costa", 1)) == [({"Ana", "Ana Lima"}, "part of the name")]


def test_the_owners_names_belong_together() -> None:
    one, other = speaker("Rosa", 1, is_owner=True), speaker("Me", 2, is_owner=True)
    assert suggested(one, other) == [({"Rosa", "Me"}, "both you")]


def test_suggestions_of_an_archive_go_when_they_are_followed_or_refused(library: Library) -> None:
    put(library, [say(0, "Nour Haddad", "hi", chat="Slack")], platform="slack")
    put(library, [say(0, "~ anna haddad", "hi", chat="Work")], platform="slack")
    found = {frozenset(s.names) for s in people.suggestions(library.archive)}
    assert found == {frozenset(("Anna Haddad", "~ anna haddad")), frozenset(("Nour H", "Nour Haddad"))}
    people.merge(library.archive, ["Anna Haddad", "~ anna haddad"], "Anna Haddad")
    assert frozenset(("Anna Haddad", "~ anna haddad")) not in {
        frozenset(s.names) for s in people.suggestions(library.archive)
    }
    for name in ("Anna Haddad", "Nour H", "Nour Haddad"):
        people.split(library.archive, name)
    assert people.suggestions(library.archive) == []


@given(st.lists(st.tuples(st.text(max_size=12), st.integers(0, 4)), max_size=12))
def test_two_who_speak_in_one_chat_are_never_suggested(rows: list[tuple[str, int]]) -> None:
    people_ = {name: speaker(name, chat) for name, chat in rows}
    for each in suggest(list(people_.values())):
        chats = [chat for name in each.names for chat in people_[name].chats]
        assert len(set(chats)) == len(chats) > 1


def test_parts_of_names() -> None:
    assert words_of("Ána-Maria O’Neil 🎉") == ["ana", "maria", "o", "neil"]
    assert not is_part(["ana"], ["ana"])
    assert not is_part(["ana", "b"], ["ana", "costa"])


def test_the_window_sees_a_change_at_once(library: Library) -> None:
    library.close()
    desk = Desk(library.home)

    def call(method: str, **params: object) -> Any:
        found = desk.method(method)
        assert found
        return found[1](Job(), params)

    assert call("people_suggestions") == []
    call("people_merge", names=["Mum", "Anna Haddad"], into="Anna Haddad")
    call("set_me", platform="telegram", name="Anna Haddad")
    anna = next(p for p in call("people") if p["name"] == "Anna Haddad")
    assert (anna["also"], anna["owner_in"]) == (["Mum"], ["telegram"])
    assert {h["sender"] for h in call("search", query="kayak", senders=["Mum"])["hits"]} == {"Anna Haddad"}
    assert call("status")["owners"] == ["Anna Haddad"]
    assert sorted(call("people_split", name="Anna Haddad")) == ["Anna Haddad", "Mum"]
    assert len(call("search", query="kayak", senders=["Mum"])["hits"]) == 1
    assert [entry["new"] for entry in call("imports")] == [2, 2]
