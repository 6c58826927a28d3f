"""The one call that answers: question, date and evidence in, an answer with evidence numbers out.

The reply has two lines under a grammar: the numbers of the messages that answer the question (or "none"),
then the answer. Numbers first makes a small model look before it speaks, and the decision that nothing
answers the question is a single word. What an answer may contain is limited too: no line breaks and no
square brackets, so it can neither forge a citation nor go on talking.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from engine.agent.calls import Calls
from engine.answer.evidence import Evidence
from engine.when import anchored
from models.base import ChatMessage
from models.grammar import Choice, Grammar, Literal, Numbers, Sequence, Text

MOST_CITATIONS = 6
LONGEST_ANSWER = 400  # characters
LONGEST_REPLY = 120  # tokens
START = "Messages: "
ANSWER = "\nAnswer: "
NONE = "none"

SYSTEM = """\
You answer questions about old chat messages. Use only the messages given; each line says who wrote it.
First write the numbers of the messages that answer the question, or "none" if they do not say it. Then \
answer in a few words, with exact names, numbers and dates.
- "I" in a message is the person who wrote it. What one person did is not what another did.
- (= date) after a word is the date that it means.
- If messages disagree, the later one counts.

Question: When did Jonas sell his boat?
Messages: 2
Answer: In March 2021"""


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer as the model wrote it: its text and the evidence numbers that it named; no numbers, no answer."""

    text: str
    numbers: tuple[int, ...]


def answer_grammar(count: int) -> Grammar:
    """What may follow "Messages: " when there are so many."""
    said = Text(LONGEST_ANSWER, 1, without="\n[]【】［］")
    answered = Sequence(
        (Numbers(tuple(range(1, count + 1)), 1, min(count, MOST_CITATIONS)), Literal(ANSWER), said)
    )
    return Grammar(Choice((Literal(NONE), answered)))


def prompt(question: str, evidence: Evidence, now: date) -> list[ChatMessage]:
    """The whole prompt: what stays the same first."""
    asked = anchored(" ".join(question.split()), now).replace("[=", "(=").replace("]", ")")
    return [
        ChatMessage("system", SYSTEM),
        ChatMessage("user", f"{evidence.text}\n\nToday is {now.isoformat()}.\nQuestion: {asked}"),
    ]


def draft_answer(
    question: str, evidence: Evidence, *, calls: Calls, now: date, on_text: Callable[[str], None] | None = None
) -> Draft:
    """Ask the model. `on_text` gets the pieces of the answer alone, as they are written."""
    reply = calls.ask(
        prompt(question, evidence, now),
        start=START,
        grammar=answer_grammar(len(evidence.items)),
        max_tokens=LONGEST_REPLY,
        on_text=_AfterMark(on_text) if on_text else None,
    )
    return read_draft(reply)


def read_draft(reply: str) -> Draft:
    """The parts of a reply; a reply that was cut before its answer is none."""
    named, _, said = reply.removeprefix(START).partition(ANSWER)
    numbers = tuple(int(number) for number in named.split(", ") if number.strip().isdigit())
    return Draft(said.strip(), numbers) if said.strip() and numbers else Draft("", ())


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
