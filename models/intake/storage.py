"""Pools of an inventory: data stores whose space is known, and nothing of the drives behind them.

Clusters that share a data store share a pool, for VMs keep disks on several of them. Its drives
have the capacity of the data stores and no figure for I/O: space is judged, I/O is not known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from models.base.texts import joined
from models.catalog.catalog import Array, Catalog, Disk, Provenance
from models.catalog.own_hardware import OWN, custom_array, own_id
from models.intake.cell_origins import told
from models.intake.hardware import line
from models.intake.records import DatastoreRecord, Records, VmRecord
from models.scenario.inputs import frozen
from models.scenario.origin import Origin
from models.scenario.scenario import Pool

GB_PER_MIB = 2**20 / 1e9
_RAID = "0"
_NAME = "Storage as imported"


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Pools, what they are made of, and which VM stands in which."""

    pools: tuple[Pool, ...] = ()
    arrays: Mapping[str, Array] = field(default_factory=dict)
    disks: Mapping[str, Disk] = field(default_factory=dict)
    by_store: Mapping[str, str] = field(default_factory=dict)
    by_cluster: Mapping[str, str] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)
    seen_by: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Names of the hosts, without case, that see a pool, as far as data stores name them."""

    def pool_of(self, vm: VmRecord) -> str | None:
        """Of its data store, else of its cluster, else the only one."""
        pool = self.by_store.get(vm.datastore) or self.by_cluster.get(vm.cluster)
        if pool is None and len(self.pools) == 1:
            return self.pools[0].id
        return pool

    def kind_of(self, vm: VmRecord) -> str:
        return self.kinds.get(vm.datastore, "").casefold()


def storage_of(sources: Iterable[Records], vms: Sequence[VmRecord], catalog: Catalog) -> Storage:
    """The pools of these VMs; none where no data store has a capacity."""
    stores = _stores(sources)
    if not stores:
        return Storage()
    groups = _groups(stores, vms)
    array = custom_array(name=_NAME, taken=catalog.arrays)
    pools: list[Pool] = []
    disks: dict[str, Disk] = {}
    by_store: dict[str, str] = {}
    by_cluster: dict[str, str] = {}
    for number, (names, clusters) in enumerate(groups, 1):
        shown = joined(", ", sorted(filter(None, clusters))) if len(clusters) <= 2 else _NAME
        name = line(str(shown), _NAME)
        members = [stores[each] for each in names]
        disk = _disk(name, members, {*catalog.disks, *disks})
        disks[disk.id] = disk
        id = f"p{number}"
        pools.append(_pool(id, name, array, disk, members))
        by_store |= dict.fromkeys(names, id)
        by_cluster |= dict.fromkeys(clusters, id)
    return Storage(
        pools=tuple(pools),
        arrays={array.id: array},
        disks=disks,
        by_store=by_store,
        by_cluster=by_cluster,
        kinds={name: each.kind for name, each in stores.items()},
        seen_by={
            f"p{number}": frozenset(
                host.casefold() for name in names for host in stores[name].host_names
            )
            for number, (names, _) in enumerate(groups, 1)
        },
    )


def _stores(sources: Iterable[Records]) -> dict[str, DatastoreRecord]:
    """Data stores by name: one that several vCenters see is listed by each."""
    found: dict[str, DatastoreRecord] = {}
    for records in sources:
        for each in records.datastores:
            if (each.capacity_mib or 0.0) >= 1.0:
                found.setdefault(each.name, each)
    return found


def _groups(
    stores: Mapping[str, DatastoreRecord], vms: Sequence[VmRecord]
) -> list[tuple[list[str], set[str]]]:
    """Data stores with the clusters that use them; all in one where VMs don't name theirs."""
    users: dict[str, set[str]] = defaultdict(set)
    for vm in vms:
        if vm.datastore in stores:
            users[vm.datastore].add(vm.cluster)
    if 2 * sum(vm.datastore in stores for vm in vms) < len(vms):
        return [(list(stores), {vm.cluster for vm in vms})]
    groups: list[tuple[list[str], set[str]]] = []
    for name, clusters in users.items():
        names, joint, apart = [name], set(clusters), []
        for group in groups:
            if joint.isdisjoint(group[1]):
                apart.append(group)
            else:
                names, joint = [*group[0], *names], joint | group[1]
        groups = [*apart, (names, joint)]
    return groups


def _disk(name: str, members: Iterable[DatastoreRecord], taken: Iterable[str]) -> Disk:
    """A drive with the space of all of these data stores together."""
    capacity = sum(each.capacity_mib or 0.0 for each in members) * GB_PER_MIB
    return Disk(
        id=own_id(f"space {name}", set(taken), "disk"),
        name=name,
        iops=None,
        service_ms=None,
        capacity_gb=min(capacity, 1e9),
        flash=False,
        provenance=Provenance(source="own entry: data stores as imported", confidence=OWN),
    )


def _pool(id: str, name: str, array: Array, disk: Disk, members: Sequence[DatastoreRecord]) -> Pool:
    lines = [
        told({"disk": place})
        for each in members[:20]
        if (place := each.places.get("capacity_mib")) is not None
    ]
    return Pool(
        id=id,
        name=name,
        array=array.id,
        disk=disk.id,
        spindles=1,
        raid=_RAID,
        origins=frozen({"disk": Origin.IMPORTED}),
        imported_from="\n".join(lines),
    )
