"""Response times with their intervals, in normal operation and with a host gone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models import response
from models.availability import Failover
from models.cpu import ready_ratio
from models.estimates import EXTRAPOLATED, MEASURED, NO_DATA, TRANSFERRED, Estimate
from models.family_a import response_at_load
from models.family_constants import USERS_PER_VM
from models.loads import LARGEST_HALF_WIDTH, Inputs
from models.quantities import BoolArray, FloatArray, IntArray
from models.response import Alone
from models.uncertainty import HalfWidths, log_half_width, response_interval

RESPONSE = "response_ms"

UNDISTURBED = 1.01
"""Stretch up to which a VM counts as alone."""

SINGLE_POINT_HALF_WIDTH = 0.30
"""What family B's response adds to family A's half width: one run, whose shape in the number of
users is borrowed from family A. Stated, not measured."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Sharing:
    """What VMs share, shape (n,).

    Attributes:
        own_cores: what each VM asks of its host [core-seconds per second].
        host_cores, host_busy: cores and load of its host.
        reference_cores: cores its law was measured on.
        disk_stretch: queueing at its pool beyond its law.
        pool_load: utilisation of its pool's disks [1].
    """

    own_cores: FloatArray
    host_cores: FloatArray
    host_busy: FloatArray
    reference_cores: FloatArray
    disk_stretch: FloatArray
    pool_load: FloatArray

    @cached_property
    def host_load(self) -> FloatArray:
        """Load of its host over its cores [1]."""
        return self.host_busy / self.host_cores

    @cached_property
    def ready_ratio(self) -> FloatArray:
        """Ready over run time of each VM."""
        return ready_ratio(
            cores=self.host_cores,
            total=self.host_busy,
            own=self.own_cores,
            reference_cores=self.reference_cores,
        )


@dataclass(frozen=True, slots=True, eq=False)
class Responses:
    """Predicted responses, the VMs alone, and the half widths behind the intervals (n,)."""

    estimate: Estimate
    alone: Alone
    half_width: FloatArray


def predicted_responses(inputs: Inputs, load: Estimate, sharing: Sharing) -> Responses:
    """Response time of every running VM; no data for Sametime, iNotes and generic servers."""
    vms, laws, calibration = inputs.arrays.vms, inputs.laws, inputs.calibration
    alone = response.alone(
        laws,
        users=inputs.users,
        ram_gib=inputs.ram_gib,
        core_seconds=load.value,
        vcpus=vms.vcpus,
        law=calibration.law,
        constants=calibration.constants,
    )
    think = calibration.law.think_time_ms
    stretch = np.maximum(1 + sharing.ready_ratio, sharing.disk_stretch)
    shared = np.fmax(sharing.host_load, sharing.pool_load)
    value = response.mean_ms(alone, stretch=stretch, shared_load=shared, think_time_ms=think)
    width, basis, evidence, measured = _family_parts(inputs)
    disturbed = (stretch > UNDISTURBED) | (shared > alone.load)
    low, _ = response_interval(alone.base_ms, alone.load, width, think_time_ms=think)
    _, high = response_interval(
        alone.base_ms * stretch, np.fmax(alone.load, shared), width, think_time_ms=think
    )
    estimate = Estimate(value, low, high, basis, evidence, measured)
    estimate.weaken(disturbed, TRANSFERRED)
    estimate.drop(~vms.running | np.isnan(value))
    return Responses(estimate, alone, width)


def degraded_worst(
    inputs: Inputs, responses: Responses, sharing: Sharing, failover: Failover
) -> FloatArray:
    """Worst response of each failure mode with its interval, shape (3, m), NaN for no data.

    Hosts that take VMs over get slower for all on them; all other VMs respond as before. Pools are
    as loaded as before: what restarts brings its I/O along.
    """
    normal = responses.estimate
    worst = _worst_elsewhere(inputs, normal, failover)
    mode, vm, busy, cores = _affected(inputs, failover)
    keep = normal.known[vm]
    mode, vm, busy, cores = mode[keep], vm[keep], busy[keep], cores[keep]
    ready = ready_ratio(
        cores=cores,
        total=busy,
        own=sharing.own_cores[vm],
        reference_cores=sharing.reference_cores[vm],
    )
    think = inputs.calibration.law.think_time_ms
    base = responses.alone.base_ms[vm] * np.maximum(1 + ready, sharing.disk_stretch[vm])
    load = np.fmax(responses.alone.load[vm], np.fmax(busy / cores, sharing.pool_load[vm]))
    value = response_at_load(base, load, think_time_ms=think)
    _, high = response_interval(base, load, responses.half_width[vm], think_time_ms=think)
    for row, column in enumerate((value, normal.low[vm], high)):
        np.fmax.at(worst[row], mode, column)
    return worst


def _family_parts(
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
        steps, code, itself = inputs.family_b(b, laws.as_measured & (laws.cpu_factor == 1.0))
        width[b] = _half_width(
            calibration.uncertainty.response,
            steps_outside=steps,
            measured_configuration=False,
            transfer=np.hypot(laws.cpu_half_width[b], SINGLE_POINT_HALF_WIDTH),
        )
        run = itself & member[b]
        beyond = np.where(inputs.users[b] > USERS_PER_VM, EXTRAPOLATED, code)
        basis[b] = np.where(run, MEASURED, np.where(member[b], beyond, TRANSFERRED))
        evidence[b] = inputs.sources.code(figure.evidence)
        measured[b] = np.where(run, figure.value, np.nan)
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


def _worst_elsewhere(inputs: Inputs, normal: Estimate, failover: Failover) -> FloatArray:
    """Worst response in each mode's cluster among the VMs that weren't on the failed host."""
    hosts, vms = inputs.arrays.hosts, inputs.arrays.vms
    per_host = np.full((3, len(hosts)), np.nan)
    there = normal.known & vms.running
    for row, column in enumerate((normal.value, normal.low, normal.high)):
        np.fmax.at(per_host[row], vms.host[there], column[there])
    position = np.maximum(failover.members, 0)
    found = np.where(failover.alive, per_host[:, position], -np.inf)
    worst: FloatArray = found.max(axis=2, initial=-np.inf)
    worst[np.isneginf(worst)] = np.nan
    return worst


def _affected(
    inputs: Inputs, failover: Failover
) -> tuple[IntArray, IntArray, FloatArray, FloatArray]:
    """Every VM on a host that takes others over, and the VMs taken over: mode, VM, load, cores."""
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    moved = ~failover.stranded()
    mode, vm, target = (
        part[moved] for part in (failover.moved_mode, failover.moved_vm, failover.moved_to)
    )
    pairs = np.unique(mode * len(hosts) + target) if len(mode) else np.zeros(0, dtype=np.int64)
    pair_mode, pair_host = np.divmod(pairs, max(len(hosts), 1))
    rows = np.flatnonzero(vms.running)
    rows = rows[np.argsort(vms.host[rows], kind="stable")]
    counts = np.bincount(vms.host[rows], minlength=len(hosts))
    starts = np.cumsum(counts) - counts
    repeats = counts[pair_host]
    offsets = np.arange(int(repeats.sum())) - np.repeat(np.cumsum(repeats) - repeats, repeats)
    staying = rows[np.repeat(starts[pair_host], repeats) + offsets]
    all_mode = np.concatenate([np.repeat(pair_mode, repeats), mode])
    all_host = np.concatenate([np.repeat(pair_host, repeats), target])
    busy = np.zeros((len(failover.failed), len(hosts))) if len(pairs) else np.zeros((0, 0))
    alive = failover.alive
    if len(pairs):
        row_of = np.broadcast_to(np.arange(len(alive))[:, None], alive.shape)[alive]
        busy[row_of, failover.members[alive]] = failover.cores_busy[alive]
    loads = busy[all_mode, all_host] if len(pairs) else np.zeros(0)
    return all_mode, np.concatenate([staying, vm]), loads, hosts.cores[all_host]


def sharing_of(
    inputs: Inputs,
    *,
    own_cores: FloatArray,
    host_busy: FloatArray,
    own_iops: FloatArray,
    pool_iops: FloatArray,
    pool_limit: FloatArray,
    gathered: bool = False,
) -> Sharing:
    """What each VM meets on its host and at its pool; a VM without either meets nobody.

    Args:
        host_busy, pool_iops, pool_limit: per host and per pool; per VM when `gathered`.
    """
    vms, hosts = inputs.arrays.vms, inputs.arrays.hosts
    placed, pooled = vms.host >= 0, vms.pool >= 0
    if not gathered:
        host_busy = _at(host_busy, vms.host, placed, 0.0)
        pool_iops = _at(pool_iops, vms.pool, pooled, np.nan)
        pool_limit = _at(pool_limit, vms.pool, pooled, np.nan)
    return Sharing(
        own_cores=own_cores,
        host_cores=_at(hosts.cores, vms.host, placed, 1e9),
        host_busy=np.fmax(host_busy, 0.0),
        reference_cores=response.reference_cores(inputs.laws.family_a),
        disk_stretch=response.disk_stretch(own_iops, pool_iops, pool_limit),
        pool_load=np.fmax(pool_iops / pool_limit, 0.0),
    )


def _at(values: FloatArray, position: IntArray, there: BoolArray, otherwise: float) -> FloatArray:
    result = np.full(len(position), otherwise)
    result[there] = values[position[there]]
    return result
