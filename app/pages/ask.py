"""The Ask page: a conversation of questions and answers, and the field to ask the next one."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QScrollArea, QStackedWidget, QVBoxLayout, QWidget

from app import export
from app.archive import Archive
from app.asking import Asking, Question, coverage_line
from app.data import Place, Remembered
from app.engine_client import Engine
from app.messages import ErrorWords
from app.pdf import write_pdf
from app.sample import OWNER
from app.settings import MODE, MODEL, Settings
from app.theme import GRID, text_scale
from app.widgets.citation import HoverCard
from app.widgets.composer import Composer
from app.widgets.exchange import Exchange
from app.widgets.history import History
from app.widgets.parts import PAGE_WIDTH, EmptyState, ErrorBox, column, label, push, row
from app.widgets.suggestions import Suggestions, own_questions, sample_questions
from engine.types import Filters

MEMORY = 3  # earlier questions that go with a follow-up
FORMATS = {"Markdown (*.md)": ".md", "JSON (*.json)": ".json", "PDF (*.pdf)": ".pdf"}


class AskPage(QWidget):
    """Asks and shows. `opened` carries the place that the person wants to read."""

    opened = Signal(object)  # Place
    sample_wanted = Signal()
    import_wanted = Signal()
    models_wanted = Signal()

    def __init__(self, engine: Engine, archive: Archive, settings: Settings) -> None:
        super().__init__()
        self._engine, self._archive, self._settings = engine, archive, settings
        self._asking: Asking | None = None
        self._exchanges: list[Exchange] = []
        self._card = HoverCard(self)
        self._stick = True
        self._build()
        archive.changed.connect(self._archive_changed)
        settings.subscribe(lambda _: self.composer.take_settings(settings))
        self.composer.take_settings(settings)

    def _build(self) -> None:
        self._empty = EmptyState(
            self.tr("Ask your own chats"),
            self.tr(
                "Backscroll reads the exports of your chat apps, on this computer alone. "
                "Try it on an invented archive first, or drop your own exports anywhere on this window."
            ),
            self.tr("&Load the sample archive"),
            self.tr("&Import your own…"),
        )
        self._empty.pressed.connect(self.sample_wanted.emit)
        self._empty.second_pressed.connect(self.import_wanted.emit)
        self._talk = QWidget()
        self._talk.setProperty("look", "page")
        self._talk.setMaximumWidth(round(PAGE_WIDTH * text_scale()))
        self._column: QVBoxLayout = column(self._talk, around=3, between=3)
        self._suggestions = Suggestions()
        self._suggestions.chosen.connect(self.ask)
        self._column.addWidget(self._suggestions)
        self._history = History(self._engine)
        self._history.chosen.connect(self._recall)
        self._column.addWidget(self._history)
        self._column.addStretch(1)
        self._area = QScrollArea()
        self._area.setWidgetResizable(True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._area.setWidget(self._talk)
        bar = self._area.verticalScrollBar()
        bar.rangeChanged.connect(self._follow)
        bar.sliderMoved.connect(lambda: self._note_place())
        self._notice = ErrorBox()
        self._no_model = QWidget()
        text = self.tr("There is no model yet: answers are lists of the messages that were found.")
        hint = row(label(text, "subtle", wrap=True), push(self.tr("&Get a model"), self.models_wanted.emit))
        hint.setStretch(0, 1)
        self._no_model.setLayout(hint)
        self._no_model.hide()
        self.composer = Composer()
        self.composer.asked.connect(self.ask)
        self.composer.stopped.connect(self.stop)
        self.composer.typing.connect(self._get_ready)
        talk = QWidget()
        below = column(talk, around=0, between=0)
        below.addWidget(self._area, 1)
        below.addWidget(self._notice)
        holder = QWidget()
        inner = column(holder, around=2)
        inner.addWidget(self._no_model)
        inner.addWidget(self.composer)
        holder.setMaximumWidth(round(PAGE_WIDTH * text_scale()))
        centred = row(None, holder, None)
        centred.setStretch(1, 100)
        below.addLayout(centred)
        self._pages = QStackedWidget()
        self._pages.addWidget(talk)
        self._pages.addWidget(self._empty)
        column(self, around=0).addWidget(self._pages)

    def _get_ready(self) -> None:
        """Let the model read what every question begins with while this one is typed; the engine does it once."""
        status = self._archive.status
        if status and status.model_id and not self.busy:
            self._engine.call("model_warm", {"id": self._settings.get(MODEL) or None})

    @property
    def busy(self) -> bool:
        """Whether an answer is being made."""
        return self._asking is not None and self._asking.state == "working"

    @property
    def first_source(self) -> Place | None:
        """What the newest answer rests on first, or what was found first."""
        asking = self._asking
        if asking is None:
            return None
        cited = asking.answer.citations if asking.answer else ()
        return cited[0].place if cited else next(iter(asking.evidence), None)

    def focus_field(self) -> None:
        """The cursor to the question."""
        self.composer.field.setFocus()

    def new_question(self) -> None:
        """An empty conversation."""
        self.stop()
        for each in self._exchanges:
            each.hide()
            each.asking.deleteLater()
            each.deleteLater()
        self._exchanges.clear()
        self._suggestions.show()
        self._history.refresh()
        self.focus_field()

    def ask(self, text: str) -> None:
        """Ask with the filters and the mode that are chosen."""
        mode = self._settings.get(MODE)
        self._start(
            Question(text, self.composer.filters.filters, mode, self._settings.get(MODEL), self._previous())
        )

    def stop(self) -> None:
        """Stop the answer that is being made."""
        if self._asking:
            self._asking.stop()

    def _previous(self) -> tuple[tuple[str, str], ...]:
        """The last answered questions of this conversation; one without an answer is gone on with, too."""
        answered = [each.asking for each in self._exchanges if each.asking.answer]
        return tuple((one.question.text, one.answer.answer) for one in answered[-MEMORY:] if one.answer)

    def _start(self, question: Question) -> None:
        self.stop()
        asking = Asking(self._engine, question, self)
        asking.ended.connect(self._ended)
        self._asking = asking
        self._add(asking)
        self._stick = True
        self.composer.set_busy(True)
        asking.start()

    def _recall(self, asked: Remembered) -> None:
        """Show a question of before with its answer, as it was."""
        self._add(Asking.recalled(self._engine, asked, self))

    def _add(self, asking: Asking) -> None:
        self._suggestions.hide()
        self._history.hide()
        shown = Exchange(asking, self._card, len(self._archive.chats))
        shown.opened.connect(self.opened.emit)
        shown.again.connect(self._again)
        shown.copied.connect(self._copy)
        shown.saved.connect(self._save)
        self._exchanges.append(shown)
        self._column.insertWidget(self._column.count() - 1, shown)

    def _ended(self) -> None:
        if not self.busy:
            self.composer.set_busy(False)

    def _again(self, asking: Asking, how: str) -> None:
        old = asking.question
        if how == "widened":
            self.composer.filters.set_filters(Filters())
            old = replace(old, filters=Filters())
        self._start(replace(old, mode="thorough") if how == "thorough" else old)

    def _archive_changed(self) -> None:
        archive = self._archive
        self._pages.setCurrentIndex(1 if archive.empty else 0)
        status = archive.status
        if status:
            self._no_model.setVisible(not status.model_id)
            if not self._exchanges:
                self._history.refresh()
            people = [person.name for person in archive.people]
            chats = [chat.title for chat in archive.chats]
            self.composer.filters.set_choices(people, chats, archive.platforms, status.first, status.last)
            self._suggestions.show_questions(sample_questions() if OWNER in status.owners else own_questions())

    def _note_place(self) -> None:
        bar = self._area.verticalScrollBar()
        self._stick = bar.value() >= bar.maximum() - 4 * GRID

    def _follow(self, _low: int, high: int) -> None:
        """Keep the end in sight while an answer grows, unless the person scrolled away."""
        if self._stick and self.busy:
            self._area.verticalScrollBar().setValue(high)

    def _copy(self, asking: Asking) -> None:
        QGuiApplication.clipboard().setText(markdown_of(asking, len(self._archive.chats)))

    def _save(self, asking: Asking) -> None:
        chosen, kind = QFileDialog.getSaveFileName(
            self, self.tr("Save the answer"), str(Path.home() / "answer.md"), ";;".join(FORMATS)
        )
        if chosen:
            self.save_as(asking, Path(chosen if Path(chosen).suffix else chosen + FORMATS[kind]))

    def save_as(self, asking: Asking, path: Path) -> None:
        """Write an answer to a file; its ending says how."""
        assert asking.answer
        self._notice.hide()
        try:
            if path.suffix == ".pdf":
                write_pdf(path, markdown_of(asking, len(self._archive.chats)))
            elif path.suffix == ".json":
                path.write_text(export.to_json(asking.question.text, asking.answer), "utf-8")
            else:
                path.write_text(markdown_of(asking, len(self._archive.chats)), "utf-8")
        except OSError as problem:
            said = self.tr("The answer could not be saved.")
            self._notice.show_words(ErrorWords(said, self.tr("Choose another folder."), str(problem)))


def markdown_of(asking: Asking, total_chats: int) -> str:
    """A question and its answer as Markdown."""
    assert asking.answer
    return export.to_markdown(asking.question.text, asking.answer, coverage_line(asking, total_chats))
