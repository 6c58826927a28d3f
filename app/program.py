"""The command that starts this program again, for the processes beside the window."""

import sys
from pathlib import Path


def this_program() -> list[str]:
    """The frozen program, else this Python with our package.

    Frozen for Windows the window has no standard streams; the same program with streams lies beside it.
    """
    if not getattr(sys, "frozen", False):
        return [sys.executable, "-m", "app"]
    beside = Path(sys.executable).with_name("backscroll-cli.exe")
    return [str(beside) if beside.exists() else sys.executable]
