"""The one call that answers: question, date and evidence in, an answer with evidence numbers out.

The reply is under a grammar: the lines of the messages that answer the question, copied (or "none"), then the
answer. Copying makes a small model look before it speaks, and have before its eyes what it speaks of: with the
numbers alone it named the right message and then said something else. It costs little, because after its
number the rest of a line is forced and read in one go. What an answer may contain is limited too: no line
breaks and no square brackets, so it can neither forge a citation nor go on talking.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date

from engine.agent.calls import Calls
from engine.answer.evidence import Evidence, Item, day_of, line_of
from engine.answer.prompts import EXAMPLE_DAY, EXAMPLES, SYSTEM
from engine.when import absolute, anchored
from models.base import ChatMessage
from models.grammar import Choice, Grammar, Literal, Repeat, Sequence, Text

MOST_CITATIONS = 2  # more and a small model copies on and on
LONGEST_ANSWER = 300  # characters
LONGEST_REPLY = 120  # tokens
ANSWER = "\nAnswer: "
NONE = "none"
_NUMBER = re.compile(r"\[(\d+)")


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as the model wrote it: its text and the evidence numbers that it named; no numbers, no answer."""

    text: str
    numbers: tuple[int, ...]


def answer_grammar(items: Iterable[Item]) -> Grammar:
    """The lines of some of these items and an answer, or none."""
    lines = [line_of(item) for item in items]
    more = Repeat(Choice(tuple(Literal(f"\n{line}") for line in lines)), 0, MOST_CITATIONS - 1)
    said = Text(LONGEST_ANSWER, 1, without="\n[]【】［］")
    answered = Sequence((Choice(tuple(map(Literal, lines))), more, Literal(ANSWER), said))
    return Grammar(Choice((Literal(NONE), answered)))


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
    """Ask the model. `on_text` gets the pieces of the answer alone, as they are written."""
    reply = calls.ask(
        prompt(question, evidence, now),
        grammar=answer_grammar(evidence.items),
        max_tokens=LONGEST_REPLY,
        on_text=_AfterMark(on_text) if on_text else None,
    )
    return read_draft(reply)


def read_draft(reply: str) -> Draft:
    """The parts of a reply; a reply that was cut before its answer is none."""
    copied, _, said = reply.partition(ANSWER)
    numbers = dict.fromkeys(int(found[1]) for line in copied.split("\n") if (found := _NUMBER.match(line)))
    return Draft(said.strip(), tuple(numbers)) if said.strip() and numbers else Draft("", ())


def with_absolute_dates(draft: Draft, evidence: Evidence) -> str:
    """The draft's text, a "tomorrow" that it copied from a message replaced by that message's date."""
    text = draft.text
    named = [item for n in draft.numbers if (item := evidence.item(n))]
    for item in (*named, *(other for other in evidence.items if other not in named)):
        day = day_of(item.turn)
        text = absolute(text, day, item.passage) if day else text
    return text


class _AfterMark:
    """Passes on what comes after the answer's mark."""

    def __init__(self, on_text: Callable[[str], None]) -> None:
        self._on_text = on_text
        self._held = ""
        self._open = False

    def __call__(self, piece: str) -> None:
        if self._open:
            self._on_text(piece)
            return
        self._held += piece
        _, mark, rest = self._held.partition(ANSWER)
        if mark:
            self._open = True
            if rest:
                self._on_text(rest)
