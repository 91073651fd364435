"""Which part of an inventory is taken: vCenters, sites, clusters, and groups of VMs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from models.base.errors import ModelError
from models.base.fields import Word
from models.base.texts import joined, say
from models.intake.assumed import Group, GroupBy, Said
from models.intake.records import HostRecord, Power, Records, VmRecord
from models.scenario.names import plain

_MOST_NAMES = 12


class Whole(Word):
    """What is taken or left as a whole, the largest first."""

    VCENTER = "vcenter", say("vCenter")
    SITE = "site", say("data center")
    CLUSTER = "cluster", say("cluster")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """What is taken; what is empty chooses nothing, so that all is.

    Attributes:
        vcenters, sites, clusters: names of vCenters, data centres and clusters, with their hosts
            and VMs; `without`: names of those that are not taken.
        groups: VMs of any of them, and `names`: of VMs, as a list has them; hosts stay.
        is_strict: what is of nothing that is listed is refused, else it holds nothing.
    """

    vcenters: frozenset[str] = frozenset()
    sites: frozenset[str] = frozenset()
    clusters: frozenset[str] = frozenset()
    without: Mapping[Whole, frozenset[str]] = field(default_factory=dict)
    groups: tuple[Group, ...] = ()
    names: frozenset[str] = frozenset()
    is_strict: bool = True

    @property
    def only(self) -> Mapping[Whole, frozenset[str]]:
        """Names of each kind that alone are taken."""
        return {
            Whole.VCENTER: self.vcenters,
            Whole.SITE: self.sites,
            Whole.CLUSTER: self.clusters,
        }

    @property
    def is_all(self) -> bool:
        wholes = (*self.only.values(), *self.without.values())
        return not (any(wholes) or self.groups or self.names)


ALL = Chosen()
Where = Mapping[Whole, str]
"""Names of the vCenter, data centre and cluster of a VM or host, empty where no file says."""


def with_chosen(sources: Sequence[Records], chosen: Chosen) -> Sequence[Records]:
    """Copies of the records in which what is not chosen says so.

    Raises:
        ModelError: a vCenter, site, cluster, group or name is of nothing that is listed.
    """
    if chosen.is_all:
        return sources
    places = _Standing.of(sources)
    if chosen.is_strict:
        _check(chosen, places.every(sources), [vm for each in sources for vm in each.vms])
    only, without = _plain(chosen.only), _plain(chosen.without)

    def is_there(where: Where) -> bool:
        called = {whole: plain(name) for whole, name in where.items()}
        is_out = any(called[whole] in names for whole, names in without.items())
        return not is_out and all(
            not names or called[whole] in names for whole, names in only.items()
        )

    def vm_of(vm: VmRecord) -> VmRecord:
        taken = is_there(places.of_vm(vm)) and _in_group(vm, chosen)
        return vm if taken else replace(vm, is_chosen=False)

    def host_of(host: HostRecord) -> HostRecord:
        return host if is_there(places.of_host(host)) else replace(host, is_chosen=False)

    return [
        replace(each, vms=list(map(vm_of, each.vms)), hosts=list(map(host_of, each.hosts)))
        for each in sources
    ]


def _plain(wholes: Mapping[Whole, frozenset[str]]) -> Mapping[Whole, frozenset[str]]:
    return {whole: frozenset(map(plain, names)) for whole, names in wholes.items()}


def wholes_of(sources: Sequence[Records]) -> list[Where]:
    """Where the hosts and VMs of an inventory stand, each combination once."""
    places = _Standing.of(sources)
    found = {tuple(where.values()): where for where in places.every(sources)}
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Standing:
    """Where hosts and VMs stand: as their rows say, else those that they run on or that run there.

    Attributes:
        hosts: by their names; `on`: a VM on each. `called`: names of vCenters by their ids.
    """

    hosts: Mapping[str, HostRecord]
    on: Mapping[str, VmRecord]
    called: Mapping[str, str]

    @classmethod
    def of(cls, sources: Sequence[Records]) -> _Standing:
        return cls(
            {plain(host.name): host for each in sources for host in each.hosts},
            {plain(vm.host): vm for each in reversed(sources) for vm in reversed(each.vms)},
            {id: name for each in sources for id, name in each.vcenters.items()},
        )

    def of_vm(self, vm: VmRecord) -> Where:
        return self._where(vm, self.hosts.get(plain(vm.host)) if vm.host else None)

    def of_host(self, host: HostRecord) -> Where:
        return self._where(host, self.on.get(plain(host.name)))

    def _where(self, one: VmRecord | HostRecord, other: VmRecord | HostRecord | None) -> Where:
        vcenter = one.vcenter or (other.vcenter if other else "")
        return {
            Whole.VCENTER: self.called.get(vcenter, vcenter),
            Whole.SITE: one.datacenter or (other.datacenter if other else ""),
            Whole.CLUSTER: one.cluster or (other.cluster if other else ""),
        }

    def every(self, sources: Sequence[Records]) -> list[Where]:
        vms = (self.of_vm(vm) for each in sources for vm in each.vms)
        return [*vms, *(self.of_host(host) for each in sources for host in each.hosts)]


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


def _check(chosen: Chosen, there: Sequence[Where], vms: Sequence[VmRecord]) -> None:
    for whole, wanted in chosen.only.items():
        _check_names(wanted, [where[whole] for where in there], f"--{whole}")
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
