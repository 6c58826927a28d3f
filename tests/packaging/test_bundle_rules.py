import subprocess
from pathlib import Path

import best_module
import check_bundle
import pytest
import trimming

ROOT = Path(__file__).resolve().parents[2]

GOOD = [
    "_internal/llama_cpp/lib/libllama.so",
    "_internal/llama_cpp/lib/libggml.so",
    "_internal/llama_cpp/lib/libggml-base.so",
    "_internal/llama_cpp/lib/libggml-cpu-haswell.so",
    "_internal/apsw/__init__.cpython-311-x86_64-linux-gnu.so",
    "_internal/Stemmer.cpython-311-x86_64-linux-gnu.so",
    "_internal/python3.11/lib-dynload/_ssl.cpython-311-x86_64-linux-gnu.so",
    "_internal/data-files.txt",
    "_internal/PySide6/Qt/translations/qtbase_zh_CN.qm",
    "_internal/PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "_internal/PySide6/Qt/lib/libQt6Svg.so.6",
]
DATA = [path.as_posix() for path in trimming.our_data(ROOT)]


@pytest.mark.parametrize(
    "name",
    [
        "PySide6/Qt/lib/libQt6Network.so.6",
        "PySide6/QtNetwork.abi3.so",
        "PySide6/Qt/plugins/tls/libqopensslbackend.so",
        "PySide6/Qt/plugins/networkinformation/libqglib.so",
        "PySide6/Qt/plugins/platforminputcontexts/libqtvirtualkeyboardplugin.so",
        "PySide6/Qt/plugins/imageformats/libqpdf.so",
        "PySide6/Qt/qml/QtQuick/qmldir",
        "PySide6\\plugins\\tls\\qschannelbackend.dll",
        "PySide6/Qt/translations/qtbase_fr.qm",
        "selectolax/lexbor.c",
        "libxcb.so.1",
        "libX11.so.6",
        "libstdc++.so.6",
        "libcap.so.2",
        "llama_cpp/lib/libmtmd.so",
        "llama_cpp/lib/libllama-common.so",
    ],
)
def test_what_is_trimmed(name: str) -> None:
    assert not trimming.wanted(name, "linux")


@pytest.mark.parametrize(
    "name",
    [
        *(name.removeprefix("_internal/") for name in GOOD),
        "PySide6/Qt/lib/libQt6Core.so.6",
        "PySide6/Qt/lib/libQt6XcbQpa.so.6",
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqwayland.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "libcrypto.so.3",
        "libpython3.11.so.1.0",
        "libcapstone.so.4",
    ],
)
def test_what_stays(name: str) -> None:
    assert trimming.wanted(name, "linux")


def test_the_systems_own_libraries_are_bundled_elsewhere() -> None:
    assert trimming.wanted("libX11.6.dylib", "darwin")


def test_a_whole_bundle_has_no_fault() -> None:
    assert check_bundle.faults([*GOOD, *(f"_internal/{name}" for name in DATA)], DATA) == []


@pytest.mark.parametrize(
    "name",
    [
        "app/i18n/backscroll_zh_CN.qm",
        "app/icons/backscroll.svg",
        "app/sample/questions.json",
        "engine/search/cues.toml",
        "engine/search/related.npz",
        "engine/search/weights.json",
        "importers/whatsapp_words.toml",
        "models/catalogue.toml",
    ],
)
def test_our_own_data_is_demanded(name: str) -> None:
    others = [f"_internal/{each}" for each in DATA if each != name]
    assert check_bundle.faults([*GOOD, *others], DATA) == [f"The bundle lacks {name}."]


def test_every_file_of_our_packages_is_code_or_goes_into_the_bundle() -> None:
    """A new kind of data file would otherwise be missing from the installed program only."""
    command = ["git", "ls-files", "-z", *trimming.OURS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    names = done.stdout.split("\0")[:-1] or [
        path.relative_to(ROOT).as_posix()
        for package in trimming.OURS
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    for_building = (".py", ".typed", ".ts", ".sh", ".md")
    assert {name for name in names if not name.endswith(for_building)} <= set(DATA)
    assert len(names) > len(DATA) > 30


def test_wide_registers_are_seen() -> None:
    old = ["  10: movaps %xmm1,%xmm0", "  14: pshufb %xmm2,%xmm1", "  18: mov %rax,%rbx"]
    assert check_bundle.wide_instructions(old) == 0
    assert (
        check_bundle.wide_instructions([*old, " 1c: vpaddd %ymm1,%ymm2,%ymm3", " 20: vpxord %zmm9,%zmm9,%zmm9"])
        == 2
    )


def test_only_what_every_processor_loads_is_held_to_the_floor() -> None:
    names = ["libllama.so", "libggml.so", "libggml-base.so", "libggml-cpu-x64.so", "libggml-cpu-sse42.so"]
    assert all(map(check_bundle.FOR_ALL.search, names))
    assert not any(map(check_bundle.FOR_ALL.search, ["libggml-cpu-haswell.so", "libggml-cpu-zen4.so"]))


SSE = "sse4_2"
HASWELL = f"{SSE} avx f16c fma avx2 bmi2"
SKYLAKE = f"{HASWELL} avx512f avx512cd avx512vl avx512dq avx512bw"


@pytest.mark.parametrize(
    ("flags", "module"),
    [
        ("sse2", "x64"),
        (SSE, "sse42"),
        (HASWELL, "haswell"),
        (f"{HASWELL} avx_vnni", "alderlake"),
        (SKYLAKE, "skylakex"),
        (f"{SKYLAKE} avx512vbmi avx512_vnni", "icelake"),
        (f"{SKYLAKE} avx512vbmi avx512_vnni avx512_bf16 avx_vnni", "zen4"),
        (f"{SKYLAKE} avx512vbmi avx512_vnni avx512_bf16 amx_tile amx_int8", "sapphirerapids"),
    ],
)
def test_the_best_module_uses_most_of_the_processor(flags: str, module: str) -> None:
    assert best_module.best(best_module.NEEDS, ["fpu", *flags.split()]) == module


def test_the_best_is_among_the_modules_that_are_there() -> None:
    assert best_module.best(["x64", "haswell"], SKYLAKE.split()) == "haswell"
    with pytest.raises(ValueError, match="empty"):
        best_module.best(["haswell"], [SSE])


@pytest.mark.parametrize("name", GOOD)
def test_what_is_missing_is_said(name: str) -> None:
    (fault,) = check_bundle.faults(each for each in GOOD if each != name)
    assert fault.startswith("The bundle lacks ")


@pytest.mark.parametrize(
    "name",
    [
        "_internal/PySide6/Qt/lib/libQt6Network.so.6",
        "_internal/libcurl.so.4",
        "_internal/requests/api.pyc",
        "_internal/diskcache/core.pyc",
        "_internal/llama_cpp/lib/libggml.so.0",
    ],
)
def test_what_should_not_be_there_is_said(name: str) -> None:
    faults = check_bundle.faults([*GOOD, name])
    assert faults
    assert all(name in fault for fault in faults)
