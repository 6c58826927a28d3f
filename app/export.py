"""A question and its answer as text to keep: Markdown for people, JSON for programs. Pure."""

import json
from dataclasses import asdict

from app import words
from app.data import Answer, Citation, Place
from app.i18n import translate


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def _source(citation: Citation) -> str:
    place = citation.place
    where = words.DOT.join(part for part in (place.chat, words.platform_title(place.platform)) if part)
    head = f"**[{citation.n}]** {place.sender}, {words.date_and_time(place.timestamp)}{words.DOT}{where}"
    if not citation.verified:
        head += " (" + translate("Export", "could not be checked") + ")"
    return f"{head}\n\n{_quoted(place.text)}"


def _near(place: Place) -> str:
    return f"- {place.sender}, {words.date_and_time(place.timestamp)}: {' '.join(place.text.split())}"


def to_markdown(question: str, answer: Answer, coverage: str) -> str:
    """The question as a heading, the answer, its sources and what was searched."""
    found = answer.answer if answer.found else translate("Export", "Not found in the chats.")
    parts = [f"## {' '.join(question.split())}", found]
    if answer.citations:
        parts.append("### " + translate("Export", "Sources"))
        parts += [_source(each) for each in answer.citations]
    if not answer.found and answer.nearest:
        parts.append("### " + translate("Export", "What came close"))
        parts.append("\n".join(_near(each) for each in answer.nearest))
    if coverage:
        parts.append(f"*{coverage}*")
    return "\n\n".join(part for part in parts if part) + "\n"


def to_json(question: str, answer: Answer) -> str:
    """Everything, as one JSON document."""
    return json.dumps({"question": question} | asdict(answer), ensure_ascii=False, indent=2) + "\n"
