"""Looks a frozen program over: what must be in it, what must not, and whether it runs on old processors, too.

usage: check_bundle.py FOLDER
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from trimming import UNWANTED, our_data

ROOT = Path(__file__).resolve().parent.parent
MUST = {
    "llama.cpp": r"llama_cpp/lib/(lib)?llama\.(so|dylib|dll)$",
    "ggml": r"llama_cpp/lib/(lib)?ggml\.(so|dylib|dll)$",
    "ggml's base": r"llama_cpp/lib/(lib)?ggml-base\.(so|dylib|dll)$",
    "processor modules of ggml": r"llama_cpp/lib/(lib)?ggml-cpu-\w+\.(so|dylib|dll)$",
    "the database": r"apsw/.*\.(so|pyd)$",
    "the stemmers": r"(^|/)Stemmer.*\.(so|pyd)$",
    "encrypted connections": r"(^|/)_ssl\b.*\.(so|pyd)$",
    "the list of its data files": r"(^|/)data-files\.txt$",
    "Qt's translation": r"qtbase_zh_CN\.qm$",
    "a platform plug-in without a display": r"platforms/(lib)?qoffscreen\.",
    "Qt's reader of drawings": r"(lib)?Qt6?Svg\b",
}
NETWORK = re.compile(
    r"(^|/)(lib)?(Qt6?Network|curl|requests|urllib3|certifi|huggingface_hub|httpx|aiohttp)\b", re.I
)
FOR_ALL = re.compile(r"lib(llama|ggml|ggml-base|ggml-cpu-(x64|sse42))\.so$")
"""What every processor loads; the other modules are chosen by what the processor can do."""
WIDE = re.compile(r"%[yz]mm\d")


def faults(names: Iterable[str], data: Iterable[str] = ()) -> list[str]:
    """What is missing and what should not be there, as sentences; `data` are the files of our packages."""
    names = [name.replace("\\", "/") for name in names]
    ends = {name.removeprefix("_internal/") for name in names}
    missing = [what for what, pattern in MUST.items() if not any(re.search(pattern, name) for name in names)]
    missing += [name for name in data if name not in ends]
    unwanted = [name for name in names if UNWANTED.search(name) or NETWORK.search(name) or "diskcache/" in name]
    versions = [name for name in names if re.search(r"libggml.*\.so\.\d", name)]
    return [
        *(f"The bundle lacks {what}." for what in missing),
        *(f"{name} should not be in the bundle." for name in unwanted),
        *(f"{name} is a second copy of a library." for name in versions),
    ]


def wide_instructions(disassembly: Iterable[str]) -> int:
    """How many lines use AVX registers, which processors at the floor do not have."""
    return sum(bool(WIDE.search(line)) for line in disassembly)


def too_new(library: Path) -> str:
    """A sentence where a library that every processor loads needs more than the floor, else nothing."""
    command = ["objdump", "-d", "--no-show-raw-insn", str(library)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        found = wide_instructions(running.stdout or ())
    if running.returncode:
        return f"objdump cannot read {library.name}."
    return f"{library.name} has {found} instructions that old processors lack." if found else ""


def main(folder: Path) -> int:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    data = [path.as_posix() for path in our_data(ROOT)]
    found = faults((path.relative_to(folder).as_posix() for path in files), data)
    if shutil.which("objdump"):
        found += filter(None, (too_new(path) for path in files if FOR_ALL.search(path.name)))
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
