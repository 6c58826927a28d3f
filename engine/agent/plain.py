"""Chat text made fit for a prompt: harmless, and cut to the words around what was looked for.

Text of the archive is data. Here it loses what could pass for the program's own words: line breaks,
square brackets (evidence numbers), and the markers with which actions and observations begin. Only the
rendering changes; the stored turn never does.
"""

import re
from collections.abc import Iterable, Sequence

_MARKERS = re.compile(
    r"\b(thought|action|action input|observation|results|helpful|messages|new words|words|question|answer"
    r"|system|user|assistant)\s*[::]",
    re.IGNORECASE,
)
_BRACKETS = str.maketrans({"[": "(", "]": ")", "【": "(", "】": ")", "［": "(", "］": ")"})
_UNSEEN = re.compile("[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def harmless(text: str) -> str:
    """Chat text on one line, without square brackets, invisible characters or the loop's own markers."""
    flat = " ".join(_UNSEEN.sub(" ", text).translate(_BRACKETS).split())
    return _MARKERS.sub(lambda match: f"{match[1]} -", flat)


def around(text: str, words: Iterable[str], limit: int) -> str:
    """At most `limit` words of a text, the stretch that holds the most of the given words."""
    parts = text.split()
    if len(parts) <= limit:
        return text if len(text) <= limit * 12 else _around_characters(text, words, limit * 6)
    stems = {word.lower()[:5] for word in words if len(word) > 2}
    marks = [any(part.lower().strip("\"'([{“‘").startswith(stem) for stem in stems) for part in parts]
    start = _best_window(marks, limit)
    cut = " ".join(parts[start : start + limit])
    return ("… " if start else "") + cut + (" …" if start + limit < len(parts) else "")


def _best_window(marks: Sequence[bool], limit: int) -> int:
    """Where the window with the most marks begins, the marks as near its middle as can be."""
    best, best_count, count = 0, -1, sum(marks[:limit])
    for start in range(len(marks) - limit + 1):
        if start:
            count += marks[start + limit - 1] - marks[start - 1]
        if count > best_count:
            best, best_count = start, count
    if best_count <= 0:
        return 0
    inside = [place for place in range(best, best + limit) if marks[place]]
    middle = (inside[0] + inside[-1]) // 2
    return max(0, min(middle - limit // 2, len(marks) - limit))


def _around_characters(text: str, words: Iterable[str], limit: int) -> str:
    """The same for scripts that write no spaces, and for very long words."""
    if len(text) <= limit:
        return text
    found = [place for word in words if (place := text.lower().find(word.lower())) >= 0]
    start = max(0, min(min(found, default=0) - limit // 3, len(text) - limit))
    return ("…" if start else "") + text[start : start + limit] + ("…" if start + limit < len(text) else "")
