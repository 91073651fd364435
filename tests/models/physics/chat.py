"""Sametime servers of a cluster."""

from __future__ import annotations

from dataclasses import replace

from models.scenario.scenario import Scenario, Vm
from models.scenario.workloads import WorkloadKind
from tests.models.worlds import (
    a_cluster_of,
    a_host,
    a_pool,
    a_scenario,
    a_vm,
)


def servers(pairs: int, users: float = 50_000.0) -> tuple[Vm, ...]:
    """Community servers and multiplexers as they were run, as many of each."""
    kinds = ((WorkloadKind.SAMETIME_COMMUNITY, 2, 4.0), (WorkloadKind.SAMETIME_MUX, 1, 2.0))
    return tuple(
        a_vm(f"{kind.value}-{n}", users, kind=kind, vcpus=vcpus, ram_gib=gib, pool=None)
        for n in range(pairs)
        for kind, vcpus, gib in kinds
    )


def in_cluster(servers_of: dict[str, str], users: float) -> Scenario:
    """Two pairs of servers on each host of a cluster that is an x3650, none on others."""
    hosts = tuple(
        a_host(id, cluster="c1", server=server, hypervisor="esx-3.0.2", ram_gib=48.0)
        for id, server in servers_of.items()
    )
    vms = tuple(
        replace(vm, id=f"{vm.id}-{host.id}", name=f"{vm.name}-{host.id}", host=host.id)
        for host in hosts
        for vm in (servers(2, users) if host.server == "ibm-x3650" else ())
    )
    base = a_scenario(hosts=hosts, pools=(a_pool(),), vms=vms)
    return replace(base, clusters=a_cluster_of(2, vms=0).clusters)
