"""A keyring for programs under test, in a file that can be emptied as a new installation would.

`PYTHON_KEYRING_BACKEND=keyring_in_a_file.Keyring` chooses it, `KEYRING_FILE` says where it lies.
"""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend


class Keyring(KeyringBackend):
    """Passwords by service and name, in plain."""

    priority = 1

    def _held(self) -> dict[str, str]:
        path = Path(os.environ["KEYRING_FILE"])
        held: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        return held

    def _hold(self, held: dict[str, str]) -> None:
        Path(os.environ["KEYRING_FILE"]).write_text(json.dumps(held))

    def get_password(self, service: str, username: str) -> str | None:
        """The password, None where there is none."""
        return self._held().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        """Keep a password."""
        self._hold(self._held() | {f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        """Forget a password."""
        held = self._held()
        del held[f"{service} {username}"]
        self._hold(held)


def with_keyring(file: Path) -> dict[str, str]:
    """What the environment of a program needs to use this keyring."""
    return {
        "BACKSCROLL_NO_KEYRING": "",
        "PYTHON_KEYRING_BACKEND": "keyring_in_a_file.Keyring",
        "PYTHONPATH": str(Path(__file__).parent),
        "KEYRING_FILE": str(file),
    }
