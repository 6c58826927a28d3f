"""Says which of llama.cpp's processor modules should run on this Linux computer, to check what it chose itself.

llama.cpp asks the processor; this reads what Linux says of it. The two should agree.

usage: best_module.py FOLDER_OF_LIBRARIES
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

_AVX512 = "avx512f avx512cd avx512vl avx512dq avx512bw"
_HASWELL = "sse4_2 avx f16c fma avx2 bmi2"
NEEDS = {
    name: frozenset(flags.split())
    for name, flags in {
        "x64": "",
        "sse42": "sse4_2",
        "sandybridge": "sse4_2 avx",
        "ivybridge": "sse4_2 avx f16c",
        "piledriver": "sse4_2 avx f16c fma",
        "haswell": _HASWELL,
        "alderlake": f"{_HASWELL} avx_vnni",
        "skylakex": f"{_HASWELL} {_AVX512}",
        "cannonlake": f"{_HASWELL} {_AVX512} avx512vbmi",
        "cascadelake": f"{_HASWELL} {_AVX512} avx512_vnni",
        "icelake": f"{_HASWELL} {_AVX512} avx512vbmi avx512_vnni",
        "cooperlake": f"{_HASWELL} {_AVX512} avx512_vnni avx512_bf16",
        "zen4": f"{_HASWELL} {_AVX512} avx512vbmi avx512_vnni avx512_bf16",
        "sapphirerapids": f"{_HASWELL} {_AVX512} avx512vbmi avx512_vnni avx512_bf16 amx_tile amx_int8",
    }.items()
}
"""Modules of llama.cpp for x86-64 and what they use, in the words of /proc/cpuinfo."""


def best(modules: Iterable[str], flags: Iterable[str]) -> str:
    """Of the modules that the processor can run the one that uses most of it.

    Raises:
        KeyError: there is a module that is not known here.
        ValueError: the processor can run none.
    """
    flags = set(flags)
    return max((name for name in modules if NEEDS[name] <= flags), key=lambda name: len(NEEDS[name]))


def main(folder: Path) -> int:
    modules = [path.stem.removeprefix("libggml-cpu-") for path in folder.glob("libggml-cpu-*.so")]
    found = re.search(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text("utf-8"), re.MULTILINE)
    print(f"libggml-cpu-{best(modules, found[1].split() if found else ())}.so")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
