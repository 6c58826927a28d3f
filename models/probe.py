"""Try out one model file: `python -m models.probe PATH`. A file that is refused gives a sentence and status 1."""

import sys
from pathlib import Path

from models.base import ModelError
from models.loading import check_loads


def main(arguments: list[str]) -> int:
    """Exit status 0 for a usable file, 1 for one that is refused, 2 for wrong usage."""
    if len(arguments) != 1:
        return 2
    try:
        check_loads(Path(arguments[0]))
    except ModelError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
