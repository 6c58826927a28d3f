"""Rich text from plain text, by pure functions: everything from the archive and the model is escaped here.

Nothing in this module knows Qt. Colours come in as `#rrggbb`, words come in translated.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape as _escape

CITE = "cite:"
_MARK = re.compile(r"\[(\d{1,3}(?:\s*,\s*\d{1,3})*)\]")
_WORD = re.compile(r"[\w'’]+")
_DENSE = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]+")
SNIPPET = 180
BEGINNING = "*"  # behind a word that was not ended by a space
SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class Ink:
    """The colours that rich text needs."""

    accent: str
    warning: str
    subtle: str
    mark: str  # behind a match
    mark_text: str


def escape(text: str) -> str:
    """Plain text as rich text: nothing in it is markup, line breaks stay."""
    return _escape(text, quote=True).replace("\r\n", "\n").replace("\n", "<br>")


def answer_html(
    text: str, verified: Mapping[int, bool], unsupported: Collection[str], ink: Ink, unsure: str
) -> str:
    """An answer with its numbered marks as links.

    A mark whose citation failed the check carries a question mark and the warning colour; a sentence that
    nothing supports is underlined and followed by `unsure`. A number without a citation stays plain text.
    """
    pieces = [text]
    for sentence in unsupported:
        pieces = [part for piece in pieces for part in _cut_out(piece, sentence)]
    doubtful = set(unsupported)
    html = []
    for piece in pieces:
        marked = _linked(piece, verified, ink)
        if piece in doubtful:
            note = f'<span style="color:{ink.warning}"> ({escape(unsure)})</span>'
            marked = f'<span style="text-decoration:underline">{marked}</span>{note}'
        html.append(marked)
    return "".join(html)


def _cut_out(text: str, sentence: str) -> list[str]:
    """The text cut so that the sentence is a piece of its own, where it occurs."""
    if not sentence or text == sentence:
        return [text]
    before, found, after = text.partition(sentence)
    return [part for part in (before, found, after) if part] if found else [text]


def _linked(text: str, verified: Mapping[int, bool], ink: Ink) -> str:
    html, at = [], 0
    for match in _MARK.finditer(text):
        numbers = [int(n) for n in match[1].split(",")]
        if not all(n in verified for n in numbers):
            continue
        html.append(escape(text[at : match.start()]))
        html.extend(mark_html(n, verified[n], ink) for n in numbers)
        at = match.end()
    return "".join(html) + escape(text[at:])


def mark_html(n: int, verified: bool, ink: Ink) -> str:
    """One numbered mark."""
    colour = ink.accent if verified else ink.warning
    label = f"[{n}]" if verified else f"[{n}?]"
    return f'<a href="{CITE}{n}" style="color:{colour};text-decoration:none">{label}</a>'


def cited(link: str) -> int | None:
    """The number of a mark's link."""
    rest = link.removeprefix(CITE)
    return int(rest) if rest != link and rest.isdigit() else None


def card_html(heading: str, below: str, text: str, ink: Ink) -> str:
    """A hover card: who, when and where, and the words themselves."""
    return (
        f"<b>{escape(heading)}</b><br><span style='color:{ink.subtle}'>{escape(below)}</span>"
        f"<p style='margin-top:8px;margin-bottom:0'>{escape(shortened(text, 400))}</p>"
    )


def shortened(text: str, limit: int = SNIPPET) -> str:
    """The start of a text, cut at a word where one ends near the limit."""
    flat = " ".join(text.split())
    if len(flat) <= limit:
        return flat
    cut = flat[: limit - 1]
    space = cut.rfind(" ", limit - 25)
    return (cut[:space] if space > 0 else cut) + "…"


def ending(text: str, limit: int) -> str:
    """The end of a text, cut at a word where one begins near the limit."""
    if len(text) <= limit:
        return text
    cut = text[-limit:]
    space = cut.find(" ", 0, 25)
    return "…" + cut[space + 1 :]


def query_words(query: str) -> tuple[str, ...]:
    """What of a query is to be highlighted: words, the last one as a beginning, and runs of dense scripts."""
    folded = query.casefold()
    dense = _DENSE.findall(folded)
    plain = _WORD.findall(_DENSE.sub(" ", folded))
    if plain and folded.endswith(plain[-1]):
        plain[-1] += BEGINNING  # it may still become a longer word
    return tuple(dict.fromkeys([*dense, *plain]))


def spans(text: str, words: Sequence[str]) -> list[tuple[int, int]]:
    """Where the words occur: from their start where the rest is only an ending, anywhere in dense scripts."""
    folded = text.casefold()
    if len(folded) != len(text):  # a letter that grows when folded: positions would not agree
        folded = text.lower() if len(text.lower()) == len(text) else text
    plain = [word for word in words if not _DENSE.match(word)]
    found = [match.span() for match in _WORD.finditer(folded) if any(_same_word(match[0], word) for word in plain)]
    for word in words:
        if _DENSE.match(word):
            found += [match.span() for piece in _bigrams(word) for match in re.finditer(piece, folded)]
    return _joined(sorted(found))


def _same_word(word: str, wanted: str) -> bool:
    """Whether both are likely the same word in two forms; the index decides with a real stemmer."""
    if wanted.endswith(BEGINNING):
        wanted = wanted.removesuffix(BEGINNING)
        if len(wanted) > 1 and word.startswith(wanted):
            return True
    if word == wanted:
        return True
    stem = wanted[: max(SHORTEST_STEM, len(wanted) - 3)]
    return len(stem) >= SHORTEST_STEM and word.startswith(stem) and abs(len(word) - len(wanted)) <= 3


def _bigrams(word: str) -> list[str]:
    if len(word) <= 2:
        return [re.escape(word)]
    return [re.escape(word[at : at + 2]) for at in range(len(word) - 1)]


def _joined(found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def around_match(text: str, words: Sequence[str], limit: int = SNIPPET) -> str:
    """The stretch of a text around its first match, on one line."""
    flat = " ".join(text.split())
    found = spans(flat, words)
    if len(flat) <= limit or not found or found[0][1] < limit - 20:
        return shortened(flat, limit)
    start = max(0, found[0][0] - limit // 3)
    space = flat.find(" ", start)
    start = space + 1 if 0 <= space < found[0][0] else start
    return "…" + shortened(flat[start:], limit - 1)


def highlighted(text: str, words: Sequence[str], ink: Ink) -> str:
    """Text with the matches marked."""
    html, at = [], 0
    for start, end in spans(text, words):
        style = f"background-color:{ink.mark};color:{ink.mark_text};font-weight:600"
        html.append(escape(text[at:start]) + f'<span style="{style}">{escape(text[start:end])}</span>')
        at = end
    return "".join(html) + escape(text[at:])


_LINK = re.compile(r"https?://[^\s<>\"“”]+[^\s<>\"“”.,;:!?)\]]", re.IGNORECASE)


def links(text: str) -> tuple[str, ...]:
    """The web addresses in a text, for the menu that asks before it opens one."""
    return tuple(dict.fromkeys(_LINK.findall(text)))
