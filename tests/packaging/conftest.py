import sys
from pathlib import Path

# The scripts are run by path and are no package: a package `packaging` would shadow the library of that name.
SCRIPTS = Path(__file__).resolve().parents[2] / "packaging"
for folder in (SCRIPTS, SCRIPTS / "windows"):
    if str(folder) not in sys.path:
        sys.path.append(str(folder))
