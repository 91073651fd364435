"""Response times of VMs among their neighbours, with their intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from models import response
from models.cpu import neighbour_ratio, waiting_ratio
from models.demand import SETTING_HALF_WIDTH
from models.estimates import EXTRAPOLATED, MEASURED, NO_DATA, TRANSFERRED, Estimate
from models.family_constants import USERS_PER_VM
from models.loads import LARGEST_HALF_WIDTH, Inputs
from models.quantities import BoolArray, FloatArray, IntArray
from models.response import Alone, Cores, Disks, Parts
from models.storage import REFERENCE_LIMIT_IOPS
from models.uncertainty import HalfWidths, log_half_width, response_end

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
        cores = np.array([np.maximum(at.cores, at.reference_cores), at.cores])
        alone, among = waiting_ratio(cores, np.array([at.own[0], at.busy[0]]))
        return neighbour_ratio(at.cores, at.busy[0], at.own[0], among, alone)


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
    family = family_parts(inputs)
    width = family.half_width
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
    estimate = Estimate(ends, family.basis, family.evidence, family.measured)
    estimate.weaken(disturbed | ~_storage_as_measured(inputs), TRANSFERRED)
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
    load = np.array([alone.load, alone.load, knee])
    return response_end(alone.base_ms, load, half_width=width, side=_SIDES, think_time_ms=think)


_SIDES = np.array([[0.0], [-1.0], [1.0]])


def widened(before: FloatArray, after: FloatArray, width: FloatArray) -> FloatArray:
    """What was added, times e^∓t at the ends."""
    factor = np.exp(np.minimum(width, LARGEST_HALF_WIDTH))
    added = after - before
    ends: FloatArray = before + added * np.array([np.ones(len(width)), 1 / factor, factor])
    return ends


def path_of_others(inputs: Inputs, alone: Alone) -> FloatArray:
    """Load that the other servers of family A on a VM's host and pool put on the path (n,)."""
    others = np.zeros(len(alone.path))
    group = groups(inputs)
    there = (group >= 0).nonzero()[0]
    if len(there):
        _, place = np.unique(group[there], return_inverse=True)
        path = alone.path[there]
        together = np.bincount(place, weights=path)
        others[there] = np.maximum(together[place] - path, 0.0)
    return others


def groups(inputs: Inputs) -> IntArray:
    """Number of the host and pool that each running VM of family A stands on, −1 for others."""
    vms = inputs.arrays.vms
    there = inputs.laws.family_a & vms.running & (vms.pool >= 0)
    return np.where(there, vms.host * len(inputs.arrays.pools) + vms.pool, -1)


@dataclass(frozen=True, slots=True, eq=False)
class Family:
    """What a family says of its responses, shape (n,)."""

    half_width: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray


def family_parts(inputs: Inputs) -> Family:
    """Half width, basis, evidence and measured figure of every VM by its family."""
    laws, count = inputs.laws, len(inputs.users)
    width, measured = np.full((2, count), np.nan)
    basis = np.full(count, NO_DATA, dtype=np.int8)
    found = Family(width, basis, np.zeros(count, dtype=np.int32), measured)
    if laws.some_a:
        _add_family_a(found, inputs)
    if laws.some_b:
        _add_family_b(found, inputs)
    other = ~_storage_as_measured(inputs)
    if other.any():
        width[other] = np.hypot(width[other], SETTING_HALF_WIDTH)
    return found


def _add_family_a(found: Family, inputs: Inputs) -> None:
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


def _add_family_b(found: Family, inputs: Inputs) -> None:
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


def _storage_as_measured(inputs: Inputs) -> BoolArray:
    """VMs whose disks are in their law: with a pool, and family A's with drives like its runs'."""
    return np.asarray(inputs.laws.drives_as_measured & (inputs.arrays.vms.pool >= 0))


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
    vms = inputs.arrays.vms
    if not gathered:
        host_busy = _at(host_busy, vms.host, 0.0)
        pool_iops = _at(pool_iops, vms.pool, np.nan)
        pool_limits = _at(pool_limits, vms.pool, np.nan)
    own = np.where(vms.pool >= 0, own_iops / np.fmax(pool_limits, REFERENCE_LIMIT_IOPS), 0.0)
    return Sharing(
        cores=Cores(
            vms.at.cores,
            response.reference_cores(inputs.laws.family_a),
            np.fmax(host_busy, 0.0),
            own_cores,
        ),
        disks=Disks(np.fmax(pool_iops / pool_limits, 0.0), own),
        miss_ms=_at(pool_miss_ms, vms.pool, np.nan),
    )


def _at(values: FloatArray, position: IntArray, nowhere: float) -> FloatArray:
    """Values by position along the last axis, of which −1 is nowhere."""
    beyond = np.full((*values.shape[:-1], 1), nowhere)
    return np.concatenate([values, beyond], axis=-1)[..., position]
