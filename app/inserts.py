"""What something from the catalog becomes on the board: plans, made before anything is changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from app.language import tr
from app.mime import CatalogItem, CatalogKind
from models.catalog.catalog import Array, Catalog, Disk, Profile, Server, Vsan
from models.catalog.placement import PHYSICAL, reason_against
from models.scenario.inputs import SubjectT, with_origin
from models.scenario.origin import Origin
from models.scenario.scenario import (
    Admission,
    AdmissionPolicy,
    Cluster,
    DiskMode,
    Host,
    Pool,
    Scenario,
    Vm,
    Workload,
)
from models.scenario.workloads import WORKLOADS, WorkloadKind

SPINDLES, DRIVES_OF_NODE = 24, 4
"""Drives of a new pool: a shelf, or what each node of vSAN has."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where on the board something is to go: a host, a cluster, both unknown, or the tray."""

    host: str | None = None
    cluster: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a drop would do.

    Attributes:
        scenario: afterwards; None when it can't be done, and `reason` says why.
        text: the name of the step. `subject`: id of what to select then.
        target: id of the host or cluster that takes it; None: the board as a whole.
    """

    scenario: Scenario | None
    text: str
    subject: str = ""
    target: str | None = None
    reason: str = ""


def plan(scenario: Scenario, catalog: Catalog, item: CatalogItem, spot: Spot) -> Plan:
    """What `item` would become at `spot`."""
    return _PLANS[item.kind](scenario, catalog, item.id, spot)


def _refused(reason: str, target: str | None = None) -> Plan:
    return Plan(scenario=None, text="", target=target, reason=reason)


def _plan_host(scenario: Scenario, catalog: Catalog, id: str, spot: Spot) -> Plan:
    scenario, cluster = _cluster_for(scenario, spot)
    host = new_host(scenario, catalog, catalog.servers[id], cluster)
    name = scenario.cluster(cluster).name if cluster else ""
    return Plan(
        scenario=scenario.with_item(host),
        text=tr("Add {host} to {name}", host=host.name, name=name)
        if name
        else tr("Add {host}", host=host.name),
        subject=host.id,
        target=cluster,
    )


def _cluster_for(scenario: Scenario, spot: Spot) -> tuple[Scenario, str | None]:
    """The cluster of the spot; else the last one; the first host of all brings a new one."""
    if spot.cluster is not None:
        return scenario, spot.cluster
    if spot.host is not None:
        return scenario, scenario.host(spot.host).cluster
    if scenario.clusters:
        return scenario, scenario.clusters[-1].id
    if scenario.hosts:
        return scenario, None
    cluster = new_cluster(scenario)
    return scenario.with_item(cluster), cluster.id


def new_cluster(scenario: Scenario) -> Cluster:
    """An empty cluster that tolerates one host failure."""
    names = {cluster.name for cluster in scenario.clusters}
    admission = Admission(policy=AdmissionPolicy.HOST_FAILURES, host_failures=1)
    name = _numbered("Cluster {}", names)
    return _given(Cluster(id=scenario.fresh_id("c"), name=name, admission=admission))


def new_host(scenario: Scenario, catalog: Catalog, server: Server, cluster: str | None) -> Host:
    """A host like the last one of its model; else with the newest hypervisor in use or known."""
    names = {host.name for host in scenario.hosts}
    alike = next((h for h in reversed(scenario.hosts) if h.server == server.id), None)
    id, name = scenario.fresh_id("h"), _numbered("esx{}", names)
    if alike is not None:
        return _given(replace(alike, id=id, name=name, cluster=cluster))
    return _given(
        Host(
            id=id,
            name=name,
            server=server.id,
            hypervisor=_usual_hypervisor(scenario, catalog, server),
            ram_gib=server.usual_ram_gib,
            cluster=cluster,
        )
    )


def _given(item: SubjectT) -> SubjectT:
    """What nobody has entered yet: every value is the program's, none is pinned."""
    return replace(with_origin(item, Origin.DEFAULT), pins=())


def _usual_hypervisor(scenario: Scenario, catalog: Catalog, server: Server) -> str:
    """The release in use where it is of the machine's time, else the latest one of that time."""
    from models.options.purchasable import is_of_the_time

    known = [h for id, h in catalog.hypervisors.items() if id != PHYSICAL]
    fitting = [h for h in known if is_of_the_time(h, server)] or known
    for host in reversed(scenario.hosts):
        if any(host.hypervisor == hypervisor.id for hypervisor in fitting):
            return host.hypervisor
    return max(fitting, key=lambda each: each.version).id if fitting else PHYSICAL


def _plan_vm(scenario: Scenario, catalog: Catalog, id: str, spot: Spot) -> Plan:
    vm = vm_for(scenario, catalog, id)
    added = scenario.with_item(vm)
    if spot.host is None:
        return Plan(scenario=added, text=tr("Add {vm}", vm=vm.name), subject=vm.id)
    reason = reason_against(added, catalog, (vm.id,), spot.host)
    if reason is not None:
        return _refused(reason, spot.host)
    return Plan(
        scenario=added.place((vm.id,), spot.host),
        text=tr("Add {vm} to {host}", vm=vm.name, host=scenario.host(spot.host).name),
        subject=vm.id,
        target=spot.host,
    )


def vm_for(scenario: Scenario, catalog: Catalog, id: str) -> Vm:
    """The VM a workload row becomes, be it a kind of the program or a profile of the user's own.

    Not placed.
    """
    profile = catalog.profiles.get(id)
    return new_vm(scenario, WorkloadKind(id)) if profile is None else vm_of(scenario, profile)


def new_vm(scenario: Scenario, kind: WorkloadKind) -> Vm:
    """A VM like the last one of its kind; else a small one to begin with. Not placed."""
    work, names = WORKLOADS[kind], {vm.name for vm in scenario.vms}
    id, name = scenario.fresh_id("m"), _numbered(work.vm_name + "-{:02}", names)
    alike = next((vm for vm in reversed(scenario.vms) if vm.workload.kind is kind), None)
    if alike is not None:
        return _given(duplicate_of(alike, id=id, name=name))
    return _given(
        Vm(
            id=id,
            name=name,
            host=None,
            pool=scenario.pools[0].id if scenario.pools else None,
            vcpus=2,
            ram_gib=8.0,
            disk_mode=DiskMode.VMFS,
            workload=Workload(
                kind=kind,
                release=work.release,
                active_users=work.users,
                mail_file_mb=work.mail_file_mb,
            ),
        )
    )


def vm_of(scenario: Scenario, profile: Profile) -> Vm:
    """A VM as the profile says, not placed: what is in the profile its owner entered by hand."""
    names = {vm.name for vm in scenario.vms}
    made = Vm(
        id=scenario.fresh_id("m"),
        name=_numbered(profile.name.replace("{", "").replace("}", "") + "-{:02}", names),
        host=None,
        pool=scenario.pools[0].id if scenario.pools else None,
        vcpus=profile.vcpus,
        ram_gib=profile.ram_gib,
        disk_mode=DiskMode.VMFS,
        workload=profile.workload,
    )
    return _given(made)


def duplicate_of(vm: Vm, *, id: str, name: str) -> Vm:
    """The same VM again, not placed and in nobody's Domino cluster."""
    return replace(vm, id=id, name=name, host=None, cluster_partners=())


def _plan_pool(scenario: Scenario, catalog: Catalog, id: str, _spot: Spot) -> Plan:
    pool = new_pool(scenario, catalog, catalog.arrays[id])
    added = scenario.with_item(pool)
    if len(scenario.pools) == 0:
        added = _with_pool_for_all(added, pool.id)
    return Plan(scenario=added, text=tr("Add {pool}", pool=pool.name), subject=pool.id)


def _with_pool_for_all(scenario: Scenario, pool: str) -> Scenario:
    """The first pool serves the VMs that had none."""
    vms = tuple(replace(vm, pool=pool) if vm.pool is None else vm for vm in scenario.vms)
    return replace(scenario, vms=vms)


def new_pool(scenario: Scenario, catalog: Catalog, array: Array) -> Pool:
    """A pool of a shelf of the array's usual drives."""
    names = {pool.name for pool in scenario.pools}
    disk = max(_usual_disks(catalog, array), key=lambda each: each.iops or 0.0)
    nodes = 1
    if array.vsan is not Vsan.NONE:
        nodes = max(sum(host.hypervisor != PHYSICAL for host in scenario.hosts), 1)
    most = SPINDLES if nodes == 1 else DRIVES_OF_NODE
    drives = nodes * (most if array.max_drives is None else min(most, array.max_drives))
    return _given(
        Pool(
            id=scenario.fresh_id("p"),
            name=_numbered("Pool {}", names),
            array=array.id,
            disk=disk.id,
            spindles=drives,
            raid=_usual_raid(array),
        )
    )


def _usual_disks(catalog: Catalog, array: Array) -> list[Disk]:
    """Drives that go into an array: flash into all-flash ones; all there are where none is known
    to."""
    flash = array.latency_ms is not None
    fitting = [disk for disk in catalog.disks.values() if array.takes(disk) is not False]
    usual = [disk for disk in fitting if disk.flash == flash]
    return usual or fitting or list(catalog.disks.values())


def _usual_raid(array: Array) -> str:
    offered = array.raid_levels or ("10",)
    if array.vsan is not Vsan.NONE and "1" in offered:
        return "1"  # of fewest hosts
    return next((level for level in ("10", "dp", "6", "5") if level in offered), offered[0])


def _plan_hypervisor(scenario: Scenario, catalog: Catalog, id: str, spot: Spot) -> Plan:
    name = catalog.hypervisors[id].name
    hosts: tuple[str, ...]
    if spot.host is not None:
        hosts, target, where = (spot.host,), spot.host, scenario.host(spot.host).name
    elif spot.cluster is not None:
        hosts = tuple(host.id for host in scenario.hosts if host.cluster == spot.cluster)
        target, where = spot.cluster, scenario.cluster(spot.cluster).name
    else:
        return _refused(tr("A hypervisor goes onto a host or a cluster"))
    if id == PHYSICAL and any(len(scenario.vms_on(host)) > 1 for host in hosts):
        return _refused(tr("A physical server runs one operating system"), target)
    changed = replace(
        scenario,
        hosts=tuple(
            replace(host, hypervisor=id) if host.id in hosts else host for host in scenario.hosts
        ),
    )
    return Plan(
        scenario=changed,
        text=tr("Run {where} on {name}", where=where, name=name),
        subject=target,
        target=target,
    )


def _numbered(pattern: str, taken: set[str]) -> str:
    """`pattern` with the smallest number from 1 that makes it new."""
    number = 1
    while pattern.format(number) in taken:
        number += 1
    return pattern.format(number)


_PLANS: dict[CatalogKind, Callable[[Scenario, Catalog, str, Spot], Plan]] = {
    CatalogKind.SERVER: _plan_host,
    CatalogKind.WORKLOAD: _plan_vm,
    CatalogKind.ARRAY: _plan_pool,
    CatalogKind.HYPERVISOR: _plan_hypervisor,
}
