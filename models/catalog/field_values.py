"""What the value of a field is called: entries and items by their names, choices by their words."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from models.base.fields import SCENARIO_LISTS, Word, leaves_of
from models.base.texts import joined, say
from models.catalog.catalog import Catalog, Hypervisor
from models.scenario.scenario import NO_HYPERVISOR
from models.scenario.workloads import WORKLOADS, WorkloadKind

NOT_SAID = say("not said")
_NO_HYPERVISOR = say("No hypervisor (physical server)")


def value_words(
    kind: type, path: str, value: Any, *, catalog: Catalog, name_of: Callable[[str], str]
) -> str:
    """The value of a field that is no number, in words.

    Args:
        kind: class of the item; `path`: of the field inside it.
        name_of: the name of an item by its id; the id where there is none.
    """
    if value is None or value == "":
        return NOT_SAID
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, tuple):
        words = [choice_words(v) if isinstance(v, StrEnum) else name_of(v) for v in value]
        return joined(", ", words) or say("none")
    if isinstance(value, StrEnum):
        return choice_words(value)
    field = leaves_of(kind).get(path)
    ids = "" if field is None else field.ids
    if ids in SCENARIO_LISTS:
        return name_of(value)
    if ids:
        entry = getattr(catalog, ids).get(value)
        return entry_name(entry) if entry is not None else str(value)
    return value if isinstance(value, str) else str(value)


def choice_words(value: StrEnum) -> str:
    """What people read for one of several words."""
    return value.label if isinstance(value, Word) else WORKLOADS[WorkloadKind(value)].name


def entry_name(entry: Any) -> str:
    """The name of a catalog entry: its maker’s, but where it says that there is none."""
    is_none = isinstance(entry, Hypervisor) and entry.id == NO_HYPERVISOR
    return _NO_HYPERVISOR if is_none else str(entry.name)
