"""The engine gives up the network at its start: from then on no socket but a local one can be made.

A seccomp filter (Linux, x86-64 and arm64) refuses `socket` and `socketpair` for every family but AF_UNIX,
and io_uring, which could make sockets past it; calls of a foreign architecture end the process. It cannot be
taken off again and holds for all threads and children. Elsewhere `lock` says that there is no such lock.

The filter is classic BPF over `struct seccomp_data` (number, arch, instruction pointer, arguments); see
seccomp(2) and linux/seccomp.h for the constants.
"""

import ctypes
import errno
import platform
import re
import struct
import sys
from collections.abc import Iterator
from pathlib import Path

AF_UNIX = 1
_PR_SET_NO_NEW_PRIVS = 38
_SET_MODE_FILTER = 1
_ALL_THREADS = 1  # SECCOMP_FILTER_FLAG_TSYNC
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050000 | errno.EACCES, 0x80000000
_LOAD_WORD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_NUMBER, _ARCH, _FIRST_ARGUMENT = 0, 4, 16
_X32 = 0x40000000  # the x32 ABI's numbers start here

# architecture → (audit arch, seccomp, socket, socketpair, io_uring_setup)
_CALLS = {
    "x86_64": (0xC000003E, 317, 41, 53, 425),
    "aarch64": (0xC00000B7, 277, 198, 199, 425),
}


def _program(arch: int, sockets: tuple[int, int], io_uring: int) -> Iterator[tuple[int, int, int, int]]:
    """Instructions as (code, jump if true, jump if false, k)."""
    yield _LOAD_WORD, 0, 0, _ARCH
    yield _IF_EQUAL, 1, 0, arch
    yield _RETURN, 0, 0, _KILL
    yield _LOAD_WORD, 0, 0, _NUMBER
    yield _IF_AT_LEAST, 0, 1, _X32
    yield _RETURN, 0, 0, _KILL
    yield _IF_EQUAL, 0, 1, io_uring
    yield _RETURN, 0, 0, _REFUSE
    yield _IF_EQUAL, 2, 0, sockets[0]
    yield _IF_EQUAL, 1, 0, sockets[1]
    yield _RETURN, 0, 0, _ALLOW
    yield _LOAD_WORD, 0, 0, _FIRST_ARGUMENT
    yield _IF_EQUAL, 0, 1, AF_UNIX
    yield _RETURN, 0, 0, _ALLOW
    yield _RETURN, 0, 0, _REFUSE


class _Filter(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def lock() -> bool:
    """Give up the network for this process and its children. False where the system has no such lock."""
    calls = _CALLS.get(platform.machine())
    if sys.platform != "linux" or calls is None or sys.maxsize < 2**32:
        return False
    arch, seccomp, socket, socketpair, io_uring = calls
    packed = b"".join(struct.pack("=HBBI", *line) for line in _program(arch, (socket, socketpair), io_uring))
    memory = ctypes.create_string_buffer(packed, len(packed))
    program = _Filter(len(packed) // 8, ctypes.cast(memory, ctypes.c_void_p))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return bool(libc.syscall(seccomp, _SET_MODE_FILTER, _ALL_THREADS, ctypes.byref(program)) == 0)


def seccomp_mode(process: int, root: Path = Path("/proc")) -> int | None:
    """What the kernel says of a process: 2 where a filter like ours holds, 0 where none does; None elsewhere."""
    try:
        status = (root / str(process) / "status").read_text("utf-8")
    except OSError:
        return None
    found = re.search(r"^Seccomp:\s*(\d)", status, re.MULTILINE)
    return int(found[1]) if found else None
