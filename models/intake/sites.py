"""Where imported hosts stand, and which of them see which pools."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from models.intake.hardware import line
from models.intake.records import HostRecord, VmRecord
from models.scenario.scenario import DataCenter, Host, Scenario


def with_sites(
    scenario: Scenario, hosts: Sequence[tuple[HostRecord, Host]], vms: Sequence[VmRecord]
) -> Scenario:
    """The scenario with its data centres as sites: those that hosts name, else the VMs on them.

    A cluster stands where most of its hosts do.
    """
    by_vms: dict[str, Counter[str]] = defaultdict(Counter)
    for vm in vms:
        if vm.datacenter:
            by_vms[vm.host.casefold()][vm.datacenter] += 1
    where: dict[str, str] = {}
    for record, host in hosts:
        counted = by_vms[record.name.casefold()].most_common(1)
        if record.datacenter or counted:
            where[host.id] = record.datacenter or counted[0][0]
    if not where:
        return scenario
    ids = {center: f"s{at}" for at, center in enumerate(dict.fromkeys(where.values()), 1)}
    sites = tuple(DataCenter(id=id, name=line(name, id)) for name, id in ids.items())
    of_cluster: dict[str, Counter[str]] = defaultdict(Counter)
    for host in scenario.hosts:
        if host.cluster is not None and host.id in where:
            of_cluster[host.cluster][ids[where[host.id]]] += 1
    clusters = tuple(
        replace(each, site=of_cluster[each.id].most_common(1)[0][0])
        if of_cluster[each.id]
        else each
        for each in scenario.clusters
    )
    made = tuple(
        replace(host, site=ids[where[host.id]])
        if host.cluster is None and host.id in where
        else host
        for host in scenario.hosts
    )
    return replace(scenario, sites=sites, clusters=clusters, hosts=made)


def with_sight(scenario: Scenario, seen_by: Mapping[str, frozenset[str]]) -> Scenario:
    """The scenario in which pools are seen by the hosts that their data stores name.

    A host on which a VM runs with its disks there sees it in any case. Where data stores name no
    host, it is seen by the clusters of the VMs that have their disks there; a pool that
    every host sees names none.

    Args:
        seen_by: names of hosts without case, by pool.
    """
    groups = {host.id: host.cluster or host.id for host in scenario.hosts}
    users: dict[str, set[str]] = defaultdict(set)
    for vm in scenario.vms:
        if vm.pool is not None and vm.host is not None:
            users[vm.pool].add(groups[vm.host])
    pools = []
    for pool in scenario.pools:
        named = seen_by.get(pool.id, frozenset())
        sees = [host.id for host in scenario.hosts if host.name.casefold() in named]
        if sees:
            there = {vm.host for vm in scenario.vms if vm.pool == pool.id}
            sees = [host.id for host in scenario.hosts if host.id in there | set(sees)]
        else:
            sees = [host.id for host in scenario.hosts if groups[host.id] in users[pool.id]]
        is_all = not sees or len(sees) == len(scenario.hosts)
        pools.append(pool if is_all else replace(pool, hosts=tuple(sees)))
    return replace(scenario, pools=tuple(pools))
