"""The chat's name, which the app writes into the file's name, in the language of the phone."""

import re
from pathlib import PurePath

from importers.source import FileSource, Source
from importers.text import strip_marks
from importers.whatsapp_words import words

_COPY = re.compile(r"\s*(?:\(\d{1,3}\)|-\d{1,2})$")
_ANY_LANGUAGE = re.compile(r"[^-]*(?:whatsapp|واتساب|واتساپ)[^-]* - (.+)", re.IGNORECASE)
"""“… WhatsApp … - NAME”, as the iPhone names its zips, whatever the other words are."""


def title_of(source: Source, chat: Source) -> str | None:
    """The title by the name of the chat's file, else of the zip or folder around it."""
    names = [chat.basename, source.basename]
    names += [s.path.parent.name for s in (chat, source) if isinstance(s, FileSource)]
    return next((title for name in names if (title := title_in(name))), None)


def title_in(name: str) -> str | None:
    """The chat's title in one file name, None where the name is not WhatsApp's."""
    stem = strip_marks(name)
    if PurePath(stem).suffix.lower() in (".txt", ".zip"):
        stem = stem[:-4]
    stem = _COPY.sub("", " ".join(stem.replace("_", " ").split()))
    for pattern in (*words().titles, _ANY_LANGUAGE):
        if match := pattern.fullmatch(stem):
            return match[1].strip() or None
    return None
