"""Copies a lock file from standard input to standard output without one package: `without.py NAME`."""

import sys
from collections.abc import Iterable, Iterator


def without(name: str, lines: Iterable[str]) -> Iterator[str]:
    """The lines but those of the package: its requirement and what is indented below it."""
    skipping = False
    for line in lines:
        if not line.startswith((" ", "\t")):
            skipping = line.startswith(f"{name}==")
        if not skipping:
            yield line


if __name__ == "__main__":
    sys.stdout.writelines(without(sys.argv[1], sys.stdin))
