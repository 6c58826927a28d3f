"""Ranked hits as evidence for the answerer: within a word budget, by session, in time order, numbered.

A turn is rendered on one line with its day and its sender, under a heading of its chat where there are
several. The day stands in the line and not above it, so that a model which copies the line before it answers
has it before its eyes. Relative dates carry what they meant: "yesterday [= 7 May 2023]" is written with round
brackets here, because square brackets are the evidence's own numbers and chat text may not have any.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date

from engine.agent.plain import around, harmless
from engine.answer.terms import names, terms, words_and_terms
from engine.types import Hit, Turn
from engine.when import MONTHS, anchors

LONGEST_TURN = 70  # words of one turn; longer ones are cut to the stretch around the question's words
LEAST = 150  # words of evidence that are shown however far the first hit is ahead
SHORT_REPLY = 6  # a turn of so few words is shown with the turn before it
CHANGES = re.compile(  # words of one who takes back what was planned
    r"\b(?:instead|moved?|postponed?|pushed (?:back|to)|put (?:off|back)|delayed|rescheduled|cancell?ed|changed"
    r"|any ?more|no longer|after all|not possible|brought forward|verschoben|abgesagt|doch nicht|statt(?:dessen)?"
    r"|reporté|annulé|aplazad[oa]|cancelad[oa])\b|改|推迟|延期|延后|提前|取消|挪到|不去了|不行了",
    re.IGNORECASE,
)
OWNER = "Me"
ASSISTANTS = {"chatgpt": "ChatGPT", "claude": "Claude", "gemini": "Gemini"}  # whose answers are part of a turn


@dataclass(frozen=True, slots=True)
class Item:
    """One numbered turn of the evidence. `passage` is an exact part of the stored turn's text."""

    n: int
    turn: Turn
    passage: str
    rendered: str
    later_than: int | None = None  # the number of an earlier item on the same matter


@dataclass(frozen=True, slots=True)
class Evidence:
    """What the answerer reads, and which turns it stands for, best first."""

    items: tuple[Item, ...] = ()
    text: str = ""
    ranked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class _Chosen:
    turn: Turn
    passage: str


def evidence_from(
    hits: Sequence[Hit],
    question: str,
    *,
    budget: int,
    owners: Collection[str] = (),
    whole_blocks: bool = False,
    odds: float | None = None,
) -> Evidence:
    """The best hits that fit in `budget` words.

    Args:
        hits: ranked, best first.
        question: its words are what long turns are cut around.
        budget: words at most.
        owners: the sender names of the one who asks.
        whole_blocks: take the turns around each hit as well.
        odds: leave out hits whose score lies further than this below the best, once LEAST words are there.
            Scores of the product's ranking are log odds, so 2 keeps what is up to about 7 times less likely.
    """
    wanted = [word for word, _ in words_and_terms(question)]
    chosen: dict[int, _Chosen] = {}
    used = 0
    for hit in hits:
        if used >= budget or (odds is not None and used >= LEAST and hit.score < hits[0].score - odds):
            break
        for turn in _turns_of(hit, whole_blocks):
            passage = passage_of(turn.text, wanted, LONGEST_TURN)
            cost = _words(passage)
            if turn.id not in chosen and (used + cost <= budget or not chosen):
                chosen[turn.id] = _Chosen(turn, passage)
                used += cost
    items = _numbered(list(chosen.values()), question, owners)
    return Evidence(items, _layout(items), tuple(chosen))


def part_of(evidence: Evidence, turns: Collection[int]) -> Evidence:
    """The evidence of these turns alone, numbered anew."""
    wanted = frozenset(turns)
    kept = [item for item in evidence.items if item.turn.id in wanted]
    numbers = {item.n: n for n, item in enumerate(kept, 1)}
    items = tuple(
        replace(item, n=n, later_than=numbers.get(item.later_than or 0)) for n, item in enumerate(kept, 1)
    )
    return Evidence(items, _layout(items), tuple(turn for turn in evidence.ranked if turn in wanted))


def _words(passage: str) -> int:
    """What a passage costs of a budget, its sender included; scripts without spaces by two characters a word."""
    return (len(passage.split()) if " " in passage else len(passage) // 2) + 2


def passage_of(text: str, words: Sequence[str], limit: int) -> str:
    """An exact part of the text, at most `limit` words, around the given ones."""
    cut = around(text, words, limit).removeprefix("… ").removesuffix(" …").removeprefix("…").removesuffix("…")
    if cut in text:
        return cut
    parts = cut.split()  # the cut has single spaces: find the same words in the text as it is written
    start = _find_words(text, parts)
    return text[start[0] : start[1]] if start else text[: limit * 12]


def _find_words(text: str, parts: Sequence[str]) -> tuple[int, int] | None:
    """Where these words stand in the text, whatever white space is between them."""
    begin = text.find(parts[0]) if parts else -1
    while begin >= 0:
        end = begin
        for part in parts:
            while end < len(text) and text[end].isspace():
                end += 1
            if not text.startswith(part, end):
                break
            end += len(part)
        else:
            return begin, end
        begin = text.find(parts[0], begin + 1)
    return None


def _turns_of(hit: Hit, whole_block: bool) -> tuple[Turn, ...]:
    """The hit's turn; the whole block where asked; the turn before it where it is a short reply."""
    if whole_block:
        rest = [turn for turn in hit.context if turn.id != hit.turn.id]
        return (hit.turn, *rest)
    before = [turn for turn in hit.context if turn.id < hit.turn.id][-1:]
    if before and len(hit.turn.text.split()) <= SHORT_REPLY and len(hit.turn.text) <= SHORT_REPLY * 6:
        return (hit.turn, *before)
    return (hit.turn,)


def _numbered(chosen: list[_Chosen], question: str, owners: Collection[str]) -> tuple[Item, ...]:
    """Items in time order by session, later ones on the same matter marked."""
    first: dict[int, int] = {}
    for one in chosen:
        moment = one.turn.local_time or 0
        first[one.turn.session] = min(first.get(one.turn.session, moment), moment)
    ordered = sorted(
        chosen, key=lambda c: (first[c.turn.session], c.turn.session, c.turn.local_time or 0, c.turn.id)
    )
    items: list[Item] = []
    asked = terms(question)
    named = frozenset(stem for name in names(question) for stem in terms(name))
    for n, one in enumerate(ordered, 1):
        later_than = _earlier(items, one, asked, named)
        items.append(Item(n, one.turn, one.passage, _rendered(one, owners), later_than))
    return tuple(items)


def _earlier(items: Sequence[Item], one: _Chosen, asked: frozenset[str], named: frozenset[str]) -> int | None:
    """The last item of another session that speaks of the same matter as this one, whoever wrote them.

    The same matter: both share two of the question's words, the writer's name counted in, and not names alone.
    One word is enough for a message that speaks of a change.
    """
    own = _matter(one.turn, one.passage) & asked
    enough = 1 if CHANGES.search(one.passage) else 2
    for item in reversed(items):
        shared = own & _matter(item.turn, item.passage)
        if item.turn.session != one.turn.session and len(shared) >= enough and shared - named:
            return item.n
    return None


def _matter(turn: Turn, passage: str) -> frozenset[str]:
    return terms(f"{turn.sender} {passage}")


def _rendered(one: _Chosen, owners: Collection[str]) -> str:
    sender = OWNER if one.turn.sender in owners else harmless(one.turn.sender)
    if assistant := ASSISTANTS.get(one.turn.platform):
        sender = f"{sender} and {assistant}"
    return f"{day_words(one.turn)}, {sender}: {with_dates(one.turn, one.passage)}"


def with_dates(turn: Turn, passage: str) -> str:
    """A passage on one line, harmless, its relative dates resolved from the turn's own day."""
    day = day_of(turn)
    pieces, done = [], 0
    for end, meaning in anchors(passage, day) if day else []:
        pieces += [harmless(passage[done:end]), f" (= {meaning})"]
        rest = passage[end:]
        pieces.append(" " if rest[:1].isspace() else "")
        done = end
    return "".join(pieces) + harmless(passage[done:])


def day_of(turn: Turn) -> date | None:
    """The day of a turn by the wall clock of the chat."""
    try:
        return date.fromisoformat((turn.timestamp or "")[:10])
    except ValueError:
        return None


def day_words(turn: Turn) -> str:
    """The day of a turn in words: 7 May 2023."""
    day = day_of(turn)
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}" if day else "No date"


def _layout(items: Sequence[Item]) -> str:
    """The items, where there are several chats under headings of theirs."""
    several = len({item.turn.chat for item in items}) > 1
    lines: list[str] = []
    heading = ""
    for item in items:
        here = f"Chat with {harmless(item.turn.chat)}:" if several else heading
        if here != heading:
            lines.append(here)
            heading = here
        lines.append(line_of(item))
    return "\n".join(lines)


def line_of(item: Item) -> str:
    """An item as it stands in the evidence."""
    mark = f", later than {item.later_than}" if item.later_than else ""
    return f"[{item.n}{mark}] {item.rendered}"
