"""Which part of an inventory is taken: sites, clusters, and groups of VMs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from models.base.errors import ModelError
from models.base.texts import joined, say
from models.intake.assumed import Group, GroupBy, Said
from models.intake.records import HostRecord, Power, Records, VmRecord
from models.scenario.names import plain

_MOST_NAMES = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is taken; what is empty chooses nothing, so that all is.

    Attributes:
        sites, clusters: names of data centres and clusters, with their hosts and VMs.
        groups: VMs of any of them, and `names`: of VMs, as a list has them; hosts stay.
    """

    sites: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()
    groups: tuple[Group, ...] = ()
    names: frozenset[str] = frozenset()

    @property
    def is_all(self) -> bool:
        return not (self.sites or self.clusters or self.groups or self.names)


ALL = Chosen()


def with_chosen(sources: Sequence[Records], chosen: Chosen) -> Sequence[Records]:
    """Copies of the records in which what is not chosen says so.

    Raises:
        ModelError: a site, cluster, group or name is of nothing that is listed.
    """
    if chosen.is_all:
        return sources
    hosts = {plain(host.name): host for each in sources for host in each.hosts}
    vms = [vm for each in sources for vm in each.vms]
    on = {plain(vm.host): vm for vm in reversed(vms)}
    _check(chosen, list(hosts.values()), vms)
    sites, clusters = (frozenset(map(plain, each)) for each in (chosen.sites, chosen.clusters))

    def is_there(site: str, cluster: str) -> bool:
        in_site = not sites or plain(site) in sites
        return in_site and (not clusters or plain(cluster) in clusters)

    def vm_of(vm: VmRecord) -> VmRecord:
        host = hosts.get(plain(vm.host))
        site = vm.datacenter or (host.datacenter if host else "")
        cluster = vm.cluster or (host.cluster if host else "")
        taken = is_there(site, cluster) and _in_group(vm, chosen)
        return vm if taken else replace(vm, is_chosen=False)

    def host_of(host: HostRecord) -> HostRecord:
        vm = on.get(plain(host.name))
        site = host.datacenter or (vm.datacenter if vm else "")
        taken = is_there(site, host.cluster or (vm.cluster if vm else ""))
        return host if taken else replace(host, is_chosen=False)

    return [
        replace(each, vms=list(map(vm_of, each.vms)), hosts=list(map(host_of, each.hosts)))
        for each in sources
    ]


def said_of(vm: VmRecord) -> Said:
    """What its files say of a VM by each way to tell VMs apart."""
    return {
        GroupBy.GUEST: (vm.os,),
        GroupBy.FOLDER: (vm.folder,),
        GroupBy.TAG: vm.tags,
        GroupBy.CLUSTER: (vm.cluster,),
        GroupBy.POWER: () if vm.power is None else (vm.power.value,),
        GroupBy.NAME: (vm.name,),
    }


def traits_of(vm: VmRecord) -> Said:
    """The same without what a scenario itself says of a VM, who may change it."""
    beyond = (GroupBy.GUEST, GroupBy.FOLDER, GroupBy.TAG)
    is_suspended = vm.power is Power.SUSPENDED
    said = said_of(vm)
    return {by: said[by] for by in (*beyond, *([GroupBy.POWER] if is_suspended else []))}


def _in_group(vm: VmRecord, chosen: Chosen) -> bool:
    if not chosen.groups and not chosen.names:
        return True
    said = said_of(vm)
    return plain(vm.name) in chosen.names or any(each.holds(said) for each in chosen.groups)


def _check(chosen: Chosen, hosts: Sequence[HostRecord], vms: Sequence[VmRecord]) -> None:
    there: list[HostRecord | VmRecord] = [*hosts, *vms]
    for wanted, names, field in (
        (chosen.sites, [each.datacenter for each in there], "--site"),
        (chosen.clusters, [each.cluster for each in there], "--cluster"),
    ):
        _check_names(wanted, names, field)
    called = {plain(vm.name) for vm in vms}
    for name in sorted(chosen.names):
        if name not in called:
            raise ModelError(say("{name}: no VM is called so", name=name), field="--group")
    for group in chosen.groups:
        if not any(group.holds(said_of(vm)) for vm in vms):
            reason = say("{group} holds no VM", group=f"{group.by}:{group.pattern}")
            raise ModelError(reason, field="--group")


def _check_names(wanted: Collection[str], names: Sequence[str], field: str) -> None:
    known = {plain(name): name for name in names if name}
    for name in sorted(wanted):
        if plain(name) not in known:
            some = sorted(known.values())
            shown = joined(", ", some[:_MOST_NAMES] + ["…"] * (len(some) > _MOST_NAMES))
            reason = say("{name} is none of those listed: {names}", name=name, names=shown)
            raise ModelError(reason, field=field)
