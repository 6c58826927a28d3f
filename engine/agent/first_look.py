"""The deterministic start of every answer: the product's ranking of the question itself, no model.

A range of days in the question ("in March") lifts the turns of those days without hiding the others,
because people also speak of a thing before and after.
"""

from collections.abc import Sequence
from datetime import date

from engine.agent.ports import Searcher
from engine.types import Filters, SearchResult
from engine.when import question_range

LIMIT = 100  # turns ranked; more than any evidence budget holds
CONTEXT = 1


def first_look(
    question: str, *, searcher: Searcher, filters: Filters, now: date, words: Sequence[str] = ()
) -> SearchResult:
    """The ranked turns for a question; `words` are added at low weight."""
    limited = filters.date_from or filters.date_to
    span = None if limited else question_range(question, now)
    days = (span.date_from, span.date_to) if span else (None, None)
    return searcher.rank(question, filters=filters, words=words, days=days, limit=LIMIT, context=CONTEXT)
