"""Languages: English in the source, Simplified Chinese in `backscroll_zh_CN.ts` (compiled to `.qm`).

`app/i18n/update.sh` collects the texts and compiles them; the names below are those that Qt's `lupdate`
looks for in Python sources.
"""

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

translate = QCoreApplication.translate
LANGUAGES = ("en", "zh_CN")


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:
    """Mark a text for translation where it is declared; `translate` it where it is shown."""
    return text


def locale_of(choice: str) -> QLocale:
    """The locale for a choice of language: `system`, or one of LANGUAGES. Dates follow the system's region."""
    system = QLocale.system()
    chosen = QLocale(choice)
    return system if choice == "system" or chosen.language() == system.language() else chosen


def install(app: QCoreApplication, choice: str) -> list[QTranslator]:
    """Load the texts of a language, Qt's own included; the caller keeps the translators alive."""
    locale = locale_of(choice)
    QLocale.setDefault(locale)
    folders = (
        (str(Path(__file__).parent), "backscroll"),
        (QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), "qtbase"),
    )
    loaded = []
    for folder, name in folders:
        translator = QTranslator(app)
        if translator.load(locale, name, "_", folder):
            app.installTranslator(translator)
            loaded.append(translator)
    return loaded
