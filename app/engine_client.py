"""The engine process and the calls to it.

The window never runs the engine itself: a model file that makes llama.cpp abort must not take the window
down. This client starts the process, sends requests as JSON lines, hands answers to callbacks on the main
thread, and starts the process again when it dies. A call ends exactly once: with a result, an error, or in
silence after `cancel`.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from app import protocol
from app.data import Json
from app.messages import CANCELLED, ErrorWords, error_words, words_of
from app.program import this_program
from app.restart import RestartPolicy

SLICE = 0.012  # seconds of reading answers before the window gets its turn
CLOSE_WAIT = 2000  # ms for the engine to finish after its input has closed
STDERR_KEPT = 4000  # bytes of the engine's last words, for the details of a crash

OnResult = Callable[[Any], None]
OnError = Callable[[ErrorWords], None]
OnEvent = Callable[[str, Json], None]


class EngineState(Enum):
    """What the engine process is doing."""

    STARTING = "starting"
    READY = "ready"
    RESTARTING = "restarting"
    STOPPED = "stopped"


class Call:
    """One request that is under way."""

    def __init__(
        self, number: int, forget: Callable[["Call"], None], result: OnResult, error: OnError, event: OnEvent
    ) -> None:
        self.number = number
        self.result = result
        self.error = error
        self.event = event
        self._forget = forget

    def cancel(self) -> None:
        """Stop it. Its callbacks are not called any more; calling this twice does no harm."""
        self._forget(self)


class Engine(Protocol):
    """What pages need of the client."""

    def call(
        self,
        method: str,
        params: Json | None = None,
        *,
        result: OnResult | None = None,
        error: OnError | None = None,
        event: OnEvent | None = None,
    ) -> Call:
        """Send a request."""


def engine_command(home: Path) -> list[str]:
    """The command that starts the engine: this program again, with `--engine`."""
    return [*this_program(), "--engine", "--home", str(home)]


def _nothing(*_: Any) -> None:
    """For callbacks that were not given."""


class EngineClient(QObject):
    """Starts, watches and restarts the engine process, and carries the calls."""

    state_changed = Signal(object)
    ready = Signal()

    def __init__(self, command: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._command = list(command)
        self._policy = RestartPolicy()
        self._calls: dict[int, Call] = {}
        self._waiting: deque[bytes] = deque()
        self._lines: deque[bytes] = deque()
        self._reader = protocol.LineReader()
        self._last_words = b""
        self._number = 0
        self._closing = False
        self._wanted = False  # a restart that somebody asked for
        self.safe = False
        self.state = EngineState.STARTING
        self._process = self._new_process()
        self._drain = QTimer(self, singleShot=True, interval=0)
        self._drain.timeout.connect(self._read_lines)
        self._again = QTimer(self, singleShot=True)
        self._again.timeout.connect(self.start)

    def start(self) -> None:
        """Start the process; requests sent before it is ready are kept."""
        self._reader = protocol.LineReader()
        self._lines.clear()
        self._last_words = b""
        self._process.start(self._command[0], self._command[1:] + (["--safe"] if self.safe else []))

    def start_again(self) -> None:
        """Start after the client gave up, at the person's wish."""
        if self.state == EngineState.STOPPED:
            self._policy = RestartPolicy()
            self._set_state(EngineState.STARTING)
            self.start()

    def restart(self) -> None:
        """End the process and start a new one, which knows nothing of what this one had opened."""
        if self._process.state() == QProcess.ProcessState.NotRunning:
            return
        self._wanted = True
        self._calls.clear()
        self._process.kill()

    def close(self) -> None:
        """End the process; it ends by itself when its input closes, and is killed if it does not."""
        self._closing = True
        self._again.stop()
        self._drain.stop()
        self._calls.clear()
        if self._process.state() != QProcess.ProcessState.NotRunning:
            self._process.closeWriteChannel()
            if not self._process.waitForFinished(CLOSE_WAIT):
                self._process.kill()
                self._process.waitForFinished(CLOSE_WAIT)

    def call(
        self,
        method: str,
        params: Json | None = None,
        *,
        result: OnResult | None = None,
        error: OnError | None = None,
        event: OnEvent | None = None,
    ) -> Call:
        """Send a request. Where the engine cannot be kept running, `error` is called soon."""
        self._number += 1
        made = Call(self._number, self._forget, result or _nothing, error or _nothing, event or _nothing)
        self._calls[made.number] = made
        if self.state == EngineState.STOPPED:
            QTimer.singleShot(0, self, lambda: self._fail_all("EngineGone"))
        else:
            self._send(protocol.request(made.number, method, params or {}))
        return made

    @property
    def process_id(self) -> int:
        """The operating system's number of the engine process, 0 where it does not run."""
        return int(self._process.processId())

    def _new_process(self) -> QProcess:
        process = QProcess(self)
        process.setWorkingDirectory(str(Path(__file__).resolve().parent.parent))
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._keep_last_words)
        process.started.connect(self._send_waiting)
        process.finished.connect(self._ended)
        process.errorOccurred.connect(self._start_failed)
        return process

    def _send(self, line: bytes) -> None:
        if self._process.state() == QProcess.ProcessState.Running:
            self._process.write(line)
        else:
            self._waiting.append(line)

    def _send_waiting(self) -> None:
        while self._waiting:
            self._process.write(self._waiting.popleft())

    def _forget(self, call: Call) -> None:
        if self._calls.pop(call.number, None) and not self._closing:
            self._number += 1
            self._send(protocol.request(self._number, "cancel", {"id": call.number}))

    def _read(self) -> None:
        self._lines.extend(self._reader.feed(bytes(self._process.readAllStandardOutput().data())))
        self._read_lines()

    def _read_lines(self) -> None:
        """Hand on what arrived, for a moment at most, so that a flood of events cannot stall the window."""
        until = time.monotonic() + SLICE
        while self._lines:
            self._hand_on(self._lines.popleft())
            if time.monotonic() > until:
                self._drain.start()
                return

    def _hand_on(self, line: bytes) -> None:
        kind, number, name, data = protocol.read_line(line)
        if kind == "ready":
            self._set_state(EngineState.READY)
            self.ready.emit()
            return
        call = self._calls.get(number)
        if call is None:
            return
        if kind == "event":
            call.event(name, data)
            return
        del self._calls[number]
        if kind == "result":
            call.result(data)
        elif data.get("type") != CANCELLED:
            call.error(error_words(data))

    def _keep_last_words(self) -> None:
        said = bytes(self._process.readAllStandardError().data())
        self._last_words = (self._last_words + said)[-STDERR_KEPT:]

    def _start_failed(self, problem: QProcess.ProcessError) -> None:
        if problem == QProcess.ProcessError.FailedToStart:
            self._last_words = self._process.errorString().encode()
            self._ended()

    def _ended(self, *_: Any) -> None:
        """The process is gone: say so to every open call, then start it again if that may help."""
        if self._closing:
            return
        if self._wanted:
            self._wanted = False
            self._set_state(EngineState.STARTING)
            self.start()
            return
        self._read_lines()
        again = self._policy.after_crash(time.monotonic())
        self.safe = again.safe
        self._waiting.clear()
        if again.pause is None:
            self._set_state(EngineState.STOPPED)
            self._fail_all("EngineGone")
            return
        self._set_state(EngineState.RESTARTING)
        self._again.start(round(again.pause * 1000))
        self._fail_all("EngineStopped")

    def _fail_all(self, kind: str) -> None:
        calls, self._calls = list(self._calls.values()), {}
        words = words_of(kind, self._last_words.decode("utf-8", "replace").strip())
        for call in calls:
            call.error(words)

    def _set_state(self, state: EngineState) -> None:
        if state != self.state:
            self.state = state
            self.state_changed.emit(state)


class Latest:
    """Sends a call and forgets the one before: for what is asked anew with every keystroke."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._call: Call | None = None

    def call(self, method: str, params: Json | None = None, **callbacks: Any) -> None:
        """Like `Engine.call`; only the newest call is answered."""
        self.cancel()
        self._call = self._engine.call(method, params, **callbacks)

    def cancel(self) -> None:
        """Forget the newest call too."""
        if self._call:
            self._call.cancel()
            self._call = None
