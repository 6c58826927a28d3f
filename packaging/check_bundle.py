"""Looks a frozen program over: what must be in it, and what must not.

usage: check_bundle.py FOLDER
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from trimming import UNWANTED

MUST = {
    "llama.cpp": r"llama_cpp/lib/(lib)?llama\.(so|dylib|dll)$",
    "ggml": r"llama_cpp/lib/(lib)?ggml\.(so|dylib|dll)$",
    "ggml's base": r"llama_cpp/lib/(lib)?ggml-base\.(so|dylib|dll)$",
    "processor modules of ggml": r"llama_cpp/lib/(lib)?ggml-cpu-\w+\.(so|dylib|dll)$",
    "the database": r"apsw/.*\.(so|pyd)$",
    "the stemmers": r"(^|/)Stemmer.*\.(so|pyd)$",
    "the sample archive": r"app/sample/exports/",
    "the catalogue of models": r"models/catalogue\.toml$",
    "the translation": r"app/i18n/backscroll_zh_CN\.qm$",
    "Qt's translation": r"qtbase_zh_CN\.qm$",
    "a platform plug-in without a display": r"platforms/(lib)?qoffscreen\.",
    "drawings": r"app/icons/backscroll\.svg$",
}
NETWORK = re.compile(
    r"(^|/)(lib)?(Qt6?Network|curl|requests|urllib3|certifi|huggingface_hub|httpx|aiohttp)\b", re.I
)


def faults(names: Iterable[str]) -> list[str]:
    """What is missing and what should not be there, as sentences."""
    names = [name.replace("\\", "/") for name in names]
    missing = [what for what, pattern in MUST.items() if not any(re.search(pattern, name) for name in names)]
    unwanted = [name for name in names if UNWANTED.search(name) or NETWORK.search(name) or "diskcache/" in name]
    versions = [name for name in names if re.search(r"libggml.*\.so\.\d", name)]
    return [
        *(f"The bundle lacks {what}." for what in missing),
        *(f"{name} should not be in the bundle." for name in unwanted),
        *(f"{name} is a second copy of a library." for name in versions),
    ]


def main(folder: Path) -> int:
    found = faults(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    for fault in found:
        print(fault, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
