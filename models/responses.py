"""Response times of VMs among their neighbours, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models import response
from models.arrays import sum_by
from models.cpu import neighbour_ratio, waiting_ratio
from models.demand import SETTING_HALF_WIDTH
from models.estimates import EXTRAPOLATED, MEASURED, NO_DATA, TRANSFERRED, Estimate
from models.family_a import response_at_load
from models.family_constants import USERS_PER_VM
from models.loads import LARGEST_HALF_WIDTH, Inputs
from models.quantities import BoolArray, FloatArray, IntArray
from models.response import Alone, Cores, Disks, Parts
from models.storage import REFERENCE_LIMIT_IOPS
from models.uncertainty import HalfWidths, log_half_width, response_interval

RESPONSE = "response_ms"

UNDISTURBED = 1.01
"""Response over that of the VM alone up to which it counts as alone."""

SINGLE_POINT_HALF_WIDTH = 0.30
"""What family B's response adds to family A's half width: one run, whose shape in the number of
users is borrowed from family A. Stated, not measured."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sharing:
    """What VMs share, shape (3, n) where it has an interval (value, low, high), else (n,).

    Attributes:
        cores: each VM's host.
        disks: each VM's pool; `miss_ms`: what an I/O asks of its drives, NaN without a pool.
    """

    cores: Cores
    disks: Disks
    miss_ms: FloatArray

    @cached_property
    def host_load(self) -> FloatArray:
        """Load of its host over its cores [1]."""
        return np.asarray(self.cores.busy[0] / self.cores.cores)

    @cached_property
    def ready_ratio(self) -> FloatArray:
        """Ready over run time of each VM."""
        at = self.cores
        waits = waiting_ratio(at.cores, at.busy[0])
        alone = waiting_ratio(np.maximum(at.cores, at.reference_cores), at.own[0])
        return neighbour_ratio(at.cores, at.busy[0], at.own[0], waits, alone)


@dataclass(frozen=True, slots=True, eq=False)
class Responses:
    """Predicted responses, the VMs alone, what they share, and the parts of the sums.

    Attributes:
        half_width: behind the intervals, (n,).
        with_disks: R_own + Δ(disks) with its ends, (3, n).
    """

    estimate: Estimate
    alone: Alone
    parts: Parts
    half_width: FloatArray
    with_disks: FloatArray


def predicted_responses(
    inputs: Inputs, load: Estimate, sharing: Sharing, path_beside: FloatArray | None = None
) -> Responses:
    """Response time of every running VM; no data for Sametime, iNotes and generic servers.

    The ends of the interval add the ends of the parts: of the law; of what neighbours load, with
    their demands and the pool's limit at their low and high end, times the law's own factor. Where
    servers of family A share host and pool, the high end takes them for one server: what makes the
    knee is not known, so it could be what they share.

    Args:
        path_beside: load that those others put on the storage path, (n,); None: as they stand.
    """
    vms, think = inputs.arrays.vms, inputs.calibration.law.think_time_ms
    alone = alone_of(inputs, load)
    width, basis, evidence, measured = family_parts(inputs)
    if path_beside is None:
        path_beside = path_of_others(inputs, alone)
    knee = np.fmax(alone.load, alone.path + path_beside)
    own = own_ends(alone, width, knee, think)
    parts = response.parts(alone, sharing.miss_ms)
    disks = response.with_disks(own, parts, sharing.disks, think_time_ms=think)
    disks = widened(own, disks, width)
    ends = response.with_cores(disks, parts, sharing.cores, think_time_ms=think)
    ends = widened(disks, ends, width)
    disturbed = ends[0] > UNDISTURBED * own[0]
    estimate = Estimate(ends[0], ends[1], ends[2], basis, evidence, measured)
    estimate.weaken(disturbed | (vms.pool < 0), TRANSFERRED)
    estimate.drop(~vms.running | np.isnan(estimate.value))
    return Responses(estimate, alone, parts, width, disks)


def alone_of(inputs: Inputs, load: Estimate) -> Alone:
    """The VMs without neighbours, under the load they ask for."""
    vms, calibration = inputs.arrays.vms, inputs.calibration
    return response.alone(
        inputs.laws,
        users=inputs.users,
        ram_gib=inputs.ram_gib,
        core_seconds=load.value,
        vcpus=vms.vcpus,
        clustered=vms.clustered,
        law=calibration.law,
        constants=calibration.constants,
    )


def own_ends(alone: Alone, width: FloatArray, knee: FloatArray, think: float) -> FloatArray:
    """R_own with its ends [ms], shape (3, n); `knee`: load of the high end."""
    value = response_at_load(alone.base_ms, alone.load, think_time_ms=think)
    low, _ = response_interval(alone.base_ms, alone.load, width, think_time_ms=think)
    _, high = response_interval(alone.base_ms, knee, width, think_time_ms=think)
    return np.array([value, low, high])


def widened(before: FloatArray, after: FloatArray, width: FloatArray) -> FloatArray:
    """What was added, times e^∓t at the ends."""
    factor = np.exp(np.minimum(width, LARGEST_HALF_WIDTH))
    added = after - before
    ends: FloatArray = before + added * np.array([np.ones(len(width)), 1 / factor, factor])
    return ends


def path_of_others(inputs: Inputs, alone: Alone) -> FloatArray:
    """Load that the other servers of family A on a VM's host and pool put on the path (n,)."""
    group = groups(inputs)
    if not (group >= 0).any():
        return np.zeros(len(group))
    together = sum_by(group, alone.path, int(group.max()) + 1)
    return np.where(group >= 0, np.maximum(together[group] - alone.path, 0.0), 0.0)


def groups(inputs: Inputs) -> IntArray:
    """Number of the host and pool that each running VM of family A stands on, −1 for others."""
    vms = inputs.arrays.vms
    there = inputs.laws.family_a & vms.running & (vms.pool >= 0)
    return np.where(there, vms.host * len(inputs.arrays.pools) + vms.pool, -1)


def family_parts(
    inputs: Inputs,
) -> tuple[FloatArray, np.ndarray, np.ndarray, FloatArray]:
    """Half width, basis, evidence and measured figure of every VM by its family."""
    laws, calibration = inputs.laws, inputs.calibration
    count = len(inputs.users)
    width, measured = np.full(count, np.nan), np.full(count, np.nan)
    basis = np.full(count, NO_DATA, dtype=np.int8)
    evidence = np.zeros(count, dtype=np.int32)
    a, b = laws.family_a, laws.family_b
    if a.any():
        cover = inputs.family_a(RESPONSE)
        width[a] = _half_width(
            calibration.uncertainty.response,
            steps_outside=cover.steps,
            measured_configuration=cover.configuration_measured,
            transfer=laws.cpu_half_width[a],
        )
        basis[a], evidence[a], measured[a] = cover.basis, cover.evidence, cover.measured
    if b.any():
        figure = calibration.constants.cluster85.response_ms
        member = inputs.arrays.vms.clustered
        mail = laws.family_b[inputs.family_b.where]
        at_home = laws.as_measured & (laws.cpu_factor == 1.0)
        code, itself = (part[mail] for part in inputs.family_b.basis(at_home, inputs.exact_users))
        width[b] = _half_width(
            calibration.uncertainty.response,
            steps_outside=inputs.family_b.steps[mail],
            measured_configuration=False,
            transfer=np.hypot(laws.cpu_half_width[b], SINGLE_POINT_HALF_WIDTH),
        )
        run = itself & member[b]
        beyond = np.where(inputs.users[b] > USERS_PER_VM, EXTRAPOLATED, code)
        basis[b] = np.where(run, MEASURED, np.where(member[b], beyond, TRANSFERRED))
        evidence[b] = inputs.sources.code(figure.evidence)
        measured[b] = np.where(run, figure.value, np.nan)
    width = np.where(inputs.arrays.vms.pool < 0, np.hypot(width, SETTING_HALF_WIDTH), width)
    return width, basis, evidence, measured


def _half_width(
    widths: HalfWidths,
    *,
    steps_outside: FloatArray,
    measured_configuration: BoolArray | bool,
    transfer: FloatArray,
) -> FloatArray:
    width = log_half_width(
        widths,
        steps_outside=steps_outside,
        measured_configuration=measured_configuration,
        transfer=transfer,
    )
    return np.minimum(width, LARGEST_HALF_WIDTH)


def sharing_of(
    inputs: Inputs,
    *,
    own_cores: FloatArray,
    host_busy: FloatArray,
    own_iops: FloatArray,
    pool_iops: FloatArray,
    pool_limits: FloatArray,
    pool_miss_ms: FloatArray,
    gathered: bool = False,
) -> Sharing:
    """What each VM meets on its host and at its pool; a VM without either meets nobody.

    Args:
        own_cores, own_iops: of each VM with their ends, (3, n).
        host_busy, pool_iops, pool_limits: with their ends per host and per pool, (3, h), (3, p);
            per VM, (3, n), when `gathered`. The high end of a limit is its worst case.
        pool_miss_ms: per pool.
    """
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    placed, pooled = vms.host >= 0, vms.pool >= 0
    if not gathered:
        host_busy = _at(host_busy, vms.host, placed, 0.0)
        pool_iops = _at(pool_iops, vms.pool, pooled, np.nan)
        pool_limits = _at(pool_limits, vms.pool, pooled, np.nan)
    own = np.where(pooled, own_iops / np.fmax(pool_limits, REFERENCE_LIMIT_IOPS), 0.0)
    return Sharing(
        cores=Cores(
            _at(hosts.cores, vms.host, placed, 1e9),
            response.reference_cores(inputs.laws.family_a),
            np.fmax(host_busy, 0.0),
            own_cores,
        ),
        disks=Disks(np.fmax(pool_iops / pool_limits, 0.0), own),
        miss_ms=_at(pool_miss_ms, vms.pool, pooled, np.nan),
    )


def _at(values: FloatArray, position: IntArray, there: BoolArray, otherwise: float) -> FloatArray:
    """Values of each VM's host or pool, along the last axis."""
    result = np.full((*values.shape[:-1], len(position)), otherwise)
    result[..., there] = values[..., position[there]]
    return result
