"""Commands that keep the archive safe: backup and restore, and the secrets that open it."""

import argparse
import getpass
import os
import sys
from pathlib import Path
from typing import Any

from app.cli_archive import open_library
from app.cli_console import ProgressLine, print_json
from engine import backup as backups
from engine.errors import ArchiveLocked
from engine.home import Home


def add_parser(commands: Any) -> None:
    """The commands `backup` and `restore`."""
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
        print(
            f"Its recovery key is {recovery}\n"
            "Write it down and keep it away from this computer: it opens this backup, and the archive when the "
            "keyring is lost. It is shown only now."
        )
    return 0


def restore(options: argparse.Namespace) -> int:
    """`backscroll restore`. The secret comes from BACKSCROLL_PASSPHRASE or is asked for."""
    line = ProgressLine()
    try:
        found = backups.restore(
            Home.default(options.home),
            options.file.expanduser(),
            _secret(),
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


def _secret() -> str:
    if given := os.environ.get("BACKSCROLL_PASSPHRASE"):
        return given
    if sys.stdin.isatty():
        return getpass.getpass("Passphrase or recovery key: ")
    raise ArchiveLocked(
        "A backup opens with its passphrase or recovery key.", advice="Put it into BACKSCROLL_PASSPHRASE."
    )
