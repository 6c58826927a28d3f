"""Colours, sizes and the style sheet. One accent, three text sizes, an 8-pixel grid.

The palette is the platform's own where it has a theme and the person did not choose otherwise; else one
of the two below. All other colours are mixed from the palette, so that light and dark follow by
themselves, and `contrast` lets a test hold them to 4.5:1.
"""

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from app.html import Ink

GRID = 8
SMALL, LARGE = 0.9, 1.4  # of the normal text size
LIGHT = {
    QPalette.ColorRole.Window: "#f6f6f4",
    QPalette.ColorRole.Base: "#ffffff",
    QPalette.ColorRole.AlternateBase: "#f0f0ed",
    QPalette.ColorRole.Button: "#ececea",
    QPalette.ColorRole.Text: "#1d2022",
    QPalette.ColorRole.Accent: "#1b6478",
    QPalette.ColorRole.HighlightedText: "#ffffff",
}
DARK = {
    QPalette.ColorRole.Window: "#1f2224",
    QPalette.ColorRole.Base: "#17191b",
    QPalette.ColorRole.AlternateBase: "#25282b",
    QPalette.ColorRole.Button: "#2d3134",
    QPalette.ColorRole.Text: "#e8e8e4",
    QPalette.ColorRole.Accent: "#7cc3d6",
    QPalette.ColorRole.HighlightedText: "#10181b",
}


def palette_of(colours: dict[QPalette.ColorRole, str]) -> QPalette:
    """A whole palette from the few colours that are chosen."""
    role = QPalette.ColorRole
    palette = QPalette(QColor(colours[role.Button]), QColor(colours[role.Window]))
    for each, name in colours.items():
        palette.setColor(each, QColor(name))
    for each in (role.WindowText, role.ButtonText, role.ToolTipText):
        palette.setColor(each, QColor(colours[role.Text]))
    accent = QColor(colours[role.Accent])
    palette.setColor(role.Highlight, accent)
    palette.setColor(role.Link, accent)
    palette.setColor(role.LinkVisited, accent)
    palette.setColor(role.ToolTipBase, QColor(colours[role.Base]))
    grey = mixed(QColor(colours[role.Text]), QColor(colours[role.Window]), 0.4)
    palette.setColor(role.PlaceholderText, mixed(QColor(colours[role.Text]), QColor(colours[role.Base]), 0.3))
    for each in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, each, grey)
    return palette


def mixed(one: QColor, other: QColor, part: float) -> QColor:
    """`one` with a part (0 to 1) of `other`."""
    keep = 1 - part
    return QColor(
        round(one.red() * keep + other.red() * part),
        round(one.green() * keep + other.green() * part),
        round(one.blue() * keep + other.blue() * part),
    )


def _luminance(colour: QColor) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = linear(colour.redF()), linear(colour.greenF()), linear(colour.blueF())
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@dataclass(frozen=True, slots=True)
class Colours:
    """Everything that is drawn, from one palette."""

    window: QColor
    surface: QColor
    text: QColor
    subtle: QColor
    border: QColor
    accent: QColor
    on_accent: QColor
    tint: QColor  # a surface with a breath of the accent: chosen rows, own bubbles
    warning: QColor
    mark: QColor
    dark: bool

    def ink(self) -> Ink:
        """The part that rich text needs."""
        return Ink(
            self.accent.name(),
            self.warning.name(),
            self.subtle.name(),
            self.mark.name(),
            self.text.name(),
        )


def colours(palette: QPalette) -> Colours:
    """The colours that belong to a palette."""
    role = QPalette.ColorRole
    window, surface, text = palette.color(role.Window), palette.color(role.Base), palette.color(role.Text)
    accent = palette.color(role.Accent)
    dark = _luminance(window) < 0.2
    return Colours(
        window=window,
        surface=surface,
        text=text,
        subtle=mixed(text, window, 0.32),
        border=mixed(window, text, 0.16),
        accent=accent,
        on_accent=palette.color(role.HighlightedText),
        tint=mixed(surface, accent, 0.16 if not dark else 0.22),
        warning=QColor("#ffb86b" if dark else "#8f4700"),
        mark=QColor("#6a5310" if dark else "#ffe9a3"),
        dark=dark,
    )


def current() -> Colours:
    """The colours of the application as it is dressed now; for everything that is drawn by hand."""
    return colours(QGuiApplication.palette())


def text_scale() -> float:
    """How much larger than usual the person wants all text; 1 before the application is dressed."""
    app = QApplication.instance()
    plain = app.property("plainSize") if isinstance(app, QApplication) else None
    return QApplication.font().pointSizeF() / float(plain) if plain else 1.0


def apply_theme(app: QApplication, choice: str, scale: float) -> Colours:
    """Dress the application; `choice` is system, light or dark. Returns the colours for what is drawn by hand."""
    if not app.property("dressed"):
        app.setStyle("Fusion")
        app.setProperty("dressed", True)
    hints = app.styleHints()
    wanted = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark}.get(choice, Qt.ColorScheme.Unknown)
    hints.setColorScheme(wanted)
    system = hints.colorScheme()
    if choice == "system" and system != Qt.ColorScheme.Unknown:
        palette = app.style().standardPalette()
    else:
        palette = palette_of(DARK if wanted == Qt.ColorScheme.Dark else LIGHT)
    app.setPalette(palette)
    font = app.font()
    if app.property("plainSize") is None:
        app.setProperty("plainSize", max(font.pointSizeF(), 10.0))
    font.setPointSizeF(float(app.property("plainSize")) * scale)
    app.setFont(font)
    made = colours(palette)
    app.setStyleSheet(style_sheet(made, font.pointSizeF()))
    return made


def style_sheet(of: Colours, points: float) -> str:
    """The style sheet; widgets ask for a look by the property `look`."""
    subtle, border, accent = of.subtle.name(), of.border.name(), of.accent.name()
    hover = mixed(of.window, of.text, 0.07).name()
    pressed = mixed(of.accent, of.text, 0.2).name()
    handle = mixed(of.window, of.text, 0.35).name()
    return f"""
    QLabel[look="title"] {{ font-size: {points * LARGE:.1f}pt; font-weight: 600; }}
    QLabel[look="heading"] {{ font-weight: 600; }}
    QLabel[look="subtle"], QToolButton[look="subtle"] {{ color: {subtle}; font-size: {points * SMALL:.1f}pt; }}
    QLabel[look="warning"] {{ color: {of.warning.name()}; }}
    QLabel[look="badge"] {{ border: 1px solid {border}; border-radius: 8px; padding: 1px 8px;
        font-size: {points * SMALL:.1f}pt; }}
    QFrame[look="card"] {{ background: {of.surface.name()}; border: 1px solid {border}; border-radius: 8px; }}
    QFrame[look="notice"] {{ background: {of.surface.name()}; border: 1px solid {border};
        border-left: 4px solid {of.warning.name()}; border-radius: 4px; }}
    QFrame[look="tour"] {{ background: {of.tint.name()}; border: none; border-bottom: 1px solid {border}; }}
    QFrame[look="question"] {{ background: {of.tint.name()}; border: none; border-radius: 8px; }}
    QFrame[look="line"] {{ background: {border}; border: none; max-height: 1px; min-height: 1px; }}
    QFrame[look="hover"] {{ background: {of.surface.name()}; border: 1px solid {border}; }}
    QToolButton[look="nav"] {{ border: none; border-radius: 6px; padding: 8px 12px; text-align: left; }}
    QToolButton[look="nav"]:hover {{ background: {hover}; }}
    QToolButton[look="nav"]:checked {{ background: {of.tint.name()}; color: {of.text.name()};
        font-weight: 600; border-left: 3px solid {accent}; }}
    QToolButton[look="nav"]:focus, QToolButton[look="row"]:focus, QToolButton[look="quiet"]:focus,
        QToolButton[look="chip"]:focus, QToolButton[look="subtle"]:focus {{ border: 2px solid {accent}; }}
    QToolButton[look="row"] {{ border: 2px solid transparent; border-radius: 6px; padding: 4px 8px;
        text-align: left; }}
    QToolButton[look="row"]:hover, QToolButton[look="quiet"]:hover, QToolButton[look="subtle"]:hover
        {{ background: {hover}; }}
    QToolButton[look="quiet"], QToolButton[look="subtle"] {{ border: 2px solid transparent;
        border-radius: 6px; padding: 3px 6px; }}
    QToolButton[look="chip"] {{ border: 1px solid {border}; border-radius: 12px; padding: 3px 10px;
        background: {of.surface.name()}; }}
    QToolButton[look="chip"]:hover {{ background: {hover}; }}
    QToolButton[look="chip"][set="true"] {{ background: {of.tint.name()}; border-color: {accent}; }}
    QToolButton[look="chip"]::menu-indicator {{ image: none; }}
    QPushButton {{ padding: 5px 14px; min-height: 18px; background: {of.surface.name()};
        border: 1px solid {border}; border-radius: 6px; }}
    QPushButton:hover {{ background: {hover}; }}
    QPushButton:focus {{ border: 2px solid {accent}; padding: 4px 13px; }}
    QPushButton:disabled {{ color: {subtle}; background: {of.window.name()}; }}
    QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
    QScrollBar::handle:vertical {{ background: {handle}; border-radius: 4px; min-height: 40px; margin: 2px; }}
    QScrollBar::handle:vertical:hover {{ background: {subtle}; }}
    QScrollBar::add-line:vertical, QScrollBar::sub-line:vertical {{ height: 0; }}
    QScrollBar::add-page:vertical, QScrollBar::sub-page:vertical {{ background: transparent; }}
    QPushButton[look="main"] {{ background: {accent}; color: {of.on_accent.name()}; border: 2px solid {accent};
        border-radius: 6px; font-weight: 600; padding: 4px 13px; }}
    QPushButton[look="main"]:hover {{ background: {pressed}; border-color: {pressed}; }}
    QPushButton[look="main"]:focus {{ border: 2px solid {of.text.name()}; }}
    QPushButton[look="main"]:disabled {{ background: {border}; color: {subtle}; border-color: {border}; }}
    QPlainTextEdit, QLineEdit {{ background: {of.surface.name()}; border: 1px solid {border};
        border-radius: 6px; padding: 5px 7px; }}
    QPlainTextEdit:focus, QLineEdit:focus {{ border: 2px solid {accent}; padding: 4px 6px; }}
    QFrame[look="composer"] {{ background: {of.surface.name()}; border: 1px solid {border};
        border-radius: 10px; }}
    QFrame[look="composer"] QPlainTextEdit, QFrame[look="composer"] QPlainTextEdit:focus
        {{ border: none; padding: 4px; }}
    QListView {{ background: {of.window.name()}; border: none; outline: none; }}
    QListView[look="framed"] {{ background: {of.surface.name()}; border: 1px solid {border};
        border-radius: 8px; }}
    QScrollArea {{ border: none; background: transparent; }}
    QWidget[look="page"] {{ background: transparent; }}
    QProgressBar {{ border: none; border-radius: 3px; background: {border}; max-height: 6px; }}
    QProgressBar::chunk {{ background: {accent}; border-radius: 3px; }}
    QSplitter::handle {{ background: {border}; }}
    QToolTip {{ background: {of.surface.name()}; color: {of.text.name()}; border: 1px solid {border};
        padding: 4px; }}
    """
