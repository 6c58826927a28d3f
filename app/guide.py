"""Leads through the tour: offers it once, and does in the window what a step is about."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from app.archive import Archive
from app.pages.ask import AskPage
from app.pages.search import SearchPage
from app.sample import OWNER
from app.settings import TOUR_SEEN, Settings
from app.widgets.tour import Tour, question, word


class Guide(QObject):
    """Knows the actions of the tour's steps. `go` shows a page, `open_place` a place in its chat."""

    def __init__(
        self,
        tour: Tour,
        settings: Settings,
        archive: Archive,
        ask: AskPage,
        search: SearchPage,
        go: Callable[[str], None],
        open_place: Callable[..., None],
    ) -> None:
        super().__init__(tour)
        self._tour, self._settings, self._archive = tour, settings, archive
        self._ask, self._search = ask, search
        self._go, self._open_place = go, open_place
        tour.wanted.connect(self._do)
        tour.ended.connect(lambda: settings.set(TOUR_SEEN, True))
        archive.changed.connect(self._offer_at_start)

    def offer(self) -> None:
        """Begin, unless the person has seen it."""
        if not self._settings.get(TOUR_SEEN):
            self._tour.begin()
            self._tour.take_focus()

    def _offer_at_start(self) -> None:
        """Begin where the sample is there already, as after `make run`; the cursor stays in the question."""
        status = self._archive.status
        offered = self._settings.get(TOUR_SEEN) or not self._tour.isHidden()
        if status and OWNER in status.owners and not offered:
            self._tour.begin()

    def _do(self, action: str) -> None:
        if action == "question":
            self._go("ask")
            self._ask.ask(question())
        elif action == "source":
            if place := self._ask.first_source:
                self._open_place(place)
        else:
            self._go(action)
        if action == "search":
            self._search.field.setText(word())
