"""Like items of a comparison in one row: hosts, pools and VMs that only names tell apart."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from models.base.fields import leaves_of, value_at
from models.base.quantities import Quantity
from models.base.texts import say
from models.comparison.compare import Comparison, Difference, Group
from models.scenario.scenario import Host, Pool, Scenario, Vm

KINDS = (Host, Pool, Vm)
NO_MATTER = frozenset({"id", "name", "host", "origins", "pins"})
"""Fields in which like items may differ."""

FEW = 3
"""So many like items whose numbers differ keep rows of their own."""

OF_NUMBERS = frozenset({Group.HOSTS, Group.POOLS, Group.VMS, Group.FAILURES})

Cells = tuple[str, ...]
Line = tuple[Difference, Cells]
Likeness = tuple[Hashable, ...]


def together(
    rows: Iterable[Difference],
    cells_of: Callable[[Difference], Cells],
    comparison: Comparison,
) -> tuple[Line, ...]:
    """The rows with their cells, those that say the same of several items as one.

    What differs among items that are alike in every scenario is one row as well, with the highest
    number of each scenario.
    """
    same: dict[Hashable, list[Line]] = {}
    for place, row in enumerate(rows):
        cells = cells_of(row)
        single = row.kind not in KINDS or row.group == Group.FINDINGS
        key = place if single else (row.group, row.kind, row.field, row.label, cells)
        same.setdefault(key, []).append((row, cells))
    lines = [_one(lines) for lines in same.values()]
    return tuple(_highest(lines, cells_of, comparison))


def _one(lines: Sequence[Line]) -> Line:
    row, cells = lines[0]
    ids = tuple(each.subject for each, _ in lines)
    return (replace(row, alike=ids) if lines[1:] else row), cells


def _highest(
    lines: Sequence[Line], cells_of: Callable[[Difference], Cells], comparison: Comparison
) -> Iterator[Line]:
    """Numbers of like items that differ as their highest, where that differs too."""
    likeness = _likeness([side.scenario for side in comparison.sides])
    order = {key: place for place, key in enumerate(likeness)}
    families: dict[Hashable, list[Line]] = {}
    for place, (row, cells) in enumerate(lines):
        kin = likeness.get((row.kind, row.subject))
        is_number = row.group in OF_NUMBERS and row.decimals is not None
        key = (row.group, row.kind, row.field, row.label, kin) if is_number else place
        families.setdefault(key, []).append((row, cells))
    for family in families.values():
        count = sum(len(row.alike) or 1 for row, _ in family)
        if len(family) == 1 or count <= FEW:
            yield from family
            continue
        row = _merged([row for row, _ in family], order)
        pairs = [(n, to) for n, to in enumerate(comparison.references) if to is not None]
        if any(row.differs(*pair) for pair in pairs):
            yield row, cells_of(row)
        else:
            yield from family


def _merged(rows: Sequence[Difference], order: Mapping[tuple[type, str], int]) -> Difference:
    """One row for all, in each column the highest number, none known as the lowest."""
    first = rows[0]
    best = [
        max(range(len(rows)), key=lambda n: _known(rows[n].values[column]))
        for column in range(len(first.values))
    ]
    ids = [id for row in rows for id in (row.alike or (row.subject,))]
    ids.sort(key=lambda id: order[first.kind, id])
    decimals = None
    if first.decimals is not None:
        decimals = tuple((rows[n].decimals or first.decimals)[c] for c, n in enumerate(best))
    return replace(
        first,
        label=say("{what}, highest", what=first.label),
        values=tuple(rows[n].values[column] for column, n in enumerate(best)),
        decimals=decimals,
        alike=tuple(ids),
        shown=tuple(rows[n].subject for n in best),
    )


def _known(value: Any) -> float:
    found = value.value if isinstance(value, Quantity) else None
    return float("-inf") if found is None else found


def _likeness(scenarios: Sequence[Scenario]) -> dict[tuple[type, str], Likeness]:
    """Of each host, pool and VM what it is in every scenario, but for its name and place."""
    found: dict[tuple[type, str], list[Hashable]] = {}
    for place, scenario in enumerate(scenarios):
        items: tuple[Host | Pool | Vm, ...] = (*scenario.hosts, *scenario.pools, *scenario.vms)
        for item in items:
            told = found.setdefault((type(item), item.id), [None] * len(scenarios))
            told[place] = _fields(item)
    return {key: tuple(told) for key, told in found.items()}


def _fields(item: Host | Pool | Vm) -> Hashable:
    return tuple(value_at(item, path) for path in leaves_of(type(item)) if path not in NO_MATTER)
