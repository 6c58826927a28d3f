"""The Search page: finds as you type, without a model."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QListView, QStackedWidget, QWidget

from app import query, words
from app.archive import Archive
from app.data import Json, SearchResult
from app.engine_client import Engine, Latest
from app.messages import ErrorWords
from app.widgets.filters import FilterBar
from app.widgets.parts import EmptyState, ErrorBox, column, label
from app.widgets.results import PLACE, ResultDelegate, ResultModel
from app.widgets.timeline import Timeline, month_counts
from engine.types import Filters

AFTER = 60  # ms after the last key
MOST = 100  # hits
AROUND = 1  # turns of context


class SearchPage(QWidget):
    """Field, chips, timeline, hits. `opened` carries the place to read."""

    opened = Signal(object)  # Place

    def __init__(self, engine: Engine, archive: Archive) -> None:
        super().__init__()
        self._archive = archive
        self._latest = Latest(engine)
        self._activity = Latest(engine)
        self._months: dict[str, int] = {}
        self._hits = ResultModel(self)
        self._drawn = ResultDelegate(self)
        self._timer = QTimer(self, singleShot=True, interval=AFTER)
        self._timer.timeout.connect(self._search)
        self._build()
        archive.changed.connect(self._archive_changed)

    def _build(self) -> None:
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Search messages, for example: boiler from:Mum after:2024-01"))
        self.field.setAccessibleName(self.tr("Search messages"))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(lambda: self._timer.start())
        self.field.returnPressed.connect(self._enter)
        self.field.installEventFilter(self)
        self.filters = FilterBar()
        self.filters.changed.connect(self._search)
        self.timeline = Timeline()
        self.timeline.narrowed.connect(self._narrow)
        self.timeline.hide()
        self._count = label("", "subtle")
        self._error = ErrorBox()
        self.list = QListView()
        self.list.setModel(self._hits)
        self.list.setItemDelegate(self._drawn)
        self.list.setUniformItemSizes(True)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Search results"))
        self.list.clicked.connect(self._open)
        self.list.activated.connect(self._open)
        hint = EmptyState(
            self.tr("Search every chat at once"),
            self.tr(
                "Results appear as you type. Narrow them with the chips above, or type from:Name, in:Chat, "
                "app:WhatsApp, after:2024-01 and before:2024-06-15. Put names with spaces in quotation marks."
            ),
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(hint)
        self._stack.addWidget(self.list)
        layout = column(self, around=2)
        for each in (self.field, self.filters, self.timeline, self._count, self._error):
            layout.addWidget(each)
        layout.addWidget(self._stack, 1)

    def focus_field(self) -> None:
        """The cursor to the field, its text chosen."""
        self.field.setFocus()
        self.field.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Down in the field goes to the results."""
        down = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if down and event.key() == Qt.Key.Key_Down and self._hits.rowCount():  # type: ignore[attr-defined]
            self.list.setFocus()
            self.list.setCurrentIndex(self._hits.index(0))
            return True
        return super().eventFilter(watched, event)

    def _search(self) -> None:
        self._timer.stop()
        text, typed = query.parse(self.field.text())
        self._error.hide()
        if not text:
            self._latest.cancel()
            self._hits.take(())
            self._count.setText("")
            self._stack.setCurrentIndex(0)
            self._show_timeline({})
            return
        self._drawn.mark(text)
        wanted = query.merged(self.filters.filters, typed)
        params: Json = {"query": text, "k": MOST, "context": AROUND, "complete": True, "months": True}
        self._latest.call("search", params | query.params(wanted), result=self._found, error=self._failed)

    def _found(self, data: Json) -> None:
        result = SearchResult.read(data)
        self._hits.take(result.hits)
        self.list.scrollToTop()
        self._stack.setCurrentIndex(1)
        self._count.setText(self._count_line(result))
        counted = month_counts(hit.timestamp for hit in result.hits)
        self._show_timeline(counted if result.months is None else result.months)

    def _count_line(self, result: SearchResult) -> str:
        count = len(result.hits)
        if not count:
            limited = self.filters.filters != Filters()
            more = self.tr("Remove a filter to search more.") if limited else self.tr("Try another word.")
            return self.tr("Nothing found.") + " " + more
        found = words.places(count)
        if count >= MOST:
            found = self.tr("The best {n} places").format(n=MOST)
            everything = sum((result.months or {}).values())
            if everything > MOST:
                all_places = self.tr("The best {n} of {all} places")
                found = all_places.format(n=MOST, all=words.number(everything))
        seconds = self.tr("{n} ms").format(n=max(1, round(result.seconds * 1000)))
        return words.DOT.join([found, seconds])

    def _failed(self, said: ErrorWords) -> None:
        self._error.show_words(said, self.tr("Try again"), self._search)

    def _show_timeline(self, found: Mapping[str, int]) -> None:
        status = self._archive.status
        self.timeline.setVisible(bool(found) and status is not None)
        if status and found:
            self.timeline.show_counts(status.first, status.last, self._months, found)

    def _narrow(self, first: date, last: date) -> None:
        self.filters.set_filters(replace(self.filters.filters, date_from=first, date_to=last))

    def _archive_changed(self) -> None:
        archive = self._archive
        if archive.status:
            names = [person.name for person in archive.people]
            titles = [chat.title for chat in archive.chats]
            status = archive.status
            self.filters.set_choices(names, titles, archive.platforms, status.first, status.last)
            self._activity.call("activity", {}, result=self._take_activity)

    def _take_activity(self, data: Json) -> None:
        self._months = {each["month"]: each["messages"] for each in data.get("months") or ()}

    def _enter(self) -> None:
        """Enter searches at once, or opens the best hit of what is shown already."""
        if self._timer.isActive():
            self._search()
        elif self._hits.rowCount():
            self.list.setFocus()
            self.list.setCurrentIndex(self._hits.index(0))
            self._open(self._hits.index(0))

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(PLACE))
