"""Messages of a file that is not in the order of time, put in that order in little memory.

Some exports are newest first, others list one kind of message after another. The messages wait in compressed
blocks, about a tenth of their size; only their times are held open and sorted.
"""

import pickle
import zlib
from array import array
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache

from importers.base import Item, Message

_BLOCK = 500


def in_time_order(items: Iterable[Item]) -> Iterator[Item]:
    """Facts and problems at once, then the messages, oldest first; of equal times the file's order.

    A message without a time stays behind the one before it in the file.
    """
    times = array("d")
    blocks: list[bytes] = []
    open_block: list[Message] = []
    for item in items:
        if not isinstance(item, Message):
            yield item
            continue
        times.append(_seconds(item.timestamp, times[-1] if times else 0.0))
        open_block.append(item)
        if len(open_block) == _BLOCK:
            blocks.append(zlib.compress(pickle.dumps(open_block), 1))
            open_block = []
    load = _loader(blocks)
    for number in sorted(range(len(times)), key=times.__getitem__):
        block, place = divmod(number, _BLOCK)
        yield (load(block) if block < len(blocks) else open_block)[place]


def _loader(blocks: list[bytes]) -> Callable[[int], list[Message]]:
    @lru_cache(maxsize=32)
    def load(block: int) -> list[Message]:
        messages: list[Message] = pickle.loads(zlib.decompress(blocks[block]))
        return messages

    return load


def _seconds(moment: datetime | None, before: float) -> float:
    if moment is None:
        return before
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
