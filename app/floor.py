"""Whether this processor can run the program at all, said in plain words before anything fast is loaded.

NumPy and Qt are built for x86-64-v2 (2009 and later). On an older processor they would end the process with
“illegal instruction”, which tells a person nothing. llama.cpp picks its own code for the processor when it starts.
"""

import contextlib
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

NEEDED = frozenset({"cx16", "lahf_lm", "popcnt", "sse4_1", "sse4_2", "ssse3"})
SENTENCE = (
    "Backscroll needs a processor with SSE4.2, which Intel and AMD have built since about 2009 to 2011. "
    "This computer's processor does not have it, so Backscroll cannot run here."
)
_SSE4_2 = 38  # PF_SSE4_2_INSTRUCTIONS_AVAILABLE of winnt.h
_DIALOGS = (("zenity", "--error", "--text"), ("kdialog", "--error"), ("xmessage",))


def lacking(cpuinfo: Iterable[str]) -> set[str]:
    """The needed features that the lines of /proc/cpuinfo do not name; none where they name no features."""
    flags = next((line.split(":", 1)[1].split() for line in cpuinfo if line.startswith("flags")), None)
    return set() if flags is None else set(NEEDED - set(flags))


def too_old() -> bool:
    """Whether the processor is below the floor. In doubt it is not: other processors have no such floor."""
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return bool(lacking(Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines()))
    if sys.platform == "win32":
        import ctypes

        return not ctypes.windll.kernel32.IsProcessorFeaturePresent(_SSE4_2)
    return False


def complain() -> None:
    """Say why the program ends, also to a person who started it from a menu."""
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.user32.MessageBoxW(None, SENTENCE, "Backscroll", 0x10)
        return
    if sys.stderr:
        sys.stderr.write(f"{SENTENCE}\n")
        if sys.stderr.isatty():
            return
    for program, *options in _DIALOGS:
        if path := shutil.which(program):
            subprocess.run([path, *options, SENTENCE], check=False)
            return
