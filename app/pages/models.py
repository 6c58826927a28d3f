"""The Models page: what there is, what fits this computer, what is used."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QMessageBox, QVBoxLayout

from app import words
from app.archive import Archive
from app.data import Json
from app.data_models import Machine, ModelCheck, ModelInfo
from app.engine_client import Call, Engine, Latest
from app.engine_words import engine_words
from app.messages import ErrorWords
from app.settings import MODEL, Settings
from app.widgets.machine_card import MachineCard
from app.widgets.model_card import ModelCard, check_lines
from app.widgets.parts import ErrorBox, Page, announce, empty_layout, push, row


class ModelsPage(Page):
    """The list. Fetching is the one thing in the window that uses the network, after a plain question."""

    def __init__(
        self, engine: Engine, archive: Archive, settings: Settings, fetcher: Engine | None = None
    ) -> None:
        super().__init__(
            self.tr("Models"),
            self.tr(
                "A model writes the answers, on this computer alone. Search works without one. "
                "Drop a GGUF file anywhere on this window to add your own."
            ),
        )
        self._engine, self._archive, self._settings = engine, archive, settings
        self._fetcher = fetcher or engine  # the engine itself has no network
        self._list, self._running = Latest(engine), Latest(engine)
        self._cards: dict[str, ModelCard] = {}
        self._calls: dict[str, Call] = {}
        self._used = ""
        self._error = ErrorBox()
        self._machine = MachineCard()
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        self.content.addWidget(self._error)
        self.content.addWidget(self._machine)
        self.content.addLayout(self._column)
        self.content.addLayout(row(push(self.tr("&Add a model file…"), self._choose_file), None))
        self.content.addStretch(1)
        archive.changed.connect(self._status_changed)

    def refresh(self) -> None:
        """Ask for the list."""
        self._list.call("models", {}, result=self._take, error=self._error.show_words)
        self._running.call("running", {}, result=lambda data: self._machine.show_machine(Machine.read(data)))

    def add(self, path: str) -> None:
        """Take in a model file."""
        self._error.hide()
        self._engine.call(
            "models_add", {"path": path}, result=lambda _: self.refresh(), error=self._error.show_words
        )

    def _take(self, data: list[Json]) -> None:
        if self._calls:  # a list in the middle of a download would take its progress away
            return
        models = [ModelInfo.read(each) for each in data]
        self._used = self._used_id()
        used = next((each for each in models if each.id == self._used), None)
        self._machine.show_check(used.check if used else None)
        empty_layout(self._column)
        self._cards.clear()
        order = sorted(models, key=lambda each: (each.id != self._used, not each.installed, not each.default))
        for each in order:
            made = ModelCard(each, each.id == self._used)
            made.wanted.connect(self.do)
            self._cards[each.id] = made
            self._column.addWidget(made)

    def _used_id(self) -> str:
        status = self._archive.status
        return self._settings.get(MODEL) or (status.model_id if status else "")

    def _status_changed(self) -> None:
        if self._cards and self._used_id() != self._used:
            self.refresh()

    def do(self, what: str, model: str) -> None:
        """Get, use, try out, check, remove or cancel."""
        self._error.hide()
        if what == "cancel":
            self._calls.pop(model).cancel()
            self.refresh()
        elif what == "use":
            self._use(model)
        elif self._sure(what, self._cards[model].model):
            self._long(what, model)

    def _use(self, model: str) -> None:
        self._settings.set(MODEL, model)
        self._cards[model].say(self.tr("Loading…"))
        self._engine.call(
            "model_load", {"id": model}, result=lambda _: self._loaded(), error=self._error.show_words
        )

    def _loaded(self) -> None:
        self._archive.refresh_status()
        self.refresh()

    def _long(self, what: str, model: str) -> None:
        shown = self._cards[model]
        shown.say(self.tr("Starting…"))
        shown.show_buttons([("cancel", self.tr("Cancel"))])
        asked = self._fetcher if what == "get" else self._engine
        self._calls[model] = asked.call(
            f"models_{what}",
            {"id": model},
            result=lambda data: self._done(what, model, data),
            error=lambda said: self._failed(model, said),
            event=lambda name, data: shown.progress(data) if name == "progress" else None,
        )

    def _done(self, what: str, model: str, data: Json) -> None:
        self._calls.pop(model, None)
        announce(self, check_lines(ModelCheck.read(data)) if what == "try" else self.tr("Done"))
        if what == "check":
            shown = self._cards[model]
            faults = "\n".join(engine_words(str(each)) for each in data.get("faults") or ())
            shown.say(faults or self.tr("The file is whole and can be used."))
            shown.show_buttons([("use", self.tr("Use")), ("remove", self.tr("Remove…"))])
            return
        if what == "remove" and self._settings.get(MODEL) == model:
            self._settings.set(MODEL, "")
        self._archive.refresh_status()
        self.refresh()

    def _failed(self, model: str, said: ErrorWords) -> None:
        self._calls.pop(model, None)
        self._error.show_words(said)
        self.refresh()

    def _sure(self, what: str, model: ModelInfo) -> bool:
        """A plain question before the network is used or a file goes away."""
        if what in ("check", "try"):
            return True
        if what == "get":
            text = self.tr(
                "Download {model} ({size})?\n\nThis is the only time that Backscroll uses the network. "
                "Nothing of your chats is sent. A download that breaks off goes on where it was."
            ).format(model=model.name, size=words.size(model.size))
        else:
            text = self.tr("Remove the file of {model} from this computer?").format(model=model.name)
        answer = QMessageBox.question(self, self.tr("Models"), text)
        return answer == QMessageBox.StandardButton.Yes

    def _choose_file(self) -> None:
        path, _ = QFileDialog.getOpenFileName(
            self, self.tr("Choose a model file"), str(Path.home()), self.tr("Models (*.gguf)")
        )
        if path:
            self.add(path)
