"""The 25 questions about the sample archive, and when an answer to one of them is right.

People and models write the same thing in many ways, so an answer is brought into one form before it is
compared: dates become 2024-03-14 (or --03-14 where the year is missing), number words become digits. What
has to appear is looked for as a regular expression in that form; nothing is asked about the wording.
"""

import json
import re
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from engine.selfcheck import CheckQuestion

PATH = Path(__file__).with_name("questions.json")

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_UNITS = {
    word: value
    for value, words in enumerate(
        "zero|one first|two second|three third|four fourth|five fifth|six sixth|seven seventh|eight eighth|"
        "nine ninth|ten tenth|eleven eleventh|twelve twelfth|thirteen thirteenth|fourteen fourteenth|"
        "fifteen fifteenth|sixteen sixteenth|seventeen seventeenth|eighteen eighteenth|nineteen nineteenth".split(
            "|"
        )
    )
    for word in words.split()
}
_TENS = {
    word: 10 * value
    for value, words in enumerate(
        "twenty twentieth|thirty thirtieth|forty|fifty|sixty|seventy|eighty|ninety".split("|"), 2
    )
    for word in words.split()
}
_SCALES = {"hundred": 100, "thousand": 1000}
_WORD = "|".join(sorted((*_UNITS, *_TENS, *_SCALES), key=len, reverse=True))
_NUMBER_WORDS = re.compile(rf"\b(?:{_WORD})(?:(?:[ -]| and )(?:{_WORD}))*\b")
_HAN_DIGITS = "零一二三四五六七八九"
_HAN = re.compile(r"[一二三四五六七八九十]+(?=[月日号])")
_DATES = (
    (re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)"), "ymd"),
    (re.compile(r"(\d{4}) ?年 ?(\d{1,2}) ?月 ?(\d{1,2})(?: ?[日号])?"), "ymd"),
    (re.compile(r"(?<!\d)(\d{1,2}) ?月 ?(\d{1,2})(?: ?[日号])?"), "md"),
    (re.compile(r"\b(\d{1,2})[/.](\d{1,2})[/.](\d{4})\b"), "dmy"),
    (re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (\d{{4}})\b)?"), "dmy"),
    (re.compile(rf"\b{_MONTH} (?:the )?(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? (\d{{4}})\b)?"), "mdy"),
)
_WHOLE_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_NOT_FOUND = re.compile(
    r"not found|not (?:\w+ )?(?:mentioned|stated|said|given|known)"
    r"|no (?:mention|record|information|answer|evidence)|nothing (?:about|in|on)"
    r"|(?:do|does|did)(?: not|n't) (?:say|mention|know|contain|tell)|could(?: not|n't) find"
    r"|(?:没有?|未)(?:找到|提到|提及|说明)"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A message that the answer rests on, by chat, wall clock to the minute, and some of its words."""

    chat: str
    timestamp: str
    contains: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, asked on the day `now`. `found` is False where the archive holds no answer.

    An answer is right when it shows all of `require` and, where there are any, one of `accept`: each a date
    (2024-03-14) or a regular expression over the normal form.
    """

    id: str
    question: str
    kind: str  # fact, who, change, join, past, ai, chinese, none
    found: bool
    answer: str
    accept: tuple[str, ...]
    require: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    now: date
    half: str = ""  # dev or test, where a set keeps one half apart from tuning


def load(path: Path = PATH) -> tuple[Question, ...]:
    """All questions of a file, in its order."""
    return tuple(map(_question, json.loads(path.read_text("utf-8"))))


CHECKED = ("baby-name", "bike-finder", "josie-dog", "wedding-place", "sock-bill", "bin-day")
"""What the self-check of a model asks, in this order: plain facts, one that is not there, plans that changed."""


def for_check() -> tuple[CheckQuestion, ...]:
    """The questions of the self-check."""
    known = {each.id: each for each in load()}
    asked = (known[name] for name in CHECKED)
    return tuple(CheckQuestion(each.question, each.now, partial(is_right, each)) for each in asked)


def _question(record: dict[str, Any]) -> Question:
    return Question(
        id=record["id"],
        question=record["question"],
        kind=record["kind"],
        found=record["found"],
        answer=record["answer"],
        accept=tuple(record["accept"]),
        require=tuple(record["require"]),
        evidence=tuple(Evidence(**e) for e in record["evidence"]),
        now=date.fromisoformat(record["now"]),
        half=record.get("half", ""),
    )


def is_right(question: Question, answer: str, found: bool = True) -> bool:
    """Whether the answer is right; `found` is what the answerer itself says of it."""
    text = normalised(answer)
    if not question.found:
        return not found or bool(_NOT_FOUND.search(text))
    if not found:
        return False
    shown = partial(_shows, text)
    return all(map(shown, question.require)) and (not question.accept or any(map(shown, question.accept)))


def _shows(text: str, wanted: str) -> bool:
    if _WHOLE_DATE.fullmatch(wanted):
        # A person who says "on the 14th of March" and leaves out the year is right as well.
        return wanted in text or f"-{wanted[4:]}" in text
    return re.search(wanted, text) is not None


def normalised(text: str) -> str:
    """Lower case, digits for number words, no thousands separators, dates as 2024-03-14 or --03-14."""
    text = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    text = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", text)
    text = _HAN.sub(lambda found: str(_han_number(found[0])), text)
    text = _NUMBER_WORDS.sub(lambda found: str(_number(found[0])), text)
    for pattern, order in _DATES:
        text = pattern.sub(partial(_date, order), text)
    return text


def _number(words: str) -> int:
    total = current = 0
    for word in re.split(r"[ -](?:and )?", words):
        if word in _SCALES:
            current = max(current, 1) * _SCALES[word]
            if word == "thousand":
                total, current = total + current, 0
        else:
            current += _UNITS.get(word, 0) + _TENS.get(word, 0)
    return total + current


def _han_number(characters: str) -> int:
    tens, ten, units = characters.rpartition("十")
    value = _HAN_DIGITS.index(units) if units in _HAN_DIGITS and units else 0
    return value + (10 * (_HAN_DIGITS.index(tens) if tens else 1) if ten else 0)


def _date(order: str, found: re.Match[str]) -> str:
    """The date in one form, or the words as they were where there is no such day."""
    part = dict(zip(order, found.groups(), strict=True))
    month = part["m"] if part["m"].isdigit() else str(_MONTHS.index(part["m"][:3]) + 1)
    year = part.get("y")
    try:
        day = date(int(year or 2000), int(month), int(part["d"]))
    except ValueError:
        return found[0]
    return day.isoformat() if year else f"-{day.isoformat()[4:]}"
