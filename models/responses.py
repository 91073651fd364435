"""Response times of VMs among their neighbours, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from models import response
from models.cpu import neighbour_ratio, waiting_ratio
from models.estimates import EXTRAPOLATED, MEASURED, NO_DATA, TRANSFERRED, Estimate
from models.family_constants import USERS_PER_VM
from models.loads import LARGEST_HALF_WIDTH, Inputs
from models.quantities import BoolArray, FloatArray, IntArray
from models.response import Alone
from models.uncertainty import HalfWidths, log_half_width, response_end

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
    def _waits(self) -> FloatArray:
        """Waiting that its law holds already (alone on its host, or on one as measured), and the
        waiting on its host, shape (2, n)."""
        cores = np.array([np.maximum(self.host_cores, self.reference_cores), self.host_cores])
        return waiting_ratio(cores, np.array([self.own_cores, self.host_busy]))

    @property
    def alone_wait(self) -> FloatArray:
        """Waiting that its law holds already: alone on its host, or on one as measured."""
        return np.asarray(self._waits[0])

    @cached_property
    def ready_ratio(self) -> FloatArray:
        """Ready over run time of each VM."""
        alone, among = self._waits
        return neighbour_ratio(self.host_cores, self.host_busy, self.own_cores, among, alone)


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
    stretch = np.maximum(1 + sharing.ready_ratio, sharing.disk_stretch)
    shared = np.fmax(sharing.host_load, sharing.pool_load)
    family = _family_parts(inputs)
    base, busiest = alone.base_ms * stretch, np.fmax(alone.load, shared)
    ends = response_end(
        np.array([base, alone.base_ms, base]),
        np.array([busiest, alone.load, busiest]),
        half_width=family.half_width,
        side=_SIDES,
        think_time_ms=calibration.law.think_time_ms,
    )
    estimate = Estimate(ends, family.basis, family.evidence, family.measured)
    estimate.weaken((stretch > UNDISTURBED) | (shared > alone.load), TRANSFERRED)
    estimate.drop(~vms.running | np.isnan(ends[0]))
    return Responses(estimate, alone, family.half_width)


_SIDES = np.array([[0.0], [-1.0], [1.0]])


@dataclass(frozen=True, slots=True, eq=False)
class _Family:
    """What a family says of its responses, shape (n,)."""

    half_width: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray


def _family_parts(inputs: Inputs) -> _Family:
    """Half width, basis, evidence and measured figure of every VM by its family."""
    laws, count = inputs.laws, len(inputs.users)
    width, measured = np.full((2, count), np.nan)
    basis = np.full(count, NO_DATA, dtype=np.int8)
    found = _Family(width, basis, np.zeros(count, dtype=np.int32), measured)
    if laws.some_a:
        _add_family_a(found, inputs)
    if laws.some_b:
        _add_family_b(found, inputs)
    return found


def _add_family_a(found: _Family, inputs: Inputs) -> None:
    laws, cover = inputs.laws, inputs.family_a(RESPONSE)
    width = _half_width(
        inputs.calibration.uncertainty.response,
        steps_outside=cover.steps,
        measured_configuration=cover.configuration_measured,
        transfer=laws.cpu_half_width,
    )
    a = laws.family_a
    np.copyto(found.half_width, width, where=a)
    np.copyto(found.basis, cover.basis, where=a, casting="unsafe")
    np.copyto(found.evidence, cover.evidence, where=a)
    np.copyto(found.measured, cover.measured, where=a)


def _add_family_b(found: _Family, inputs: Inputs) -> None:
    laws, calibration = inputs.laws, inputs.calibration
    b, member = laws.family_b, inputs.arrays.vms.clustered
    figure = calibration.constants.cluster85.response_ms
    code, itself = inputs.family_b.basis(laws.at_home, inputs.exact_users)
    width = _half_width(
        calibration.uncertainty.response,
        steps_outside=inputs.family_b.steps,
        measured_configuration=False,
        transfer=np.hypot(laws.cpu_half_width, SINGLE_POINT_HALF_WIDTH),
    )
    code[inputs.users > USERS_PER_VM] = EXTRAPOLATED
    code[~member] = TRANSFERRED
    np.copyto(found.half_width, width, where=b)
    np.copyto(found.basis, code, where=b, casting="unsafe")
    np.copyto(found.evidence, inputs.sources.code(figure.evidence), where=b, casting="unsafe")
    run = itself & member & b
    found.basis[run] = MEASURED
    found.measured[run] = figure.value


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
    vms = inputs.arrays.vms
    if not gathered:
        host_busy = _at(host_busy, vms.host, 0.0)
        pool_iops = _at(pool_iops, vms.pool, np.nan)
        pool_limit = _at(pool_limit, vms.pool, np.nan)
    return Sharing(
        own_cores=own_cores,
        host_cores=vms.at.cores,
        host_busy=np.fmax(host_busy, 0.0),
        reference_cores=response.reference_cores(inputs.laws.family_a),
        disk_stretch=response.disk_stretch(own_iops, pool_iops, pool_limit),
        pool_load=np.fmax(pool_iops / pool_limit, 0.0),
    )


def _at(values: FloatArray, position: IntArray, nowhere: float) -> FloatArray:
    """Values by position, of which −1 is nowhere."""
    return np.append(values, nowhere)[position]
