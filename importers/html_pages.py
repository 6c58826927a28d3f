"""Web pages of exports, cut at the elements that begin a message and parsed piece by piece, in constant memory.

The parser takes a page whole and minutes for elements nested thousands deep; so the page is cut by a pattern
first, and what is deeper than any export has it is not given to the parser at all.
"""

import io
import re
from collections.abc import Iterator
from itertools import accumulate, pairwise

from selectolax.lexbor import LexborHTMLParser, LexborNode

from importers.base import Problem, excerpt
from importers.source import Source
from importers.text import guess_encoding

CHUNK = 2**18
MAX_BLOCK = 4 * 2**20  # characters of one message; apps allow some ten thousand and the rest is mark-up
DEEPEST = 500  # elements inside each other; exports have about 20, and the parser takes minutes for 40,000
_OPEN_OR_CLOSE = re.compile(r"<(/?)(?!br\b|img\b|hr\b|input\b|link\b|meta\b|source\b)[a-z]", re.IGNORECASE)
_WRAP = re.compile(r"\s*\n\s*")


def blocks(page: Source, opening: re.Pattern[str]) -> Iterator[str]:
    """What stands before the first message, then each message with all up to the next.

    Where `opening` has a group named `inside` and it matches, the page is not cut there. Raises OSError or
    SourceError where the page cannot be read.
    """
    inside = "inside" in opening.groupindex
    with page.open() as raw, io.TextIOWrapper(raw, guess_encoding(page.head), "replace") as stream:
        waiting = "\n"
        while text := stream.read(CHUNK):
            waiting += text
            found = (m for m in opening.finditer(waiting) if not (inside and m["inside"]))
            cuts = [0, *(m.start() for m in found if m.start())]
            yield from (waiting[start:end] for start, end in pairwise(cuts))
            waiting = waiting[cuts[-1] :]
            if len(waiting) > MAX_BLOCK:
                waiting = waiting[: MAX_BLOCK - CHUNK] + waiting[-CHUNK:]
        yield waiting


def no_message() -> Problem:
    """What is said of pages without any message."""
    return Problem(0, "There is no message on this page.", skipped=0)


def no_content(number: int, block: str) -> Problem:
    """What is said of a message in which nothing of a message is."""
    return Problem(number, "This message has no content.", excerpt(block))


def cut_off(number: int, last: str) -> Iterator[Problem]:
    """What is said of a page whose last piece does not end as pages do; `number` is that of its last message."""
    if "</html>" not in last:
        yield Problem(number, "The page is not complete: its end is missing.", skipped=0)


def parsed(block: str) -> LexborHTMLParser | None:
    """The block as a tree; None where elements are nested as no export has them."""
    return None if _is_deep(block) else LexborHTMLParser(block)


def _is_deep(block: str) -> bool:
    if block.count("<") <= DEEPEST:
        return False
    depths = accumulate(-1 if found[1] else 1 for found in _OPEN_OR_CLOSE.finditer(block))
    return max(depths, default=0) > DEEPEST


def children(node: LexborNode) -> Iterator[LexborNode]:
    """The elements right below a node."""
    return iter(node.iter())


def child(node: LexborNode, name: str) -> LexborNode | None:
    """The first child with this class."""
    return next((c for c in children(node) if name in classes(c)), None)


def classes(node: LexborNode) -> set[str]:
    """The classes of an element."""
    return set((node.attributes.get("class") or "").split())


def words(node: LexborNode, *, verbatim: bool = False) -> str:
    """The text as a browser shows it: a line ends only where there is a `<br>`.

    With `verbatim` for what browsers show as it is written (`<pre>`): line ends and spaces count too.
    """
    parts: list[str] = []
    for piece in node.traverse(include_text=True):
        if piece.tag == "br":
            parts.append("\n")
        elif piece.tag == "-text":
            text = piece.text_content or ""
            parts.append(text if verbatim else _WRAP.sub(" ", text))
    if verbatim:
        return "".join(parts)
    return "\n".join(line.strip(" ") for line in "".join(parts).split("\n")).strip()


def attribute(node: LexborNode, name: str) -> str:
    """An attribute's value, "" where there is none."""
    return node.attributes.get(name) or ""
