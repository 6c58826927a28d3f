"""DiscordChatExporter's CSV and plain text, whose dates follow the locale of the computer that exported."""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from importers.attachment_kind import attachment_kind, file_name
from importers.base import Attachment, Item, Kind, Message, Options, Problem, excerpt
from importers.csv_rows import csv_rows
from importers.drafts import HEADING, Draft, Opened, gather
from importers.guard import converted
from importers.source import Source
from importers.text import decoded_lines
from importers.written_times import WrittenTimes, survey

CSV_HEADING = ("AuthorID,Author,Date,Content", '"AuthorID","Author","Date","Content')
_PART = re.compile(r"(.+?)(?: \[part (\d+)\])?(\.\w+)", re.IGNORECASE)
_BAR = re.compile(r"={50,}")
_OPENING = re.compile(r"\[([^\[\]]{6,40})\] (.+?)( \(pinned\))?")
_PLACE = re.compile(r"(Guild|Channel): (.+)")
_FILE_NAME = re.compile(r"(?P<guild>.+?) - (?:.+ - )?(?P<channel>.+?) \[(?P<id>\d{15,20})\](?: .*)?")
_SECTIONS = ("{Attachments}", "{Embed}", "{Stickers}", "{Reactions}", "{Forwarded Message}")
_REACTION = re.compile(r"([^\s,()]+)(?: \((\d+)\))?")
_NOTICE = re.compile(
    r"Pinned a message\.|Joined the server\.|Added .+ to the group\.|Removed .+ from the group\.|Left the group\."
    r"|Changed the channel (?:name: .+|icon)\.|Started a thread\."
)
_CALL = re.compile(r"Started a call that lasted [\d.,]+ minutes\.")
_NO_ONE = re.compile(r"#0{1,4}$")


def part_of(basename: str) -> tuple[str, int]:
    """The name that the parts of a channel have in common, and the number of this one."""
    found = _PART.fullmatch(basename)
    return (f"{found[1]}{found[3]}", int(found[2] or 1)) if found else (basename, 1)


def is_plain_text(head: str) -> bool:
    """Whether a text begins with the exporter's heading."""
    lines = head.lstrip().splitlines()[:4]
    return len(lines) > 2 and bool(_BAR.fullmatch(lines[0])) and lines[1].startswith("Guild: ")


def read_csv(parts: Iterable[Source], options: Options) -> Iterator[Item]:
    """Facts, then a message or a problem for each row."""
    files = tuple(parts)
    times = survey((c[2] for f in files for _, c in _rows(f) if isinstance(c, list)), options.date_order,
                   files[0].modified)  # fmt: skip
    yield times.facts()
    title, key = _named_by_file(files[0])

    def items(number: int, cells: list[str] | Problem) -> Iterator[Item]:
        if isinstance(cells, Problem):
            yield cells
            return
        author, date, content, links, marks = (*cells[1:], "", "")[:5]
        moment = times.read(date)
        if moment is None:
            yield Problem(number, _NO_TIME, excerpt(date), skipped=0)
        yield Message(
            chat=title,
            sender=_NO_ONE.sub("", author) or None,
            text=content,
            timestamp=moment,
            kind=_kind(content),
            attachments=tuple(_links(links.split(","))),
            line=number,
            chat_id=key,
            from_me=_from_me(author, options),
            reactions=tuple(_reactions(marks)),
        )

    for file in files:
        yield from converted(_rows(file), items)


_NO_TIME = "The time of this message could not be read; it is kept without."


def _rows(source: Source) -> Iterator[tuple[int, list[str] | Problem]]:
    for number, row in enumerate(csv_rows(source), 1):
        if isinstance(row, Problem):
            yield number, Problem(number, row.reason)
        elif row.cells and (number > 1 or row.cells[:1] != ["AuthorID"]):
            short = len(row.cells) < 4
            yield number, Problem(number, "This row is too short.", excerpt(row.cells[0])) if short else row.cells


def read_plain_text(parts: Iterable[Source], options: Options) -> Iterator[Item]:
    """Facts, then messages that account for every line."""
    files = tuple(parts)
    times = survey(_dates(files), options.date_order, files[0].modified)
    yield times.facts()
    for file in files:
        reader = _PlainText(file, times, options)
        yield from gather(decoded_lines(file), reader.opening, reader.finish)


def _dates(files: Iterable[Source]) -> Iterator[str]:
    for file in files:
        for _, line in decoded_lines(file):
            if found := _OPENING.fullmatch(line):
                yield found[1]


class _PlainText:
    """Reads one file; the heading names the server and the channel."""

    def __init__(self, file: Source, times: WrittenTimes, options: Options) -> None:
        self._times = times
        self._options = options
        self._title, self._key = _named_by_file(file)
        self._guild = ""
        self._in_bars = False

    def opening(self, line: str, draft: Draft | None) -> Opened:
        """A message begins after a blank line with a date in brackets; text between bars is no talk."""
        if _BAR.fullmatch(line):
            self._in_bars = not self._in_bars
            return HEADING
        if self._in_bars:
            self._place(line)
            return HEADING
        found = _OPENING.fullmatch(line)
        if found is None or (draft is not None and (not draft.body or draft.body[-1])):
            return None
        moment = self._times.read(found[1])
        return Draft(_NO_ONE.sub("", found[2]), moment, []) if moment else None

    def _place(self, line: str) -> None:
        found = _PLACE.fullmatch(line)
        if found and found[1] == "Guild":
            self._guild = found[2] if found[2] != "Direct Messages" else ""
        elif found:
            channel = found[2].rpartition(" / ")[2]
            self._title = f"{channel} in {self._guild}" if self._guild else channel

    def finish(self, draft: Draft) -> Message:
        """The message of a draft, its sections taken apart."""
        sections = _sections(draft.body)
        said = [_joined(s) for name, s in sections if name in ("", "{Forwarded Message}")]
        embeds = [_joined(s) for name, s in sections if name == "{Embed}"]
        text = "\n".join(filter(None, said)) or "\n".join(filter(None, embeds))
        links = [line for name, s in sections if name == "{Attachments}" for line in s]
        stickers = [line for name, s in sections if name == "{Stickers}" for line in s if line]
        shown = [e.splitlines()[0] for e in embeds if e] if any(said) else []
        return Message(
            chat=self._title,
            sender=draft.sender,
            text=text,
            timestamp=draft.timestamp,
            kind=_kind(text),
            attachments=(
                *_links(links),
                *(Attachment(file_name(s), "sticker") for s in stickers),
                *(Attachment(e, "link") for e in shown),
            ),
            line=draft.line,
            lines=draft.lines,
            chat_id=self._key,
            from_me=_from_me(draft.sender or "", self._options),
            reactions=tuple(r for name, s in sections if name == "{Reactions}" for r in _reactions(" ".join(s))),
        )


def _sections(body: list[str]) -> list[tuple[str, list[str]]]:
    """The message's own lines under "", then those under {Attachments} and so on."""
    found: list[tuple[str, list[str]]] = [("", [])]
    for before, line in zip(["", *body], body, strict=False):
        if line in _SECTIONS and not before:
            found.append((line, []))
        else:
            found[-1][1].append(line)
    return found


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()


def _kind(text: str) -> Kind:
    """The exporter writes notices in English, whatever the locale."""
    return "system" if _NOTICE.fullmatch(text) else "event" if _CALL.fullmatch(text) else "talk"


def _from_me(author: str, options: Options) -> bool | None:
    return _NO_ONE.sub("", author) == options.me if options.me else None


def _links(links: Iterable[str]) -> Iterator[Attachment]:
    for link in links:
        name = file_name(link.strip().partition("?")[0])
        if name:
            yield Attachment(name, attachment_kind(name))


def _reactions(text: str) -> Iterator[str]:
    for mark, count in _REACTION.findall(text):
        yield f"{mark} ×{count}" if count else mark


def _named_by_file(file: Source) -> tuple[str, str | None]:
    """“Lab - Text - general [1234].csv” tells the channel and its id."""
    name = part_of(PurePosixPath(file.name).name)[0]
    stem = PurePosixPath(name).stem
    found = _FILE_NAME.fullmatch(stem)
    if found is None:
        return stem, None
    in_guild = found["guild"] != "Direct Messages"
    return f"{found['channel']} in {found['guild']}" if in_guild else found["channel"], found["id"]
