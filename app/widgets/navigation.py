"""The left column: where one can go."""

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QWidget

from app.i18n import QT_TRANSLATE_NOOP, translate
from app.theme import GRID, text_scale
from app.widgets.parts import Button, column, label, line

PLACES = (
    ("ask", QT_TRANSLATE_NOOP("Navigation", "Ask")),
    ("search", QT_TRANSLATE_NOOP("Navigation", "Search")),
    ("chats", QT_TRANSLATE_NOOP("Navigation", "Chats")),
    ("overview", QT_TRANSLATE_NOOP("Navigation", "Overview")),
    ("importing", QT_TRANSLATE_NOOP("Navigation", "Import")),
    ("", ""),
    ("models", QT_TRANSLATE_NOOP("Navigation", "Models")),
    ("privacy", QT_TRANSLATE_NOOP("Navigation", "Privacy")),
    ("settings", QT_TRANSLATE_NOOP("Navigation", "Settings")),
)


NARROWEST, WIDEST = 150, 240  # pixels, at the usual text size
PAGES = tuple(name for name, _ in PLACES if name)


class Navigation(QWidget):
    """A button a page, with the keys Ctrl+1 and so on. `chosen` carries the page's name."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.current = ""
        self._buttons: dict[str, Button] = {}
        group = QButtonGroup(self)
        layout = column(self, around=1, between=0)
        title = label("Backscroll", "title")
        title.setContentsMargins(GRID, GRID, GRID, 2 * GRID)
        layout.addWidget(title)
        for name, text in PLACES:
            if not name:
                layout.addStretch(1)
                layout.addWidget(line())
                layout.addSpacing(GRID)
                continue
            button = Button(translate("Navigation", text), name, "nav")
            button.setCheckable(True)
            key = QKeySequence(f"Ctrl+{PAGES.index(name) + 1}")
            button.setToolTip(key.toString(QKeySequence.SequenceFormat.NativeText))
            button.setIconSize(QSize(20, 20))
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _=False, to=name: self.chosen.emit(to))
            group.addButton(button)
            self._buttons[name] = button
            layout.addWidget(button)
        self._layout = layout
        self._fit()
        self.setAccessibleName(self.tr("Pages"))
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)

    def _fit(self) -> None:
        """Wide enough for every name, at any text size."""
        self._layout.activate()
        self.setMinimumWidth(max(NARROWEST, self._layout.minimumSize().width()))
        self.setMaximumWidth(round(WIDEST * max(1.0, text_scale())))

    def changeEvent(self, event: QEvent) -> None:
        """Another text size: fit again once all names have it."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            QTimer.singleShot(0, self, self._fit)

    def show_chosen(self, name: str) -> None:
        """Mark a page as the one that is shown."""
        self.current = name
        self._buttons[name].setChecked(True)
