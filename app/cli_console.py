"""What the commands share: JSON on standard output, progress and sentences on standard error."""

import getpass
import os
import re
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import orjson

from engine.errors import ArchiveLocked, KnownError
from engine.job import Job

_COMMANDS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Control characters but for tab and line feed, and marks that turn the direction of writing."""


def print_json(value: Any) -> None:
    """One JSON document on one line."""
    sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()


def print_json_lines(values: Iterable[Any]) -> None:
    """JSON lines, as they come."""
    for value in values:
        sys.stdout.buffer.write(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))
    sys.stdout.buffer.flush()


def shown(text: str) -> str:
    """Text of the archive for a terminal, without what would move its cursor, set its title or turn its lines."""
    return _COMMANDS.sub("", text)


def say(text: str, *, to_error: bool = False) -> None:
    """A line that may hold text of the archive."""
    print(shown(text), file=sys.stderr if to_error else sys.stdout)


def complain(error: Exception) -> None:
    """What happened and what to do, in plain words on standard error."""
    advice = error.advice if isinstance(error, KnownError) else ""
    say(f"{error} {advice}".rstrip(), to_error=True)


def secret(why: str) -> str:
    """A passphrase or recovery key: from BACKSCROLL_PASSPHRASE, else whoever sits at the terminal is asked."""
    if given := os.environ.get("BACKSCROLL_PASSPHRASE"):
        return given
    if sys.stdin.isatty():
        return getpass.getpass(f"{why}\nPassphrase or recovery key: ")
    raise ArchiveLocked(why, advice="Put it into BACKSCROLL_PASSPHRASE.")


@contextmanager
def cancelled_by_ctrl_c(job: Job) -> Iterator[None]:
    """Let Ctrl+C cancel the job: an exception would be lost in the callbacks of llama.cpp."""
    before = signal.signal(signal.SIGINT, lambda *_: job.cancel())
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class ProgressLine:
    """One line on a terminal that is written over; nothing where standard error is no terminal."""

    def __init__(self) -> None:
        self._shown = False
        self._terminal = sys.stderr.isatty()

    def job(self) -> Job:
        """A job whose progress is shown here."""
        return Job(self._event)

    def _event(self, name: str, data: dict[str, Any]) -> None:
        if self._terminal and name == "progress":
            self.show(progress_text(**data))
        elif self._terminal and name == "step":
            self.show(data["text"])

    def show(self, text: str) -> None:
        """Replace the line."""
        sys.stderr.write(f"\r\x1b[2K{shown(text)[:110]}")
        sys.stderr.flush()
        self._shown = True

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[2K")
            sys.stderr.flush()
            self._shown = False


def progress_text(
    *, done: int, total: int | None, note: str = "", rate: float = 0.0, seconds_left: float | None = None
) -> str:
    """Progress in words: share, what, time left."""
    share = f"{100 * done // total} %" if total else f"{done:,}"
    left = f" · about {duration(seconds_left)} left" if seconds_left and seconds_left >= 2 else ""
    return f"{share} · {note}{left}" if note else f"{share}{left}"


def duration(seconds: float) -> str:
    """Seconds in words."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
