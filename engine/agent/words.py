"""Words from the model: one call that lists what people may have typed in the messages that answer.

The words are added to the question's own score at low weight, so a bad list costs little. In a trial on
LoCoMo they found 3 to 5 points more of the evidence of multi-hop questions.
"""

from collections.abc import Sequence

from engine.agent.calls import Calls
from engine.agent.prompts import WORDS
from models.base import ChatMessage, PromptTooLong
from models.grammar import Grammar, Repeat, Text

FEWEST, MOST = 4, 10
LONGEST_WORD = 24
_MARKS = '\n,;:.!?"“”«»()[]{}<>|*#=_/\\'


def words_grammar(fewest: int = FEWEST, most: int = MOST) -> Grammar:
    """A list of words or short phrases, separated by commas."""
    return Grammar(Repeat(Text(LONGEST_WORD, 2, without=_MARKS), fewest, most, ", "))


def likely_words(question: str, calls: Calls) -> tuple[str, ...]:
    """Words that the question does not have; none where the question does not fit the model's context."""
    messages = [ChatMessage("system", WORDS), ChatMessage("user", f"Question: {question}")]
    try:
        reply = calls.ask(messages, start="Words: ", grammar=words_grammar(), max_tokens=60)
    except PromptTooLong:
        return ()
    return new_words(reply.removeprefix("Words: "), question.lower().split())


def new_words(listed: str, known: Sequence[str]) -> tuple[str, ...]:
    """The distinct words of a list that are not known yet."""
    words = (word.strip().lower() for word in listed.split(","))
    return tuple(dict.fromkeys(word for word in words if len(word) > 1 and word not in known))
