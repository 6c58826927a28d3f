"""Cutting chats into sessions and turns. Pure functions over messages in their order.

Session: the export's own conversation where it has one (AI chats, threads); otherwise a chat is cut
where nobody wrote for six hours. A channel that never sleeps is cut at the first half hour of silence
once a session has become long, and after a fixed number of messages at the latest, so that one append
never means writing years anew.
Turn: in AI chats a user's message with the replies that follow it; between people, consecutive messages
of one sender less than five minutes apart.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

SESSION_GAP = 6 * 3600
LONG_SESSION = 400  # messages
LONG_SESSION_GAP = 1800
LONGEST_SESSION = 2000  # messages
TURN_GAP = 300
LONGEST_TURN = 4000  # characters; a burst longer than this is several turns
AI_PLATFORMS = frozenset({"chatgpt", "claude", "gemini"})
INDEXED_KINDS = frozenset({"talk", "event"})
USER_NAMES = frozenset({"user", "human"})


class Row(NamedTuple):
    """What segmentation needs of a stored message."""

    id: int
    sender: int
    time: int  # order_time, seconds
    kind: str
    text: str  # what is indexed: the words, and the names of attachments
    from_user: bool = False  # in AI chats: written by the person


def cut_sessions(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Sessions of one chat's messages without own conversations, in order."""
    session: list[Row] = []
    last = 0
    for row in rows:
        pause = row.time - last
        last = row.time
        if session and (pause >= SESSION_GAP or (len(session) >= LONG_SESSION and _ends(len(session), pause))):
            yield session
            session = []
        session.append(row)
    if session:
        yield session


def _ends(size: int, pause: int) -> bool:
    """Whether a session that has become long ends here."""
    return pause >= LONG_SESSION_GAP or size >= LONGEST_SESSION


def cut_turns(session: Sequence[Row], *, ai: bool) -> list[list[Row]]:
    """The turns of a session; messages that are not talk (notices, deletions) belong to none."""
    turns: list[list[Row]] = []
    size = 0
    for row in session:
        if row.kind not in INDEXED_KINDS or not row.text.strip():
            continue
        last = turns[-1][-1] if turns else None
        if last is None or size + len(row.text) > LONGEST_TURN or _starts_turn(last, row, ai=ai):
            turns.append([])
            size = 0
        turns[-1].append(row)
        size += len(row.text)
    return turns


def _starts_turn(last: Row, row: Row, *, ai: bool) -> bool:
    if ai:
        return row.from_user and not last.from_user
    return row.sender != last.sender or row.time - last.time >= TURN_GAP
