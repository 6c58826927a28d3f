"""No visible text is untranslated: every text in the sources is in the file of translations, and finished."""

import ast
import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_chats import PEOPLE
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app import i18n, words
from app.data import Searched
from app.settings import LANGUAGE, Settings

APP = Path(i18n.__file__).parent.parent
FILE = APP / "i18n" / "backscroll_zh_CN.ts"
MARKS = {"tr": 0, "translate": 1, "QT_TRANSLATE_NOOP": 1}
PLACEHOLDER = re.compile(r"\{\w+\}")
MNEMONIC = re.compile(r"&(\w)")
SAME_IN_BOTH = {"简体中文", "English"}


def marked_texts() -> Iterator[tuple[str, str]]:
    """File and text of everything that is marked for translation, by reading the sources."""
    for path in sorted(APP.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            at = MARKS.get(name)
            if at is None or len(node.args) <= at or path.name == "__init__.py":
                continue
            text = node.args[at]
            if isinstance(text, ast.Constant) and isinstance(text.value, str):
                yield path.name, text.value


def translations() -> dict[str, str]:
    """Source text to translation, of finished ones."""
    found = {}
    for message in ElementTree.parse(FILE).getroot().iter("message"):
        translation = message.find("translation")
        assert translation is not None
        if translation.get("type") is None and translation.text:
            found[message.findtext("source") or ""] = translation.text
    return found


def test_every_marked_text_is_translated():
    done = translations()
    texts = set(marked_texts())
    assert len(texts) > 250
    missing = sorted({(name, text) for name, text in texts if text not in done and text not in SAME_IN_BOTH})
    assert missing == []


def test_placeholders_and_mnemonics_survive_translation():
    for source, translated in translations().items():
        assert sorted(PLACEHOLDER.findall(source)) == sorted(PLACEHOLDER.findall(translated)), source
        keys = [each.lower() for each in MNEMONIC.findall(source)]
        assert keys == [each.lower() for each in MNEMONIC.findall(translated)], source


def test_a_text_is_never_put_together_before_it_is_translated():
    for path in APP.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "tr":
                assert isinstance(node.args[0], ast.Constant), f"{path.name}:{node.lineno}"


@pytest.fixture
def chinese(qapp: QApplication):
    """The window's texts in Chinese."""
    translator = QTranslator()
    assert translator.load(str(FILE.with_suffix(".qm")))
    qapp.installTranslator(translator)
    QLocale.setDefault(QLocale("zh_CN"))
    yield
    qapp.removeTranslator(translator)


def test_sentences_in_chinese(chinese):
    searched = Searched(37, 9000, "2019-01-03", "2024-03-30", 4, 14.2)
    assert words.coverage(searched, 212) == "4 次搜索 · 已读 212 个聊天中的 37 个 · 2019年1月 – 2024年3月 · 14 秒"
    assert words.date_and_time("2024-03-14T16:30:00") == "2024年3月14日 周四, 16:30"


NOT_TRANSLATED = (
    "WhatsApp|Telegram|Signal|WeChat|GGUF|zip|Backscroll|Esc|Enter|Shift|Ctrl|Alt|Linux|Seccomp|AF_UNIX|"
    "from:Name|in:Chat|app:WhatsApp|after:|before:|from:|Apache|MIT|English|Chinese|AVX2|FMA|haswell"
)
QUOTED = (
    *("fête", "/home/me", "fake_engine.py", "/exports", "A day is above", "70B", "llama", ".txt"),
    *("WhatsApp chat export", "Telegram Desktop export", "grep ", "strace "),
)
OF_THE_FAKE = "Riverside neighbours|Riverside|Tiny|Huge|Small|Invented Chip|Nour Haddad|Nour|own model"


def shown_texts(page: QWidget) -> Iterator[str]:
    """Everything that can be read on a page, its tooltips too; not what is quoted from chats and commands."""
    for each in page.findChildren(QWidget):
        if not each.isVisible() or (isinstance(each, QLabel) and each.font().family() == "monospace"):
            continue
        yield from (each.toolTip(), each.accessibleName(), each.accessibleDescription())
        if isinstance(each, QLabel | QAbstractButton):
            yield each.text()
        elif isinstance(each, QLineEdit):
            yield each.placeholderText()
        elif isinstance(each, QComboBox):
            yield from (each.itemText(at) for at in range(min(each.count(), 3)))


def test_every_page_is_in_chinese(chinese, make_window, qtbot: QtBot):
    window = make_window("--cut")
    window.tour.begin()
    left = []
    for name in window._pages:
        window.go(name)
        qtbot.wait(60)
        for text in shown_texts(window._middle):
            plain = re.sub(NOT_TRANSLATED + "|" + OF_THE_FAKE, "", text)
            left += [f"{name}: {text}" for _ in re.findall(r"[A-Za-z]{3,}", plain)[:1]]
    left = [text for text in left if not any(each in text for each in (*PEOPLE, *QUOTED))]
    assert not left, "\n".join(left)
    assert window.ask.composer.field.placeholderText() == "就你的聊天记录提问…"


def test_the_language_of_the_settings_is_installed(qapp: QApplication, settings: Settings):
    settings.set(LANGUAGE, "zh_CN")
    loaded = i18n.install(qapp, settings.get(LANGUAGE))
    try:
        assert QCoreApplication.translate("Navigation", "Search") == "搜索"
    finally:
        for translator in loaded:
            qapp.removeTranslator(translator)


def test_the_compiled_file_is_not_older_than_its_source():
    translator = QTranslator()
    assert translator.load(str(FILE.with_suffix(".qm")))
    for message in ElementTree.parse(FILE).getroot().iter("context"):
        context = message.findtext("name") or ""
        for each in message.iter("message"):
            got = translator.translate(context, each.findtext("source") or "", each.findtext("comment") or "")
            assert got == each.findtext("translation")
