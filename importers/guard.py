"""The promise of every importer that nothing in a file can raise, kept in one place.

`converted` makes one bad record cost one record; `guarded` turns whatever else a damaged file brings about
into a last Problem. Only an OSError passes, since a full or failing disk is not the file's fault.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from importers.base import Item, Message, Problem, excerpt
from importers.source import SourceError

Record = TypeVar("Record")
_PLAIN = {
    "RecursionError": "it is nested too deeply",
    "UnicodeDecodeError": "its letters are in no known encoding",
    "OverflowError": "a number in it is too large",
    "KeyError": "a part of it is missing",
    "TypeError": "a part of it is of another kind than expected",
    "AttributeError": "a part of it is of another kind than expected",
}


def guarded(items: Iterator[Item]) -> Iterator[Item]:
    """The same items; an exception becomes a Problem after the last line that was read well."""
    last = 0
    try:
        for item in items:
            if isinstance(item, Message | Problem):
                last = max(last, item.line)
            yield item
    except OSError:
        raise
    except SourceError as error:
        yield Problem(last, str(error), skipped=0)
    except Exception as error:  # noqa: BLE001 - see the module's promise
        yield Problem(last + 1, f"Nothing could be read from here on: {_reason(error)}.")


def converted(
    records: Iterable[tuple[int, Record]],
    convert: Callable[[int, Record], Iterable[Item]],
    *,
    lost: int = 1,
) -> Iterator[Item]:
    """What `convert` makes of each numbered record; one that it cannot take is a Problem that skips `lost`."""
    for number, record in records:
        try:
            items = tuple(convert(number, record))
        except OSError:
            raise
        except Exception as error:  # noqa: BLE001 - see the module's promise
            yield Problem(number, f"This record was left out: {_reason(error)}.", excerpt(str(record)[:200]), lost)
        else:
            yield from items


def _reason(error: Exception) -> str:
    """In plain words what is wrong with the input, by the exception that it brought about."""
    return _PLAIN.get(type(error).__name__, "the file is damaged or not complete")
