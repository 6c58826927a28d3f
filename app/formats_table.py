"""README's table of formats, made from the registry so that it cannot say what the code does not do.

`python -m app.formats_table --write` puts it between README's marks; without `--write` it only says
whether README is current.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from importers.base import Importer
from importers.registry import IMPORTERS

README = Path(__file__).parent.parent / "README.md"
START, END = "<!-- formats -->\n", "<!-- /formats -->"


def table(importers: Sequence[Importer] = IMPORTERS) -> str:
    """The formats as a Markdown table, by title."""
    return "\n".join(_lines(sorted(importers, key=lambda i: i.title.casefold()))) + "\n"


def _lines(importers: Sequence[Importer]) -> Iterator[str]:
    yield "| chats from | files, as the app names them | `--source` |"
    yield "|---|---|---|"
    for each in importers:
        names = ", ".join(f"`{pattern}`" for pattern in each.patterns)
        yield f"| {each.title} | {names} | `{each.platform}` |"


def with_table(text: str) -> str:
    """README's text with the table between its marks."""
    before, rest = text.split(START)
    _, after = rest.split(END)
    return f"{before}{START}\n{table()}\n{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the table, or say by the exit status whether README holds it."""
    parser = argparse.ArgumentParser(description="README's table of formats.")
    parser.add_argument("--write", action="store_true", help="put it into README")
    options = parser.parse_args(arguments)
    old = README.read_text(encoding="utf-8")
    new = with_table(old)
    if options.write:
        README.write_text(new, encoding="utf-8")
        return 0
    return int(old != new)


if __name__ == "__main__":
    sys.exit(main())
