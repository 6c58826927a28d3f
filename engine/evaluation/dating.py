"""The days that a benchmark's question means, seen from the day on which it is asked."""

from datetime import datetime

from engine.search.question import ALWAYS, Days
from engine.when import question_range


def meant_days(question: str, asked: datetime | None) -> Days:
    """As the product reads them; no limit where the question has no day of its own."""
    span = question_range(question, asked.date()) if asked else None
    return (span.date_from, span.date_to) if span else ALWAYS
