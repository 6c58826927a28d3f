"""The process that fetches models: the only one with a network, started when a person asks for a model.

The engine gives up the network at its start, and so do its children; this process is the window's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QProcess

from app.data import Json
from app.engine_client import Call, EngineClient
from app.program import this_program


@dataclass(frozen=True, slots=True)
class Download:
    """A model that the person asked for, and when."""

    model: str
    at: str


def fetcher_command(home: Path) -> list[str]:
    """The command that starts it: this program again, with `--fetcher`."""
    return [*this_program(), "--fetcher", "--home", str(home)]


class FetcherClient(EngineClient):
    """Carries calls like the engine's client; its process starts with the first of them."""

    def __init__(self, command: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(command, parent)
        self._downloads: list[Download] = []

    def downloads(self) -> Sequence[Download]:
        """What it was asked for since the start: the only use of the network."""
        return tuple(self._downloads)

    def call(self, method: str, params: Json | None = None, **callbacks: Any) -> Call:
        """Send a request."""
        model = str((params or {}).get("id", ""))
        self._downloads.append(Download(model, datetime.now().isoformat(timespec="seconds")))
        made = super().call(method, params, **callbacks)
        if self._process.state() == QProcess.ProcessState.NotRunning:
            self.start()
        return made
