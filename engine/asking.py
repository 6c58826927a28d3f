"""A question to the library: what `ask` is in the command line, in the window and in the evaluation."""

from datetime import date

from engine.answer.controller import answer_question
from engine.job import Job
from engine.library import Library
from engine.types import Answer, Filters, Mode
from models.base import ChatModel


def ask(
    library: Library,
    job: Job,
    question: str,
    *,
    model: ChatModel | None,
    mode: Mode = "auto",
    filters: Filters | None = None,
    now: date | None = None,
) -> Answer:
    """Answer a question from the archive. `now` is today by default. Raises Cancelled and NothingThere."""
    library.refresh()
    return answer_question(
        job,
        question,
        searcher=library.searcher,
        model=model,
        mode=mode,
        filters=filters or Filters(),
        now=now or date.today(),
    )
