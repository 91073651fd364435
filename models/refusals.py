"""What platform or physics refuses, as masks: the conditions behind findings that are errors.

A rule that finds an error asks here which items trip it. So does a batch of what-ifs, which needs
no sentences but has to know whether there is an error at all.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from models.arrays import NRPC
from models.evaluated import Evaluated
from models.network import ft_logging_users
from models.quantities import BoolArray, FloatArray

FT_TESTED_GBPS = 10.0
Refusal = Callable[[Evaluated], BoolArray]


def over_ft_vcpus(e: Evaluated) -> BoolArray:
    """VMs with Fault Tolerance and more vCPUs than their hypervisor protects."""
    vms = e.inputs.arrays.vms
    over = vms.fault_tolerance & (vms.host >= 0) & ~vms.at.physical
    return over & (vms.vcpus > vms.at.ft_max_vcpus)


def without_ft_network(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance whose host has no network for FT logging."""
    vms = e.inputs.arrays.vms
    return vms.fault_tolerance & vms.running & np.isnan(ft_gbps(e))


def over_ft_logging(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance and more users than the logging link carries."""
    vms, constants = e.inputs.arrays.vms, e.inputs.calibration.constants
    most = ft_logging_users(ft_gbps(e), constants)
    over = vms.fault_tolerance & vms.running & (vms.kind == NRPC)
    return np.asarray(over & (e.inputs.users > most))


def over_tested_ft_logging(e: Evaluated) -> BoolArray:
    """Of those, the ones on a link slower than what is offered but was not tested."""
    return over_ft_logging(e) & (ft_gbps(e) < FT_TESTED_GBPS)


def without_secondary(e: Evaluated) -> BoolArray:
    """Running VMs with Fault Tolerance for whose secondary there is no room."""
    vms = e.inputs.arrays.vms
    lost = vms.fault_tolerance & vms.running & (e.secondary < 0)
    return lost & (vms.vcpus <= vms.at.ft_max_vcpus)


def over_vm_vcpus(e: Evaluated) -> BoolArray:
    """VMs with more vCPUs than their hypervisor grants."""
    vms = e.inputs.arrays.vms
    return vms.vcpus > vms.at.most_vcpus


def over_vm_ram(e: Evaluated) -> BoolArray:
    """VMs with more RAM than their hypervisor grants."""
    vms = e.inputs.arrays.vms
    return vms.ram_gib > vms.at.most_ram_gib


def over_threads(e: Evaluated) -> BoolArray:
    """VMs with more vCPUs than their host has logical processors."""
    vms = e.inputs.arrays.vms
    return vms.vcpus > vms.at.threads


def guest_64_without_vt(e: Evaluated) -> BoolArray:
    """64-bit guests on processors that lack the hardware virtualisation they need."""
    vms = e.inputs.arrays.vms
    return np.asarray(vms.at.without_vt & ~vms.at.physical & (vms.guest_bits == 64))


def over_ram(e: Evaluated) -> BoolArray:
    """Hosts whose VMs need more memory than the policy tolerates."""
    limit = e.policy.memory_overcommit * 100.0
    return np.asarray(e.hosts.ram_pct.value > limit * (1 + 1e-9))


def over_host_ram(e: Evaluated) -> BoolArray:
    """Hosts with more RAM than server or hypervisor takes."""
    hosts = e.inputs.arrays.hosts
    return hosts.ram_gib > np.minimum(hosts.server_ram_gib, hosts.most_host_ram_gib)


def over_host_vms(e: Evaluated) -> BoolArray:
    """Hosts that run more VMs than their hypervisor grants."""
    arrays = e.inputs.arrays
    return arrays.crews.counts > arrays.hosts.most_vms


def in_oversized_cluster(e: Evaluated) -> BoolArray:
    """Hosts whose cluster is larger than their hypervisor grants."""
    hosts = e.inputs.arrays.hosts
    in_cluster = hosts.cluster >= 0
    if not in_cluster.any():
        return in_cluster
    sizes = np.bincount(hosts.cluster[in_cluster])
    return in_cluster & (sizes[np.maximum(hosts.cluster, 0)] > hosts.most_hosts)


def overloaded_disks(e: Evaluated) -> BoolArray:
    """Pools whose disks would be more than fully busy at peak."""
    busy = e.pools.utilisation_pct.value * e.policy.peak_factor_iops
    return np.asarray((busy > 100) & (busy > e.policy.disk_limit_pct))


def over_capacity(e: Evaluated) -> BoolArray:
    """Pools with more to hold than they have room for."""
    return e.pool_stage.used_gib > e.pool_stage.usable_gib


def without_drives(e: Evaluated) -> BoolArray:
    """Pools without room for data."""
    return np.asarray(e.pools.usable_gib <= 0)


def raid_not_offered(e: Evaluated) -> BoolArray:
    """Pools with a RAID level that their array does not offer."""
    pools = e.inputs.arrays.pools
    refused = np.zeros((len(pools.arrays), len(pools.raids)), dtype=np.bool_)
    for row, array in enumerate(pools.arrays):
        if array.raid_levels:
            refused[row] = [raid.id not in array.raid_levels for raid in pools.raids]
    return refused[pools.array, pools.raid]


def too_many_drives(e: Evaluated) -> BoolArray:
    """Pools with more drives than their array takes."""
    pools = e.inputs.arrays.pools
    most = [np.inf if a.max_drives is None else a.max_drives for a in pools.arrays]
    return pools.spindles > np.array(most, dtype=np.float64)[pools.array]


def ft_gbps(e: Evaluated) -> FloatArray:
    """FT logging network of each VM's host, NaN where there is none, shape (n,)."""
    return np.append(e.inputs.arrays.hosts.ft_gbps, np.nan)[e.inputs.arrays.vms.host]


OF_PROTECTED: tuple[Refusal, ...] = (
    over_ft_vcpus,
    without_ft_network,
    over_tested_ft_logging,
    without_secondary,
)
OF_VMS: tuple[Refusal, ...] = (over_vm_vcpus, over_vm_ram, over_threads, guest_64_without_vt)
OF_HOSTS: tuple[Refusal, ...] = (over_ram, over_host_ram, over_host_vms, in_oversized_cluster)
OF_POOLS: tuple[Refusal, ...] = (
    overloaded_disks,
    over_capacity,
    without_drives,
    raid_not_offered,
    too_many_drives,
)


def refused_vms(e: Evaluated) -> BoolArray:
    """VMs that trip a rule which is an error, shape (n,)."""
    protected = OF_PROTECTED if e.inputs.arrays.vms.fault_tolerance.any() else ()
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
