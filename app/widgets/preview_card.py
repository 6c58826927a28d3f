"""One file before it is imported: what it is, its first messages, and how its dates are read."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QRadioButton, QVBoxLayout, QWidget

from app import words
from app.data import Message
from app.data_import import FilePreview, Problem
from app.engine_words import engine_words
from app.html import shortened
from app.i18n import QT_TRANSLATE_NOOP, translate
from app.widgets.columns import Columns
from app.widgets.parts import Elided, Fold, card, column, label, row

ORDERS = {
    "dmy": QT_TRANSLATE_NOOP("Import", "day first: 04/03 is 4 March"),
    "mdy": QT_TRANSLATE_NOOP("Import", "month first: 04/03 is 3 April"),
    "ymd": QT_TRANSLATE_NOOP("Import", "year first: 2024/03/04 is 4 March"),
}
SHOWN_PROBLEMS = 200


def message_line(message: Message) -> str:
    """“4 Mar 2024, 16:30 · Mum: he comes on Thursday”."""
    text = shortened(message.text, 120) or ", ".join(each.name or each.kind for each in message.attachments)
    said = f"{message.sender}: {text}" if message.sender else text
    return words.DOT.join((words.date_and_time(message.timestamp), said))


def problem_lines(problems: tuple[Problem, ...]) -> str:
    """The problems beneath each other, the first some hundred of them."""
    shown = [
        translate("Import", "Line {n}: {reason}").format(
            n=words.number(each.line), reason=engine_words(each.reason)
        )
        + (f"  “{each.excerpt}”" if each.excerpt else "")
        for each in problems[:SHOWN_PROBLEMS]
    ]
    more = len(problems) - len(shown)
    if more > 0:
        shown.append(translate("Import", "and {n} more").format(n=words.number(more)))
    return "\n".join(shown)


def dates_line(order: str, reason: str) -> str:
    """How the dates of a file were read, and why."""
    return translate("Import", "Dates: {order}.").format(order=_order(order)) + f" {engine_words(reason)}"


class PreviewCard(QWidget):
    """Shows a preview; `orders` are other ways to read its dates. `order_chosen` carries path and order,
    `columns_chosen` path and the columns of a table."""

    order_chosen = Signal(str, str)
    columns_chosen = Signal(str, object)

    def __init__(self, preview: FilePreview, orders: tuple[str, ...] = ()) -> None:
        super().__init__()
        self.preview = preview
        self.orders = tuple(sorted({preview.date_order, *preview.other_orders, *orders} - {""}))
        frame, inner = card()
        column(self, around=0).addWidget(frame)
        inner.addWidget(Elided(preview.name or preview.path, "heading"))
        if preview.recognised:
            self._show_recognised(inner)
        else:
            text = engine_words(preview.reason) or self.tr("It is not an export that Backscroll knows.")
            inner.addWidget(label(self.tr("Not recognised.") + " " + text, "warning", wrap=True))
        if preview.headers:
            columns = Columns(preview)
            columns.chosen.connect(lambda chosen: self.columns_chosen.emit(preview.path, chosen))
            inner.addWidget(columns)

    def _show_recognised(self, inner: QVBoxLayout) -> None:
        found = self.preview
        count = (
            self.tr("{n} contacts: numbers get the names of people").format(n=words.number(found.contacts))
            if found.contacts
            else words.messages(found.messages)
        )
        what = [engine_words(found.title), count, words.date_range(found.first, found.last)]
        inner.addWidget(label(words.DOT.join(part for part in what if part), "subtle", wrap=True))
        if found.chats:
            inner.addWidget(Elided(self.tr("Chats: {names}").format(names=", ".join(found.chats)), "subtle"))
        if found.date_order:
            inner.addWidget(self._dates())
        lines = "\n".join(message_line(each) for each in found.sample[:5])
        if lines:
            inner.addWidget(label(lines, wrap=True))
        if found.problems:
            fold = Fold(self.tr("Remarks: {lines}").format(lines=words.lines(len(found.problems))))
            fold.inside.addWidget(label(problem_lines(found.problems), "subtle", wrap=True))
            inner.addWidget(fold)

    def _dates(self) -> QFrame:
        """How dates are read, why, and a switch where they can be read in other ways."""
        found = self.preview
        made = QFrame()
        layout = column(made, around=0, between=0)
        if len(self.orders) < 2:
            layout.addWidget(label(dates_line(found.date_order, found.date_order_reason), "subtle", wrap=True))
            return made
        look = "warning" if found.date_order_is_guess else "subtle"
        guess = self.tr("Please check the dates.") if found.date_order_is_guess else ""
        layout.addWidget(label(f"{guess} {engine_words(found.date_order_reason)}".strip(), look, wrap=True))
        group = QButtonGroup(made)
        for order in self.orders:
            choice = QRadioButton(self.tr("Dates: {order}").format(order=_order(order)))
            choice.setChecked(order == found.date_order)
            choice.clicked.connect(lambda _=False, to=order: self.order_chosen.emit(found.path, to))
            group.addButton(choice)
            layout.addLayout(row(choice, None))
        return made


def _order(order: str) -> str:
    return translate("Import", ORDERS[order]) if order in ORDERS else order
