"""The one call that answers: question, date and evidence in, a short answer or none out.

The reply is under a grammar: one line without square brackets, so it can neither forge a citation nor go on
talking. Which messages an answer rests on is found by its words afterwards (engine/answer/citations.py). Asked
to copy those messages before the answer, a small model takes the first that looks alike and then has to stand
by it; asked for the answer alone it reads all of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from engine.agent.calls import Calls
from engine.answer.evidence import Evidence
from engine.answer.prompts import EXAMPLE_DAY, EXAMPLES, SYSTEM
from engine.when import anchored
from models.base import ChatMessage
from models.grammar import Grammar, Text

LONGEST_ANSWER = 300  # characters
LONGEST_REPLY = 100  # tokens
NONE = "none"
GRAMMAR = Grammar(Text(LONGEST_ANSWER, 1, without="\n[]【】［］"))


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as the model wrote it, "" for none, and how sure the model is of it.

    A small model rarely says that there is none; how near it came to saying so tells more. `assurance` is twice
    the answer's mean log-probability a token less that of "none": how far it leads none, and how likely it is.
    """

    text: str = ""
    assurance: float = 0.0


def prefix() -> list[ChatMessage]:
    """The part of every prompt that never changes; a model that has read it need not read it again."""
    messages = [ChatMessage("system", SYSTEM)]
    for shown, question, reply in EXAMPLES:
        messages += [ChatMessage("user", _asked(shown, EXAMPLE_DAY, question)), ChatMessage("assistant", reply)]
    return messages


def prompt(question: str, evidence: Evidence, now: date) -> list[ChatMessage]:
    """The whole prompt: what stays the same first, the question last."""
    asked = anchored(" ".join(question.split()), now, "past").replace("[=", "(=").replace("]", ")")
    return [*prefix(), ChatMessage("user", _asked(evidence.text, now.isoformat(), asked))]


def _asked(shown: str, today: str, question: str) -> str:
    return f"{shown}\n\nToday is {today}.\nQuestion: {question}"


def draft_answer(
    question: str, evidence: Evidence, *, calls: Calls, now: date, on_text: Callable[[str], None] | None = None
) -> Draft:
    """The model's answer. `on_text` gets its pieces as they are written."""
    asked = prompt(question, evidence, now)
    reply = calls.ask(
        asked,
        grammar=GRAMMAR,
        max_tokens=LONGEST_REPLY,
        on_text=_UnlessNone(on_text) if on_text else None,
    )
    text = read_draft(reply)
    if not text:
        return Draft()
    said, none = calls.score(asked, [reply, NONE])
    return Draft(text, 2 * said - none)


def read_draft(reply: str) -> str:
    """The answer of a reply, "" for none."""
    said = reply.strip()
    return "" if said.lower().rstrip(".!") in (NONE, "") else said


class _UnlessNone:
    """Passes pieces on once they can no longer become the word for none."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._held = ""
        self._open = False

    def __call__(self, piece: str) -> None:
        self._held += piece
        if self._open or not NONE.startswith(self._held.strip().lower()[: len(NONE)]):
            self._open = True
            self._on_text(self._held)
            self._held = ""
