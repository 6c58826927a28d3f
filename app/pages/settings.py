"""The Settings page: a row for every declared setting that has a label."""

from typing import Any

from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QWidget

from app.i18n import translate
from app.settings import SETTINGS, Setting, Settings
from app.widgets.about import About
from app.widgets.parts import Page, card, label
from app.widgets.setting_choice import SettingChoice


class SettingsPage(Page):
    """Made from the declarations; a change takes effect at once."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(self.tr("Settings"))
        self._settings = settings
        frame, inner = card()
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for each in SETTINGS:
            if each.label:
                self._add(grid, each)
        inner.addLayout(grid)
        self.content.addWidget(frame)
        about, inner = card()
        inner.addWidget(About())
        self.content.addWidget(about)
        self.content.addStretch(1)

    def _add(self, grid: QGridLayout, setting: Setting) -> None:
        at = grid.rowCount()
        title = translate("Settings", setting.label)
        widget = SettingChoice(self._settings, setting) if setting.choices else self._switch(setting, title)
        widget.setAccessibleName(title)
        if setting.choices:
            name = QLabel(title)
            name.setBuddy(widget)
            grid.addWidget(name, at, 0)
        grid.addWidget(widget, at, 1)
        if setting.help:
            text = translate("Settings", setting.help)
            widget.setAccessibleDescription(text)
            grid.addWidget(label(text, "subtle", wrap=True), at + 1, 1)

    def _switch(self, setting: Setting, title: str) -> QWidget:
        made = QCheckBox(title)
        made.setChecked(self._settings.get(setting))
        made.toggled.connect(lambda on: self._set(setting, on))
        return made

    def _set(self, setting: Setting, value: Any) -> None:
        self._settings.set(setting, value)
