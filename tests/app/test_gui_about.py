"""About this program, on the Settings page."""

import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from app.pages.settings import SettingsPage
from app.settings import Settings
from app.widgets import about
from engine.version import VERSION


def test_about_shows_the_version_and_the_notices(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "backscroll"))
    (tmp_path / about.NOTICES).write_text("Works of others.")
    page = SettingsPage(Settings(tmp_path))
    qtbot.addWidget(page)
    texts = " ".join(label.text() for label in page.findChildren(QLabel))
    assert f"Backscroll {VERSION}" in texts
    assert str(tmp_path / about.NOTICES) in texts
    (tmp_path / about.NOTICES).unlink()
    assert about.notices_file() is None
