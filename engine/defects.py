"""What may be said of an error that is our own fault: its kind and where it happened, never its words.

The words of a Python error can hold a message of a chat (`KeyError: 'see you at six'`), and what a program
writes to standard error ends in the system's log.
"""

import sys
import threading
import traceback
from pathlib import Path
from types import TracebackType

MOST_FRAMES = 6


def place_of(error: BaseException) -> str:
    """ "KeyError at ingest.py:81 run ← library.py:40 _import"."""
    frames = traceback.extract_tb(error.__traceback__)[-MOST_FRAMES:]
    where = " ← ".join(f"{Path(f.filename).name}:{f.lineno} {f.name}" for f in reversed(frames))
    return f"{type(error).__name__} at {where}"


def hush() -> None:
    """From now on errors that nobody catches are told without their words, in every thread.

    Hooks that somebody else has put in (a debugger, a test runner) stay.
    """
    if sys.excepthook is sys.__excepthook__:
        sys.excepthook = _told
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _told_of_object
    if threading.excepthook is threading.__excepthook__:
        threading.excepthook = _told_of_thread


def _told_of_object(what: "sys.UnraisableHookArgs") -> None:
    _tell(what.exc_value)


def _told_of_thread(what: threading.ExceptHookArgs) -> None:
    _tell(what.exc_value)


def _told(_kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
    _tell(error)


def _tell(error: BaseException | None) -> None:
    if error is not None and sys.stderr is not None:
        sys.stderr.write(f"Something went wrong inside Backscroll: {place_of(error)}\n")
