"""Mixed use by script: for hours, everything that people do, in random order, without an error.

`python tests/privacy/mixed_use.py --seconds 7200 --seed 7 --model ID` works with one engine process and, now and
then, with commands beside it. It knows which messages must be in the archive, and holds every count against that.
Memory and file sizes are printed every minute. The first thing that is not as it must be ends it, with its step
and seed.
"""

import argparse
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from endurance import memory_of
from lives import WORDS, Engine, answer_of, program
from mixed_exports import LINES, Export, Exports

from engine.home import Home

MINUTE = 60.0
LONGEST = 3_600.0  # seconds that a step may take: more means that something waits for ever
SECRETS = ("plain words of the script", "other words, as plain", "the third of them")
EXPECTED = frozenset(
    {"archive.db", "archive.db-wal", "archive.db-shm", "keys.json", "settings.json", "models", "models.json"}
)
GROWTH = 1.5  # of an engine's memory over its second half, while it holds about as much


class Wrong(Exception):
    """Something is not as it must be."""


class Client(Engine):
    """An engine that can be asked several things at once."""

    def __init__(self, home: Path) -> None:
        super().__init__(home)
        self._ends: dict[int, Any] = {}

    def begin(self, method: str, **params: Any) -> int:
        """Send a request; gives its number."""
        self.send(method, **params)
        return self._number

    def end_of(self, number: int) -> Any:
        """The whole end of a request, whatever else ends before it."""
        while number not in self._ends:
            said = self._next()
            if "id" in said and "event" not in said:
                self._ends[said["id"]] = said
        return self._ends.pop(number)

    def result(self, number: int) -> Any:
        """The result of a request that must have one."""
        said = self.end_of(number)
        if "error" in said:
            raise Wrong(str(said["error"]))
        return said["result"]

    def ask(self, method: str, **params: Any) -> Any:
        """Ask and wait."""
        return self.result(self.begin(method, **params))

    def refused(self, method: str, kind: str, **params: Any) -> None:
        """Ask for what must be refused with one kind of sentence."""
        said = self.end_of(self.begin(method, **params))
        if said.get("error", {}).get("type") != kind:
            raise Wrong(f"{method} was to be refused as {kind}, but: {str(said)[:300]}")


class MixedUse:
    """The user, who remembers which lines of which chat were imported."""

    def __init__(self, folder: Path, chance: random.Random, model: str | None) -> None:
        self.chance = chance
        self.model = model
        self.home = folder / "home"
        self.folder = folder
        self.exports = Exports(folder / "exports", chance)
        self.there: dict[str, set[int]] = {}
        self.secret: str | None = None
        self.recovery: str | None = None
        self.counts: Counter[str] = Counter()
        self.engine = Client(self.home)
        self.curve: list[int] = []

    # what must hold

    def counted(self, engine: Client | None = None) -> dict[str, int]:
        """Messages of each chat, as the engine says."""
        return {each["title"]: each["messages"] for each in (engine or self.engine).ask("chats")}

    def expect(self) -> None:
        """Each chat has as many messages as were imported."""
        must = {title: len(lines) for title, lines in self.there.items() if lines}
        found = self.counted()
        if found != must:
            raise Wrong(f"the chats hold {found} and should hold {must}")

    def environment(self) -> dict[str, str]:
        """What a command beside the engine needs to open the archive."""
        return {"BACKSCROLL_PASSPHRASE": self.secret} if self.secret else {}

    def command(self, *arguments: str, home: Path | None = None, secret: str | None = None) -> Any:
        """Run a command of the program; gives its end."""
        env = {"BACKSCROLL_PASSPHRASE": secret} if secret else self.environment()
        return program(home or self.home, arguments, env=env)

    # steps

    def import_new(self) -> None:
        """Import an export that overlaps with what is there, continues it, or is new."""
        export = self.exports.make()
        self._imported(export, self.engine.ask("import", paths=[str(export.path)], date_order="dmy"))
        self.expect()

    def _imported(self, export: Export, report: Any) -> None:
        lines = self.there.setdefault(export.title, set())
        new = len(export.lines - lines)
        (file,) = report["files"]
        if file["new"] != new or file["duplicate"] != len(export.lines) - new:
            raise Wrong(f"{export.path.name} has {new} new lines of {len(export.lines)}, but: {str(file)[:400]}")
        lines |= export.lines

    def import_again(self) -> None:
        """Import several files at once, one of them twice."""
        exports = [self.exports.make(most=800) for _ in range(2)]
        paths = [str(export.path) for export in (*exports, exports[0])]
        report = self.engine.ask("import", paths=paths, date_order="dmy")
        if report["files"][2]["new"] and exports[0].title != exports[1].title:
            raise Wrong("a file that was imported twice had new messages")
        for export in exports:
            self.there.setdefault(export.title, set()).update(export.lines)
        self.expect()

    def import_damaged(self) -> None:
        """Import a damaged export: a sentence or some of its messages, and nothing happens to the other chats."""
        before, export = self.counted(), self.exports.damaged()
        said = self.engine.end_of(self.engine.begin("import", paths=[str(export.path)], date_order="dmy"))
        if said.get("error", {}).get("type") == "Defect":
            raise Wrong(f"{export.path.name}: {said['error']}")
        found = self.counted()
        if any(found.get(title) != count for title, count in before.items()):
            raise Wrong(f"the damaged file {export.path.name} changed other chats: {before}, then {found}")
        for title in found.keys() - before.keys():
            if found[title] > len(export.lines) * 2:
                raise Wrong(f"{export.path.name} has {len(export.lines)} lines and gave {found[title]}")
            self.engine.ask("erase", chat=title)
        self.expect()

    def import_cancelled(self) -> None:
        """Stop an import at a random moment: all or nothing of the file is there."""
        export = self.exports.make(most=LINES)
        number = self.engine.begin("import", paths=[str(export.path)], date_order="dmy")
        time.sleep(self.chance.expovariate(3))
        self.engine.ask("cancel", id=number)
        said = self.engine.end_of(number)
        if "result" in said:
            self._imported(export, said["result"])
        elif said["error"]["type"] != "Cancelled":
            raise Wrong(str(said["error"]))
        self.expect()

    def read_while_importing(self) -> None:
        """Search, page and look around while an import runs."""
        export = self.exports.make(most=LINES)
        number = self.engine.begin("import", paths=[str(export.path)], date_order="dmy")
        for _ in range(6):
            self.chance.choice((self.search, self.page, self.look))()
        self._imported(export, self.engine.result(number))
        self.expect()

    def preview(self) -> None:
        """Look at a file before it is imported."""
        export = self.exports.make()
        (seen,) = self.engine.ask("preview", paths=[str(export.path)], date_order="dmy")["files"]
        if seen["messages"] != len(export.lines) or seen["status"] != "recognised":
            raise Wrong(f"the preview of {export.path.name} shows {seen['messages']} of {len(export.lines)}")

    def search(self) -> None:
        """Search with filters. Words that are there are found."""
        words = " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 4)))
        filters: dict[str, Any] = {}
        chats = [title for title, lines in self.there.items() if lines]
        if chats and self.chance.random() < 0.4:
            filters["chats"] = self.chance.sample(chats, 1)
        if self.chance.random() < 0.3:
            year = self.chance.randint(2019, 2024)
            filters |= {"from": f"{year}-01-01", "to": f"{year + 1}-06-30"}
        method = self.engine.begin("search", query=words, k=20, context=self.chance.randint(0, 3), **filters)
        said = self.engine.end_of(method)
        if said.get("error", {}).get("type") == "NothingThere":  # the filter's chat has no import yet
            return
        if "error" in said:
            raise Wrong(str(said["error"]))
        for hit in said["result"]["hits"]:
            if filters.get("chats") and hit["chat"] not in filters["chats"]:
                raise Wrong(f"a hit is in {hit['chat']}, which is not in {filters}")

    def page(self) -> None:
        """Page through a chat from a random place, both ways."""
        chats = self.engine.ask("chats")
        if not chats:
            return
        chat = self.chance.choice(chats)["id"]
        day = f"{self.chance.randint(2020, 2024)}-{self.chance.randint(1, 12):02d}-11"
        page = self.engine.ask("transcript", chat_id=chat, date=day, before=20, after=20)
        for _ in range(3):
            ids = [message["id"] for message in page["messages"]]
            if not ids or len(set(ids)) != len(ids):
                raise Wrong(f"a page of chat {chat} holds {len(ids)} messages")
            if self.chance.random() < 0.5 and page["has_later"]:
                page = self.engine.ask("transcript", chat_id=chat, later_than=ids[-1], limit=40)
            elif page["has_earlier"]:
                page = self.engine.ask("transcript", chat_id=chat, earlier_than=ids[0], limit=40)

    def look(self) -> None:
        """What the overview shows."""
        for method in ("status", "chats", "people", "activity", "imports", "history", "owners", "models"):
            self.engine.ask(method)
        self.engine.ask("people_suggestions")

    def question(self) -> str:
        """A question about the words of the chats."""
        first, second = self.chance.sample(WORDS, 2)
        return self.chance.choice(
            (
                f"Who wrote about the {first} and the {second}?",
                f"When was the {first} mentioned?",
                f"What did Tobi say about the {second} in {self.chance.randint(2020, 2024)}?",
                f"How many messages are about the {first}?",
            )
        )

    def ask(self) -> None:
        """Ask; each citation is a turn that exists."""
        said = self.engine.ask(
            "ask", question=self.question(), now="2024-06-01", model=self.model, mode=self._mode()
        )
        if any(not each.get("messages") for each in said["citations"]):
            raise Wrong(f"a citation is of no message: {said['citations']}")

    def _mode(self) -> str:
        return self.chance.choice(("quick",) * 5 + ("thorough",)) if self.model else "quick"

    def ask_cancelled(self) -> None:
        """Stop an answer at a random moment."""
        number = self.engine.begin(
            "ask", question=self.question(), now="2024-06-01", model=self.model, mode=self._mode()
        )
        time.sleep(self.chance.expovariate(1))
        if self.chance.random() < 0.5:
            self.search()
        self.engine.ask("cancel", id=number)
        said = self.engine.end_of(number)
        if "error" in said and said["error"]["type"] != "Cancelled":
            raise Wrong(str(said["error"]))

    def forget_history(self) -> None:
        """Forget one question or all."""
        listed = self.engine.ask("history")
        one = self.chance.choice(listed)["id"] if listed and self.chance.random() < 0.9 else None
        self.engine.ask("history_forget", id=one)

    def people(self) -> None:
        """Make two people one, search for them, and take them apart again."""
        names = [each["name"] for each in self.engine.ask("people")]
        if len(names) < 2:
            return
        pair = self.chance.sample(names, 2)
        self.engine.ask("people_merge", names=pair, into=pair[0])
        self.engine.ask("search", query=self.chance.choice(WORDS), senders=[pair[1]], k=5)
        if {each["name"] for each in self.engine.ask("people")} != set(names) - {pair[1]}:
            raise Wrong(f"{pair} were not made one")
        self.engine.ask("people_split", name=pair[0])
        if {each["name"] for each in self.engine.ask("people")} != set(names):
            raise Wrong(f"{pair} were not taken apart")

    def owner(self) -> None:
        """Say who is me."""
        for each in self.engine.ask("people"):
            platform = self.chance.choice(each["platforms"])
            self.engine.ask("set_me", platform=platform, name=each["name"])
            return

    def passphrase(self) -> None:
        """Another passphrase, or none."""
        self.secret = self.chance.choice((*SECRETS, None))
        self.engine.ask("passphrase", passphrase=self.secret)
        if self.chance.random() < 0.4:
            self.recovery = self.engine.ask("recovery_key")["key"]

    def lock(self) -> None:
        """Lock as the window does, which ends the engine; then unlock."""
        self._remember_memory()
        self.engine.close()
        self.engine = Client(self.home)
        if self.secret:
            self.engine.refused("chats", "ArchiveLocked")
            self.engine.refused("unlock", "ArchiveLocked", passphrase="not the words")
            self.engine.ask("unlock", passphrase=self.recovery or self.secret)
        self.expect()

    def crash(self) -> None:
        """End the engine in the middle of something."""
        self._remember_memory()
        export = self.exports.make(most=LINES)
        self.engine.begin("import", paths=[str(export.path)], date_order="dmy")
        time.sleep(self.chance.expovariate(2))
        self.engine.kill()
        self.engine = Client(self.home)
        if self.secret:
            self.engine.ask("unlock", passphrase=self.secret)
        if self.counted().get(export.title, 0) != len(self.there.get(export.title, ())):
            self.there.setdefault(export.title, set()).update(export.lines)
        self.expect()

    def backup_and_restore(self) -> None:
        """Write a backup, restore it elsewhere, and count there; it is refused where it would replace this."""
        file, place = self.folder / "chats.backup", self.folder / "elsewhere"
        self.expect()  # which opens the archive, so that it cannot be replaced
        said = answer_of(self.command("backup", "--json", str(file)))
        self.recovery = said["recovery_key"] or self.recovery
        secret = self.recovery or self.secret
        if secret is None:
            raise Wrong("a backup was written that nobody can open")
        restored = answer_of(self.command("restore", "--json", "--replace", str(file), home=place, secret=secret))
        if restored["messages"] != sum(map(len, self.there.values())):
            raise Wrong(f"{restored} was restored")
        verified = answer_of(self.command("verify", "--json", home=place, secret=secret))
        if not verified["ok"]:
            raise Wrong(f"the restored archive: {verified}")
        refused = self.command("restore", "--replace", str(file), secret=secret)
        if refused.returncode != 1 or "Another Backscroll" not in refused.stderr:
            raise Wrong(f"restored into an open archive: {refused.returncode} {refused.stderr[-300:]}")
        self.expect()

    def other_window(self) -> None:
        """A command imports and searches beside the engine, which then knows of it."""
        export = self.exports.make(most=1_500)
        report = answer_of(self.command("import", "--json", "--date-order", "dmy", str(export.path)))
        self._imported(export, report)
        self.expect()
        self.search()
        found = answer_of(self.command("search", "--json", self.chance.choice(WORDS)))
        if not found["hits"]:
            raise Wrong("a command beside the engine finds nothing")

    def other_erases(self) -> None:
        """A command erases a chat beside the engine."""
        title = self._some_chat()
        if title:
            ended = self.command("erase", "--chat", title, "--yes")
            if ended.returncode:
                raise Wrong(ended.stderr[-500:])
            del self.there[title]
            self.search()
            self.expect()

    def erase(self) -> None:
        """Erase a chat."""
        title = self._some_chat()
        if title:
            gone = self.engine.ask("erase", chat=title)["messages"]
            if gone != len(self.there.pop(title)):
                raise Wrong(f"{gone} messages of {title} were erased")
            self.engine.refused("erase", "NothingThere", chat=title)
            self.expect()

    def _some_chat(self) -> str | None:
        chats = [title for title, lines in self.there.items() if lines]
        return self.chance.choice(chats) if len(chats) > 3 else None

    def verify(self) -> None:
        """Everything agrees."""
        found = self.engine.ask("verify")
        if not found["ok"] or found["problems"]:
            raise Wrong(str(found))

    # the whole

    STEPS = {
        import_new: 10, import_again: 3, import_damaged: 6, import_cancelled: 4, read_while_importing: 4,
        preview: 4, search: 60, page: 30, look: 12, ask: 4, ask_cancelled: 4, forget_history: 3, people: 5,
        owner: 2, passphrase: 3, lock: 0.4, crash: 0.4, backup_and_restore: 1, other_window: 2, other_erases: 1,
        erase: 2, verify: 2,
    }  # fmt: skip
    """How often each is done, beside the others."""

    def step(self) -> None:
        """Do one thing."""
        (chosen,) = self.chance.choices(list(self.STEPS), list(self.STEPS.values()))
        self.counts[chosen.__name__] += 1
        began = time.monotonic()
        try:
            chosen(self)
        except Exception as error:
            raise Wrong(f"step {self.counts.total()}, {chosen.__name__}: {error}") from error
        if time.monotonic() - began > LONGEST:
            raise Wrong(f"step {self.counts.total()}, {chosen.__name__}, took more than {LONGEST:.0f} s")

    def look_at_files(self) -> str:
        """A line on memory and files. Raises for a file that should not be there."""
        files = {path.name: path.stat().st_size for path in self.home.iterdir()}
        if strange := files.keys() - EXPECTED:
            raise Wrong(f"left over: {strange}")
        if open_to_others := [path.name for path in self.home.rglob("*") if path.stat().st_mode & 0o077]:
            raise Wrong(f"others may read: {open_to_others}")
        self.curve.append(memory_of(self.engine.pid))
        sizes = " ".join(f"{name} {size / 1e6:.1f}" for name, size in sorted(files.items()) if size > 50_000)
        messages, memory = sum(map(len, self.there.values())), self.curve[-1] / 1e6
        return f"{self.counts.total():6} steps {messages:7} messages {memory:4.0f} MB; files in MB: {sizes}"

    def _remember_memory(self) -> None:
        """Hold the memory of an engine that ends against its middle."""
        half = self.curve[len(self.curve) // 2 :]
        if len(half) > 5 and half[-1] > GROWTH * half[0] + 50e6:
            raise Wrong(f"the engine's memory went on growing: {half}")
        self.curve.clear()

    def finish(self) -> None:
        """Look at everything once more, and close."""
        self.expect()
        self.verify()
        self._remember_memory()
        self.engine.close()
        if left := [path.name for path in (self.folder / "tmp").rglob("*")]:
            raise Wrong(f"left in the temporary folder: {left}")


def run(seconds: float, seed: int, model: str | None) -> str | None:
    """Use it for so long; what went wrong, if anything did."""
    with tempfile.TemporaryDirectory(prefix="backscroll-mixed-") as folder:
        (Path(folder) / "tmp").mkdir()
        os.environ["TMPDIR"] = str(Path(folder) / "tmp")
        user, began, shown = MixedUse(Path(folder), random.Random(seed), model), time.monotonic(), 0.0
        try:
            while (now := time.monotonic() - began) < seconds:
                user.step()
                if now - shown >= MINUTE:
                    shown = now
                    tell(f"{now / 60:5.0f} min {user.look_at_files()}")
            user.look_at_files()
            user.finish()
        except Exception as error:  # noqa: BLE001 - told with step and seed
            tell("".join(traceback.format_exception(error)))
            return f"{error} (seed {seed}, after {time.monotonic() - began:.0f} s)"
        finally:
            user.engine.kill()
            tell(f"{user.counts.total():,} steps: " + ", ".join(f"{n} {c}" for n, c in user.counts.most_common()))
    return None


def tell(line: str) -> None:
    """A line of the report."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """The program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=7200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--model")
    options = parser.parse_args()
    os.environ["BACKSCROLL_MODELS"] = str(Home.default().models)  # the home is moved
    fault = run(options.seconds, options.seed, options.model)
    tell(fault or f"{options.seconds / 3600:.1f} hours of mixed use without an error (seed {options.seed})")
    return int(fault is not None)


if __name__ == "__main__":
    sys.exit(main())
