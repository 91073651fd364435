"""Curves for charts: one VM's response time against its users, all else as it is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from models.base.quantities import Basis, BoolArray, FloatArray, Series, says_nothing
from models.evidence.family_a import knee_users
from models.evidence.knowledge import Knowledge
from models.physics.arrays import Arrays
from models.physics.columns import sums_by
from models.physics.estimates import Estimate, Sources, at_most, known_ends, taken
from models.physics.people import owners_with
from models.physics.pools import pool_room
from models.physics.responses import (
    Loaded,
    path_of_others,
    predicted_responses,
    sharing_of,
)
from models.predict.demands import VmStage, demands_of, vm_stage
from models.scenario.scenario import Scenario, Vm

MOST_USERS = 1e6
"""Where the search for a crossing ends."""

_GRID = 322
"""Numbers of users that a search looks at, twice: it ends within 0.02 %."""

_PARTNER_GRID = 40


@dataclass(frozen=True, slots=True)
class MeasuredPoint:
    """A published response of the same configuration; `users` as the scenario counts them."""

    id: str
    users: float
    response_ms: float
    doubted: bool


@dataclass(frozen=True, slots=True)
class Crossing:
    """Users at which the response passes a limit, with the interval; None: not below a million.

    No run passed 1 s, so a crossing of it is *extrapolated* at best.
    """

    users: float | None
    low: float | None
    high: float | None
    basis: Basis

    @property
    def from_the_first(self) -> bool:
        """Whether already the first user finds it passed: the line lies above it all the way."""
        return self.users is not None and self.users <= 1.0


@dataclass(frozen=True, slots=True, eq=False)
class ResponseCurve:
    """Response of one VM over its active users.

    Attributes:
        users: active users, shape (m,).
        response_ms: shape (m,); no data where no family has a response time, and from where on its
            range says nothing.
        knee_users: active users that saturate the storage path of family A; None elsewhere.
        crossing: where the policy's response limit is passed.
        measured: published points of the same machine, path, RAM and release.
    """

    users: FloatArray
    response_ms: Series
    knee_users: float | None
    crossing: Crossing
    measured: tuple[MeasuredPoint, ...]

    @property
    def covered(self) -> BoolArray:
        """Where measurements lie around the line, (m,); beyond them it is drawn dashed.

        The data of a line end with the last published point of its machine, path, RAM and release.
        What its neighbours add in between is predicted: the basis of the number says that.
        """
        known = self.response_ms.basis <= Basis.INTERPOLATED
        at = [point.users for point in self.measured]
        if not at:
            return known
        within: BoolArray = (self.users >= min(at)) & (self.users <= max(at))
        return known | within


def response_curve(
    scenario: Scenario,
    knowledge: Knowledge,
    vm_id: str,
    users: npt.ArrayLike,
) -> ResponseCurve:
    """The response of VM `vm_id` at each of `users` (active users), the other VMs as they are.

    Each point is what `evaluate` gives for the scenario with that many users, registered ones in
    proportion, up to the first of which it is not known. Secondaries of Fault Tolerance are left
    out of the host's load.

    Raises:
        ModelError: there is no such VM, or an id in the scenario that leads nowhere.
    """
    fan = Fan(scenario, knowledge, scenario.vm(vm_id))
    points = np.asarray(users, dtype=np.float64)
    everywhere = np.geomspace(1.0, MOST_USERS, _GRID)
    stage, estimate = fan.at(np.concatenate([points, everywhere]))
    line = taken(estimate, np.arange(len(points)))
    vague = says_nothing(line.ends)
    line.drop(points >= points[vague].min(initial=np.inf))
    far = taken(estimate, np.arange(len(points), len(estimate)))
    return ResponseCurve(
        points,
        line.series(stage.inputs.sources),
        _knee(stage, scenario),
        _crossing(fan, everywhere, far, scenario.policy.response_limit_ms),
        _measured(stage, scenario),
    )


class Fan:
    """One VM with many numbers of users at once, beside neighbours that are worked out once."""

    def __init__(self, scenario: Scenario, knowledge: Knowledge, vm: Vm) -> None:
        self._policy, self._knowledge = scenario.policy, knowledge
        stage = demands_of(scenario, knowledge)
        self._arrays = stage.inputs.arrays
        self._row = scenario.vms.index(vm)
        self._seen, found = np.zeros(1), [self._others(self._arrays, stage)]
        if vm.cluster_partners:
            self._seen = np.append(0.0, np.geomspace(10.0, MOST_USERS, _PARTNER_GRID))
            found = [self._others_beside(users) for users in self._seen]
        self._busy, self._iops = (np.stack(ends, axis=1) for ends in zip(*found, strict=True))
        room = pool_room(self._arrays.pools)
        self._limits, self._miss_ms = room.limits, room.miss_ms
        path_beside = path_of_others(stage.inputs, stage.by_law.alone)
        self._path_beside = float(path_beside[self._row])

    def _stage(self, arrays: Arrays) -> VmStage:
        derating = self._policy.derating
        return vm_stage(arrays, derating, self._knowledge, Sources())

    def _others_beside(self, users: float) -> tuple[FloatArray, FloatArray]:
        """The same with this VM at a number of users, for its partners in a Domino cluster have
        more to do the more users it has itself."""
        vms = self._arrays.vms
        count = vms.active_users.copy()
        count[self._row] = users
        peopled = replace(vms, active_users=count, registered_users=owners_with(vms, count))
        arrays = replace(self._arrays, vms=peopled)
        return self._others(arrays, self._stage(arrays))

    def _others(self, arrays: Arrays, stage: VmStage) -> tuple[FloatArray, FloatArray]:
        """What the other VMs load its host and its pool with, with ends, (3,) each; of CPU that
        nobody knows all their vCPUs at the high end, as `evaluate` has it."""
        vms = arrays.vms
        others = np.arange(len(vms)) != self._row
        place, pool = np.where(others, vms.place, -1), np.where(others & vms.running, vms.pool, -1)
        cores = known_ends(at_most(stage.cores, vms.vcpus), vms.vcpus)
        busy = sums_by(place, cores, len(arrays.hosts))
        iops = sums_by(pool, known_ends(stage.io), len(arrays.pools))
        return _here(busy, vms.host[self._row]), _here(iops, vms.pool[self._row])

    def at(self, users: FloatArray) -> tuple[VmStage, Estimate]:
        """The VM at each of these numbers of active users: its demands and its response, however
        wide its range is: where a limit is passed it says something all the same."""
        rows = np.full(len(users), self._row)
        vm = self._arrays.vms.taken(rows)
        vm = replace(vm, active_users=users, registered_users=owners_with(vm, users))
        stage = self._stage(replace(self._arrays, vms=vm))
        inputs, own_iops = stage.inputs, np.fmax(stage.io.ends, 0.0)
        nothing = np.zeros((3, len(users)))
        loaded = Loaded(
            host_busy=self._between(self._busy, users) + stage.asked_ends,
            pool_iops=self._between(self._iops, users) + own_iops,
            pool_limits=_of_pool(self._limits, vm.pool, nothing),
            pool_miss_ms=_of_pool(self._miss_ms[None], vm.pool, nothing)[0],
        )
        sharing = sharing_of(inputs, loaded, own_cores=stage.asked_ends, own_iops=own_iops)
        beside = np.full(len(users), self._path_beside)
        found = predicted_responses(inputs, stage.by_law, sharing, beside, however_wide=True)
        return stage, found.estimate

    def _between(self, ends: FloatArray, users: FloatArray) -> FloatArray:
        """Read off between the numbers of users that were looked at, (3, m)."""
        return np.array([np.interp(users, self._seen, end) for end in ends])


def _here(loads: FloatArray, position: np.int64) -> FloatArray:
    """The load of one place with its ends; NaN for no place."""
    if position < 0:
        return np.full(3, np.nan)
    return np.fmax(loads[:, position], 0.0)


def _of_pool(
    figures: FloatArray, position: npt.NDArray[np.int64], nothing: FloatArray
) -> FloatArray:
    """Figures of the VM's pool, for each number of users; NaN where it has none."""
    if not len(position) or position[0] < 0:
        return np.full_like(nothing, np.nan)
    return figures[:, position] + nothing


def _knee(stage: VmStage, scenario: Scenario) -> float | None:
    laws = stage.inputs.laws
    if not laws.knee[:1].any():
        return None
    knee = knee_users(
        stage.inputs.calibration.law,
        platform=laws.platform[:1],
        storage=laws.storage[:1],
        ram_gib=stage.inputs.ram_gib[:1],
    )
    return float(knee[0] / laws.knee[0] / scenario.policy.derating.mail)


def _measured(stage: VmStage, scenario: Scenario) -> tuple[MeasuredPoint, ...]:
    inputs = stage.inputs
    if not len(inputs.users) or not (inputs.laws.family_a & inputs.laws.as_measured)[0]:
        return ()
    platform, storage = int(inputs.laws.platform[0]), int(inputs.laws.storage[0])
    return tuple(
        MeasuredPoint(run.id, run.users / scenario.policy.derating.mail, run.value, run.doubted)
        for run in inputs.calibration.runs
        if run.quantity == "response_ms"
        and (run.platform, run.storage) == (platform, storage)
        and abs(inputs.ram_gib[0] / run.ram_gib - 1) <= 0.01
    )


def _crossing(fan: Fan, users: FloatArray, estimate: Estimate, limit_ms: float) -> Crossing:
    """Where value, high and low end pass the limit: looked for among `users`, then in between."""
    if not estimate.known.any():
        return Crossing(None, None, None, Basis.NO_DATA)
    curves = (estimate.value, estimate.high, estimate.low)
    lows, highs = zip(*(_bracket(users, curve, limit_ms) for curve in curves), strict=True)
    grids = np.geomspace(lows, highs, _GRID, axis=1)
    _, near = fan.at(grids.ravel())
    if not near.known.any():
        return Crossing(None, None, None, Basis.NO_DATA)
    curves = (near.value, near.high, near.low)
    ends = [
        _bracket(grid, curve.reshape(grids.shape)[row], limit_ms)
        for row, (grid, curve) in enumerate(zip(grids, curves, strict=True))
    ]
    found = [low if high < MOST_USERS else None for low, high in ends]
    basis = Basis(max(int(near.basis.min()), Basis.EXTRAPOLATED))
    return Crossing(found[0], found[1], found[2], basis)


def _bracket(grid: FloatArray, curve: FloatArray, limit: float) -> tuple[float, float]:
    above = np.flatnonzero(curve > limit)
    if not len(above):
        return MOST_USERS, MOST_USERS
    first = int(above[0])
    return float(grid[max(first - 1, 0)]), float(grid[first])
