"""The datasets that can be read, by name: a new one is a reader and a line here."""

from collections.abc import Callable
from pathlib import Path

from engine.evaluation.beam import read_beam
from engine.evaluation.data import DatasetError, Sample
from engine.evaluation.jsonl import read_jsonl
from engine.evaluation.locomo import read_locomo
from engine.evaluation.longmemeval import read_longmemeval
from engine.evaluation.personamem import read_personamem

DATASETS: tuple[tuple[str, Callable[[Path], list[Sample]]], ...] = (
    ("locomo", read_locomo),
    ("longmemeval", read_longmemeval),
    ("beam", read_beam),
    ("personamem", read_personamem),
    ("jsonl", read_jsonl),
)


def read_dataset(name: str, path: Path) -> list[Sample]:
    """Read a dataset. Raises DatasetError with a sentence where the path is not what it should be."""
    if not path.exists():
        raise DatasetError(f"{path} does not exist.")
    return dict(DATASETS)[name](path)
