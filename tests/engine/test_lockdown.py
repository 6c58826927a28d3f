"""The lock is tried in processes of their own, since it cannot be taken off again."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from app import cli
from engine import lockdown

LOCKS = sys.platform == "linux" and platform.machine() in ("x86_64", "aarch64")


def run_locked(code: str) -> str:
    program = f"from engine.lockdown import lock\nassert lock()\n{code}"
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


class Process:
    """The program in one of its roles, asked over its pipes."""

    def __init__(self, role: str, home: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "app", role, "--home", str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "BACKSCROLL_NO_KEYRING": "1", "BACKSCROLL_MODELS": str(home / "models")},
        )
        self.pid = json.loads(self._line())["data"]["pid"]

    def _line(self) -> bytes:
        assert self._process.stdout
        return self._process.stdout.readline()

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"id": 1, "method": method, "params": params}).encode() + b"\n")
        self._process.stdin.flush()
        while True:
            said: dict[str, Any] = json.loads(self._line())
            if "event" not in said:
                return said

    def filters(self) -> int:
        """Seccomp filters over the process, by the kernel's own count."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="utf-8")
        return int(status.split("Seccomp_filters:")[1].split()[0])

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.close()
        assert self._process.wait(20) == 0
        self._process.stdout.close()


def filters_here() -> int:
    return int(Path("/proc/self/status").read_text(encoding="utf-8").split("Seccomp_filters:")[1].split()[0])


@pytest.mark.skipif(not LOCKS, reason="this system has no seccomp")
def test_the_engine_is_locked_and_cannot_be_asked_to_fetch(tmp_path: Path) -> None:
    engine = Process("--engine", tmp_path / "home")
    assert engine.filters() == filters_here() + 1
    assert engine.ask("status")["result"]["network_lock"] is True
    assert "models_get" in engine.ask("models_get", id="default")["error"]["sentence"]
    engine.close()


@pytest.mark.skipif(not LOCKS, reason="this system has no seccomp")
def test_only_the_fetching_process_keeps_the_network_and_it_knows_nothing_else(tmp_path: Path) -> None:
    fetcher = Process("--fetcher", tmp_path / "home")
    assert fetcher.filters() == filters_here()
    for method in ("status", "search", "ask", "import", "erase"):
        assert method in fetcher.ask(method)["error"]["sentence"]
    assert "no-such-model" in fetcher.ask("models_get", id="no-such-model")["error"]["sentence"]
    fetcher.close()
    assert not (tmp_path / "home" / "archive.db").exists()


@pytest.mark.skipif(not LOCKS, reason="this system has no seccomp")
@pytest.mark.parametrize(
    ("arguments", "locks"),
    [(["formats"], True), (["models", "list"], True), (["models", "get", "no-such-model"], False)],
)
def test_every_command_but_getting_a_model_locks_itself(
    arguments: list[str], locks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[bool] = []
    monkeypatch.setattr("engine.lockdown.lock", lambda: called.append(True))
    monkeypatch.setattr("sys.argv", ["backscroll", *arguments])
    monkeypatch.setattr("app.cli.harden", lambda: None)
    cli.main()
    assert bool(called) is locks


@pytest.mark.parametrize(("said", "mode"), [("Name:\tx\nSeccomp:\t2\n", 2), ("Name:\tx\n", None)])
def test_what_the_kernel_says_of_a_process_is_read(tmp_path: Path, said: str, mode: int | None) -> None:
    (tmp_path / "7").mkdir()
    (tmp_path / "7" / "status").write_text(said)
    assert lockdown.seccomp_mode(7, tmp_path) == mode
    assert lockdown.seccomp_mode(8, tmp_path) is None
