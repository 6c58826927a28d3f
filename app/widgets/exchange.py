"""A question and its answer on the Ask page, from the first step to the checked citations."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QWidget

from app import words
from app.asking import Asking, coverage_line
from app.data import Answer, Citation, Place
from app.html import answer_html, cited, ending, escape
from app.theme import current
from app.widgets.citation import HoverCard, PlaceList
from app.widgets.parts import Button, ErrorBox, Fold, announce, column, empty_layout, label, push, row
from engine.types import Filters

FIRST_PLACES = 4
WHILE_WRITING = 2_000  # letters that are drawn at most, again and again, while an answer grows


class Exchange(QWidget):
    """Shows one `Asking`. Tells which place to open and what to do next."""

    opened = Signal(object)  # Place
    again = Signal(object, str)  # the Asking, and how: same, thorough, or widened to all chats
    copied = Signal(object)
    saved = Signal(object)

    def __init__(self, asking: Asking, card: HoverCard, total_chats: int) -> None:
        super().__init__()
        self.asking = asking
        self._card = card
        self._total = total_chats
        self._citations: dict[int, Citation] = {}
        self._build()
        asking.changed.connect(self._draw)
        asking.ended.connect(self._draw_end)
        self._draw()
        if asking.state != "working":
            self._draw_end()

    def _build(self) -> None:
        layout = column(self, around=0, between=1)
        layout.addWidget(self._question())
        self._understood = label("", "subtle", wrap=True)
        self._understood.hide()
        self._doing = label(self.asking.doing, "subtle", wrap=True)
        self._bar = QProgressBar()
        self._bar.setRange(0, 0)
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Working"))
        self._text = self._answer_label()
        self._note = label("", "warning", wrap=True)
        self._note.hide()
        self._found = Fold(self.tr("Found so far"), open_=True)
        self._places = PlaceList()
        self._found.inside.addWidget(self._places)
        self._sources = PlaceList()
        self._trace = Fold(self.tr("What was searched"))
        self._steps = label("", "subtle", wrap=True)
        self._trace.inside.addWidget(self._steps)
        self._error = ErrorBox()
        self._actions: QHBoxLayout = row(between=1)
        for each in (self._understood, self._doing, self._bar, self._text, self._note, self._sources, self._error):
            layout.addWidget(each)
        layout.addLayout(self._actions)
        layout.addWidget(self._found)
        layout.addWidget(self._trace)
        for places in (self._places, self._sources):
            places.chosen.connect(self.opened.emit)
        self._sources.hide()
        self._found.hide()
        self._trace.hide()
        self._text.hide()

    def _question(self) -> QFrame:
        frame = QFrame()
        frame.setProperty("look", "question")
        text = label(self.asking.question.text, "heading", wrap=True)
        text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column(frame, around=1).addWidget(text)
        return frame

    def _answer_label(self) -> QLabel:
        made = QLabel()
        made.setTextFormat(Qt.TextFormat.RichText)
        made.setWordWrap(True)
        flags = Qt.TextInteractionFlag
        made.setTextInteractionFlags(
            flags.TextSelectableByMouse
            | flags.LinksAccessibleByMouse
            | flags.LinksAccessibleByKeyboard
            | flags.TextSelectableByKeyboard
        )
        made.setOpenExternalLinks(False)
        made.setAccessibleName(self.tr("Answer"))
        made.linkActivated.connect(self._open_mark)
        made.linkHovered.connect(self._hover)
        return made

    def changeEvent(self, event: QEvent) -> None:
        """The marks in the colours of another theme."""
        super().changeEvent(event)
        answer = self.asking.answer
        if event.type() == QEvent.Type.PaletteChange and answer and answer.found:
            self._draw_text(answer)

    def _draw(self) -> None:
        """What is known so far."""
        asking = self.asking
        self._doing.setText(asking.doing)
        self._bar.setRange(0, 0 if asking.part is None else 1000)
        self._bar.setValue(round(1000 * (asking.part or 0)))
        if asking.understood:
            self._understood.setText(self.tr("Understood as: {question}").format(question=asking.understood))
            self._understood.show()
        if asking.written and asking.state == "working":
            self._text.setText(escape(ending(asking.written, WHILE_WRITING)))
            self._text.show()
        if asking.evidence:
            self._places.show_places(asking.evidence, FIRST_PLACES)
            self._found.show()
        if asking.trace:
            known = asking.places
            self._steps.setText("\n".join(words.trace_line(step, known) for step in asking.trace))
            self._trace.set_title(coverage_line(asking, self._total) or self.tr("What was searched"))
            self._trace.show()

    def _draw_end(self) -> None:
        self._doing.hide()
        self._bar.hide()
        state = self.asking.state
        if state == "done" and self.asking.answer:
            self._draw_answer(self.asking.answer)
        elif state == "failed" and self.asking.failure:
            self._draw_failure()
        else:
            self._draw_stopped()
        self._add_actions()

    def _draw_answer(self, answer: Answer) -> None:
        if answer.found:
            self._citations = {each.n: each for each in answer.citations}
            self._draw_text(answer)
            self._sources.show_citations(answer.citations, self.tr("could not be checked"))
            self._sources.setVisible(bool(answer.citations))
            self._warn_unchecked(answer)
        else:
            self._draw_not_found(answer)
        self._text.show()
        self._found.set_title(self.tr("Found: {places}").format(places=words.places(len(self.asking.evidence))))
        self._found.set_open(not answer.found and not answer.nearest)
        self._found.setVisible(bool(self.asking.evidence))
        self._trace.set_title(coverage_line(self.asking, self._total) or self.tr("What was searched"))
        self._trace.setVisible(bool(self.asking.trace or answer.searched.chats))
        announce(self, self.tr("The answer is ready.") + " " + answer.answer)

    def _draw_text(self, answer: Answer) -> None:
        unsure = self.tr("not supported by what was found")
        verified = {n: each.verified for n, each in self._citations.items()}
        self._text.setText(answer_html(answer.answer, verified, answer.unsupported, current().ink(), unsure))

    def _warn_unchecked(self, answer: Answer) -> None:
        """One plain line when something in the answer is not backed by a message."""
        if answer.unsupported or any(not each.verified for each in answer.citations) or not answer.citations:
            self._note.setText(
                self.tr("Parts of this answer could not be checked against your messages. Read them with care.")
            )
            self._note.show()

    def _draw_not_found(self, answer: Answer) -> None:
        said = self.tr("This is not in your chats, as far as I can find.")
        if answer.nearest:
            said += " " + self.tr("This came closest:")
        self._text.setText(escape(said))
        self._sources.show_places(answer.nearest, FIRST_PLACES)
        self._sources.setVisible(bool(answer.nearest))

    def _draw_failure(self) -> None:
        assert self.asking.failure
        self._error.show_words(self.asking.failure)
        self._found.set_title(self.tr("Found until then"))
        self._keep_written()

    def _draw_stopped(self) -> None:
        self._note.setText(self.tr("Stopped. What was found until then is kept."))
        self._note.setProperty("look", "subtle")
        self._note.show()
        self._keep_written()

    def _keep_written(self) -> None:
        self._text.setText(escape(self.asking.written))
        self._text.setVisible(bool(self.asking.written))

    def _add_actions(self) -> None:
        """What can be done with this answer."""
        answer = self.asking.answer
        empty_layout(self._actions)
        if answer:
            copy, save = Button(self.tr("Copy"), "copy"), Button(self.tr("Save…"), "save")
            copy.clicked.connect(lambda: self.copied.emit(self.asking))
            save.clicked.connect(lambda: self.saved.emit(self.asking))
            self._actions.addWidget(copy)
            self._actions.addWidget(save)
        if answer and not answer.found and self.asking.question.filters != Filters():
            widen = push(self.tr("Search everything"), lambda: self.again.emit(self.asking, "widened"))
            self._actions.addWidget(widen)
        thorough = answer is not None and self.asking.question.mode != "thorough"
        more = Button(self.tr("Answer again, thoroughly") if thorough else self.tr("Try again"), "again")
        more.clicked.connect(lambda: self.again.emit(self.asking, "thorough" if thorough else "same"))
        self._actions.addWidget(more)
        self._actions.addStretch(1)

    def _open_mark(self, link: str) -> None:
        place = self._place_of(link)
        if place:
            self._card.hide()
            self.opened.emit(place)

    def _hover(self, link: str) -> None:
        n = cited(link)
        citation = self._citations.get(n) if n is not None else None
        if citation is None:
            self._card.hide()
            return
        warning = "" if citation.verified else self.tr("could not be checked")
        self._card.show_place(citation.place, QCursor.pos(), warning)

    def _place_of(self, link: str) -> Place | None:
        n = cited(link)
        return self._citations[n].place if n is not None and n in self._citations else None
