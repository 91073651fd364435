"""Clusters that don't satisfy their admission control, found among many at once.

In a large estate all is mostly well, and nobody reads the arithmetic. So a glance at the largest VM
comes first, then sums by cluster, and the exact check where those leave doubt.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from models.failure.reservations import AdmissionCheck, admission_checks
from models.identity import Itself
from models.physics.arrays import Arrays
from models.physics.columns import filled, some, sum_by, sums_by
from models.physics.machines import HostArrays
from models.physics.memory import MIB_PER_GIB
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record
from models.scenario import Admission, AdmissionPolicy, Cluster, Scenario


def unmet(
    scenario: Scenario,
    arrays: Arrays,
    secondary: IntArray,
    *,
    ram_gib: FloatArray,
) -> tuple[AdmissionCheck, ...]:
    """The checks of those clusters whose VMs don't satisfy their policy.

    Args:
        secondary: host of each VM's Fault Tolerance secondary, −1 for none.
        ram_gib: memory of each VM with the hypervisor's overhead, (n,).
    """
    vms = arrays.vms
    reserved, ram = vms.reservations, ram_gib - vms.ram_gib
    if reserved.gib is not None:
        ram = ram + reserved.gib
    if vms.some_protected:
        ram = np.where(vms.fault_tolerance, ram_gib, ram)
    if _met_at_a_glance(scenario, arrays, secondary, ram, reserved.mhz):
        return ()
    sums = _Reserved.of(scenario, arrays, secondary, ram, reserved.mhz)
    met = _surely_met(scenario, arrays, sums)
    wanted = {
        cluster.id
        for row, cluster in enumerate(scenario.clusters)
        if cluster.admission.policy is not AdmissionPolicy.NONE and not met[row]
    }
    if not wanted:
        return ()
    checks = admission_checks(scenario, arrays, secondary)
    return tuple(each for each in checks if each.cluster in wanted and each.admitted is False)


def _met_at_a_glance(
    scenario: Scenario,
    arrays: Arrays,
    secondary: IntArray,
    ram_gib: FloatArray,
    reserved: FloatArray | None,
) -> bool:
    """Whether every policy would hold if each VM reserved as much as the largest of all, and each
    failing host had as many slots as the largest."""
    hosts, wanted = arrays.hosts, _wanted(Itself(scenario.clusters), arrays.hosts)
    if wanted is None:
        return False
    mhz = max(wanted.least_mhz, 0.0 if reserved is None else float(reserved.max(initial=0.0)))
    mib = float(np.maximum.reduce(ram_gib, initial=0.0)) * MIB_PER_GIB
    vms = arrays.vms_by_host.counts
    if arrays.vms.some_protected:
        vms = vms + np.bincount(secondary + 1, minlength=len(hosts) + 1)[1:]
    taken = sum_by(hosts.cluster, vms, len(wanted.failing))
    (left, size, by_cpu, by_ram), most = _slots(
        hosts, len(wanted.failing), mhz, max(1.0, mib + wanted.more_mib)
    )
    holds = (left - wanted.failing * most > taken) & (wanted.failing < size)
    if wanted.shares is not None:
        enough = (taken < by_cpu * wanted.free[0]) & (taken < by_ram * wanted.free[1]) & (size > 1)
        holds = np.where(wanted.shares, enough, holds)
    return not some(~(holds | wanted.nothing) & (size > 0))


@record
class _Wanted:
    """What the clusters' policies ask for, shape (c,).

    Attributes:
        failing: hosts that may fail; `nothing`: clusters without a policy.
        shares: clusters that keep shares free, None where none does; `free`: what those leave of
            CPU and memory, with a margin, (2, c).
        least_mhz: what every VM counts for at least; `more_mib`: what it may count for besides.
    """

    failing: FloatArray
    nothing: BoolArray
    shares: BoolArray | None
    free: FloatArray
    least_mhz: float
    more_mib: float


@lru_cache(maxsize=4)
def _wanted(clusters: Itself[tuple[Cluster, ...]], hosts: HostArrays) -> _Wanted | None:
    """What all clusters ask for, None where a glance won't do."""
    admissions = [cluster.admission for cluster in clusters.value]
    policies = [each.policy for each in admissions]
    if not SIMPLE.issuperset(policies) or any(_capped(each) for each in admissions):
        return None
    defaults = [each.slot_cpu_mhz or 0.0 for each in hosts.hypervisors]
    defaults += [each.vm_cpu_min_mhz or 0.0 for each in admissions]
    kept = np.array([(each.cpu_pct, each.ram_pct) for each in admissions]).reshape(-1, 2).T
    shares = np.array([each is AdmissionPolicy.PERCENTAGE for each in policies], dtype=np.bool_)
    return _Wanted(
        failing=np.array([each.host_failures for each in admissions], dtype=np.float64),
        nothing=np.array([each is AdmissionPolicy.NONE for each in policies], dtype=np.bool_),
        shares=shares if some(shares) else None,
        free=1 - (kept / 100.0 + MARGIN),
        least_mhz=max([1.0, *defaults]),
        more_mib=max((each.vm_ram_min_mib or 0.0 for each in admissions), default=0.0),
    )


@lru_cache(maxsize=4)
def _slots(hosts: HostArrays, clusters: int, mhz: float, mib: float) -> tuple[FloatArray, float]:
    """Slots of this size in the clusters, their hosts, and for how many such VMs all of their CPU
    and all of their memory are enough, (4, c); and the most slots of a host."""
    room = np.array([hosts.cores * hosts.base_mhz / mhz, hosts.ram_gib - hosts.console_gib])
    room[1] *= MIB_PER_GIB / mib
    slots = np.floor(np.minimum(room[0], room[1]))
    sums = sums_by(hosts.cluster, np.array([slots, filled(len(hosts), 1.0), *room]), clusters)
    return sums, float(np.maximum.reduce(slots, initial=0.0))


SIMPLE = {AdmissionPolicy.NONE, AdmissionPolicy.HOST_FAILURES, AdmissionPolicy.PERCENTAGE}


def _capped(admission: Admission) -> bool:
    return admission.slot_cpu_cap_mhz is not None or admission.slot_ram_cap_mib is not None


@record
class _Reserved:
    """Of powered-on VMs and secondaries, by cluster: how many, and the sum and the largest of CPU
    [MHz] and memory with overhead [MiB], each VM with the least that counts, (c,)."""

    count: IntArray
    cpu_mhz: FloatArray
    ram_mib: FloatArray
    largest_mhz: FloatArray
    largest_mib: FloatArray

    @classmethod
    def of(
        cls,
        scenario: Scenario,
        arrays: Arrays,
        secondary: IntArray,
        ram_gib: FloatArray,
        mhz: FloatArray | None,
    ) -> _Reserved:
        vms, ram = arrays.vms, ram_gib * MIB_PER_GIB
        mirrored = np.flatnonzero(secondary >= 0)
        here = np.flatnonzero(vms.running)
        rows = np.concatenate([here, mirrored])
        home = np.concatenate([vms.host[here], secondary[mirrored]])
        cluster, count = arrays.hosts.cluster[home], len(scenario.clusters)
        rows, cluster = rows[cluster >= 0], cluster[cluster >= 0]
        least_mhz, least_mib = _least(scenario, arrays)
        cpu = np.zeros(len(vms)) if mhz is None else mhz
        cpu = np.maximum(cpu[rows], least_mhz[cluster])
        ram = ram[rows] + least_mib[cluster]
        return cls(
            np.bincount(cluster, minlength=count),
            np.bincount(cluster, cpu, count).astype(np.float64),
            np.bincount(cluster, ram, count).astype(np.float64),
            _largest(cluster, cpu, count),
            _largest(cluster, ram, count),
        )


def _largest(cluster: IntArray, values: FloatArray, count: int) -> FloatArray:
    found = np.zeros(count)
    np.maximum.at(found, cluster, values)
    return found


def _least(scenario: Scenario, arrays: Arrays) -> tuple[FloatArray, FloatArray]:
    """What a VM counts for at least in each cluster, never less than the exact check takes."""
    hosts = arrays.hosts
    cpu, ram = np.zeros(len(scenario.clusters)), np.zeros(len(scenario.clusters))
    of_release = np.array([each.slot_cpu_mhz or 0.0 for each in hosts.hypervisors])
    members = np.flatnonzero(hosts.cluster >= 0)
    np.maximum.at(cpu, hosts.cluster[members], of_release[hosts.hypervisor[members]])
    for row, cluster in enumerate(scenario.clusters):
        if cluster.admission.vm_cpu_min_mhz is not None:
            cpu[row] = cluster.admission.vm_cpu_min_mhz
        ram[row] = cluster.admission.vm_ram_min_mib or 0.0
    return cpu, ram


def _surely_met(scenario: Scenario, arrays: Arrays, reserved: _Reserved) -> BoolArray:
    """Clusters whose slot policy holds with the largest VM everywhere, or whose shares do by far.

    Never says yes where the exact check says no; what it leaves open is checked exactly.
    """
    hosts, count = arrays.hosts, len(scenario.clusters)
    admissions = [cluster.admission for cluster in scenario.clusters]
    members = np.flatnonzero(hosts.cluster >= 0)
    cluster = hosts.cluster[members]
    size = np.bincount(cluster, minlength=count)
    mhz = np.nan_to_num(hosts.cores[members] * hosts.base_mhz[members])
    mib = (hosts.ram_gib[members] - hosts.console_gib[members]) * MIB_PER_GIB
    failing = np.array([each.host_failures for each in admissions])
    slots = np.minimum(
        mhz // np.maximum(reserved.largest_mhz, 1.0)[cluster],
        mib // np.maximum(reserved.largest_mib, 1.0)[cluster],
    )
    order = np.lexsort((-slots, cluster))
    place = np.arange(len(order)) - (np.cumsum(size) - size)[cluster[order]]
    stays = order[place >= failing[cluster[order]]]
    left = np.bincount(cluster[stays], slots[stays], count)
    by_slots = np.array([_plain_slots(each) for each in admissions]) & (failing < size)
    by_share = np.array([each.policy is AdmissionPolicy.PERCENTAGE for each in admissions])
    kept = np.array([(each.cpu_pct, each.ram_pct) for each in admissions]).T / 100.0
    free = 1 - np.array([reserved.cpu_mhz, reserved.ram_mib]) / np.maximum(
        [np.bincount(cluster, mhz, count), np.bincount(cluster, mib, count)], 1.0
    )
    met = by_slots & (left > reserved.count)
    return np.asarray(met | (by_share & (size > 1) & (free > kept + MARGIN).all(axis=0)))


def _plain_slots(admission: Admission) -> bool:
    return admission.policy is AdmissionPolicy.HOST_FAILURES and not _capped(admission)


MARGIN = 0.01
"""Share by which a quick look at percentages keeps clear of the limit."""
