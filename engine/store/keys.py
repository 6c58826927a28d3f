"""The archive's key: 32 random bytes, kept in the system keyring, behind a passphrase, or in a key file.

`keys.json` lists the ways to get at the key ("locks"). A lock with a secret (passphrase, recovery key)
holds the key wrapped: scrypt makes 64 bytes from the secret and a fresh salt; the first half masks the
key, the second half authenticates it (HMAC-SHA-256). Each salt is used once, so the mask is too.
Where there is no keyring the key lies in the file itself, readable by the owner alone, and `protection`
says so in plain words.

There is no moment at which the key is nowhere: a new lock is written before an old one is destroyed, and a
keyring entry that a crash left over is named in the file ("forget") until it is gone.
"""

import contextlib
import hashlib
import hmac
import json
import os
import secrets
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import ArchiveDamaged, ArchiveLocked, KeyLost, KnownError
from engine.files import destroy, sweep, write_atomically, write_first

Lock = dict[str, Any]

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


def unwrap(lock: Lock, secret: str) -> bytes | None:
    """The key behind a lock, None where the secret is wrong."""
    mask, mac = _derive(secret, bytes.fromhex(lock["salt"]))
    hidden = bytes.fromhex(lock["hidden"])
    if not hmac.compare_digest(hmac.digest(mac, hidden, "sha256"), bytes.fromhex(lock["tag"])):
        return None
    return bytes(a ^ b for a, b in zip(hidden, mask, strict=True))


def unwrapped(locks: Sequence[Lock], secret: str) -> bytes | None:
    """The key behind whichever lock a passphrase or recovery key opens, None where it opens none."""
    for lock in locks:
        said = recovery_form(secret) if lock["kind"] == "recovery" else secret
        if key := unwrap(lock, said):
            return key
    return None


def recovery_form(typed: str) -> str:
    """A recovery key as it was shown, however its groups were typed."""
    letters = "".join(filter(str.isalnum, typed.upper()))
    return "-".join(letters[i : i + 4] for i in range(0, len(letters), 4))


def _derive(secret: str, salt: bytes) -> tuple[bytes, bytes]:
    # Keyboards differ in how they write "é"; the same passphrase must be the same bytes.
    typed = unicodedata.normalize("NFKC", secret).encode()
    both = hashlib.scrypt(typed, salt=salt, n=SCRYPT_N, r=8, p=1, maxmem=_SCRYPT_MEMORY, dklen=64)
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
            data = self._parsed()
        except FileNotFoundError:
            return {"locks": []}
        except (OSError, ValueError, RecursionError) as error:
            raise ArchiveDamaged(
                f"The key file “{self.path}” cannot be read.", advice="Restore it from a backup."
            ) from error
        if not isinstance(data, dict) or not is_locks(data.get("locks")):
            raise ArchiveDamaged(f"The key file “{self.path}” is not one of Backscroll's.")
        return data

    def _parsed(self) -> Any:
        try:
            return json.loads(self.path.read_text(encoding="utf-8"))
        except ValueError:  # opened just when another process put a new file in its place and overwrote this one
            return json.loads(self.path.read_text(encoding="utf-8"))

    def _locks(self, *kinds: str) -> list[Lock]:
        return [lock for kind in kinds for lock in self._read()["locks"] if lock["kind"] == kind]

    def exists(self) -> bool:
        """Whether there is any lock yet."""
        return bool(self._read()["locks"])

    def create(self) -> bytes:
        """Make a key for a new archive and keep it in the keyring, or in the key file where there is none.

        When another process makes one at the same moment, the first one's key is the key of both.
        """
        key = secrets.token_bytes(32)
        lock = _kept_here(key)
        if write_first(self.path, _encoded([lock])):
            return key
        _drop_from_keyring([lock])
        return self.open()

    def adopt(self, key: bytes, locks: Sequence[Lock], archive: str | None = None) -> None:
        """Keep a key that comes from a backup, with the backup's own locks, for the archive in this file."""
        locked = any(lock["kind"] == "passphrase" for lock in locks)
        self._replace([*([] if locked else [_kept_here(key)]), *locks], archive)

    def coming(self) -> str | None:
        """The file of the archive that these locks were adopted with, until that is put in place."""
        return self._read().get("coming")

    def open(self, passphrase: str | None = None) -> bytes:
        """The key.

        Raises:
            ArchiveLocked: a passphrase is needed or wrong, or the keyring lost the key that a recovery key opens.
            KeyLost: the keyring or the key file is lost, and there is neither passphrase nor recovery key.
        """
        self._forget_left_over()
        if plain := self._locks("key file"):
            return bytes.fromhex(plain[0]["key"])
        in_keyring = self._locks("keyring")
        for lock in in_keyring:
            if key := _from_keyring(lock["name"]):
                return key
        if passphrase:
            if key := unwrapped(self.portable(), passphrase):
                if in_keyring:
                    self._back_into_keyring(key)
                return key
            raise ArchiveLocked("That passphrase does not open the archive.")
        if self._locks("passphrase"):
            raise ArchiveLocked("The archive is locked by a passphrase.")
        raise self._lost(in_keyring=bool(in_keyring))

    def _lost(self, *, in_keyring: bool) -> KnownError:
        if not in_keyring:
            return KeyLost(
                f"The file “{self.path.name}” with the archive's key is missing.",
                advice="Put it back beside the archive, or restore a backup.",
            )
        if self.has_recovery_key():
            return ArchiveLocked(
                "This computer's keyring no longer holds the archive's key.",
                advice="Enter the recovery key; the keyring then holds the key again. If the keyring is only "
                "locked, unlock it and leave the field empty.",
            )
        return KeyLost(
            "This computer's keyring no longer holds the archive's key, and no recovery key was made.",
            advice="If the keyring is only locked, unlock it and try again. Otherwise restore a backup, or erase "
            "the archive and import your exports again.",
        )

    def portable(self) -> list[Lock]:
        """The locks that open on any computer: passphrase and recovery key."""
        return self._locks("passphrase", "recovery")

    def protection(self) -> Protection:
        """How the key is kept now."""
        kinds = {lock["kind"] for lock in self._read()["locks"]}
        kind = next((k for k in ("key file", "keyring", "passphrase") if k in kinds), "key file")
        return Protection(kind, SENTENCES[kind])

    def has_recovery_key(self) -> bool:
        """Whether a recovery key was ever shown."""
        return bool(self._locks("recovery"))

    def set_passphrase(self, key: bytes, passphrase: str) -> None:
        """From now on only the passphrase (or the recovery key) opens the archive."""
        if not passphrase.strip():
            raise KnownError("An empty passphrase protects nothing.", advice="Choose one of several words.")
        self._replace([{"kind": "passphrase", **wrap(key, passphrase)}, *self._locks("recovery")])

    def remove_passphrase(self, key: bytes) -> None:
        """Keep the key in the keyring or key file again."""
        self._replace([_kept_here(key), *self._locks("recovery")])

    def add_recovery_key(self, key: bytes) -> str:
        """A new recovery key, to be shown once; an older one no longer opens the archive."""
        recovery = new_recovery_key()
        others = self._locks("key file", "keyring", "passphrase")
        self._replace([*others, {"kind": "recovery", **wrap(key, recovery)}])
        return recovery

    def _replace(self, locks: Sequence[Lock], coming: str | None = None) -> None:
        """Put these locks in place of the old ones, and only then destroy what the old ones held."""
        kept = {lock.get("name") for lock in locks}
        old: list[Lock] = []
        with contextlib.suppress(ArchiveDamaged):  # an unreadable list can be why a backup is restored
            old = [lock for lock in self._locks("keyring") if lock["name"] not in kept]
        write_atomically(self.path, _encoded(locks, old, coming))
        self._forget_left_over()

    def _back_into_keyring(self, key: bytes) -> None:
        """The keyring is new or was emptied: let it hold the key again, where it takes it."""
        lock = _kept_here(key)
        if lock["kind"] == "keyring":
            self._replace([lock, *self.portable()])

    def _forget_left_over(self) -> None:
        """Destroy keyring entries that no lock needs any more, and files that a crash left."""
        sweep(self.path)
        data = self._read()
        if left_over := data.get("forget"):
            _drop_from_keyring(left_over)
            write_atomically(self.path, _encoded(data["locks"], coming=data.get("coming")))

    def destroy(self) -> None:
        """Destroy every way to the key: what it encrypted can no longer be read by anybody."""
        with contextlib.suppress(ArchiveDamaged):
            _drop_from_keyring([*self._locks("keyring"), *self._read().get("forget", [])])
        sweep(self.path, older_than=0)
        if self.path.exists():
            destroy(self.path)


def is_locks(data: object) -> bool:
    """Whether something read from a file is a list of locks, each with all that its kind needs."""
    needs = {
        "keyring": {"name"},
        "key file": {"key"},
        "passphrase": {"salt", "hidden", "tag"},
        "recovery": {"salt", "hidden", "tag"},
    }
    return isinstance(data, list) and all(
        isinstance(lock, dict)
        and needs.get(str(lock.get("kind")), {""}) <= lock.keys()
        and all(_is_hex(lock[part]) for part in lock.keys() - {"kind"})
        for lock in data
    )


def _is_hex(text: object) -> bool:
    return isinstance(text, str) and set(text) <= set("0123456789abcdef") and len(text) % 2 == 0


def _encoded(locks: Sequence[Lock], forget: Sequence[Lock] = (), coming: str | None = None) -> bytes:
    data = {"locks": list(locks), "forget": list(forget), "coming": coming}
    return json.dumps({name: value for name, value in data.items() if value or name == "locks"}, indent=1).encode()


def _kept_here(key: bytes) -> Lock:
    """The key in this computer's keyring, else in the key file itself."""
    name = secrets.token_hex(8)
    return {"kind": "keyring", "name": name} if _to_keyring(name, key) else {"kind": "key file", "key": key.hex()}


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


def _drop_from_keyring(locks: Sequence[Lock]) -> None:
    names = [lock["name"] for lock in locks if lock["kind"] == "keyring"]
    backend: Any = _keyring_backend() if names else None
    if backend is not None:
        for name in names:
            with contextlib.suppress(Exception):
                backend.delete_password(SERVICE, name)
