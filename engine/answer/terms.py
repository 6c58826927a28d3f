"""Words for comparing an answer with its evidence: stems without function words, numbers and names.

The stemmer is the index's, so "camped" supports "camping" here exactly where a search would find it.
Comparing needs no language of its own: both sides go through the same stemmer.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import Stemmer

from engine.languages import STOP_WORDS, guess_language
from engine.text import words_of

_QUESTION_WORDS = frozenset(
    "what who whom whose when where why how which did do does done has have had is are was were been be can could "
    "would should will may might must many much long often ever i me my mine you your yours we us our he him his "
    "she her hers they them it its about any some there here than more most other one two say said tell told "
    "mention mentioned s t re ve ll d m from so just really very too all also after before during "
    "since until over".split()
)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NAME = re.compile(r"(?<![.!?。]\s)(?<!^)(?<![\w'’])[A-ZÀ-ÖØ-ÞА-ЯЁ][\w'’-]*[\w]", re.MULTILINE)
_SENTENCE = re.compile(r"(?<=[.!?…])[\"”'’)]*\s+|(?<=[。！？])|\n+")


@lru_cache(maxsize=8)
def _stemmer(language: str) -> "Stemmer.Stemmer":
    return Stemmer.Stemmer(language)


def terms(text: str) -> frozenset[str]:
    """The stems of the words that carry meaning."""
    return frozenset(ordered_terms(text))


def ordered_terms(text: str) -> tuple[str, ...]:
    """The same in order, each once."""
    return tuple(dict.fromkeys(stem for _, stem in _stems(text)))


def words_and_terms(text: str) -> tuple[tuple[str, str], ...]:
    """Each word that carries meaning with its stem, in order."""
    return tuple(_stems(text))


@lru_cache(maxsize=4096)
def _stems(text: str) -> tuple[tuple[str, str], ...]:
    language = guess_language([text])
    stop = STOP_WORDS.get(language, frozenset()) | STOP_WORDS["english"] | _QUESTION_WORDS
    stemmer = _stemmer("english" if text.isascii() else language)
    words = (word for word in words_of(text) if word not in stop)
    return tuple(
        (word, stemmer.stemWord(word)) for word in words if len(word) > 1 or not word.isascii() or word.isdigit()
    )


def numbers(text: str) -> frozenset[str]:
    """The numbers of a text, as written but without thousands marks and leading zeros."""
    return frozenset(
        _NUMBER.sub(lambda m: m[0].replace(",", ""), m).lstrip("0") or "0" for m in _NUMBER.findall(text)
    )


def names(text: str) -> tuple[str, ...]:
    """Words with a capital letter inside a sentence: mostly names."""
    return tuple(dict.fromkeys(re.sub(r"['’]s$", "", name) for name in _NAME.findall(text)))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, none empty."""
    return (part.strip() for part in _SENTENCE.split(text) if part.strip())
