"""Starts the window: one instance a home folder, theme, language, engine process, window."""

import os
import sys
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QLockFile, QObject, QSettings, Qt, Signal
from PySide6.QtWidgets import QApplication, QMessageBox

from app import i18n
from app.engine_client import EngineClient, engine_command
from app.fetcher import FetcherClient, fetcher_command
from app.icons import pixmap
from app.settings import LANGUAGE, TEXT_SIZE, THEME, Setting, Settings
from app.theme import apply_theme
from app.window import Window
from engine.connections import Connections
from engine.home import Home

LOCK = "window.lock"
RAISE = "window.raise"


class OneWindow(QObject):
    """Lets one window run for a home folder; a second start asks the first to come forward."""

    asked = Signal()

    def __init__(self, home: Path) -> None:
        super().__init__()
        self._request = home / RAISE
        self._lock = QLockFile(str(home / LOCK))
        self._lock.setStaleLockTime(0)
        self._watcher = QFileSystemWatcher(self)

    def acquire(self) -> bool:
        """Whether this is the first; if not, the first is asked to show itself."""
        if not self._lock.tryLock(100):
            self._request.write_text(str(os.getpid()), "utf-8")
            return False
        self._request.touch(mode=0o600)
        self._watcher.addPath(str(self._request))
        self._watcher.fileChanged.connect(lambda _: self.asked.emit())
        return True

    def release(self) -> None:
        """Let the next one start."""
        self._watcher.removePath(str(self._request))
        self._lock.unlock()


def make_application(arguments: list[str]) -> QApplication:
    """The application object with its names. File dialogs remember nothing: folders carry the names of chats."""
    if sys.platform == "linux":  # elsewhere they are the system's own, with the system's own memory
        QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, os.devnull)
        QApplication.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
    app = QApplication(arguments)
    app.setApplicationName("backscroll")
    app.setApplicationDisplayName("Backscroll")
    app.setDesktopFileName("backscroll")
    return app


def dress(app: QApplication, settings: Settings) -> None:
    """Theme and language, and the theme again whenever its settings or the system change."""
    i18n.install(app, settings.get(LANGUAGE))

    def theme(setting: Setting | None = None) -> None:
        if setting in (None, THEME, TEXT_SIZE):
            apply_theme(app, settings.get(THEME), settings.get(TEXT_SIZE) / 100)

    theme()
    settings.subscribe(theme)
    app.styleHints().colorSchemeChanged.connect(lambda _: theme() if settings.get(THEME) == "system" else None)
    colour = app.palette().accent().color()
    app.setWindowIcon(pixmap("backscroll", colour, 64))


def run(folder: str | Path | None = None) -> int:
    """Open the window on a home folder (the usual one by default) and stay until it is closed."""
    home = Home.default(folder).path
    os.umask(0o077)
    app = make_application(sys.argv[:1])
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        one = OneWindow(home)
        first = one.acquire()
    except OSError as problem:
        text = QApplication.translate("Gui", "The folder {home} cannot be written.").format(home=home)
        QMessageBox.critical(None, "Backscroll", f"{text}\n\n{problem}")
        return 1
    if not first:
        return 0
    settings = Settings(home)
    dress(app, settings)
    engine = EngineClient(engine_command(home))
    fetcher = FetcherClient(fetcher_command(home))
    connections = Connections()
    connections.watch()
    window = Window(engine, settings, fetcher, connections)
    one.asked.connect(window.come_forward)
    window.show()
    engine.start()
    status = app.exec()
    engine.close()
    fetcher.close()
    one.release()
    return status
