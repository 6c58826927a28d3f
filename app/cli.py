"""The command line. Each command is a function from its options to an exit status."""

import argparse
import sys
from collections.abc import Sequence

from app import cli_archive, cli_ask, cli_backup, cli_eval, cli_models, cli_people
from app.cli_console import complain
from app.opening import open_window
from engine import lockdown
from engine.errors import Cancelled, EngineError
from engine.home import harden
from engine.version import VERSION
from models.base import GenerationStopped, ModelError

SUCCESS, FAILED, USAGE, CANCELLED = 0, 1, 2, 130


def make_parser() -> argparse.ArgumentParser:
    """All commands with their options."""
    parser = argparse.ArgumentParser(
        prog="backscroll",
        description="Answers questions about your own chat history, on your own computer. "
        "Without a command it opens the window.",
    )
    parser.add_argument("--version", action="version", version=f"Backscroll {VERSION}")
    parser.add_argument("--home", metavar="DIR", help="where the archive and settings lie (or BACKSCROLL_HOME)")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    for part in (cli_archive, cli_people, cli_backup, cli_ask, cli_models, cli_eval):
        part.add_parser(commands)
    return parser


def _needs_network(options: argparse.Namespace) -> bool:
    """Getting a model does, and so does the window, whose fetching process would inherit a lock."""
    return options.command is None or (options.command == "models" and options.verb == "get")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit status of the contract."""
    harden()
    options = make_parser().parse_args(arguments)
    if arguments is None and not _needs_network(options):
        # With arguments given this runs within another program, whose network is not ours to give up.
        lockdown.lock()
    if options.command is None:
        return open_window(options.home)
    try:
        return int(options.run(options))
    except (Cancelled, GenerationStopped, KeyboardInterrupt):
        print("Stopped.", file=sys.stderr)
        return CANCELLED
    except (EngineError, ModelError) as error:
        complain(error)
        return FAILED
    except BrokenPipeError:
        sys.stderr.close()
        return SUCCESS


if __name__ == "__main__":
    sys.exit(main())
