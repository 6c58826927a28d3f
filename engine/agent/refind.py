"""The search loop of the ReFind paper: search, save notes, search again, finish.

Faithful to the paper's section 3 and appendix: K = 5 results with two turns before and after, four
searches at most, session fusion, date range, and sessions that were shown are left out of later
searches. `Controls` turns each of these off for the ablations of its tables 4, 7, 8 and 9. Meant for
capable models and for evaluation; small ones do better in `engine.agent.thorough`.
"""

from dataclasses import dataclass, field, replace
from datetime import date

from engine.agent.actions import Action, BadAction, Finish, Note, Search, State, grammar_for, parse
from engine.agent.calls import Calls
from engine.agent.observations import observation
from engine.agent.ports import Gathering, Searcher
from engine.agent.prompts import refind_observation, refind_question, refind_system
from engine.types import Coverage, Filters, Hit, SearchResult, TraceStep
from models.base import ChatMessage, PromptTooLong

K = 5
LONGEST_REPLY = 200  # tokens of one thought with its action


@dataclass(frozen=True, slots=True)
class Controls:
    """The paper's controls; the defaults are its full method.

    `searches` 1 is its one-search control: every result goes to the answer, without notes.
    """

    context: int = 2
    dedup: bool = True
    rrf: bool = True
    time: bool = True
    searches: int = 4

    @property
    def one_search(self) -> bool:
        """Whether all results of a single search are the evidence."""
        return self.searches == 1


FULL = Controls()
GENERIC = Controls(context=0, dedup=False, rrf=False, time=False)


@dataclass(slots=True)
class _Loop:
    """What the loop has done so far: the paper's state of notes, seen sessions and last observation."""

    messages: list[ChatMessage]
    notes: list[Hit] = field(default_factory=list)
    last: tuple[Hit, ...] = ()
    noted: bool = False  # the last results were saved: once is enough
    seen: frozenset[int] = frozenset()
    searches: int = 0
    trace: list[TraceStep] = field(default_factory=list)

    def state(self, controls: Controls) -> State:
        """What may be done next."""
        return State(controls.searches - self.searches, 0 if self.noted else len(self.last), controls.time)


def refind(
    question: str, *, searcher: Searcher, calls: Calls, filters: Filters, now: date, controls: Controls = FULL
) -> Gathering:
    """Run the loop to its end. A model that runs out of room, or writes no action, ends it with what was saved."""
    system = refind_system(searches=controls.searches, time=controls.time, seen=controls.dedup)
    loop = _Loop([ChatMessage("system", system), ChatMessage("user", refind_question(question, now))])
    searched = Coverage()
    while not loop.state(controls).only_finish:
        decision = _decide(loop, calls, controls)
        if decision is None:
            break
        thought, action = decision
        if isinstance(action, Search):
            result = _search(action, searcher, filters, loop.seen, controls)
            searched = searched if searched.turns else result.searched
            _searched(loop, action, thought, result, calls, controls)
        elif isinstance(action, Note):
            _noted(loop, action, thought, calls)
        if isinstance(action, Finish) or (controls.one_search and loop.searches):
            break
    _record(loop, Finish(), "", (), calls)
    kept = loop.last if controls.one_search else tuple(loop.notes)
    return Gathering(kept, tuple(loop.trace), searched)


def _decide(loop: _Loop, calls: Calls, controls: Controls) -> tuple[str, Action] | None:
    """The model's next thought and action, None where it cannot go on."""
    state = loop.state(controls)
    try:
        reply = calls.ask(loop.messages, start="Thought: ", grammar=grammar_for(state), max_tokens=LONGEST_REPLY)
        thought, action = parse(reply, state)
    except (BadAction, PromptTooLong):
        return None
    loop.messages.append(ChatMessage("assistant", reply))
    return thought, action


def _search(
    action: Search, searcher: Searcher, filters: Filters, seen: frozenset[int], controls: Controls
) -> SearchResult:
    return searcher.search(
        " ".join(action.keywords),
        filters=within(filters, action.date_from, action.date_to),
        k=K,
        context=controls.context,
        seen_sessions=seen if controls.dedup else frozenset(),
        fused=controls.rrf,
    )


def _searched(
    loop: _Loop, action: Search, thought: str, result: SearchResult, calls: Calls, controls: Controls
) -> None:
    """Remember a search and show its results to the model."""
    loop.searches += 1
    loop.last, loop.noted = result.hits, False
    loop.seen |= {hit.turn.session for hit in result.hits}
    calls.cost.searches += 1
    calls.job.emit("step", text=f"Searching for {', '.join(action.keywords)}")
    _record(loop, action, thought, tuple(hit.turn.id for hit in result.hits), calls)
    words = [word for keyword in action.keywords for word in keyword.split()]
    shown = observation(result.hits, words, context=controls.context > 0)
    loop.messages.append(ChatMessage("user", refind_observation(shown)))


def _noted(loop: _Loop, action: Note, thought: str, calls: Calls) -> None:
    """Keep the whole results that the model chose."""
    chosen = [loop.last[number - 1] for number in action.indices]
    known = {hit.turn.id for hit in loop.notes}
    loop.notes += [hit for hit in chosen if hit.turn.id not in known]
    loop.noted = True
    _record(loop, action, thought, tuple(hit.turn.id for hit in chosen), calls)
    saved = "1 result" if len(chosen) == 1 else f"{len(chosen)} results"
    loop.messages.append(ChatMessage("user", refind_observation(f"Saved {saved}.")))


def _record(loop: _Loop, action: Action, thought: str, hits: tuple[int, ...], calls: Calls) -> None:
    name = {Search: "search_chatrecord", Note: "take_note", Finish: "finish_search"}[type(action)]
    loop.trace.append(TraceStep(name, action.input(), hits, thought))
    calls.job.emit("trace", action=name, input=action.input(), hits=list(hits))


def within(filters: Filters, first: date | None, last: date | None) -> Filters:
    """Filters narrowed by a range of days; the person's own limits stay."""
    starts = [day for day in (filters.date_from, first) if day]
    ends = [day for day in (filters.date_to, last) if day]
    return replace(filters, date_from=max(starts, default=None), date_to=min(ends, default=None))
