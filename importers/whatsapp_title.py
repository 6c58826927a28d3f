"""The chat's name, which the app writes into the file's name, in the language of the phone."""

import re
from pathlib import PurePath, PurePosixPath

from importers.source import FileSource, Source, ZipMember
from importers.text import strip_marks
from importers.whatsapp_words import words

_COPY = re.compile(r"\s*(?:\(\d{1,3}\)|-\d{1,2})$")
_ANY_LANGUAGE = re.compile(r"[^-]*(?:whatsapp|واتساب|واتساپ)[^-]* - (.+)", re.IGNORECASE)
"""“… WhatsApp … - NAME”, as the iPhone names its zips, whatever the other words are."""


def title_of(source: Source, chat: Source) -> str | None:
    """The title by the name of the chat's file, else of the zip or the folders around it."""
    names = [chat.basename, *reversed(PurePosixPath(chat.name).parts[:-1]), source.basename]
    for place in (chat, source):
        if isinstance(place, ZipMember):
            names.append(place.archive.basename)
        elif isinstance(place, FileSource):
            names.append(place.path.parent.name)
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
