"""What runs models on this computer: the processor, what llama.cpp makes use of in it, and the threads."""

import platform
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from models import cores

_NAME = re.compile(r"^(?:model name|Hardware|Model)\s*:\s*(.+)$", re.MULTILINE)
_FEATURE = re.compile(r"([A-Z][A-Z0-9_]*) = 1")
_NO_INSTRUCTIONS = frozenset({"LLAMAFILE", "OPENMP", "REPACK"})  # of llama.cpp's list, its own ways of working


@dataclass(frozen=True, slots=True)
class Machine:
    """`features` are instruction sets in use; `module` is llama.cpp's library for them."""

    processor: str
    cores: int
    threads: int
    features: tuple[str, ...]
    module: str

    def as_json(self) -> dict[str, Any]:
        """For the window."""
        return asdict(self)


def machine(n_threads: int = 0) -> Machine:
    """Look at this computer. `n_threads` where it is not what suits the computer. Loads llama.cpp."""
    from models.llama import processor, processor_module

    found = dict.fromkeys(_FEATURE.findall(processor()))
    features = tuple(each for each in found if each not in _NO_INSTRUCTIONS)
    return Machine(processor_name(), cores.usable(), n_threads or cores.threads(), features, processor_module())


def processor_name(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor as its maker calls it, else what the system says."""
    try:
        found = _NAME.search(cpuinfo.read_text("utf-8", "replace"))
    except OSError:
        found = None
    return " ".join(found[1].split()) if found else platform.processor() or platform.machine()
