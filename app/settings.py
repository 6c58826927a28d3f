"""The window's settings: each declared once, kept as JSON in the home folder.

The file is written whole beside itself and then put in place, and the file before it is kept, so that a
crash or a damaged file costs at most the last change. Keys of other versions are kept as they are.
No setting holds anything from a chat.
"""

import contextlib
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.i18n import QT_TRANSLATE_NOOP

FILE = "settings.json"


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of a setting and its name."""

    value: Any
    label: str


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. One without choices is a switch; one without a label has no row on the Settings page."""

    key: str
    default: Any
    label: str = ""
    help: str = ""
    choices: tuple[Choice, ...] = ()

    def accepts(self, value: Any) -> bool:
        """Whether a value may be stored."""
        if self.choices:
            return any(each.value == value for each in self.choices)
        return isinstance(value, type(self.default))


THEME = Setting(
    "theme",
    "system",
    QT_TRANSLATE_NOOP("Settings", "Colours"),
    QT_TRANSLATE_NOOP("Settings", "Light or dark, or as the system has it."),
    (
        Choice("system", QT_TRANSLATE_NOOP("Settings", "As the system")),
        Choice("light", QT_TRANSLATE_NOOP("Settings", "Light")),
        Choice("dark", QT_TRANSLATE_NOOP("Settings", "Dark")),
    ),
)
TEXT_SIZE = Setting(
    "text_size",
    100,
    QT_TRANSLATE_NOOP("Settings", "Text size"),
    QT_TRANSLATE_NOOP("Settings", "The size of all text in the window."),
    (
        Choice(90, QT_TRANSLATE_NOOP("Settings", "Small")),
        Choice(100, QT_TRANSLATE_NOOP("Settings", "Normal")),
        Choice(120, QT_TRANSLATE_NOOP("Settings", "Large")),
        Choice(150, QT_TRANSLATE_NOOP("Settings", "Very large")),
    ),
)
LANGUAGE = Setting(
    "language",
    "system",
    QT_TRANSLATE_NOOP("Settings", "Language"),
    QT_TRANSLATE_NOOP("Settings", "Takes effect when Backscroll starts the next time."),
    (
        Choice("system", QT_TRANSLATE_NOOP("Settings", "As the system")),
        Choice("en", "English"),
        Choice("zh_CN", "简体中文"),
    ),
)
MODE = Setting(
    "mode",
    "auto",
    QT_TRANSLATE_NOOP("Settings", "How to answer"),
    QT_TRANSLATE_NOOP("Settings", "Thorough searches several times before it answers, and takes longer."),
    (
        Choice("auto", QT_TRANSLATE_NOOP("Settings", "What suits the model")),
        Choice("quick", QT_TRANSLATE_NOOP("Settings", "Quick")),
        Choice("thorough", QT_TRANSLATE_NOOP("Settings", "Thorough")),
    ),
)
ENTER_ASKS = Setting(
    "enter_asks",
    True,
    QT_TRANSLATE_NOOP("Settings", "Enter asks the question"),
    QT_TRANSLATE_NOOP("Settings", "Shift+Enter starts a new line. Switched off, Ctrl+Enter asks."),
)
LOCK_AFTER = Setting(
    "lock_after",
    0,
    QT_TRANSLATE_NOOP("Settings", "Lock after"),
    QT_TRANSLATE_NOOP("Settings", "Without a key press or a click, where the archive has a passphrase."),
    (
        Choice(0, QT_TRANSLATE_NOOP("Settings", "Never")),
        Choice(5, QT_TRANSLATE_NOOP("Settings", "5 minutes")),
        Choice(15, QT_TRANSLATE_NOOP("Settings", "15 minutes")),
        Choice(60, QT_TRANSLATE_NOOP("Settings", "An hour")),
    ),
)
MODEL = Setting("model", "")
TOUR_SEEN = Setting("tour_seen", False)
RECOVERY_OFFER = Setting("recovery_offer", "")  # the day to offer it again; "done" for never
GEOMETRY = Setting("geometry", "")
SPLIT = Setting("split", "")

SETTINGS = (
    THEME, TEXT_SIZE, LANGUAGE, MODE, ENTER_ASKS, LOCK_AFTER, MODEL, TOUR_SEEN, RECOVERY_OFFER, GEOMETRY, SPLIT,
)  # fmt: skip
RETIRED = ("me",)  # keys of older versions that named somebody of a chat; the archive knows who that is


class Settings:
    """The values. `subscribe` to hear of changes."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._values = self._load()
        self._retire()
        self._heard: list[Callable[[Setting], None]] = []

    def get(self, setting: Setting) -> Any:
        """The value, its default where none or a wrong one is stored."""
        value = self._values.get(setting.key, setting.default)
        return value if setting.accepts(value) else setting.default

    def set(self, setting: Setting, value: Any) -> None:
        """Store a value and tell whoever subscribed."""
        if setting not in SETTINGS or not setting.accepts(value):
            raise ValueError(f"{value!r} is no value of the setting {setting.key}")
        if self.get(setting) == value:
            return
        self._values[setting.key] = value
        self._save()
        for hear in list(self._heard):
            hear(setting)

    def subscribe(self, hear: Callable[[Setting], None]) -> None:
        """Call `hear` after every change."""
        self._heard.append(hear)

    def _load(self) -> dict[str, Any]:
        for path in (self._path, self._path.with_suffix(".last.json")):
            with contextlib.suppress(OSError, ValueError):
                values = json.loads(path.read_text("utf-8"))
                if isinstance(values, dict):
                    return values
        return {}

    def _retire(self) -> None:
        """Take what no longer belongs here out of the file, and of the one that was kept before it."""
        if any(self._values.pop(key, None) is not None for key in RETIRED):
            self._save()
            with contextlib.suppress(OSError):
                self._path.with_suffix(".last.json").unlink(missing_ok=True)

    def _save(self) -> None:
        """Write beside, then put in place; a full disk loses the change, not the file."""
        new = self._path.with_suffix(".new.json")
        with contextlib.suppress(OSError):
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(
                os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8"
            ) as out:
                json.dump(self._values, out, ensure_ascii=False, indent=1)
                out.flush()
                os.fsync(out.fileno())
            if self._path.exists():
                self._path.replace(self._path.with_suffix(".last.json"))
            new.replace(self._path)
