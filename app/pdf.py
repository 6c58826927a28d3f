"""An answer as a PDF."""

from pathlib import Path

from PySide6.QtGui import QFont, QPageSize, QPdfWriter, QTextDocument


def write_pdf(path: Path, markdown: str) -> None:
    """Write Markdown as a PDF of A4 pages. Raises OSError where the file cannot be written."""
    with path.open("wb"):
        pass
    writer = QPdfWriter(str(path))
    writer.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    writer.setTitle("Backscroll")
    document = QTextDocument()
    document.setDefaultFont(QFont("", 10))
    features = QTextDocument.MarkdownFeature
    document.setMarkdown(markdown, features.MarkdownNoHTML | features.MarkdownDialectCommonMark)
    document.print_(writer)
