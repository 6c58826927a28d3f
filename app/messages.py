"""The one place that turns errors into words: what happened, what to do, and details for those who ask.

The engine sends errors with an English sentence of its own. In English that sentence is shown, because
it is the most exact; in other languages its translation is, where there is one, else the translated sentence of
the error's type, and the engine's own goes to the details.
"""

from dataclasses import dataclass

from app.data import Json
from app.engine_words import engine_words
from app.i18n import QT_TRANSLATE_NOOP, translate

CANCELLED = "Cancelled"


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """What a person reads about an error."""

    sentence: str
    advice: str = ""
    details: str = ""
    kind: str = ""  # the type of the error, for those who can do something about it


def _row(sentence: str, advice: str) -> tuple[str, str]:
    return sentence, advice


WORDS: dict[str, tuple[str, str]] = {
    "KnownError": _row(
        QT_TRANSLATE_NOOP("Errors", "Backscroll could not do that."),
        QT_TRANSLATE_NOOP("Errors", "The details say why, and what to change."),
    ),
    "ArchiveLocked": _row(
        QT_TRANSLATE_NOOP("Errors", "The archive is locked."),
        QT_TRANSLATE_NOOP("Errors", "Enter the passphrase, or use the recovery key."),
    ),
    "KeyLost": _row(
        QT_TRANSLATE_NOOP("Errors", "The archive's key is lost."),
        QT_TRANSLATE_NOOP("Errors", "Restore a backup, or erase the archive and import your exports again."),
    ),
    "ArchiveBusy": _row(
        QT_TRANSLATE_NOOP("Errors", "Another Backscroll is using this archive."),
        QT_TRANSLATE_NOOP("Errors", "Close the other Backscroll window or command and try again."),
    ),
    "ArchiveTooNew": _row(
        QT_TRANSLATE_NOOP("Errors", "This archive was written by a newer Backscroll."),
        QT_TRANSLATE_NOOP("Errors", "Install the newer version again; the archive was not changed."),
    ),
    "ArchiveDamaged": _row(
        QT_TRANSLATE_NOOP("Errors", "The archive cannot be read."),
        QT_TRANSLATE_NOOP("Errors", "Restore a backup, or import your exports again into a new archive."),
    ),
    "DiskFull": _row(
        QT_TRANSLATE_NOOP("Errors", "The disk is full."),
        QT_TRANSLATE_NOOP("Errors", "Free some space and try again; nothing that was stored is lost."),
    ),
    "NotWritable": _row(
        QT_TRANSLATE_NOOP("Errors", "The data folder cannot be written."),
        QT_TRANSLATE_NOOP("Errors", "Check the folder's permissions and try again."),
    ),
    "NothingThere": _row(
        QT_TRANSLATE_NOOP("Errors", "What you asked for is no longer in the archive."),
        QT_TRANSLATE_NOOP("Errors", "Check the name and try again."),
    ),
    "NotEmpty": _row(
        QT_TRANSLATE_NOOP("Errors", "There are messages here already, so the backup was not put in their place."),
        QT_TRANSLATE_NOOP(
            "Errors", "Restore it into another folder, or replace what is here on the command line."
        ),
    ),
    "NoModel": _row(
        QT_TRANSLATE_NOOP("Errors", "There is no model to write an answer with."),
        QT_TRANSLATE_NOOP("Errors", "Get one on the Models page. Search works without a model."),
    ),
    "ModelError": _row(
        QT_TRANSLATE_NOOP("Errors", "The model could not write an answer."),
        QT_TRANSLATE_NOOP("Errors", "Try again, or choose another model on the Models page."),
    ),
    "ModelFileError": _row(
        QT_TRANSLATE_NOOP("Errors", "The file is not a model that can be used."),
        QT_TRANSLATE_NOOP("Errors", "Choose another GGUF file, or get the model again."),
    ),
    "ModelMemoryError": _row(
        QT_TRANSLATE_NOOP("Errors", "The model does not fit in the free memory."),
        QT_TRANSLATE_NOOP("Errors", "Close other programs, or choose a smaller model on the Models page."),
    ),
    "PromptTooLong": _row(
        QT_TRANSLATE_NOOP("Errors", "The question is too long for the model."),
        QT_TRANSLATE_NOOP("Errors", "Ask a shorter question, or narrow the search with the filters."),
    ),
    "EngineStopped": _row(
        QT_TRANSLATE_NOOP("Errors", "The engine stopped unexpectedly and is starting again."),
        QT_TRANSLATE_NOOP("Errors", "Nothing that was stored is lost. Try again in a moment."),
    ),
    "EngineGone": _row(
        QT_TRANSLATE_NOOP("Errors", "The engine could not be kept running."),
        QT_TRANSLATE_NOOP("Errors", "Start it again below. If that does not help, choose a smaller model."),
    ),
    "UnknownMethod": _row(
        QT_TRANSLATE_NOOP("Errors", "This version of the engine cannot do that."),
        QT_TRANSLATE_NOOP("Errors", "Install the window and the engine of the same version."),
    ),
    "Defect": _row(
        QT_TRANSLATE_NOOP("Errors", "Something went wrong inside Backscroll."),
        QT_TRANSLATE_NOOP("Errors", "Try again. If it happens again, the details below help to report it."),
    ),
}
"""Error type → sentence and advice. `Defect` stands for every type that is not listed."""


def _translated(text: str) -> str:
    return translate("Errors", text)


def words_of(kind: str, details: str = "") -> ErrorWords:
    """The words of an error type of the table."""
    sentence, advice = WORDS[kind]
    return ErrorWords(_translated(sentence), _translated(advice), details, kind)


def error_words(error: Json) -> ErrorWords:
    """The words for an error that the engine sent."""
    kind = str(error.get("type") or "")
    sentence, advice = WORDS.get(kind, WORDS["Defect"])
    own, own_advice = str(error.get("sentence") or ""), str(error.get("advice") or "")
    details = str(error.get("details") or "")
    if _translated(sentence) == sentence:  # English: the engine's own sentence is the most exact
        return ErrorWords(own or sentence, own_advice or advice, details, kind)
    exact = engine_words(own)
    if exact != own:
        exact_advice = engine_words(own_advice)
        known_advice = exact_advice if exact_advice != own_advice else _translated(advice)
        return ErrorWords(exact, known_advice, details, kind)
    more = "\n".join(part for part in (own, own_advice, details) if part)
    return ErrorWords(_translated(sentence), _translated(advice), more, kind)
