"""Clusters that don't satisfy their admission control, found among many at once.

In a large estate all is mostly well, and nobody reads the arithmetic. So sums by cluster come
first, and the exact check where those leave doubt.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.failure.reservations import AdmissionCheck, admission_checks
from models.physics.arrays import Arrays
from models.physics.memory import MIB_PER_GIB
from models.scenario.scenario import Admission, AdmissionPolicy, Scenario


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
    asked = [each.admission.policy is not AdmissionPolicy.NONE for each in scenario.clusters]
    if not any(asked):
        return ()
    vms = arrays.vms
    reserved = np.where(vms.fault_tolerance, vms.ram_gib, np.fmax(vms.reserved_gib, 0.0))
    sums = _Reserved.of(scenario, arrays, secondary, ram_gib - vms.ram_gib + reserved)
    met = _surely_met(scenario, arrays, sums)
    wanted = {
        cluster.id for row, cluster in enumerate(scenario.clusters) if asked[row] and not met[row]
    }
    if not wanted:
        return ()
    checks = admission_checks(scenario, arrays, secondary)
    return tuple(each for each in checks if each.cluster in wanted and each.admitted is False)


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
    ) -> _Reserved:
        vms, ram = arrays.vms, ram_gib * MIB_PER_GIB
        mirrored = np.flatnonzero(secondary >= 0)
        here = np.flatnonzero(vms.running)
        rows = np.concatenate([here, mirrored])
        home = np.concatenate([vms.host[here], secondary[mirrored]])
        cluster, count = arrays.hosts.cluster[home], len(scenario.clusters)
        rows, cluster = rows[cluster >= 0], cluster[cluster >= 0]
        least_mhz, least_mib = _least(scenario, arrays)
        cpu = np.fmax(vms.reserved_mhz[rows], least_mhz[cluster])
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
    mhz = np.fmax(hosts.cores[members] * hosts.base_mhz[members], 0.0)
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
    capped = (admission.slot_cpu_cap_mhz, admission.slot_ram_cap_mib) != (None, None)
    return admission.policy is AdmissionPolicy.HOST_FAILURES and not capped


MARGIN = 0.01
"""Share by which a quick look at percentages keeps clear of the limit."""
