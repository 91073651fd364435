"""``simulate`` and ``sensitivity``: how likely a design is to hold, and what moves it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from app.cli_file import given, json_text, refusing
from app.render.terminal import sections_text
from db.chance import chance_to_json, map_to_json, sensitivity_to_json
from models.evidence.knowledge import Knowledge
from models.scenario.scenario import Scenario
from models.tell.chance import chance_sections, map_sections, sensitivity_sections
from models.uncertainty.chance import simulate
from models.uncertainty.sensitivity import sensitivity
from models.uncertainty.verdict_map import verdict_map

T = TypeVar("T")


def chance_of_file(path: str, name: str | None, samples: int, seed: int, *, as_json: bool) -> str:
    """What ``simulate`` prints about the scenario called `name` in the file.

    Raises:
        StoreError: the file can't be read, or its scenario can't exist.
    """
    scenario, found = _of_file(path, name, lambda *of: simulate(*of, samples=samples, seed=seed))
    if as_json:
        return json_text(chance_to_json(found))
    return sections_text(chance_sections(found, scenario))


def sensitivity_of_file(path: str, name: str | None, of: str, *, as_json: bool) -> str:
    """What ``sensitivity`` prints about it.

    Raises:
        StoreError: the file can't be read, its scenario can't exist, or nothing is called `of`.
    """
    scenario, found = _of_file(path, name, lambda *what: sensitivity(*what, of=of))
    if as_json:
        return json_text(sensitivity_to_json(found))
    return sections_text(sensitivity_sections(found, scenario))


def map_of_file(path: str, name: str | None, map: Sequence[str], *, as_json: bool) -> str:
    """What ``sensitivity --map`` prints about it.

    Raises:
        StoreError: the file can't be read, its scenario can't exist, or there is no such input.
    """
    x, y = map
    scenario, found = _of_file(path, name, lambda *of: verdict_map(*of, x=x, y=y))
    if as_json:
        return json_text(map_to_json(found))
    return sections_text(map_sections(found, scenario))


def _of_file(
    path: str, name: str | None, study: Callable[[Scenario, Knowledge], T]
) -> tuple[Scenario, T]:
    of = given(path, name)
    with refusing(path):
        return of.scenario, study(of.scenario, of.knowledge)
