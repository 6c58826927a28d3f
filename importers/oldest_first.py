"""Messages of a file that may be written newest first, given oldest first."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import chain

from importers.base import Item, Message
from importers.in_time_order import in_time_order

HELD = 50_000  # messages; Meta's files have 10,000 at most, so beyond that the slower way is good enough


def oldest_first(items: Iterable[Item]) -> Iterator[Item]:
    """Everything else at once, then the messages by time.

    Messages of the same time keep the file's order, turned round where the file is written newest first.
    """
    held: list[Message] = []
    incoming = iter(items)
    for item in incoming:
        if not isinstance(item, Message):
            yield item
            continue
        held.append(item)
        if len(held) > HELD:
            yield from in_time_order(chain(held, incoming))
            return
    dated = [moment(m) for m in held if m.timestamp]
    if dated and dated[0] > dated[-1]:
        held.reverse()
    yield from _sorted(held)


def _sorted(messages: list[Message]) -> list[Message]:
    """By time; a message without one stays behind the message before it."""
    keys: list[float] = []
    for message in messages:
        keys.append(moment(message) if message.timestamp else keys[-1] if keys else 0.0)
    return [messages[n] for n in sorted(range(len(messages)), key=keys.__getitem__)]


def moment(message: Message) -> float:
    """Seconds since 1970, the wall clock taken as UTC where there is no offset; 0 without a time."""
    time = message.timestamp
    return 0.0 if time is None else (time - _EPOCH).total_seconds() if time.tzinfo is None else time.timestamp()


_EPOCH = datetime(1970, 1, 1)
