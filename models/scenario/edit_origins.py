"""What an edit does to origins and pins: who gave the values that it changed, and what it may not.

By hand, by a catalog or by an automatic feature: every edit of the session goes through `marked`,
and whatever acts on its own through `keeping_pins` before.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from models.base.fields import SCENARIO_LISTS, field_at, value_at, with_value
from models.scenario.inputs import (
    SPREADS,
    SubjectT,
    frozen,
    input_paths,
    unsaid,
    values_of,
    with_origin,
)
from models.scenario.origin import Origin
from models.scenario.scenario import Cluster, Host, Pool, Scenario, Vm


def marked(base: Scenario, current: Scenario, after: Scenario, origin: Origin) -> Scenario:
    """`after` with `origin` for every value that the edit from `current` to it changed.

    A value that is back at what it was in `base`, where the gesture began, has its origin of then.
    Origins that the edit itself says stay; so do those of items that it adds.
    """
    collections: dict[str, Any] = {
        name: _marked_items(
            getattr(base, name), getattr(current, name), getattr(after, name), origin
        )
        for name in SCENARIO_LISTS
    }
    changed = {name: new for name, new in collections.items() if new is not getattr(after, name)}
    result = replace(after, **changed) if changed else after
    return _marked(base, current, result, origin)


ItemT = TypeVar("ItemT", Cluster, Host, Pool, Vm)


def _marked_items(
    base: tuple[ItemT, ...], current: tuple[ItemT, ...], after: tuple[ItemT, ...], origin: Origin
) -> tuple[ItemT, ...]:
    if after is current:
        return after
    there = {id(item) for item in current}
    new = [item for item in after if id(item) not in there]
    if not new:
        return after
    was = {item.id: item for item in current}
    began = was if base is current else {item.id: item for item in base}
    result = []
    for item in after:
        stored = None if id(item) in there else was.get(item.id)
        start = stored and began.get(item.id, stored)
        result.append(
            item if stored is None or start is None else _marked(start, stored, item, origin)
        )
    return tuple(result)


def _marked(base: SubjectT, current: SubjectT, after: SubjectT, origin: Origin) -> SubjectT:
    kind = type(after)
    now, then, first = values_of(after), values_of(current), values_of(base)
    if now == then and after.origins == current.origins:
        return after
    said, stored, began = dict(after.origins), dict(current.origins), dict(base.origins)
    for path, value, before, start in zip(input_paths(kind), now, then, first, strict=True):
        if said.get(path) is not stored.get(path):
            continue
        if value == start:
            _put(said, path, began.get(path))
        elif value != before:
            said[path] = origin
    marked_after = after if frozen(said) == after.origins else replace(after, origins=frozen(said))
    return _without_ranges(current, marked_after)


def _without_ranges(before: SubjectT, after: SubjectT) -> SubjectT:
    """The same, without the ranges of figures that were assumed and are somebody's word now."""
    if not isinstance(after, Vm) or not isinstance(before, Vm):
        return after
    was, now = dict(before.origins), dict(after.origins)
    for path, spread in SPREADS.items():
        is_known = was.get(path) is Origin.ASSUMED and now.get(path) is not Origin.ASSUMED
        if is_known and value_at(after, spread) is not None:
            now.pop(spread, None)
            after = replace(with_value(after, spread, None), origins=frozen(now))
    return after


def _put(said: dict[str, Origin], path: str, origin: Origin | None) -> None:
    if origin is None:
        said.pop(path, None)
    else:
        said[path] = origin


def with_unsaid(scenario: Scenario, origin: Origin) -> Scenario:
    """`scenario` with `origin` for what nobody spoke about and no default gives: of a file that it
    came with, or of what an import made up.

    >>> from models.scenario.scenario import Policy
    >>> found = with_unsaid(Scenario(name="x", policy=Policy(cpu_limit_pct=80.0)), Origin.IMPORTED)
    >>> [(path, origin.value) for path, origin in found.origins]
    [('policy.cpu_limit_pct', 'imported')]
    """
    mark = partial(_with_unsaid, origin=origin)
    marks: Any = {name: tuple(map(mark, getattr(scenario, name))) for name in SCENARIO_LISTS}
    return replace(mark(scenario), **marks)


def _with_unsaid(item: SubjectT, origin: Origin) -> SubjectT:
    given = unsaid(item)
    return with_origin(item, origin, *given) if given else item


def keeping_pins(before: Scenario, after: Scenario) -> Scenario:
    """`after` with every value that `before` pins as it was there: for what no hand did.

    A pinned reference to something that is gone is not put back.
    """
    there = {item.id for item in after.items()}
    kept: Any = _kept(before, after, there)
    for name in SCENARIO_LISTS:
        was = {item.id: item for item in getattr(before, name) if item.pins}
        if was:
            items = tuple(_kept(was.get(item.id), item, there) for item in getattr(kept, name))
            kept = replace(kept, **{name: items})
    result: Scenario = kept
    return after if result == after else result


def _kept(before: Any, after: Any, there: Container[str]) -> Any:
    if before is None or before is after:
        return after
    for path in before.pins:
        value = value_at(before, path)
        is_item = isinstance(value, str) and field_at(type(before), path).ids in SCENARIO_LISTS
        is_gone = is_item and value not in there
        if value_at(after, path) != value and not is_gone:
            said = dict(after.origins)
            _put(said, path, dict(before.origins).get(path))
            after = replace(with_value(after, path, value), origins=frozen(said))
    return after
