"""Kills Backscroll at random moments of everything that writes, and looks at what is left.

`python tests/privacy/kills.py --kills 100` prints one line a step and exits with 1 when anything was lost.
Each kill is a forked process that runs one step on a copy of a prepared home and gets SIGKILL at a random
moment between the step's beginning and its end. Afterwards another process opens the archive, verifies it,
holds its counts against what they may be, and goes on with the work that was broken off.
"""

import argparse
import contextlib
import os
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from app.settings import MODEL, THEME, Settings
from engine import backup as backups
from engine.errors import ArchiveDamaged, ArchiveLocked
from engine.home import Home
from engine.job import Job
from engine.library import Library
from engine.reading import ImportOptions
from engine.store import keys as keys_module
from engine.types import Filters

sys.path.insert(0, str(Path(__file__).parent))

from lives import write_chat

ARCHIVES = Path(__file__).parent.parent / "engine" / "data" / "archives"
SMALL, LARGE = 1_500, 4_000
SECRET = "quiet passphrase of the tests"


@dataclass(frozen=True)
class Step:
    """Something that writes: how its home is prepared, what it does, and what must hold afterwards."""

    name: str
    prepare: Callable[[Home, Path], None]
    run: Callable[[Home, Path], None]
    check: Callable[[Home, Path], None]


def write_exports(folder: Path) -> None:
    """The files that the steps import."""
    for name, count in (("small", SMALL), ("large", LARGE)):
        (folder / name).mkdir()
        write_chat(folder / name, count)
    write_chat(folder, 700, title="Rowing club", start=40)


def import_(home: Home, *paths: Path) -> None:
    """Import files."""
    library = Library(home)
    library.import_paths(Job(), paths, ImportOptions())
    library.close()


def expect(home: Home, *counts: int, problems: bool = False) -> int:
    """The archive opens and agrees with itself, and holds one of these numbers of messages; gives which."""
    library = Library(home)
    result = library.verify(Job())
    assert not result.problems, result.problems
    assert problems or not result.index_problems, result.index_problems
    messages = int(library.stats()["messages"])
    assert messages in counts, f"{messages} messages, not one of {counts}"
    assert not library.archive.value("SELECT 1 FROM meta WHERE key = 'to_scrub'")
    assert bool(library.searcher.search("quince", filters=Filters()).hits) is bool(messages)
    library.close()
    return messages


def after_import(*, small: bool) -> Callable[[Home, Path], None]:
    """Nothing or everything is there, and the import can go on."""

    def check(home: Home, folder: Path) -> None:
        expect(home, SMALL if small else 0, LARGE)
        import_(home, folder / "large")
        expect(home, LARGE)

    return check


def erase(home: Home, _folder: Path) -> None:
    """Erase one of two chats."""
    library = Library(home)
    library.erase_chat("Rowing club")
    library.close()


def after_erase(home: Home, folder: Path) -> None:
    """The chat is there or gone; when it is gone it can be imported again."""
    if expect(home, SMALL, SMALL + 700) > SMALL:
        erase(home, folder)
    expect(home, SMALL)
    import_(home, folder / "WhatsApp Chat with Rowing club.txt")
    expect(home, SMALL + 700)


def damage_index(home: Home, folder: Path) -> None:
    """Lose every third turn."""
    import_(home, folder / "large")
    library = Library(home)
    with library.archive.transaction() as db:
        db.execute("DELETE FROM turn WHERE id % 3 = 0")
    library.close()


def rebuild(home: Home, _folder: Path) -> None:
    """Verify, which makes turns and index again."""
    library = Library(home)
    library.verify(Job())
    library.close()


def after_rebuild(home: Home, folder: Path) -> None:
    """The next verify mends what this one did not."""
    expect(home, LARGE, problems=True)
    expect(home, LARGE)


def damage_page(home: Home, folder: Path) -> None:
    """Damage a byte of a page that can be made again: one is looked for until the messages survive it."""
    import_(home, folder / "large")
    whole, chance, trial = home.archive.read_bytes(), random.Random(4), Home(folder / "trial")
    while True:
        shutil.rmtree(trial.path, ignore_errors=True)
        shutil.copytree(home.path, trial.path)
        data = bytearray(whole)
        data[chance.randrange(len(data))] ^= 1
        trial.archive.write_bytes(data)
        with contextlib.suppress(ArchiveDamaged):
            rebuild(trial, folder)
            if trial.archive.with_suffix(".damaged").exists() and expect(trial, 0, LARGE, problems=True):
                home.archive.write_bytes(data)
                return


def old_archive(home: Home, _folder: Path) -> None:
    """An archive of the first version."""
    for path in (ARCHIVES / "v1").iterdir():
        shutil.copyfile(path, home.path / path.name)
        (home.path / path.name).chmod(0o600)


def migrate(home: Home, _folder: Path) -> None:
    """Opening brings it up to date."""
    Library(home).close()


def after_migration(home: Home, folder: Path) -> None:
    """All its messages are there, and new ones can come."""
    library = Library(home)
    assert library.stats()["messages"] == 53
    assert library.verify(Job()).ok
    library.close()
    import_(home, folder / "WhatsApp Chat with Rowing club.txt")


def write_settings(home: Home, _folder: Path) -> None:
    """Two settings, again and again."""
    settings = Settings(home.path)
    for round_ in range(60):
        settings.set(MODEL, f"model {round_}")
        settings.set(THEME, "dark" if round_ % 2 else "light")


def after_settings(home: Home, _folder: Path) -> None:
    """One of the values that were written is there."""
    assert Settings(home.path).get(MODEL).startswith("model")


def change_locks(home: Home, _folder: Path) -> None:
    """Passphrase, recovery key, no passphrase."""
    library = Library(home, passphrase=SECRET)
    for _ in range(8):
        library.lock_with(SECRET)
        library.new_recovery_key()
        library.lock_with(None)
    library.close()


def after_locks(home: Home, folder: Path) -> None:
    """It opens without a passphrase or with it."""
    try:
        Library(home).close()
    except ArchiveLocked:
        library = Library(home, passphrase=SECRET)
        library.lock_with(None)
        library.close()
    after_import(small=True)(home, folder)


def locked_home(home: Home, folder: Path) -> None:
    """An archive with a passphrase, and a backup of another state of it."""
    import_(home, folder / "large")
    library = Library(home)
    library.lock_with(SECRET)
    backups.backup(library.archive, library.keys, home.path / "whole.backup", Job())
    library.erase_chat("Tobi")
    library.close()


def make_backup(home: Home, _folder: Path) -> None:
    """A backup in place of an older one."""
    library = Library(home, passphrase=SECRET)
    for _ in range(3):
        backups.backup(library.archive, library.keys, home.path / "whole.backup", Job())
    library.close()


def restore(home: Home, _folder: Path) -> None:
    """Take the backup in place of what is there."""
    backups.restore(home, home.path / "whole.backup", SECRET, Job(), replace=True)


def after_backup(home: Home, folder: Path) -> None:
    """The backup is the old or the new one, whole."""
    restore(home, folder)
    os.environ["BACKSCROLL_PASSPHRASE"] = SECRET
    after_import(small=False)(home, folder)


def two_archives(home: Home, folder: Path) -> None:
    """An archive that opens by itself, and the backup of another, larger one with a passphrase."""
    other = Home(folder / "other")
    import_(other, folder / "large")
    library = Library(other)
    library.lock_with(SECRET)
    backups.backup(library.archive, library.keys, home.path / "whole.backup", Job())
    library.close()
    import_(home, folder / "small")


def after_restore(home: Home, folder: Path) -> None:
    """The old archive opens with its own key, or the restored one with its passphrase; whichever it is, whole."""
    try:
        Library(home).close()
        expect(home, SMALL)
    except ArchiveLocked:
        os.environ["BACKSCROLL_PASSPHRASE"] = SECRET
        expect(home, LARGE)
    assert not list(home.path.glob("*.restoring"))
    restore(home, folder)
    os.environ["BACKSCROLL_PASSPHRASE"] = SECRET
    after_import(small=False)(home, folder)


STEPS = (
    Step(
        "import",
        lambda home, folder: Library(home).close(),
        lambda h, f: import_(h, f / "large"),
        after_import(small=False),
    ),
    Step(
        "append",
        lambda h, f: import_(h, f / "small"),
        lambda h, f: import_(h, f / "large"),
        after_import(small=True),
    ),
    Step("erase", lambda h, f: import_(h, f / "small", next(f.glob("*Rowing*"))), erase, after_erase),
    Step("rebuild", damage_index, rebuild, after_rebuild),
    Step("salvage", damage_page, rebuild, after_rebuild),
    Step("migration", old_archive, migrate, after_migration),
    Step("settings", lambda home, folder: Settings(home.path).set(MODEL, "model"), write_settings, after_settings),
    Step("locks", lambda h, f: import_(h, f / "small"), change_locks, after_locks),
    Step("backup", locked_home, make_backup, after_backup),
    Step("restore", two_archives, restore, after_restore),
)


def forked(work: Callable[[], None], *, kill_after: float | None = None) -> tuple[str, float]:
    """Run in a process of its own: how it ended ("done", "killed" or what it raised) and its seconds.

    Time is counted from a mark that the process gives when it has begun.
    """
    read, write = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks beside threads: this one uses none of them
        process = os.fork()
    if process == 0:
        os.close(read)
        os.write(write, b".")
        try:
            work()
        except BaseException:  # noqa: BLE001 - told to the parent
            os.write(write, traceback.format_exc().encode()[-4000:])
        os._exit(0)
    os.close(write)
    os.read(read, 1)
    began = time.monotonic()
    if kill_after is not None:
        select.select([read], [], [], kill_after)  # ends early when the process does
        os.kill(process, signal.SIGKILL)
    said = b""
    while block := os.read(read, 65536):
        said += block
    os.close(read)
    _, status = os.waitpid(process, 0)
    seconds = time.monotonic() - began
    if said:
        return said.decode(), seconds
    return ("killed" if os.WIFSIGNALED(status) else "done"), seconds


def kill_often(step: Step, kills: int, chance: random.Random, folder: Path) -> list[str]:
    """What went wrong in so many kills of a step."""
    prepared = folder / f"{step.name}-prepared"
    Home(prepared).create()
    ended, _ = forked(lambda: step.prepare(Home(prepared), folder))
    assert ended == "done", ended
    home = Home(folder / f"{step.name}-home")
    longest = 0.0
    for _ in range(2):
        shutil.rmtree(home.path, ignore_errors=True)
        shutil.copytree(prepared, home.path)
        ended, seconds = forked(lambda: step.run(home, folder))
        assert ended == "done", ended
        longest = max(longest, seconds)
    faults: list[str] = []
    killed = 0
    while killed < kills:
        shutil.rmtree(home.path, ignore_errors=True)
        shutil.copytree(prepared, home.path)
        moment = chance.uniform(0, longest)
        ended, seconds = forked(lambda: step.run(home, folder), kill_after=moment)
        if ended == "done":  # it was faster this time
            longest = max(longest * 0.9, seconds)
            continue
        killed += 1
        checked = ended if ended != "killed" else forked(lambda: step.check(home, folder))[0]
        if checked != "done":
            faults.append(f"{step.name}, killed after {moment:.4f} of {longest:.4f} s: {checked}")
    return faults


def run(kills: int, seed: int, names: Sequence[str] = ()) -> tuple[int, list[str]]:
    """Kill every step so often; how many kills there were and what went wrong."""
    os.umask(0o077)
    os.environ["BACKSCROLL_NO_KEYRING"] = "1"
    os.environ.pop("BACKSCROLL_PASSPHRASE", None)
    keys_module.SCRYPT_N = 2**10
    faults: list[str] = []
    steps = [step for step in STEPS if not names or step.name in names]
    with tempfile.TemporaryDirectory(prefix="backscroll-kills-") as folder:
        write_exports(Path(folder))
        for step in steps:
            began = time.monotonic()
            found = kill_often(step, kills, random.Random(f"{seed} {step.name}"), Path(folder))
            faults += found
            seconds = time.monotonic() - began
            tell(f"{step.name:10} survived {kills - len(found)} of {kills} kills ({seconds:.0f} s)")
    return kills * len(steps), faults


def tell(line: str) -> None:
    """A line of the report."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100, help="for every step")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("steps", nargs="*")
    options = parser.parse_args()
    kills, faults = run(options.kills, options.seed, options.steps)
    for fault in faults[:20]:
        tell(fault)
    tell(f"{kills - len(faults)} of {kills} kills survived")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
