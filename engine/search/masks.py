"""Filters as a mask over documents, applied before anything is ranked."""

from collections.abc import Collection
from datetime import UTC, date, datetime, time

import numpy as np

from engine.index import NO_TIME, Bools, Columns

DAY = 86_400


def day_start(day: date) -> int:
    """Midnight of a day of the wall clock, in seconds since 1970."""
    return int(datetime.combine(day, time(), UTC).timestamp())


def among(values: "np.ndarray[tuple[int], np.dtype[np.int32]]", wanted: Collection[int]) -> Bools:
    """Which of small non-negative numbers are wanted; one look-up each."""
    table = np.zeros(int(values.max(initial=-1)) + 1, np.bool_)
    known = [w for w in wanted if 0 <= w < len(table)]
    table[known] = True
    return table[values]


def document_mask(
    columns: Columns,
    *,
    date_from: date | None = None,
    date_to: date | None = None,
    chats: Collection[int] | None = None,
    senders: Collection[int] | None = None,
    seen_sessions: Collection[int] = (),
) -> Bools | None:
    """True for documents that may be found; None where nothing is left out.

    Dates are inclusive. A turn without a time lies in no date range. None for `chats` or `senders` means
    all of them, an empty collection none.
    """
    parts: list[Bools] = []
    if date_from is not None:
        parts.append(columns.time >= day_start(date_from))
    if date_to is not None:
        parts.append((columns.time < day_start(date_to) + DAY) & (columns.time != NO_TIME))
    if chats is not None:
        parts.append(among(columns.chat, chats))
    if senders is not None:
        parts.append(among(columns.sender, senders))
    if seen_sessions:
        parts.append(~among(columns.session, seen_sessions))
    if not parts:
        return None
    mask = parts[0]
    for part in parts[1:]:
        mask = mask & part
    return mask
