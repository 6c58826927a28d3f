"""What the speed programs share: a figure with its spread, clocks, and the table that they print.

Two things are measured in turns in one run, A B A B, in seconds of processor time, so that another program on the
same machine changes both. The ratio is what carries over to other machines: theirs over ours, the median of the
rounds, with the smallest and the largest.
"""

import argparse
import gc
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TURNS = 3


@dataclass(frozen=True)
class Figure:
    """One comparison. `theirs` may be a limit instead of a measurement; the goal is a ratio, theirs over ours."""

    what: str
    against: str
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    goal: float
    unit: str = "s"
    note: str = ""

    @property
    def ratios(self) -> list[float]:
        """Of the rounds where both were measured as often, else of the medians."""
        if len(self.ours) == len(self.theirs):
            return [b / a for a, b in zip(self.ours, self.theirs, strict=True)]
        return [statistics.median(self.theirs) / a for a in self.ours]

    @property
    def ratio(self) -> float:
        """The median."""
        return statistics.median(self.ratios)

    def row(self) -> str:
        """The figure as a row of the table."""
        ours, theirs = (_short(statistics.median(seconds)) for seconds in (self.ours, self.theirs))
        spread = f" ({_short(min(self.ratios))}–{_short(max(self.ratios))})" if len(self.ratios) > 1 else ""
        reached = "yes" if self.ratio >= self.goal else "**no**"
        return (
            f"| {self.what} | {ours} {self.unit} | {self.against}: {theirs} {self.unit} "
            f"| {_short(self.ratio)}{spread} | ≥ {_short(self.goal)} | {reached} | {self.note} |"
        )

    def as_json(self) -> str:
        """The figure as a line of JSON."""
        fields = ("what", "against", "ours", "theirs", "goal", "unit", "note")
        return json.dumps({**{f: getattr(self, f) for f in fields}, "ratio": round(self.ratio, 4)})


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


HEAD = "| what | ours | against | theirs ÷ ours (spread) | goal | reached | |\n|---|---|---|---|---|---|---|"


def seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Processor time of one call, garbage collected before it."""
    gc.collect()
    return quick_seconds(work, clock)


def quick_seconds(work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Processor time of one call."""
    started = clock()
    work()
    return clock() - started


def in_turns(*works: Callable[[], object], turns: int = TURNS) -> list[tuple[float, ...]]:
    """The seconds of each piece of work, A B C A B C …"""
    measured = [[seconds(work) for work in works] for _ in range(turns)]
    return list(zip(*measured, strict=True))


def machine() -> str:
    """The machine in a line, with how busy it is."""
    names = [line for line in _lines("/proc/cpuinfo") if line.startswith("model name")]
    name = names[0].partition(":")[2].strip() if names else platform.machine()
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} processors, Python {platform.python_version()}, {platform.system()}{load}"


def memory_of(pid: int | str, field: str = "VmRSS") -> float:
    """A process's memory in MB, as Linux counts it."""
    line = next(line for line in _lines(f"/proc/{pid}/status") if line.startswith(field))
    return int(line.split()[1]) / 1024


def _lines(path: str) -> list[str]:
    try:
        return Path(path).read_text(encoding="utf-8").splitlines()
    except OSError:
        return []


def add_options(parser: argparse.ArgumentParser, sections: Iterable[str]) -> None:
    """The options that the programs share."""
    parser.add_argument("--rows", nargs="+", choices=list(sections), help="only these; all without")
    parser.add_argument("--json", action="store_true", help="a line of JSON a figure")
    parser.add_argument("--floors", action="store_true", help="fail where a ratio is below its floor")


def shown(figures: Iterable[Figure], options: argparse.Namespace, floors: Mapping[str, float], about: str) -> int:
    """Print the figures as they come; 1 where one is below its floor."""
    if not options.json:
        print(f"{machine()}. {about}\n\n{HEAD}", flush=True)
    low: list[str] = []
    for figure in figures:
        print(figure.as_json() if options.json else figure.row(), flush=True)
        floor = floors.get(f"{figure.what}, {figure.against}", 0)
        if options.floors and figure.ratio < floor:
            low.append(f"below its floor of {floor}: {figure.what}, {figure.ratio:.2f}")
    for line in low:
        print(line, file=sys.stderr)
    return 1 if low else 0


def chosen(options: argparse.Namespace, sections: Sequence[str]) -> Sequence[str]:
    """The sections to measure."""
    return options.rows or sections
