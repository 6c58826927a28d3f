"""The vocabulary of dates: what each language calls days, units, months, and how it says "ago" or "since".

Only words live here; what they mean is in `engine.when`. A language is one entry of `LANGUAGES`, and
every field is a list of regular-expression alternatives, so that a form is added without touching code.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Language:
    """The date words of one language. Templates hold {n}, {unit}, {weekday}, {month}, {season}, {holiday}."""

    name: str
    numbers: dict[str, int]
    units: dict[str, str]  # pattern -> day, week, weekend, month, year
    weekdays: tuple[str, ...]  # Monday first
    months: tuple[str, ...]  # January first
    seasons: dict[str, str]  # pattern -> spring, summer, autumn, winter
    holidays: dict[str, str]  # pattern -> key of engine.when's holiday table
    fixed: dict[str, tuple[str, int]]  # pattern -> unit and offset: yesterday is (day, -1)
    ago: tuple[str, ...]
    ahead: tuple[str, ...]
    last_n: tuple[str, ...]
    last: str
    this: str
    next: str
    within: str  # what may stand before a month, a year or a holiday: "in"
    on: str  # what may stand before a weekday or a day of a month: "on"
    between: tuple[str, ...]  # templates with {a} and {b}
    since: tuple[str, ...] = ()  # templates with {a}
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    until: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()  # "a few": a number that is not one
    day_of_month: tuple[str, ...] = ()  # templates with {d} and {month}; a year may follow
    spaced: bool = True  # words are separated by spaces
    unless: str = ""  # words of another language in which some of these words mean something else


ENGLISH = Language(
    name="en",
    numbers={
        "an?": 1,
        "one": 1,
        "two": 2,
        "a couple(?: of)?": 2,
        "couple of": 2,
        "three": 3,
        "four": 4,
        "five": 5,
        "six": 6,
        "seven": 7,
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "eleven": 11,
        "twelve": 12,
    },
    units={"days?": "day", "weeks?": "week", "weekends?": "weekend", "months?": "month", "years?|yrs?": "year"},
    weekdays=(
        "monday|mon",
        "tuesday|tues?",
        "wednesday|wed",
        "thursday|thurs?|thu",
        "friday|fri",
        "saturday|sat",
        "sunday|sun",
    ),
    months=(
        "january|jan",
        "february|feb",
        "march|mar",
        "april|apr",
        "may",
        "june|jun",
        "july|jul",
        "august|aug",
        "september|sept?",
        "october|oct",
        "november|nov",
        "december|dec",
    ),
    seasons={"spring": "spring", "summer": "summer", "autumn|fall": "autumn", "winter": "winter"},
    holidays={
        "christmas eve": "christmas eve",
        "christmas(?: day)?|xmas": "christmas",
        "new year'?s eve": "new year's eve",
        "new year(?:'?s(?: day)?)?": "new year",
        "easter": "easter",
        "hallowe'?en": "halloween",
        "valentine'?s(?: day)?": "valentine",
        "thanksgiving": "thanksgiving",
    },
    fixed={
        "the day before yesterday": ("day", -2),
        "yesterday": ("day", -1),
        "last night": ("day", -1),
        "today|tonight|this (?:morning|afternoon|evening)": ("day", 0),
        "the day after tomorrow": ("day", 2),
        "tomorrow": ("day", 1),
    },
    ago=("{n} {unit} ago", "{n} {unit} back"),
    ahead=("in {n} {unit}(?:'? time)?", "{n} {unit} from now"),
    last_n=("(?:in |over |during )?(?:the |these )?(?:last|past) {n} {unit}",),
    last="last|previous|this past|past",
    this="this|this coming",
    next="next",
    within="in|during|of|around|over|early in|late in|back in",
    on="on",
    between=("between {a} and {b}", "from {a} (?:to|until|till|through) {b}"),
    since=("since {a}",),
    before=("before {a}", "prior to {a}"),
    after=("after {a}",),
    until=("until {a}", "till {a}", "up to {a}"),
    vague=("a few|few|several|some",),
    day_of_month=("{d}(?:st|nd|rd|th)?(?: of)? {month}", "{month} {d}(?:st|nd|rd|th)?"),
)

GERMAN = Language(
    name="de",
    numbers={
        "eine[mnr]?|ein": 1,
        "zwei": 2,
        "drei": 3,
        "vier": 4,
        "fünf": 5,
        "sechs": 6,
        "sieben": 7,
        "acht": 8,
        "neun": 9,
        "zehn": 10,
        "elf": 11,
        "zwölf": 12,
    },
    units={
        "tag(?:en?)?": "day",
        "wochenenden?": "weekend",
        "wochen?": "week",
        "monat(?:en?|s)?": "month",
        "jahr(?:en?|s)?": "year",
    },
    weekdays=("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend", "sonntag"),
    months=(
        "januar|jänner",
        "februar",
        "märz",
        "april",
        "mai",
        "juni",
        "juli",
        "august",
        "september",
        "oktober",
        "november",
        "dezember",
    ),
    seasons={"frühling|frühjahr": "spring", "sommer": "summer", "herbst": "autumn", "winter": "winter"},
    holidays={
        "heiligabend": "christmas eve",
        "weihnachten": "christmas",
        "silvester": "new year's eve",
        "neujahr": "new year",
        "ostern": "easter",
    },
    fixed={
        "vorgestern": ("day", -2),
        "gestern(?: abend)?": ("day", -1),
        "heute(?: abend| morgen)?": ("day", 0),
        "übermorgen": ("day", 2),
        "(?<!guten )(?<!am )(?<!jeden )morgen(?: abend| früh)?": ("day", 1),
    },
    ago=("vor {n} {unit}",),
    ahead=("in {n} {unit}",),
    last_n=("(?:in )?(?:den |die )?(?:letzten|vergangenen) {n} {unit}",),
    last="(?:letzte|vorige|vergangene)[mnrs]?",
    this="diese[mnrs]?",
    next="(?:nächste|kommende)[mnrs]?",
    within="im|in|an|zu|um",
    on="am",
    between=("zwischen {a} und {b}", "von {a} bis {b}"),
    since=("seit {a}",),
    before=("vor {a}",),
    after=("nach {a}",),
    until=("bis {a}",),
    vague=("ein paar|einigen|mehreren",),
    day_of_month=(r"{d}\. ?{month}",),
)

FRENCH = Language(
    name="fr",
    numbers={
        "une?": 1,
        "deux": 2,
        "trois": 3,
        "quatre": 4,
        "cinq": 5,
        "six": 6,
        "sept": 7,
        "huit": 8,
        "neuf": 9,
        "dix": 10,
        "onze": 11,
        "douze": 12,
    },
    units={
        "jours?": "day",
        "week-?ends?": "weekend",
        "semaines?": "week",
        "mois": "month",
        "ans?|années?": "year",
    },
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    months=(
        "janvier",
        "février|fevrier",
        "mars",
        "avril",
        "mai",
        "juin",
        "juillet",
        "août|aout",
        "septembre",
        "octobre",
        "novembre",
        "décembre|decembre",
    ),
    seasons={"printemps": "spring", "été": "summer", "automne": "autumn", "hiver": "winter"},
    holidays={
        "noël": "christmas",
        "pâques": "easter",
        "(?:la )?saint-sylvestre": "new year's eve",
        "(?:le )?nouvel an": "new year",
    },
    fixed={
        "avant-hier": ("day", -2),
        "hier(?: soir)?": ("day", -1),
        "aujourd['’]hui|ce soir|ce matin": ("day", 0),
        "après-demain": ("day", 2),
        "demain": ("day", 1),
    },
    ago=("il y a {n} {unit}",),
    ahead=("dans {n} {unit}",),
    last_n=("(?:ces|les|des) {n} derni(?:ers|ères) {unit}",),
    last="derni(?:er|ère)|passée?",
    this="cet?(?:te)?",
    next="prochaine?",
    within="en|au|à|pendant|au mois de|durant",
    on="le",
    between=("entre {a} et {b}", "de {a} à {b}"),
    since=("depuis {a}",),
    before=("avant {a}",),
    after=("après {a}",),
    until=("jusqu['’](?:à|en) {a}",),
    vague=("quelques|plusieurs",),
    day_of_month=("{d}(?:er)? {month}",),
    unless=r"\b(?:ich|wir|ist|war|und|das|nicht|was|wann|wo|haben|hat|du|sind|mit|wer)\b",
)

SPANISH = Language(
    name="es",
    numbers={
        "una?": 1,
        "dos": 2,
        "tres": 3,
        "cuatro": 4,
        "cinco": 5,
        "seis": 6,
        "siete": 7,
        "ocho": 8,
        "nueve": 9,
        "diez": 10,
        "once": 11,
        "doce": 12,
    },
    units={
        "días?|dias?": "day",
        "fin(?:es)? de semana": "weekend",
        "semanas?": "week",
        "mes(?:es)?": "month",
        "años?": "year",
    },
    weekdays=("lunes", "martes", "miércoles|miercoles", "jueves", "viernes", "sábado|sabado", "domingo"),
    months=(
        "enero",
        "febrero",
        "marzo",
        "abril",
        "mayo",
        "junio",
        "julio",
        "agosto",
        "septiembre|setiembre",
        "octubre",
        "noviembre",
        "diciembre",
    ),
    seasons={"primavera": "spring", "verano": "summer", "otoño": "autumn", "invierno": "winter"},
    holidays={
        "nochebuena": "christmas eve",
        "navidad(?:es)?": "christmas",
        "nochevieja": "new year's eve",
        "año nuevo": "new year",
        "(?:semana santa|pascua)": "easter",
    },
    fixed={
        "anteayer|antes de ayer": ("day", -2),
        "ayer|anoche": ("day", -1),
        "hoy|esta (?:noche|tarde|mañana)": ("day", 0),
        "pasado mañana": ("day", 2),
        "(?<!la )(?<!esta )(?<!de )mañana": ("day", 1),
    },
    ago=("hace {n} {unit}",),
    ahead=("(?:dentro de|en) {n} {unit}",),
    last_n=("(?:en )?(?:los|las) últim[oa]s {n} {unit}", "(?:en )?(?:los|las) {n} últim[oa]s {unit}"),
    last="pasad[oa]|últim[oa]",
    this="est[ea]",
    next="próxim[oa]|que viene",
    within="en|durante|por",
    on="el",
    between=("entre {a} y {b}", "de {a} a {b}", "desde {a} hasta {b}"),
    since=("desde {a}",),
    before=("antes de(?:l| la)? ?{a}",),
    after=("después de(?:l| la)? ?{a}",),
    until=("hasta {a}",),
    vague=("unos|unas|algunos|algunas|varios|varias",),
    day_of_month=("{d} de {month}",),
)

CHINESE = Language(
    name="zh",
    numbers={
        "十一": 11,
        "十二": 12,
        "一": 1,
        "二|两|兩": 2,
        "三": 3,
        "四": 4,
        "五": 5,
        "六": 6,
        "七": 7,
        "八": 8,
        "九": 9,
        "十": 10,
    },
    units={
        "天|日": "day",
        "[个個]?[周週]末": "weekend",
        "[个個]?(?:周|週|星期|礼拜|禮拜)": "week",
        "[个個]?月": "month",
        "年": "year",
    },
    weekdays=tuple(f"(?:周|週|星期|礼拜|禮拜){day}" for day in ("一", "二", "三", "四", "五", "六", "[日天]")),
    months=tuple(
        f"(?:{word}|{number})月份?"
        for word, number in zip(
            ("一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"), range(1, 13), strict=True
        )
    ),
    seasons={
        "春天|春季": "spring",
        "夏天|夏季": "summer",
        "秋天|秋季": "autumn",
        "冬天|冬季": "winter",
    },
    holidays={"圣诞节?|聖誕節?": "christmas", "元旦": "new year"},
    fixed={
        "大前天": ("day", -3),
        "前天": ("day", -2),
        "昨天|昨晚|昨日": ("day", -1),
        "今天|今晚|今早|今日": ("day", 0),
        "大后天|大後天": ("day", 3),
        "后天|後天": ("day", 2),
        "明天|明晚|明日": ("day", 1),
        "前年": ("year", -2),
        "去年": ("year", -1),
        "今年": ("year", 0),
        "明年": ("year", 1),
    },
    ago=("{n}(?!月){unit}(?:之|以)?前",),
    ahead=("{n}(?!月){unit}(?:之|以)?[后後]",),
    last_n=("(?:最近|过去|過去)的?{n}{unit}",),
    last="上一?[个個]?",
    this="这一?[个個]?|這一?[个個]?|本",
    next="下一?[个個]?",
    within="在|",
    on="在|",
    between=("{a}(?:到|至|和){b}(?:之间|之間|期间)?",),
    since=("(?:自从|自從|从|從|自){a}(?:以来|以來|开始|起)?", "{a}(?:以来|以來)"),
    before=("{a}(?:之前|以前|前)",),
    after=("{a}(?:之后|之後|以后|以後|后|後)",),
    vague=("几|幾|好几|数",),
    spaced=False,
    day_of_month=("{month}{d}[日号號]",),
)

LANGUAGES: tuple[Language, ...] = (ENGLISH, GERMAN, FRENCH, SPANISH, CHINESE)
