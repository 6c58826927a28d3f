"""Where every form of the program starts: window, command line, engine process, smoke test.

The engine process is told apart before anything of Qt is imported.
"""

import sys


def main() -> int:
    """Dispatch on the first argument."""
    if sys.argv[1:2] == ["--engine"]:
        from app.sample import OWNER, TIMEZONE, files
        from engine.desk import Sample
        from engine.service import serve

        return serve(sys.argv[2:], sample=Sample(files(), OWNER, TIMEZONE))
    from app.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
