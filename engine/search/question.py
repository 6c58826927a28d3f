"""What a question asks: its words by weight, the people it names, the days it means, what kind of answer it wants.

Pure: it needs the vocabulary and the names, never the archive. Words that only make a question (“what”,
“did”) and names of people who write in the archive are taken out of the words to search for: a name says
whose turns to look at, and as a word it would only find the turns where somebody else greets that person.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from engine.search.cues import cue_words, language_of
from engine.text import Vocabulary, words_of

Days = tuple[date | None, date | None]
"""Inclusive; None is open."""
ALWAYS: Days = (None, None)
EXTRA_WEIGHT = 0.3  # of words that a model or a person adds, against 1 of the question's own
SHORTEST_NAME = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the ranking sees it. Term and sender numbers are the index's own."""

    terms: tuple[int, ...]  # known words to search for, each once
    weights: tuple[float, ...]  # one a term
    unknown: int = 0  # words to search for that no turn has
    names: tuple[int, ...] = ()  # terms that are names of people
    people: tuple[int, ...] = ()  # senders whom the question speaks of
    asks_when: bool = False
    asks_number: bool = False
    typed: bool = False  # words to look for, without a question around them
    days: Days = ALWAYS
    words: tuple[str, ...] = ()  # the words to search for as they were written, in order


class Names:
    """Senders by the words of their names; built once for a state of the archive."""

    def __init__(
        self,
        senders: Mapping[int, str],
        owners: Iterable[str] = (),
        assistants: Iterable[str] = ("assistant",),
        people: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """`people` are the other names of a sender's person; each of their words finds the person."""
        self.by_word: dict[str, set[int]] = {}
        own, machine = {o.lower() for o in owners}, set(assistants)
        self.owners = frozenset(i for i, name in senders.items() if name.lower() in own)
        self.assistants = frozenset(i for i, name in senders.items() if name.lower() in machine)
        for number, name in senders.items():
            for word in words_of(" ".join((name, *(people or {}).get(name, ())))):
                if len(word) >= SHORTEST_NAME and not word.isdigit():
                    self.by_word.setdefault(word, set()).add(number)

    def of(self, words: Sequence[str]) -> tuple[set[str], set[int]]:
        """Which of these words are names, and the senders who bear all of the named words, or else any."""
        found = {w: self.by_word[w] for w in words if w in self.by_word}
        if not found:
            return set(), set()
        people: set[int] = set()
        for word, bearers in found.items():
            full = [bearers & other for w, other in found.items() if w != word]
            narrowed = [both for both in full if both]
            people |= set.intersection(*narrowed) if narrowed else bearers
        return set(found), people


def read_question(
    text: str,
    vocabulary: Vocabulary,
    names: Names,
    *,
    languages: Sequence[str] = ("english",),
    extra: Sequence[str] = (),
    days: Days = ALWAYS,
) -> Question:
    """Read a question.

    Args:
        text: the question as it was written.
        vocabulary: the index's.
        names: the people of the archive.
        languages: whose stemmers the archive uses.
        extra: words to add at a low weight.
        days: the days that the question means, where somebody has worked them out.
    """
    words = words_of(text)
    language = (language_of(words, languages),)
    empty = cue_words("question", language)
    named, people = names.of([w for w in words if w not in empty])
    known = [w for w in words if w not in named]
    wanted = [w for w in known if w not in empty] or known
    weights: dict[int, float] = {}
    unknown = 0
    for word in dict.fromkeys(wanted):
        terms = vocabulary.query_terms(word, languages)
        unknown += not terms and (len(word) > 1 or not word.isascii())
        weights.update(dict.fromkeys(terms, 1.0))
    for term in vocabulary.query_terms(" ".join(extra), languages):
        weights.setdefault(term, EXTRA_WEIGHT)
    asked = set(words)
    oneself = asked & cue_words("self", language)
    if not named and oneself:
        people = people | names.owners
    if not named and not oneself and asked & cue_words("other", language):
        people = people | names.assistants
    return Question(
        terms=tuple(weights),
        weights=tuple(weights.values()),
        unknown=unknown,
        names=tuple(vocabulary.query_terms(" ".join(sorted(named)), languages)),
        people=tuple(sorted(people)),
        asks_when=bool(asked & cue_words("when", language)),
        typed="?" not in text and not asked & empty,
        asks_number=bool(asked & cue_words("number", language)),
        days=days,
        words=tuple(wanted),
    )
