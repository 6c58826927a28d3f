"""Shows that nothing leaves and nothing lies about: a life with canary words, watched from outside.

`python tests/privacy/proof.py [--model PATH] [--window]` prints what was looked at, and exits with 1 when
anything was found. Every watch is also shown a planted fault, which it must notice.
"""

import argparse
import ast
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from life import CANARIES, leaks
from lives import ROOT

from engine.home import Home

NETWORK_MODULES = frozenset(
    """socket ssl http.client http.server urllib.request asyncio ftplib smtplib imaplib poplib telnetlib
    socketserver xmlrpc.client xmlrpc.server PySide6.QtNetwork PySide6.QtWebSockets PySide6.QtWebEngineCore
    requests httpx urllib3 aiohttp huggingface_hub""".split()
)
ALLOWED = "models/fetch.py"
PLANT = "import socket\ntry:\n    socket.create_connection(('192.0.2.1', 9), 0.2)\nexcept OSError:\n    {after}\n"
"""192.0.2.0/24 is kept free for documentation: nobody answers there."""


def importers_of_network(root: Path) -> list[str]:
    """The modules of the four packages that could use a network, but for the one that may."""
    found = []
    for package in ("app", "engine", "models", "importers"):
        for path in sorted((root / package).rglob("*.py")):
            names = set(_imports(ast.parse(path.read_text(encoding="utf-8"))))
            if names & NETWORK_MODULES and path.relative_to(root).as_posix() != ALLOWED:
                found.append(path.relative_to(root).as_posix())
    return found


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("import_module", "__import__"):
            yield from (a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str))


def strangers(trace: str) -> list[str]:
    """The lines of a system call trace that are about anything but local sockets."""
    return [line for line in trace.splitlines() if _is_call(line) and "AF_UNIX" not in line]


def _is_call(line: str) -> bool:
    """Whether a line begins a call that names an address or a family.

    Calls on a socket that is open already (sendmsg, shutdown …) say no family; a socket of another family
    would have had to be made first.
    """
    return re.search(r"\b(socket|socketpair|connect|bind|sendto|accept4?)\(", line) is not None and not re.search(
        r"\b(sendto|accept4?)\(\d+, .*NULL, (0|NULL)\)", line
    )


def run_life(
    folder: Path, arguments: Sequence[str] = (), *, before: Sequence[str] = (), plant: str | None = None
) -> "subprocess.CompletedProcess[str]":
    """Live in a folder, under another program, with a planted fault at the start of every Python."""
    env = {**os.environ, "BACKSCROLL_NO_KEYRING": "1", "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    if plant is not None:
        planted = folder.parent / f"{folder.name}-planted"
        planted.mkdir(exist_ok=True)
        (planted / "sitecustomize.py").write_text(plant, encoding="utf-8")
        env["PYTHONPATH"] = f"{planted}{os.pathsep}{ROOT}"
    folder.mkdir(parents=True, exist_ok=True)
    command = [*before, sys.executable, str(Path(__file__).with_name("life.py")), str(folder), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False, cwd=folder)


def traced(log: Path) -> list[str]:
    """The command that traces network calls of what follows, all children too."""
    return ["strace", "-f", "-qq", "-e", "trace=%network", "-s", "0", "-o", str(log)]


def can(*command: str) -> bool:
    """Whether a tool is there and this account may use it."""
    return shutil.which(command[0]) is not None and not subprocess.call(
        [*command, "true"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def ended(run: "subprocess.CompletedProcess[str]", well: str) -> str:
    """What is said of a life: what it was, or the last words of one that failed."""
    return run.stderr.strip()[-300:] if run.returncode else well


class Proof:
    """Collects what was looked at and what was found."""

    def __init__(self, folder: Path, arguments: Sequence[str]) -> None:
        self.folder = folder
        self.arguments = list(arguments)
        self.faults = 0

    def line(self, what: str, good: bool, said: str) -> None:
        """One line of the report."""
        self.faults += not good
        sys.stdout.write(f"{'ok   ' if good else 'FAULT'} {what}: {said}\n")
        sys.stdout.flush()

    def canaries(self) -> None:
        """Files after a life."""
        place = self.folder / "open"
        run = run_life(place, self.arguments)
        found = leaks(place)
        files = sum(path.is_file() for path in place.rglob("*"))
        self.line("life", run.returncode == 0, ended(run, "import, ask, crash, erase, quit"))
        self.line("canary words", not found, f"{files} files searched, {len(found)} with a canary {found}")
        said = [word for word in CANARIES if word.lower() in run.stderr.lower()]
        self.line("standard error", not said, f"{len(said)} canary words in what the engine wrote to it")
        (place / "tmp" / "planted.log").write_text("the parcel is at the Zorvexil desk")
        self.line("planted leak", leaks(place) == ["tmp/planted.log"], "noticed")

    def namespace(self) -> None:
        """A life without any network."""
        if not can("unshare", "-n"):
            self.line("network namespace", True, "left out: this account may not make one")
            return
        run = run_life(self.folder / "cut", self.arguments, before=["unshare", "-n"])
        self.line("network namespace", run.returncode == 0, ended(run, "a life without a network"))
        plant = PLANT.format(after="raise SystemExit(9)")
        run = run_life(self.folder / "cut2", before=["unshare", "-n"], plant=plant)
        self.line("planted connection", run.returncode != 0, "noticed in the namespace")

    def trace(self) -> None:
        """The system calls of a life."""
        log = self.folder / "trace"
        if not can(*traced(log)):
            self.line("system call trace", True, "left out: there is no strace, or this account may not use it")
            return
        run = run_life(self.folder / "traced", self.arguments, before=traced(log))
        lines = log.read_text(encoding="utf-8", errors="replace")
        odd = strangers(lines)
        self.line("traced life", run.returncode == 0, ended(run, "as before"))
        self.line(
            "system call trace", not odd, f"{len(lines.splitlines())} lines, {len(odd)} not AF_UNIX {odd[:3]}"
        )
        run_life(self.folder / "traced2", before=traced(log), plant=PLANT.format(after="pass"))
        odd = strangers(log.read_text(encoding="utf-8", errors="replace"))
        self.line("planted connection", bool(odd), f"noticed in the trace: {len(odd)} lines")

    def audit(self) -> None:
        """The imports of the source."""
        found = importers_of_network(ROOT)
        self.line("import audit", not found, f"only {ALLOWED} may use a network; others that do: {found}")
        copy = self.folder / "copy"
        for package in ("app", "engine", "models", "importers"):
            shutil.copytree(ROOT / package, copy / package, ignore=shutil.ignore_patterns("__pycache__"))
        (copy / "engine" / "helpful.py").write_text("def f():\n    from urllib.request import urlopen\n")
        self.line("planted import", importers_of_network(copy) == ["engine/helpful.py"], "noticed")


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", help="a model that answers the question of the life")
    parser.add_argument("--window", action="store_true", help="open the window, too")
    options = parser.parse_args()
    os.environ["BACKSCROLL_MODELS"] = str(Home.default().models)  # each life moves its home
    arguments = [*(["--model", options.model] if options.model else []), *(["--window"] if options.window else [])]
    with tempfile.TemporaryDirectory(prefix="backscroll-proof-") as folder:
        proof = Proof(Path(folder), arguments)
        for part in (proof.canaries, proof.namespace, proof.trace, proof.audit):
            part()
    return 1 if proof.faults else 0


if __name__ == "__main__":
    sys.exit(main())
