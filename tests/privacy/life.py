"""A whole life of the program with words that must stay in it: import, ask, search, crash, erase, quit.

`python tests/privacy/life.py FOLDER [--model PATH] [--window]` lives in FOLDER, with home, temporary folder
and working folder below it; afterwards no file there but the export and the backup's may hold a canary.
"""

import argparse
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from lives import ROOT, Engine, environment, program

CANARIES = ("zorvexil", "quambrinth", "Yllandra Moop", "Fensdrop circle", "plimjackle")
"""In a message, in a message that is asked about, a sender, a chat's title, a search."""


def export(folder: Path) -> Path:
    """A chat that holds the canaries."""
    path = folder / "exports" / f"WhatsApp Chat with {CANARIES[3]}.txt"
    path.parent.mkdir(exist_ok=True)
    said = [f"the parcel is at the {CANARIES[0]} desk", f"my {CANARIES[1]} is blue", "this line is plain"]
    lines = [f"{1 + i // 60:02d}/03/2024, 10:{i % 60:02d} - {CANARIES[2]}: {said[i % 3]} {i}" for i in range(300)]
    path.write_text(
        "\n".join([*lines, "a line that is no message", "99/99/2024, 10:00 - broken"]), encoding="utf-8"
    )
    return path


def live(folder: Path, *, model: str | None, window: bool) -> None:
    """Live once."""
    home, path = folder / "home" / "backscroll", export(folder)
    for name in ("home", "tmp", "cwd"):
        (folder / name).mkdir(exist_ok=True)
    os.environ.update(HOME=str(folder / "home"), TMPDIR=str(folder / "tmp"))
    for kind in ("CACHE", "CONFIG", "DATA", "STATE"):
        os.environ[f"XDG_{kind}_HOME"] = str(folder / "home" / kind.lower())
    question = f"What colour is the {CANARIES[1]} of {CANARIES[2]}?"
    engine = Engine(home)
    assert engine.ask("preview", paths=[str(path)])["files"][0]["status"] == "recognised"
    assert engine.ask("import", paths=[str(path)], me=CANARIES[2])["messages"] >= 300
    (hit, *_) = engine.ask("search", query=CANARIES[0], k=3)["hits"]
    engine.ask("transcript", chat_id=hit["chat_id"], around=hit["messages"][0])
    asked = engine.ask("ask", question=question, now="2024-04-01", model=model)
    assert asked["citations"] or asked["nearest"]
    for wrong in (
        {"method": "transcript", "chat_id": CANARIES[4]},
        {"method": "search", "query": "x", "from": CANARIES[4]},
    ):
        engine.send(**wrong)
        assert "error" in engine.end()
    engine.send("ask", question=question, now="2024-04-01", model=model)
    time.sleep(0.2)
    os.kill(engine.pid, signal.SIGSEGV)
    engine.kill()
    again = Engine(home)
    assert again.ask("verify")["ok"]
    again.ask("passphrase", passphrase="plain words of the proof")
    again.ask("passphrase", passphrase=None)
    again.close()
    commands = (
        ["search", CANARIES[4]], ["ask", question, "--mode", "quick"], ["stats"], ["verify"],
        ["backup", str(folder / "chats.backup")], ["import", str(folder / f"{CANARIES[4]}.txt")],
    )  # fmt: skip
    for command in commands:
        program(home, command)
    if window:
        look(folder, home)
    assert not leaks(folder)
    assert program(home, ["erase", "--chat", CANARIES[3], "--yes"]).returncode == 0


def look(folder: Path, home: Path) -> None:
    """Use the window: import, search, read, ask, save. It answers without a model; the engine above had one."""
    env = {**environment(home), "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    env["BACKSCROLL_MODELS"] = str(folder / "no-models")
    command = [sys.executable, str(Path(__file__).with_name("window_life.py")), str(folder)]
    assert subprocess.call(command, cwd=folder, env=env) == 0, "the window was not gone through"


def leaks(folder: Path) -> list[str]:
    """The files that hold a canary, in bytes or names."""
    found = []
    needles = [form for word in CANARIES for form in (word.encode(), word.encode("utf-16-le"))]
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.parent != folder / "exports":
            data = str(path.relative_to(folder)).encode() + b"\n" + path.read_bytes()
            if any(needle.lower() in data.lower() for needle in needles):
                found.append(str(path.relative_to(folder)))
    return found


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--window", action="store_true")
    options = parser.parse_args()
    live(options.folder.absolute(), model=options.model, window=options.window)
    return 0


if __name__ == "__main__":
    sys.exit(main())
