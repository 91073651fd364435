"""The scenario that a number of hosts and drives make for a plan of VMs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from models.base.quantities import FloatArray
from models.options.option import Disks, Stand
from models.options.requirement import Requirement
from models.options.vm_plans import partnered
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
)

SHARES_FROM = (6, 5, 0)
"""Release from which vSphere HA reserves shares by default, worked out from the hosts that may fail
(VMware, vSphere Availability 6.5, admission control: "the default", "host failures cluster
tolerates"); those before cut slots."""


def design_of(
    wanted: Requirement, stand: Stand, disks: Disks, vms: Sequence[Vm] | None = None
) -> Scenario:
    """The design with today's load, and the planned growth beside it.

    Args:
        vms: as `dealt` places them on so many hosts and pools; None: they are placed here.
    """
    storage, board = disks.storage, wanted.board
    hosts = tuple(
        Host(
            id=id,
            name=f"esx{place}",
            cluster="c1",
            server=stand.server.id,
            hypervisor=stand.hypervisor.id,
            ram_gib=stand.ram_gib,
        )
        for place, id in enumerate(_ids("h", stand.hosts), 1)
    )
    pools = tuple(
        Pool(
            id=id,
            name="Data" if disks.pools == 1 else f"Data {place}",
            array=storage.array.id,
            disk=storage.disk.id,
            spindles=disks.each,
            raid=storage.raid.id,
        )
        for place, id in enumerate(_ids("p", disks.pools), 1)
    )
    return Scenario(
        name=wanted.name,
        policy=wanted.policy,
        growth=wanted.growth,
        clusters=(Cluster(id="c1", name="Cluster", admission=admission_of(wanted, stand)),),
        hosts=hosts,
        pools=pools,
        vms=tuple(dealt(wanted, stand, disks) if vms is None else vms),
        customer="" if board is None else board.customer,
        author="" if board is None else board.author,
    )


def admission_of(wanted: Requirement, stand: Stand) -> Admission:
    """Admission control of a new design: the policy that is asked for, else vSphere's default.

    The share is failures over hosts, as vCenter works it out for like hosts.
    """
    failures = wanted.host_failures
    policy = wanted.admission
    if policy is None:
        by_share = stand.hypervisor.version >= SHARES_FROM
        policy = AdmissionPolicy.PERCENTAGE if by_share else AdmissionPolicy.HOST_FAILURES
    if not failures or policy is AdmissionPolicy.NONE:
        return Admission()
    if policy is AdmissionPolicy.PERCENTAGE:
        share = min(100.0 * failures / stand.hosts, 100.0)
        return Admission(policy=policy, host_failures=failures, cpu_pct=share, ram_pct=share)
    if policy is AdmissionPolicy.DEDICATED:
        first, *more = _ids("h", stand.hosts)[-failures:]
        return Admission(policy=policy, failover_host=first, more_failover_hosts=tuple(more))
    return Admission(policy=policy, host_failures=failures)


def dealt(wanted: Requirement, stand: Stand, disks: Disks) -> Iterator[Vm]:
    """VMs on hosts and pools, the largest first, each where least stands so far; so like ones, and
    partners, stand apart. What was a physical server becomes a VM."""
    vms = partnered(stand.plan.vms) if wanted.cluster_partners else list(stand.plan.vms)
    hosts, pools = _ids("h", stand.hosts), _ids("p", disks.pools)
    if wanted.admission is AdmissionPolicy.DEDICATED and stand.hosts > wanted.host_failures:
        hosts = hosts[: stand.hosts - wanted.host_failures]
    for place, (vm, host) in enumerate(zip(vms, _balanced(vms, len(hosts)), strict=True)):
        mode = DiskMode.VMFS if vm.disk_mode is DiskMode.PHYSICAL else vm.disk_mode
        pool = pools[place % len(pools)]
        yield replace(vm, host=hosts[host], pool=pool, log_pool=None, disk_mode=mode)


def _balanced(vms: Sequence[Vm], hosts: int) -> list[int]:
    """Of each VM its host: the largest first, to the host whose fullest resource is least full."""
    sizes = _sizes(vms)
    loads = np.zeros((3, hosts))
    where = [0] * len(vms)
    placed: dict[str, int] = {}
    for row in np.argsort(-sizes.max(axis=1, initial=0.0), kind="stable").tolist():
        fullest = (loads + sizes[row][:, None]).max(axis=0)
        fullest[[placed[id] for id in vms[row].cluster_partners if id in placed]] += len(vms)
        where[row] = placed[vms[row].id] = host = int(fullest.argmin())
        loads[:, host] += sizes[row]
    return where


def _sizes(vms: Sequence[Vm]) -> FloatArray:
    """vCPUs, memory and measured CPU of each, as shares of all, (n, 3); nothing where it is off."""
    sizes = np.array(
        [
            (vm.vcpus, vm.ram_gib, vm.workload.cpu_mhz or 0.0) if vm.powered_on else (0.0,) * 3
            for vm in vms
        ]
    ).reshape(-1, 3)
    whole = sizes.sum(axis=0)
    return np.asarray(sizes / np.where(whole > 0, whole, 1.0))


def _ids(letter: str, count: int) -> list[str]:
    return [f"{letter}{place}" for place in range(1, count + 1)]
