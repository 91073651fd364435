"""Numbers of scenarios that stand as they are, one or many copies side by side, a mode each; and
ready time, which rises for who shares a host with newcomers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from models.base.quantities import NO_DATA, Basis, FloatArray, IntArray, Quantity
from models.failure.failover import Failover
from models.failure.restarting import SLACK_GIB
from models.judgement.judging_inputs import Evaluated
from models.judgement.platform_limits import tripped
from models.judgement.resources import Resources
from models.physics import cpu, memory
from models.physics.cpu import of_vcpus_pct
from models.physics.estimates import Estimate, Sources
from models.physics.inputs_of_formulas import vm_cpu_pct
from models.physics.response import reference_cores
from models.physics.responses import ready_ratio
from models.resilience.columns import NOT_JUDGED, Columns
from models.stages import Undisturbed, ran_side_by_side, ready_times


def everyday(normal: Undisturbed, e: Evaluated, copies: int) -> Columns:
    """The worst host, VM and pool of every copy, and the verdict of `evaluate` on its resources.

    Args:
        e: the same numbers, `without_failures`.
    """
    arrays, policy = normal.vm.inputs.arrays, normal.policy
    hosts, stage = arrays.hosts, normal.pool
    busy = _known(normal.host.cores_busy) * hosts.pct_of_cores
    judged_high = np.where(np.isnan(busy[0]), np.nan, e.hosts.cpu_pct.judged_high)
    cpu, cpu_at = _worst(np.array([*busy, judged_high]), copies, hosts.ids)
    fill = normal.host.ram_gib * hosts.pct_of_ram
    limit = memory.limit_pct(hosts, fill, policy.memory_overcommit)
    _, ram_at = _worst(_fullness(fill, limit, copies)[None], copies, hosts.ids)
    ram, ram_limit = _taken(np.array([fill, limit]), ram_at, copies)
    disk, pool = _worst(_known(stage.utilisation_pct), copies, arrays.pools.ids)
    own = of_vcpus_pct(_known(normal.vm.cores)[::2], arrays.vms.vcpus)
    response, _ = _worst(_known(normal.responses.estimate), copies)
    ready, _ = _worst(normal_ready(normal).ends, copies)
    peak = policy.peak_factor_cpu
    over_cpu = _over_mhz(normal, peak).reshape(copies, -1).sum(axis=1)
    over_ram = (fill - limit) / hosts.pct_of_ram
    over_ram[~(over_ram > SLACK_GIB)] = 0.0
    over_io = np.maximum(stage.iops.value * policy.peak_factor_iops - stage.policy_limit_iops, 0.0)
    return Columns(
        cpu_pct=cpu,
        cpu_host=cpu_at,
        ram_pct=ram,
        ram_limit_pct=ram_limit,
        ram_host=ram_at,
        vm_cpu_pct=_worst(own, copies)[0],
        response_ms=response,
        ready_pct=ready,
        iops=_taken(_known(stage.iops), pool, copies),
        disk_pct=disk,
        pool=pool,
        short_ram_gib=over_ram.reshape(copies, -1).sum(axis=1),
        short_cpu_ghz=over_cpu / 1000.0,
        short_iops=np.nan_to_num(over_io).reshape(copies, -1).sum(axis=1),
        unknown=_unknown(e, copies),
        codes=Resources.of(e).normal_codes(e, tripped(e), copies),
    )


def _unknown(e: Evaluated, copies: int) -> FloatArray:
    """As `Columns` has it, (2, s)."""
    found = (e.vms_without_cpu & (e.inputs.arrays.vms.host >= 0), e.vms_without_io)
    return np.array([each.reshape(copies, -1).sum(axis=1, dtype=np.float64) for each in found])


def _fullness(fill: FloatArray, limit: FloatArray, copies: int) -> FloatArray:
    """What hosts are ranked by: memory over its limit; how full they are in a copy without any.

    >>> blank = np.nan
    >>> fill, limit = np.array([90.0, 50.0, 90.0, 50.0]), np.array([blank, 100.0, blank, blank])
    >>> _fullness(fill, limit, 2).tolist()
    [nan, 0.5, 90.0, 50.0]
    """
    load = (fill / limit).reshape(copies, -1)
    blank = np.isnan(load).all(axis=1)
    load[blank] = fill.reshape(copies, -1)[blank]
    return load.ravel()


def worst_quantity(ends: FloatArray, estimate: Estimate, row: int, sources: Sources) -> Quantity:
    """The worst of many numbers, on the basis of the item that it is of.

    Args:
        ends: value, low and high end, (3,); of responses the high one may be another item's, and
            then nobody measured what they are together.
        row: position of that item in `estimate`, −1 for none.
    """
    value, low, high = ends.tolist()
    if np.isnan(value):
        return NO_DATA
    basis, figure = Basis(int(estimate.basis[row])), float(estimate.measured[row])
    if basis is Basis.MEASURED and not np.array_equal(ends, estimate.ends[:, row]):
        basis, figure = Basis.INTERPOLATED, np.nan
    measured = None if np.isnan(figure) else figure
    return Quantity(value, low, high, basis, sources.all()[estimate.evidence[row]], measured)


def highest(values: FloatArray) -> int:
    """Position of the greatest number; −1 where there is none."""
    return -1 if np.isnan(values).all() else int(np.nanargmax(values))


def _known(estimate: Estimate) -> FloatArray:
    return np.where(estimate.known, estimate.ends, np.nan)


def _over_mhz(normal: Undisturbed, peak: float) -> FloatArray:
    """CPU that hosts lack to stay within the limit at peak [MHz]; unknown clocks can't say."""
    hosts = normal.vm.inputs.arrays.hosts
    busy = np.nan_to_num(normal.host.cores_busy.value) * peak
    over = np.maximum(busy - hosts.cores * normal.policy.cpu_limit_pct / 100.0, 0.0)
    return np.asarray(over * np.nan_to_num(hosts.base_mhz))


def _worst(values: FloatArray, copies: int, ids: Sequence[str] = ()) -> tuple[FloatArray, IntArray]:
    """Of each copy the greatest of each row (k, s), and the position of that of the first row.

    Args:
        ids: of the items, copy by copy: which of equals comes first; none: their order.
    """
    table = values.reshape(len(values), copies, -1)
    if not table.shape[2]:
        return np.full((len(values), copies), np.nan), np.full(copies, NOT_JUDGED)
    first = np.where(np.isnan(table[0]), -np.inf, table[0])
    size = first.shape[1]
    order = np.array(sorted(range(size), key=(ids or range(size)).__getitem__), dtype=np.int64)
    at = order[first[:, order].argmax(axis=1)]
    found = first[np.arange(copies), at] > -np.inf
    known = np.where(np.isnan(table), -np.inf, table)
    worst = np.where(found, known.max(axis=2), np.nan)
    return worst, np.where(found, at, NOT_JUDGED)


def _taken(values: FloatArray, at: IntArray, copies: int) -> FloatArray:
    """Of each row (k, s) the figures at these positions of each copy, NaN for −1."""
    table = values.reshape(len(values), copies, -1)
    if not table.shape[2]:
        return np.full((len(values), copies), np.nan)
    return np.where(at >= 0, table[:, np.arange(copies), at], np.nan)


def normal_ready(normal: Undisturbed) -> Estimate:
    """Ready time of every VM in normal operation [% of wall time], as in the VMs' own table."""
    inputs = normal.vm.inputs
    vms = inputs.arrays.vms
    pct = vm_cpu_pct(normal.vm.cores, vms.vcpus)
    ratio = ready_ratio(normal.sharing.cores, normal.host.vcpus_beside(vms.host), vms.vcpus)
    as_ran = ran_side_by_side(normal.vm, normal.host)
    return ready_times(inputs, pct, ratio, vms.at.physical, as_ran)


def worst_ready_pct(normal: Undisturbed, failover: Failover) -> FloatArray:
    """Worst ready time among the survivors in each row of `failover`, (3, m); NaN: none known.

    Hosts that nobody restarted on stand as before; on the others everybody is looked at.
    """
    arrays = normal.vm.inputs.arrays
    worst, newcomers = _unchanged(normal, failover), failover.elsewhere[1]
    staying, of = arrays.vms_by_host.on(failover.crowded_hosts)
    vm, crowd = np.concatenate([staying, newcomers]), np.concatenate([of, failover.crowd_of])
    mode = failover.crowded[crowd] // max(failover.members.shape[1], 1)
    ready = _ready(normal, failover, vm, crowd)
    for end in range(3):
        np.fmax.at(worst[end], mode, ready[end])
    worst[np.isneginf(worst)] = np.nan
    return worst


def _unchanged(normal: Undisturbed, failover: Failover) -> FloatArray:
    """The worst on the survivors that took nothing over, −∞ where none is known."""
    arrays = normal.vm.inputs.arrays
    ready = normal_ready(normal).ends
    alone = replace(failover, alive=failover.alive.copy())
    alone.alive.reshape(-1)[failover.crowded] = False
    return alone.greatest_left(arrays.vms_by_host.greatest(ready))


def _ready(normal: Undisturbed, failover: Failover, vm: IntArray, crowd: IntArray) -> FloatArray:
    """Ready time of VMs on these of the hosts that VMs come to (`Failover.crowded`), (3, k)."""
    places = normal.vm.places
    hosts, vms = normal.vm.inputs.arrays.hosts, normal.vm.inputs.arrays.vms
    host, sums = failover.crowded_hosts[crowd], failover.sums_of_crowded("vcpus", "cpu")
    cores, busy = hosts.cores[host], sums["cpu"][0, crowd]
    moved = vms.host[vm] != host
    kind = np.where(moved, places.of_host[host], 0)
    own = places.cores[:, kind, vm]
    known = ~np.isnan(own[0])
    reference = np.array([reference_cores(each.inputs.laws) for each in places.kinds])
    at_least = np.maximum(cores, reference[kind, vm])
    asked = np.fmax(own[0], 0.0)
    ratio = cpu.neighbour_ratio(
        cores,
        sums["vcpus"][crowd],
        vms.vcpus[vm],
        busy,
        asked,
        cpu.waiting_ratio(cores, busy),
        cpu.waiting_ratio(at_least, asked),
    )
    pct = np.minimum(of_vcpus_pct(own, vms.vcpus[vm]), 100.0)
    return np.where(known, cpu.ready_pct(ratio, pct, hosts.physical[host]), -np.inf)
