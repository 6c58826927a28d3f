"""The Overview page: what is in the archive, and when it was written."""

from collections.abc import Sequence

from PySide6.QtCore import QLocale, QTime
from PySide6.QtWidgets import QComboBox, QLabel, QVBoxLayout

from app import words
from app.archive import Archive
from app.data import Json
from app.engine_client import Engine, Latest
from app.messages import ErrorWords
from app.widgets.activity import Bar, Bars
from app.widgets.parts import ErrorBox, Page, card, empty_layout, label, row
from app.widgets.people_list import PeopleList
from app.widgets.same_people import SamePeople
from app.widgets.timeline import months_between
from app.widgets.your_names import YourNames

MOST_PEOPLE = 12  # of one chat, by name


def month_bars(data: Json) -> list[Bar]:
    """Bars of all months from the first to the last; every January carries its year."""
    counts = {each["month"]: int(each["messages"]) for each in data.get("months") or ()}
    if not counts:
        return []
    months = months_between(min(counts), max(counts))
    return [
        Bar(words.month(month), counts.get(month, 0), month[:4] if month.endswith("-01") or at == 0 else "")
        for at, month in enumerate(months)
    ]


def hour_bars(data: Json) -> list[Bar]:
    """Bars of the 24 hours of the day."""
    counts = list(data.get("hours") or [])
    short = QLocale.FormatType.ShortFormat
    return [
        Bar(QLocale().toString(QTime(hour, 0), short), int(count), str(hour) if hour % 3 == 0 else "")
        for hour, count in enumerate(counts[:24])
    ]


class OverviewPage(Page):
    """Counts, people, and two pictures; for all chats or one."""

    def __init__(self, engine: Engine, archive: Archive) -> None:
        super().__init__(self.tr("Overview"))
        self._archive = archive
        self._latest = Latest(engine)
        self._error = ErrorBox()
        self._which = QComboBox()
        self._which.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self._which.setMinimumContentsLength(28)
        self._which.activated.connect(lambda _: self.refresh())
        name = QLabel(self.tr("Sho&w"))
        name.setBuddy(self._which)
        self._which.setAccessibleName(self.tr("Show all chats or one"))
        self._line = label("", wrap=True)
        self._months, self._hours = (
            Bars(self.tr("Messages by month")),
            Bars(self.tr("Messages by hour of the day")),
        )
        self._apps = QVBoxLayout()
        self.content.addWidget(self._error)
        self.content.addLayout(row(name, self._which, None))
        self.content.addWidget(self._line)
        for title, bars in ((self.tr("By month"), self._months), (self.tr("By hour of the day"), self._hours)):
            frame, inner = card()
            inner.addWidget(label(title, "heading"))
            inner.addWidget(bars)
            self.content.addWidget(frame)
        frame, inner = card()
        inner.addWidget(label(self.tr("Apps"), "heading"))
        inner.addLayout(self._apps)
        self.content.addWidget(frame)
        self._people, self._names = PeopleList(engine, archive), YourNames(engine, archive)
        for each in (self._people, self._names):
            each.changed.connect(archive.refresh)
            frame, inner = card()
            inner.addWidget(each)
            self.content.addWidget(frame)
        self._same = SamePeople(engine, archive)
        self._same.changed.connect(archive.refresh)
        self.content.addWidget(self._same)
        self.content.addStretch(1)
        archive.changed.connect(self._archive_changed)

    def refresh(self) -> None:
        """Ask for the activity of what is chosen."""
        chat = self._which.currentData()
        self._same.refresh()
        self._latest.call("activity", {"chat_id": chat}, result=self._take, error=self._failed)
        chosen = [each for each in self._archive.chats if each.id == chat]
        if chosen:
            one = chosen[0]
            parts = [words.platform_title(one.platform), words.messages(one.messages)]
            self._show_line(words.DOT.join(part for part in parts if part), one.first, one.last, one.people)
        elif self._archive.status:
            status = self._archive.status
            self._show_line(words.archive_line(status), status.first, status.last)

    def _show_line(self, text: str, first: str, last: str, people: Sequence[str] = ()) -> None:
        """What is shown: how much, from when to when, and of whom."""
        lines = [text]
        if first and last:
            ends = {"first": words.date_and_time(first), "last": words.date_and_time(last)}
            lines.append(self.tr("First message {first}, last message {last}").format(**ends))
        if people:
            more = ["…"] if len(people) > MOST_PEOPLE else []
            lines.append(self.tr("People: {names}").format(names=", ".join([*people[:MOST_PEOPLE], *more])))
        self._line.setText("\n".join(lines))

    def _take(self, data: Json) -> None:
        self._error.hide()
        self._months.show_bars(month_bars(data))
        self._hours.show_bars(hour_bars(data))

    def _failed(self, said: ErrorWords) -> None:
        self._error.show_words(said)

    def _archive_changed(self) -> None:
        archive = self._archive
        chosen = self._which.currentData()
        self._which.clear()
        self._which.addItem(self.tr("All chats"), None)
        for chat in archive.chats:
            self._which.addItem(chat.title, chat.id)
        self._which.setCurrentIndex(max(0, self._which.findData(chosen)))
        self._show_apps()
        self._people.show_people()
        self._names.show_names()
        if self.isVisible():
            self.refresh()

    def _show_apps(self) -> None:
        empty_layout(self._apps)
        for platform in self._archive.platforms:
            of_it = [chat for chat in self._archive.chats if chat.platform == platform]
            total = sum(chat.messages for chat in of_it)
            parts = [words.platform_title(platform), words.chats(len(of_it)), words.messages(total)]
            self._apps.addWidget(label(words.DOT.join(parts)))
