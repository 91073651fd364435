"""Scenarios side by side: which inputs differ, which outcomes, and by how much.

Items are told apart by kind and id, whatever they are called. An item that only some of the
scenarios have is one difference, added or removed, instead of one for each of its fields; its own
outcomes are compared among those that have it. Names and notes of the scenarios themselves are no
inputs. Numbers are compared as they are shown, each with the digits that its own interval allows,
as on dials and in tables. A change is that of what is shown, in the digits of the coarser number,
so that rows add up; what differs by less than is shown counts as unchanged.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from enum import Enum, StrEnum
from typing import Any

from models.base.fields import fields_of, leaves_of, value_at
from models.base.quantities import Quantity
from models.base.texts import say, say_many
from models.judgement.gauges import Gauge, gauges
from models.predict.predicted import (
    DIALS,
    FAILURE,
    average_limit,
    numbers_of,
    title_of,
    unit_of,
    used_of,
)
from models.predict.prediction import FailureMode, Finding, Prediction, Severity, worst_first
from models.scenario.scenario import Host, Pool, Scenario, Vm, active_users
from models.scenario.wording import decimals_of, decimals_past, left_decimals

MOST_SIDES = 4


class Absent(Enum):
    """In the place of a value that a scenario has no item for."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT


class Group(StrEnum):
    """What outcomes are about; inputs are grouped by the scenario's field that holds them."""

    SIZE = "size"
    SUMMARY = "summary"
    HOSTS = say("host numbers")
    POOLS = say("pool numbers")
    VMS = say("VM numbers")
    FAILURES = "failures"
    FINDINGS = "findings"


NO_INPUTS = frozenset({"name", "customer", "author", "notes", "import_notes"})
"""Fields of a scenario that change no number, and that every copy changes or has of an import."""

NO_VALUES = frozenset({"id", "origins", "pins"})
"""What is said about an item's values, and by what it is known, is not one of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """One of the scenarios: its id in the project, the scenario, and what is predicted of it."""

    id: str
    scenario: Scenario
    prediction: Prediction


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One input or outcome that is not the same in all scenarios.

    Attributes:
        group: of inputs the scenario's field, such as ``hosts``; of outcomes a `Group`.
        kind: class of the item; `subject`: its id, empty for the scenario as a whole.
        field: path inside the item; empty: the item itself is there or not.
        label, unit: of the field.
        values: one a scenario; `ABSENT` where it has no such item.
        decimals: to which each of the numbers is shown and compared; None for what is no number.
        alike: ids of all the items for which it stands, `subject` the first of them; empty for one.
        shown: of several items whose numbers differ the ids of those whose is the highest, one a
            scenario.
    """

    group: str
    kind: type
    subject: str
    field: str
    label: str
    unit: str = ""
    values: tuple[Any, ...]
    decimals: tuple[int, ...] | None = None
    alike: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()

    def subject_in(self, column: int) -> str:
        """Id of the item whose value stands in a column."""
        return self.shown[column] if self.shown else self.subject

    def change(self, column: int, reference: int) -> float | None:
        """How far a number lies from that of another column, as shown; None for other values.

        >>> row = Difference(
        ...     group=Group.VMS,
        ...     kind=Vm,
        ...     subject="m1",
        ...     field="cpu_pct",
        ...     label="CPU",
        ...     values=(44.6, 58.4),
        ...     decimals=(0, 0),
        ... )
        >>> row.change(1, 0)
        13.0
        """
        found = self.change_and_decimals(column, reference)
        return None if found is None else found[0]

    def change_and_decimals(self, column: int, reference: int) -> tuple[float, int] | None:
        """The same with its decimals: those of the coarser number, unless nothing is left then.

        >>> row = Difference(
        ...     group=Group.VMS,
        ...     kind=Vm,
        ...     subject="m1",
        ...     field="iops",
        ...     label="IOPS",
        ...     values=(142.0, 1213.0, 1238.0),
        ...     decimals=(-1, -2, -1),
        ... )
        >>> row.change_and_decimals(1, 0), row.change_and_decimals(2, 1)
        ((1100.0, -2), (40.0, -1))
        """
        if self.decimals is None:
            return None
        to, origin = (_number(self.values[each]) for each in (column, reference))
        if to is None or origin is None:
            return None
        decimals = self.decimals[column], self.decimals[reference]
        difference = round(to, decimals[0]) - round(origin, decimals[1])
        at = min(decimals) if round(difference, min(decimals)) else max(decimals)
        return round(difference, at) + 0.0, at

    def differs(self, column: int, reference: int) -> bool:
        """Whether these two columns look different; what one of them has no item for does not."""
        change = self.change(column, reference)
        if change is not None:
            return change != 0
        here, there = self.values[column], self.values[reference]
        if not self.field:
            return (here is ABSENT) != (there is ABSENT)
        if here is ABSENT or there is ABSENT:
            return False
        if self.decimals is not None:
            return (_number(here) is None) != (_number(there) is None)
        return bool(here != there)


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two to four scenarios side by side.

    Attributes:
        references: column that each column is compared with; None for one that is compared with
            no other.
        inputs, outcomes: only what differs between a column and its reference.
        unseen: number of outcomes that differ by less than what is shown.
    """

    sides: tuple[Side, ...]
    references: tuple[int | None, ...]
    inputs: tuple[Difference, ...]
    outcomes: tuple[Difference, ...]
    unseen: int

    @property
    def is_identical(self) -> bool:
        """No input differs, so nothing else can."""
        return not self.inputs

    def identical_to_reference(self, column: int) -> bool:
        """Whether a column has the inputs of the one it is compared with."""
        reference = self.references[column]
        if reference is None:
            return False
        return not any(row.differs(column, reference) for row in self.inputs)


def against_first(count: int) -> tuple[int | None, ...]:
    """Every column is compared with the first.

    >>> against_first(3)
    (None, 0, 0)
    """
    return (None, *(0 for _ in range(count - 1)))


def against_parents(
    ids: Sequence[str], parents: Mapping[str, str | None]
) -> tuple[int | None, ...]:
    """Every column is compared with its parent where that is shown too, else with the first.

    >>> against_parents(["s1", "s2", "s3"], {"s2": "s1", "s3": "s2"})
    (None, 0, 1)
    """
    found: list[int | None] = []
    for column, id in enumerate(ids):
        parent = parents.get(id)
        fallback = 0 if column else None
        found.append(ids.index(parent) if parent in ids and parent != id else fallback)
    return tuple(found)


def compare(sides: Sequence[Side], references: Sequence[int | None] | None = None) -> Comparison:
    """What differs between scenarios.

    Args:
        references: by default every column is compared with the first.
    """
    columns = tuple(sides)
    chosen = against_first(len(columns)) if references is None else tuple(references)
    pairs = [(column, to) for column, to in enumerate(chosen) if to is not None]

    inputs = _inputs([side.scenario for side in columns])
    seen, unseen = [], 0
    for row in _outcomes(columns):
        if _differs(row, pairs):
            seen.append(row)
        else:
            unseen += _moved(row, pairs)
    return Comparison(
        columns, chosen, tuple(row for row in inputs if _differs(row, pairs)), tuple(seen), unseen
    )


def _differs(row: Difference, pairs: Sequence[tuple[int, int]]) -> bool:
    return any(row.differs(*pair) for pair in pairs)


def _moved(row: Difference, pairs: Sequence[tuple[int, int]]) -> bool:
    """Whether a number differs at all, by however little."""
    numbers = [_number(value) for value in row.values]
    return any(
        here is not None and there is not None and not math.isclose(here, there, rel_tol=1e-9)
        for here, there in ((numbers[a], numbers[b]) for a, b in pairs)
    )


# --- inputs -----------------------------------------------------------------------------------


def _inputs(scenarios: Sequence[Scenario]) -> Iterator[Difference]:
    for each in fields(Scenario):
        if each.name in NO_INPUTS | NO_VALUES:
            continue
        values = [getattr(scenario, each.name) for scenario in scenarios]
        field = fields_of(Scenario).get(each.name)
        if field is not None and field.is_nested:
            unsaid = field.type() if field.is_optional else None
            yield from _fields(each.name, field.type, "", [value or unsaid for value in values])
        else:
            yield from _items(each.name, values)


def _items(group: str, lists: Sequence[tuple[Any, ...]]) -> Iterator[Difference]:
    """The items of one kind, in the order in which they are first met."""
    columns = [{_key(item): item for item in items} for items in lists]
    for key in dict.fromkeys(key for column in columns for key in column):
        items = [column.get(key) for column in columns]
        kind = next(type(item) for item in items if item is not None)
        if any(item is None for item in items):
            there = tuple(ABSENT if item is None else item for item in items)
            yield Difference(group=group, kind=kind, subject=key, field="", label="", values=there)
        if sum(item is not None for item in items) > 1:
            yield from _fields(group, kind, key, items)


def _key(item: Any) -> str:
    """By what an item is the same in two scenarios: its id; of what has none, what it speaks of."""
    return item.id if hasattr(item, "id") else f"{item.rule} {item.subject}".strip()


def _fields(group: str, kind: type, id: str, items: Sequence[Any]) -> Iterator[Difference]:
    for path, field in leaves_of(kind).items():
        if path == "id":
            continue
        values = tuple(ABSENT if item is None else value_at(item, path) for item in items)
        yield Difference(
            group=group,
            kind=kind,
            subject=id,
            field=path,
            label=field.label,
            unit=field.unit,
            values=values,
            decimals=_input_decimals(values),
        )


def _input_decimals(values: Sequence[Any]) -> tuple[int, ...] | None:
    """All the decimals that people gave; None unless the values are numbers."""
    numbers = [_number(value) for value in values]
    plain = [isinstance(v, str | bool | tuple | Enum) and v is not ABSENT for v in values]
    if any(plain) or all(number is None for number in numbers):
        return None
    known = [number for number in numbers if number is not None]
    most = max(next((d for d in range(9) if math.isclose(round(n, d), n)), 9) for n in known)
    return (most,) * len(values)


def _decimals(value: Any, limit: float) -> int:
    """Those of a quantity as it is shown elsewhere; 0 where there is no number."""
    number = _number(value)
    if number is None or not isinstance(value, Quantity):
        return 0
    return decimals_past(number, limit, decimals_of(value))


def _number(value: Any) -> float | None:
    if isinstance(value, Quantity):
        return value.value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and math.isfinite(value) else None


# --- outcomes ---------------------------------------------------------------------------------


def overall(sides: Sequence[Side]) -> Iterator[Difference]:
    """What each scenario comes to, whether these differ or not: its size, verdict and dials."""
    yield from _sizes([side.scenario for side in sides])
    shown = tuple(side.prediction.shown.words for side in sides)
    yield _whole(Group.SUMMARY, "verdict", say("verdict"), shown)
    dials = [gauges(side.scenario, side.prediction) for side in sides]
    for same in zip(*dials, strict=True):
        yield _dial(same)
    worst = tuple(_worst_failure(side.prediction) for side in sides)
    yield _whole(Group.SUMMARY, "worst_failure", say("worst failure"), worst)


def _outcomes(sides: Sequence[Side]) -> Iterator[Difference]:
    yield from overall(sides)
    yield from _tables(sides)
    yield from _failures(sides)
    yield from _findings(sides)


def _sizes(scenarios: Sequence[Scenario]) -> Iterator[Difference]:
    """What the designs come to, so that unlike ones can be compared at all."""
    for field, label, unit, of in SIZES:
        values = tuple(of(scenario) for scenario in scenarios)
        decimals = _input_decimals(values)
        yield _whole(Group.SIZE, field, label, values, unit, decimals)


_Size = Callable[[Scenario], float]
SIZES: tuple[tuple[str, str, str, _Size], ...] = (
    ("hosts", say("hosts"), "", lambda s: len(s.hosts)),
    ("host_ram_gib", say("RAM of all hosts"), "GiB", lambda s: sum(h.ram_gib for h in s.hosts)),
    ("drives", say("drives"), "", lambda s: sum(p.spindles for p in s.pools)),
    ("vms", "VMs", "", lambda s: len(s.vms)),
    ("vcpus", "vCPUs", "", lambda s: sum(vm.vcpus for vm in s.vms)),
    ("vm_ram_gib", say("RAM of all VMs"), "GiB", lambda s: sum(vm.ram_gib for vm in s.vms)),
    ("users", say("active users of mail"), "", lambda s: active_users(s.vms).mail),
    ("chat_users", say("active users of chat"), "", lambda s: active_users(s.vms).chat),
)


def _whole(
    group: Group,
    field: str,
    label: str,
    values: tuple[Any, ...],
    unit: str = "",
    decimals: tuple[int, ...] | None = None,
) -> Difference:
    return Difference(
        group=group,
        kind=Scenario,
        subject="",
        field=field,
        label=label,
        unit=unit,
        values=values,
        decimals=decimals,
    )


def _dial(same: Sequence[Gauge]) -> Difference:
    """A dial of every side; why it shows nothing where it shows nothing."""
    field = same[0].field
    values = tuple(_shown(gauge) for gauge in same)
    found = _predicted(Group.SUMMARY, Scenario, "", field, values, DIALS[field].compared)
    if field != FAILURE:
        return found
    return replace(found, decimals=tuple(left_decimals(_number(each) or 0.0) for each in values))


def _shown(gauge: Gauge) -> Quantity | str:
    if gauge.stranded:
        return say_many("{count} VM finds no room", "{count} VMs find no room", gauge.stranded)
    if gauge.note and gauge.quantity.value is None:
        return gauge.note
    return replace(gauge.quantity, unknown=max(gauge.unknown, gauge.quantity.unknown))


TABLES = (
    (Group.HOSTS, Host, "hosts"),
    (Group.POOLS, Pool, "pools"),
    (Group.VMS, Vm, "vms"),
)


def _tables(sides: Sequence[Side]) -> Iterator[Difference]:
    """Every number of every item that at least two of the scenarios have."""
    for group, kind, name in TABLES:
        tables = [getattr(side.prediction, name) for side in sides]
        for id in dict.fromkeys(id for table in tables for id in table.ids):
            having = [table if id in table else None for table in tables]
            if sum(table is not None for table in having) < 2:
                continue
            for field in numbers_of(name):
                values = tuple(ABSENT if t is None else t.quantity(id, field) for t in having)
                yield _predicted(group, kind, id, field, values, used_of(field))


def _failures(sides: Sequence[Side]) -> Iterator[Difference]:
    modes = [{mode.host: mode for mode in side.prediction.failures} for side in sides]
    for host in dict.fromkeys(host for column in modes for host in column):
        having = [column.get(host) for column in modes]
        if sum(mode is not None for mode in having) < 2:
            continue
        yield Difference(
            group=Group.FAILURES,
            kind=Host,
            subject=host,
            field="verdict",
            label=say("verdict with it gone"),
            values=tuple(ABSENT if mode is None else _outcome(mode) for mode in having),
        )
        judged = [None if m is None or m.verdict is None else m for m in having]
        for field in numbers_of("failures"):
            values = tuple(ABSENT if m is None else getattr(m, field) for m in judged)
            words = say("worst {label} with it gone", label=title_of(field))
            limits = [average_limit(side.scenario.policy, field) for side in sides]
            yield _predicted(Group.FAILURES, Host, host, field, values, words, limits)


def _worst_failure(prediction: Prediction) -> str:
    modes = worst_first((*prediction.failures, *prediction.together))
    return _outcome(modes[0]) if modes else say("nothing to fail over")


def _outcome(mode: FailureMode) -> str:
    """The verdict on a failure, what is down, or why there is neither."""
    return mode.note if mode.shown is None else mode.shown.words


def _findings(sides: Sequence[Side]) -> Iterator[Difference]:
    """Rules that are tripped here and not there, errors first."""
    columns = [
        {(each.rule, each.subject): each for each in side.prediction.findings} for side in sides
    ]
    keys = dict.fromkeys(key for column in columns for key in column)
    rows = [[column.get(key) for column in columns] for key in keys]
    for key, found in sorted(zip(keys, rows, strict=True), key=lambda row: _severity(row[1])):
        yield Difference(
            group=Group.FINDINGS,
            kind=Scenario,
            subject=key[1],
            field=key[0],
            label=next(each.text for each in found if each is not None),
            values=tuple(each is not None for each in found),
        )


def _severity(found: Iterable[Finding | None]) -> int:
    """The worst severity of a finding, 0 for an error."""
    return min(_SEVERITIES.index(each.severity) for each in found if each is not None)


_SEVERITIES = tuple(Severity)


def _predicted(
    group: Group,
    kind: type,
    subject: str,
    field: str,
    values: tuple[Any, ...],
    label: str,
    limits: Sequence[float] = (),
) -> Difference:
    """Args: limits: of the numbers, where these are seen to pass them as in the failure table."""
    known = limits or (math.inf,) * len(values)
    return Difference(
        group=group,
        kind=kind,
        subject=subject,
        field=field,
        label=label,
        unit=unit_of(field),
        values=values,
        decimals=tuple(map(_decimals, values, known)),
    )
