"""The second pass over a WhatsApp text: messages and problems, a block of text at a time.

A block is cut into date, clock and body by one pattern of the file's own headers. Most messages need
no more than a few look-ups; whatever is out of the ordinary (a new name, a new day, the app's own
words) takes the slow path.
"""

import re
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import field, fields, make_dataclass
from datetime import date, datetime, time
from typing import Any, TypeVar

from importers.base import Facts, Item, Kind, Message, Options, Problem, excerpt
from importers.date_order import Decision, Order, day_of
from importers.source import Source
from importers.text import strip_marks
from importers.whatsapp_body import LRM, is_call, is_notice, is_notice_of, quotes_open, read_body
from importers.whatsapp_header import clock_time, parts_of, read_clock
from importers.whatsapp_stream import DAMAGE, blocks
from importers.whatsapp_survey import Style, Survey, decisions, style_of, survey
from importers.whatsapp_words import words

MAX_BODY = 4_000_000
"""Characters of one message; what goes on after them is left out, so that memory stays bounded."""
MAX_MEMO = 200_000
UNREADABLE = "\ufffd"
SPARSE = 32_000
MINUTE = 60
LONG_BODY = 1_500
"""Characters of the last message so far, and of one with others after it, that may hide headers."""
_LONG_NAME = 100
_REPEATED = 3
_UNUSUAL_ENDS = ">)）\n\u200e"
_CLOSED = ")）"  # the app's words in brackets have both of them; “:)” is people's
_WITH_SECONDS = re.compile(r"(.*\d[:.：]\d\d[:.：])(\d\d)(\D*)", re.DOTALL)
_UNUSUAL_LINES = re.compile(r"[):>）]\n")
_Known = TypeVar("_Known")
_Draft = make_dataclass(
    "_Draft", [(f.name, f.type, field(default=f.default)) for f in fields(Message)], slots=True
)
"""A message while it is built. Freezing costs a call for each of the 15 fields, half of all the time
that reading takes; this class has the same slots and is turned into a Message when it is filled."""


def read_chat(source: Source, title: str | None, options: Options) -> Iterator[Item]:
    """Yield facts, messages and problems of one chat text."""
    latest = source.modified.date() if source.modified else None
    with closing(_until_damage(source)) as pieces:
        found = survey(pieces, latest)
    orders = decisions(found, latest, order_of(options))
    yield facts_of(orders)
    chat = Chat(title or title_within(found), found, orders, options)
    with closing(blocks(source)) as pieces:
        yield from chat.read(pieces)


def _until_damage(source: Source) -> Generator[str, None, None]:
    """The readable start of a broken file; the second pass says what is wrong with it."""
    try:
        yield from blocks(source)
    except DAMAGE:
        return


def order_of(options: Options) -> Order | None:
    """The date order that the person chose."""
    return None if options.date_order == "auto" else options.date_order


def facts_of(orders: dict[Style, Decision]) -> Facts:
    """What was decided about the dates."""
    decision = next(iter(orders.values()), None)
    if decision is None:
        return Facts(naive_times=True)
    reason = decision.reason
    if len({d.order for d in orders.values()}) > 1:
        reason = f"Exports of different phones are joined here. In the first: {reason}"
    guess = any(d.is_guess for d in orders.values())
    return Facts(decision.order, reason, guess, decision.other_orders, naive_times=True)


def title_within(found: Survey) -> str:
    """The chat's name by what it holds: the group's notice, the name that notices stand under, its people."""
    if found.subject or found.first_voice:
        return found.subject or name_of(found.first_voice)
    people = [name_of(full_name(found, name)) for name, _ in found.names.most_common(5)]
    return " & ".join(people[:4]) + (" …" if len(people) > 4 else "") or "WhatsApp"


def full_name(found: Survey, name: str) -> str:
    """The sender's whole name, where it holds a colon (“Prof: Adler”): then all texts seem to begin alike."""
    second = found.second_names.get(name)
    return f"{name}: {second}" if second is not None and found.names[name] >= _REPEATED else name


def name_of(raw: str) -> str:
    """A sender's name as people know it: no marks, no “~” before a name its owner chose."""
    name = strip_marks(raw).replace("\u2011", "-").replace("\u00a0", " ").replace("\u202f", " ").strip()
    return name.removeprefix("~").strip() or name


class Chat:
    """One chat being read: where we are in it, and what has been met so far."""

    def __init__(self, title: str, found: Survey, orders: dict[Style, Decision], options: Options) -> None:
        self.title = title
        self.line = 1
        self._grammar = found.grammar
        self._found = found
        self._orders = orders
        self._usual = next(iter(orders.values()), None)
        self._mixed = len({d.order for d in orders.values()}) > 1
        self._order = order_of(options)
        self._me = options.me
        self._voices = {
            n for n in found.voices if found.voices[n] == found.names[n] or name_of(n) == found.subject
        }
        self._unmarked = found.grammar.iphone and not found.marked
        self._days: dict[str, date] = {}
        self._clocks: dict[str, time] = {}
        self._people: dict[str, tuple[str, bool | None]] = {}
        self._lost = 0  # lines before the first message, or after the end of one that is too long
        self._lost_reason = "This stands before the first message."
        self._lost_excerpt = ""

    def read(self, pieces: Iterator[str]) -> Iterator[Item]:
        """Yield the items of the whole text; where the file breaks off, of what could be read of it."""
        rest = "\n"
        empty, unreadable, trouble = True, False, ""
        while True:
            try:
                piece = next(pieces, "")
            except DAMAGE as error:
                trouble = str(error).rstrip(".") or "it is damaged"
                break
            if not piece:
                break
            empty = False
            if not unreadable and UNREADABLE in piece:
                unreadable = True
                yield self._remark_on(rest + piece)
            before, messages, rest = self._cut(rest + piece)
            yield from self._lose(before, over=bool(messages))
            yield from self._items(messages)
        if not empty:
            before, *messages = self._split(rest.removesuffix("\n"), final=True)
            yield from self._lose(before, over=True)
            yield from self._items(messages)
        if trouble:
            yield Problem(self.line, f"The file cannot be read further: {trouble}.", skipped=0)
        elif empty:
            yield Problem(0, "The file is empty.", skipped=0)

    def _remark_on(self, text: str) -> Problem:
        """Say once where the first bytes are that this file's encoding cannot explain."""
        line = self.line + self._lost + text.count("\n", 0, text.index(UNREADABLE)) - 1
        reason = f"Some characters cannot be read and are shown as {UNREADABLE}."
        return Problem(line, reason, excerpt(text[text.index(UNREADABLE) :]), skipped=0)

    def _cut(self, text: str) -> tuple[str, list[str], str]:
        """What belongs to no message, all messages but the last, and the rest, which may go on."""
        pieces = self._split(text, final=False)
        if len(pieces) == 1:
            cut = max(text.rfind("\n"), len(text) - SPARSE)
            return text[:cut], [], text[cut:]
        rest = "\n" + "".join(self._grammar.in_order(pieces[-3:]))
        if len(rest) <= MAX_BODY:
            return pieces[0], pieces[1:-3], rest
        self._lost_reason = (
            f"The message before this is longer than {MAX_BODY:,} characters; its rest was left out."
        )
        return pieces[0], pieces[1:], ""

    def _split(self, text: str, *, final: bool) -> list[str]:
        """Cut into messages; very long ones may hide headers of a shape that was not seen before."""
        pieces = self._grammar.split(text)
        if not self._learns_more(text, pieces, final=final):
            return pieces
        pieces = self._grammar.split(text)
        self._decide_new_styles(pieces[1:])
        return pieces

    def _learns_more(self, text: str, pieces: list[str], *, final: bool) -> bool:
        if len(pieces) == 1:
            return len(text) > SPARSE and self._grammar.learn(text)
        *bodies, last = pieces[3::3]
        learned = False
        if final or len(last) > SPARSE:
            learned = self._grammar.learn_in(last, goes_on=False)
        long = [body for body in bodies if len(body) > LONG_BODY]
        for body in long:
            learned |= self._grammar.learn_in(body, goes_on=True)
        return learned

    def _lose(self, text: str, *, over: bool) -> Iterator[Problem]:
        """Note lines that belong to no message; one problem for all, when they are over."""
        self._lost += text.count("\n")
        self._lost_excerpt = self._lost_excerpt or excerpt(text)
        if over and self._lost:
            yield Problem(self.line, self._lost_reason, self._lost_excerpt, self._lost)
            self.line += self._lost
            self._lost, self._lost_excerpt = 0, ""

    def _decide_new_styles(self, messages: list[str]) -> None:
        """Joined exports: the second part's way of writing dates came after the survey had ended."""
        known = set(self._orders)
        for written, clock in zip(messages[::3], messages[1::3], strict=True):
            self._found.add_date(written, clock)
        for style, decision in decisions(self._found, None, self._order).items():
            if style not in known:
                self._orders[style] = decision
        self._mixed = len({d.order for d in self._orders.values()}) > 1
        self._days.clear()

    def _items(self, messages: list[str]) -> Iterator[Item]:
        """The items of dates, clocks and bodies in turn. This loop is what a big import waits for."""
        combine, literals = datetime.combine, words().literals
        days, clocks, people, title = self._days, self._clocks, self._people, self.title
        unmarked, line, longest = self._unmarked, self.line, words().longest
        pieces = iter(messages)
        for written, clock, body in zip(pieces, pieces, pieces, strict=True):
            lines = body.count("\n") + 1
            name, _, text = body.partition(": ")
            try:
                moment: datetime | None = combine(days[written], clocks[clock])
            except KeyError:
                moment = self._moment(written, clock)
            person, end = people.get(name), text[-1:]
            if (
                person is None
                or moment is None
                or (end in _UNUSUAL_ENDS and (end not in _CLOSED or "(" in text or "（" in text))
                or LRM in text
                or ("://" in text and ("maps" in text or "foursquare" in text))
                or (len(text) <= longest and text in literals)
                or (lines > 1 and _UNUSUAL_LINES.search(text))
                or (unmarked and text.startswith(name))
            ):
                yield self._unusual(moment, written, clock, body, line, lines)
            else:
                draft: Any = _Draft(
                    title, person[0], text, moment, "talk", (), line, lines, None, None, None, None, person[1]
                )
                draft.__class__ = Message
                yield draft
            line += lines
        self.line = line

    def _unusual(
        self, moment: datetime | None, written: str, clock: str, body: str, line: int, lines: int
    ) -> Item:
        """A message that needs a closer look, or the problem with it."""
        if moment is None:
            header = strip_marks(written + clock).strip(" []-–:;")
            reason = f"There is no such date or time: {' '.join(header.split())}."
            return Problem(line, reason, excerpt(body), lines)
        name, text = self._parted(body)
        if name is None or self._is_notice(name, text):
            spoken = strip_marks(text if name is not None and self._grammar.iphone else body).strip()
            kind: Kind = "event" if name is None and is_call(spoken) else "system"
            return Message(self.title, None, spoken, moment, kind, line=line, lines=lines)
        sender, from_me = self._person(name)
        read = read_body(text.rstrip("\n"), written.startswith(LRM), self._grammar.iphone)
        return Message(
            self.title,
            None if read.kind == "system" else sender,
            read.text,
            moment,
            read.kind,
            read.attachments,
            line,
            lines,
            from_me=None if read.kind == "system" else from_me,
            edited=read.edited,
        )

    def _moment(self, written: str, clock: str) -> datetime | None:
        """Date and time of a header, remembered by how they are written."""
        day, hour = self._days.get(written), self._clocks.get(clock)
        if day is None:
            parts = parts_of(written)
            decision = self._orders.get(style_of(written, clock, parts), self._usual) if parts else None
            day = day_of(parts, decision.order, decision.calendar) if parts and decision else None
            if day and not self._mixed:
                _remember(self._days, written, day)
        if hour is None:
            hour = self._hour(clock)
            if hour is not None:
                _remember(self._clocks, clock, hour)
        return datetime.combine(day, hour) if day and hour is not None else None

    def _hour(self, clock: str) -> time | None:
        """The time of a clock half. There are sixty times as many with seconds: their minutes are remembered."""
        found = _WITH_SECONDS.fullmatch(clock)
        if found is None or int(found[2]) >= MINUTE:
            return self._read_hour(clock)
        whole = f"{found[1]}00{found[3]}"
        minute = self._clocks.get(whole)
        if minute is None:
            minute = self._read_hour(whole)
            if minute is None:
                return None
            _remember(self._clocks, whole, minute)
        return minute.replace(second=int(found[2]))

    def _read_hour(self, clock: str) -> time | None:
        reading = read_clock(clock)
        return clock_time(reading, self._grammar.day_parts) if reading else None

    def _parted(self, body: str) -> tuple[str | None, str]:
        """Sender as written and text; None for a line of the app without a sender."""
        first, newline, rest = body.partition("\n")
        name, colon, text = first.partition(": ")
        if not colon:
            return (first[:-1], rest) if first.endswith(":") else (None, body)
        full = full_name(self._found, name)
        if full != name and first.startswith(f"{full}: "):
            name, text = full, first[len(full) + 2 :]
        return name, text + newline + rest

    def _is_notice(self, name: str, text: str) -> bool:
        """Whether “name: text” is a line of the app that holds a colon or was given a sender."""
        if self._unmarked and (is_notice_of(name, text) or (name in self._voices and is_notice(text))):
            return True
        if name in self._people:
            return False
        if len(name) > _LONG_NAME:
            return True
        seldom = self._found.names[name] <= 1
        if quotes_open(name):
            return seldom or self._opens_with_person(name) or is_notice(name)
        return seldom and is_notice(name) and (self._opens_with_person(name) or len(name) > _LONG_NAME // 3)

    def _opens_with_person(self, name: str) -> bool:
        """Whether the words begin with the name of somebody who writes here (“Ana changed …”)."""
        parts = name.split(" ")[:8]
        return any(" ".join(parts[:n]) in self._found.names for n in range(1, len(parts)))

    def _person(self, name: str) -> tuple[str, bool | None]:
        """The sender's name as shown, and whether it is the owner."""
        person = self._people.get(name)
        if person is None:
            sender = name_of(name)
            person = sender, (sender == self._me if self._me else None)
            if name not in self._voices and full_name(self._found, name) == name:
                _remember(self._people, name, person)
        return person


def _remember(memo: dict[str, _Known], key: str, value: _Known) -> None:
    """Keep a value, in bounded memory."""
    if len(memo) >= MAX_MEMO:
        memo.clear()
    memo[key] = value
