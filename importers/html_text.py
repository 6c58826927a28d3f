"""The words of an HTML fragment: tags go, line breaks and list items stay, entities become letters.

The parser of the standard library takes what is no markup ("a < b") as text, which chat exports need.
"""

from html.parser import HTMLParser

_BREAKS = frozenset("p div br ul ol tr table h1 h2 h3 h4 h5 h6 pre blockquote hr section article".split())
_SILENT = frozenset(("script", "style", "head", "title"))


class _Words(HTMLParser):
    """Collects text. `silent` names further elements whose text is left out."""

    def __init__(self, silent: frozenset[str]) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._silent = _SILENT | silent
        self._skipping: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin an element."""
        if tag in self._silent:
            self._skipping.append(tag)
        elif tag == "br":
            self.parts.append("\n")
        elif tag == "li":
            self._break()
            self.parts.append("- ")
        elif tag in {"td", "th"}:
            self.parts.append(" ")
        elif tag in _BREAKS:
            self._break()

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """An element without content never silences what follows it."""
        if tag not in self._silent:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        """End an element."""
        if self._skipping and tag == self._skipping[-1]:
            self._skipping.pop()
        elif tag in _BREAKS and tag != "br":
            self._break()

    def handle_data(self, data: str) -> None:
        """Text between tags."""
        if not self._skipping:
            self.parts.append(data)

    def _break(self) -> None:
        if self.parts and not self.parts[-1].endswith("\n"):
            self.parts.append("\n")


def html_text(fragment: str, silent: frozenset[str] = frozenset()) -> str:
    """The text of a fragment; elements named in `silent` are left out with what they hold."""
    if "<" not in fragment and "&" not in fragment:
        return fragment.strip()
    words = _Words(silent)
    words.feed(fragment)
    words.close()
    lines = "".join(words.parts).replace("\u00a0", " ").split("\n")
    return "\n".join(line.rstrip() for line in lines).strip()
