"""Third-party notices and a bill of materials (CycloneDX), made from what PyInstaller really put into the bundle.

Each file of the bundle comes from one of four places: a Python package (its licences lie in its metadata), Python
itself, a library of the Linux system (Debian knows its package), or this repository. Works without a package of
their own are listed in licences/inside.toml. A file that belongs to nobody, or a package without a licence, is an
error: then somebody must look.

usage: notices.py PYINSTALLER_WORK_FOLDER TARGET_FOLDER
"""

import ast
import json
import os
import platform
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
LICENCES = HERE / "licences"
TABLES = ("COLLECT-00.toc", "PYZ-00.toc")


@dataclass(slots=True)
class Component:
    """A work of others in the bundle; `texts` are the licences and notices that come with it."""

    name: str
    version: str
    licence: str
    address: str  # a package URL
    texts: dict[str, str] = field(default_factory=dict)
    note: str = ""


def collected(work: Path) -> list[Path]:
    """Where the files of the bundle come from, after PyInstaller's own records."""
    found: set[str] = set()
    for name in TABLES:
        table = ast.literal_eval((work / name).read_text("utf-8"))
        entries = next(part for part in table if isinstance(part, list))
        found |= {
            source
            for _, source, kind, *_ in entries
            if source and kind not in ("SYMLINK", "PYZ", "PKG", "EXECUTABLE")
        }
    return sorted(Path(source) for source in found if source not in ("-", "."))


def components(sources: Iterable[Path]) -> list[Component]:
    """The works that the files belong to."""
    owners = _owners()
    packages: dict[str, metadata.Distribution] = {}
    system: set[str] = set()
    for source in sources:
        if owner := owners.get(source) or owners.get(source.resolve()):
            packages[_name(owner)] = owner
        elif not _ours(source) and not _of_python(source):
            system.add(_system_package(source))
    listed = [_package(packages[name]) for name in sorted(packages) if name != "pyinstaller"]
    return [_python(), _bootloader(), *listed, *_inside(packages), *map(_debian, sorted(system))]


def _owners() -> dict[Path, metadata.Distribution]:
    return {
        Path(str(found.locate_file(file))): found
        for found in metadata.distributions()
        for file in found.files or ()
    }


def _name(found: metadata.Distribution) -> str:
    return str(found.metadata["Name"]).lower()


def _ours(source: Path) -> bool:
    return source.is_relative_to(ROOT) or "build" in source.parts


def _of_python(source: Path) -> bool:
    places = {Path(sys.base_prefix, "lib"), Path(os.__file__).parent, Path(sys.base_prefix)}
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    stdlib = any(source.is_relative_to(place) for place in places if place.name == version)
    return stdlib or source.name.startswith((f"lib{version}", "python3")) or source.name == "base_library.zip"


def _system_package(source: Path) -> str:
    """The Debian package of a library, with its version."""
    for path in (source, source.resolve(), Path(str(source.resolve()).removeprefix("/usr"))):
        done = subprocess.run(["dpkg-query", "-S", str(path)], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.split(":", 1)[0]
    raise SystemExit(f"{source} is in the bundle, but nobody knows whose it is.")


def _licence(found: metadata.Distribution) -> str:
    about = found.metadata
    for value in (about["License-Expression"], about["License"]):
        if value and len(value) < 90 and value.strip() != "OSI Approved":
            return str(value)
    named = [str(line).rsplit(" :: ", 1)[-1] for line in about.get_all("Classifier", []) if "License ::" in line]
    return " AND ".join(named) or "see the text"


def _package(found: metadata.Distribution) -> Component:
    name, version = str(found.metadata["Name"]), found.version
    texts = {}
    for file in found.files or ():
        path = Path(str(found.locate_file(file)))
        if ".dist-info" in str(file) and any(
            word in path.name.upper() for word in ("LICEN", "COPYING", "NOTICE", "AUTHORS")
        ):
            texts[str(file).split(".dist-info/", 1)[1]] = path.read_text("utf-8", "replace")
    component = Component(name, version, _licence(found), f"pkg:pypi/{name.lower()}@{version}", texts)
    if not texts and component.licence == "see the text":
        raise SystemExit(f"{name} comes without a licence.")
    return component


def _python() -> Component:
    version = platform.python_version()
    texts = {"LICENSE": (LICENCES / "Python.txt").read_text("utf-8")}
    return Component("Python", version, "PSF-2.0", f"pkg:generic/python@{version}", texts)


def _bootloader() -> Component:
    found = metadata.distribution("pyinstaller")
    made = _package(found)
    made.note = "Only its small start program is in the bundle, under the exception of its licence."
    return made


def _inside(packages: dict[str, metadata.Distribution]) -> list[Component]:
    """Works inside the packages that are there."""
    works = tomllib.loads((LICENCES / "inside.toml").read_text("utf-8"))["work"]
    made = []
    for work in works:
        if owner := packages.get(work["inside"]):
            version = work["version"].replace("as the package", owner.version)
            texts = {name: (LICENCES / name).read_text("utf-8") for name in work["files"]}
            address = f"pkg:generic/{work['name'].lower().replace(' ', '-')}"
            made.append(Component(work["name"], version, work["licence"], address, texts, work.get("note", "")))
    return made


def _debian(package: str) -> Component:
    done = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}\n", package], capture_output=True, text=True, check=True
    )
    version = done.stdout.split()[0]
    texts = {"copyright": Path(f"/usr/share/doc/{package}/copyright").read_text("utf-8", "replace")}
    return Component(package, version, "see the text", f"pkg:deb/debian/{package}@{version}", texts)


def notices(works: Iterable[Component]) -> str:
    """The notices as one text: a list, then the licences, each text once."""
    works, said, parts = list(works), set(), []
    lines = ["Backscroll is made with the works of others.", ""]
    lines += [f"  {work.name} {work.version}: {work.licence}" for work in works]
    for work in works:
        parts += ["", "=" * 100, f"{work.name} {work.version}", f"Licence: {work.licence}", ""]
        parts += [work.note, ""] if work.note else []
        for name, text in work.texts.items():
            text = text.strip()
            again = text in said
            parts += [f"--- {name}" + (" (given above)" if again else ""), "", *([] if again else [text, ""])]
            said.add(text)
    return "\n".join([*lines, *parts]).rstrip() + "\n"


def bill(works: Iterable[Component], version: str, moment: datetime) -> dict[str, Any]:
    """The CycloneDX 1.6 document."""
    parts = [
        {
            "type": "library",
            "bom-ref": work.address,
            "name": work.name,
            "version": work.version,
            "purl": work.address,
            "licenses": [{"license": {"name": work.licence}}],
        }
        for work in works
    ]
    seed = json.dumps(parts, sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'backscroll {version} {seed}')}",
        "version": 1,
        "metadata": {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": "backscroll",
                "name": "Backscroll",
                "version": version,
                "licenses": [{"license": {"id": "MIT"}}],
            },
        },
        "components": parts,
        "dependencies": [{"ref": "backscroll", "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def main(work: Path, target: Path) -> int:
    sys.path.insert(0, str(ROOT))
    from engine.version import VERSION

    works = components(collected(work))
    moment = datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH") or 0), UTC)
    target.mkdir(parents=True, exist_ok=True)
    (target / "THIRD-PARTY-NOTICES.txt").write_text(notices(works), "utf-8")
    document = json.dumps(bill(works, VERSION, moment), indent=1, ensure_ascii=False)
    (target / "backscroll.cdx.json").write_text(document + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
