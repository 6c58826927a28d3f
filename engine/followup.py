"""Follow-up questions: “and when was that?” means nothing alone, so it is asked together with what went before.

By rule, not by a model: a follow-up is put behind the question before it, so that the search has the words
of both and the answer can see what “that” is. A question that stands by itself is left alone.
"""

import re
from collections.abc import Sequence

_STARTS = re.compile(
    r"(?:and|but|so|or|also|then|what about|how about|what else|who else|where else|when else|why|really)\b"
    r"|那么?|还有|然后|为什么|另外",
    re.IGNORECASE,
)
_POINTERS = frozenset(
    "it its that this those these they them their theirs he him his she her hers there then one same".split()
)
_DENSE_POINTERS = re.compile(r"[他她它]们?|那[时个里些天]|这[时个里些]")
_EMPTY = frozenset(
    "a an the and but so or also of to in on at for from with about by as is are was were be been do does did has "
    "have had will would can could should i me my we us our you your what when where who whom whose which why how "
    "else not no yes please tell more again exactly".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
_DENSE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
MOST_WORDS = 2  # of its own, beside pointers, that a follow-up may have
SHORT_DENSE = 10  # characters of a short question in Chinese, Japanese or Korean


def is_followup(question: str) -> bool:
    """Whether a question leans on the one before it."""
    text = question.strip()
    dense = len(_DENSE.findall(text))
    if dense:
        points = bool(_DENSE_POINTERS.search(text) or _STARTS.match(text))
        return points and dense <= SHORT_DENSE
    words = [word.casefold() for word in _WORD.findall(text)]
    own = [word for word in words if word not in _EMPTY and word not in _POINTERS]
    points = any(word in _POINTERS for word in words)
    if not own:
        return bool(words)
    return len(own) <= MOST_WORDS and (points or bool(_STARTS.match(text)))


def standalone(question: str, earlier: Sequence[str]) -> str:
    """The question as it can be asked alone. `earlier` are the questions before it, oldest first."""
    if not earlier or not is_followup(question):
        return question
    before = next((asked for asked in reversed(earlier) if not is_followup(asked)), earlier[-1])
    return f"{before.strip()} {question.strip()}"
