"""The lock is tried in processes of their own, since it cannot be taken off again."""

import platform
import subprocess
import sys

import pytest

LOCKS = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")


def run_locked(code: str) -> str:
    program = f"from engine.lockdown import lock, locked\nassert lock()\nassert locked()\n{code}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


@pytest.mark.skipif(not LOCKS, reason="this system has no seccomp")
@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET"])
def test_no_socket_reaches_a_network(family: str) -> None:
    code = f"""
import socket
try:
    socket.socket(socket.{family}, socket.SOCK_DGRAM)
except PermissionError:
    print("refused")
"""
    assert run_locked(code) == "refused"


@pytest.mark.skipif(not LOCKS, reason="this system has no seccomp")
def test_threads_and_children_are_locked_too_and_local_sockets_still_work() -> None:
    code = """
import socket, subprocess, sys, threading
a, b = socket.socketpair()
a.close(), b.close()
def refused():
    try:
        socket.create_connection(("127.0.0.1", 9), 1)
    except PermissionError:
        print("refused", flush=True)
thread = threading.Thread(target=refused)
thread.start(), thread.join()
child = "import socket\\ntry:\\n    socket.socket()\\nexcept PermissionError:\\n    print('refused')"
subprocess.run([sys.executable, "-c", child], check=True)
"""
    assert run_locked(code).split() == ["refused", "refused"]


@pytest.mark.skipif(not LOCKS, reason="this system has no seccomp")
def test_a_lock_is_put_on_before_threads_and_holds_for_those_that_run() -> None:
    program = """
import socket, threading, time
ready, go = threading.Event(), threading.Event()
def wait():
    ready.set(); go.wait()
    try:
        socket.socket()
    except PermissionError:
        print("refused")
thread = threading.Thread(target=wait); thread.start(); ready.wait()
from engine.lockdown import lock
assert lock()
go.set(); thread.join()
"""
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "refused"
