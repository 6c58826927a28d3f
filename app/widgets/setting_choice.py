"""A list of the values of a setting; a change takes effect at once, and is seen wherever the setting is shown."""

from PySide6.QtWidgets import QComboBox

from app.i18n import translate
from app.settings import Setting, Settings


class SettingChoice(QComboBox):
    """Shows and sets a setting that has choices."""

    def __init__(self, settings: Settings, setting: Setting) -> None:
        super().__init__()
        self._settings, self._setting = settings, setting
        self.setAccessibleName(translate("Settings", setting.label))
        for each in setting.choices:
            self.addItem(translate("Settings", each.label), each.value)
        self._show()
        self.activated.connect(lambda at: settings.set(setting, self.itemData(at)))
        settings.subscribe(self._heard)

    def _heard(self, setting: Setting) -> None:
        if setting is self._setting:
            self._show()

    def _show(self) -> None:
        self.setCurrentIndex(self.findData(self._settings.get(self._setting)))
