"""Response times of VMs among their neighbours, with their intervals."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from models.base.quantities import BoolArray, FloatArray, IntArray, says_nothing
from models.base.record import record
from models.base.rounding import steady
from models.evidence.constants import USERS_PER_VM
from models.evidence.family_a import response_at_load
from models.evidence.uncertainty import LOAD_SHARE, log_half_width
from models.physics import response
from models.physics.columns import blank, filled, looked_up
from models.physics.cpu import neighbour_ratio, waiting_ratio
from models.physics.estimates import EXTRAPOLATED, MEASURED, NO_DATA, TRANSFERRED, Estimate
from models.physics.inputs_of_formulas import LARGEST_HALF_WIDTH, Inputs, beyond_evidence
from models.physics.laws import SETTING_HALF_WIDTH
from models.physics.pools import pool_room
from models.physics.response import Alone, Cores, Disks, Parts
from models.physics.storage import DEFAULT_RUN_MISS_MS, run_miss_ms

UNDISTURBED = 1.01
"""Response over that of the VM alone up to which it counts as alone."""

SINGLE_POINT_HALF_WIDTH = 0.30
"""What family B's response adds to family A's half width: one run, whose shape in the number of
users is borrowed from family A. Stated, not measured."""


@record(slots=False, kw_only=True)
class Sharing:
    """What VMs share, shape (3, n) where it has an interval (value, low, high), else (n,).

    Attributes:
        cores: each VM's host.
        disks: each VM's pool; `miss_ms`: what an I/O asks of its drives, NaN without a pool.
    """

    cores: Cores
    disks: Disks
    miss_ms: FloatArray


def ready_ratio(at: Cores, vcpus: FloatArray, own_vcpus: FloatArray) -> FloatArray:
    """Ready over run time of each VM, with so many virtual CPUs on its host and its own, (n,)."""
    cores = np.array([np.maximum(at.cores, at.reference_cores), at.cores])
    alone, among = waiting_ratio(cores, np.array([at.own[0], at.busy[0]]))
    return neighbour_ratio(at.cores, vcpus, own_vcpus, at.busy[0], at.own[0], among, alone)


@record
class Standing:
    """VMs as they stand on a machine before they share it, shape (3, n) with ends, or (n,).

    Attributes:
        cores: what they ask of the machine.
        with_disks: R_own + Δ(disks) [ms], before `spread`.
        wait_alone_ms: `response.wait_alone`.
        spread: what the half widths make of a response.
        cpu_ms: CPU time of an action.
    """

    cores: FloatArray
    with_disks: FloatArray
    wait_alone_ms: FloatArray
    spread: FloatArray
    cpu_ms: FloatArray

    def taken(self, rows: IntArray) -> Standing:
        """The VMs `rows`, which may repeat."""
        columns = self.cores, self.with_disks, self.wait_alone_ms, self.spread, self.cpu_ms
        return Standing(*[column.take(rows, axis=-1) for column in columns])

    def among(self, cores: FloatArray, busy: FloatArray, think_time_ms: float) -> FloatArray:
        """Responses on hosts of so many cores, so busy with all VMs on them [ms]."""
        added = response.delta_cores(
            self.with_disks,
            self.cpu_ms,
            cores,
            busy=busy,
            own=self.cores,
            before_ms=self.wait_alone_ms,
            think_time_ms=think_time_ms,
        )
        added += self.with_disks
        added *= self.spread
        return steady(added)


@record
class ByLaw:
    """What the laws say of responses before VMs share anything; `spread`: as `spread` makes it of
    the family's half widths, (3, n)."""

    alone: Alone
    family: Family
    spread: FloatArray


@record
class OffHost:
    """Responses as far as they don't depend on who shares the host; `own_ms`: R_own, (n,)."""

    alone: Alone
    family: Family
    parts: Parts
    own_ms: FloatArray
    standing: Standing


@record
class Responses:
    """Predicted responses, and what they were before VMs shared their hosts.

    Attributes:
        ends: with the low and the high end, those among them whose range says nothing, (3, n).
    """

    estimate: Estimate
    ends: FloatArray
    off_host: OffHost

    @property
    def alone(self) -> Alone:
        return self.off_host.alone

    @property
    def parts(self) -> Parts:
        return self.off_host.parts


def by_law(inputs: Inputs, load: Estimate) -> ByLaw:
    """What the law of each VM's family says of its response under the load that it asks for."""
    alone = alone_of(inputs, load)
    family = family_parts(inputs, alone)
    return ByLaw(alone, family, spread(family.half_width))


def predicted_responses(
    inputs: Inputs,
    law: ByLaw,
    sharing: Sharing,
    path_beside: FloatArray | None = None,
    answering: BoolArray | None = None,
    *,
    however_wide: bool = False,
) -> Responses:
    """Response time of every running VM; no data for Sametime, iNotes and generic servers, nor
    where the range says nothing (`says_nothing`).

    The ends of the interval are those of the sum, times the law's own factor: in it are the law's
    load, the neighbours' demands and the pool's limit at their low and high ends. Where servers of
    family A share host and pool, the high end takes them for one server: what makes the knee is not
    known, so it could be what they share.

    Args:
        path_beside: load that those others put on the storage path, (n,); None: as they stand.
        answering: VMs that have a response, (n,); None: all that run.
        however_wide: whether those count as well whose range says nothing.
    """
    if path_beside is None:
        path_beside = path_of_others(inputs, law.alone)
    think = inputs.calibration.law.think_time_ms
    off_host = responses_off_host(law, sharing, path_beside, think)
    ends = off_host.standing.among(sharing.cores.cores, sharing.cores.busy, think)
    running = inputs.arrays.vms.running if answering is None else answering
    estimate = responses_on_host(off_host.family, off_host.own_ms, ends, running)
    found, ends = beyond_evidence(estimate, inputs), estimate.ends.copy()
    if not however_wide:
        found.drop(says_nothing(ends))
    return Responses(found, ends, off_host)


def responses_off_host(
    law: ByLaw, sharing: Sharing, path_beside: FloatArray, think: float
) -> OffHost:
    """Responses up to the disks, and what VMs wait for cores by their own work.

    Args:
        think: time [ms].
    """
    alone, factor = law.alone, law.spread
    knee = np.fmax(alone.load, alone.path + path_beside)
    parts = alone.parts
    own = own_responses(
        alone.base_ms,
        alone.stretch,
        np.array([alone.load, alone.least_load, knee]),
        factor,
        think,
    )
    disks = response.delta_disks(own, parts, sharing.disks, think_time_ms=think)
    disks += own
    before = response.wait_alone(disks, parts, sharing.cores, think_time_ms=think)
    standing = Standing(sharing.cores.own, disks, before, factor, parts.cpu_ms)
    return OffHost(alone, law.family, parts, own[0], standing)


def responses_on_host(
    family: Family, own_ms: FloatArray, ends: FloatArray, running: BoolArray
) -> Estimate:
    """Responses among others (3, n), with what the family says of them.

    Args:
        own_ms: R_own, (n,).
    """
    estimate = Estimate(ends, family.basis.copy(), family.evidence.copy(), family.measured.copy())
    disturbed = ends[0] > UNDISTURBED * own_ms
    estimate.weaken(disturbed | ~family.storage_as_measured, TRANSFERRED)
    estimate.drop(~running | np.isnan(ends[0]))
    return estimate


def alone_of(inputs: Inputs, load: Estimate) -> Alone:
    """The VMs without neighbours, under the load they ask for."""
    vms, calibration, room = inputs.arrays.vms, inputs.calibration, pool_room(inputs.arrays.pools)
    asked = response.Asked(
        users=inputs.users,
        ram_gib=inputs.ram_gib,
        vcpus=vms.vcpus,
        core_seconds=load.value,
        least_core_seconds=load.low,
        last_users=inputs.last_users,
        pct_per_user_b=inputs.pct_per_user_b,
        base_b_ms=response.family_b_base_ms(calibration.law, calibration.constants),
        base_iops=inputs.base_iops,
        cache=inputs.cache,
        miss_ms=looked_up(room.miss_ms, vms.pool, np.nan),
        run_miss_ms=looked_up(run_miss_ms(room.reads), vms.pool, DEFAULT_RUN_MISS_MS),
    )
    return response.alone(inputs.laws, asked, calibration.law, calibration.constants)


def own_responses(
    base_ms: FloatArray, stretch: FloatArray, loads: FloatArray, spread: FloatArray, think: float
) -> FloatArray:
    """R_own at the loads of value, low and high end [ms], before `spread`, shape (3, n).

    Args:
        base_ms, stretch: of `Alone`, (n,).
        loads: of the busiest resource, (3, n); changed here.
        spread: as `spread` makes it of the half widths, (3, n).
    """
    loads[1:] *= spread[1:] ** LOAD_SHARE
    return response_at_load(base_ms, loads, think_time_ms=think, stretch=stretch)


def spread(width: FloatArray) -> FloatArray:
    """1, e^−t and e^t of half widths t below and above (2, n): the ends over the value, (3, n)."""
    factor = filled((3, width.shape[1]), 1.0)
    np.exp(np.minimum(width, LARGEST_HALF_WIDTH), out=factor[1:])
    np.divide(1.0, factor[1], out=factor[1])
    return factor


def path_of_others(inputs: Inputs, alone: Alone) -> FloatArray:
    """Load that the other servers of family A on a VM's host and pool put on the path [1], (n,).

    Σ n/N* of those others. Valid as a worst case: what makes the knee isn't known, and may be what
    they share. Source: docs/model.md, "Among neighbours".

    Three servers, of which the first two share host and pool:

    >>> from types import SimpleNamespace
    >>> yes, host = np.full(3, True), np.array([0, 0, 1])
    >>> vms = SimpleNamespace(running=yes, pool=np.zeros(3, dtype=int), host=host)
    >>> laws = SimpleNamespace(some_a=True, knee=np.ones(3))
    >>> inputs = SimpleNamespace(laws=laws, arrays=SimpleNamespace(vms=vms, pools=["p1"]))
    >>> path_of_others(inputs, SimpleNamespace(path=np.array([0.5, 0.25, 0.75]))).tolist()
    [0.25, 0.5, 0.0]
    """
    others = np.zeros(len(alone.path))
    if not inputs.laws.some_a:
        return others
    group = groups(inputs)
    there = (group >= 0).nonzero()[0]
    if len(there):
        _, place = np.unique(group[there], return_inverse=True)
        path = alone.path[there]
        together = np.bincount(place, weights=path)
        others[there] = np.maximum(together[place] - path, 0.0)
    return others


def groups(inputs: Inputs) -> IntArray:
    """Number of the host and pool that each running VM with family A's knee stands on, −1 for
    others."""
    vms = inputs.arrays.vms
    there = (inputs.laws.knee > 0) & vms.running & (vms.pool >= 0)
    return np.where(there, vms.host * len(inputs.arrays.pools) + vms.pool, -1)


@record
class Family:
    """What a family says of its responses, shape (n,); `half_width` below and above, (2, n)."""

    half_width: FloatArray
    basis: npt.NDArray[np.int8]
    evidence: npt.NDArray[np.int32]
    measured: FloatArray
    storage_as_measured: BoolArray


def family_parts(inputs: Inputs, alone: Alone) -> Family:
    """What every VM's family says; `storage_as_measured`: its disks are in its law, that is with a
    pool with drives like those of its runs. Between the families the interval holds both."""
    laws, count = inputs.laws, len(inputs.users)
    measured, basis = blank(count), filled(count, NO_DATA, np.int8)
    stored = laws.drives_as_measured & (inputs.arrays.vms.pool >= 0)
    found = Family(blank((2, count)), basis, np.zeros(count, dtype=np.int32), measured, stored)
    of_b = _add_family_b(found, inputs) if laws.some_b else None
    if laws.some_a:
        evidence_b = found.evidence.copy() if laws.some_between else None
        of_a = _add_family_a(found, inputs)
        if of_b is not None and evidence_b is not None:
            union = laws.union(of_a, of_b, alone.apart)
            np.copyto(found.half_width, union, where=laws.between)
            np.copyto(found.basis, TRANSFERRED, where=laws.between, casting="unsafe")
            both = inputs.sources.both(found.evidence, evidence_b)
            np.copyto(found.evidence, both, where=laws.between)
    files = _files_half_width(inputs, alone)
    others = np.hypot(files, np.where(stored, 0.0, SETTING_HALF_WIDTH))
    np.hypot(found.half_width, others, out=found.half_width)
    return found


def _files_half_width(inputs: Inputs, alone: Alone) -> FloatArray:
    """What mail files of another size add by the disks' part of an idle response [ln], (n,)."""
    disk = alone.parts.disk_ms / alone.base_ms
    return np.nan_to_num(inputs.cache.files_half_width * np.minimum(disk, 1.0))


def _add_family_a(found: Family, inputs: Inputs) -> FloatArray:
    """Fills in family A's VMs; its half widths of all, (2, n)."""
    laws, cover = inputs.laws, inputs.responses_a
    width = log_half_width(
        inputs.calibration.uncertainty.response,
        steps_outside=_sides(cover.steps, past=cover.past, below=cover.below),
        measured_configuration=cover.configuration_measured,
        transfer=laws.of_a.half_width,
    )
    a = laws.family_a
    np.copyto(found.half_width, width, where=a)
    np.copyto(found.basis, cover.basis, where=a, casting="unsafe")
    np.copyto(found.evidence, cover.evidence, where=a)
    np.copyto(found.measured, cover.measured, where=a)
    return width


def _add_family_b(found: Family, inputs: Inputs) -> FloatArray:
    """Fills in family B's VMs; its half widths of all, (2, n)."""
    laws, calibration = inputs.laws, inputs.calibration
    b = laws.family_b
    figure = calibration.constants.cluster85.response_ms
    width = log_half_width(
        calibration.uncertainty.response,
        steps_outside=_sides(inputs.family_b.steps, past=inputs.family_b.past),
        measured_configuration=False,
        transfer=np.hypot(laws.of_b.half_width, SINGLE_POINT_HALF_WIDTH),
    )
    np.copyto(found.half_width, width, where=b)
    np.copyto(found.basis, TRANSFERRED, where=b, casting="unsafe")
    np.copyto(found.evidence, inputs.sources.code(figure.evidence), where=b, casting="unsafe")
    if inputs.arrays.vms.some_clustered:
        _add_members(found, inputs)
    return width


def _add_members(found: Family, inputs: Inputs) -> None:
    """The one response of family B is that of members of a Domino cluster."""
    member = inputs.laws.family_b & inputs.arrays.vms.replicating
    code, itself = inputs.cpu_basis_b
    beyond = inputs.users > USERS_PER_VM
    np.copyto(found.basis, np.where(beyond, EXTRAPOLATED, code), where=member, casting="unsafe")
    run = itself & member
    found.basis[run] = MEASURED
    found.measured[run] = inputs.calibration.constants.cluster85.response_ms.value


def _sides(steps: FloatArray, *, past: FloatArray, below: FloatArray | float = 0.0) -> FloatArray:
    """Steps outside the measured range that count for the low and for the high end, (2, n).

    A response doesn't fall with more users: past the last run the low end stays (`least_load`),
    below the first the high end does.
    """
    return np.array([steps - past, steps - below])


@record(kw_only=True)
class Loaded:
    """What hosts and pools carry with all VMs on them.

    Attributes:
        host_busy: core-seconds per second with their ends, (3, h).
        pool_iops, pool_limits: with their ends, (3, p); the high end of a limit is its worst case.
        pool_miss_ms: what an I/O asks of the drives, (p,).
    """

    host_busy: FloatArray
    pool_iops: FloatArray
    pool_limits: FloatArray
    pool_miss_ms: FloatArray

    def for_each(self, host: IntArray, pool: IntArray) -> Loaded:
        """The same for each VM (n): nothing where it has no host, NaN where it has no pool."""
        pools = (self.pool_iops, self.pool_limits, self.pool_miss_ms[None])
        of_pool = _at(np.concatenate(pools), pool, np.nan)
        return Loaded(
            host_busy=_at(self.host_busy, host, 0.0),
            pool_iops=of_pool[:3],
            pool_limits=of_pool[3:6],
            pool_miss_ms=of_pool[6],
        )


def sharing_of(
    inputs: Inputs, at: Loaded, *, own_cores: FloatArray, own_iops: FloatArray
) -> Sharing:
    """What each VM meets on its host and at its pool; a VM without either meets nobody.

    Args:
        at: host and pool of each VM, (3, n) and (n,).
        own_cores, own_iops: of each VM with their ends, (3, n).
    """
    vms = inputs.arrays.vms
    own = np.where(vms.pool >= 0, response.load_alone(own_iops, at.pool_limits), 0.0)
    return Sharing(
        cores=Cores(
            vms.at.cores,
            response.reference_cores(inputs.laws),
            np.fmax(at.host_busy, 0.0),
            own_cores,
        ),
        disks=Disks(np.fmax(at.pool_iops / at.pool_limits, 0.0), own),
        miss_ms=at.pool_miss_ms,
    )


def _at(values: FloatArray, position: IntArray, nowhere: float) -> FloatArray:
    """Values by position along the last axis, of which −1 is nowhere."""
    table = np.empty((len(values), values.shape[1] + 1))
    table[:, :-1] = values
    table[:, -1] = nowhere
    return table.take(position, axis=1)
