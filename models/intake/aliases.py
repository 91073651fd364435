"""One name for one thing: whose measurements they are, and which host a VM stands on.

What two vCenters call alike are two things: each is called with its vCenter.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from models.intake.cell_origins import own_name
from models.intake.domino import names_of
from models.intake.records import (
    DatastoreRecord,
    DominoRecord,
    Records,
    SeriesRecord,
    Subject,
    VmRecord,
)
from models.scenario.names import How, Tie, plain, tied_names

Same = Mapping[str, str]
"""What somebody says of names: the host or VM that is meant, empty for none."""


@dataclass(frozen=True, slots=True)
class Tied:
    """Records in which one thing has one name.

    Attributes:
        hosts, vms: names that mean a host or VM of another name, each once.
        doubled: names that things of several vCenters have.
    """

    sources: Sequence[Records]
    hosts: tuple[Tie, ...] = ()
    vms: tuple[Tie, ...] = ()
    doubled: tuple[str, ...] = ()


def tied(sources: Sequence[Records], same: Same) -> Tied:
    """Copies of the records in which one thing has one name, and several things have several."""
    naming = _Naming(sources)
    naming.tie_hosts(same)
    naming.tell_apart()
    sources, vms = _with_vms(naming.renamed(), same)
    doubled = sorted({name for _, name in naming.doubled})
    return Tied(sources, tuple(naming.ties), tuple(vms), tuple(doubled))


def strangers(domino: Sequence[DominoRecord], vms: Sequence[VmRecord]) -> list[str]:
    """Domino servers whose statistics none of these VMs is known by."""
    there = {plain(vm.name) for vm in vms}
    return [each.server for each in domino if each.is_apart or there.isdisjoint(names_of(each))]


# --- hosts, and what several vCenters call alike ------------------------------------------------

_NAMED: Mapping[str, Mapping[str, str]] = {
    "vms": {"host": "host", "cluster": "cluster", "datastore": "datastore", "datacenter": "center"},
    "hosts": {"name": "host", "cluster": "cluster", "datacenter": "center"},
    "clusters": {"name": "cluster", "datacenter": "center"},
    "datastores": {"name": "datastore", "datacenter": "center"},
}
"""What the fields of records name."""


@dataclass(slots=True)
class _Naming:
    """Names by their vCenters, their scopes: empty where nobody knows, then of any.

    Several whole inventories of one kind that name no vCenter are of as many.
    """

    sources: Sequence[Records]
    ties: list[Tie] = field(default_factory=list)
    doubled: Collection[tuple[str, str]] = ()
    _hosts: dict[tuple[str, str], str] = field(default_factory=dict)
    """Names of hosts by scope and another name."""
    _called: dict[str, str] = field(default_factory=dict)
    _files: Collection[str] = ()

    def __post_init__(self) -> None:
        self._called = {id: name for each in self.sources for id, name in each.vcenters.items()}
        nameless = defaultdict[str, set[str]](set)
        for each in self.sources:
            if each.vms and each.hosts and not any(host.vcenter for host in each.hosts):
                nameless[each.kind].add(each.file)
        self._files = {file for files in nameless.values() if len(files) > 1 for file in files}

    def scope(self, source: Records, vcenter: str) -> str:
        if vcenter:
            return plain(self._called.get(vcenter, vcenter))
        return source.file if source.file in self._files else ""

    def tie_hosts(self, same: Same) -> None:
        """Hosts are called as the first file that lists them has it."""
        listed: dict[str, list[str]] = {}
        asked: dict[str, dict[str, None]] = defaultdict(dict)
        for source in self.sources:
            own: dict[str, dict[str, None]] = defaultdict(dict)
            for host in source.hosts:
                own[self.scope(source, host.vcenter)][host.name] = None
            for scope, names in own.items():
                new = self._tie(scope, names, _seen(listed, scope), same)
                listed[scope] = [*listed.get(scope, ()), *new]
            for vm in source.vms:
                asked[self.scope(source, vm.vcenter)][vm.host] = None
            for store in source.datastores:
                asked[self.scope(source, store.vcenter)] |= dict.fromkeys(store.host_names)
            asked[""] |= dict.fromkeys(each.on for each in source.series)
        for scope, names in asked.items():
            names.pop("", None)
            self._tie(scope, names, _seen(listed, scope), same)

    def _tie(
        self, scope: str, names: Collection[str], listed: Sequence[str], same: Same
    ) -> list[str]:
        """Those of the names that mean no host that is listed."""
        found = tied_names(names, listed, same)
        for name, tie in found.items():
            if tie.to != name:
                self._hosts[scope, name] = tie.to
                if tie.how is not How.NAME and tie not in self.ties:
                    self.ties.append(tie)
        return [name for name in names if name not in found]

    def tell_apart(self) -> None:
        """What several vCenters call alike; data stores that they share are one."""
        there: dict[tuple[str, str], set[str]] = defaultdict(set)
        for source in self.sources:
            for group, fields in _NAMED.items():
                for record in getattr(source, group):
                    scope = self.scope(source, record.vcenter)
                    for name, kind in (
                        (getattr(record, each), kind) for each, kind in fields.items()
                    ):
                        if name and scope:
                            there[kind, plain(self._host(kind, name, scope))].add(scope)
        shared = {("datastore", name) for name in _shared_stores(self.sources)}
        self.doubled = {key for key, scopes in there.items() if len(scopes) > 1} - shared

    def _host(self, kind: str, name: str, scope: str) -> str:
        return self._hosts.get((scope, name), name) if kind == "host" else name

    def _name(self, kind: str, name: str, scope: str) -> str:
        name = self._host(kind, name, scope)
        if not scope or (kind, plain(name)) not in self.doubled:
            return name
        return f"{name} ({own_name(scope).rpartition('.')[0] if scope in self._files else scope})"

    def renamed(self) -> list[Records]:
        if not self._hosts and not self.doubled:
            return list(self.sources)
        made = []
        for source in self.sources:
            groups: dict[str, Any] = {
                group: [self._renamed(source, each, fields) for each in getattr(source, group)]
                for group, fields in _NAMED.items()
            }
            keys = {old.key: new.key for old, new in zip(source.vms, groups["vms"], strict=True)}
            groups["disks"] = [
                replace(each, vm=keys.get(each.vm, each.vm)) for each in source.disks
            ]
            groups["series"] = [
                replace(each, on=self._name("host", each.on, "")) for each in source.series
            ]
            made.append(replace(source, **groups))
        return made

    def _renamed(self, source: Records, record: Any, fields: Mapping[str, str]) -> Any:
        scope = self.scope(source, record.vcenter)
        changed: dict[str, Any] = {
            field: self._name(kind, getattr(record, field), scope) for field, kind in fields.items()
        }
        if isinstance(record, DatastoreRecord):
            names = (self._name("host", each, scope) for each in record.host_names)
            changed["host_names"] = tuple(names)
        return replace(record, **changed)


def _seen(listed: Mapping[str, Sequence[str]], scope: str) -> list[str]:
    """Hosts that a record of a scope may mean: of it and of none; of none, any."""
    return [
        name for at, names in listed.items() if not scope or at in ("", scope) for name in names
    ]


def _shared_stores(sources: Iterable[Records]) -> Iterable[str]:
    """Names of data stores that several vCenters see: of one size and free space."""
    found: dict[str, list[DatastoreRecord]] = defaultdict(list)
    for source in sources:
        for each in source.datastores:
            found[plain(each.name)].append(each)
    for name, (first, *others) in found.items():
        size, free = first.capacity_mib or 0.0, first.free_mib
        if all(
            abs((each.capacity_mib or 0.0) - size) <= 1.0
            and (each.free_mib is None or free is None or abs(each.free_mib - free) <= 0.01 * size)
            for each in others
        ):
            yield name


# --- VMs --------------------------------------------------------------------------------------


def _with_vms(sources: Sequence[Records], same: Same) -> tuple[Sequence[Records], list[Tie]]:
    """The records in which series and statistics have the names of the VMs that they are of."""
    there = {vm.key: vm.name for source in sources for vm in source.vms}
    if not there:
        return sources, []
    of_vms = (Subject.VM, Subject.MACHINE)
    asked = {one.name: None for each in sources for one in each.series if one.subject in of_vms}
    for source in sources:
        for record in source.domino:
            asked |= dict.fromkeys(names_of(record))
    found = tied_names(asked, there.values(), same)
    apart = {plain(name) for name, to in same.items() if not to}
    used: dict[str, Tie] = {}

    def meant(names: Iterable[str], called: str) -> Tie | None:
        ties = [found[name] for name in names if name in found]
        tie = min(ties, key=lambda each: tuple(How).index(each.how), default=None)
        if tie is None or tie.how is How.NAME:
            return None
        used[called] = replace(tie, name=called)
        return tie

    def series(each: SeriesRecord) -> SeriesRecord:
        if each.subject not in of_vms:
            return each
        if plain(each.name) in apart:
            return replace(each, id="", is_apart=True)
        tie = meant([each.name], each.name)
        if tie is None:
            return each
        return replace(each, name=tie.to, id="" if tie.how is How.HAND else each.id)

    def domino(each: DominoRecord) -> DominoRecord:
        names = names_of(each)
        if not apart.isdisjoint(names):
            return replace(each, is_apart=True)
        tie = meant(names, each.server)
        return each if tie is None else replace(each, machine=tie.to)

    made = [
        replace(
            each,
            series=[series(one) for one in each.series],
            domino=[domino(one) for one in each.domino],
        )
        for each in sources
    ]
    return made, list(used.values())
