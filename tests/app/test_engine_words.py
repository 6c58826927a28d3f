"""The engine's words in other languages: every sentence that can come from it is in the table."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import engine_words as module
from app.data_import import Problem
from app.engine_words import engine_words, in_language, table
from app.messages import error_words
from app.widgets.preview_card import dates_line, problem_lines
from importers.registry import IMPORTERS
from models.catalogue import entries

ROOT = Path(module.__file__).parent.parent
SOURCES = [
    *sorted((ROOT / "importers").glob("*.py")),
    *(ROOT / "engine" / f"{name}.py" for name in ("columns", "importing", "ingest", "people", "reading")),
    *(ROOT / "engine" / f"{name}.py" for name in ("modelling", "restoring", "store/keys", "undo", "verifying")),
    *(ROOT / "models" / f"{name}.py" for name in ("getting", "loading", "store", "template")),
]
NO_SENTENCES = re.compile(r"[\\|]|\(\?|^(?:SELECT|DELETE|UPDATE|INSERT) |^[a-z]\. m\.$")
OF_THE_APPS = {  # what chat apps write, to be recognised
    "Attachment missing!",
    "Started sharing location!",
    "Stopped sharing location!",
    "This message has been deleted.",
    "This message responded to an earlier message.",
    "This message was deleted from the conversation!",
    "This message was deleted.",
    "삭제된 메시지입니다.",
}
HEADERS = ("is not a GGUF model file.", "is cut off. Get or copy it again.")  # of models/gguf.py, behind a name


def template(node: ast.expr) -> str:
    """The text of a literal; {0}, {1} for what is put in."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts, places = [], 0
    for value in node.values if isinstance(node, ast.JoinedStr) else ():
        if isinstance(value, ast.Constant):
            parts.append(str(value.value))
        else:
            parts.append(f"{{{places}}}")
            places += 1
    return "".join(parts)


def sentences(source: str) -> Iterator[str]:
    """The literals that are sentences, docstrings left out."""
    tree = ast.parse(source)
    left_out = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            left_out |= {id(part) for part in ast.walk(node) if part is not node}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.JoinedStr) and id(node) not in left_out:
            text = template(node)
            sentence = " " in text.strip() and text.rstrip()[-1] in ".!?" and "\n" not in text
            if sentence and not NO_SENTENCES.search(text) and text not in OF_THE_APPS:
                yield text


def all_sentences() -> set[str]:
    found = {text for path in SOURCES for text in sentences(path.read_text("utf-8"))}
    found |= {f"{{0}} {text}" for text in HEADERS}
    found |= {re.sub(r"^\d+", "{0}", each.languages) for each in entries()}
    for importer in IMPORTERS:
        found |= {importer.title, *importer.how_to_export}
    return found


def filled(sentence: str) -> str:
    """A sentence as the engine sends it."""
    return re.sub(r"\{(\d)\}", r"<part \1>", sentence)


def has_words(text: str) -> bool:
    """Whether there is something to translate: names of programs stay as they are."""
    return " " in text and bool(re.search(r"[a-z]{3}", text)) and not re.fullmatch(r"[A-Z]\w+ [A-Z]\w+", text)


def test_there_are_many_sentences():
    assert len(all_sentences()) > 180


def test_every_sentence_of_the_engine_is_translated():
    missing = sorted(
        text for text in all_sentences() if has_words(text) and in_language(filled(text), "zh_CN") == filled(text)
    )
    assert missing == [], "add them to app/i18n/engine_zh_CN.json"


def test_a_missing_sentence_would_be_found():
    planted = 'REASON = "This line was eaten by a goat."\nyield Problem(1, f"{name} fell over.")\n'
    found = set(sentences(planted))
    assert found == {"This line was eaten by a goat.", "{0} fell over."}
    assert all(in_language(filled(text), "zh_CN") == filled(text) for text in found)


def test_what_a_sentence_says_of_its_own_survives():
    for sentence, translated in table("zh_CN")[0].items():
        assert set(re.findall(r"\{\d\}", sentence)) == set(re.findall(r"\{\d\}", translated)), sentence
        got = in_language(filled(sentence), "zh_CN")
        assert all(part in got for part in re.findall(r"<part \d>", filled(sentence))), sentence


def test_no_sentence_in_the_table_is_out_of_use():
    used = all_sentences()
    words = {"first", "second", "third", "Contacts (vCard)"}
    gguf = (ROOT / "models" / "gguf.py").read_text("utf-8")
    kept = {each for each in table("zh_CN")[0] if each.removeprefix("{0} ").split("{")[0] in gguf}
    assert set(table("zh_CN")[0]) - used - words - kept == set()


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("The first number goes above 12, so it is the day.", "第一个数字超过 12，所以它是日。"),
        (
            "There is nothing at “/x/a b.txt”. Check the name and try again.",
            "“/x/a b.txt”处没有内容。请检查名称后重试。",
        ),
        ("messages.json: This is no message.", "messages.json: 这不是消息。"),
        ("Something new.", "Something new."),
    ],
)
def test_sentences_in_chinese(said: str, read: str):
    assert in_language(said, "zh_CN") == read


def test_in_english_nothing_changes():
    assert engine_words("This is no message.") == "This is no message."


def test_the_window_shows_them_translated(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "translate", lambda context, text: "zh_CN")
    assert "这不是消息。" in problem_lines((Problem(3, "This is no message."),))
    assert "年份在前。" in dates_line("ymd", "The year comes first.")
    monkeypatch.setattr("app.messages.translate", lambda context, text: f"«{text}»")
    said = error_words({"type": "NothingThere", "sentence": "That import is no longer in the archive."})
    assert said.sentence == "该导入已不在存档中。"
