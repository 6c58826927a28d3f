import base64
import hashlib
import zipfile
from pathlib import Path

import pytest
import repair_wheel
from hypothesis import given
from hypothesis import strategies as st

LIB = "llama_cpp/lib"


def test_each_library_stays_once_under_its_plain_name() -> None:
    names = [
        f"{LIB}/lib{stem}.so{end}" for stem in ("ggml", "llama", "ggml-base") for end in ("", ".0", ".0.25.3")
    ]
    stay = repair_wheel.kept([*names, f"{LIB}/libggml-cpu-haswell.so"])
    assert sorted(stay.values()) == sorted(
        f"{LIB}/lib{stem}.so" for stem in ("ggml", "ggml-base", "ggml-cpu-haswell", "llama")
    )


def test_a_library_with_only_a_versioned_name_is_renamed() -> None:
    assert repair_wheel.kept([f"{LIB}/libllama.so.0.5.0"]) == {f"{LIB}/libllama.so.0.5.0": f"{LIB}/libllama.so"}
    assert repair_wheel.kept([f"{LIB}/libggml.0.25.3.dylib"]) == {
        f"{LIB}/libggml.0.25.3.dylib": f"{LIB}/libggml.dylib"
    }


@pytest.mark.parametrize(
    "name",
    [
        "lib/libllama.so",
        "include/llama.h",
        "bin/libggml-cpu-x64.so",
        f"{LIB}/libmtmd.so",
        f"{LIB}/llama.lib",
        f"{LIB}/cmake/llama/llama-config.cmake",
        "llama_cpp/include/ggml.h",
        "llama_cpp/server/app.py",
        "llama_cpp_python-0.3.36.dist-info/RECORD",
    ],
)
def test_what_is_never_opened_goes(name: str) -> None:
    assert repair_wheel.kept([name]) == {}


def test_code_and_licences_stay() -> None:
    names = ["llama_cpp/llama.py", "llama_cpp_python-0.3.36.dist-info/licenses/LICENSE.md"]
    assert repair_wheel.kept(names) == {name: name for name in names}


@given(
    st.lists(st.sampled_from(["libggml.so", "libggml.so.0", "libllama.so.0", "libggml-cpu-x64.so"]), max_size=8)
)
def test_no_two_files_get_the_same_name(names: list[str]) -> None:
    stay = repair_wheel.kept(f"{LIB}/{name}" for name in names)
    assert len(set(stay.values())) == len(stay)


def test_a_wheel_for_one_processor_is_refused() -> None:
    one = [f"{LIB}/lib{stem}.so" for stem in ("llama", "ggml", "ggml-base", "ggml-cpu")]
    assert repair_wheel.required(one) == ["ggml-cpu-*"]
    many = [*one, f"{LIB}/libggml-cpu-x64.so", f"{LIB}/libggml-cpu-haswell.so"]
    assert repair_wheel.required(many) == []
    assert repair_wheel.required(many[1:]) == ["llama"]


def test_a_packed_wheel_has_a_true_record_and_is_the_same_each_time(tmp_path: Path) -> None:
    folder = tmp_path / "wheel"
    (folder / "llama_cpp" / "lib").mkdir(parents=True)
    (folder / "llama_cpp" / "lib" / "libllama.so").write_bytes(b"\x7fELF library")
    (folder / "x.dist-info").mkdir()
    (folder / "x.dist-info" / "METADATA").write_text("Name: x\n")
    repair_wheel.pack(folder, tmp_path / "one.whl")
    repair_wheel.pack(folder, tmp_path / "two.whl")
    assert (tmp_path / "one.whl").read_bytes() == (tmp_path / "two.whl").read_bytes()
    with zipfile.ZipFile(tmp_path / "one.whl") as wheel:
        lines = wheel.read("x.dist-info/RECORD").decode().splitlines()
        assert {line.split(",")[0] for line in lines} == set(wheel.namelist())
        for name, digest, size in (line.split(",") for line in lines if not line.startswith("x.dist-info/RECORD")):
            data = wheel.read(name)
            found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert (digest, int(size)) == (f"sha256={found}", len(data))
