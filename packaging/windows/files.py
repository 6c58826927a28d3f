"""Writes the two lists that the NSIS script includes: which files to install, and which to remove again.

The uninstaller removes exactly the files that were installed, by name, and then folders only if they are empty. A
recursive delete would take along whatever else lies in the folder that a person chose.

usage: files.py FROZEN_FOLDER TARGET_FOLDER
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath


def install(paths: Iterable[PurePosixPath], root: str) -> Iterator[str]:
    """The lines that copy each file, folder by folder."""
    folder = None
    for path in paths:
        if path.parent != folder:
            folder = path.parent
            yield f'SetOutPath "$INSTDIR{_windows(folder)}"'
        yield f'File "{root}/{path}"'


def remove(paths: Iterable[PurePosixPath]) -> Iterator[str]:
    """The lines that delete each file, then the emptied folders, deepest first."""
    paths = list(paths)
    for path in paths:
        yield f'Delete "$INSTDIR{_windows(path)}"'
    folders = {folder for path in paths for folder in path.parents if folder != PurePosixPath(".")}
    for folder in sorted(folders, key=lambda each: (-len(each.parts), str(each))):
        yield f'RMDir "$INSTDIR{_windows(folder)}"'


def _windows(path: PurePosixPath) -> str:
    return "" if path == PurePosixPath(".") else "\\" + _quoted(str(path)).replace("/", "\\")


def _quoted(name: str) -> str:
    """NSIS takes a dollar sign for a variable, except in the name of a file that it packs."""
    return name.replace("$", "$$")


def main(frozen: Path, target: Path) -> int:
    files = [path.relative_to(frozen) for path in frozen.rglob("*") if path.is_file()]
    paths = sorted(PurePosixPath(path.as_posix()) for path in files)
    target.mkdir(parents=True, exist_ok=True)
    # With a byte order mark NSIS takes the file for UTF-8.
    scripts = (("install.nsh", install(paths, frozen.resolve().as_posix())), ("remove.nsh", remove(paths)))
    for name, lines in scripts:
        (target / name).write_text("\n".join(lines) + "\n", "utf-8-sig")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
