"""Storms: everybody reconnects at once, or comes back from a holiday; who waits, and how long.

Each server's users are a closed population that thinks, asks its vCPUs and asks its pool; the
demands are those of the prediction, the storm's inputs are assumed (`Scenario.assumptions`). What
the fluid adds to an undisturbed action is added to the predicted response time. How good the fluid
is says `docs/failures.md`; how much a login costs was never published.

WV21, "Lotus Domino and Lotus Sametime Software on VMware ESX in Production Environments": "Having
additional vCPUs available can help to recover from network outages. Think what happens if your WAN
link goes down for 30 seconds: users get disconnected and will attempt to reconnect all at once".
"developerWorks: Domino 7 in production on zSeries": "A worst-case scenario is the first day after
a holiday or a DPAR restart in the middle of prime shift, where a large number of users are all
logging into the DPAR in a very short period of time".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from models.base.errors import ModelError
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.texts import Text, say
from models.evidence.knowledge import Knowledge
from models.failure.restart_time import ASSUMED, AssumedInput, assumed_inputs, origin_word
from models.physics.arrays import Arrays
from models.physics.estimates import NoSources
from models.predict.demands import demands_of
from models.scenario.scenario import Scenario
from models.stages import Undisturbed, undisturbed
from models.transient.network import ClosedNetwork, Disturbance, Transient, run_storm

Check = Callable[[], None]

HORIZON_S = 4 * 3600.0
MOST_VCPUS = 64
LEAST_SHARE = 0.05
"""Of a host's cores or a pool's I/O: what other load leaves at least, so that a storm can end."""

NO_DISK_S = 1e-6
SOURCE = say(
    "VMworld 2007 WV21, “Lotus Domino and Lotus Sametime Software on VMware ESX in Production "
    "Environments”: additional vCPUs help to recover from network outages; developerWorks: "
    "Domino 7 in production on zSeries: the first day after a holiday is a worst case"
)


class StormKind(StrEnum):
    """What brings everybody in at once."""

    RECONNECT = "reconnect"
    HOLIDAY = "holiday"

    @property
    def label(self) -> Text:
        return _KINDS[self]


_KINDS = {StormKind.RECONNECT: say("reconnect"), StormKind.HOLIDAY: say("after a holiday")}


_FIELDS = {
    StormKind.RECONNECT: ("reconnect_s", "login_actions"),
    StormKind.HOLIDAY: ("holiday_login_s", "login_actions", "holiday_peak_factor", "holiday_s"),
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ServerStorm:
    """A server in the storm.

    Attributes:
        vm: id; `users` that it has.
        offline: users that have not logged in yet; `waiting`: those in a login or an action, (t,).
        extra_ms: what an action takes longer than undisturbed, (t,).
        response_ms: predicted response with it, (t,); None: no response time is known.
        login_ms: how long a login takes, (t,).
        peak_response_ms, peak_extra_ms, peak_at_s: at the worst moment.
        peak_waiting: most users that wait at once.
        drained_s: when 95 % of the worst excess is gone, from the start; None: not within hours.
    """

    vm: str
    users: float
    offline: FloatArray
    waiting: FloatArray
    extra_ms: FloatArray
    response_ms: FloatArray | None
    login_ms: FloatArray
    peak_response_ms: float | None
    peak_extra_ms: float
    peak_at_s: float
    peak_waiting: float
    drained_s: float | None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StormStudy:
    """How a storm goes over a scenario.

    Attributes:
        inputs: what it was worked out with, and where each comes from.
        time_s: moments from its start, (t,).
        servers: those with users and CPU data, in the scenario's order.
        waiting, offline: of all of them, (t,).
        silent: ids of servers with users of which no CPU is known, `refused`: of those that can't
            be powered on; they are left out.
    """

    kind: StormKind
    inputs: tuple[AssumedInput, ...]
    time_s: FloatArray
    servers: tuple[ServerStorm, ...]
    waiting: FloatArray
    offline: FloatArray
    silent: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def is_any(self) -> bool:
        """There is a server with users, be it left out."""
        return bool(self.servers or self.silent or self.refused)

    @property
    def worst(self) -> ServerStorm | None:
        """The server whose actions take longest in addition."""
        return max(self.servers, key=lambda each: each.peak_extra_ms, default=None)

    @property
    def drained_s(self) -> float | None:
        """When all of them are through; None: not within hours, or there is none."""
        ends = [each.drained_s for each in self.servers]
        return None if None in ends else max((end for end in ends if end is not None), default=None)


def storms_asked(scenario: Scenario) -> tuple[StormKind, ...]:
    """The storms whose inputs somebody has stated: a proposal speaks of no other."""
    return tuple(kind for kind in StormKind if _is_stated(scenario, kind))


def _is_stated(scenario: Scenario, kind: StormKind) -> bool:
    """What only this storm asks for; the work of a login belongs to both."""
    own = [name for name in _FIELDS[kind] if name != "login_actions"]
    return any(origin_word(scenario, name) != ASSUMED for name in own)


def storm_inputs(kind: StormKind) -> tuple[str, ...]:
    """Fields of the assumptions that a storm is worked out with."""
    return _FIELDS[kind]


def study_storm(
    scenario: Scenario,
    knowledge: Knowledge,
    kind: StormKind,
    *,
    check: Check = lambda: None,
) -> StormStudy:
    """Let a storm go over the scenario as it stands.

    Args:
        check: called at every step of time; may raise to give up.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    normal = _normal(scenario, knowledge)
    rows = np.flatnonzero(_stormy(normal))
    went = _run(normal, rows, _disturbance(scenario, kind), None, check)
    arrays = normal.vm.inputs.arrays
    derating = scenario.policy.derating.mail
    drained = went.drained_s[0].tolist()
    servers = tuple(
        _server(normal, went, position, row, derating, drained[position])
        for position, row in enumerate(rows.tolist())
    )
    left_out = (normal.vm.inputs.users > 0) & arrays.vms.running & ~_stormy(normal)
    return StormStudy(
        kind=kind,
        inputs=assumed_inputs(scenario, _FIELDS[kind]),
        time_s=went.time_s,
        servers=servers,
        waiting=went.waiting[:, 0].sum(axis=1) / derating,
        offline=went.offline[:, 0].sum(axis=1) / derating,
        silent=_ids(arrays, left_out & ~arrays.refused),
        refused=_ids(arrays, left_out & arrays.refused),
    )


def vcpus_to_drain(
    scenario: Scenario,
    knowledge: Knowledge,
    kind: StormKind,
    *,
    vm: str,
    within_s: float,
) -> int | None:
    """Fewest vCPUs, not fewer than it has, with which a server is through in this time.

    None when not even all cores of its host are enough.

    Raises:
        ModelError: there is no such VM, nothing is known of its CPU, or it can't be powered on.
    """
    return drain_times(scenario, knowledge, kind, vm=vm).fewest(within_s)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DrainTimes:
    """How soon a server is through with so many vCPUs.

    Attributes:
        vm: its id; `has`: vCPUs that it has.
        vcpus: from those it has to all cores of its host, (k,).
        drained_s: from the start of the storm, (k,); infinite: not within hours.
    """

    vm: str
    has: int
    vcpus: IntArray
    drained_s: FloatArray

    def fewest(self, within_s: float) -> int | None:
        """The fewest with which it is through in this time; None: no number of them."""
        enough = self.vcpus[self.drained_s <= within_s]
        return int(enough[0]) if len(enough) else None


def drain_times(
    scenario: Scenario,
    knowledge: Knowledge,
    kind: StormKind,
    *,
    vm: str,
    check: Check = lambda: None,
) -> DrainTimes:
    """The storm with ever more vCPUs in one server, side by side.

    More vCPUs take nothing from the others' undisturbed load, but share the host's cores with
    their storm.

    Args:
        check: called at every step of time; may raise to give up.

    Raises:
        ModelError: there is no such VM, nothing is known of its CPU, or it can't be powered on.
    """
    row = [each.id for each in scenario.vms].index(scenario.vm(vm).id)
    normal = _normal(scenario, knowledge)
    if not _stormy(normal)[row]:
        raise ModelError(
            say("has no users, no CPU data, or can’t be powered on"), field=f"vms[{row}]"
        )
    rows = np.flatnonzero(_stormy(normal))
    arrays = normal.vm.inputs.arrays
    most = int(min(arrays.vms.at.cores[row], MOST_VCPUS))
    tried = np.arange(scenario.vms[row].vcpus, max(most, scenario.vms[row].vcpus) + 1)
    vcpus = np.tile(arrays.vms.vcpus[rows], (len(tried), 1))
    at = int(np.flatnonzero(rows == row)[0])
    vcpus[:, at] = tried
    went = _run(normal, rows, _disturbance(scenario, kind), vcpus, check, only=at)
    has = scenario.vms[row].vcpus
    return DrainTimes(vm=vm, has=has, vcpus=tried, drained_s=went.drained_s[:, 0])


def _normal(scenario: Scenario, knowledge: Knowledge) -> Undisturbed:
    vm = demands_of(scenario, knowledge, NoSources())
    return undisturbed(vm, scenario.policy)


def _stormy(normal: Undisturbed) -> BoolArray:
    """Servers with users that run and whose CPU is known."""
    vm = normal.vm
    known = vm.cores.known & (np.nan_to_num(vm.cores.value) > 0)
    return np.asarray(vm.inputs.arrays.started & (vm.inputs.users > 0) & known)


def _ids(arrays: Arrays, which: BoolArray) -> tuple[str, ...]:
    return tuple(arrays.vms.ids[row] for row in np.flatnonzero(which).tolist())


def _disturbance(scenario: Scenario, kind: StormKind) -> Disturbance:
    given = scenario.assumptions
    if kind is StormKind.RECONNECT:
        return Disturbance(login_s=given.reconnect_s, login_actions=given.login_actions)
    return Disturbance(
        login_s=given.holiday_login_s,
        login_actions=given.login_actions,
        activity=given.holiday_peak_factor,
        active_s=given.holiday_s,
    )


def _run(
    normal: Undisturbed,
    rows: np.ndarray,
    storm: Disturbance,
    vcpus: FloatArray | None,
    check: Check,
    only: int | None = None,
) -> Transient:
    network = _network(normal, rows, vcpus)
    horizon = HORIZON_S + max(storm.login_s, storm.active_s)
    return run_storm(network, storm, horizon_s=horizon, check=check, only=only)


def _network(normal: Undisturbed, rows: np.ndarray, vcpus: FloatArray | None) -> ClosedNetwork:
    """The servers `rows` as a closed network; all other load is taken off cores and pools."""
    vm, arrays = normal.vm, normal.vm.inputs.arrays
    users, hosts = vm.inputs.users[rows], arrays.hosts
    think = vm.inputs.calibration.law.think_time_ms / 1000.0
    own = np.minimum(vm.cores.value, arrays.vms.vcpus)[rows]
    others = np.nan_to_num(normal.host.cores_busy.value)
    others = others - np.bincount(arrays.vms.host[rows], own, len(hosts))
    pool, disk_s, drives = _disks(normal, rows, think)
    return ClosedNetwork(
        users=users,
        think_s=think,
        cpu_s=vm.cores.value[rows] * think / users,
        disk_s=disk_s,
        vcpus=arrays.vms.vcpus[rows][None] if vcpus is None else vcpus,
        host=arrays.vms.host[rows],
        pool=pool,
        cores=np.maximum(hosts.cores - others, LEAST_SHARE * hosts.cores),
        disks=drives,
    )


def _disks(
    normal: Undisturbed, rows: np.ndarray, think: float
) -> tuple[np.ndarray, FloatArray, FloatArray]:
    """Pool of each server, disk time of its actions [s], and drives that work at once per pool.

    An I/O asks for what it asks of the drives on average; as many drives work at once as carry the
    pool's I/O with that. Servers without a pool or without I/O data ask for nothing.
    """
    vm, stage, arrays = normal.vm, normal.pool, normal.vm.inputs.arrays
    io = np.nan_to_num(vm.io.value)
    limit = np.where(stage.limit_iops > 0, stage.limit_iops, np.nan)
    own = np.bincount(arrays.vms.pool[rows] + 1, io[rows], len(limit) + 1)[1:]
    left = limit - (np.nan_to_num(stage.iops.value) - own)
    left = np.maximum(left, LEAST_SHARE * limit)
    service = np.fmax(np.nan_to_num(stage.miss_ms) / 1000.0, 1.0 / left)
    pool = np.where(
        np.append(np.isnan(left), True)[arrays.vms.pool[rows]], -1, arrays.vms.pool[rows]
    )
    each = np.append(service, 0.0)[pool]
    asked = io[rows] * think / vm.inputs.users[rows] * np.nan_to_num(each)
    drives = np.nan_to_num(left * service, nan=1.0)
    return pool, np.maximum(asked, NO_DISK_S), drives


def _server(
    normal: Undisturbed,
    went: Transient,
    position: int,
    row: int,
    derating: float,
    drained_s: float,
) -> ServerStorm:
    extra = np.maximum(went.action_s[:, 0, position] - went.settled_s[0, position], 0.0) * 1000.0
    predicted = float(normal.responses.estimate.value[row])
    response = None if np.isnan(predicted) else predicted + extra
    worst = int(extra.argmax())
    return ServerStorm(
        vm=normal.vm.inputs.arrays.vms.ids[row],
        users=float(normal.vm.inputs.users[row]) / derating,
        offline=went.offline[:, 0, position] / derating,
        waiting=went.waiting[:, 0, position] / derating,
        extra_ms=extra,
        response_ms=response,
        login_ms=went.login_s[:, 0, position] * 1000.0,
        peak_response_ms=None if response is None else float(response[worst]),
        peak_extra_ms=float(extra[worst]),
        peak_at_s=float(went.time_s[worst]),
        peak_waiting=float(went.waiting[:, 0, position].max()) / derating,
        drained_s=drained_s if np.isfinite(drained_s) else None,
    )
