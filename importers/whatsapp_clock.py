"""Words that stand beside a clock time: the halves and parts of the day in all languages, and joints.

The day parts are those of the Unicode locale data (CLDR), old and new spellings, since a phone writes
what its system's version of that data says.
"""

import re

_MORNING = """
am|a.m|a. m|a|AM|A.M|vm|vorm|vormittags|am Vormittag|mo|m|atm|aamu|ap|fm|f.m|formiddag|f.h|öö|ÖÖ|
ق.ظ|ق|قبل‌ازظهر|قبل از ظهر|ص|صباحا|صباحًا|صبح|غ.م|ب.ن|چ.ب|چۈشتىن بۇرۇن|ق ظ|پ.ظ|
上午|上晝|午前|오전|ก่อนเที่ยง|ກ່ອນທ່ຽງ|နံနက်|ព្រឹក|SA|sáng|pg|PG|pagi|pagi/siang|asubuhi|
π.μ|πμ|πμ.|пр.об|преди обед|прије подне|пре подне|prije podne|prijepodne|pre podne|dop|dopoldne|dopoledne|d|
de|délelőtt|priešpiet|pr. p|priekšp|priekšpusd|priekšpusdienā|priekšpusdiena|e paradites|paradite|p.d|
дп|апоўначы|претпл|претпладне|таңкы|тң|ТО|TO|эртең менен|ү.ө|үө|AM ү.ө|го.öň|g.öň|go.öň|günortadan öň|öň|
पूर्वाह्न|म.पू|सकाळ|পূর্বাহ্ণ|পূৰ্বাহ্ন|পূর্বাহ্ন|પૂર્વ મધ્યાહ્ન|முற்பகல்|முற்பகல்|ఉదయం|ಪೂರ್ವಾಹ್ನ|ಪೂ|പൂർവ്വാഹ്നം|පෙ.ව|පෙ|ਪੂ.ਦੁ|ਪੂਰਵ ਦੁਪਹਿਰ|
এ এম|एएम|ए एम|ఎ ఎమ్|اے ایم|ጥዋት|ጠዋት|ጠ|ቅ.ቀ|ቀ|ንጉሆ ሰዓተ|SN|GH|sn|dinda|Safiya|SF|Àárọ̀|owurọ|N’ụtụtụ|ekuseni|
matin|mat|du matin|de la mañana|mañana|da manhã|manhã|mattina|m.|r.n|yb|b|g|goizeko|ip|i.b|
दुपारी पूर्वी|пре поднe|prvi dio dana|de mañana|AG|פֿאַרמיטאָג|לפנה״צ|לפנה"צ|לפנה''צ|бн|к. у|чаб|ДП|кп|
Vormittag|morgens|früh|таң|ertalab|сабоҳ|səhər|dilili|dopołdnja|mʼ
"""
_AFTERNOON = """
pm|p.m|p. m|p|PM|P.M|nm|nachm|nachmittags|am Nachmittag|ptm|ip|em|e.m|eftermiddag|ettermiddag|e.h|ös|ÖS|
ب.ظ|ب|بعدازظهر|بعد از ظهر|م|مساء|مساءً|عصر|شام|غ.و|د.ن|چ.ك|چۈشتىن كېيىن|ب ظ|
下午|下晝|午後|오후|หลังเที่ยง|ຫຼັງທ່ຽງ|ညနေ|ល្ងាច|CH|chiều|ptg|PTG|petang|alasiri|
μ.μ|μμ|сл.об|след обед|послије подне|по подне|poslije podne|popodne|po podne|pop|popoldne|odp|odpoledne|
du|délután|popiet|pēcp|pēcpusd|pēcpusdienā|pēcpusdiena|e pasdites|pasdite|m.d|
пп|апоўдні|попл|попладне|түштөн кийинки|тк|ТК|TK|ү.х|үх|g.soň|go.soň|günortadan soň|soň|
अपराह्न|म.उ|দুপুর|অপরাহ্ণ|অপৰাহ্ন|অপরাহ্ন|ઉત્તર મધ્યાહ્ન|பிற்பகல்|సాయంత్రం|ಅಪರಾಹ್ನ|ಅ|അപരാഹ്നം|ප.ව|ප|ਬਾ.ਦੁ|ਬਾਅਦ ਦੁਪਹਿਰ|
পি এম|पीएम|पी एम|పి ఎమ్|پی ایم|ከሰዓት|ከ|ድ.ቀ|ድሕር ሰዓት|GD|gn|dilolo|Yamma|YM|Ọ̀sán|ọsan|N’abalị|ntambama|
soir|de la tarde|tarde|da tarde|pomeriggio|p.|i.n|yh|h|a|arratsaldeko|e.b|
ԿՀ|כ|אחה״צ|אחה"צ|אחה''צ|נאָכמיטאָג|Nachmittag|nomë|nomëttes|popołdnju|wótp|nami|Namittag|к. х|ПП
"""
# Parts of the day that are finer than its halves; the hour says which half.
_NIGHT = "凌晨|清晨|深夜|夜里|夜裡|새벽|밤|রাত|रात|रात्र|रात्री|રાત|রাতে|இரவு|రాత్రి|ರಾತ್ರಿ|രാത്രി|กลางคืน|đêm|noche|madrugada|de la madrugada|da madrugada|nuit|notte|Nacht|nachts|noc|v noci|нощ|ночи|ночь|نیمه‌شب|ليلًا|ليلا|لیل|usiku|malam|ምሽት|éjjel|yö|natt|"
_EARLY = "早上|早晨|上晝|아침|朝|ভোর|ভোরে|সকাল|সকালে|सुबह|सबेरे|सकाळी|पहाटे|સવાર|காலை|అర్ధరాత్రి|ಬೆಳಗ್ಗೆ|രാവിലെ|pagi|morgen|Morgen|rano|reggel|утра|утро|ранку|сутринта|فجرا|صباحاً|أسحر|בבוקר|בוקר|sabah|"
_NOON = "中午|正午|晌午|낮|দুপুর|দুপুরে|दोपहर|दुपार|दुपारी|બપોર|நண்பகல்|மதியம்|మధ్యాహ్నం|ಮಧ್ಯಾಹ್ನ|ഉച്ചയ്ക്ക്|ظهرا|ظهرًا|mediodía|del mediodía|midi|Mittag|mittags|południe|dél|дня|день|tengah hari|siang|trưa|öğle|צהריים|בצהריים|noon|"
_EVENING = "晚上|傍晚|下晝|저녁|夕方|夜|বিকাল|বিকেল|বিকালে|সন্ধ্যা|সন্ধ্যায়|शाम|सायंकाळ|संध्याकाळ|संध्याकाळी|સાંજ|மாலை|అపరాహ్నం|ಸಂಜೆ|വൈകുന്നേരം|مساءا|مساءاً|بعد الظهر|tối|petang|sore|abends|Abend|wieczorem|este|вечера|вечер|вечора|вечерта|בערב|ערב|אחר הצהריים|akşam|jioni|kvöld|ilta|"


def _table(text: str) -> frozenset[str]:
    words = (" ".join(w.split()).strip(".") for w in text.replace("\n", "").split("|"))
    return frozenset(w for w in words if w)


_BEFORE_NOON = _table(_MORNING)
_AFTER_NOON = _table(_AFTERNOON)
_FINER = _table(_NIGHT) | _table(_EARLY) | _table(_NOON) | _table(_EVENING)
_ALWAYS_EARLY = _table(_EARLY)
_ALWAYS_LATE = _table(_EVENING) | _table(_NOON)
_JOINTS = _table(
    "à|a|á|às|as|at|um|kl|klo|kell|alle|ore|om|o|ob|u|v|в|о|у|у|la|las|a las|a la|les|de|lúc|vào lúc|pukul|jam|"
    "saat|στις|ώρα|ق|الساعة|в|г|г. в|год|р|р. о|г.|ж|j|jan|pm|Uhr|uur|h|ч|час|ч.|год.|ur|urs|hod|horas|hrs|s|"
    "日|일|日 |의|ಗಂಟೆಗೆ|को|ला|এ|时|分|분|น|น.|เวลา|μ|m|g|y|d|nap|den|noon|a les|aan|om|eta|ko|orduak|ás|ár|klukkan|"
    "kl. |ב|בשעה|साँझ|တွင်|em|plkst|plkst.|val|ஆம்|AD|CE|AH|هـ|BE|พ.ศ|ه‍.ش|ه.ش|ش|م"
)
_INNER_SPACES = re.compile(r"[\s\u00a0\u202f]+")


def noon_side(word: str, hour: int) -> int | None:
    """0 for before noon, 12 for after it, None where the word is no day part.

    A word may hold a joint and a day part ("à 오후"): the last part of it that is known decides.
    """
    known = _INNER_SPACES.sub(" ", word).strip(" .,")
    for candidate in (known, known.casefold(), known.replace(" ", ""), *reversed(known.split(" "))):
        side = _side(candidate.strip(".,،"), hour)
        if side is not None:
            return side
    return None


def _side(word: str, hour: int) -> int | None:
    lower = word.casefold()
    if word in _AFTER_NOON or lower in _AFTER_NOON:
        return 12
    if word in _BEFORE_NOON or lower in _BEFORE_NOON:
        return 0
    if word in _ALWAYS_EARLY:
        return 0
    if word in _ALWAYS_LATE:
        return 0 if hour == 11 else 12
    if word in _FINER:
        return 12 if 6 <= hour <= 11 else 0
    return None


def is_joint(word: str) -> bool:
    """Whether the word only joins date and time, or names the unit of the hour."""
    return all(w.strip(".,،") in _JOINTS for w in word.split(" "))
