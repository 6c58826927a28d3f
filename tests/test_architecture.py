"""Rules of the house that a linter cannot check."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("app", "engine", "models", "importers")
MODULES = sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py"))
LONGEST_FILE = 450
MOST_METHODS = 20


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_there_are_modules_to_check() -> None:
    assert len(MODULES) > 50


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_module_is_short_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST_FILE
    assert ast.get_docstring(ast.parse(text)), "no docstring"


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_classes_are_small(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ClassDef):
            methods = [n for n in node.body if isinstance(n, ast.FunctionDef) and not n.name.startswith("__")]
            # A Qt class also holds the virtual functions that Qt names; they are not counted.
            own = [m for m in methods if m.name == m.name.lower()]
            assert len(own) <= MOST_METHODS, f"{node.name} has {len(own)} methods"


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_only_fetching_knows_the_network() -> None:
    network = {
        "urllib.request",
        "http.client",
        "socket",
        "ssl",
        "asyncio",
        "ftplib",
        "smtplib",
        "PySide6.QtNetwork",
    }
    users = {name(p) for p in MODULES if network & set(imports_of(p))}
    assert users == {"models/fetch.py"}


def loaded_after(statement: str, *watched: str) -> set[str]:
    code = f"import sys; {statement}; print([m for m in {watched!r} if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return set(ast.literal_eval(run.stdout.strip().splitlines()[-1]))


def test_the_engine_loads_neither_qt_nor_llama() -> None:
    loaded = loaded_after("import engine.library, engine.service, importers.registry", "PySide6", "llama_cpp")
    assert loaded == set()


def test_the_command_line_loads_no_qt() -> None:
    assert loaded_after("import app.cli", "PySide6", "llama_cpp") == set()


def test_packaging_is_no_package() -> None:
    assert not (ROOT / "packaging" / "__init__.py").exists()


def test_the_version_is_the_newest_of_the_changelog() -> None:
    from engine.version import VERSION

    headings = [
        line for line in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines() if line[:3] == "## "
    ]
    assert headings[0].removeprefix("## ").split()[0] == VERSION


def test_lock_files_hold_hashes_and_no_addresses() -> None:
    for lock in ("requirements.txt", "requirements-dev.txt"):
        text = (ROOT / lock).read_text(encoding="utf-8")
        assert "--hash=sha256:" in text
        assert "http" not in text.replace("httpx", "")
        assert "--index" not in text
        assert "--find-links" not in text
