"""The deterministic start of every answer: the product's ranking of the question itself, no model.

A range of days in the question ("in March") does not hide the other days, because people also speak of
a thing before and after: turns of the range count twice, all others once.
"""

from collections.abc import Sequence
from datetime import date

from engine.agent.fusion import fused
from engine.agent.ports import Searcher
from engine.agent.refind import within
from engine.types import Filters, SearchResult
from engine.when import question_range

LIMIT = 100  # turns ranked; more than any evidence budget holds
CONTEXT = 1
OUTSIDE = 0.5  # weight of the ranking without the question's dates where it has some


def first_look(
    question: str, *, searcher: Searcher, filters: Filters, now: date, words: Sequence[str] = ()
) -> SearchResult:
    """The ranked turns for a question; `words` are added at low weight."""
    everywhere = searcher.rank(question, filters=filters, words=words, limit=LIMIT, context=CONTEXT)
    days = question_range(question, now)
    if days is None or filters.date_from or filters.date_to:
        return everywhere
    narrowed = within(filters, days.date_from, days.date_to)
    inside = searcher.rank(question, filters=narrowed, words=words, limit=LIMIT, context=CONTEXT)
    hits = fused([(1.0, inside.hits), (OUTSIDE, everywhere.hits)])
    return SearchResult(hits, everywhere.searched, everywhere.seconds + inside.seconds)
