"""What a process does with the network: what is open now, and what was tried since its start.

What is open comes from what the system itself says (Linux only; pure reading). What was tried comes from Python's
own audit of its socket calls, on every system; libraries in C have none here (`make proof` watches their system
calls, too).

A hardened process can only be asked about itself, so the window and the engine each count their own.

A process's sockets are links `socket:[inode]` below /proc/PID/fd; /proc/PID/net/{tcp,udp,…} lists the
inodes of network sockets. Sockets of other kinds (to the display, between processes) are not counted.
"""

import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

TABLES = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
_SOCKET = re.compile(r"socket:\[(\d+)\]")
INODE = 9  # column of the tables
ATTEMPTS = frozenset(
    f"socket.{call}" for call in ("bind", "connect", "getaddrinfo", "gethostbyname", "sendmsg", "sendto")
)
LOCAL = 1  # AF_UNIX: the computer talking to itself


def _own_sockets(process: Path) -> set[str]:
    found = set()
    for link in (process / "fd").iterdir():
        try:
            match = _SOCKET.fullmatch(str(link.readlink()))
        except OSError:  # closed in between
            continue
        if match:
            found.add(match[1])
    return found


def _network_sockets(process: Path) -> set[str]:
    found: set[str] = set()
    for name in TABLES:
        table = process / "net" / name
        if table.exists():
            rows = (row.split() for row in table.read_text().splitlines()[1:])
            found.update(row[INODE] for row in rows if len(row) > INODE)
    return found


def open_connections(process: str = "self", root: Path = Path("/proc")) -> int | None:
    """How many network sockets a process has open; None where the system does not say."""
    try:
        return len(_own_sockets(root / process) & _network_sockets(root / process))
    except OSError:
        return None


class Connections:
    """Counts from `watch` on, for as long as the process lives."""

    def __init__(self) -> None:
        self.since = datetime.now()
        self.tried = 0

    def watch(self) -> None:
        """Begin to count. An audit hook cannot be taken off again."""
        sys.addaudithook(self.heard)

    def heard(self, event: str, arguments: tuple[Any, ...]) -> None:
        """One event of Python's audit: a call for the network counts, whether it succeeds or not."""
        if event in ATTEMPTS and getattr(arguments[0] if arguments else None, "family", None) != LOCAL:
            self.tried += 1

    def as_json(self) -> dict[str, Any]:
        """For the window."""
        since = self.since.isoformat(timespec="seconds")
        return {"open": open_connections(), "tried": self.tried, "since": since}
