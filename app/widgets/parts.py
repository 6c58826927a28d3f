"""The small change of the window: labels, buttons, folds, notices, empty states."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFontMetrics, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.icons import icon
from app.messages import ErrorWords
from app.theme import GRID, text_scale

PAGE_WIDTH = 860  # pixels of a page at most, at the usual text size
TEXT_WIDTH = 480  # pixels of text that is to be read line by line, at the usual text size


def label(text: str, look: str = "", *, wrap: bool = False) -> QLabel:
    """Plain text: nothing in it is markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wrap)
    if look:
        made.setProperty("look", look)
    return made


def push(text: str, pressed: Callable[[], object], *, main: bool = False) -> QPushButton:
    """A push button; a page has one main one."""
    made = QPushButton(text)
    if main:
        made.setProperty("look", "main")
    made.setAutoDefault(True)
    made.clicked.connect(lambda: pressed())
    return made


def line() -> QFrame:
    """A thin rule."""
    made = QFrame()
    made.setProperty("look", "line")
    return made


def padded(layout: QLayout, *, around: int = 2, between: int = 1) -> QLayout:
    """The layout with margins and spacing in grid steps."""
    layout.setContentsMargins(around * GRID, around * GRID, around * GRID, around * GRID)
    layout.setSpacing(between * GRID)
    return layout


def column(parent: QWidget, *, around: int = 2, between: int = 1) -> QVBoxLayout:
    """A column of widgets on a widget."""
    made = QVBoxLayout(parent)
    padded(made, around=around, between=between)
    return made


def row(*items: QWidget | None, between: int = 1) -> QHBoxLayout:
    """Widgets side by side; None is a stretch."""
    made = QHBoxLayout()
    padded(made, around=0, between=between)
    for each in items:
        if each is None:
            made.addStretch(1)
        else:
            made.addWidget(each)
    return made


def card() -> tuple[QFrame, QVBoxLayout]:
    """A framed surface and its column."""
    made = QFrame()
    made.setProperty("look", "card")
    return made, column(made)


def announce(widget: QWidget, text: str) -> None:
    """Tell a screen reader something that happened elsewhere than at the focus."""
    QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


def empty_layout(layout: QLayout) -> None:
    """Remove and delete everything in a layout."""
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()
        elif inner := item.layout():
            empty_layout(inner)


class Button(QToolButton):
    """A flat button with an icon in the text's colour, following the theme."""

    def __init__(self, text: str, drawing: str = "", look: str = "quiet", *, only_icon: bool = False) -> None:
        super().__init__()
        self._drawing = drawing
        self.setText(text)
        self.setProperty("look", look)
        self.setIconSize(QSize(18, 18))
        style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if drawing else Qt.ToolButtonStyle.ToolButtonTextOnly
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly if only_icon else style)
        if only_icon:
            self.setToolTip(text)
            self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._tint()

    def set_drawing(self, drawing: str) -> None:
        """Another icon."""
        self._drawing = drawing
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        """Tint the icon again when the theme changes."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._tint()

    def _tint(self) -> None:
        if self._drawing:
            self.setIcon(icon(self._drawing, self.palette().color(QPalette.ColorRole.WindowText)))


class Elided(QLabel):
    """One line of plain text that is cut with … where it does not fit, and whole in its tooltip."""

    def __init__(self, text: str = "", look: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("look", look)
        self.setMinimumWidth(40)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._whole = ""
        self.set_whole(text)

    def set_whole(self, text: str) -> None:
        """The text to show."""
        self._whole = " ".join(text.split())
        self.setAccessibleName(self._whole)
        self._cut()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Cut anew for the width."""
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        shown = QFontMetrics(self.font()).elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")


class Fold(QWidget):
    """A line that unfolds what is beneath it."""

    def __init__(self, title: str, *, open_: bool = False) -> None:
        super().__init__()
        self._head = Button(title, "right", "subtle")
        self._head.setCheckable(True)
        self._head.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.body = QWidget()
        self.inside = column(self.body, around=0)
        self.inside.setContentsMargins(3 * GRID, 0, 0, 0)
        layout = column(self, around=0, between=0)
        layout.addLayout(row(self._head, None))
        layout.addWidget(self.body)
        self._head.toggled.connect(self._show)
        self._head.setChecked(open_)
        self._show(open_)

    def set_title(self, title: str) -> None:
        """The line that is always seen."""
        self._head.setText(title)
        self._head.setToolTip("")

    def set_open(self, wanted: bool) -> None:
        """Fold or unfold."""
        self._head.setChecked(wanted)

    def _show(self, wanted: bool) -> None:
        self.body.setVisible(wanted)
        self._head.set_drawing("down" if wanted else "right")


class ErrorBox(QFrame):
    """What happened and what to do, where it happened; details folded. Hidden until there is something."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "notice")
        self._sentence = label("", "heading", wrap=True)
        self._advice = label("", wrap=True)
        self._details = label("", "subtle", wrap=True)
        self._details.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._fold = Fold(self.tr("Details"))
        self._fold.inside.addWidget(self._details)
        self._actions = row(between=1)
        layout = column(self)
        layout.addWidget(self._sentence)
        layout.addWidget(self._advice)
        layout.addLayout(self._actions)
        layout.addWidget(self._fold)
        self.hide()

    def show_words(self, words: ErrorWords, action: str = "", pressed: Callable[[], object] | None = None) -> None:
        """Show an error, with a button where something can be done at once."""
        self._sentence.setText(words.sentence)
        self._advice.setText(words.advice)
        self._advice.setVisible(bool(words.advice))
        self._details.setText(words.details)
        self._fold.setVisible(bool(words.details))
        empty_layout(self._actions)
        if pressed:
            self._actions.addWidget(push(action, pressed))
            self._actions.addStretch(1)
        self.show()
        announce(self, f"{words.sentence} {words.advice}")

    @property
    def sentence(self) -> str:
        """What is shown, empty where nothing is."""
        return self._sentence.text() if not self.isHidden() else ""


class EmptyState(QWidget):
    """What to do where nothing is there yet: a few words and one button."""

    pressed = Signal()
    second_pressed = Signal()

    def __init__(self, title: str, text: str, button: str = "", second: str = "") -> None:
        super().__init__()
        inside = QWidget()
        inside.setMaximumWidth(round(TEXT_WIDTH * text_scale()))
        across = row(None, inside, None)
        across.setStretch(1, 100)
        self.setLayout(across)
        layout = column(inside, around=1, between=2)
        layout.addStretch(1)
        for each in (label(title, "title", wrap=True), label(text, wrap=True)):
            each.setAlignment(Qt.AlignmentFlag.AlignCenter)
            layout.addWidget(each)
        buttons = row(None)
        if button:
            buttons.addWidget(push(button, self.pressed.emit, main=True))
        if second:
            buttons.addWidget(push(second, self.second_pressed.emit))
        buttons.addStretch(1)
        layout.addLayout(buttons)
        layout.addStretch(2)


class Page(QWidget):
    """A scrolling page with a heading; pages add to `content`."""

    def __init__(self, title: str, subtitle: str = "") -> None:
        super().__init__()
        outer = column(self, around=0, between=0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        inside = QWidget()
        inside.setProperty("look", "page")
        inside.setMaximumWidth(round(PAGE_WIDTH * text_scale()))
        self.content = column(inside, around=3, between=2)
        self.content.addWidget(label(title, "title"))
        if subtitle:
            self.content.addWidget(label(subtitle, "subtle", wrap=True))
        area.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        area.setWidget(inside)
        outer.addWidget(area)
