"""Which column of a table means what: the guess for the preview, and what the person says instead."""

import re

from engine.errors import KnownError
from importers.source import Source
from importers.table import columns
from importers.table_columns import FIELDS

TABLES = frozenset({"csv", "tsv", "txt", "json", "jsonl", "ndjson"})
_NEXT = re.compile(rf",(?=\s*(?:{'|'.join(FIELDS)})\s*=)")
ADVICE = f"Write pairs such as time=Date,sender=From,text=Body. The fields are {', '.join(FIELDS)}."


def written_columns(text: str) -> dict[str, str]:
    """`time=Date,sender=From,text=Body` as our fields with their columns. Raises KnownError."""
    found: dict[str, str] = {}
    for pair in filter(None, (p.strip() for p in _NEXT.split(text))):
        field, mark, column = pair.partition("=")
        if not mark or field.strip() not in FIELDS:
            raise KnownError(f"“{pair}” names no field of a message.", advice=ADVICE)
        found[field.strip()] = column.strip()
    return found


def headings(source: Source) -> tuple[str, ...]:
    """The names of a table's columns; nothing where it cannot be a table."""
    if source.suffix not in TABLES or source.members() or not source.head:
        return ()
    names = columns(source)
    return names if len(names) > 1 and all(n.strip() for n in names) else ()


def has_columns(source: Source, wanted: dict[str, str]) -> bool:
    """Whether a source is a table with all columns that the person named."""
    named = {column for column in wanted.values() if column}
    return bool(named) and named <= set(headings(source))
