"""Response times of VMs among their neighbours, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models import response
from models.cpu import neighbour_ratio, waiting_ratio
from models.estimates import EXTRAPOLATED, MEASURED, NO_DATA, TRANSFERRED, Estimate
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
    def alone_wait(self) -> FloatArray:
        """Waiting that its law holds already: alone on its host, or on one as measured."""
        return waiting_ratio(np.maximum(self.host_cores, self.reference_cores), self.own_cores)

    @cached_property
    def ready_ratio(self) -> FloatArray:
        """Ready over run time of each VM."""
        waits = waiting_ratio(self.host_cores, self.host_busy)
        return neighbour_ratio(
            self.host_cores, self.host_busy, self.own_cores, waits, self.alone_wait
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
