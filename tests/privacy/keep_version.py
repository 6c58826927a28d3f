"""Keeps an archive of the present version for the tests of later ones: run it when a migration was added.

`python tests/privacy/keep_version.py EXPORTS` imports a folder of invented chats and stores archive and key
below tests/engine/data/archives.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.store.schema import VERSION

ARCHIVES = Path(__file__).parent.parent / "engine" / "data" / "archives"


def main() -> None:
    """Import and keep."""
    os.environ["BACKSCROLL_NO_KEYRING"] = "1"
    with tempfile.TemporaryDirectory() as folder:
        library = Library(Home(Path(folder)))
        library.import_paths(Job(), [Path(sys.argv[1])], ImportOptions())
        library.close()
        kept = ARCHIVES / f"v{VERSION}"
        kept.mkdir(parents=True)
        for path in (library.home.archive, library.home.keys):
            shutil.copyfile(path, kept / path.name)


if __name__ == "__main__":
    main()
