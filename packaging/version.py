"""Prints the version, which engine/version.py alone holds; an error where CHANGELOG.md begins with another."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def version_of(source: str) -> str:
    """The version in the text of engine/version.py."""
    found = re.search(r'^VERSION = "([^"]+)"$', source, re.MULTILINE)
    if not found:
        raise SystemExit('engine/version.py has no line VERSION = "…".')
    return found[1]


def newest_of(changelog: str) -> str:
    """The version at the top of the change log, "" where there is none."""
    found = re.search(r"^## (\d\S*)", changelog, re.MULTILINE)
    return found[1] if found else ""


def main() -> int:
    version = version_of((ROOT / "engine" / "version.py").read_text("utf-8"))
    newest = newest_of((ROOT / "CHANGELOG.md").read_text("utf-8"))
    if newest != version:
        print(f"The version is {version}, but CHANGELOG.md begins with {newest or 'none'}.", file=sys.stderr)
        return 1
    print(version)
    return 0


if __name__ == "__main__":
    sys.exit(main())
