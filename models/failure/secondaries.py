"""Where the secondaries of Fault Tolerance run."""

from __future__ import annotations

import numpy as np

from models.failure.failover import NOBODY, HostLoads
from models.physics.arrays import Arrays
from models.physics.columns import filled, some
from models.physics.other_hosts import ALIKE
from models.quantities import BoolArray, FloatArray, IntArray


def ft_secondaries(arrays: Arrays, loads: HostLoads, candidates: BoolArray) -> IntArray:
    """Host of each VM's FT secondary, −1 for none.

    In order of id, each goes to the other host of its cluster with the most memory free, if it
    fits there: a secondary takes as much CPU and memory as its primary (vSphere 4 release notes).
    "A VM-Host affinity rule applies to both the Primary VM and its Secondary VM", a rule between
    VMs to the primary only (vSphere 6.0 Availability, "Using Fault Tolerance with DRS"); hosts that
    stand by for failures run nothing, and a VM on local disks has no secondary; nor has one larger
    than its release protects. Both hosts need a network for FT logging: without it there is no
    secondary to take over. A host with the same processor goes before others: "At least two hosts
    must have processors from the same compatible processor group" (vSphere 4 Availability, cluster
    prerequisites of Fault Tolerance). Of hosts with equal room the first by id.
    """
    vms = arrays.vms
    secondary = filled(len(vms), NOBODY, np.int64)
    ram, limit, needed = loads.ram_gib.copy(), loads.limits[0], loads.on[0, ALIKE]
    wanted = np.flatnonzero(candidates & ~vms.rooted & (vms.host >= 0))
    for vm in wanted[vms.id_rank[wanted].argsort()].tolist():
        others = secondary_hosts(arrays, vm, vms.host[vm])
        others = others[ram[others] + needed[vm] <= limit[others]]
        if len(others):
            free = limit[others] - ram[others]
            best = best_secondary(arrays, vm, vms.host[vm], others, free)
            secondary[vm] = best
            ram[best] += needed[vm]
    return secondary


def secondary_hosts(arrays: Arrays, vm: int, home: int) -> IntArray:
    """Hosts that may run the secondary of a VM whose primary runs on `home`, by id."""
    vms, hosts, rules = arrays.vms, arrays.hosts, arrays.binding
    most_gib = hosts.hypervisors[int(hosts.hypervisor[home])].ft_max_ram_gib or np.inf
    too_large = vms.ram_gib[vm] > most_gib or vms.vcpus[vm] > hosts.ft_max_vcpus[home]
    if too_large or np.isnan(hosts.ft_gbps[home]) or hosts.cluster[home] < 0:
        return np.zeros(0, dtype=np.int64)
    others = hosts.members[hosts.cluster[home]]
    others = others[(others >= 0) & (others != home)]
    others = others[~np.isnan(hosts.ft_gbps[others])]
    if rules is not None:
        others = others[~rules.standing_by[others] & rules.allowed(np.asarray(vm), others)]
    return np.asarray(others)


def best_secondary(
    arrays: Arrays, vm: int, home: int, others: IntArray, free_gib: FloatArray
) -> int:
    """The host for the secondary among `others` with room for it, whose free memory is given."""
    hosts, rules = arrays.hosts, arrays.binding
    best = np.ones(len(others), dtype=np.bool_)
    tests = [hosts.processor[others] == hosts.processor[home]]
    if rules is not None and rules.drawn[vm]:
        tests.append(rules.preferred(np.asarray(vm), others))
    for test in tests:
        if some(best & test):
            best &= test
    return int(others[np.where(best, free_gib, -np.inf).argmax()])
