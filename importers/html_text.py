"""The words of an HTML fragment: tags go, line breaks and list items stay, entities become letters.

A scan for tags and no parser, for three reasons: chat exports hold what is no markup ("a < b") and must stay;
no tree is wanted; and both parsers at hand take minutes for some hundred KB of hostile input (`<a <a <a …`,
`<div><div>…`), where this takes time in proportion to the length.
"""

import re
from collections.abc import Iterator
from html import unescape

_BREAKS = frozenset("p div br ul ol tr table h1 h2 h3 h4 h5 h6 pre blockquote hr section article".split())
_SILENT = frozenset(("script", "style", "head", "title"))
_MARKUP = re.compile(
    r"<(?:(?P<comment>!--)|[!?][^<>]*>"
    r"|(?P<end>/?)(?P<tag>[a-zA-Z][\w:.-]*)(?P<rest>(?>[^<>\"']+|\"[^\"]*\"|'[^']*')*)>)"
)
_LINE_BREAK = "\x00br"  # a break that always counts, unlike those around blocks


def html_text(fragment: str, silent: frozenset[str] = frozenset()) -> str:
    """The text of a fragment; elements named in `silent` are left out with what they hold."""
    if "<" not in fragment and "&" not in fragment:
        return fragment.strip()
    parts: list[str] = []
    for part in _parts(fragment, _SILENT | silent):
        if part != "\n" or (parts and not parts[-1].endswith("\n")):
            parts.append("\n" if part == _LINE_BREAK else part)
    lines = "".join(parts).replace("\u00a0", " ").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()


def _parts(fragment: str, silent: frozenset[str]) -> Iterator[str]:
    """Pieces of text, "\\n" where a block begins or ends, and line breaks."""
    at = 0
    unclosed: set[str] = set()
    while (found := _MARKUP.search(fragment, at)) is not None:
        if found.start() > at:
            yield unescape(fragment[at : found.start()])
        at = found.end()
        tag = (found["tag"] or "").lower()
        if found["comment"]:
            at = _after(fragment, "-->", at)
        elif tag in silent - unclosed and not found["end"] and not found["rest"].rstrip().endswith("/"):
            closing = re.compile(rf"</{re.escape(tag)}\s*>", re.IGNORECASE).search(fragment, at)
            at = closing.end() if closing else at
            unclosed |= set() if closing else {tag}
        else:
            yield from _for_tag(tag, end=bool(found["end"]))
    if at < len(fragment):
        yield unescape(fragment[at:])


def _for_tag(tag: str, *, end: bool) -> Iterator[str]:
    """What a tag leaves in the text."""
    if tag == "br":
        yield _LINE_BREAK
    elif tag == "li" and not end:
        yield "\n"
        yield "- "
    elif tag in {"td", "th"} and not end:
        yield " "
    elif tag in _BREAKS:
        yield "\n"


def _after(text: str, closing: str, at: int) -> int:
    """The place after `closing`; the end of the text where it never comes."""
    place = text.find(closing, at)
    return len(text) if place < 0 else place + len(closing)
