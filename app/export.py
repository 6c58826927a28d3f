"""A question and its answer as text to keep: Markdown for people, JSON for programs. Pure.

What people and the model wrote is text in the Markdown too: an image in a message would make whatever shows the
file fetch it, from the disk or from a network.
"""

import json
import re
from dataclasses import asdict

from app import words
from app.data import Answer, Citation, Place
from app.i18n import translate

_MARKUP = re.compile(r"[\\`*_\[\]<>&|~]|^[#+=-]", re.MULTILINE)
_MARK = re.compile(r"(?<!!)(\[\d+\])(?![(\[:])")  # of a citation, which is no link


def as_text(written: str) -> str:
    """Markdown that shows these very characters."""
    return _MARKUP.sub(r"\\\g<0>", written)


def _answer(written: str) -> str:
    """The same, with the numbers of the citations as they are."""
    parts = _MARK.split(written)
    return "".join(part if at % 2 else as_text(part) for at, part in enumerate(parts))


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in as_text(text).splitlines())


def _source(citation: Citation) -> str:
    place = citation.place
    where = words.DOT.join(part for part in (as_text(place.chat), words.platform_title(place.platform)) if part)
    head = f"**[{citation.n}]** {as_text(place.sender)}, {words.date_and_time(place.timestamp)}{words.DOT}{where}"
    if not citation.verified:
        head += " (" + translate("Export", "could not be checked") + ")"
    return f"{head}\n\n{_quoted(place.text)}"


def _near(place: Place) -> str:
    text = as_text(" ".join(place.text.split()))
    return f"- {as_text(place.sender)}, {words.date_and_time(place.timestamp)}: {text}"


def to_markdown(question: str, answer: Answer, coverage: str) -> str:
    """The question as a heading, the answer, its sources and what was searched."""
    found = _answer(answer.answer) if answer.found else translate("Export", "Not found in the chats.")
    parts = [f"## {as_text(' '.join(question.split()))}", found]
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
