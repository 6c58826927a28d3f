"""An answer as a PDF."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFont, QPageSize, QPdfWriter, QTextDocument


class TextAlone(QTextDocument):
    """Loads nothing that its text names: not from a disk, not from a share of another computer."""

    def loadResource(self, kind: int, url: QUrl | str) -> None:
        """Nothing."""


def write_pdf(path: Path, markdown: str) -> None:
    """Write Markdown as a PDF of A4 pages. Raises OSError where the file cannot be written."""
    with path.open("wb"):
        pass
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setTitle("Backscroll")
    document = TextAlone()
    document.setDefaultFont(QFont("", 10))
    features = QTextDocument.MarkdownFeature
    document.setMarkdown(markdown, features.MarkdownNoHTML | features.MarkdownDialectCommonMark)
    document.print_(writer)
