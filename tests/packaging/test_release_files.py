"""The small scripts and files around the release: version, lock file, icons, installer lists, notices."""

import plistlib
import re
import shutil
import struct
import subprocess
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from xml.etree import ElementTree

import files
import icons
import notices
import pytest
import version
import without

from engine.version import VERSION

ROOT = Path(__file__).resolve().parents[2]


def test_the_version_is_the_one_of_the_changelog() -> None:
    assert version.version_of((ROOT / "engine" / "version.py").read_text("utf-8")) == VERSION
    assert version.newest_of((ROOT / "CHANGELOG.md").read_text("utf-8")) == VERSION


def test_versions_are_read() -> None:
    assert version.version_of('"""Docs."""\n\nVERSION = "2.10.3"\n') == "2.10.3"
    assert version.newest_of("# Changelog\n\n## 2.10.3 – 2031-01-02\n\n## 2.10.2\n") == "2.10.3"
    assert version.newest_of("# Changelog\n") == ""
    with pytest.raises(SystemExit):
        version.version_of("version = 1")


def test_one_package_leaves_the_lock_file() -> None:
    lock = [
        "aa==1 \\\n",
        "    --hash=sha256:00\n",
        "bb==2 \\\n",
        "    --hash=sha256:11\n",
        "    # via aa\n",
        "bbc==3\n",
    ]
    assert list(without.without("bb", lock)) == [*lock[:2], lock[5]]
    assert list(without.without("zz", lock)) == lock


def test_an_ico_says_where_its_pictures_are() -> None:
    pictures = {16: b"sixteen", 256: b"two hundred"}
    made = icons.ico(pictures)
    assert struct.unpack_from("<HHH", made) == (0, 1, 2)
    for number, (side, picture) in enumerate(pictures.items()):
        width, *_, size, place = struct.unpack_from("<BBBBHHII", made, 6 + 16 * number)
        assert width == side % 256
        assert made[place : place + size] == picture


def test_an_icns_has_true_lengths() -> None:
    made = icons.icns({16: b"a", 512: b"bcd"})
    assert made[:8] == b"icns" + struct.pack(">I", len(made))
    assert made[8:17] == b"icp4" + struct.pack(">I", 9) + b"a"


def test_the_drawing_becomes_pictures() -> None:
    assert icons.render(icons.DRAWING, 32).startswith(b"\x89PNG")


PATHS = [PurePosixPath(path) for path in ("backscroll.exe", "_internal/a$b.dll", "_internal/app/x.svg")]


def test_the_installer_copies_each_file_into_its_folder() -> None:
    assert list(files.install(PATHS, "/r")) == [
        'SetOutPath "$INSTDIR"',
        'File "/r/backscroll.exe"',
        'SetOutPath "$INSTDIR\\_internal"',
        'File "/r/_internal/a$b.dll"',
        'SetOutPath "$INSTDIR\\_internal\\app"',
        'File "/r/_internal/app/x.svg"',
    ]


def test_the_uninstaller_removes_those_files_and_empty_folders_only() -> None:
    lines = list(files.remove(PATHS))
    assert lines == [
        'Delete "$INSTDIR\\backscroll.exe"',
        'Delete "$INSTDIR\\_internal\\a$$b.dll"',
        'Delete "$INSTDIR\\_internal\\app\\x.svg"',
        'RMDir "$INSTDIR\\_internal\\app"',
        'RMDir "$INSTDIR\\_internal"',
    ]


def test_nothing_is_removed_recursively() -> None:
    script = (ROOT / "packaging" / "windows" / "backscroll.nsi").read_text("utf-8")
    assert not re.search(r"RMDir\s+/r", script, re.IGNORECASE)
    for name in ("install.sh", "uninstall.sh"):
        assert "rm -r" not in (ROOT / "packaging" / "linux" / name).read_text("utf-8")


def test_notices_give_each_text_once() -> None:
    works = [
        notices.Component("Alder", "1.0", "MIT", "pkg:pypi/alder@1.0", {"LICENSE": "Alder text\n"}),
        notices.Component("Birch", "2.0", "MIT", "pkg:pypi/birch@2.0", {"LICENSE": "Alder text"}, note="A note."),
    ]
    text = notices.notices(works)
    assert text.count("Alder text") == 1
    assert "  Birch 2.0: MIT" in text
    assert "A note." in text


def test_the_bill_of_materials_is_the_same_for_the_same_bundle() -> None:
    works = [notices.Component("Alder", "1.0", "MIT", "pkg:pypi/alder@1.0")]
    moment = datetime(2031, 1, 2, tzinfo=UTC)
    made = notices.bill(works, "9.9.9", moment)
    assert made == notices.bill(works, "9.9.9", moment)
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", made["serialNumber"])
    assert [part["purl"] for part in made["components"]] == ["pkg:pypi/alder@1.0"]
    assert made["dependencies"][0]["dependsOn"] == ["pkg:pypi/alder@1.0"]


def test_texts_of_works_inside_packages_exist() -> None:
    import tomllib

    works = tomllib.loads((notices.LICENCES / "inside.toml").read_text("utf-8"))["work"]
    assert works
    for work in works:
        assert all((notices.LICENCES / name).stat().st_size for name in work["files"])
        assert work["files"] or work["note"]


def test_the_entitlements_are_a_property_list_that_asks_for_nothing() -> None:
    assert plistlib.loads((ROOT / "packaging" / "macos" / "entitlements.plist").read_bytes()) == {}


def test_metainfo_and_desktop_entry_name_each_other() -> None:
    folder = ROOT / "packaging" / "linux"
    tree = ElementTree.parse(folder / "app.backscroll.Backscroll.metainfo.xml")
    assert (folder / (tree.findtext("launchable") or "")).is_file()
    entry = (folder / "backscroll.desktop").read_text("utf-8")
    assert re.search(r"^Exec=backscroll$", entry, re.MULTILINE)
    # What Qt tells the desktop (app/gui.py), so that the window is shown with the icon.
    assert 'setDesktopFileName("backscroll")' in (ROOT / "app" / "gui.py").read_text("utf-8")


def test_actions_are_pinned_by_hash() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    uses = re.findall(r"uses: (\S+)", workflow)
    assert uses
    assert all(re.fullmatch(r"actions/[\w-]+@[0-9a-f]{40}", each) for each in uses)


@pytest.mark.skipif(
    not shutil.which("makensis"), reason="NSIS is not installed here; `make package-test` needs it"
)
def test_the_windows_installer_compiles(tmp_path: Path) -> None:
    frozen, lists = tmp_path / "frozen", tmp_path / "lists"
    for path in PATHS:
        (frozen / path).parent.mkdir(parents=True, exist_ok=True)
        (frozen / path).write_bytes(b"MZ")
    files.main(frozen, lists)
    (tmp_path / "a.ico").write_bytes(icons.ico({side: icons.render(icons.DRAWING, side) for side in (16, 32)}))
    defined = {
        "VERSION": VERSION,
        "LISTS": lists,
        "ICON": tmp_path / "a.ico",
        "LICENCE": ROOT / "LICENSE",
        "OUTPUT": tmp_path / "backscroll-setup.exe",
        "SIZE": "1",
        "COMPRESSION": "zlib",
    }
    script = ROOT / "packaging" / "windows" / "backscroll.nsi"
    command = [
        "makensis",
        "-V2",
        "-WX",
        "-INPUTCHARSET",
        "UTF8",
        *(f"-D{k}={v}" for k, v in defined.items()),
        script,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "backscroll-setup.exe").read_bytes().startswith(b"MZ")


def test_the_workflow_uses_secrets_by_name_only_and_builds_all_three_systems() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text("utf-8")
    assert {"windows-2022", "macos-14", "debian:12"} <= set(re.findall(r"(?:runs-on|image): (\S+)", workflow))
    named = set(re.findall(r"secrets\.(\w+)", workflow))
    told = (ROOT / "docs" / "packaging.md").read_text("utf-8")
    assert named
    assert {name for name in named if f"`{name}`" not in told} == set()
