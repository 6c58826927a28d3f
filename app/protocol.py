"""The JSON lines that the window and the engine process exchange; pure, so that it is tested without a process."""

from typing import Any, Literal

import orjson

from app.data import Json

Kind = Literal["event", "result", "error", "ready", "noise"]


def request(number: int, method: str, params: Json) -> bytes:
    """One request as a line."""
    return orjson.dumps({"id": number, "method": method, "params": params}) + b"\n"


class LineReader:
    """Cuts a stream of bytes into lines; keeps the unfinished one until its end arrives."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The lines that are complete now."""
        self._rest += data
        if b"\n" not in data:
            return []
        *lines, rest = bytes(self._rest).split(b"\n")
        self._rest = bytearray(rest)
        return [line for line in lines if line.strip()]


def read_line(line: bytes) -> tuple[Kind, int, str, Any]:
    """Kind, request number (0 for none), event name and data of a line. What is no message of ours is noise."""
    try:
        message = orjson.loads(line)
    except orjson.JSONDecodeError:
        return "noise", 0, "", None
    if not isinstance(message, dict):
        return "noise", 0, "", None
    number = message.get("id")
    if number is None:
        ready = message.get("event") == "ready"
        return ("ready" if ready else "noise"), 0, "", message.get("data")
    if not isinstance(number, int):
        return "noise", 0, "", None
    if "event" in message:
        return "event", number, str(message["event"]), message.get("data") or {}
    if "error" in message:
        return "error", number, "", message["error"] or {}
    return "result", number, "", message.get("result")
