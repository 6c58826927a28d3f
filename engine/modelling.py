"""Which model runs: choosing, loading and keeping one, and the models folder behind plain methods.

A model is loaded when the first question needs it and kept until another is wanted.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from engine.errors import NoModel
from engine.home import Home
from engine.job import Job
from engine.selfcheck import CheckResult, KeptResults
from models.base import ChatMessage, ChatModel, Reply, never_stop
from models.store import ModelStore

Json = dict[str, Any]
SAFE_CONTEXT = 2048
SAFE_THREADS = 1


class WaitingModel:
    """A model that is opened when it is first needed, so that evidence is shown before it is in memory."""

    def __init__(self, model_id: str, load: Callable[[], ChatModel]) -> None:
        self.model_id = model_id
        self._load = load

    @property
    def n_ctx(self) -> int:
        """Tokens of context."""
        return self._load().n_ctx

    def count(self, text: str) -> int:
        """See `ChatModel.count`."""
        return self._load().count(text)

    def reply(self, messages: Sequence[ChatMessage], **options: Any) -> Reply:
        """See `ChatModel.reply`."""
        return self._load().reply(messages, **options)

    def score(
        self,
        messages: Sequence[ChatMessage],
        continuations: Sequence[str],
        should_stop: Callable[[], bool] = never_stop,
    ) -> list[float]:
        """See `ChatModel.score`."""
        return self._load().score(messages, continuations, should_stop)

    def close(self) -> None:
        """The desk closes what it opened."""


class ModelDesk:
    """The models folder of a home, and the model that is loaded from it."""

    def __init__(self, home: Home, *, safe: bool = False) -> None:
        self.store = ModelStore(home.models)
        self._checks = KeptResults(home.model_checks)
        self._safe = safe
        self._wanted: str | None = None
        self._loaded: tuple[str, ChatModel] | None = None

    def load(self, wanted: str | None = None) -> ChatModel:
        """The model by id or path; without one, the chosen or the preferred installed one.

        Raises:
            NoModel: none is installed.
            ModelError: it cannot be opened.
        """
        name = wanted or self._wanted or self._preferred()
        if self._loaded and self._loaded[0] == name:
            return self._loaded[1]
        path = self.store.resolve(name)
        self.unload()
        # llama.cpp is large, and most commands need no model.
        from models.loading import load_chat

        options = {"n_ctx": SAFE_CONTEXT, "n_threads": SAFE_THREADS} if self._safe else {}
        model = load_chat(path, model_id=name, **options)
        self._loaded = (name, model)
        return model

    def waiting(self, wanted: str | None = None) -> WaitingModel:
        """The model of `load`, opened at its first use. Raises NoModel at once where none is installed."""
        name = wanted or self._wanted or self._preferred()
        return WaitingModel(name, lambda: self.load(name))

    def _preferred(self) -> str:
        found = self.store.preferred()
        if found is None:
            raise NoModel("No model is installed.")
        return found.id

    def unload(self) -> None:
        """Free the memory of the loaded model."""
        if self._loaded:
            self._loaded[1].close()
            self._loaded = None

    def use(self, name: str | None) -> Json | None:
        """Choose the model for the next questions; None for the preferred one."""
        if name:
            self.store.resolve(name)
        self._wanted = name
        return self.current()

    def current(self) -> Json | None:
        """The model that the next question will use."""
        name = self._wanted
        if name is None:
            preferred = self.store.preferred()
            if preferred is None:
                return None
            name = preferred.id
        title = next((m.name for m in self.store.listed() if m.id == name), Path(name).stem)
        return {"id": name, "name": title, "loaded": bool(self._loaded and self._loaded[0] == name)}

    def running(self) -> Json:
        """What runs models here: processor, threads, and the model with its context where one is loaded."""
        # llama.cpp is large, and a list of models does not need it.
        from models.machine import machine

        here = machine(SAFE_THREADS if self._safe else 0).as_json()
        context = self._loaded[1].n_ctx if self._loaded else None
        return {**here, "safe": self._safe, "model": self.current(), "context": context}

    # the folder

    def listed(self) -> list[Json]:
        """The catalogue and added files, with what fits this computer and what the self-check found of them."""
        checks = self._checks.all()

        def check(name: str, size: int) -> Json | None:
            found = checks.get(name)
            return found if found and found.get("size") == size else None

        return [{**m.as_json(), "check": check(m.id, m.size)} for m in self.store.listed()]

    def keep_check(self, name: str, result: CheckResult) -> Json:
        """Remember what the self-check found; it counts until the file is another one."""
        size = next((m.size for m in self.store.listed() if m.id == name), 0)
        return self._checks.keep(name, size, result)

    def get(self, job: Job, name: str) -> Json:
        """Fetch a model, in a process of its own, with progress."""
        source = ""

        def on_event(event: str, data: dict[str, object]) -> None:
            nonlocal source
            if event == "progress":
                total = data.get("total")
                job.report(int(str(data.get("done") or 0)), int(str(total)) if total else None, source)
            elif event == "source":
                source = str(data["name"])
            else:
                job.emit(event, **data)

        return {"path": str(self.store.get(name, on_event, job.stopped))}

    def add(self, job: Job, path: Path) -> Json:
        """Take a GGUF file into the folder."""
        return {"id": self.store.add(path, lambda done, total: job.report(done, total, "Reading"), job.stopped)}

    def remove(self, name: str) -> bool:
        """Delete a model's file."""
        if self._loaded and self._loaded[0] == name:
            self.unload()
        if self._wanted == name:
            self._wanted = None
        self.store.remove(name)
        return True

    def check(self, job: Job, name: str) -> Json:
        """Read every byte and try the file out."""
        faults = list(self.store.check(name, lambda done, total: job.report(done, total, "Checking")))
        return {"ok": not any(fault for _, fault in faults), "faults": [fault for _, fault in faults if fault]}
