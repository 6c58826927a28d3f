"""`backscroll` without a command: the window, if there is a display for it.

Apart from the command line, whose commands load the whole engine. The window leaves that to a process of its own
and is on the screen in about half the time without it.
"""

import os
import sys

from engine.home import harden

_DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")


def open_window(home: str | None = None) -> int:
    """Show the window and stay until it is closed; 1 where there is no display for it."""
    harden()
    if not _has_display():
        sys.stderr.write("There is no display for the window. “backscroll --help” lists the commands.\n")
        return 1
    from app.gui import run

    return run(home)


def _has_display() -> bool:
    """Whether a window can be shown; Qt would end the process without a word of help."""
    return sys.platform != "linux" or any(map(os.environ.get, _DISPLAYS))
