"""CSV as a stream of rows that know their lines, for formats whose columns are known.

A row with a fault costs that row. Quotes are matched by the csv module, never by hand, since a text may hold
commas, quotes and line breaks.
"""

import csv
from collections.abc import Iterator
from typing import NamedTuple

from importers.base import Problem
from importers.source import Source
from importers.text import decoded_lines


class Row(NamedTuple):
    """The cells of a row, its first line and how many lines it covers."""

    cells: list[str]
    line: int
    lines: int


def csv_rows(source: Source, encoding: str | None = None, delimiter: str = ",") -> Iterator[Row | Problem]:
    """All rows in order, the one with the column names and empty ones included."""
    lines = (f"{line.replace(chr(0), '')}\n" for _, line in decoded_lines(source, encoding))
    reader = csv.reader(lines, delimiter=delimiter)
    last = 0
    while True:
        try:
            cells = next(reader, None)
        except csv.Error:
            cells = []
            yield Problem(
                last + 1, "These lines are no CSV: a quote is open for too long.", "", reader.line_num - last
            )
        else:
            if cells is None:
                return
            yield Row(cells, last + 1, reader.line_num - last)
        last = reader.line_num
