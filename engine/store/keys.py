"""The archive's key: 32 random bytes, kept in the system keyring, behind a passphrase, or in a key file.

`keys.json` lists the ways to get at the key ("locks"). A lock with a secret (passphrase, recovery key)
holds the key wrapped: scrypt makes 64 bytes from the secret and a fresh salt; the first half masks the
key, the second half authenticates it (HMAC-SHA-256). Each salt is used once, so the mask is too.
Where there is no keyring the key lies in the file itself, readable by the owner alone, and `protection`
says so in plain words.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import ArchiveDamaged, ArchiveLocked
from engine.files import write_atomically

SERVICE = "backscroll"
SCRYPT_N = 2**17  # about a quarter of a second and 128 MB: dear for somebody who guesses
_SCRYPT_MEMORY = 256 * 2**20


@dataclass(frozen=True, slots=True)
class Protection:
    """How the key is kept: `kind` is keyring, key file or passphrase; `sentence` says what that means."""

    kind: str
    sentence: str


SENTENCES = {
    "keyring": "The archive is encrypted; its key lies in this computer's keyring and opens with your login.",
    "passphrase": "The archive is encrypted and opens only with your passphrase or your recovery key.",
    "key file": "The archive is encrypted, but this computer has no keyring, so the key lies beside it in a file "
    "that only your account may read. Set a passphrase for more.",
}


def wrap(key: bytes, secret: str) -> dict[str, str]:
    """The key masked by a secret."""
    salt = secrets.token_bytes(16)
    mask, mac = _derive(secret, salt)
    hidden = bytes(a ^ b for a, b in zip(key, mask, strict=True))
    return {"salt": salt.hex(), "hidden": hidden.hex(), "tag": hmac.digest(mac, hidden, "sha256").hex()}


def unwrap(lock: dict[str, Any], secret: str) -> bytes | None:
    """The key behind a lock, None where the secret is wrong."""
    mask, mac = _derive(secret, bytes.fromhex(lock["salt"]))
    hidden = bytes.fromhex(lock["hidden"])
    if not hmac.compare_digest(hmac.digest(mac, hidden, "sha256"), bytes.fromhex(lock["tag"])):
        return None
    return bytes(a ^ b for a, b in zip(hidden, mask, strict=True))


def _derive(secret: str, salt: bytes) -> tuple[bytes, bytes]:
    both = hashlib.scrypt(secret.encode(), salt=salt, n=SCRYPT_N, r=8, p=1, maxmem=_SCRYPT_MEMORY, dklen=64)
    return both[:32], both[32:]


def new_recovery_key() -> str:
    """160 random bits in groups of letters and digits that are not mistaken for one another."""
    alphabet = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
    return "-".join("".join(secrets.choice(alphabet) for _ in range(4)) for _ in range(8))


class KeyStore:
    """The locks of one archive."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def _read(self) -> dict[str, Any]:
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {"locks": []}
        except (OSError, ValueError) as error:
            raise ArchiveDamaged(
                f"The key file “{self.path}” cannot be read.", advice="Restore it from a backup."
            ) from error
        if not isinstance(data, dict) or not isinstance(data.get("locks"), list):
            raise ArchiveDamaged(f"The key file “{self.path}” is not one of Backscroll's.")
        return data

    def _write(self, data: dict[str, Any]) -> None:
        write_atomically(self.path, json.dumps(data, indent=1).encode())

    def _locks(self, kind: str) -> list[dict[str, Any]]:
        return [lock for lock in self._read()["locks"] if lock.get("kind") == kind]

    def exists(self) -> bool:
        """Whether there is any lock yet."""
        return bool(self._read()["locks"])

    def create(self) -> bytes:
        """Make a key for a new archive and keep it in the keyring, or in the key file where there is none."""
        key = secrets.token_bytes(32)
        name = secrets.token_hex(8)
        lock = (
            {"kind": "keyring", "name": name} if _to_keyring(name, key) else {"kind": "key file", "key": key.hex()}
        )
        self._write({"locks": [lock]})
        return key

    def open(self, passphrase: str | None = None) -> bytes:
        """The key. Raises ArchiveLocked where a passphrase is needed or wrong, or the keyring lost the key."""
        if plain := self._locks("key file"):
            return bytes.fromhex(plain[0]["key"])
        for lock in self._locks("keyring"):
            if key := _from_keyring(lock["name"]):
                return key
        if passphrase:
            for lock in [*self._locks("passphrase"), *self._locks("recovery")]:
                secret = passphrase.strip().upper() if lock["kind"] == "recovery" else passphrase
                if key := unwrap(lock, secret):
                    return key
            raise ArchiveLocked("That passphrase does not open the archive.")
        if self._locks("passphrase"):
            raise ArchiveLocked("The archive is locked by a passphrase.")
        raise ArchiveLocked("This computer's keyring no longer holds the archive's key.")

    def protection(self) -> Protection:
        """How the key is kept now."""
        kinds = {lock.get("kind") for lock in self._read()["locks"]}
        kind = next((k for k in ("key file", "keyring", "passphrase") if k in kinds), "key file")
        return Protection(kind, SENTENCES[kind])

    def has_recovery_key(self) -> bool:
        """Whether a recovery key was ever shown."""
        return bool(self._locks("recovery"))

    def set_passphrase(self, key: bytes, passphrase: str) -> None:
        """From now on only the passphrase (or the recovery key) opens the archive."""
        recovery = self._locks("recovery")
        self._forget_keyring()
        self._write({"locks": [{"kind": "passphrase", **wrap(key, passphrase)}, *recovery]})

    def remove_passphrase(self, key: bytes) -> None:
        """Keep the key in the keyring or key file again."""
        recovery = self._locks("recovery")
        name = secrets.token_hex(8)
        lock = (
            {"kind": "keyring", "name": name} if _to_keyring(name, key) else {"kind": "key file", "key": key.hex()}
        )
        self._write({"locks": [lock, *recovery]})

    def add_recovery_key(self, key: bytes) -> str:
        """A new recovery key, to be shown once; an older one no longer opens the archive."""
        recovery = new_recovery_key()
        others = [lock for lock in self._read()["locks"] if lock.get("kind") != "recovery"]
        self._write({"locks": [*others, {"kind": "recovery", **wrap(key, recovery)}]})
        return recovery

    def _forget_keyring(self) -> None:
        for lock in self._locks("keyring"):
            _drop_from_keyring(lock["name"])

    def destroy(self) -> None:
        """Destroy every way to the key: what it encrypted can no longer be read by anybody."""
        with contextlib.suppress(ArchiveDamaged):
            self._forget_keyring()
        if self.path.exists():
            with self.path.open("r+b") as stream:
                stream.write(secrets.token_bytes(max(1, self.path.stat().st_size)))
                stream.flush()
                os.fsync(stream.fileno())
            self.path.unlink()


def _keyring_backend() -> Any:
    """The system's keyring, None where there is none that keeps secrets from other accounts."""
    if os.environ.get("BACKSCROLL_NO_KEYRING"):
        return None
    import keyring
    from keyring.backends import fail, null

    backend = keyring.get_keyring()
    if isinstance(backend, fail.Keyring | null.Keyring) or type(backend).__module__.startswith("keyrings.alt"):
        return None
    return backend


def _to_keyring(name: str, key: bytes) -> bool:
    """Whether the keyring took the key and gives it back."""
    backend = _keyring_backend()
    if backend is None:
        return False
    try:
        backend.set_password(SERVICE, name, key.hex())
        return bool(backend.get_password(SERVICE, name) == key.hex())
    except Exception:  # noqa: BLE001 - backends raise whatever their desktop raises; the key file is the answer
        return False


def _from_keyring(name: str) -> bytes | None:
    backend = _keyring_backend()
    if backend is None:
        return None
    try:
        value = backend.get_password(SERVICE, name)
    except Exception:  # noqa: BLE001 - a locked or missing keyring is told apart by the caller's sentence
        return None
    return bytes.fromhex(value) if value else None


def _drop_from_keyring(name: str) -> None:
    backend = _keyring_backend()
    if backend is not None:
        with contextlib.suppress(Exception):
            backend.delete_password(SERVICE, name)
