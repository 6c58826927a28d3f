"""What runs models on this computer now: processor, what is made use of in it, threads, model, measured speed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout

from app import words
from app.data_models import Machine, ModelCheck
from app.i18n import translate
from app.widgets.model_card import speed_line
from app.widgets.parts import column, label

ONE_FOR_ALL = ("libggml-cpu.so", "ggml-cpu.dll", "libggml-cpu.dylib")  # the library where there is only one


def variant(module: str) -> str:
    """The name of llama.cpp's build for this processor, out of its library's file name; "" where there is one."""
    if module.startswith(ONE_FOR_ALL):
        return ""
    return module.split(".")[0].removeprefix("lib").removeprefix("ggml-cpu").strip("-_")


def processor_line(machine: Machine) -> str:
    """“AMD EPYC · AVX2, FMA, AVX512 · code for haswell”."""
    code = translate("Machine", "code for {variant}").format(variant=variant(machine.module))
    parts = [machine.processor, ", ".join(machine.features), code if variant(machine.module) else ""]
    return words.DOT.join(part for part in parts if part)


def threads_line(machine: Machine) -> str:
    """“3 of 4 cores”, and why there are fewer."""
    text = translate("Machine", "{threads} on {cores} cores") if machine.cores != 1 else "{threads}"
    line = text.format(threads=machine.threads, cores=machine.cores)
    if machine.safe:
        line += words.DOT + translate("Machine", "safe settings after a crash")
    return line


def model_line(machine: Machine) -> str:
    """The model, and whether it is in memory."""
    if not machine.model_name:
        return translate("Machine", "None: answers are lists of what was found.")
    state = (
        translate("Machine", "in memory") if machine.loaded else translate("Machine", "is opened by a question")
    )
    return words.DOT.join((machine.model_name, state))


class MachineCard(QFrame):
    """Four lines of facts."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "card")
        layout = column(self)
        layout.addWidget(label(self.tr("What runs now"), "heading"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setColumnStretch(1, 1)
        self._processor, self._threads, self._model, self._speed = (label("…", wrap=True) for _ in range(4))
        rows = (
            (self.tr("Processor"), self._processor),
            (self.tr("Threads"), self._threads),
            (self.tr("Model"), self._model),
            (self.tr("Speed measured here"), self._speed),
        )
        for at, (title, widget) in enumerate(rows):
            grid.addWidget(label(title, "subtle"), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(widget, at, 1)
        layout.addLayout(grid)
        self.show_check(None)

    def show_machine(self, machine: Machine) -> None:
        """Show what runs."""
        self._processor.setText(processor_line(machine))
        self._threads.setText(threads_line(machine))
        self._model.setText(model_line(machine))

    def show_check(self, check: ModelCheck | None) -> None:
        """Show the speed of the model in use, where it was measured."""
        self._speed.setText(speed_line(check) if check else self.tr("Not yet: “Try it out” measures it."))
