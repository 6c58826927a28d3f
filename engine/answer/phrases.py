"""The sentences with which the program itself answers, in the language of the question.

A language is one entry; what is missing is said in English. Facts (counts and dates) are filled in as
they are.
"""

import re
from dataclasses import dataclass
from datetime import date

from engine.languages import guess_language
from engine.types import Coverage
from engine.when import MONTHS

_HAN = re.compile(r"[\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Phrases:
    """What the program can say."""

    not_found: str
    unknown: str
    trap: str
    no_model: str
    failed: str


ENGLISH = Phrases(
    not_found="Not found in your chats.",
    unknown="Not found: nothing called {name} occurs in your chats.",
    trap="Not found: your chats do not say this of {asked}, but {speaker} speaks of something like it.",
    no_model="No model is loaded, so here are the messages that come closest to your question.",
    failed="The model could not answer, so here are the messages that come closest to your question.",
)
PHRASES = {
    "english": ENGLISH,
    "german": Phrases(
        not_found="In deinen Chats nicht gefunden.",
        unknown="Nicht gefunden: {name} kommt in deinen Chats nicht vor.",
        trap="Nicht gefunden: Deine Chats sagen das nicht von {asked}, aber {speaker} spricht von "
        "etwas Ähnlichem.",
        no_model="Es ist kein Modell geladen; hier sind die Nachrichten, die deiner Frage am nächsten kommen.",
        failed="Das Modell konnte nicht antworten; hier sind die Nachrichten, die deiner Frage am "
        "nächsten kommen.",
    ),
    "french": Phrases(
        not_found="Introuvable dans vos discussions.",
        unknown="Introuvable : {name} n’apparaît pas dans vos discussions.",
        trap="Introuvable : vos discussions ne le disent pas de {asked}, mais {speaker} parle de quelque chose "
        "de semblable.",
        no_model="Aucun modèle n’est chargé ; voici les messages les plus proches de votre question.",
        failed="Le modèle n’a pas pu répondre ; voici les messages les plus proches de votre question.",
    ),
    "spanish": Phrases(
        not_found="No se encontró en tus chats.",
        unknown="No se encontró: {name} no aparece en tus chats.",
        trap="No se encontró: tus chats no lo dicen de {asked}, pero {speaker} habla de algo parecido.",
        no_model="No hay ningún modelo cargado; estos son los mensajes más cercanos a tu pregunta.",
        failed="El modelo no pudo responder; estos son los mensajes más cercanos a tu pregunta.",
    ),
    "chinese": Phrases(
        not_found="在你的聊天记录中没有找到。",
        unknown="没有找到:聊天记录中没有出现过“{name}”。",
        trap="没有找到:聊天记录没有说到{asked}的这件事,但{speaker}提到过类似的事。",
        no_model="没有加载模型,以下是与你的问题最接近的消息。",
        failed="模型无法回答,以下是与你的问题最接近的消息。",
    ),
}


def phrases_for(question: str) -> Phrases:
    """The phrases of the question's language."""
    return PHRASES.get(language_of(question), ENGLISH)


def language_of(question: str) -> str:
    """The question's language as Snowball names it, or "chinese"; English where nothing tells."""
    return "chinese" if _HAN.search(question) else guess_language([question])


def searched_words(searches: int, looked: Coverage, everything: Coverage) -> str:
    """What was looked through: "4 searches, 37 of 212 chats, Jan 2019 – Mar 2024"."""
    chats = (
        f"{looked.chats} of {everything.chats} chats"
        if looked.chats != everything.chats
        else _counted(everything.chats, "chat")
    )
    parts = [_counted(searches, "search"), chats]
    first, last = _month(looked.date_from), _month(looked.date_to)
    if first and last:
        parts.append(first if first == last else f"{first} – {last}")
    return ", ".join(parts)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}{'es' if noun.endswith('ch') else 's'}"


def _month(day: str | None) -> str:
    if not day:
        return ""
    found = date.fromisoformat(day[:10])
    return f"{MONTHS[found.month - 1][:3]} {found.year}"
