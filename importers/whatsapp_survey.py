"""The first look at a WhatsApp text: its header shapes, names, title, language and days.

The date order cannot be known before the dates are, so a file is looked at before it is read. This
look ends as soon as the dates prove their order, and it keeps only distinct things (shapes, names,
days), so neither its memory nor, mostly, its time grows with the file.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby

from importers.date_order import Decision, Hints, Order, Parts, decide, forced
from importers.text import strip_marks
from importers.whatsapp_body import LRM, is_notice, media_day, quotes_open, read_body
from importers.whatsapp_header import (
    Header,
    Layout,
    find_headers,
    learn_day_parts,
    parts_of,
    pattern_of,
    time_first,
)
from importers.whatsapp_words import fold, words

SAMPLE = 256_000
"""Characters that are looked at closely; the rest of a file only gives its dates."""
MAX_STEPS = 200_000
"""Changes of day that are kept; a chat of 20 years has under 8,000."""
MAX_NAMES = 20_000
MAX_MEDIA = 1_000
MAX_SHAPES = 300
_LONG_RUN = 20
_SCRIPTS = (
    ("ko", re.compile("[\uac00-\ud7a3]")),
    ("ja", re.compile("[\u3040-\u30ff]")),
    ("zh", re.compile("[\u4e00-\u9fff]")),
)
"""Languages that write the year first, known by their letters where the app's words say nothing."""
_QUOTED = re.compile('[“"„«「『]([^“”"„«»「」『』\n]{1,100})[”"“»」』]')
_CAPITALS = re.compile(r"\b[AP]M\b")
_LETTERS = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Style:
    """What tells the exports of different phones apart in one file."""

    bracket: bool
    twelve_hours: bool
    separator: str

    @property
    def phone(self) -> tuple[bool, bool]:
        """What a phone keeps when only its language changes."""
        return self.bracket, self.twelve_hours


@dataclass(slots=True)
class Grammar:
    """How a file writes its headers: the pattern that splits it, and the shapes it is made of."""

    shapes: set[tuple[str, str]] = field(default_factory=set)
    layouts: set[Layout] = field(default_factory=set)
    pattern: re.Pattern[str] | None = None
    day_parts: dict[str, int] = field(default_factory=dict)  # learned, where the tables lack them
    iphone: bool = False  # whether headers stand in brackets, as the iPhone writes them

    @property
    def time_first(self) -> bool:
        """Whether the clock time stands before the date."""
        return any(time_first(layout) for layout in self.layouts)

    def learn(self, text: str) -> bool:
        """Add the header shapes of `text`, which starts with a newline; True where one is new."""
        if not self.day_parts:
            self.day_parts = learn_day_parts(text)
        headers = list(find_headers(text, self.day_parts))
        layouts = accepted_layouts(text, headers)
        return self._add([h for h in headers if h.layout in layouts])

    def learn_in(self, body: str, *, goes_on: bool) -> bool:
        """Add the shapes of headers that stand inside a body; True where one is new.

        Those are another phone's export that begins there, or messages that somebody pasted: few of
        them with the chat going on after them, or opening the body.
        """
        headers = list(find_headers(body, self.day_parts))
        if goes_on and len(headers) < _LONG_RUN:
            return False
        pasted = _opening_shapes(body)
        return self._add([h for h in headers if h.shape not in pasted])

    def _add(self, headers: Sequence[Header]) -> bool:
        """Take in the shapes of these headers, the commonest first; True where one is new."""
        counts = Counter(h.shape for h in headers if h.shape not in self.shapes)
        new = {shape for shape, _ in counts.most_common(MAX_SHAPES - len(self.shapes))}
        if new:
            self.shapes |= new
            self.layouts |= {h.layout for h in headers if h.shape in new}
            self.iphone = any("bracket" in layout for layout in self.layouts)
            self.pattern = pattern_of(self.shapes)
        return bool(new)

    def split(self, text: str) -> list[str]:
        """What stands before the first header, then date, clock and body of each message in turn."""
        if self.pattern is None:
            return [text]
        return self.in_order(self.pattern.split(text), 1)

    def in_order(self, pieces: list[str], first: int = 0) -> list[str]:
        """Swap date and clock where the file has the clock first (twice gives back the written order).

        In place; `first` is where the first message begins.
        """
        if self.time_first:
            pieces[first::3], pieces[first + 1 :: 3] = pieces[first + 1 :: 3], pieces[first::3]
        return pieces


def accepted_layouts(text: str, headers: Sequence[Header]) -> set[Layout]:
    """The layouts that are the file's own; headers of any other are messages that somebody pasted.

    Joined exports change their layout at a seam, for good. A pasted message stands inside a body,
    after which the chat goes on as before, or it opens the body.
    """
    if not headers:
        return set()
    accepted = {Counter(h.layout for h in headers).most_common(1)[0][0]}
    runs = [list(run) for _, run in groupby(headers, key=lambda h: h.layout)]
    for n, run in enumerate(runs):
        inside = 0 < n < len(runs) - 1 and len(run) < _LONG_RUN
        before = text[runs[n - 1][-1].end : run[0].start] if n else ""
        if not inside and run[0].shape not in _opening_shapes(before):
            accepted.add(run[0].layout)
    return accepted


def _opening_shapes(body: str) -> set[tuple[str, str]]:
    """The shape of the header with which the text of a message opens: a pasted message."""
    first = body.split("\n", 1)[0].partition(": ")[2]
    return {h.shape for h in find_headers(f"\n{first}") if h.start == 0}


def style_of(written: str, clock: str, parts: Parts) -> Style:
    """The style of a date and a clock time as they stand in their header."""
    return Style("[" in written or "[" in clock, bool(_LETTERS.search(clock)), parts.separator)


@dataclass(slots=True)
class Survey:
    """What the first look found."""

    grammar: Grammar = field(default_factory=Grammar)
    dates: list[tuple[Style, Parts]] = field(default_factory=list)
    names: Counter[str] = field(default_factory=Counter)
    second_names: dict[str, str | None] = field(default_factory=dict)
    voices: Counter[str] = field(default_factory=Counter)  # names that only the app speaks under
    first_voice: str = ""
    subject: str | None = None
    media: list[tuple[Style, Parts, date]] = field(default_factory=list)
    languages: Counter[str] = field(default_factory=Counter)
    marked: bool = False  # whether the app's own words carry the iPhone's mark
    capitals: bool = False
    script: str | None = None
    _last: str = ""

    def look(self, text: str) -> None:
        """Take in the sample: everything there is to learn before the first message."""
        pieces = iter(self.grammar.split(text))
        next(pieces)
        self.marked = f": {LRM}" in text
        for written, clock, body in zip(pieces, pieces, pieces, strict=True):
            self.add_date(written, clock)
            self.capitals = self.capitals or bool(_CAPITALS.search(clock))
            self._look_at(written, clock, body)
        self.script = next((language for language, letters in _SCRIPTS if letters.search(text)), None)

    def add_date(self, written: str, clock: str) -> None:
        """Note a date unless it repeats the one before."""
        if written == self._last or len(self.dates) >= MAX_STEPS:
            return
        self._last = written
        if parts := parts_of(written):
            self.dates.append((style_of(written, clock, parts), parts))

    def _look_at(self, written: str, clock: str, body: str) -> None:
        first = body.split("\n", 1)[0]
        name, found, text = first.partition(": ")
        if not found and first.endswith(":"):
            name, found = first[:-1], ":"
        if not found or quotes_open(name):
            self._notice(first)
            return
        if len(self.names) < MAX_NAMES or name in self.names:
            self._name(name, text)
        if day := media_day(body):
            self._media(written, clock, day)
        self._language(text)

    def _name(self, name: str, text: str) -> None:
        self.names[name] += 1
        second, found, _ = text.partition(": ")
        known = self.second_names.setdefault(name, second if found else None)
        if known is not None and (not found or known != second):
            self.second_names[name] = None
        spoken = self.grammar.iphone and self._spoken_by_app(name, text)
        if spoken:
            self.voices[name] += 1
            self.first_voice = self.first_voice or name
            self._notice(text)

    def _spoken_by_app(self, name: str, text: str) -> bool:
        """Whether this is a notice: by its mark; where marks were lost, only after one about encryption."""
        if self.marked:
            return text.startswith(LRM) and read_body(text, False, True).kind == "system"
        if self.names[name] == 1:
            return bool(words().encrypted.search(text))
        return self.voices[name] > 0 and is_notice(text)

    def _notice(self, text: str) -> None:
        self._language(text)
        if is_notice(text) and (quoted := _QUOTED.findall(strip_marks(text))):
            self.subject = quoted[-1].strip()

    def _language(self, text: str) -> None:
        if len(text) < 200 and (language := words().languages.get(fold(strip_marks(text)))):
            self.languages[language] += 1

    def _media(self, written: str, clock: str, day: tuple[int, int, int]) -> None:
        parts = parts_of(written)
        if parts is None or len(self.media) >= MAX_MEDIA:
            return
        try:
            self.media.append((style_of(written, clock, parts), parts, date(*day)))
        except ValueError:
            return

    def hints(self, latest: date | None, styles: Collection[Style] = ()) -> Hints:
        """What the file tells about its date order besides the dates, of some styles or of all."""
        common = self.languages.most_common(1)
        return Hints(
            latest=latest,
            media=[(parts, day) for style, parts, day in self.media if not styles or style in styles],
            language=common[0][0] if common else self.script,
            upper_case_clock=self.capitals and (not styles or any(s.twelve_hours for s in styles)),
            twelve_hours=any(s.twelve_hours for s in (styles or (style for style, _ in self.dates))),
        )


def survey(pieces: Iterable[str], latest: date | None) -> Survey:
    """Look at a text, no further than its dates need to prove their order."""
    found = Survey()
    stream = iter(pieces)
    sample = "\n"
    for piece in stream:
        sample += piece
        if len(sample) >= SAMPLE:
            break
    found.grammar.learn(sample)
    found.look(sample)
    _follow(found, stream, latest)
    return found


def _follow(found: Survey, stream: Iterator[str], latest: date | None) -> None:
    """Take the dates of the rest, until one order is proved."""
    size = 0
    while not proved(found, latest):
        target = size + max(16 * SAMPLE, size)
        while size < target:
            piece = next(stream, "")
            if not piece:
                return
            size += len(piece)
            pieces = found.grammar.split("\n" + piece)
            for written, clock in zip(pieces[1::3], pieces[2::3], strict=True):
                found.add_date(written, clock)


def proved(found: Survey, latest: date | None) -> bool:
    """Whether the dates so far leave only one order."""
    decision = decide([parts for _, parts in found.dates], found.hints(latest))
    return bool(found.dates) and not decision.is_guess and not decision.other_orders


def decisions(found: Survey, latest: date | None, order: Order | None) -> dict[Style, Decision]:
    """The date order of each style: one for all, save where exports of different phones are joined."""
    dates = [parts for _, parts in found.dates]
    styles = list(dict.fromkeys(style for style, _ in found.dates))
    if order is not None:
        return dict.fromkeys(styles, forced(order, dates, found.hints(latest)))
    whole = decide(dates, found.hints(latest))
    if len({style.phone for style in styles}) == 1 and whole.fits:
        return dict.fromkeys(styles, whole)
    decided: dict[Style, Decision] = {}
    for _, group in groupby(sorted(styles, key=lambda s: s.phone), key=lambda s: s.phone):
        of_phone = list(group)
        one = _decide_for(found, latest, of_phone, whole)
        for style in of_phone:
            decided[style] = one if one.fits else _decide_for(found, latest, [style], whole)
    return {style: decided[style] for style in styles}


def _decide_for(found: Survey, latest: date | None, styles: list[Style], whole: Decision) -> Decision:
    hints = replace(found.hints(latest, styles), usual=whole.order)
    return decide([parts for style, parts in found.dates if style in styles], hints)
