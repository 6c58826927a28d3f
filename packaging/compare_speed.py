"""Speed of two builds of llama-cpp-python side by side: the wheel for every processor, and one made for this one.

Both read the same tokens with the same model and write as many, in processes that take turns, so that whatever
else the machine does falls on both. With one thread the processor seconds are counted, which stand still while
another program has the core; with more threads it is the clock, and the machine has to be quiet. What disturbs a
measurement only ever makes it slower, so the best of all is what is compared.

usage: compare_speed.py MODEL.gguf PYTHON PYTHON [--rounds 5] [--threads 1] [--read 256] [--write 24]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TEXT = "Ilse wrote that the boat would be in the water by the first week of May, if the paint dried in time. "
REPEATS = 3
ALLOWED = 0.95
"""The build for every processor has to reach this part of the native build's speed."""


def measure(model: Path, threads: int, read: int, write: int) -> dict[str, Any]:
    """Tokens a second of this Python's llama.cpp, reading and writing."""
    sys.path.insert(0, str(ROOT))
    from models.llama import BATCH, Llama, Settings, processor_module

    clock = time.process_time if threads == 1 else time.perf_counter
    llama = Llama(model, Settings(read + write + BATCH, threads))
    tokens = (llama.tokens(TEXT) * (read // 10))[:read]
    llama.read(tokens[:BATCH], 0)  # the first use of the weights fetches them from the disk
    llama.rewind(0)
    reading, writing = [], []
    for _ in range(REPEATS):
        begun = clock()
        for place in range(0, read, BATCH):
            llama.read(tokens[place : place + BATCH], place)
        middle = clock()
        for place in range(read, read + write):
            llama.read([int(llama.logits().argmax())], place)
        reading.append(read / (middle - begun))
        writing.append(write / (clock() - middle))
        llama.rewind(0)
    llama.close()
    return {"read": max(reading), "write": max(writing), "module": processor_module()}


def compare(options: argparse.Namespace) -> list[list[dict[str, Any]]]:
    """The measurements of each build; the order changes with every round."""
    found: list[list[dict[str, Any]]] = [[], []]
    for number in range(options.rounds):
        for which in (0, 1) if number % 2 else (1, 0):
            command = [options.pythons[which], __file__, str(options.model), "--measure"]
            for name in ("threads", "read", "write"):
                command += [f"--{name}", str(getattr(options, name))]
            environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
            found[which].append(json.loads(done.stdout))
    return found


def report(found: list[list[dict[str, Any]]], pythons: list[str]) -> bool:
    """Print the best and the ratios; whether the first build is as fast as it has to be."""
    good = True
    for what in ("read", "write"):
        first, second = (max(each[what] for each in build) for build in found)
        ratios = sorted(one[what] / two[what] for one, two in zip(*found, strict=True))
        good = good and first / second >= ALLOWED
        print(
            f"{what:5}  {first:7.2f} and {second:7.2f} tokens a second, ratio {first / second:.3f}; "
            f"round by round {statistics.median(ratios):.3f} (median; {ratios[0]:.3f} to {ratios[-1]:.3f})"
        )
    for build, python in zip(found, pythons, strict=True):
        print(f"{python}: {build[0]['module']}")
    return good


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=Path)
    parser.add_argument("pythons", nargs="*")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--read", type=int, default=256)
    parser.add_argument("--write", type=int, default=24)
    parser.add_argument("--measure", action="store_true", help="only this Python, once, as JSON")
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(options.model, options.threads, options.read, options.write)))
        return 0
    if len(options.pythons) != 2:
        parser.error("two Pythons are needed: one with each build")
    return 0 if report(compare(options), options.pythons) else 1


if __name__ == "__main__":
    sys.exit(main())
