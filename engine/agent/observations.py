"""Search results as the agent reads them: numbered, short, around the words that matched."""

from collections.abc import Sequence

from engine.agent.plain import around, harmless
from engine.types import Hit, Turn

HIT_WORDS = 45
CONTEXT_WORDS = 15


def day_of(turn: Turn) -> str:
    """The day of a turn as YYYY-MM-DD, "no date" where the export has none."""
    return turn.timestamp[:10] if turn.timestamp else "no date"


def observation(hits: Sequence[Hit], words: Sequence[str], *, first: int = 1, context: bool = True) -> str:
    """Numbered results for the agent. `words` are what was searched for."""
    if not hits:
        return "No results."
    return "\n".join(_block(number, hit, words, context) for number, hit in enumerate(hits, first))


def _block(number: int, hit: Hit, words: Sequence[str], context: bool) -> str:
    around_it = hit.context if context and hit.context else (hit.turn,)
    lines = []
    for turn in around_it:
        limit = HIT_WORDS if turn.id == hit.turn.id else CONTEXT_WORDS
        lines.append(f"{harmless(turn.sender)}: {around(harmless(turn.text), words, limit)}")
    return f"[{number}] {day_of(hit.turn)}\n" + "\n".join(lines)
