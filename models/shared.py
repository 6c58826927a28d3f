"""Folders in which an installer puts model files for all accounts. They are only ever read."""

import sys
from pathlib import Path

SYSTEM = Path("/usr/share/backscroll/models")
"""Where the Linux package of the default model puts it."""


def shared_folders() -> tuple[Path, ...]:
    """The folders beside an installed program; none for one that runs from its sources."""
    if not getattr(sys, "frozen", False):
        return ()
    program = Path(sys.executable).resolve().parent
    if sys.platform == "darwin":
        return (program.parent / "Resources" / "models",)
    return (program / "models", SYSTEM) if sys.platform == "linux" else (program / "models",)
