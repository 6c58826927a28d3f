"""Watches the main thread: the longest time between two turns of its event loop, and what it did meanwhile."""

import gc
import sys
import threading
import time
import traceback
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer

LOOK_EVERY = 0.005  # seconds between two looks at what the main thread does
LONG = 0.025  # seconds from which a turn is remembered with its place


@dataclass(frozen=True, slots=True)
class Stall:
    """The longest turn: seconds by the clock, seconds of processor time, and where it was seen."""

    wall: float = 0.0
    cpu: float = 0.0
    where: str = ""


class Watchdog(QObject):
    """A timer that fires in every turn of the event loop. Processor time is that of the main thread alone, so
    that other programs on the same processor do not count; `places` also names the code, at some cost.
    """

    def __init__(self, *, places: bool = False) -> None:
        super().__init__()
        self.wall = self.cpu = Stall()
        self._last = (time.monotonic(), time.thread_time())
        self._seen = ""
        self._main = threading.get_ident()
        self._done = threading.Event()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._beat)
        self._timer.start()
        self._looker = threading.Thread(target=self._look, name="watchdog", daemon=True) if places else None
        if self._looker:
            gc.disable()  # else the other thread may collect what belongs to Qt's thread
            self._looker.start()

    def begin(self) -> None:
        """Forget what was measured."""
        self.wall = self.cpu = Stall()
        self._last = (time.monotonic(), time.thread_time())
        self._seen = ""

    def stop(self) -> None:
        """No more measuring."""
        self._beat()
        self._timer.stop()
        self._done.set()
        if self._looker:
            self._looker.join()
            gc.enable()

    def _beat(self) -> None:
        now = (time.monotonic(), time.thread_time())
        turn = Stall(now[0] - self._last[0], now[1] - self._last[1], self._seen)
        if turn.wall > self.wall.wall:
            self.wall = turn
        if turn.cpu > self.cpu.cpu:
            self.cpu = turn
        self._last, self._seen = now, ""

    def _look(self) -> None:
        """Note where the main thread is while a turn takes long."""
        while not self._done.wait(LOOK_EVERY):
            if time.monotonic() - self._last[0] > LONG:
                frame = sys._current_frames().get(self._main)
                stack = [each for each in traceback.extract_stack(frame) if "/app/" in each.filename]
                self._seen = " > ".join(f"{each.name}:{each.lineno}" for each in stack[-4:])
