"""Many questions in a row to one engine process: its memory must level off, files must not grow, answers stay.

`python tests/privacy/endurance.py --messages 1000000 --questions 200 --model ID` prints the memory as it goes.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from lives import WORDS, Engine, write_chat

from engine.home import Home

GROWTH = 1.10  # of the memory over the second half
DIFFERENT = 20  # questions, asked again and again


def memory_of(pid: int) -> int:
    """Resident bytes of a process, without the pages of mapped files."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
    return int(status.split("RssAnon:")[1].split()[0]) * 1024


def computed_by(pid: int) -> float:
    """Seconds of processor time of a process: what it costs, whatever else the computer does."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def files_of(home: Path) -> dict[str, int]:
    """The files of a home, but for the database's own log, with their sizes."""
    names = (path for path in home.rglob("*") if path.is_file() and path.suffix not in (".db-wal", ".db-shm"))
    return {path.name: path.stat().st_size for path in names}


def sizes(home: Path) -> str:
    """The larger files, for the report."""
    return "files in MB: " + " ".join(
        f"{name} {size / 1e6:.1f}" for name, size in files_of(home).items() if size > 1e5
    )


def tell(line: str) -> None:
    """A line of the report."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def question(number: int) -> str:
    """One of the different questions, about one message."""
    count = 997 * (number + 1)
    return f"Who wrote about the {WORDS[count % len(WORDS)]} {count}?"


def answered(engine: Engine, number: int, model: str | None) -> Any:
    """What of an answer must not change."""
    said = engine.ask("ask", question=question(number), now="2024-04-01", model=model, mode="quick")
    return said["answer"], [each["turn"] for each in said["citations"]], said["evidence"]


def found(engine: Engine, number: int) -> Any:
    """The turns that the search finds for a question."""
    said = engine.ask("search", query=question(number), k=20)
    return [each["turn"] for each in said["hits"]]


def run(messages: int, questions: int, model: str | None, every: int = 1) -> list[str]:
    """What went wrong."""
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="backscroll-endurance-") as folder:
        home = Path(folder) / "home"
        engine = Engine(home)
        export, began = write_chat(Path(folder), messages), time.monotonic()
        engine.ask("import", paths=[str(export)])
        tell(f"{messages:,} messages imported in {time.monotonic() - began:.0f} s; {sizes(home)}")
        first: dict[int, Any] = {}
        curve: list[int] = []
        files: dict[str, int] = {}
        for number in range(questions):
            which = number % DIFFERENT
            said = found(engine, which) if which % every else answered(engine, which, model)
            if first.setdefault(which, said) != said:
                faults.append(f"question {number} was answered in another way than the first time")
            engine.ask("search", query=WORDS[number % len(WORDS)], k=20)
            if number % 10 == 0:  # it counts every message
                engine.ask("chats")
            if (number + 1) % max(1, questions // 10) == 0:
                curve.append(memory_of(engine.pid))
                took = f"{time.monotonic() - began:.0f} s, {computed_by(engine.pid):.0f} s computed"
                tell(f"{number + 1} questions, {took}: {curve[-1] / 1e6:.0f} MB; {sizes(home)}")
            if number == questions // 2:
                files = files_of(home)
        tell("memory in MB: " + " ".join(f"{size / 1e6:.0f}" for size in curve))
        if curve[-1] > GROWTH * curve[len(curve) // 2]:
            faults.append("the memory went on growing")
        grown = {name: size for name, size in files_of(home).items() if size > 1.05 * files.get(name, 0) + 2**20}
        if grown:
            faults.append(f"files grew: {grown}")
        if not engine.ask("verify")["ok"]:
            faults.append("the archive does not agree with itself")
        engine.close()
    return faults


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--model")
    parser.add_argument("--every", type=int, default=1, help="the model answers one of so many, search the others")
    options = parser.parse_args()
    os.environ["BACKSCROLL_MODELS"] = str(Home.default().models)  # the home is moved
    faults = run(options.messages, options.questions, options.model, options.every)
    for fault in faults:
        tell(fault)
    tell(f"{options.questions} questions over {options.messages:,} messages: {len(faults)} faults")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
