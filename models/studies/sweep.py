"""What if: any input over a range, against any number that is predicted.

Every point is the scenario with another value, evaluated as any scenario is. Values that can't be
(out of bounds, or against the platform) have no number.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from models.base.errors import ModelError
from models.base.fields import bounds_of, field_at, value_at, with_value
from models.base.limits import Limit
from models.base.quantities import FloatArray, Quantity
from models.base.texts import joined, opening, say, say_many
from models.check import check_structure
from models.evaluate import evaluate
from models.evidence.knowledge import Knowledge
from models.judgement.binding import Cause, deciding
from models.judgement.gauges import gauges
from models.predict.predicted import DIALS, FAILURE, PREDICTED, numbers_of, title_of, unit_of
from models.predict.prediction import Prediction
from models.scenario.growth import grown
from models.scenario.inputs import (
    KINDS_BY_NUMBER,
    Subject,
    applies,
    input_paths,
)
from models.scenario.scenario import (
    NO_HYPERVISOR,
    Cluster,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
    active_users,
    users_of,
)
from models.scenario.workloads import WORKLOADS
from models.single_changes.changes import SAMETIME, add_host, follows, spread

STEPS = 11
"""Points of a sweep, from today's value to twice that, unless somebody wants others."""

MOST_STEPS = 101
USERS = "workload.active_users"
ALL_USERS, ALL_CHAT, HOST_COUNT = "*users", "*chat", "*hosts"
"""Inputs of the whole design: users of all VMs in proportion, those of chat apart where there are
others as well, and the number of like hosts."""


@dataclass(frozen=True, slots=True)
class SweepInput:
    """What is varied.

    Attributes:
        subject: id of the item; empty for the scenario's own.
        path: of the field inside the item, `ALL_USERS`, `ALL_CHAT` or `HOST_COUNT`.
        label: such as ``Mail-01: RAM``; `value`: today's, in `unit`.
        like: of users the VMs that have them, in whose proportions they grow: as they are today, as
            they were when today's users were spread over them, or when anybody last used them.
    """

    subject: str
    path: str
    label: str
    unit: str
    value: float
    limit: Limit
    is_whole: bool
    like: tuple[Vm, ...] = field(default=(), repr=False)

    @property
    def key(self) -> tuple[str, str]:
        return (self.subject, self.path)


@dataclass(frozen=True, slots=True)
class SweepOutput:
    """What is looked at: a dial, or a number of an item; `limit` of it, None where it has none."""

    table: str
    subject: str
    field: str
    label: str
    unit: str
    limit: float | None

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.table, self.subject, self.field)


@dataclass(frozen=True, slots=True, eq=False)
class Sweep:
    """The number at each value of the input, NaN for no data or what can't be, shape (m,).

    Attributes:
        verdict: `Verdict` codes of the whole scenario, −1 where it can't be.
        causes: what decides the verdict at each, None where it fits or can't be.
    """

    values: FloatArray
    number: FloatArray
    low: FloatArray
    high: FloatArray
    verdict: npt.NDArray[np.int8]
    causes: tuple[Cause | None, ...]


# --- what can be varied ------------------------------------------------------------------------


def sweep_inputs(
    scenario: Scenario, selected: Sequence[str], earlier: Sequence[Scenario] = ()
) -> tuple[SweepInput, ...]:
    """Inputs that are numbers: of the whole design, of what is selected, of the policy.

    Args:
        earlier: what the scenario was before, the latest first: VMs that nobody uses any more get
            their users back in the proportions that they had there.
    """
    items = {item.id: item for item in scenario.items()}
    found = [*_of_all(scenario, earlier)]
    for id in selected:
        if id in items:
            found += _numbers(items[id], id, f"{items[id].name}: ", earlier)
    return (*found, *_numbers(scenario, "", "", earlier))


def _of_all(scenario: Scenario, earlier: Sequence[Scenario]) -> Iterator[SweepInput]:
    chat = tuple(vm for vm in scenario.vms if vm.workload.kind.is_chat)
    others = tuple(vm for vm in scenario.vms if not vm.workload.kind.is_chat)
    parts: list[tuple[str, str, tuple[Vm, ...]]] = [
        (ALL_USERS, say("Mail users of all VMs"), others),
        (ALL_CHAT, say("Chat users of all VMs"), chat),
    ]
    if not (_has_users(others) and _has_users(chat)):
        parts = [(ALL_USERS, say("Users of all VMs"), scenario.vms)]
    for path, label, vms in parts:
        like = _peopled(vms, earlier)
        if active_users(like).first > 0:
            total = active_users(vms).first
            limit = bounds_of(Workload, "active_users")
            yield SweepInput("", path, label, say("users"), total, limit, True, like)
    if scenario.hosts:
        count = float(len(_like_hosts(scenario)[0]))
        limit = Limit(ge=1, le=count + 64)
        label = say("Hosts, empty ones added or removed")
        yield SweepInput("", HOST_COUNT, label, "", count, limit, True)


def _has_users(vms: tuple[Vm, ...]) -> bool:
    return any(vm.workload.active_users > 0 for vm in vms)


def _peopled(vms: tuple[Vm, ...], earlier: Sequence[Scenario]) -> tuple[Vm, ...]:
    """The VMs in whose proportions users grow: with the most users of any time from which whole
    ones were spread to what they are now; where nobody uses them, with those of the last time."""
    found, now, seen = vms, active_users(vms).first, vms
    most = now
    for before in earlier:
        if before.vms is seen:
            continue
        seen = before.vms
        was = {vm.id: vm.workload for vm in before.vms}
        had = [_of_its_kind(vm.workload, was.get(vm.id)) for vm in vms]
        users = users_of(had).first
        if users <= most or not _may_be_spread(vms, had, now / users):
            continue
        then = tuple(map(_with_users_of, vms, had))
        if now == 0:
            return then
        if spread(then, now) == vms:
            found, most = then, users
    return found


def _of_its_kind(work: Workload, was: Workload | None) -> Workload:
    return work if was is None or was.kind is not work.kind else was


def _may_be_spread(vms: Sequence[Vm], had: Sequence[Workload], factor: float) -> bool:
    """Whether users can be those that the VMs `had` times a factor: whole ones are less than one
    off. It spares most of the history the long way; Sametime servers follow one another there."""
    return all(
        abs(was.active_users * factor - vm.workload.active_users) <= 1.001
        for vm, was in zip(vms, had, strict=True)
        if WORKLOADS[was.kind].law not in SAMETIME
    )


def _with_users_of(vm: Vm, was: Workload) -> Vm:
    """The VM with the active users of an earlier workload of its kind, and with as many registered
    ones where these follow or it has none left."""
    work = vm.workload
    if was is work:
        return vm
    had = replace(vm, workload=replace(work, active_users=was.active_users))
    owners = was.registered_users if follows(had) or not work.registered_users else None
    if owners is None or work.registered_users is None:
        owners = work.registered_users
    return replace(had, workload=replace(had.workload, registered_users=owners))


def _like_hosts(scenario: Scenario) -> tuple[list[Host], list[Host]]:
    """Like hosts of one cluster, and which of them could be taken away as if they had never been.

    Those carry no VM, and nothing names them. Of all such groups it is the one with most of the
    others, so that it stays the same one whatever is added and taken away.
    """
    named = {vm.host for vm in scenario.vms}
    named |= {id for cluster in scenario.clusters for id in cluster.admission.failover_hosts}
    named |= {id for rule in scenario.affinity for id in rule.hosts}
    named |= {waiver.subject for waiver in scenario.waivers}
    groups: dict[tuple[str | None, str, str], list[Host]] = {}
    for host in sorted(scenario.hosts, key=lambda host: host.id not in named):
        groups.setdefault((host.cluster, host.server, host.hypervisor), []).append(host)
    like = max(groups.values(), key=lambda hosts: sum(host.id in named for host in hosts))
    return like, [host for host in like if host.id not in named]


def _numbers(
    item: Subject, id: str, head: str, earlier: Sequence[Scenario]
) -> Iterator[SweepInput]:
    kind = type(item)
    for path in input_paths(kind):
        value = value_at(item, path)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or path in KINDS_BY_NUMBER or not applies(item, path):
            continue
        words = field_at(kind, path)
        label = joined("", (head, words.label)) if head else opening(words.label)
        like = _peopled((item,), earlier) if isinstance(item, Vm) and path == USERS else ()
        limit, is_whole = words.limit, words.is_whole
        yield SweepInput(id, path, label, words.unit, float(value), limit, is_whole, like)


def value_range(
    of: SweepInput, *, first: float | None = None, last: float | None = None, steps: int = STEPS
) -> FloatArray:
    """Values from today's to twice that, or from `first` to `last`; whole ones where they must be.

    Where today's can be no greater they come up to it; where nobody is left they go up to twice the
    users of the last time.

    >>> users = SweepInput("m1", "workload.active_users", "", "", 1000.0, Limit(ge=0), True)
    >>> value_range(users)[[0, 1, -1]].tolist()
    [1000.0, 1100.0, 2000.0]
    """
    most = math.inf if of.limit.le is None else of.limit.le
    end = 2 * (of.value or active_users(of.like).first) or 1.0
    if of.path == HOST_COUNT:
        end = of.value + STEPS - 1
    end = min(end, most) if last is None else last
    start = (of.value if of.value < most else most / 2) if first is None else first
    values = np.linspace(start, end, min(max(steps, 2), MOST_STEPS))
    if of.is_whole:  # today's stays what it is
        values = np.unique(np.where(values == of.value, values, np.round(values)))
    return values


def varied(scenario: Scenario, of: SweepInput, value: float) -> Scenario:
    """The scenario with another value of an input.

    Raises:
        ModelError: it can't be.
    """
    broken = of.limit.broken(value)
    if broken is not None:
        raise ModelError(broken, field=of.path)
    if of.is_whole and value == of.value:
        return scenario
    if of.path in (ALL_USERS, ALL_CHAT):
        grown = {vm.id: vm for vm in spread(of.like, round(value))}
        return replace(scenario, vms=tuple(grown.get(vm.id, vm) for vm in scenario.vms))
    if of.path == HOST_COUNT:
        return _with_hosts(scenario, round(value))
    given: float | int = round(value) if of.is_whole else value
    if not of.subject:
        return with_value(scenario, of.path, given)
    item = next(each for each in scenario.items() if each.id == of.subject)
    if of.path == USERS:
        after = scenario.with_item(*spread(of.like, given))
    else:
        after = scenario.with_item(_changed(item, of.path, given))
    check_structure(after)
    return after


def _changed(
    item: Cluster | Host | Pool | Vm, path: str, value: float
) -> Cluster | Host | Pool | Vm:
    changed: Cluster | Host | Pool | Vm = with_value(item, path, value)
    return changed


def _with_hosts(scenario: Scenario, count: int) -> Scenario:
    like, spare = _like_hosts(scenario)
    for _ in range(count - len(like)):
        scenario = add_host(scenario, like[-1].id).scenario
    left = len(spare) - max(len(like) - count, 0)
    if left < 0:
        raise ModelError(
            say_many(
                "{count} of these hosts carries VMs or is named by a rule, policy or waiver; "
                "only the others can be taken away",
                "{count} of these hosts carry VMs or are named by a rule, policy or waiver; "
                "only the others can be taken away",
                len(like) - len(spare),
            ),
            field=HOST_COUNT,
        )
    return scenario.without(host.id for host in spare[left:])


# --- what is looked at -------------------------------------------------------------------------


def sweep_outputs(scenario: Scenario, selected: Sequence[str]) -> tuple[SweepOutput, ...]:
    """The dials, then the numbers of what is selected."""
    found = [_dial(scenario, field) for field in DIALS]
    for table in ("vms", "hosts", "pools"):
        for item in getattr(scenario, table):
            if item.id in selected:
                found += [_number_of(scenario, table, item, field) for field in numbers_of(table)]
    return tuple(found)


def _dial(scenario: Scenario, field: str) -> SweepOutput:
    limit = 0.0 if field == FAILURE else _limit(scenario, field)
    return SweepOutput("dials", "", field, DIALS[field].swept, unit_of(field), limit)


def _number_of(scenario: Scenario, table: str, item: Host | Pool | Vm, field: str) -> SweepOutput:
    label = joined(": ", (item.name, title_of(field)))
    own = isinstance(item, Host) and item.hypervisor == NO_HYPERVISOR and field == "ram_pct"
    limit = None if own else _limit(scenario, field)
    return SweepOutput(table, item.id, field, label, unit_of(field), limit)


def _limit(scenario: Scenario, field: str) -> float | None:
    limit = PREDICTED[field].limit
    return None if limit is None else limit(scenario.policy)


def read(scenario: Scenario, prediction: Prediction, of: SweepOutput) -> Quantity:
    """The number in a prediction.

    Raises:
        ModelError: the item is not in it.
    """
    if of.table == "dials":
        return next(g.quantity for g in gauges(scenario, prediction) if g.field == of.field)
    found: Quantity = getattr(prediction, of.table).quantity(of.subject, of.field)
    return found


# --- the sweep ---------------------------------------------------------------------------------


def sweep(
    scenario: Scenario,
    knowledge: Knowledge,
    of: SweepInput,
    output: SweepOutput,
    values: npt.ArrayLike,
    *,
    years: float = 0.0,
    check: Callable[[], None] = lambda: None,
) -> Sweep:
    """The number at each of `values` of the input.

    Args:
        years: of growth after which the number is looked at; the input's values are today's.
        check: called before each point; may raise to give up.
    """
    points = np.asarray(values, dtype=np.float64)
    ends = np.full((3, len(points)), np.nan)
    verdict = np.full(len(points), -1, dtype=np.int8)
    causes: list[Cause | None] = [None] * len(points)
    for row, value in enumerate(points.tolist()):
        check()
        try:
            today = varied(scenario, of, value)
            there = grown(today, years) if years else today
            prediction = evaluate(there, knowledge)
            quantity = read(there, prediction, output)
        except ModelError:
            continue
        verdict[row], causes[row] = int(prediction.verdict), deciding(prediction)
        if quantity.value is not None:
            ends[:, row] = quantity.value, _end(quantity.low), _end(quantity.high)
    return Sweep(points, ends[0], ends[1], ends[2], verdict, tuple(causes))


def _end(value: float | None) -> float:
    return math.nan if value is None else value
