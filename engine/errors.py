"""Errors of the engine.

EngineError                 root of what this package raises on purpose
├── Cancelled               the person stopped the task; shown as nothing
├── KnownError              the person can act on it; text is a sentence, `advice` says what to do
│   ├── ArchiveLocked       a passphrase or recovery key is needed, or was wrong
│   ├── KeyLost             the key is gone and nobody has a secret that could stand in for it
│   ├── ArchiveBusy         another Backscroll has the archive open for writing
│   ├── ArchiveTooNew       written by a newer Backscroll
│   ├── ArchiveDamaged      the file is not an archive, or its pages fail their checks
│   ├── DiskFull            no room left; nothing was lost
│   ├── NotWritable         the folder may not be written
│   ├── NothingThere        a chat, turn or file of that name does not exist
│   └── NoModel             no model is installed or it cannot be loaded
└── (everything else is a defect and keeps its own type)
"""


class EngineError(Exception):
    """Root of the engine's own errors."""


class Cancelled(EngineError):
    """The person stopped the task."""


class KnownError(EngineError):
    """What happened, as a sentence, and what to do next."""

    advice = ""

    def __init__(self, sentence: str, *, advice: str | None = None, details: str = "") -> None:
        super().__init__(sentence)
        if advice is not None:
            self.advice = advice
        self.details = details


class ArchiveLocked(KnownError):
    """A passphrase is needed or wrong."""

    advice = "Enter the passphrase, or use the recovery key."


class KeyLost(KnownError):
    """There is nothing that could be entered to open the archive."""

    advice = "Restore a backup, or erase the archive and import your exports again."


class ArchiveBusy(KnownError):
    """Another process has the archive."""

    advice = "Close the other Backscroll window or command and try again."


class ArchiveTooNew(KnownError):
    """The archive's schema is newer than this program."""

    advice = "Install the newer version again; the archive was not changed."


class ArchiveDamaged(KnownError):
    """The file cannot be read as an archive."""

    advice = "Restore a backup, or import your exports again into a new archive."


class DiskFull(KnownError):
    """No room left."""

    advice = "Free some space and try again; nothing that was stored is lost."


class NotWritable(KnownError):
    """The data folder cannot be written."""

    advice = "Check the folder's permissions, or choose another with --home."


class NothingThere(KnownError):
    """What was named does not exist."""

    advice = "Check the name and try again."


class NoModel(KnownError):
    """No usable model."""

    advice = "Get one with “backscroll models get default”, or add a GGUF file on the Models page."
