"""Where every form of the program starts: window, command line, engine process, fetching process, smoke test.

The processor is looked at before anything is loaded that it may not be able to run, and the processes beside the
window are told apart before anything of Qt is imported.
"""

import sys
from collections.abc import Callable

from app import floor
from app.opening import open_window

Arguments = list[str]


def _engine(arguments: Arguments) -> int:
    from app.sample import OWNER, TIMEZONE, files
    from app.sample.questions import for_check
    from engine.sample import Sample
    from engine.service import serve

    return serve(arguments, sample=Sample(files(), OWNER, TIMEZONE, for_check()))


def _fetcher(arguments: Arguments) -> int:
    from engine.service import serve_fetcher

    return serve_fetcher(arguments)


def _models_fetch(arguments: Arguments) -> int:
    from models.fetch import main as fetch

    return fetch(arguments)


def _models_probe(arguments: Arguments) -> int:
    from models.probe import main as probe

    return probe(arguments)


def _smoke_test(arguments: Arguments) -> int:
    from app.smoke import main as smoke_test

    return smoke_test(arguments)


PROCESSES: dict[str, Callable[[Arguments], int]] = {
    "--engine": _engine,
    "--fetcher": _fetcher,
    "--models-fetch": _models_fetch,
    "--models-probe": _models_probe,
    "--smoke-test": _smoke_test,
}


def main() -> int:
    """Dispatch on the first argument."""
    if floor.too_old():
        floor.complain()
        return 1
    match sys.argv[1:]:
        case []:
            return open_window()
        case ["--home", home]:
            return open_window(home)
        case [first, *others] if process := PROCESSES.get(first):
            return process(others)
    from app.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
