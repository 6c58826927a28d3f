"""The chat's name, which the app writes into the file's name, in the language of the phone."""

import re
from pathlib import PurePath

from importers.source import FileSource, Source
from importers.text import strip_marks

_BEFORE = (
    "WhatsApp Chat with", "WhatsApp Chat -", "Chat WhatsApp with", "Chat de WhatsApp con", "Chat de WhatsApp -",
    "WhatsApp Chat mit", "WhatsApp-Chat mit", "Discussion WhatsApp avec", "Chat WhatsApp avec", "Chat WhatsApp con",
    "Conversa do WhatsApp com", "Conversa no WhatsApp com", "Conversa do WhatsApp -", "Чат WhatsApp с", "WhatsApp-chat met", "WhatsApp-gesprek met",
    "WhatsApp Chat met", "Czat WhatsApp z", "Czat z", "WhatsApp Sohbeti -",
)  # fmt: skip
_BETWEEN = (("与", "的 WhatsApp 聊天"), ("與", "的 WhatsApp 對話"))
_COPY = re.compile(r" ?\(\d{1,3}\)$")


def title_of(source: Source, chat: Source) -> str | None:
    """The title by the name of the chat's file, else of the zip or folder around it."""
    names = [chat.basename, source.basename]
    if isinstance(chat, FileSource):
        names.append(chat.path.parent.name)
    if isinstance(source, FileSource):
        names.append(source.path.parent.name)
    return next((title for name in names if (title := title_in(name))), None)


def title_in(name: str) -> str | None:
    """The chat's title in one file name, None where the name is not WhatsApp's."""
    stem = strip_marks(name)
    if PurePath(stem).suffix.lower() in (".txt", ".zip"):
        stem = stem[:-4]
    stem = _COPY.sub("", stem.replace("_", " ").replace("\u00a0", " ")).strip()
    folded = stem.casefold()
    for before in _BEFORE:
        if folded.startswith(before.casefold() + " "):
            return stem[len(before) :].strip() or None
    for before, after in _BETWEEN:
        if folded.startswith(before.casefold()) and folded.endswith(after.casefold()):
            return stem[len(before) : -len(after)].strip() or None
    return None
