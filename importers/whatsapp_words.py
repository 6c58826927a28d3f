"""The app's own words in the languages of its users, as they stand in exported chats.

Each table has lines “language: phrase | phrase”. Phrases are compared as a whole, without marks,
case and a full stop at the end, so a new language is one more line.
"""

import re
from collections.abc import Iterator, Mapping

_MEDIA = """
en: <Media omitted> | <video note omitted> | <View once voice message omitted>
af: <Media weggelaat>
ar: <تم استبعاد الوسائط>
az: <Media buraxıldı> | <Media çıxarılmışdır>
bg: <Без файл>
bn: <মিডিয়া বাদ দেওয়া হয়েছে> | <মিডিয়া বাদ দেওয়া হয়েছে>
ca: <fitxers multimèdia omesos> | <Mitjans omesos> | <Multimèdia omès>
cs: <média vynechány> | < Média vynechána > | <Média vynechána>
da: <medier udeladt> | <Mediefil udeladt> | <Medier udeladt>
de: <Medien ausgeschlossen> | <Medien weggelassen>
el: <αρχείο παραλήφθηκε> | <Εξαίρεση πολυμέσων> | <Παραλείφθηκαν πολυμέσα>
es: <Multimedia omitido> | <Archivo omitido> | <multimedia omitido>
et: <meedia välja jäetud> | <Meedia ära jäetud>
fa: <رسانه حذف شد> | < پيوست نما/آهنگ حذف شد >
fi: <media jätettiin pois> | <Media jätetty pois>
fr: <Médias omis> | <Fichier omis>
gu: <મિડિયા છોડી મૂકાયું> | <મીડિયા અવગણવામાં આવ્યા>
hi: <मीडिया के बिना> | <मीडिया हटाया गया>
hr: <Medijski zapis izostavljen>
hu: <média elhagyva> | <Hiányzó médiafájl> | <Médiafájl kihagyva>
id: <Media tidak disertakan>
it: <Media omessi> | <Media omesso>
he: <המדיה לא נכללה> | <מדיה הושמטה>
ja: <メディアなし> | <メディアは含まれていません>
kk: <файлдар қосылмаған> | <Файл қосылған жоқ>
kn: <ಮಾಧ್ಯಮ ಕೈಬಿಡಲಾಗಿದೆ>
ko: <미디어 파일 제외됨> | <미디어 파일을 생략한 대화내용> | <미디어 파일 생략됨>
lo: <ບໍ່ລວມມີເດຍ>
lt: <medija praleista> | <Praleistas medijos turinys>
lv: <nav iekļauta multivide> | <Bez multivides>
mk: <без фајлови> | <Без фајл>
ml: <മീഡിയ ഒഴിവാക്കി>
mr: <मीडिया वगळण्यात आला> | <मीडिया वगळले>
ms: <media dikecualikan> | <Media disingkirkan>
nb: <media utelatt> | <Uten vedlegg> | <Medier utelatt>
nl: <Media weggelaten>
pa: <ਮੀਡੀਆ ਛੱਡਿਆ> | <ਮੀਡੀਆ ਛਡਿਆ ਗਿਆ>
pl: <pominięto multimedia> | <pliki pominięto>
pt: <Mídia oculta> | <Arquivo de mídia oculto> | <ficheiro não revelado> | <Mídia omitida> | <Ficheiro não revelado> | <Multimédia omitido>
ro: <conținut media omis> | <Conținut media omis> | <Fișier media omis>
ru: <без медиафайлов> | <Без медиафайлов> | <Файл пропущен>
sk: <Médiá vynechané>
sl: <datoteke izpuščene> | <Medij izpuščen>
sq: <media u hoq> | <Media hequr>
sr: <медији су изостављени>
sv: <media utelämnat> | <Media har utelämnats>
sw: <media hazijajumuishwa> | <Media imerukwa>
ta: <கோப்புகள் விடப்பட்டன> | < ஊடகங்கள் நீக்கப்பட்டது >
te: <మీడియా విస్మరించబడింది> | <మాధ్యమం విస్మరించబడింది>
th: <ไฟล์สื่อถูกลบ> | <สื่อถูกลบ> | <ละเว้นสื่อ>
fil: <inalis ang media> | <Walang kalakip na media>
tr: <medya dahil edilmedi> | <Medya atlanmış> | <Medya dahil edilmedi>
uk: <медіа пропущено> | <Медіа пропущено>
ur: <میڈیا چھوڑ دیا گیا> | <میڈیا ہٹا دیا گیا>
uz: <fayl o‘tkazib yuborildi>
vi: <bỏ qua tệp phương tiện> | <Bỏ qua Media>
zh: <忽略多媒體檔> | <省略多媒体文件> | <媒體已略去> | <省略多媒體檔案> | <未包含媒體檔案>
"""

_DELETED = """
en: This message was deleted | You deleted this message | This message was deleted by admin
de: Diese Nachricht wurde gelöscht | Du hast diese Nachricht gelöscht
es: Se eliminó este mensaje | Eliminaste este mensaje | Este mensaje fue eliminado | Eliminó este mensaje
fr: Ce message a été supprimé | Vous avez supprimé ce message
it: Questo messaggio è stato eliminato | Hai eliminato questo messaggio
pt: Mensagem apagada | Esta mensagem foi apagada | Você apagou esta mensagem | Apagou esta mensagem
nl: Dit bericht is verwijderd | Dit bericht werd verwijderd | U hebt dit bericht verwijderd | Je hebt dit bericht verwijderd
ru: Данное сообщение удалено | Вы удалили данное сообщение | Это сообщение удалено | Вы удалили это сообщение
ar: تم حذف هذه الرسالة | لقد حذفت هذه الرسالة
"""

_NOTICES = """
en: Messages and calls are end-to-end encrypted. No one outside of this chat, not even WhatsApp, can read or listen to them | Waiting for this message. This may take a while | You're now an admin | You're no longer an admin | Your security code with this contact changed
"""

_CALLS = """
en: Missed voice call | Missed video call | Missed group voice call | Missed group video call | Voice call | Video call
de: Verpasster Sprachanruf | Verpasster Videoanruf | Sprachanruf | Videoanruf
"""

_EDITED = """
en: This message was edited
de: Diese Nachricht wurde bearbeitet
es: Se editó este mensaje | Este mensaje fue editado
"""

_ATTACHED = """
en: file attached | attached
de: Datei angehängt | Anhang | angehängt
es: archivo adjunto | adjunto
"""

_LEFT_OUT: Mapping[str, str] = {
    "image": """
en: image omitted
""",
}

_NOTICE_PATTERNS = """
en: created (this )?group
en: changed (the subject|the group name|the group description|this group's icon|this group's settings|their phone number|to \\+)
en: (added|removed) you$
en: joined using
en: security code .*changed
en: end-to-end encrypted
en: You're (now|no longer) an admin
"""


def _rows(table: str) -> Iterator[tuple[str, str]]:
    """Language and phrase, one by one."""
    for line in table.strip().splitlines():
        language, _, phrases = line.partition(":")
        for phrase in phrases.split("|"):
            yield language.strip(), phrase.strip()


def _fold(phrase: str) -> str:
    return phrase.rstrip(".。।").casefold()


def _fixed() -> Iterator[tuple[str, str, str]]:
    """Folded phrase, kind and language of everything that stands for a whole body."""
    tables = {"file": _MEDIA, "deleted": _DELETED, "system": _NOTICES, "event": _CALLS, **_LEFT_OUT}
    for kind, table in tables.items():
        for language, phrase in _rows(table):
            yield _fold(phrase), kind, language


PHRASE_KINDS: Mapping[str, str] = {phrase: kind for phrase, kind, _ in _fixed()}
"""Folded whole bodies: “deleted”, “system”, “event”, or the kind of what was left out."""

_LANGUAGES: Mapping[str, str] = {phrase: language for phrase, _, language in _fixed()}
EDITED = frozenset(_fold(phrase) for _, phrase in _rows(_EDITED))
ATTACHED = frozenset(_fold(phrase) for _, phrase in _rows(_ATTACHED))
NOTICE = re.compile("|".join(f"(?:{line.partition(': ')[2]})" for line in _NOTICE_PATTERNS.strip().splitlines()))
LITERALS = frozenset(
    variant
    for table in (_MEDIA, _DELETED, _NOTICES, _CALLS, *_LEFT_OUT.values())
    for _, phrase in _rows(table)
    for start in (phrase, phrase[:1].swapcase() + phrase[1:])
    for variant in (start, f"{start}.", f"{start}。")
)
"""Whole bodies exactly as they stand in files, for a first quick test."""


def language_of(body: str) -> str | None:
    """The language whose table holds this whole body."""
    return _LANGUAGES.get(_fold(body.strip()))
