"""The process that fetches models: the only one with a network, started when a person asks for a model.

The engine gives up the network at its start, and so do its children; this process is the window's own.
"""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QProcess

from app.data import Json
from app.engine_client import Call, EngineClient
from app.program import this_program


def fetcher_command(home: Path) -> list[str]:
    """The command that starts it: this program again, with `--fetcher`."""
    return [*this_program(), "--fetcher", "--home", str(home)]


class FetcherClient(EngineClient):
    """Carries calls like the engine's client; its process starts with the first of them."""

    def call(self, method: str, params: Json | None = None, **callbacks: Any) -> Call:
        """Send a request."""
        made = super().call(method, params, **callbacks)
        if self._process.state() == QProcess.ProcessState.NotRunning:
            self.start()
        return made
