"""Names and remarks of people as they stand on a page, each set apart from the words around it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from models.base.lettering import set_apart
from models.scenario.scenario import Scenario

T = TypeVar("T")

SHOWN = frozenset(
    {"name", "customer", "author", "notes", "lun", "failure_group", "reason", "release"}
)
"""Fields that hold what people wrote. Ids stay as they are: others lead to them."""


def shown_names(scenario: Scenario) -> Scenario:
    """The scenario as a page shows it: names from right to left set apart, hidden marks written."""
    return _shown(scenario)


def names_with(scenario: Scenario, characters: frozenset[str]) -> tuple[str, ...]:
    """The names and remarks that hold one of these characters, each once, in their order."""
    return tuple(dict.fromkeys(t for t in _texts(scenario) if not characters.isdisjoint(t)))


def _shown(record: T) -> T:
    changes: dict[str, Any] = {}
    for each in fields(record):  # type: ignore[arg-type]
        value = getattr(record, each.name)
        if each.name in SHOWN and isinstance(value, str):
            shown: Any = set_apart(value)
        elif isinstance(value, tuple) and value and is_dataclass(value[0]):
            shown = tuple(map(_shown, value))
        elif is_dataclass(value):
            shown = _shown(value)
        else:
            continue
        if shown != value:
            changes[each.name] = shown
    return replace(record, **changes) if changes else record  # type: ignore[type-var]


def _texts(record: object) -> list[str]:
    found: list[str] = []
    for each in fields(record):  # type: ignore[arg-type]
        value = getattr(record, each.name)
        if each.name in SHOWN and isinstance(value, str):
            found.append(value)
        elif isinstance(value, tuple):
            found += [text for inside in value if is_dataclass(inside) for text in _texts(inside)]
        elif is_dataclass(value):
            found += _texts(value)
    return found
