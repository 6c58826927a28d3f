"""The same message in an export of another form: from another phone, as HTML instead of JSON.

Such exports share neither ids nor seconds. What is there before an import is therefore also recognised by
chat, minute, sender and words. Each stored message is recognised once, so two equal messages within a
minute stay two.
"""

from collections import Counter, OrderedDict

import apsw

from importers.text import strip_marks

MINUTES_KEPT = 128  # exports are nearly sorted, so the same minutes come again soon or never


class Twins:
    """The messages that one chat had before an import."""

    def __init__(self, db: apsw.Connection, chat: int, first_new: int) -> None:
        self._db = db
        self._chat = chat
        self._first_new = first_new
        self._minutes: OrderedDict[int, Counter[tuple[int, str]]] = OrderedDict()

    def take(self, time: int, sender: int, text: str) -> bool:
        """Whether a stored message of this minute is this one; it is not recognised a second time."""
        there = self._minute(time // 60)
        key = (sender, plain(text))
        if not there[key]:
            return False
        there[key] -= 1
        return True

    def _minute(self, minute: int) -> Counter[tuple[int, str]]:
        known = self._minutes.get(minute)
        if known is None:
            sql = "SELECT sender, text FROM message WHERE chat = ? AND order_time BETWEEN ? AND ? AND id < ?"
            rows = self._db.execute(sql, (self._chat, minute * 60, minute * 60 + 59, self._first_new))
            known = Counter((int(str(sender)), plain(str(text))) for sender, text in rows)
            self._minutes[minute] = known
            if len(self._minutes) > MINUTES_KEPT:
                self._minutes.popitem(last=False)
        return known


def plain(text: str) -> str:
    """A text as both forms of an export have it."""
    return " ".join(strip_marks(text).split())
