"""The scenario of a file that a command is about, and how its answer becomes text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from app import __version__
from app.calibrated import shipped_calibration
from db.errors import StoreError, refused
from db.files import ending_of, open_any, save_as
from db.project import ENDING
from models.base.errors import ModelError
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.project.catalog_use import catalog_for
from models.project.project import Entry, Project
from models.scenario.scenario import Scenario
from resources.catalog_files import load_catalog


@dataclass(frozen=True, slots=True)
class Given:
    """A scenario in a file, with the project around it and the catalog it is to be read with."""

    path: str
    project: Project
    entry: Entry
    catalog: Catalog

    @property
    def scenario(self) -> Scenario:
        return self.entry.scenario

    @property
    def knowledge(self) -> Knowledge:
        return Knowledge(self.catalog, shipped_calibration())


def given(path: str, name: str | None) -> Given:
    """The scenario of this name in a file; without a name the baseline, else the first.

    Raises:
        StoreError: the file can't be read, or there is no such scenario.
    """
    project = open_any(path, load_catalog())
    return Given(path, project, chosen(project, name, path), catalog_for(project, load_catalog()))


def chosen(project: Project, name: str | None, path: str) -> Entry:
    """The entry of this name; without a name the baseline, else the first.

    Raises:
        StoreError: there is none.
    """
    try:
        return project.default_entry(name)
    except ModelError as error:
        raise StoreError(error.reason, path) from error


def write_changed(of: Given, scenario: Scenario, output: str) -> None:
    """The file with this in place of the scenario, in another one; the same is in view as before.

    Raises:
        StoreError: it can't be written.
    """
    changed = of.project.show(of.entry.id).with_scenario(scenario)
    if ending_of(output) == ENDING:
        changed = changed.show(of.project.active)
    save_as(output, changed, load_catalog(), program_version=__version__)


def percentile_of(word: str) -> int:
    """A percentile as it is named on the command line; 0 is the mean."""
    return 0 if word == "mean" else int(word)


@contextmanager
def refusing(path: str) -> Iterator[None]:
    """What the model finds can't be is said of the file.

    Raises:
        StoreError: for a `ModelError`, with the field.
    """
    try:
        yield
    except ModelError as error:
        raise refused(error, path) from error


def json_text(found: Any, indent: int | None = None) -> str:
    """An answer as one JSON object and a line break."""
    if indent is not None or not isinstance(found, dict):
        return json.dumps(found, indent=indent, ensure_ascii=False) + "\n"
    return "".join(_pieces(found))


def _pieces(found: dict[str, Any]) -> Iterator[str]:
    """The same entry by entry of its lists: an estate in one piece takes three times its text."""
    for at, (key, value) in enumerate(found.items()):
        yield f"{', ' if at else '{'}{_encoded(key)}: "
        if not isinstance(value, list):
            yield _encoded(value)
            continue
        for place, each in enumerate(value):
            yield ", " if place else "["
            yield _encoded(each)
        yield "]" if value else "[]"
    yield "}\n" if found else "{}\n"


_encoded = json.JSONEncoder(ensure_ascii=False).encode
