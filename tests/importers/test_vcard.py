"""Contact lists of phones, mail programs and old software; broken ones too."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from importers.base import Problem
from importers.source import open_source
from importers.vcard import Contact, contacts, is_vcard

OLD = (
    "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=4C=C3=B3pez;In=C3=A9s;;;\r\n"
    "FN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:In=C3=A9s=\r\n=20L=C3=B3pez\r\n"
    "TEL;CELL;PREF:612 34 56 78\r\nTEL;HOME:+34 91 123 45 67\r\nEND:VCARD\r\n"
)
THREE = (
    "BEGIN:VCARD\nVERSION:3.0\nN:Okri;Ben;;Dr.;\nFN:Ben Okri\nitem1.TEL;type=CELL;type=VOICE:+44 (0)7700 900\n"
    "  123\nitem1.X-ABLabel:mobile\nEMAIL;type=INTERNET:Ben@Okri.example\nNOTE:bring\\nthe ladder\nPHOTO;"
    "ENCODING=b;TYPE=JPEG:AAAA\n AAAA\nEND:VCARD\n"
)
FOUR = (
    'BEGIN:VCARD\nVERSION:4.0\nFN:Mei\\, Ling\nTEL;VALUE=uri;TYPE="voice,home":tel:+886-912-345-678;ext=5\n'
    "END:VCARD\n"
)


def read(folder: Path, text: str | bytes) -> list[Contact | Problem]:
    path = folder / "contacts.vcf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(contacts(open_source(path)))


def test_version_2_with_quoted_printable_and_a_soft_line_end(tmp_path: Path) -> None:
    assert read(tmp_path, OLD) == [Contact("Inés López", ["612 34 56 78", "+34 91 123 45 67"], [], 1)]


def test_version_3_with_groups_folded_lines_and_a_photo(tmp_path: Path) -> None:
    assert read(tmp_path, THREE) == [Contact("Ben Okri", ["+44 (0)7700 900 123"], ["Ben@Okri.example"], 1)]


def test_version_4_with_numbers_as_links(tmp_path: Path) -> None:
    assert read(tmp_path, FOUR) == [Contact("Mei, Ling", ["+886-912-345-678"], [], 1)]


def test_a_name_is_put_together_where_none_is_written_out(tmp_path: Path) -> None:
    card = (
        "BEGIN:VCARD\nN:Silva;João;Pedro;;\nTEL:123\nEND:VCARD\nBEGIN:VCARD\nORG:Dentist;Mitte\nTEL:9\nEND:VCARD"
    )
    found = read(tmp_path, card)
    assert [c.name for c in found if isinstance(c, Contact)] == ["João Pedro Silva", "Dentist Mitte"]


def test_who_cannot_be_reached_is_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, "BEGIN:VCARD\nFN:Nobody\nEND:VCARD\nBEGIN:VCARD\nTEL:5551234\nEND:VCARD\n") == []


def test_a_card_without_an_end_is_a_problem_with_its_line(tmp_path: Path) -> None:
    found = read(tmp_path, "BEGIN:VCARD\nFN:Ana\nTEL:1\n" + THREE + "BEGIN:VCARD\nFN:Cut")
    assert [(p.line, p.excerpt) for p in found if isinstance(p, Problem)] == [(1, "Ana"), (16, "Cut")]
    assert [c.name for c in found if isinstance(c, Contact)] == ["Ben Okri"]


def test_an_old_encoding_is_guessed_from_the_file(tmp_path: Path) -> None:
    lines = (
        "BEGIN:VCARD",
        "FN:Jürgen Müller-Lüdenscheidt",
        "NOTE:Größe, Öl, Fußgänger",
        "TEL:030 1234567",
        "END:VCARD",
    )
    (found,) = read(tmp_path, "\n".join(lines).encode("cp1252"))
    assert isinstance(found, Contact)
    assert found.name == "Jürgen Müller-Lüdenscheidt"


def test_it_is_known_by_its_first_line(tmp_path: Path) -> None:
    for name, text, known in (("a.txt", OLD, True), ("b.vcf", "\ufeff" + FOUR, True), ("c.vcf", "hello", False)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert is_vcard(open_source(tmp_path / name)) is known


@pytest.mark.parametrize("text", [OLD, THREE, FOUR])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_damage_is_never_raised(text: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    raw = bytearray(text.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    for found in read(tmp_path_factory.mktemp("card"), bytes(raw[: data.draw(st.integers(0, len(raw)))])):
        assert isinstance(found, Contact | Problem)
