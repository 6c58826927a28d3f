"""A running task: progress, events and cancelling, in plain Python.

The worker calls `check`, `report` and `emit`; whoever started it calls `cancel` and reads `progress`.
Importers and models do not see it: they take a callable or are simply no longer pulled.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.errors import Cancelled

REPORT_EVERY = 0.1  # seconds; a window cannot show more


@dataclass(frozen=True, slots=True)
class Progress:
    """A snapshot. `total` is None until it is really known."""

    done: int = 0
    total: int | None = None
    note: str = ""
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Units a second since the start."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Time left at the present rate, None where the total or the rate is not known."""
        if self.total is None or not self.rate:
            return None
        return max(0, self.total - self.done) / self.rate


class Job:
    """Handed to every task that may take long. `on_event` receives (name, data) from the worker's thread."""

    def __init__(self, on_event: Callable[[str, dict[str, Any]], None] | None = None) -> None:
        self._on_event = on_event
        self._cancelled = threading.Event()
        self._running = threading.Event()
        self._running.set()
        self._started = time.monotonic()
        self._last = 0.0
        self.progress = Progress()

    def cancel(self) -> None:
        """Ask the task to stop; it does at its next `check`. A paused task wakes up for it."""
        self._cancelled.set()
        self._running.set()

    def pause(self) -> None:
        """Hold the task at its next `check`."""
        self._running.clear()

    def resume(self) -> None:
        """Let a paused task go on."""
        self._running.set()

    @property
    def cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Raise Cancelled if the person stopped the task; wait here while it is paused."""
        self._running.wait()
        if self._cancelled.is_set():
            raise Cancelled

    def stopped(self) -> bool:
        """`cancelled` as a callable for models and importers."""
        return self._cancelled.is_set()

    def report(self, done: int, total: int | None = None, note: str = "") -> None:
        """Say how far the task is; passed on at most ten times a second, and always when complete."""
        self.check()
        now = time.monotonic()
        self.progress = Progress(done, total, note, now - self._started)
        if now - self._last < REPORT_EVERY and done != total:
            return
        self._last = now
        left = self.progress.seconds_left
        self.emit("progress", done=done, total=total, note=note, rate=self.progress.rate, seconds_left=left)

    def emit(self, event: str, **data: Any) -> None:
        """Pass an event on to whoever started the task."""
        if self._on_event:
            self._on_event(event, data)
