"""Reads scenario values into the arrays: the only place where that is done.

Ids become positions (−1: none), words become codes, None becomes NaN, and every catalog entry is
looked up once per distinct id.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from models.base.errors import ModelError
from models.base.fields import field_at, leaves_of, reader_of
from models.base.identity import Itself
from models.base.quantities import FloatArray, IntArray
from models.catalog.catalog import (
    Array,
    Catalog,
    Hypervisor,
    Role,
    Server,
    Vsan,
    find,
)
from models.physics.arrays import (
    LAWS,
    MODES,
    PRIORITIES,
    PROFILE_NAMES,
    Arrays,
    VmArrays,
)
from models.physics.columns import blank, filled, some
from models.physics.host_columns import (
    PHYSICAL,
    PLATFORMS,
    HostArrays,
    PoolArrays,
    or_else,
    release_number,
)
from models.physics.hosts import ports_mbps
from models.physics.replicas import Replicas
from models.physics.restart_rules import restart_rules
from models.physics.site_load import ram_in_use
from models.physics.vsan import ESA_FROM, kept_free, layout
from models.scenario.inputs import is_assumed
from models.scenario.scenario import (
    AdmissionPolicy,
    Cluster,
    Derating,
    Host,
    MeasuredOn,
    Pool,
    Scenario,
    Vm,
)
from models.scenario.workloads import WORKLOADS

T = TypeVar("T")
Columns = TypeVar("Columns", HostArrays, PoolArrays, VmArrays)

HA_FROM = 3.0
"""Release with which HA came: VMware Infrastructure 3."""

KEPT, VMS_KEPT = 16, 4
"""Hosts and pools, and the VMs, of so many scenarios are kept as columns."""

_MODE_CODES, _PRIORITY_CODES = (
    {id(member): code for code, member in enumerate(members)} for members in (MODES, PRIORITIES)
)
FIRST_OTHER = 2
"""Of the laws those before it are of Domino."""
_LAW_CODES = {id(kind): LAWS.index(work.law) for kind, work in WORKLOADS.items()}


def to_arrays(scenario: Scenario, catalog: Catalog) -> Arrays:
    """The scenario as arrays, with the figures of the catalog entries it names.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    hosts, pools = hosts_of(scenario, catalog), pools_of(scenario, catalog)
    vms = _vms_kept(Itself(scenario.vms), hosts, pools, scenario.policy.derating)
    rules = restart_rules(scenario, vms.ids, hosts.ids, mhz=vms.reserved_mhz, gib=vms.reserved_gib)
    clusters = tuple([cluster.id for cluster in scenario.clusters])
    pairs = drives_in(scenario, hosts, pools)
    seen_by = _seen_by(scenario, hosts)
    return Arrays(vms, hosts, pools, clusters, rules, tolerated(scenario.clusters), pairs, seen_by)


def hosts_of(scenario: Scenario, catalog: Catalog) -> HostArrays:
    """The hosts of a scenario; edits mostly leave them alone, so the last few are kept."""
    return _hosts_kept(Itself(scenario.hosts), Itself(scenario.clusters), catalog)


def pools_of(scenario: Scenario, catalog: Catalog) -> PoolArrays:
    """The pools of a scenario, in the same way."""
    return _pools_kept(Itself(scenario.pools), Itself(scenario.hosts), catalog)


@lru_cache(maxsize=KEPT)
def _hosts_kept(
    hosts: Itself[tuple[Host, ...]],
    clusters: Itself[tuple[Cluster, ...]],
    catalog: Catalog,
) -> HostArrays:
    return _read_only(_read_hosts(hosts.value, clusters.value, catalog))


@lru_cache(maxsize=KEPT)
def _pools_kept(
    pools: Itself[tuple[Pool, ...]], hosts: Itself[tuple[Host, ...]], catalog: Catalog
) -> PoolArrays:
    return _read_only(_read_pools(pools.value, hosts.value, catalog))


@lru_cache(maxsize=VMS_KEPT)
def _vms_kept(
    vms: Itself[tuple[Vm, ...]], hosts: HostArrays, pools: PoolArrays, derating: Derating
) -> VmArrays:
    """The VMs of a scenario, for edits of its policy and for whoever asks something else of it."""
    return _read_only(read_vms(vms.value, hosts, pools, derating))


def _read_only(columns: Columns) -> Columns:
    """The same, which nobody can write to any more."""
    for column in vars(columns).values():
        if isinstance(column, np.ndarray):
            column.flags.writeable = False
    return columns


def tolerated(clusters: Sequence[Cluster]) -> IntArray | None:
    """Host failures that each cluster tolerates, (c,); None where none says more than one.

    Slots count them, and shares are worked out from them since vSphere 6.5; dedicated hosts
    tolerate one.
    """
    counting = (AdmissionPolicy.HOST_FAILURES, AdmissionPolicy.PERCENTAGE)
    counts = [
        each.admission.host_failures if each.admission.policy in counting else 1
        for each in clusters
    ]
    return np.array(counts, dtype=np.int64) if max(counts, default=1) > 1 else None


def read_vms(
    vms: Sequence[Vm], hosts: HostArrays, pools: PoolArrays, derating: Derating
) -> VmArrays:
    """The VMs; a column is read off all of them at once, which is quicker than VM by VM.

    In production more users own mail files than are at work (`owners.ACTIVE_OF_REGISTERED`),
    where nobody says how many. Memory that Domino servers use at this site
    (`models.customer.site`) counts by the high end of its interval.
    """
    column = dict(zip(_FIGURES, _figures_of(vms), strict=True))
    flags = {name: column.pop(name) > 0 for name in _FLAGS}
    codes = {name: column.pop(name).astype(np.int64) for name in _CODES}
    host, log_pool = _homes(vms, hosts), filled(len(vms), -1, np.int64)
    if some(flags.pop("logs_apart")):
        log_pool = _positions([vm.log_pool for vm in vms], pools.ids, "log_pool")
    domino = codes["law"] < FIRST_OTHER
    assumed = np.isnan(column["registered_users"]) & domino & derating.production
    if derating.site is not None:
        share = ram_in_use(derating.site, column["calibrated_ram"])
        there = domino & ~np.isnan(share)
        own = column["own_memory_gib"]
        column["own_memory_gib"] = np.where(there, column["ram_gib"] * share, own)
    release = codes.pop("release")
    known = tuple(_RELEASES)
    used = sorted(np.bincount(release).nonzero()[0].tolist(), key=known.__getitem__)
    number = np.zeros(len(known), dtype=np.int64)
    number[used] = np.arange(len(used))
    return VmArrays(
        ids=tuple([vm.id for vm in vms]),
        host=host,
        at=hosts.of_vms(host),
        pool=_positions([vm.pool for vm in vms], pools.ids, "pool"),
        log_pool=log_pool,
        release=number[release],
        registered_assumed=assumed,
        releases=tuple([known[code] for code in used]),
        **replica_columns(vms, host, hosts),
        **column,
        **flags,
        **codes,
    )


def _homes(vms: Sequence[Vm], hosts: HostArrays) -> IntArray:
    """Host of each VM; of one that is on none where its host is in maintenance: nothing runs
    there."""
    host = _positions([vm.host for vm in vms], hosts.ids, "host")
    if not some(hosts.away):
        return host
    is_on = np.array([vm.powered_on for vm in vms], dtype=np.bool_)
    return np.where(is_on & hosts.away[host], -1, host)


REGISTERED = "workload.registered_users"
"""Path of what stays where it is pinned, whatever the active users do."""

FURTHER_COPIES = 1.0
"""Copies of each mail file on partners, where nothing else is said."""

_COLUMNS = {each.column: path for path, each in leaves_of(Vm).items() if each.column}
_OWN = tuple(column for column in _COLUMNS if column.startswith("own_"))
"""What only generic workloads bring themselves."""
_SWITCHES = tuple(
    column
    for column, path in _COLUMNS.items()
    if field_at(Vm, path).type is bool and not field_at(Vm, path).is_optional
)
"""A switch that may be neither is a number: NaN, 0 or 1."""
_CALIBRATED = tuple(name for name, path in _COLUMNS.items() if path.startswith("calibrated."))
"""What only measured VMs have."""
_NUMBERS = tuple(name for name in _COLUMNS if name not in (*_OWN, *_SWITCHES, *_CALIBRATED))
_FLAGS = (*_SWITCHES, "clustered", "names_lun", "logs_apart", "owners_pinned", "load_assumed")
_CODES = ("mode", "priority", "law", "release", "profile", "measured_on")
_FIGURES = (*_NUMBERS, *_OWN, *_CALIBRATED, *_FLAGS, *_CODES)
_ROW = struct.Struct(f"{len(_FIGURES)}d")
_numbers, _own, _calibrated, _switches = (
    reader_of(Vm, tuple(map(_COLUMNS.__getitem__, columns)))
    for columns in (_NUMBERS, _OWN, _CALIBRATED, _SWITCHES)
)
_BRINGS_NOTHING, _NOT_MEASURED = (None,) * len(_OWN), (None,) * len(_CALIBRATED)


def _figures(vm: Vm) -> bytes:
    """`_FIGURES` of a VM, None as NaN."""
    work = vm.workload
    own = _BRINGS_NOTHING if work.kind.has_users else _own(vm)
    measured = _NOT_MEASURED if vm.calibrated is None else _calibrated(vm)
    numbers = [np.nan if value is None else value for value in (*_numbers(vm), *own, *measured)]
    return _ROW.pack(
        *numbers,
        *_switches(vm),
        len(vm.cluster_partners) > 0,
        vm.lun is not None,
        vm.log_pool is not None,
        REGISTERED in vm.pins,
        is_assumed(vm),
        _MODE_CODES[id(vm.disk_mode)],
        _PRIORITY_CODES[id(vm.restart_priority)],
        _LAW_CODES[id(work.kind)],
        _release_code(work.release),
        PROFILE_NAMES.index(work.profile),
        _place_code(work.measured_on),
    )


_RELEASES: dict[str, int] = {}
"""Every release that a VM ever had, in the order of their codes."""

_ONE_AT_A_TIME = Lock()


def _release_code(release: str) -> int:
    code = _RELEASES.get(release)
    if code is None:
        with _ONE_AT_A_TIME:
            code = _RELEASES.setdefault(release, len(_RELEASES))
    return code


_PLACES: dict[MeasuredOn | None, int] = {None: 0}
"""Every place where a load was measured, in the order of their codes; the first is none."""


def places_measured() -> tuple[MeasuredOn | None, ...]:
    """Where loads of VMs were measured, by code."""
    return tuple(_PLACES)


def _place_code(place: MeasuredOn | None) -> int:
    code = _PLACES.get(place)
    if code is None:
        with _ONE_AT_A_TIME:
            code = _PLACES.setdefault(place, len(_PLACES))
    return code


def _read_figures(vm: Vm) -> bytes:
    figures = _figures(vm)
    object.__setattr__(vm, "figures", figures)
    return figures


def _figures_of(vms: Sequence[Vm]) -> FloatArray:
    """Figures of VMs, a column a row; a VM is frozen and keeps its own once they are read."""
    try:
        rows = [vm.figures for vm in vms]
    except AttributeError:
        rows = [getattr(vm, "figures", b"") or _read_figures(vm) for vm in vms]
    return np.array(np.frombuffer(b"".join(rows)).reshape(-1, len(_FIGURES)).T, order="C")


def replica_columns(vms: Sequence[Vm], host: IntArray, hosts: HostArrays) -> dict[str, Any]:
    """The columns of `VmArrays` that tell of replicas."""
    count = len(vms)
    one = filled(count, FURTHER_COPIES)
    if not any(vm.cluster_partners for vm in vms):
        return {"replicas": None, "further_copies": one, "received_copies": one}
    named = np.array([len(vm.cluster_partners) for vm in vms], dtype=np.float64)
    wanted = np.append(hosts.copies, FURTHER_COPIES)[host]
    further = np.where(named > 0, np.minimum(wanted, named), FURTHER_COPIES)
    replicas = replicas_of(vms, further)
    return {
        "replicas": replicas,
        "further_copies": further,
        "received_copies": replicas.mean_of_senders(further),
    }


def replicas_of(vms: Sequence[Vm], further: FloatArray) -> Replicas:
    """Replicas on those Domino cluster partners that are there.

    Args:
        further: copies of each server's mail files on its partners, (n,).
    """
    rows = {vm.id: row for row, vm in enumerate(vms)}
    copies = further.tolist()
    pairs = [
        (rows[partner], row, copies[row] / len(vm.cluster_partners))
        for row, vm in enumerate(vms)
        for partner in vm.cluster_partners
        if partner in rows
    ]
    receiver, sender, share = np.array(pairs, dtype=np.float64).reshape(-1, 3).T
    return Replicas(receiver.astype(np.int64), sender.astype(np.int64), share, len(vms))


def _read_hosts(
    items: tuple[Host, ...], clusters: tuple[Cluster, ...], catalog: Catalog
) -> HostArrays:
    server_ids, hypervisor_ids = [h.server for h in items], [h.hypervisor for h in items]
    server, servers = _distinct(server_ids, catalog.servers, "hosts[{}].server", "server")
    hypervisor, hypervisors = _distinct(
        hypervisor_ids, catalog.hypervisors, "hosts[{}].hypervisor", "hypervisor"
    )
    machine_ids = list(zip(server_ids, hypervisor_ids, strict=True))
    machines = {pair: code for code, pair in enumerate(dict.fromkeys(machine_ids))}
    of_server = _table([_server_figures(entry) for entry in servers], 11).take(server, axis=1)
    granted = _table([_granted(entry) for entry in hypervisors], 11).take(hypervisor, axis=1)
    nics = or_else(_floats([h.nics for h in items]), of_server[8])
    gbps = or_else(_floats([h.nic_gbps for h in items]), of_server[9])
    return HostArrays(
        ids=tuple([h.id for h in items]),
        copies=_further_copies(items, clusters),
        cluster=_of_clusters(items, clusters, granted),
        away=np.array([h.in_maintenance for h in items], dtype=np.bool_),
        machine=_looked_up(machines, machine_ids),
        machines=tuple(machines),
        server=server,
        servers=servers,
        hypervisor=hypervisor,
        hypervisors=hypervisors,
        physical=granted[0] > 0,
        without_vt=of_server[1] > 0,
        reference=of_server[2] > 0,
        version=granted[1],
        platform=of_server[0],
        cores=of_server[3],
        threads=of_server[4],
        base_mhz=of_server[5],
        spec_per_core=of_server[6],
        ram_gib=_floats([h.ram_gib for h in items]),
        server_ram_gib=of_server[7],
        console_gib=granted[2],
        nic_mbps=ports_mbps(nics, gbps),
        port_mbps=np.where(gbps > 0, gbps, np.inf) * 1000,
        ft_gbps=_floats([h.ft_logging_gbps for h in items]),
        ft_max_vcpus=granted[3],
        most_vcpus=granted[4],
        most_ram_gib=granted[5],
        most_host_ram_gib=granted[6],
        most_threads=granted[7],
        most_vms=granted[8],
        most_hosts=granted[9],
        years_apart=granted[10] - of_server[10],
        unlisted=_floats([h.unlisted_vms for h in items]),
    )


def _of_clusters(
    items: Sequence[Host], clusters: Sequence[Cluster], granted: FloatArray
) -> IntArray:
    """Cluster of each host, −1 for none and for what HA leaves out."""
    found = _positions([h.cluster for h in items], [c.id for c in clusters], "cluster", "hosts")
    away = np.array([h.in_maintenance for h in items], dtype=np.bool_)
    return np.where((granted[0] > 0) | (granted[1] < HA_FROM) | away, -1, found)


def _further_copies(hosts: Sequence[Host], clusters: Sequence[Cluster]) -> FloatArray:
    """Copies of each mail file beside its own that servers on each host keep, (h,)."""
    further = {each.id: each.replicas_per_user - 1.0 for each in clusters}
    return _floats([further.get(host.cluster or "", FURTHER_COPIES) for host in hosts])


def _server_figures(entry: Server) -> tuple[float | None, ...]:
    return (
        PLATFORMS.index(entry.platform),
        entry.hardware_virtualisation is False,
        entry.role is Role.REFERENCE,
        entry.cores,
        entry.threads,
        entry.base_mhz,
        entry.spec_rate_per_core,
        _most(entry.max_ram_gib),
        entry.nics,
        entry.nic_gbps,
        entry.year,
    )


def _granted(entry: Hypervisor) -> tuple[float | None, ...]:
    return (
        entry.id == PHYSICAL,
        release_number(entry),
        entry.console_gib or 0.0,
        entry.ft_max_vcpus,
        _most(entry.max_vcpus_per_vm),
        _most(entry.max_ram_gib_per_vm),
        _most(entry.max_ram_gib_per_host),
        _most(entry.max_logical_cpus_per_host),
        _most(entry.max_vms_per_host),
        _most(entry.max_hosts_per_cluster),
        entry.year,
    )


def _most(value: float | None) -> float:
    """A maximum, infinite where none was found."""
    return np.inf if value is None else value


def drives_in(scenario: Scenario, hosts: HostArrays, pools: PoolArrays) -> IntArray | None:
    """Pairs of a pool and a host whose drives it is made of, (2, k); None where all stand in
    arrays."""
    if not pools.some_in_hosts:
        return None
    pairs = [
        (row, hosts.row_of[host.id])
        for row, pool in enumerate(scenario.pools)
        if pools.in_hosts[row]
        for host in hosts_with_drives(pool, scenario.hosts)
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2).T


def _seen_by(scenario: Scenario, hosts: HostArrays) -> IntArray | None:
    """Pairs of a pool that names the hosts that see it, and one of these, (2, k); None for none."""
    pairs = [
        (row, hosts.row_of[host]) for row, pool in enumerate(scenario.pools) for host in pool.hosts
    ]
    return np.array(pairs, dtype=np.int64).reshape(-1, 2).T if pairs else None


def hosts_with_drives(pool: Pool, hosts: Iterable[Host]) -> list[Host]:
    """Those that the pool names; all with a hypervisor where it names none. The drives of a host in
    maintenance are away with it."""
    named = frozenset(pool.hosts)
    return [
        host
        for host in hosts
        if not host.in_maintenance and (host.id in named if named else host.hypervisor != PHYSICAL)
    ]


def _read_pools(items: tuple[Pool, ...], hosts: tuple[Host, ...], catalog: Catalog) -> PoolArrays:
    array_ids, disk_ids, raid_ids = (
        [p.array for p in items],
        [p.disk for p in items],
        [p.raid for p in items],
    )
    array, arrays = _distinct(array_ids, catalog.arrays, "pools[{}].array", "array")
    disk, disks = _distinct(disk_ids, catalog.disks, "pools[{}].disk", "disk")
    raid, raids = _distinct(raid_ids, catalog.raid_levels, "pools[{}].raid", "RAID level")
    own_penalty, hit, ceiling, latency, most = _table(
        [_array_figures(entry) for entry in arrays], 5
    ).take(array, axis=1)
    disk_iops, service, capacity = _table(
        [(d.iops, d.service_ms, d.capacity_gb) for d in disks], 3
    ).take(disk, axis=1)
    penalty, parity, mirrored, group = _table(
        [(r.write_penalty, r.parity_drives, r.mirrored, r.group_drives) for r in raids], 4
    ).take(raid, axis=1)
    own_group = _floats([p.raid_group for p in items])
    laid_out, *of_hosts = _table(
        [_in_hosts(pool, hosts, catalog) for pool in items], len(_OF_AN_ARRAY)
    )
    nodes = np.fmax(of_hosts[0], 1.0)
    return PoolArrays(
        ids=tuple([p.id for p in items]),
        array=array,
        arrays=arrays,
        disk=disk,
        disks=disks,
        raid=raid,
        raids=raids,
        spindles=_floats([p.spindles for p in items]),
        hot_spares=_floats([p.hot_spares for p in items]),
        group_drives=or_else(own_group, group),
        own_group=own_group,
        parity_drives=parity,
        mirrored=mirrored > 0,
        disk_iops=disk_iops,
        service_ms=service,
        capacity_gb=capacity,
        write_penalty=or_else(laid_out, or_else(own_penalty, penalty)),
        read_share=_floats([p.read_share for p in items]),
        read_cache_hit=hit,
        ceiling_iops=ceiling * nodes,
        array_latency_ms=latency,
        most_drives=most * nodes,
        **dict(zip(_OF_HOSTS, of_hosts, strict=True)),
    )


_OF_HOSTS = (
    "host_count",
    "tolerates",
    "fewest_hosts",
    "held",
    "free_share",
    "free_gb",
    "raid_tolerates",
)
_OF_AN_ARRAY = (None,) * (1 + len(_OF_HOSTS))


def _in_hosts(pool: Pool, hosts: Iterable[Host], catalog: Catalog) -> Sequence[float | None]:
    """Of drives that stand in hosts I/Os of a write, and `_OF_HOSTS`; None of those in an array."""
    array = catalog.arrays[pool.array]
    if array.vsan is Vsan.NONE:
        return _OF_AN_ARRAY
    there = hosts_with_drives(pool, hosts)
    releases = [release_number(catalog.hypervisors[host.hypervisor]) for host in there]
    found = layout(array, catalog.raid_levels[pool.raid], len(there), pool.failures_to_tolerate)
    share, gigabytes = kept_free(min(releases, default=ESA_FROM), len(there), pool.reserve_pct)
    return (
        found.write_penalty,
        len(there),
        found.tolerates,
        found.fewest_hosts,
        found.held,
        share,
        gigabytes,
        found.raid_tolerates,
    )


def _array_figures(entry: Array) -> tuple[float | None, ...]:
    hit = entry.read_cache_hit or 0.0
    most = _most(entry.max_drives)
    return entry.write_penalty, max(hit, 0.0), entry.ceiling_iops, entry.latency_ms, most


def _floats(values: Sequence[float | None]) -> FloatArray:
    """Numbers as a column, None as NaN."""
    if values and values[0] is None and values.count(None) == len(values):
        return blank(len(values))
    try:  # Three times as quick as NumPy's own reading of a list.
        return np.frombuffer(bytearray(struct.pack(f"{len(values)}d", *values)))
    except struct.error:
        return np.array(values, dtype=np.float64)


def _looked_up(codes: Mapping[T, int], keys: Sequence[T]) -> IntArray:
    """The code of each key, twice as quick as key by key.

    Raises:
        KeyError: a key without a code.
    """
    if len(keys) < 2:
        return np.array([codes[key] for key in keys], dtype=np.int64)
    return np.frombuffer(bytearray(struct.pack(f"{len(keys)}q", *itemgetter(*keys)(codes))), "q")


def _table(rows: Sequence[Sequence[float | None]], width: int) -> FloatArray:
    """Figures of catalog entries, one a column; None is NaN."""
    return np.array(rows, dtype=np.float64).T if rows else np.empty((width, 0))


def _positions(
    ids: Sequence[str | None],
    known: Iterable[str],
    field: str,
    collection: str = "vms",
) -> IntArray:
    if ids and ids[0] is None and ids.count(None) == len(ids):
        return filled(len(ids), -1, np.int64)
    rows: dict[str | None, int] = {id: row for row, id in enumerate(known)}
    rows[None] = -1
    try:
        return _looked_up(rows, ids)
    except KeyError:
        row, id = next((row, id) for row, id in enumerate(ids) if id not in rows)
        raise ModelError(
            f"there is no “{id}” in the scenario", field=f"{collection}[{row}].{field}"
        ) from None


def _distinct(
    ids: Sequence[str], entries: Mapping[str, T], field: str, kind: str
) -> tuple[IntArray, tuple[T, ...]]:
    """Codes per item and the distinct catalog entries behind them, in order of first use."""
    codes = {id: code for code, id in enumerate(dict.fromkeys(ids))}
    unknown = [id for id in codes if id not in entries]
    if unknown:
        find(entries, unknown[0], field=field.format(ids.index(unknown[0])), kind=kind)
    found = tuple([entries[id] for id in codes])
    return _looked_up(codes, ids), found
