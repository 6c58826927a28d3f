"""Messages that go over several lines of a text export, gathered one at a time in bounded memory.

A line opens a message, is a heading (date lines, banners, blank lines between messages), or continues the
message above it. Every line is counted once: headings count with the message that follows them, or with the
last one at the end of the file, so the lines of all messages and problems add up to the lines of the file.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from importers.base import Attachment, Item, Kind, Message, Problem, excerpt
from importers.guard import converted

MAX_BODY = 2_000_000  # characters of one message; a longer one is a damaged file, and its rest is a Problem
HEADING: Final = "heading"


@dataclass(slots=True)
class Draft:
    """A message whose lines are still being read. `body` is its text, line by line."""

    sender: str | None
    timestamp: datetime | None
    body: list[str]
    kind: Kind = "talk"
    attachments: list[Attachment] = field(default_factory=list)
    line: int = 0
    lines: int = 1
    size: int = 0
    cut: int = 0  # lines left out because the body is too long

    @property
    def text(self) -> str:
        """The lines joined, without blank ends."""
        return "\n".join(self.body).strip("\n").rstrip()

    def add(self, line: str) -> None:
        """Continue with a line, as long as there is room."""
        self.size += len(line) + 1
        if self.size > MAX_BODY:
            self.cut += 1
        else:
            self.body.append(line)
            self.lines += 1


Opened = Draft | Literal["heading"] | None


def gather(
    lines: Iterable[tuple[int, str]],
    opening: Callable[[str, Draft | None], Opened],
    finish: Callable[[Draft], Message],
) -> Iterator[Item]:
    """Turn numbered lines into messages and problems.

    `opening` is given each line and the message that is open; it returns a new Draft, HEADING, or None for
    a line that continues. A continuing line where nothing is open is a Problem.
    """
    draft: Draft | None = None
    headings = 0
    for number, line in lines:
        opened = opening(line, draft)
        if isinstance(opened, Draft):
            if draft is not None:
                yield from _finished(draft, finish)
            draft = opened
            draft.line, draft.lines = number, draft.lines + headings
            headings = 0
        elif opened == HEADING or (draft is None and not line.strip()):
            headings += 1
        elif draft is not None:
            draft.add(line)
        else:
            yield Problem(number, "This line belongs to no message.", excerpt(line))
    if draft is not None:
        draft.lines += headings
        yield from _finished(draft, finish)
    elif headings:
        yield Problem(1, "There is no message in this file.", skipped=headings)


def _finished(draft: Draft, finish: Callable[[Draft], Message]) -> Iterator[Item]:
    yield from converted([(draft.line, draft)], lambda _, done: (finish(done),), lost=draft.lines)
    if draft.timestamp is None:
        yield Problem(draft.line, "The date or time of this message could not be read; it is kept without.",
                      excerpt(draft.text), skipped=0)  # fmt: skip
    if draft.cut:
        yield Problem(
            draft.line,
            "This message is longer than two million characters; its last lines were left out.",
            skipped=draft.cut,
        )
