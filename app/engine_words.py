"""The engine's own words in the language of the window: how to export, what was skipped, how dates were read.

The engine speaks English and knows no window. A table from its sentences to those of a language lies beside the
other translations, as JSON; `{0}` stands for what a sentence says of its own. A test collects the sentences from
the engine's sources and fails for one that a table lacks.
"""

import json
import re
from functools import lru_cache
from pathlib import Path

from app.i18n import QT_TRANSLATE_NOOP, translate

ENGLISH = QT_TRANSLATE_NOOP("EngineWords", "en")  # the translation names the table: zh_CN
FOLDER = Path(__file__).parent / "i18n"
_PLACE = re.compile(r"\\\{(\d)\\\}")


def engine_words(text: str) -> str:
    """A sentence of the engine in the language of the window; as it is where no table has it."""
    language = translate("EngineWords", ENGLISH)
    return text if language == ENGLISH else in_language(text, language)


def in_language(text: str, language: str) -> str:
    """A sentence of the engine in a language."""
    return _found(text, language) or _after_file(text, language) or text


def _found(text: str, language: str) -> str | None:
    words, patterns = table(language)
    if text in words:
        return words[text]
    for pattern, translated in patterns:
        if match := pattern.fullmatch(text):
            return translated.format(*(words.get(part, part) for part in match.groups()))
    return None


def _after_file(text: str, language: str) -> str | None:
    """“messages.json: This is no message.”: the engine puts the name of a file in front."""
    name, colon, said = text.partition(": ")
    translated = _found(said, language) if colon else None
    return f"{name}{colon}{translated}" if translated else None


@lru_cache(maxsize=4)
def table(language: str) -> tuple[dict[str, str], list[tuple[re.Pattern[str], str]]]:
    """The sentences of a language, and those with places as patterns, the most exact first."""
    words: dict[str, str] = json.loads((FOLDER / f"engine_{language}.json").read_text("utf-8"))
    with_places = sorted((each for each in words if "{0}" in each), key=lambda each: -len(each))
    return words, [(_pattern(each), words[each]) for each in with_places]


def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(_PLACE.sub(r"(.+?)", re.escape(sentence)), re.DOTALL)
