"""The product's search loop for small models, anchored in the deterministic ranking of the question.

Small models repeat a search, guess an answer and search for it, and forget to save what they saw. So here
they only ever add: the ranking of the question itself is the start and cannot be lost; the model lists
likely words, reviews each set of results (its reply can only be their numbers), and gives new words to
search for; a search that was made before is refused and ends the loop. What comes back is the fused
ranking of all that was found.
"""

from dataclasses import dataclass, field
from datetime import date

from engine.agent.calls import Calls
from engine.agent.first_look import LIMIT, first_look
from engine.agent.fusion import anchored, fused
from engine.agent.observations import observation
from engine.agent.ports import Gathering, Searcher
from engine.agent.prompts import THOROUGH
from engine.agent.words import likely_words, new_words, words_grammar
from engine.types import Filters, Hit, TraceStep
from models.base import ChatMessage, PromptTooLong
from models.grammar import Choice, Grammar, Literal, Numbers

K = 5  # results shown a round
ROUNDS = 2  # searches of the model's own, after the ranking of the question
HELPFUL = 0.6  # weight of the results that the model found helpful, best first
FOUND = 0.25  # weight of a search of the model's own


@dataclass(slots=True)
class _Loop:
    """What has been asked, shown and found so far. Prompts only ever grow at the end of `messages`."""

    question: str
    searcher: Searcher
    calls: Calls
    filters: Filters
    messages: list[ChatMessage]
    tried: set[str] = field(default_factory=set)  # words searched for
    shown: list[Hit] = field(default_factory=list)
    helpful: list[Hit] = field(default_factory=list)
    searches: list[tuple[Hit, ...]] = field(default_factory=list)
    trace: list[TraceStep] = field(default_factory=list)


def thorough(
    question: str,
    *,
    searcher: Searcher,
    calls: Calls,
    filters: Filters,
    now: date,
    anchor_words: int,
    rounds: int = ROUNDS,
) -> Gathering:
    """Gather evidence. The turns of the plain ranking that fill `anchor_words` words always come first."""
    plain = first_look(question, searcher=searcher, filters=filters, now=now)
    calls.cost.searches += 1
    words = likely_words(question, calls)
    widened = first_look(question, searcher=searcher, filters=filters, now=now, words=words) if words else plain
    calls.cost.searches += bool(words)
    loop = _Loop(question, searcher, calls, filters, [ChatMessage("system", THOROUGH)])
    loop.tried = {word.lower() for word in (*question.split(), *words)}
    _record(loop, "search_chatrecord", {"keywords": [question, *words]}, widened.hits[:K])
    if widened.hits:
        _rounds(loop, widened.hits, rounds)
    _record(loop, "finish_search", {}, ())
    found = [(FOUND, hits) for hits in loop.searches]
    ranking = fused([(1.0, widened.hits), (HELPFUL, loop.helpful), *found])[:LIMIT]
    return Gathering(anchored(plain.hits, ranking, anchor_words), tuple(loop.trace), plain.searched)


def _rounds(loop: _Loop, hits: tuple[Hit, ...], rounds: int) -> None:
    """Review the results at hand, then search for the model's new words, until it has none that are new."""
    try:
        _review(loop, hits[:K], f"Question: {loop.question}\n")
        for _ in range(rounds):
            fresh = _search(loop)
            if not fresh:
                break
            _review(loop, fresh, "")
    except PromptTooLong:
        return  # what was found so far counts


def _review(loop: _Loop, hits: tuple[Hit, ...], opening: str) -> None:
    """Show results and let the model say which help; its reply can only be their numbers, or none."""
    first = len(loop.shown) + 1
    loop.shown += hits
    shown = observation(hits, sorted(loop.tried), first=first, context=False)
    loop.messages.append(ChatMessage("user", f"{opening}Results:\n{shown}"))
    numbers = Numbers(tuple(range(first, first + len(hits))), 1, len(hits))
    grammar = Grammar(Choice((Literal("none"), numbers)))
    reply = loop.calls.ask(loop.messages, start="Helpful: ", grammar=grammar, max_tokens=24)
    loop.messages.append(ChatMessage("assistant", reply))
    chosen = [int(number) for number in reply.removeprefix("Helpful: ").split(", ") if number.isdigit()]
    picked = [loop.shown[number - 1] for number in chosen]
    loop.helpful += picked
    if picked:
        _record(loop, "take_note", {"indices": chosen}, picked)


def _search(loop: _Loop) -> tuple[Hit, ...]:
    """Search for words that the model adds; nothing where it has no new ones, or they find nothing new."""
    loop.messages.append(ChatMessage("user", "New words?"))
    reply = loop.calls.ask(loop.messages, start="New words: ", grammar=words_grammar(2, 5), max_tokens=32)
    loop.messages.append(ChatMessage("assistant", reply))
    words = new_words(reply.removeprefix("New words: "), sorted(loop.tried))
    if not words:
        return ()
    loop.tried.update(words)
    loop.calls.job.emit("step", text=f"Searching for {', '.join(words)}")
    known = {hit.turn.id for hit in loop.shown}
    found = loop.searcher.search(" ".join(words), filters=loop.filters, k=K + len(known), context=1)
    loop.calls.cost.searches += 1
    loop.searches.append(found.hits)
    fresh = tuple(hit for hit in found.hits if hit.turn.id not in known)[:K]
    _record(loop, "search_chatrecord", {"keywords": list(words)}, fresh)
    return fresh


def _record(loop: _Loop, action: str, given: dict[str, object], hits: "tuple[Hit, ...] | list[Hit]") -> None:
    ids = tuple(hit.turn.id for hit in hits)
    loop.trace.append(TraceStep(action, given, ids))
    loop.calls.job.emit("trace", action=action, input=given, hits=list(ids))
