"""The Models page: what there is, what fits this computer, what is used."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QMessageBox, QProgressBar, QVBoxLayout, QWidget

from app import words
from app.archive import Archive
from app.data import Json, ModelInfo
from app.engine_client import Call, Engine, Latest
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.messages import ErrorWords
from app.settings import MODEL, Settings
from app.widgets.parts import Elided, ErrorBox, Page, announce, card, column, empty_layout, label, push, row

FITS = {
    "fits": QT_TRANSLATE_NOOP("Models", "Fits this computer"),
    "tight": QT_TRANSLATE_NOOP("Models", "Tight on this computer"),
    "will not fit": QT_TRANSLATE_NOOP("Models", "Will not fit in the free memory"),
}


def memory_line(model: ModelInfo) -> str:
    """“Fits this computer · needs 1.8 GB, 7.5 GB free”."""
    fits = translate("Models", FITS[model.fits]) if model.fits in FITS else model.fits
    if not model.needed:
        return fits
    memory = translate("Models", "needs {needed} of memory, {free} free")
    return words.DOT.join([fits, memory.format(needed=words.size(model.needed), free=words.size(model.free))])


class ModelCard(QWidget):
    """A model with what can be done about it."""

    wanted = Signal(str, str)  # what to do (get, use, check, remove), model

    def __init__(self, model: ModelInfo, used: bool) -> None:
        super().__init__()
        self.model = model
        frame, inner = card()
        column(self, around=0).addWidget(frame)
        head = row(Elided(model.name or model.id, "heading"))
        head.setStretch(0, 1)
        for text in self._badges(used):
            head.addWidget(label(text, "badge"))
        inner.addLayout(head)
        facts = [words.size(model.size) if model.size else "", model.licence, model.languages]
        inner.addWidget(label(words.DOT.join(part for part in facts if part), "subtle", wrap=True))
        inner.addWidget(label(memory_line(model), "" if model.fits == "fits" else "warning", wrap=True))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Getting {model}").format(model=model.name))
        self._figures = label("", "subtle", wrap=True)
        inner.addWidget(self._bar)
        inner.addWidget(self._figures)
        self._bar.hide()
        self._figures.hide()
        self._buttons = row()
        inner.addLayout(self._buttons)
        self._show_actions(used)

    def _badges(self, used: bool) -> list[str]:
        badges = []
        if used:
            badges.append(self.tr("In use"))
        if self.model.default:
            badges.append(self.tr("Recommended"))
        if self.model.installed and not used:
            badges.append(self.tr("On this computer"))
        return badges

    def _show_actions(self, used: bool) -> None:
        actions: list[tuple[str, str]] = []
        if not self.model.installed:
            actions.append(("get", self.tr("Get…")))
        else:
            if not used:
                actions.append(("use", self.tr("Use")))
            actions.append(("check", self.tr("Check the file")))
            actions.append(("remove", self.tr("Remove…")))
        self.show_buttons(actions)

    def show_buttons(self, actions: list[tuple[str, str]]) -> None:
        """Offer these."""
        empty_layout(self._buttons)
        for what, text in actions:
            button = push(text, lambda what=what: self.wanted.emit(what, self.model.id))  # type: ignore[misc]
            button.setAccessibleName(f"{text} {self.model.name}")
            self._buttons.addWidget(button)
        self._buttons.addStretch(1)

    def progress(self, data: Json) -> None:
        """A progress event while it is fetched or checked."""
        done, total = int(data.get("done") or 0), data.get("total")
        self._bar.setRange(0, 1000 if total else 0)
        self._bar.setValue(round(1000 * done / total) if total else 0)
        self._bar.show()
        line = words.transfer_line(done, total, float(data.get("rate") or 0), data.get("seconds_left"))
        note = str(data.get("note") or "")
        self._figures.setText(words.DOT.join(part for part in (note, line) if part))
        self._figures.show()

    def say(self, text: str) -> None:
        """A line beneath."""
        self._bar.hide()
        self._figures.setText(text)
        self._figures.setVisible(bool(text))


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
        self._list = Latest(engine)
        self._cards: dict[str, ModelCard] = {}
        self._calls: dict[str, Call] = {}
        self._used = ""
        self._error = ErrorBox()
        self._column = QVBoxLayout()
        self._column.setSpacing(8)
        self.content.addWidget(self._error)
        self.content.addLayout(self._column)
        self.content.addLayout(row(push(self.tr("&Add a model file…"), self._choose_file), None))
        self.content.addStretch(1)
        archive.changed.connect(self._status_changed)

    def refresh(self) -> None:
        """Ask for the list."""
        self._list.call("models", {}, result=self._take, error=self._error.show_words)

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
        """Get, use, check, remove or cancel."""
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
        announce(self, self.tr("Done"))
        if what == "check":
            shown = self._cards[model]
            faults = "\n".join(map(str, data.get("faults") or ()))
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
        if what == "check":
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
