"""What an import did, file by file, with every skipped line and its reason."""

from PySide6.QtWidgets import QWidget

from app import words
from app.data_import import ImportedFile, ImportReport
from app.i18n import translate
from app.widgets.parts import Elided, Fold, card, column, label
from app.widgets.preview_card import problem_lines


def counts_line(new: int, duplicate: int, system: int, skipped: int) -> str:
    """“1,180 new · 19 already there · 4 notices · 1 line skipped”."""
    parts = [translate("Report", "{n} new").format(n=words.number(new))]
    if duplicate:
        parts.append(translate("Report", "{n} already there").format(n=words.number(duplicate)))
    if system:
        parts.append(translate("Report", "{n} notices of the app").format(n=words.number(system)))
    parts.append(translate("Report", "{lines} skipped").format(lines=words.lines(skipped)))
    return words.DOT.join(parts)


def status_words(status: str) -> str:
    """The end of a file's import."""
    known = {
        "imported": translate("Report", "Imported"),
        "partly": translate("Report", "Imported in part"),
        "failed": translate("Report", "Not imported"),
        "unrecognised": translate("Report", "Not recognised"),
    }
    return known.get(status, status)


def report_text(report: ImportReport) -> str:
    """The report as plain text, to keep."""
    blocks = []
    for each in report.files:
        head = f"{each.path}\n{status_words(each.status)}{words.DOT}{_counts(each)}"
        dates = f"{each.date_order}: {each.date_order_reason}" if each.date_order else ""
        rows = [f"{problem.line}\t{problem.reason}\t{problem.excerpt}" for problem in each.problems]
        blocks.append("\n".join(part for part in (head, dates, *rows) if part))
    return "\n\n".join(blocks) + "\n"


def _counts(each: ImportedFile) -> str:
    return counts_line(each.new, each.duplicate, each.system, each.skipped)


class ReportView(QWidget):
    """Shows an `ImportReport`."""

    def __init__(self, report: ImportReport) -> None:
        super().__init__()
        layout = column(self, around=0, between=1)
        totals = counts_line(*(report.total(each) for each in ("new", "duplicate", "system", "skipped")))
        layout.addWidget(label(totals, "heading", wrap=True))
        for each in report.files:
            layout.addWidget(self._file(each))

    def _file(self, each: ImportedFile) -> QWidget:
        frame, inner = card()
        inner.addWidget(Elided(each.path, "heading"))
        good = each.status in ("imported", "partly")
        text = words.DOT.join((status_words(each.status), _counts(each)))
        inner.addWidget(label(text, "subtle" if good else "warning", wrap=True))
        if each.problems:
            fold = Fold(self.tr("Skipped lines and remarks"), open_=not good)
            fold.inside.addWidget(label(problem_lines(each.problems), "subtle", wrap=True))
            inner.addWidget(fold)
        return frame
