import check_bundle
import pytest
import trimming

GOOD = [
    "_internal/llama_cpp/lib/libllama.so",
    "_internal/llama_cpp/lib/libggml.so",
    "_internal/llama_cpp/lib/libggml-base.so",
    "_internal/llama_cpp/lib/libggml-cpu-haswell.so",
    "_internal/apsw/__init__.cpython-311-x86_64-linux-gnu.so",
    "_internal/Stemmer.cpython-311-x86_64-linux-gnu.so",
    "_internal/app/sample/exports/chat.txt",
    "_internal/models/catalogue.toml",
    "_internal/app/i18n/backscroll_zh_CN.qm",
    "_internal/PySide6/Qt/translations/qtbase_zh_CN.qm",
    "_internal/PySide6/Qt/plugins/platforms/libqoffscreen.so",
    "_internal/app/icons/backscroll.svg",
]


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
    assert check_bundle.faults(GOOD) == []


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
