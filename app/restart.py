"""When to start a crashed engine again: at once, then with growing pauses, then with safe settings, then not."""

from dataclasses import dataclass

PAUSES = (0.2, 1.0, 3.0)  # seconds before the first, second and any later restart
SAFE_AFTER = 3  # crashes in a row
STOP_AFTER = 6
CALM = 120.0  # seconds without a crash after which earlier crashes are forgotten


@dataclass(frozen=True, slots=True)
class Restart:
    """What to do now. `pause` is None where starting again would not help."""

    pause: float | None
    safe: bool


class RestartPolicy:
    """Counts crashes that follow each other closely. Times are seconds of any steady clock."""

    def __init__(self) -> None:
        self._crashes = 0
        self._last = 0.0

    def after_crash(self, now: float) -> Restart:
        """Note a crash and say what to do."""
        if now - self._last > CALM:
            self._crashes = 0
        self._crashes += 1
        self._last = now
        safe = self._crashes >= SAFE_AFTER
        if self._crashes >= STOP_AFTER:
            return Restart(None, safe)
        return Restart(PAUSES[min(self._crashes, len(PAUSES)) - 1], safe)
