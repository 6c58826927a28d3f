"""Commands that keep the archive safe: backup, restore, and the recovery key that opens both."""

import argparse
from pathlib import Path
from typing import Any

from app.cli_archive import open_library
from app.cli_console import ProgressLine, print_json, secret
from engine import backup as backups
from engine.home import Home


def add_parser(commands: Any) -> None:
    """The commands `backup`, `restore` and `recovery-key`."""
    for name, explanation, run in (
        ("backup", "write the archive into one encrypted file", backup),
        ("restore", "take the archive of a backup", restore),
    ):
        parser = commands.add_parser(name, help=explanation)
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.set_defaults(run=run)
        if name == "restore":
            parser.add_argument("--replace", action="store_true", help="lose the archive that is there")
    parser = commands.add_parser("recovery-key", help="make a key to write down, for when the keyring is lost")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=recovery_key)


def backup(options: argparse.Namespace) -> int:
    """`backscroll backup`. Without passphrase and recovery key it makes a recovery key and shows it once."""
    library, line = open_library(options), ProgressLine()
    try:
        recovery = None if library.keys.portable() else library.new_recovery_key()
        backups.backup(library.archive, library.keys, options.file.expanduser(), line.job())
    finally:
        line.clear()
        library.close()
    if options.json:
        print_json({"file": str(options.file), "recovery_key": recovery})
        return 0
    print(f"The archive was written to “{options.file}”.")
    if recovery:
        print(f"Its recovery key is {recovery}\n{_WRITE_IT_DOWN}")
    return 0


_WRITE_IT_DOWN = (
    "Write it down and keep it away from this computer: it opens backups, and the archive when the keyring or the "
    "passphrase is lost. It is shown only now."
)


def recovery_key(options: argparse.Namespace) -> int:
    """`backscroll recovery-key`."""
    library = open_library(options)
    key = library.new_recovery_key()
    library.close()
    if options.json:
        print_json({"recovery_key": key})
    else:
        print(f"{key}\n{_WRITE_IT_DOWN} An older recovery key no longer opens the archive.")
    return 0


def restore(options: argparse.Namespace) -> int:
    """`backscroll restore`."""
    line = ProgressLine()
    try:
        found = backups.restore(
            Home.default(options.home),
            options.file.expanduser(),
            secret("A backup opens with its passphrase or recovery key."),
            line.job(),
            replace=options.replace,
        )
    finally:
        line.clear()
    if options.json:
        print_json({"messages": found.messages, "chats": found.chats})
    else:
        print(f"The archive now holds {found.messages:,} messages in {found.chats:,} chats.")
    return 0
