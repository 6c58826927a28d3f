"""How many threads a model may use on this computer, and how many of them other programs leave free."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_TOPOLOGY = Path("/sys/devices/system/cpu")
_STATISTICS = Path("/proc/stat")
EVERY = 0.5  # seconds between two looks at what the others do


def usable() -> int:
    """Processor cores that this process may run on; two hardware threads of one core count once."""
    logical = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return _physical() or max(1, logical if logical <= 4 else logical // 2)


def threads() -> int:
    """All cores where there are one or two, else all but one: the window needs some of one, too."""
    cores = usable()
    return cores if cores <= 2 else cores - 1


def _physical() -> int:
    """Distinct cores among the processors of the affinity mask, 0 where the system does not say."""
    try:
        files = [_TOPOLOGY / f"cpu{n}/topology/thread_siblings_list" for n in os.sched_getaffinity(0)]
        return len({file.read_text() for file in files})
    except (OSError, AttributeError):
        return 0


@dataclass(frozen=True, slots=True)
class Spent:
    """Seconds of processor time at a moment: of all programs but the nice ones, and of this one among them."""

    at: float
    everybody: float
    own: float


def spent() -> Spent | None:
    """What the processors that this process may use have done; None where the system does not say."""
    try:
        mine = {f"cpu{number}" for number in os.sched_getaffinity(0)}
        lines = [line.split() for line in _STATISTICS.read_text().splitlines()]
        tick = os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError):
        return None
    # user, nice, system, idle, iowait, irq, softirq, steal (proc_stat(5)); who is nice gives way
    busy = sum(int(line[n]) for line in lines if line[:1] and line[0] in mine for n in (1, 3, 6, 7, 8))
    times = os.times()
    own = times.user + times.system if os.nice(0) <= 0 else 0.0
    return Spent(time.monotonic(), busy / tick, own)


class Load:
    """Adapts the threads to what other programs do.

    The threads of a model wait for each other at every step. One that shares its core with another program holds
    all of them up, so two threads beside a busy neighbour are slower than one.
    """

    def __init__(self, look: Callable[[], Spent | None] = spent) -> None:
        self._look = look
        self._last = look()
        self._threads = threads()

    def threads(self) -> int:
        """The threads to use from now on: as many as there are cores that the others leave free, one at least."""
        if self._last is None or time.monotonic() - self._last.at < EVERY:
            return self._threads
        seen, last = self._look(), self._last
        if seen is not None and seen.at > last.at:
            others = (seen.everybody - last.everybody - (seen.own - last.own)) / (seen.at - last.at)
            self._threads = max(1, min(threads(), usable() - round(others)))
        self._last = seen
        return self._threads
