"""The keys of the window, declared once: the window binds them and the F1 list shows them."""

from dataclasses import dataclass

from app.i18n import QT_TRANSLATE_NOOP


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A key and what it does. One without an action is bound where it belongs and only listed here."""

    keys: str
    words: str
    action: str = ""


SHORTCUTS = (
    Shortcut("Ctrl+1", QT_TRANSLATE_NOOP("Shortcuts", "The first page; Ctrl+2 to Ctrl+8 the others")),
    Shortcut("Ctrl+N", QT_TRANSLATE_NOOP("Shortcuts", "New question"), "new_question"),
    Shortcut("Ctrl+K", QT_TRANSLATE_NOOP("Shortcuts", "Search all chats"), "search"),
    Shortcut("Ctrl+J", QT_TRANSLATE_NOOP("Shortcuts", "Go to a chat"), "chats"),
    Shortcut("Ctrl+F", QT_TRANSLATE_NOOP("Shortcuts", "Find in the open chat"), "find"),
    Shortcut("Ctrl+O", QT_TRANSLATE_NOOP("Shortcuts", "Import files"), "importing"),
    Shortcut("Ctrl+,", QT_TRANSLATE_NOOP("Shortcuts", "Settings"), "settings"),
    Shortcut("Alt+Left", QT_TRANSLATE_NOOP("Shortcuts", "Back in the open chat"), "back"),
    Shortcut("Esc", QT_TRANSLATE_NOOP("Shortcuts", "Stop the answer, or close the open chat"), "escape"),
    Shortcut("F6", QT_TRANSLATE_NOOP("Shortcuts", "From the page to the open chat and back"), "other_column"),
    Shortcut("F1", QT_TRANSLATE_NOOP("Shortcuts", "This list"), "help"),
    Shortcut("Ctrl+L", QT_TRANSLATE_NOOP("Shortcuts", "Lock the archive, where it has a passphrase"), "lock"),
    Shortcut("Ctrl+Q", QT_TRANSLATE_NOOP("Shortcuts", "Quit"), "quit"),
    Shortcut("Enter", QT_TRANSLATE_NOOP("Shortcuts", "Ask, or open the chosen result")),
    Shortcut("Shift+Enter", QT_TRANSLATE_NOOP("Shortcuts", "New line in the question; the hit before, in find")),
    Shortcut("Up", QT_TRANSLATE_NOOP("Shortcuts", "In an empty field: the last question again")),
    Shortcut("Down", QT_TRANSLATE_NOOP("Shortcuts", "From the search field into the results")),
)
