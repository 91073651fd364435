"""The worked examples: their stories and the scenario files behind them, as text."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from models.base.texts import Text, say

_FOLDER = files("resources") / "examples"


@dataclass(frozen=True, slots=True)
class ExampleFile:
    """One scenario file: its name, and its JSON as it stands."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example.

    Attributes:
        files: scenario files that open together as one project; the first can stand alone.
    """

    id: str
    title: Text
    story: Text
    files: tuple[ExampleFile, ...]


@cache
def load_examples() -> tuple[Example, ...]:
    """All examples, in the order of the File menu."""
    index = tomllib.loads(_text("examples.toml"))
    return tuple(
        Example(
            id=entry["id"],
            title=say(entry["title"]),
            story=say(entry["story"]),
            files=tuple(ExampleFile(name, _text(name)) for name in entry["files"]),
        )
        for entry in index["examples"]
    )


def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")
