"""The three actions of the search agent, and the grammar of what it may do next.

The grammar is made for the present state: results can be noted only after a search, by numbers that
exist, once a search; no search beyond the last one allowed; dates are days of the calendar. What a model
writes under it is valid by construction; `parse` reads it back and refuses everything else.
"""

import json
import re
from dataclasses import dataclass
from datetime import date

from models.grammar import Choice, Date, Grammar, Literal, Node, Numbers, Repeat, Sequence, Text, json_string

MOST_KEYWORDS = 6
LONGEST_KEYWORD = 40
LONGEST_THOUGHT = 240
_REPLY = re.compile(r"Thought: (?P<thought>[^\n]*)\nAction: (?P<action>\w+)\nAction Input: (?P<input>\{.*\})\s*")


class BadAction(ValueError):
    """A reply that is no action, or none that is possible now."""


@dataclass(frozen=True, slots=True)
class Search:
    """search_chatrecord: keywords and an optional range of days."""

    keywords: tuple[str, ...]
    date_from: date | None = None
    date_to: date | None = None

    def input(self) -> dict[str, object]:
        """The action's input as it stands in the trace."""
        days = {"date_from": self.date_from, "date_to": self.date_to}
        return {"keywords": list(self.keywords)} | {name: day.isoformat() for name, day in days.items() if day}


@dataclass(frozen=True, slots=True)
class Note:
    """take_note: numbers of results of the last search."""

    indices: tuple[int, ...]

    def input(self) -> dict[str, object]:
        """The action's input as it stands in the trace."""
        return {"indices": list(self.indices)}


@dataclass(frozen=True, slots=True)
class Finish:
    """finish_search: no input."""

    def input(self) -> dict[str, object]:
        """The action's input as it stands in the trace."""
        return {}


Action = Search | Note | Finish


@dataclass(frozen=True, slots=True)
class State:
    """What the agent may do now: searches left, results that can be noted, and whether dates may be given."""

    searches_left: int
    results: int = 0
    time: bool = True

    @property
    def only_finish(self) -> bool:
        """Whether finishing is all that is left."""
        return self.searches_left <= 0 and self.results <= 0


def keywords_node() -> Node:
    """One to six keywords as a JSON list."""
    word = json_string(LONGEST_KEYWORD, 1)
    return Sequence((Literal("["), Repeat(word, 1, MOST_KEYWORDS, ", "), Literal("]")))


def grammar_for(state: State) -> Grammar:
    """What may follow "Thought: " in this state."""
    options: list[Node] = [Literal("finish_search\nAction Input: {}")]
    if state.results > 0:
        numbers = Numbers(tuple(range(1, state.results + 1)), 1, state.results)
        options.append(Sequence((Literal('take_note\nAction Input: {"indices": ['), numbers, Literal("]}"))))
    if state.searches_left > 0:
        options.append(_search_node(state.time))
    thought = Text(LONGEST_THOUGHT, 1)
    return Grammar(Sequence((thought, Literal("\nAction: "), Choice(tuple(options)))))


def _search_node(time: bool) -> Node:
    opening = Literal('search_chatrecord\nAction Input: {"keywords": ')
    if not time:
        return Sequence((opening, keywords_node(), Literal("}")))
    first = Sequence((Literal(', "date_from": "'), Date(), Literal('"')))
    last = Sequence((Literal(', "date_to": "'), Date(), Literal('"')))
    days = Choice((Literal(""), first, last, Sequence((first, last))))
    return Sequence((opening, keywords_node(), days, Literal("}")))


def parse(reply: str, state: State) -> tuple[str, Action]:
    """The thought and the action of a reply. Raises BadAction for what this state does not admit."""
    match = _REPLY.fullmatch(reply)
    if not match:
        raise BadAction(f"not an action: {reply[:80]!r}")
    try:
        given = json.loads(match["input"])
        action = _action(match["action"], given, state)
    except (ValueError, TypeError, KeyError) as error:
        raise BadAction(str(error)) from error
    return match["thought"].strip(), action


def _action(name: str, given: dict[str, object], state: State) -> Action:
    match name:
        case "finish_search":
            return Finish()
        case "take_note":
            indices = given["indices"]
            if isinstance(indices, list) and indices and set(indices) <= set(range(1, state.results + 1)):
                return Note(tuple(dict.fromkeys(indices)))
        case "search_chatrecord" if state.searches_left > 0:
            return _search(given, state.time)
    raise BadAction(f"{name} is not possible now")


def _search(given: dict[str, object], time: bool) -> Search:
    keywords = given["keywords"]
    if not isinstance(keywords, list) or not all(isinstance(word, str) for word in keywords):
        raise BadAction("keywords must be texts")
    words = tuple(dict.fromkeys(word.strip() for word in keywords if word.strip()))
    if not words:
        raise BadAction("a search needs a keyword")
    days = [
        date.fromisoformat(str(given[key])) if time and key in given else None for key in ("date_from", "date_to")
    ]
    first, last = days
    if first and last and first > last:
        first, last = last, first
    return Search(words, first, last)
