"""Where every form of the program starts: window, command line, engine process, smoke test.

The engine process is told apart before anything of Qt is imported.
"""

import sys


def main() -> int:
    """Dispatch on the first argument."""
    if sys.argv[1:2] == ["--engine"]:
        from app.sample import files
        from engine.service import serve

        return serve(sys.argv[2:], sample=files())
    from app.cli import main as command_line

    return command_line()


if __name__ == "__main__":
    sys.exit(main())
