"""Start the programs beside this one: fetching a model (the only one with a network) and trying out a file."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from models.base import GenerationStopped, ModelError, ModelFileError, Reply, never_stop
from models.catalogue import Entry

_LOOK_EVERY = 0.1  # seconds between two looks at `should_stop`
_TRY_OUT_WITHIN = 60.0


def get(
    model: Entry,
    folder: Path,
    *,
    on_event: Callable[[str, dict[str, Any]], None],
    should_stop: Callable[[], bool] = never_stop,
) -> Path:
    """Fetch a model in a process of its own; what has come stays when it is stopped, and is gone on with.

    Args:
        model: what to fetch.
        folder: the models folder.
        on_event: "source" (name, total), "progress" (done, total, in bytes) and "checking".
        should_stop: looked at ten times a second.

    Raises:
        GenerationStopped: `should_stop` said so.
        ModelError: it could not be fetched; the sentence says why.
    """
    process = subprocess.Popen(
        helper("fetch", model.id, str(folder)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        encoding="utf-8",
    )
    lines: queue.Queue[str | None] = queue.Queue()
    pump = threading.Thread(target=_pump, args=(process, lines), daemon=True)
    pump.start()
    try:
        return _follow(lines, on_event, should_stop)
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait()
        pump.join()


def try_out(path: Path) -> None:
    """Let llama.cpp look at a file in a process of its own, which a strange file may end.

    Raises:
        ModelFileError: the file is refused, or it ended the process.
    """
    try:
        done = subprocess.run(
            helper("probe", str(path)),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_TRY_OUT_WITHIN,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise ModelFileError(f"{path.name} takes too long to open. It cannot be used.") from None
    if done.returncode:
        said = done.stdout.decode("utf-8", "replace").strip()
        raise ModelFileError(said or f"{path.name} stops the program that opens it. It cannot be used.")


def helper(name: str, *arguments: str) -> list[str]:
    """The command of a helper: a module of this package, or the frozen program with `--models-NAME`."""
    if getattr(sys, "frozen", False):
        return [sys.executable, f"--models-{name}", *arguments]
    return [sys.executable, "-m", f"models.{name}", *arguments]


def _pump(process: "subprocess.Popen[str]", lines: "queue.Queue[str | None]") -> None:
    """Move lines from the pipe, so that the reader can look up while none comes."""
    if process.stdout:
        with process.stdout as pipe:
            for line in pipe:
                lines.put(line)
    lines.put(None)


def _follow(
    lines: "queue.Queue[str | None]",
    on_event: Callable[[str, dict[str, Any]], None],
    should_stop: Callable[[], bool],
) -> Path:
    while True:
        if should_stop():
            raise GenerationStopped(Reply("", finished=False))
        try:
            line = lines.get(timeout=_LOOK_EVERY)
        except queue.Empty:
            continue
        if line is None:
            raise ModelError("Fetching the model stopped unexpectedly. Try again: what has come is kept.")
        event = json.loads(line)
        match event.pop("event"):
            case "done":
                return Path(event["path"])
            case "error":
                raise ModelError(event["sentence"])
            case name:
                on_event(name, event)
