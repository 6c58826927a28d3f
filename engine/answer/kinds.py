"""Whether an answer is of the kind that was asked for: an amount for “how much”, a time for “when”.

A small model that finds no price names the colour instead. What is of another kind answers nothing.
English questions only; of all others nothing is demanded.
"""

import re

_AMOUNT = re.compile(r"^\W*(?:and |so |but )?how (?:much|many|old)\b", re.IGNORECASE)
_MOMENT = re.compile(
    r"^\W*(?:and |so |but )?(?:when\b|what (?:time|date|day|year)|(?:on |in )?which (?:date|day|year|month))",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    "no none nothing zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty "
    "ninety hundred thousand million half quarter once twice single double couple dozen few several both "
    "all a an free nobody"
)
_TIME_WORDS = (
    "january february march april may june july august september october november december jan feb mar "
    "apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday "
    "mondays tuesdays wednesdays thursdays fridays saturdays sundays spring summer autumn fall winter "
    "christmas easter new eve today tomorrow yesterday tonight morning afternoon evening night noon "
    "midnight week weeks weekend month months year years day days hour hours minute minutes ago before "
    "after during while when since until last next recently now never always childhood birthday school"
)
_WORD = re.compile(r"[a-z]+")


def is_of_the_kind(question: str, answer: str) -> bool:
    """Whether an answer can answer a question at all."""
    if any(character.isdigit() for character in answer):
        return True
    words = set(_WORD.findall(answer.lower()))
    if _AMOUNT.match(question):
        return bool(words & _AMOUNTS)
    if _MOMENT.match(question):
        return bool(words & _MOMENTS)
    return True


_AMOUNTS = frozenset(_NUMBER_WORDS.split())
_MOMENTS = frozenset(_TIME_WORDS.split()) | _AMOUNTS
