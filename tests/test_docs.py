"""What people read is true: tables are current, commands, errors and settings have words."""

import argparse
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import engine.errors
import models.base
from app.cli import make_parser
from app.formats_table import README, with_table
from app.messages import WORDS
from app.settings import SETTINGS, Setting
from engine.errors import Cancelled, EngineError
from importers.registry import IMPORTERS
from models.base import GenerationStopped

NEVER_SHOWN = (Cancelled, GenerationStopped, EngineError)
"""Stops are shown as nothing, and the root of the errors is never raised."""


def readme() -> str:
    return README.read_text(encoding="utf-8")


def errors_of(module: ModuleType) -> Iterator[type[Exception]]:
    """The error classes that a module defines."""
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if issubclass(kind, Exception) and kind.__module__ == module.__name__:
            yield kind


def commands() -> list[str]:
    (choices,) = (a for a in make_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return sorted(choices.choices)


def test_the_table_of_formats_is_current() -> None:
    assert with_table(readme()) == readme(), "run python -m app.formats_table --write"
    assert all(i.title in readme() for i in IMPORTERS)


@pytest.mark.parametrize("command", commands())
def test_every_command_is_in_readme(command: str) -> None:
    block = readme().split("## The command line")[1].split("```")[1]
    assert re.search(rf"(?m)^backscroll (?:[\w|]+ \| )*{command}\b|\| {command}\b", block)


@pytest.mark.parametrize("kind", [*errors_of(engine.errors), *errors_of(models.base)], ids=lambda k: k.__name__)
def test_every_error_has_words_and_advice(kind: type[Exception]) -> None:
    if kind in NEVER_SHOWN:
        assert kind.__name__ not in WORDS
        return
    sentence, advice = WORDS[kind.__name__]
    assert sentence.endswith(".")
    assert advice.endswith(".")
    assert kind.__doc__


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda s: s.key)
def test_every_setting_with_a_row_is_described(setting: Setting) -> None:
    if not setting.label:
        assert not setting.choices, "a choice that nobody can make"
        return
    assert setting.help.endswith(".")
    assert len({choice.value for choice in setting.choices}) == len(setting.choices)
    assert all(choice.label for choice in setting.choices)


def test_every_document_that_readme_links_to_is_there() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", readme()):
        assert (Path(README).parent / target).exists(), target
