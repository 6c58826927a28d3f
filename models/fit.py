"""Does a model fit in the memory that is free now, and with how long a context?"""

import ctypes
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Verdict = Literal["fits", "tight", "will not fit"]

OVERHEAD = 500 << 20  # bytes beside weights and cache: Python, numpy, llama.cpp's buffers for one batch
SPARE = 512 << 20  # what must stay free for a plain "fits"
CONTEXTS = (8192, 6144, 4096, 3072, 2048)  # tried in this order
_Q8_SHARE = 17 / 32  # of a 16-bit cache: 32 values in 34 bytes


@dataclass(frozen=True, slots=True)
class Fit:
    """How a model would be opened. All sizes in bytes."""

    verdict: Verdict
    n_ctx: int
    small_cache: bool
    needed: int
    free: int


def needed_memory(file_size: int, cache_per_token: int, n_ctx: int, *, small_cache: bool = False) -> int:
    """Weights, keys and values, and the rest."""
    cache = cache_per_token * n_ctx
    return file_size + (int(cache * _Q8_SHARE) if small_cache else cache) + OVERHEAD


def fit(
    file_size: int, cache_per_token: int, *, trained: int = 0, wanted: int = CONTEXTS[0], free: int | None = None
) -> Fit:
    """The longest context, up to the wanted one, that fits; a shorter one before 8-bit keys and values.

    Args:
        file_size: bytes of the model file.
        cache_per_token: bytes of 16-bit keys and values for one token.
        trained: the context that the model was trained for, 0 where unknown.
        wanted: the context that the caller would like.
        free: bytes of free memory; asked of the system by default.
    """
    available = free_memory() if free is None else free
    longest = min(wanted, trained or wanted)
    contexts = [longest, *(n_ctx for n_ctx in CONTEXTS if n_ctx < longest)]
    for small_cache in (False, True):
        for n_ctx in contexts:
            needed = needed_memory(file_size, cache_per_token, n_ctx, small_cache=small_cache)
            if needed <= available:
                plenty = n_ctx == longest and not small_cache and needed + SPARE <= available
                return Fit("fits" if plenty else "tight", n_ctx, small_cache, needed, available)
    return Fit("will not fit", contexts[-1], True, needed, available)


def free_memory() -> int:
    """Bytes that programs can still get without swapping. Generous where the system cannot be asked."""
    if sys.platform == "win32":
        return _free_on_windows()
    if sys.platform == "darwin":
        return _free_on_mac()
    try:
        return meminfo_available(Path("/proc/meminfo").read_text())
    except (OSError, ValueError):
        return 1 << 62


def meminfo_available(text: str) -> int:
    """MemAvailable of /proc/meminfo; the kernel counts file caches that it can drop."""
    for line in text.splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    raise ValueError("no MemAvailable in /proc/meminfo")


def _free_on_windows() -> int:  # pragma: no cover - Windows only
    class Status(ctypes.Structure):
        _fields_ = (
            ("length", ctypes.c_ulong),
            ("load", ctypes.c_ulong),
            *((name, ctypes.c_ulonglong) for name in ("total", "free", "p", "fp", "v", "fv", "extended")),
        )

    status = Status()
    status.length = ctypes.sizeof(status)
    asked = ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status))  # type: ignore[attr-defined]
    return int(status.free) if asked else 1 << 62


def _free_on_mac() -> int:  # pragma: no cover - macOS only
    """Free, inactive and purgeable pages, as the system's own tool counts them."""
    try:
        said = subprocess.run(["/usr/bin/vm_stat"], capture_output=True, text=True, check=True, timeout=5).stdout
    except (OSError, subprocess.SubprocessError):
        return 1 << 62
    return vm_stat_available(said)


def vm_stat_available(text: str) -> int:
    """Bytes that macOS can hand out, from what `vm_stat` prints."""
    head, *lines = text.splitlines()
    page = int("".join(filter(str.isdigit, head)) or 4096)
    counted = ("Pages free", "Pages inactive", "Pages purgeable", "Pages speculative")
    return page * sum(int(line.split()[-1].rstrip(".")) for line in lines if line.startswith(counted))
