"""What platform or physics refuses, as masks: the conditions behind findings that weigh.

A rule that finds an error, or what the verdict can't be better than (`Finding.at_least`), asks here
which items trip it. So does a batch of what-ifs, which needs no sentences but has to know whether
there is such a thing at all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.failure.fault_tolerance import UNTESTED_GBPS, LoggingLinks, logging_links
from models.judgement.evaluated import Evaluated
from models.physics.columns import looked_up
from models.physics.network import ft_logging_users
from models.quantities import BoolArray, FloatArray

Refusal = Callable[[Evaluated], BoolArray]


def _on(e: Evaluated, found: BoolArray) -> BoolArray:
    """Those of the VMs that are switched on: the others refuse nothing today."""
    return found & e.inputs.arrays.vms.powered_on


def over_ft_vcpus(e: Evaluated) -> BoolArray:
    """VMs with Fault Tolerance and more vCPUs than their hypervisor, if there is one, protects."""
    vms = e.inputs.arrays.vms
    return vms.fault_tolerance & (vms.host >= 0) & (vms.vcpus > vms.at.ft_max_vcpus)


def without_ft_network(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance whose host has no network for FT logging."""
    return protected(e) & np.isnan(ft_gbps(e))


def protected(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance on hosts that are no physical servers."""
    vms = e.inputs.arrays.vms
    return vms.fault_tolerance & vms.running & ~vms.at.physical


def over_ft_logging(e: Evaluated) -> BoolArray:
    """VMs under record and replay on a logging link with more users than it carries.

    Before vSphere 6.0: from then on another mechanism sends what nobody measured.
    """
    links = ft_links(e)
    return np.asarray(links.users > ft_logging_users(links.gbps, e.inputs.calibration.constants))


def ft_links(e: Evaluated) -> LoggingLinks:
    """The fuller of the two logging links of each VM."""
    return logging_links(e.inputs.arrays, e.secondary, e.inputs.users)


def over_tested_ft_logging(e: Evaluated) -> BoolArray:
    """Of those, the ones on a link slower than what is offered but was not tested."""
    return over_ft_logging(e) & (ft_links(e).gbps < UNTESTED_GBPS)


def without_secondary(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance for whose secondary there is no host."""
    vms = e.inputs.arrays.vms
    lost = vms.fault_tolerance & vms.running & (e.secondary < 0) & ~np.isnan(ft_gbps(e))
    return lost & (vms.vcpus <= vms.at.ft_max_vcpus) & ~e.inputs.arrays.refused


def over_vm_vcpus(e: Evaluated) -> BoolArray:
    """VMs switched on with more vCPUs than their hypervisor grants."""
    vms = e.inputs.arrays.vms
    return _on(e, vms.vcpus > vms.at.most_vcpus)


def over_vm_ram(e: Evaluated) -> BoolArray:
    """VMs switched on with more RAM than their hypervisor grants."""
    vms = e.inputs.arrays.vms
    return _on(e, vms.ram_gib > vms.at.most_ram_gib)


def over_threads(e: Evaluated) -> BoolArray:
    """VMs switched on with more vCPUs than their host has logical processors."""
    vms = e.inputs.arrays.vms
    return _on(e, vms.vcpus > vms.at.threads)


def guest_64_without_vt(e: Evaluated) -> BoolArray:
    """64-bit guests switched on, on processors that lack the hardware virtualisation they need."""
    return _on(e, e.inputs.arrays.vms.unvirtualised)


def impossible_path(e: Evaluated) -> BoolArray:
    """VMs switched on whose way to their disks the host doesn't have."""
    return _on(e, e.inputs.arrays.vms.pathless)


def over_vm_host_ram(e: Evaluated) -> BoolArray:
    """VMs switched on with more RAM than their host has."""
    return _on(e, e.inputs.arrays.over_host_ram)


def over_reservation(e: Evaluated) -> BoolArray:
    """Running VMs whose reservation their host can't keep beside the others."""
    return e.inputs.arrays.unreservable


def without_able_host(e: Evaluated) -> BoolArray:
    """VMs without a host that none of the hosts there are could run."""
    return e.inputs.arrays.homeless


def over_ram(e: Evaluated) -> BoolArray:
    """Hosts whose VMs need more memory than the policy tolerates."""
    return np.asarray(e.hosts.ram_pct.value > e.hosts.ram_limit_pct * (1 + 1e-9))


def over_host_ram(e: Evaluated) -> BoolArray:
    """Hosts with more RAM than server or hypervisor takes."""
    return e.inputs.arrays.hosts.oversized


def over_host_vms(e: Evaluated) -> BoolArray:
    """Hosts that run more VMs than their hypervisor grants."""
    arrays = e.inputs.arrays
    return arrays.vms_by_host.counts > arrays.hosts.most_vms


def in_oversized_cluster(e: Evaluated) -> BoolArray:
    """Hosts whose cluster is larger than their hypervisor grants."""
    return e.inputs.arrays.hosts.in_oversized_cluster


def overloaded_disks(e: Evaluated) -> BoolArray:
    """Pools whose disks would be more than fully busy at peak."""
    busy = e.pools.utilisation_pct.value * e.policy.peak_factor_iops
    return np.asarray((busy > 100) & (busy > e.policy.disk_limit_pct))


def over_capacity(e: Evaluated) -> BoolArray:
    """Pools with more to hold than they have room for."""
    return e.pool_stage.used_gib > e.pool_stage.usable_gib


def over_ha_vms(e: Evaluated) -> BoolArray:
    """Hosts with more VMs than an HA cluster of their size grants."""
    return np.asarray(e.inputs.arrays.vms_by_host.counts > e.inputs.arrays.hosts.most_ha_vms)


def over_host_vcpus(e: Evaluated) -> BoolArray:
    """Hosts with more vCPUs than their hypervisor grants."""
    hosts = e.inputs.arrays.hosts
    return np.asarray(e.hosts.vcpus_per_core * hosts.cores > hosts.most_host_vcpus)


def without_drives(e: Evaluated) -> BoolArray:
    """Pools without room for data."""
    return e.inputs.arrays.pools.hold_nothing


def raid_not_offered(e: Evaluated) -> BoolArray:
    """Pools with a RAID level that their array does not offer."""
    return e.inputs.arrays.pools.not_offered


def drives_not_taken(e: Evaluated) -> BoolArray:
    """Pools with drives that don't go into their array."""
    return e.inputs.arrays.pools.not_taken


def impossible_raid_group(e: Evaluated) -> BoolArray:
    """Pools whose groups have fewer drives than their RAID level takes, or more than there are."""
    return e.inputs.arrays.pools.impossible_groups


def too_many_drives(e: Evaluated) -> BoolArray:
    """Pools with more drives than their array takes."""
    pools = e.inputs.arrays.pools
    return pools.spindles > pools.most_drives


def ft_gbps(e: Evaluated) -> FloatArray:
    """FT logging network of each VM's host, NaN where there is none, shape (n,)."""
    return looked_up(e.inputs.arrays.hosts.ft_gbps, e.inputs.arrays.vms.host, np.nan)


def compared_users(numbers: Evaluated) -> FloatArray:
    """Benchmark users of each VM to compare with published loads, (n,)."""
    return numbers.inputs.compared_users


def beyond_published_load(numbers: Evaluated) -> BoolArray:
    """Domino servers that run and carry more than the largest published load, (n,)."""
    return np.asarray(numbers.inputs.arrays.vms.serving & numbers.inputs.beyond_published)


OF_PROTECTED: tuple[Refusal, ...] = (
    over_ft_vcpus,
    without_ft_network,
    over_tested_ft_logging,
    without_secondary,
)
OF_POWER_ON = frozenset(
    {
        "vm-maximum",
        "vcpus-over-host",
        "guest-64-without-vt",
        "storage-path",
        "no-drives",
        "ram-over-host",
        "reservation-over-host",
        "no-host-can-run",
        "affinity-contradictory",
    }
)
"""Rules that find VMs which can't be powered on (`Arrays.refused`)."""

OF_VMS: tuple[Refusal, ...] = (
    over_vm_vcpus,
    over_vm_ram,
    over_threads,
    guest_64_without_vt,
    impossible_path,
    over_vm_host_ram,
    over_reservation,
    without_able_host,
    beyond_published_load,
)
IMPOSSIBLE_HOSTS: tuple[Refusal, ...] = (
    over_host_ram,
    over_host_vms,
    over_host_vcpus,
    in_oversized_cluster,
)
IMPOSSIBLE_POOLS: tuple[Refusal, ...] = (
    raid_not_offered,
    drives_not_taken,
    impossible_raid_group,
    too_many_drives,
)
"""What there can't be at all: it does not fit. The others merely risk something."""

OF_HOSTS: tuple[Refusal, ...] = (over_ram, over_ha_vms, *IMPOSSIBLE_HOSTS)
OF_POOLS: tuple[Refusal, ...] = (overloaded_disks, over_capacity, without_drives, *IMPOSSIBLE_POOLS)


def impossible_hosts(e: Evaluated) -> BoolArray:
    """Hosts that can't be as they are, shape (h,)."""
    return _any_of(e, IMPOSSIBLE_HOSTS)


def impossible_pools(e: Evaluated) -> BoolArray:
    """Pools that can't be as they are, shape (p,)."""
    return _any_of(e, IMPOSSIBLE_POOLS)


def refused_vms(e: Evaluated) -> BoolArray:
    """VMs that trip a rule by which they are at risk at least, shape (n,)."""
    protected = OF_PROTECTED if e.inputs.arrays.vms.some_protected else ()
    return _any_of(e, (*OF_VMS, *protected))


def refused_hosts(e: Evaluated) -> BoolArray:
    """The same for hosts, shape (h,)."""
    return _any_of(e, OF_HOSTS)


def refused_pools(e: Evaluated) -> BoolArray:
    """The same for pools, shape (p,)."""
    return _any_of(e, OF_POOLS)


def _any_of(e: Evaluated, refusals: tuple[Refusal, ...]) -> BoolArray:
    found: BoolArray = np.logical_or.reduce([refusal(e) for refusal in refusals])
    return found
