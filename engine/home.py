"""Where everything that Backscroll keeps lies, and that nobody else may read it."""

import contextlib
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from engine.defects import hush
from engine.errors import NotWritable


@dataclass(frozen=True, slots=True)
class Home:
    """The user data folder. `BACKSCROLL_HOME` moves it, `BACKSCROLL_MODELS` the models folder alone."""

    path: Path

    @classmethod
    def default(cls, override: str | Path | None = None) -> "Home":
        """The folder of `--home`, else of the environment, else of the platform."""
        chosen = override or os.environ.get("BACKSCROLL_HOME")
        return cls(Path(chosen).expanduser() if chosen else Path(platformdirs.user_data_dir("backscroll", False)))

    @property
    def archive(self) -> Path:
        """The encrypted archive."""
        return self.path / "archive.db"

    @property
    def keys(self) -> Path:
        """How the archive's key is kept; never the key itself, unless there is no keyring."""
        return self.path / "keys.json"

    @property
    def settings(self) -> Path:
        """Settings of the window."""
        return self.path / "settings.json"

    @property
    def model_checks(self) -> Path:
        """What the self-check found of each model."""
        return self.path / "model_checks.json"

    @property
    def models(self) -> Path:
        """The folder of model files."""
        moved = os.environ.get("BACKSCROLL_MODELS")
        return Path(moved).expanduser() if moved else self.path / "models"

    def create(self) -> None:
        """Make the folder, for the owner alone. Refuses somebody else's folder, or a link of somebody else's."""
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            owners = {self.path.lstat().st_uid, self.path.stat().st_uid}
            if hasattr(os, "getuid") and owners != {os.getuid()}:
                raise NotWritable(f"“{self.path}” belongs to somebody else, so private chats do not go there.")
            if stat.S_IMODE(self.path.stat().st_mode) & 0o077:
                self.path.chmod(0o700)
            self._close_files()
        except OSError as error:
            raise NotWritable(f"The data folder “{self.path}” cannot be used: {error.strerror}.") from error

    def _close_files(self) -> None:
        """Take away from others what a copy or an older program may have given them."""
        for path in self.path.iterdir():
            with contextlib.suppress(FileNotFoundError):
                about = path.lstat()
                if stat.S_ISREG(about.st_mode) and about.st_mode & 0o077 and os.name == "posix":
                    path.chmod(0o600)


def harden() -> None:
    """Files of this process are for the owner alone; it leaves no core dump, and no words of chats in a log."""
    os.umask(0o077)
    hush()
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform == "linux":
        import ctypes

        pr_set_dumpable = 4
        ctypes.CDLL(None).prctl(pr_set_dumpable, 0, 0, 0, 0)
