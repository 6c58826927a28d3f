"""A saved answer is text: whatever shows the file fetches nothing that a message names."""

import os
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from hostile_messages import all_messages
from PySide6.QtCore import QUrl
from PySide6.QtGui import QImage, QTextDocument
from PySide6.QtWidgets import QApplication

from app.data import Answer, Citation, Place
from app.export import as_text, to_markdown
from app.pdf import TextAlone, write_pdf

PICTURE = "![look](file:///tmp/secret.png)"
MARKUP = (
    PICTURE,
    "![look][1]\n\n[1]: https://example.com/pixel.png",
    '<img src="https://example.com/pixel.png">',
    "[![a](//share/b.png)](https://example.com)",
    "![1](https://example.com/pixel.png)",
    "<https://example.com/>",
    "# loud\n- list\n+ list\n=====\n~~~\ncode\n~~~\n`code`",
    "a | b\n--|--\n1 | 2",
    "5 * 6 * 7 _and_ &lt;b&gt; \\![x](y.png)",
)


def pieces(markdown: str) -> tuple[str, set[str]]:
    """The text that is shown, on one line, and the pictures that whatever shows it would fetch."""
    document = QTextDocument()
    document.setMarkdown(markdown)
    pictures, block = set(), document.begin()
    while block.isValid():
        fragments = block.begin()
        while not fragments.atEnd():
            shown = fragments.fragment().charFormat()
            if shown.isImageFormat():
                pictures.add(shown.toImageFormat().name())
            fragments += 1
        block = block.next()
    return " ".join(document.toPlainText().split()), pictures


@pytest.mark.parametrize("text", MARKUP)
def test_markup_of_a_message_is_shown_and_does_nothing(qapp: QApplication, text: str) -> None:
    quoted = "\n".join(f"> {line}" for line in as_text(text).splitlines())
    assert pieces(quoted) == (" ".join(text.split()), set())


def test_without_that_it_would_be_a_picture(qapp: QApplication) -> None:
    assert pieces(PICTURE)[1] == {"file:///tmp/secret.png"}


@pytest.mark.parametrize("text", [*MARKUP, *(text for _, text in all_messages() if len(text) < 5000)])
def test_a_whole_answer_holds_no_picture(qapp: QApplication, text: str) -> None:
    """Where it comes from a message, from a sender's or a chat's name, from the model or from the question."""
    place = Place(1, text, 1, "whatsapp", text, "2024-03-12T09:04", text)
    for answer in (Answer(f"{text} [1].", True, (Citation(1, place, True),)), Answer(nearest=(place,))):
        assert pieces(to_markdown(text, answer, ""))[1] == set()


def test_the_marks_of_an_answer_stay(qapp: QApplication) -> None:
    made = to_markdown("q", Answer("On Thursday [1], at *six* [2].", True), "")
    assert "On Thursday [1], at \\*six\\* [2]." in made


def test_a_pdf_loads_nothing(qapp: QApplication, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    image = QImage(8, 8, QImage.Format.Format_RGB32)
    image.fill(0xFF0000)
    assert image.save(str(picture))
    kind, address = QTextDocument.ResourceType.ImageResource, QUrl.fromLocalFile(str(picture))
    assert QTextDocument().resource(kind, address) is not None
    assert TextAlone().resource(kind, address) is None
    for name, text in (("with.pdf", f"![]({address.toString()})"), ("without.pdf", "![](file:///nowhere.png)")):
        write_pdf(tmp_path / name, text)
    with_picture, without = ((tmp_path / f"{name}.pdf").stat().st_size for name in ("with", "without"))
    assert abs(with_picture - without) < 100
