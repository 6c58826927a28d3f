"""Counts the network connections of a process, from what the system itself says. Linux only; pure reading.

A hardened process can only be asked about itself, so the window and the engine each count their own.

A process's sockets are links `socket:[inode]` below /proc/PID/fd; /proc/PID/net/{tcp,udp,…} lists the
inodes of network sockets. Sockets of other kinds (to the display, between processes) are not counted.
"""

import re
from pathlib import Path

TABLES = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
_SOCKET = re.compile(r"socket:\[(\d+)\]")
INODE = 9  # column of the tables


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
