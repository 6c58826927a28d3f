"""The engine process: JSON lines on standard input and output, so that a crash here never takes the window down.

Two lanes: work (import, model; one task at a time) and read (its own read-only connection), so that
opening a citation never waits for an answer. Cancelling is a flag that every task looks at. When the
window goes away, standard input ends and so does this process.

The engine gives up the network before it reads its first request, and so do all its children. Model files
are therefore fetched by a second process that the window starts when a person asks for one: it speaks the
same protocol, knows nothing but `models_get`, and never opens the archive.

Request   {"id": 7, "method": "ask", "params": {…}}, {"id": 8, "method": "cancel", "params": {"id": 7}}
Event     {"id": 7, "event": "progress", "data": {…}}
End       {"id": 7, "result": …} or {"id": 7, "error": {"type", "sentence", "advice", "details"}}
"""

import argparse
import json
import os
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, Protocol

import orjson

from engine import lockdown
from engine.connections import Connections
from engine.defects import place_of
from engine.desk import Desk, json_event
from engine.errors import Cancelled, EngineError, KnownError
from engine.home import Home, harden
from engine.job import Job
from engine.modelling import ModelDesk
from engine.sample import Sample
from engine.version import VERSION
from importers.private_copy import remove_leftovers
from models.base import GenerationStopped, ModelError

Json = dict[str, Any]
Handler = Callable[[Job, Json], Any]


class Channel:
    """Writes one JSON line at a time; several threads may."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, message: Json) -> None:
        """Write a line. A closed pipe means that nobody listens any more: the process ends."""
        line = orjson.dumps(message, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)
        with self._lock:
            try:
                self._stream.write(line)
                self._stream.flush()
            except (BrokenPipeError, ValueError):
                os._exit(0)


def error_shape(error: BaseException) -> Json:
    """An error as JSON; the words of a defect never hold what people wrote."""
    if isinstance(error, Cancelled | GenerationStopped):
        return {"type": "Cancelled", "sentence": "Stopped.", "advice": "", "details": ""}
    if isinstance(error, KnownError):
        return {
            "type": type(error).__name__,
            "sentence": str(error),
            "advice": error.advice,
            "details": error.details,
        }
    if isinstance(error, EngineError | ModelError):
        return {"type": type(error).__name__, "sentence": str(error), "advice": "", "details": ""}
    return {
        "type": "Defect",
        "sentence": "Something went wrong inside Backscroll.",
        "advice": "Nothing that was stored is lost. Try again; if it happens again, report the details.",
        "details": place_of(error),
    }


GIVES_WAY = "model_warm"  # stops as soon as there is anything else to do in its lane


class Lane:
    """A thread that runs requests one after the other."""

    def __init__(self, channel: Channel, name: str) -> None:
        self._channel = channel
        self._queue: queue.SimpleQueue[tuple[int, Job, Handler, Json]] = queue.SimpleQueue()
        self._busy_with: str | None = None
        threading.Thread(target=self._run, name=name, daemon=True).start()

    def put(self, request: int, method: str, job: Job, handler: Handler, params: Json) -> None:
        """Queue a request; whoever waits for another is told so."""
        if self._busy_with and self._busy_with != method:
            job.emit("step", text=f"Waiting until “{self._busy_with}” is done")
        self._queue.put((request, job, handler, {**params, "_method": method}))

    def _run(self) -> None:
        while True:
            request, job, handler, params = self._queue.get()
            self._busy_with = params.pop("_method")
            try:
                job.check()
                answer: Json = {"id": request, "result": handler(job, params)}
            except BaseException as error:  # noqa: BLE001 - every end of a task is reported to who asked for it
                answer = {"id": request, "error": error_shape(error)}
            self._busy_with = None
            self._channel.send(answer)


class Methods(Protocol):
    """What a process can be asked for."""

    def method(self, name: str) -> tuple[str, Handler] | None:
        """Lane and handler of a method."""


class FetchingDesk:
    """The one thing that the fetching process does."""

    def __init__(self, home: Home) -> None:
        self._models = ModelDesk(home)

    def method(self, name: str) -> tuple[str, Handler] | None:
        """Lane and handler of a method."""
        return ("work", self._get) if name == "models_get" else None

    def _get(self, job: Job, params: Json) -> Json:
        return self._models.get(job, str(params["id"]))


class Service:
    """Takes requests to their lanes and knows which are running."""

    def __init__(self, desk: Methods, channel: Channel) -> None:
        self._desk = desk
        self._channel = channel
        self._lanes = {"work": Lane(channel, "work"), "read": Lane(channel, "read")}
        self._jobs: dict[int, Job] = {}
        self._warming: Job | None = None

    def take(self, line: bytes) -> None:
        """One request."""
        try:
            request = json.loads(line)
            number, method, params = int(request["id"]), str(request["method"]), dict(request.get("params") or {})
        except (ValueError, KeyError, TypeError):
            return
        if method in ("cancel", "pause", "resume"):
            self._steer(method, int(params.get("id", -1)))
            self._channel.send({"id": number, "result": True})
            return
        lane_handler = self._desk.method(method)
        if lane_handler is None:
            self._channel.send(
                {"id": number, "error": error_shape(KnownError(f"There is no “{method}”.", advice=""))}
            )
            return
        lane, handler = lane_handler
        job = Job(lambda event, data: self._channel.send({"id": number, "event": event, "data": json_event(data)}))
        self._jobs[number] = job
        if lane == "work":
            if self._warming:
                self._warming.cancel()
            self._warming = job if method == GIVES_WAY else None
        self._lanes[lane].put(number, method, job, self._forgetting(number, handler), params)

    def _forgetting(self, number: int, handler: Handler) -> Handler:
        def run(job: Job, params: Json) -> Any:
            try:
                return handler(job, params)
            finally:
                self._jobs.pop(number, None)

        return run

    def _steer(self, what: str, number: int) -> None:
        job = self._jobs.get(number)
        if job is not None:
            getattr(job, what)()


def _own_stdout() -> BinaryIO:
    """The pipe to the window; whatever else writes to standard output goes nowhere."""
    pipe = os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    return pipe


def serve(arguments: Sequence[str], *, sample: Sample | None = None) -> int:
    """The engine, until standard input ends. `sample` is the archive that a person may try first."""
    harden()
    remove_leftovers()
    locked = lockdown.lock()
    connections = Connections()
    connections.watch()
    options = _options("backscroll --engine", arguments)
    home = Home.default(options.home)
    return _run(Desk(home, sample=sample, safe=options.safe, network_lock=locked, connections=connections))


def serve_fetcher(arguments: Sequence[str]) -> int:
    """The process that fetches models, until standard input ends. It alone keeps the network."""
    harden()
    return _run(FetchingDesk(Home.default(_options("backscroll --fetcher", arguments).home)))


def _options(program: str, arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog=program)
    parser.add_argument("--home")
    parser.add_argument("--safe", action="store_true", help="fewer threads and a small context, after crashes")
    return parser.parse_args(list(arguments))


def _run(desk: Methods) -> int:
    channel = Channel(_own_stdout())
    service = Service(desk, channel)
    channel.send({"event": "ready", "data": {"version": VERSION, "pid": os.getpid()}})
    for line in sys.stdin.buffer:
        service.take(line)
    os._exit(0)
