"""How many threads a model may use on this computer."""

import os
from pathlib import Path

_TOPOLOGY = Path("/sys/devices/system/cpu")


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
