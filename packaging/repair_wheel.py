"""Slims a freshly built llama-cpp-python wheel: each shared library once, and nothing that Backscroll never opens.

A wheel cannot hold links, so the build stores every library three times (`libggml.so`, `.so.0`, `.so.0.25.3`), and
llama.cpp's own install writes the lot again outside the package. Worse, Python opens `libggml.so` while libllama
asks for `libggml.so.0`: two copies in memory, each with its own list of processor modules. One file a library,
known to all by its plain name, ends both.

usage: repair_wheel.py RAW.whl FOLDER
"""

import base64
import hashlib
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

LIBRARY = re.compile(
    r"(?P<stem>(?:lib)?(?:llama|ggml)[\w-]*?)(?P<version>(?:\.\d+)*)\.(?P<end>so|dylib|dll)(?:\.[\d.]+)?"
)
UNUSED = ("llama_cpp/include/", "llama_cpp/server/", "llama_cpp/lib/cmake/", "llama_cpp/lib/pkgconfig/")


def kept(names: Iterable[str]) -> dict[str, str]:
    """Which members stay, and under which name. Headers, servers, import libraries and second copies go."""
    stay: dict[str, str] = {}
    for name in sorted(names):
        path = PurePosixPath(name)
        if name.endswith("/") or name.startswith(UNUSED) or path.name == "RECORD":
            continue
        if path.parts[0] != "llama_cpp" and not path.parts[0].endswith(".dist-info"):
            continue
        if str(path.parent) != "llama_cpp/lib":
            stay[name] = name
        elif found := LIBRARY.fullmatch(path.name):
            plain = str(path.with_name(f"{found['stem']}.{found['end']}"))
            if plain not in stay.values():
                stay[name] = plain
    return stay


def required(names: Iterable[str]) -> list[str]:
    """What a wheel for every processor must have and this one has not."""
    stems = {PurePosixPath(name).stem.removeprefix("lib") for name in names if name.startswith("llama_cpp/lib/")}
    variants = sum(stem.startswith("ggml-cpu-") for stem in stems)
    missing = [stem for stem in ("llama", "ggml", "ggml-base") if stem not in stems]
    return missing if variants > 1 else [*missing, "ggml-cpu-*"]


def use_plain_names(folder: Path) -> None:
    """Let the libraries of a folder ask for one another by the names that they have now."""
    libraries = sorted(folder.glob("*.so")) + sorted(folder.glob("*.dylib"))
    for library in libraries:
        for needed in _needed(library):
            found = LIBRARY.fullmatch(PurePosixPath(needed).name)
            plain = f"{found['stem']}.{found['end']}" if found else ""
            if plain and (folder / plain).exists():
                _rename_needed(library, needed, plain)
        _name(library)


def _needed(library: Path) -> list[str]:
    if library.suffix == ".so":
        return _said("patchelf", "--print-needed", str(library)).split()
    lines = _said("otool", "-L", str(library)).splitlines()[1:]
    return [line.split()[0] for line in lines if line.strip()]


def _rename_needed(library: Path, needed: str, plain: str) -> None:
    if library.suffix == ".so":
        _said("patchelf", "--replace-needed", needed, plain, str(library))
    else:
        _said("install_name_tool", "-change", needed, f"@rpath/{plain}", str(library))


def _name(library: Path) -> None:
    if library.suffix == ".so":
        _said("patchelf", "--set-soname", library.name, "--set-rpath", "$ORIGIN", str(library))
    else:
        _said("install_name_tool", "-id", f"@rpath/{library.name}", str(library))
        _said("codesign", "--force", "--sign", "-", str(library))  # arm64 does not run what was changed unsigned


def _said(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def pack(folder: Path, wheel: Path) -> None:
    """Zip a folder as a wheel, with a new RECORD; the same folder gives the same bytes."""
    (record,) = folder.glob("*.dist-info")
    record = record / "RECORD"
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path != record)
    lines = [_line(path.relative_to(folder).as_posix(), path.read_bytes()) for path in paths]
    record.write_text("\n".join([*lines, f"{record.relative_to(folder).as_posix()},,", ""]), "utf-8")
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in [*paths, record]:
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix(), (1980, 1, 1, 0, 0, 0))
            info.external_attr = (0o100755 if ".so" in path.suffixes else 0o100644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())


def _line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
    return f"{name},sha256={digest},{len(data)}"


def main(raw: Path, target: Path) -> int:
    with tempfile.TemporaryDirectory() as temporary, zipfile.ZipFile(raw) as archive:
        folder = Path(temporary)
        stay = kept(archive.namelist())
        if missing := required(stay.values()):
            print(f"{raw.name} lacks {', '.join(missing)}.", file=sys.stderr)
            return 1
        for name, new in stay.items():
            (folder / new).parent.mkdir(parents=True, exist_ok=True)
            (folder / new).write_bytes(archive.read(name))
        use_plain_names(folder / "llama_cpp" / "lib")
        pack(folder, target / raw.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
