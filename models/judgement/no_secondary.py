"""Why a VM with Fault Tolerance gets no secondary, as `ft_secondaries` goes through the hosts."""

from __future__ import annotations

import numpy as np

from models.judgement.rulebook import Context, number
from models.texts import Text, say

FT_REQUIREMENTS = (
    "VMware, vSphere Availability 4.1 and 6.0, Fault Tolerance: cluster and host requirements"
)


def why_no_secondary(context: Context, row: int) -> tuple[Text, Text]:
    """The first thing that leaves the VM no other host, as a clause, and what mends it.

    Args:
        row: a VM whose own host has a network for FT logging.
    """
    arrays = context.inputs.arrays
    vms, hosts, rules = arrays.vms, arrays.hosts, arrays.binding
    home = int(vms.host[row])
    if vms.rooted[row]:
        return (
            say("its disks are local to its host"),
            say("Put its data on a pool that both hosts reach."),
        )
    others = np.flatnonzero((hosts.cluster == hosts.cluster[home]) & (hosts.cluster >= 0))
    others = others[others != home]
    if not len(others):
        return (
            say("its host is in no cluster with another host"),
            say("Put its host into a cluster with a second host."),
        )
    most = context.hypervisor(home).ft_max_ram_gib
    if most is not None and vms.ram_gib[row] > most:
        return (
            say(
                "{hypervisor} protects VMs of up to {most} GiB",
                hypervisor=context.hypervisor(home).name,
                most=number(most),
            ),
            say("Give it {most} GiB, or do without Fault Tolerance.", most=number(most)),
        )
    others = others[~np.isnan(hosts.ft_gbps[others])]
    if not len(others):
        return (
            say("no other host of its cluster has a network for FT logging"),
            say("Give a second host of its cluster a network for FT logging."),
        )
    if rules is not None:
        others = others[~rules.standing_by[others] & rules.allowed(np.asarray(row), others)]
    if not len(others):
        return (
            say(
                "every other host with a network for FT logging stands by, is barred by its "
                "rules or can’t run it"
            ),
            say("Allow it a second host of its cluster that has such a network."),
        )
    return (
        say(
            "no other host of its cluster has {value} GiB for its secondary",
            value=number(context.vms.ram_gib.value[row], 1),
        ),
        say("Add memory to a second host of its cluster, or take VMs off it."),
    )
