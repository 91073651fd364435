"""The network's response beside the one that is shown, and where the two part.

Both are sums of the same four parts, so that their difference is one: an idle response, waiting
that the server's own law has (in the network: for its virtual CPUs), for drives, for cores.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum

import numpy as np

from models.base import rounding
from models.base.quantities import FloatArray, IntArray, Quantity
from models.evidence.family_a import knee_users
from models.evidence.knowledge import Knowledge
from models.predict.demands import demands_of
from models.scenario.scenario import Scenario
from models.second_opinion.demands import Demands, demands_at_stations, like_servers, shares
from models.second_opinion.network import ENOUGH, MOST_QUEUES, Names, Plan, Solved, plan_of, solved
from models.stages import Undisturbed, undisturbed

MOST_CLASSES = 24
"""Servers that are a class of their own; of more, such as are like each other are one."""

SAME = 0.05
"""Difference up to which two responses are called the same."""

NOTABLE = 0.05
"""Share of a station's servers from which on VMs without a response are named as a reason."""


class Agreement(Enum):
    """How the network's response stands to the one that is shown."""

    SAME = "same"
    WITHIN = "within"
    EXPLAINED = "explained"
    OPEN = "open"


class Cause(Enum):
    """Where most of the difference comes from."""

    NONE = "none"
    IDLE = "idle"
    STRETCH = "stretch"
    KNEE = "knee"
    DRIVES = "drives"
    CORES = "cores"
    OPEN_LOAD = "open load"


@dataclass(frozen=True, slots=True)
class Parts:
    """A response as a sum [ms]."""

    idle: float
    own: float
    drives: float
    cores: float

    @property
    def total(self) -> float:
        return self.idle + self.own + self.drives + self.cores


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One server: what is shown and what the network says.

    Attributes:
        vm: id; `like` ids of the servers that it stands for.
        shown, closed: what is shown, and its parts; `solved` those of the network.
        rest_ms: part of the idle response that no station has.
        cpu_ms: CPU of an action; in the network nothing else waits for virtual CPUs.
        knee_users: users at which family A's knee is taken to be [benchmark users]; None for none.
    """

    vm: str
    like: tuple[str, ...]
    shown: Quantity
    closed: Parts
    solved: Parts
    rest_ms: float
    cpu_ms: float
    knee_users: float | None
    cause: Cause
    agreement: Agreement

    @property
    def network_ms(self) -> float:
        return self.solved.total

    @property
    def ratio(self) -> float:
        """The network's response over the one that is shown."""
        return self.solved.total / self.closed.total


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """The whole.

    Attributes:
        plan, solved: the network and its solution; None where no server has a response.
        servers: one a class of the network, in its order.
        silent: ids of running VMs without a response; what is known of them is open load.
        crowded: ids of servers where those alone fill a station.
        shared: names of pools of which several drives are one queue.
    """

    plan: Plan | None = None
    solved: Solved | None = None
    servers: tuple[Beside, ...] = ()
    silent: tuple[str, ...] = ()
    crowded: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()

    @property
    def method(self) -> str:
        return "" if self.solved is None else self.solved.solution.method

    @property
    def error(self) -> float:
        """Estimated relative error of the network's responses; infinite where none was found."""
        if self.solved is None:
            return math.inf
        mismatch = self.solved.mismatch
        return self.solved.solution.error_estimate + (mismatch if mismatch > ENOUGH else 0.0)

    def of(self, vm: str) -> Beside | None:
        """What the network says of a VM, or of the one that stands for it."""
        return next((each for each in self.servers if vm == each.vm or vm in each.like), None)


def second_opinion(
    scenario: Scenario,
    knowledge: Knowledge,
    tick: Callable[[float], None] = lambda _share: None,
) -> Opinion:
    """The scenario as a network of queues, solved, beside its responses in normal operation.

    Args:
        tick: told the share that is done; what it raises ends the work.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    normal = undisturbed(demands_of(scenario, knowledge), scenario.policy)
    asks = demands_at_stations(normal)
    vms = normal.vm.inputs.arrays.vms
    silent = np.flatnonzero(vms.running & ~normal.responses.estimate.known)
    crowded = tuple(vms.ids[row] for row in asks.left_out)
    quiet = tuple(vms.ids[row] for row in silent)
    if not len(asks.rows):
        return Opinion(silent=quiet, crowded=crowded)
    group, width = like_servers(asks, MOST_CLASSES)
    plan = plan_of(asks, group, width, _names(scenario))
    found = solved(plan, tick)
    pools = {int(pool) for pool in asks.pool if pool >= 0 and asks.drives[pool] > MOST_QUEUES}
    return Opinion(
        plan=plan,
        solved=found,
        servers=tuple(_beside(normal, asks, plan, found, group)),
        silent=quiet,
        crowded=crowded,
        shared=tuple(scenario.pools[pool].name for pool in sorted(pools)),
    )


def _names(scenario: Scenario) -> Names:
    return Names(
        tuple(vm.name for vm in scenario.vms),
        tuple(host.name for host in scenario.hosts),
        tuple(pool.name for pool in scenario.pools),
    )


def _beside(
    normal: Undisturbed, asks: Demands, plan: Plan, found: Solved, group: IntArray
) -> Iterator[Beside]:
    vms, responses = normal.vm.inputs.arrays.vms, normal.responses
    first = np.unique(group, return_index=True)[1]
    column = responses.estimate.series(normal.vm.inputs.sources)
    knee = _knees(normal)
    waits = _waits(plan, found)
    open_share = _open_share(asks)
    for r, (j, row) in enumerate(zip(first, plan.rows, strict=True)):
        base = float(responses.alone.base_ms[row])
        own, value = float(responses.off_host.own_ms[row]), float(responses.estimate.value[row])
        with_disks = float(responses.off_host.standing.with_disks[0, row])
        closed = Parts(
            base,
            own - base,
            rounding.difference(with_disks, own),
            rounding.difference(value, with_disks),
        )
        idle = 1000.0 * float((asks.cpu_s + asks.drive_s + asks.rest_s)[j])
        beside = Parts(idle, *map(float, waits[:, r]))
        shown = column[int(row)]
        has_knee = not math.isnan(knee[row])
        cause = _cause(closed, beside, has_knee=has_knee, is_open=open_share[j] >= NOTABLE)
        others = np.flatnonzero(group == group[j])[1:]
        yield Beside(
            vm=vms.ids[row],
            like=tuple(vms.ids[asks.rows[other]] for other in others),
            shown=shown,
            closed=closed,
            solved=beside,
            rest_ms=1000.0 * float(asks.rest_s[j]),
            cpu_ms=1000.0 * float(asks.cpu_s[j]),
            knee_users=float(knee[row]) if has_knee else None,
            cause=cause,
            agreement=_agreement(shown, beside.total, closed.total, cause),
        )


def _waits(plan: Plan, found: Solved) -> FloatArray:
    """Waiting for virtual CPUs, drives and cores [ms], (3, classes)."""
    residence = plan.of_places(found.solution.residence_time)
    waits = np.zeros((3, len(plan.rows)))
    kinds = {"vcpus": 0, "drives": 1, "cores": 2}
    for place, spent in zip(plan.places, residence, strict=True):
        if place.kind in kinds:
            waited = np.where(
                spent > place.demand_s * (1.0 + rounding.SAME), spent - place.demand_s, 0.0
            )
            waits[kinds[place.kind]] += 1000.0 * waited
    return waits


def _knees(normal: Undisturbed) -> FloatArray:
    """Users at which the path of family A is taken to be full, where it decides; NaN elsewhere."""
    inputs, alone = normal.vm.inputs, normal.responses.alone
    laws = inputs.laws
    where = {"platform": laws.platform, "storage": laws.storage, "ram_gib": inputs.ram_gib}
    knee = np.full(len(inputs.users), np.nan)
    if laws.some_a:
        counts = laws.family_a & (laws.knee > 0) & (alone.path * laws.knee >= 0.999 * alone.load)
        users = knee_users(inputs.calibration.law, **where) / np.fmax(laws.knee, 1e-9)
        np.copyto(knee, users, where=counts)
    return knee


def _open_share(asks: Demands) -> FloatArray:
    """Share that VMs without a response have of the cores or drives of each server, where these
    are asked for more than they can do; nothing elsewhere, (m,)."""
    hosts, pools = shares(asks)
    cores = np.where((hosts >= 1.0) & asks.contended, asks.others_cores / asks.cores, 0.0)
    drives = np.where(pools >= 1.0, asks.others_drives / np.fmax(asks.drives, 1.0), 0.0)
    found: FloatArray = np.maximum(cores[asks.host], np.append(drives, 0.0)[asks.pool])
    return found


def _cause(closed: Parts, beside: Parts, *, has_knee: bool, is_open: bool) -> Cause:
    if abs(beside.total / closed.total - 1.0) <= SAME:
        return Cause.NONE
    differences = {
        Cause.IDLE: beside.idle - closed.idle,
        Cause.KNEE if has_knee else Cause.STRETCH: beside.own - closed.own,
        Cause.DRIVES: beside.drives - closed.drives,
        Cause.CORES: beside.cores - closed.cores,
    }
    sign = math.copysign(1.0, beside.total - closed.total)
    found = max(differences, key=lambda cause: sign * differences[cause])
    return Cause.OPEN_LOAD if is_open and found in (Cause.DRIVES, Cause.CORES) else found


def _agreement(shown: Quantity, network: float, value: float, cause: Cause) -> Agreement:
    if cause is Cause.NONE:
        return Agreement.SAME
    low, high = shown.low, shown.high
    if low is not None and high is not None and low <= network <= high:
        return Agreement.WITHIN
    return Agreement.OPEN if cause is Cause.KNEE else Agreement.EXPLAINED
