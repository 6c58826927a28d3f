"""Scores of answers without a judge: LoCoMo's official token F1, PersonaMem's choice accuracy.

The F1 follows LoCoMo's task_eval/evaluation.py: answers lose articles, “and”, commas and punctuation, words
are stemmed (Porter), category 1 averages over comma-separated parts, category 3 counts what stands before
the semicolon, category 5 is right where the answer says that the information is not there.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from functools import cache

import Stemmer

MULTI_HOP, OPEN_DOMAIN, ADVERSARIAL = "1", "3", "5"
_DROPPED = re.compile(r"\b(a|an|the|and)\b")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_CHOICE = re.compile(r"\(([a-z])\)")
_BARE_CHOICE = re.compile(r"^\W*([a-z])\b", re.IGNORECASE)
NOT_THERE = ("no information available", "not mentioned")


@cache
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("porter")


def normalised(text: str) -> list[str]:
    """The words that count."""
    plain = text.replace(",", "").lower().translate(_PUNCTUATION)
    return _stemmer().stemWords(_DROPPED.sub(" ", plain).split())  # type: ignore[no-any-return]


def token_f1(answer: str, gold: str) -> float:
    """Harmonic mean of precision and recall over words, with repeats."""
    said, wanted = Counter(normalised(answer)), Counter(normalised(gold))
    common = sum((said & wanted).values())
    if not common:
        return 0.0
    precision, recall = common / said.total(), common / wanted.total()
    return 2 * precision * recall / (precision + recall)


def multi_f1(answer: str, gold: str) -> float:
    """Mean over the gold's comma-separated parts of the best F1 among the answer's parts."""
    said, wanted = answer.split(","), gold.split(",")
    return sum(max(token_f1(part, want) for part in said) for want in wanted) / len(wanted)


def locomo_f1(answer: str, gold: str, category: str, *, found: bool) -> float:
    """LoCoMo's score of one answer. An answer that says nothing was found counts as empty in 1 to 4."""
    if category == ADVERSARIAL:
        return float(not found or any(phrase in answer.lower() for phrase in NOT_THERE))
    if not found:
        return 0.0
    if category == OPEN_DOMAIN:
        gold = gold.split(";")[0].strip()
    return multi_f1(answer, gold) if category == MULTI_HOP else token_f1(answer, gold)


def chosen(answer: str, choices: Sequence[str]) -> str:
    """The letter that an answer picks: in brackets, bare at the start, else of the choice nearest in words."""
    letters = [m[1] for c in choices if (m := _CHOICE.match(c))]
    marked = [m for m in _CHOICE.findall(answer) if m in letters]
    if marked:
        return str(marked[-1])
    bare = _BARE_CHOICE.match(answer)
    if bare and bare[1].lower() in letters and len(answer.split()[0].strip("().:")) == 1:
        return str(bare[1].lower())
    scores = [token_f1(answer, c) for c in choices]
    return letters[scores.index(max(scores))] if scores and max(scores) > 0 else ""


def choice_right(answer: str, gold: str, choices: Sequence[str]) -> float:
    """1 where the picked letter is the gold one's."""
    wanted = _CHOICE.match(gold.strip())
    return float(bool(wanted) and chosen(answer, choices) == wanted[1]) if wanted else 0.0
