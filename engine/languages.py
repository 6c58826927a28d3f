"""Function words by language: they tell which language a chat is in, and are left out of the index.

English is the list that Lucene made standard; the others are each language's most frequent function
words. A word belongs here only where it carries no meaning of its own.
"""

from collections import Counter
from collections.abc import Iterable

STOP_WORDS: dict[str, frozenset[str]] = {
    language: frozenset(words.split())
    for language, words in {
        "english": "a an and are as at be but by for if in into is it no not of on or such that the their then "
        "there these they this to was will with",
        "german": "der die das und ist nicht ein eine einen einem einer zu mit auf für von dem den des im in es "
        "sich auch als an so dass wie bei oder aber nach aus wenn noch nur um am",
        "french": "le la les de des du un une et est à en que qui dans pour pas ne sur se au aux ce cette avec il "
        "elle ou mais par sont je tu nous vous",
        "spanish": "el la los las de del un una unos unas y es en que no se por con para al lo su como más pero o "
        "si ya me te le",
        "portuguese": "o a os as de do da dos das um uma e é em no na que não se por com para ao mais mas ou já "
        "me te lhe",
        "italian": "il lo la i gli le di del della un una e è in che non si per con al alla da dal come più ma o "
        "mi ti ci",
        "dutch": "de het een en van is in op te dat niet met voor zijn er aan om ook als maar bij of naar dan nog",
        "swedish": "och att det i en är som på av för med den till inte har de ett om var så men vi",
        "norwegian": "og det er i en på som av for med den til ikke har de et om var så men jeg vi",
        "danish": "og det er i en på som af for med den til ikke har de et om var så men jeg vi",
        "finnish": "ja on ei se että en hän mutta niin kun oli ovat myös jos tai",
        "russian": "и в не на я что с он как это по но они к у из за то так же вы мы от о бы",
        "turkish": "ve bir bu da de için ile çok ama ne gibi var mı mi o ki",
        "hungarian": "a az és hogy nem is egy van de ez meg csak már ha vagy",
        "romanian": "și în de la nu un o cu pe este că mai din ce sau se",
        "arabic": "في من على إلى عن أن لا ما هذا هذه التي الذي و أو كان",
    }.items()
}
_LANGUAGES_OF: dict[str, list[str]] = {}
for _language, _words in STOP_WORDS.items():
    for _word in _words:
        _LANGUAGES_OF.setdefault(_word, []).append(_language)


def guess_language(texts: Iterable[str], *, words: int = 4_000) -> str:
    """The Snowball language whose function words are the most frequent; English where nothing tells."""
    votes: Counter[str] = Counter()
    seen = 0
    for text in texts:
        for word in text.lower().split():
            seen += 1
            for language in _LANGUAGES_OF.get(word.strip(".,!?;:\"'()…"), ()):
                votes[language] += 1
        if seen >= words:
            break
    best = votes.most_common(1)
    return best[0][0] if best and best[0][1] >= 3 else "english"
