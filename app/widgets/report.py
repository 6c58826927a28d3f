"""What an import did, file by file, with every skipped line and its reason."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app import words
from app.data_import import ImportedFile, ImportReport
from app.engine_words import engine_words
from app.i18n import translate
from app.messages import ErrorWords
from app.widgets.parts import Elided, Fold, announce, card, column, empty_layout, label, push, row
from app.widgets.preview_card import problem_lines


def counts_line(new: int, duplicate: int, system: int, skipped: int) -> str:
    """“1,180 new · 19 already there · 4 notices · 1 line skipped”."""
    parts = [translate("Report", "{n} new").format(n=words.number(new))]
    if duplicate:
        parts.append(translate("Report", "{n} already there").format(n=words.number(duplicate)))
    if system:
        one, many = translate("Report", "{n} notice of the app"), translate("Report", "{n} notices of the app")
        parts.append(words.counted(system, one, many))
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
        head = f"{each.path}\n{status_words(each.status)}{words.DOT}{counts_of(each)}"
        dates = f"{each.date_order}: {engine_words(each.date_order_reason)}" if each.date_order else ""
        rows = [f"{problem.line}\t{engine_words(problem.reason)}\t{problem.excerpt}" for problem in each.problems]
        blocks.append("\n".join(part for part in (head, dates, *rows) if part))
    return "\n\n".join(blocks) + "\n"


def counts_of(each: ImportedFile) -> str:
    """What an import did with one file, in figures."""
    if each.contacts:
        text = translate("Report", "{n} contacts; {named} people got their name")
        return text.format(n=words.number(each.contacts), named=words.number(each.named))
    return counts_line(each.new, each.duplicate, each.system, each.skipped)


class ReportPanel(QWidget):
    """The report with what to do next. `failed` carries the words where it could not be saved."""

    ask_wanted = Signal()
    more_wanted = Signal()
    failed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._report = ImportReport()
        self._shown = QVBoxLayout()
        ask = push(self.tr("&Ask a question"), self.ask_wanted.emit, main=True)
        save = push(self.tr("&Save the report…"), self._save)
        more = push(self.tr("Import &more"), self.more_wanted.emit)
        layout = column(self, around=0, between=2)
        layout.addLayout(self._shown)
        layout.addLayout(row(ask, save, more, None))
        layout.addStretch(1)

    def show_report(self, report: ImportReport) -> None:
        """Show what an import did."""
        self._report = report
        empty_layout(self._shown)
        self._shown.addWidget(ReportView(report))
        announce(self, self.tr("Import finished: {messages}").format(messages=words.messages(report.total("new"))))

    def _save(self) -> None:
        start = str(Path.home() / "import-report.txt")
        chosen, _ = QFileDialog.getSaveFileName(self, self.tr("Save the report"), start)
        if not chosen:
            return
        try:
            Path(chosen).write_text(report_text(self._report), "utf-8")
        except OSError as problem:
            said = self.tr("The report could not be saved.")
            self.failed.emit(ErrorWords(said, self.tr("Choose another folder."), str(problem)))


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
        text = words.DOT.join((status_words(each.status), counts_of(each)))
        inner.addWidget(label(text, "subtle" if good else "warning", wrap=True))
        if each.problems:
            fold = Fold(self.tr("Skipped lines and remarks"), open_=not good)
            fold.inside.addWidget(label(problem_lines(each.problems), "subtle", wrap=True))
            inner.addWidget(fold)
        return frame
