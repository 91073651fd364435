"""The only translation from scenario values to flat NumPy arrays.

Everything after this file computes on arrays; rows follow the order of the scenario. Ids become
positions (−1: none), words become codes, None becomes NaN, and every catalog entry is looked up
once per distinct id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from models.catalog import (
    Array,
    Catalog,
    Disk,
    Hypervisor,
    Platform,
    RaidLevel,
    Role,
    Server,
    find,
)
from models.errors import ModelError
from models.quantities import BoolArray, FloatArray, IntArray
from models.scenario import (
    DiskMode,
    Host,
    Pool,
    RestartPriority,
    Scenario,
    Workload,
    WorkloadKind,
)

T = TypeVar("T")

KINDS = tuple(WorkloadKind)
MODES = tuple(DiskMode)
PRIORITIES = tuple(RestartPriority)
PLATFORMS = tuple(Platform)
PHYSICAL = "none"

NRPC = KINDS.index(WorkloadKind.DOMINO_NRPC)
INOTES = KINDS.index(WorkloadKind.DOMINO_INOTES)
COMMUNITY = KINDS.index(WorkloadKind.SAMETIME_COMMUNITY)
MUX = KINDS.index(WorkloadKind.SAMETIME_MUX)
GENERIC = KINDS.index(WorkloadKind.GENERIC)

VMFS = MODES.index(DiskMode.VMFS)
RDM = MODES.index(DiskMode.RDM)
LOCAL = MODES.index(DiskMode.LOCAL)
PHYSICAL_MODE = MODES.index(DiskMode.PHYSICAL)

X366 = PLATFORMS.index(Platform.X366)
CLOVERTOWN = PLATFORMS.index(Platform.CLOVERTOWN)
NEHALEM = PLATFORMS.index(Platform.NEHALEM)

RESTART_DISABLED = PRIORITIES.index(RestartPriority.DISABLED)

_KIND_CODES = {kind: code for code, kind in enumerate(KINDS)}
_MODE_CODES = {mode: code for code, mode in enumerate(MODES)}
_PRIORITY_CODES = {priority: code for code, priority in enumerate(PRIORITIES)}


@dataclass(frozen=True, slots=True, eq=False)
class HostOfVm:
    """Figures of each VM's host, shape (n,); for a VM without one what refuses and loads nothing.

    `version`, `spec_per_core`, `base_mhz` are NaN and `hypervisor`, `platform` −1 without a host;
    `most_vcpus`, `most_ram_gib` are what the hypervisor grants a VM, infinite where not known.
    """

    platform: FloatArray
    hypervisor: FloatArray
    physical: BoolArray
    without_vt: BoolArray
    version: FloatArray
    cores: FloatArray
    threads: FloatArray
    base_mhz: FloatArray
    spec_per_core: FloatArray
    ft_max_vcpus: FloatArray
    most_vcpus: FloatArray
    most_ram_gib: FloatArray


@dataclass(frozen=True, eq=False)
class VmArrays:
    """VMs as columns of shape (n,); `host`, `pool`, `log_pool` are positions, −1 for none.

    `running`: powered on and placed. `ram_gib` is what is configured, `effective_ram_gib` what a
    memory limit leaves of it. `release` indexes `releases`. `at` holds figures of the hosts,
    `ranks` the order of ids where that is known already.
    """

    ids: tuple[str, ...]
    host: IntArray
    at: HostOfVm
    pool: IntArray
    log_pool: IntArray
    vcpus: FloatArray
    ram_gib: FloatArray
    memory_limit_gib: FloatArray
    system_disk_gib: FloatArray
    log_disk_gib: FloatArray
    mode: IntArray
    priority: IntArray
    powered_on: BoolArray
    fault_tolerance: BoolArray
    guest_bits: FloatArray
    clustered: BoolArray
    kind: IntArray
    release: IntArray
    releases: tuple[str, ...]
    active_users: FloatArray
    registered_users: FloatArray
    mail_file_mb: FloatArray
    own_cpu_mhz: FloatArray
    own_iops: FloatArray
    own_disk_gib: FloatArray
    own_network_mbps: FloatArray
    ranks: IntArray | None = None

    def __len__(self) -> int:
        return len(self.host)

    @cached_property
    def running(self) -> BoolArray:
        return self.powered_on & (self.host >= 0)

    @cached_property
    def effective_ram_gib(self) -> FloatArray:
        return np.fmin(self.ram_gib, self.memory_limit_gib)

    @cached_property
    def mail_owners(self) -> FloatArray:
        return _or_else(self.registered_users, self.active_users)

    @cached_property
    def place(self) -> IntArray:
        """Host of each VM that runs, −1 for the others."""
        return np.where(self.powered_on, self.host, -1)

    @cached_property
    def domino(self) -> BoolArray:
        return np.asarray((self.kind == NRPC) | (self.kind == INOTES))

    @cached_property
    def id_rank(self) -> IntArray:
        """Place of each VM in the order of ids: what decides between equals."""
        if self.ranks is not None:
            return self.ranks
        rank = np.empty(len(self), dtype=np.int64)
        rank[sorted(range(len(self)), key=self.ids.__getitem__)] = np.arange(len(self))
        return rank

    def taken(self, rows: IntArray, **changes: Any) -> VmArrays:
        """The VMs `rows`, which may repeat, with other columns in the place of some."""
        return VmArrays(**_taken(self, rows, keep=("releases",)) | changes)


@dataclass(frozen=True, eq=False)
class HostArrays:
    """Hosts as columns; `server` and `hypervisor` index the distinct catalog entries.

    `spec_per_core` and `nic_mbps` are NaN where unknown, `ft_gbps` where there is no network. What
    server and hypervisor take at most (`server_ram_gib` … `most_hosts`) is infinite where unknown.
    """

    ids: tuple[str, ...]
    cluster: IntArray
    server: IntArray
    servers: tuple[Server, ...]
    hypervisor: IntArray
    hypervisors: tuple[Hypervisor, ...]
    physical: BoolArray
    without_vt: BoolArray
    reference: BoolArray
    version: FloatArray
    platform: FloatArray
    cores: FloatArray
    threads: FloatArray
    base_mhz: FloatArray
    spec_per_core: FloatArray
    ram_gib: FloatArray
    server_ram_gib: FloatArray
    console_gib: FloatArray
    nic_mbps: FloatArray
    ft_gbps: FloatArray
    ft_max_vcpus: FloatArray
    most_vcpus: FloatArray
    most_ram_gib: FloatArray
    most_host_ram_gib: FloatArray
    most_threads: FloatArray
    most_vms: FloatArray
    most_hosts: FloatArray

    def __len__(self) -> int:
        return len(self.ram_gib)

    def taken(self, rows: IntArray, **changes: Any) -> HostArrays:
        """The hosts `rows`, which may repeat, with other columns in the place of some."""
        return HostArrays(**_taken(self, rows, keep=("servers", "hypervisors")) | changes)

    @cached_property
    def _of_vms(self) -> FloatArray:
        """The columns of `HostOfVm`, one host more than there are: nowhere."""
        columns = (
            self.platform,
            self.hypervisor,
            self.physical,
            self.without_vt,
            self.version,
            self.cores,
            self.threads,
            self.base_mhz,
            self.spec_per_core,
            self.ft_max_vcpus,
            self.most_vcpus,
            self.most_ram_gib,
        )
        table = np.empty((len(columns), len(self) + 1))
        for row, column in zip(table, columns, strict=True):
            row[:-1] = column
        table[:, -1] = _NOWHERE
        return table

    def of_vms(self, host: IntArray) -> HostOfVm:
        """Figures of the hosts at these positions, −1 for nowhere."""
        platform, hypervisor, physical, without_vt, *others = self._of_vms.take(host, axis=1)
        return HostOfVm(platform, hypervisor, physical > 0, without_vt > 0, *others)


_NOWHERE = (-1, -1, 0, 0, np.nan, 1e9, np.inf, np.nan, np.nan, 0, np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class PoolArrays:
    """Pools as columns; NaN where the catalog has no figure.

    `array`, `disk`, `raid` index the distinct catalog entries.
    """

    ids: tuple[str, ...]
    array: IntArray
    arrays: tuple[Array, ...]
    disk: IntArray
    disks: tuple[Disk, ...]
    raid: IntArray
    raids: tuple[RaidLevel, ...]
    spindles: FloatArray
    hot_spares: FloatArray
    group_drives: FloatArray
    parity_drives: FloatArray
    mirrored: BoolArray
    disk_iops: FloatArray
    service_ms: FloatArray
    capacity_gb: FloatArray
    write_penalty: FloatArray
    read_share: FloatArray
    read_cache_hit: FloatArray
    ceiling_iops: FloatArray
    array_latency_ms: FloatArray

    def __len__(self) -> int:
        return len(self.spindles)

    def taken(self, rows: IntArray) -> PoolArrays:
        """The pools `rows`, which may repeat."""
        return PoolArrays(**_taken(self, rows, keep=("arrays", "disks", "raids")))


@dataclass(frozen=True, eq=False)
class Arrays:
    """A whole scenario as arrays."""

    vms: VmArrays
    hosts: HostArrays
    pools: PoolArrays
    clusters: tuple[str, ...]

    @cached_property
    def crews(self) -> Crews:
        """The VMs that run, host by host."""
        return Crews.of(self.vms.place, len(self.hosts))


@dataclass(frozen=True, slots=True, eq=False)
class Crews:
    """Rows of the VMs that run, ordered by host; those of host h are rows[starts[h]:][:counts[h]].

    `manned`: hosts with at least one.
    """

    rows: IntArray
    starts: IntArray
    counts: IntArray
    manned: IntArray

    @classmethod
    def of(cls, place: IntArray, hosts: int) -> Crews:
        counts = np.bincount(place + 1, minlength=hosts + 1)
        order = place.argsort(kind="stable")
        ends = counts.cumsum()
        nowhere = int(counts[0])
        counts = counts[1:]
        return cls(order[nowhere:], ends[:-1] - nowhere, counts, counts.nonzero()[0])

    def greatest(self, columns: FloatArray, none: float = -np.inf) -> FloatArray:
        """Greatest of each host's VMs: columns (k, n) become (k, h); `none` for no VMs."""
        found = np.full((len(columns), len(self.counts)), none)
        if len(self.manned):
            ordered = columns.take(self.rows, axis=1)
            starts = self.starts[self.manned]
            found[:, self.manned] = np.maximum.reduceat(ordered, starts, axis=1)
        return found


def _taken(
    table: VmArrays | HostArrays | PoolArrays, rows: IntArray, *, keep: tuple[str, ...]
) -> dict[str, Any]:
    """Rows of every column but those to keep, by name."""
    columns = {f.name: getattr(table, f.name) for f in fields(table)}
    return {
        name: column if name in keep else _rows_of(column, rows) for name, column in columns.items()
    }


def _rows_of(column: Any, rows: IntArray) -> Any:
    if isinstance(column, np.ndarray):
        return column[rows]
    if isinstance(column, HostOfVm):
        return HostOfVm(*[getattr(column, f.name)[rows] for f in fields(column)])
    return column if column is None else tuple([column[row] for row in rows.tolist()])


def to_arrays(scenario: Scenario, catalog: Catalog) -> Arrays:
    """The scenario as arrays, with the figures of the catalog entries it names.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    clusters = {cluster.id: row for row, cluster in enumerate(scenario.clusters)}
    hosts = _hosts(scenario.hosts, catalog, clusters)
    pools = _pools(scenario.pools, catalog)
    return Arrays(_vms(scenario, hosts, pools), hosts, pools, tuple(clusters))


def _columns(items: Sequence[Any], getters: Sequence[Callable[[Any], Any]]) -> list[list[Any]]:
    """Attributes of many items, column after column: rows would be as many tuples to collect."""
    return [list(map(getter, items)) for getter in getters]


_VM_COLUMNS = (
    *map(attrgetter, ("id", "host", "pool", "log_pool", "vcpus", "ram_gib", "memory_limit_gib")),
    *map(attrgetter, ("system_disk_gib", "log_disk_gib", "disk_mode", "restart_priority")),
    *map(attrgetter, ("powered_on", "fault_tolerance", "guest_bits", "cluster_partners")),
    attrgetter("workload"),
)
_WORKLOAD_COLUMNS = tuple(
    map(attrgetter, ("kind", "release", "active_users", "registered_users", "mail_file_mb"))
)


def _vms(scenario: Scenario, hosts: HostArrays, pools: PoolArrays) -> VmArrays:
    (
        ids, host_ids, pool_ids, log_pool_ids, vcpus, ram, limit, system, log, modes, priorities,
        powered, ft, bits, partners, workloads,
    ) = _columns(scenario.vms, _VM_COLUMNS)  # fmt: skip
    kinds, release_names, active, registered, file_mb = _columns(workloads, _WORKLOAD_COLUMNS)
    host = _positions(host_ids, hosts.ids, "host")
    releases = {release: code for code, release in enumerate(dict.fromkeys(release_names))}
    kind = _codes(kinds, _KIND_CODES)
    cpu_mhz, iops, disk_gib, network_mbps = _own(workloads, (kind == GENERIC).nonzero()[0])
    return VmArrays(
        ids=tuple(ids),
        host=host,
        at=hosts.of_vms(host),
        pool=_positions(pool_ids, pools.ids, "pool"),
        log_pool=_positions(log_pool_ids, pools.ids, "log_pool"),
        vcpus=np.array(vcpus, dtype=np.float64),
        ram_gib=np.array(ram, dtype=np.float64),
        memory_limit_gib=_floats(limit),
        system_disk_gib=_floats(system),
        log_disk_gib=_floats(log),
        mode=_codes(modes, _MODE_CODES),
        priority=_codes(priorities, _PRIORITY_CODES),
        powered_on=_flags(powered),
        fault_tolerance=_flags(ft),
        guest_bits=_floats(bits),
        clustered=_any(partners),
        kind=kind,
        release=_codes(release_names, releases),
        releases=tuple(releases),
        active_users=np.array(active, dtype=np.float64),
        registered_users=_floats(registered),
        mail_file_mb=np.array(file_mb, dtype=np.float64),
        own_cpu_mhz=cpu_mhz,
        own_iops=iops,
        own_disk_gib=disk_gib,
        own_network_mbps=network_mbps,
    )


_HOST_COLUMNS = tuple(
    map(
        attrgetter,
        ("id", "cluster", "server", "hypervisor", "nics", "nic_gbps", "ram_gib", "ft_logging_gbps"),
    )
)


def _hosts(items: Sequence[Host], catalog: Catalog, clusters: Mapping[str, int]) -> HostArrays:
    ids, cluster_ids, server_ids, hypervisor_ids, nics, gbps, ram, ft_gbps = _columns(
        items, _HOST_COLUMNS
    )
    server, servers = _distinct(server_ids, catalog.servers, "hosts[{}].server", "server")
    hypervisor, hypervisors = _distinct(
        hypervisor_ids, catalog.hypervisors, "hosts[{}].hypervisor", "hypervisor"
    )
    of_server = _table([_server_figures(entry) for entry in servers], 10).take(server, axis=1)
    granted = _table([_granted(entry) for entry in hypervisors], 10).take(hypervisor, axis=1)
    nic_mbps = _or_else(_floats(nics), of_server[8]) * _or_else(_floats(gbps), of_server[9]) * 1000
    return HostArrays(
        ids=tuple(ids),
        cluster=_positions(cluster_ids, clusters, "cluster", "hosts"),
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
        ram_gib=np.array(ram, dtype=np.float64),
        server_ram_gib=of_server[7],
        console_gib=granted[2],
        nic_mbps=nic_mbps,
        ft_gbps=_floats(ft_gbps),
        ft_max_vcpus=granted[3],
        most_vcpus=granted[4],
        most_ram_gib=granted[5],
        most_host_ram_gib=granted[6],
        most_threads=granted[7],
        most_vms=granted[8],
        most_hosts=granted[9],
    )


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
    )


def _granted(entry: Hypervisor) -> tuple[float | None, ...]:
    return (
        entry.id == PHYSICAL,
        entry.version[0] + entry.version[1] / 10,
        entry.console_gib or 0.0,
        entry.ft_max_vcpus,
        _most(entry.max_vcpus_per_vm),
        _most(entry.max_ram_gib_per_vm),
        _most(entry.max_ram_gib_per_host),
        _most(entry.max_logical_cpus_per_host),
        _most(entry.max_vms_per_host),
        _most(entry.max_hosts_per_cluster),
    )


def _most(value: float | None) -> float:
    """A maximum, infinite where none was found."""
    return np.inf if value is None else value


_POOL_COLUMNS = tuple(
    map(
        attrgetter,
        ("id", "array", "disk", "raid", "spindles", "hot_spares", "raid_group", "read_share"),
    )
)


def _pools(items: Sequence[Pool], catalog: Catalog) -> PoolArrays:
    ids, array_ids, disk_ids, raid_ids, spindles, spares, groups, reads = _columns(
        items, _POOL_COLUMNS
    )
    array, arrays = _distinct(array_ids, catalog.arrays, "pools[{}].array", "array")
    disk, disks = _distinct(disk_ids, catalog.disks, "pools[{}].disk", "disk")
    raid, raids = _distinct(raid_ids, catalog.raid_levels, "pools[{}].raid", "RAID level")
    own_penalty, hit, ceiling, latency = _table([_array_figures(a) for a in arrays], 4).take(
        array, axis=1
    )
    disk_iops, service, capacity = _table(
        [(d.iops, d.service_ms, d.capacity_gb) for d in disks], 3
    ).take(disk, axis=1)
    penalty, parity, mirrored, group = _table(
        [(r.write_penalty, r.parity_drives, r.mirrored, r.group_drives) for r in raids], 4
    ).take(raid, axis=1)
    return PoolArrays(
        ids=tuple(ids),
        array=array,
        arrays=arrays,
        disk=disk,
        disks=disks,
        raid=raid,
        raids=raids,
        spindles=np.array(spindles, dtype=np.float64),
        hot_spares=np.array(spares, dtype=np.float64),
        group_drives=_or_else(_floats(groups), group),
        parity_drives=parity,
        mirrored=mirrored > 0,
        disk_iops=disk_iops,
        service_ms=service,
        capacity_gb=capacity,
        write_penalty=_or_else(own_penalty, penalty),
        read_share=_floats(reads),
        read_cache_hit=hit,
        ceiling_iops=ceiling,
        array_latency_ms=latency,
    )


def _array_figures(entry: Array) -> tuple[float | None, ...]:
    hit = entry.read_cache_hit or 0.0
    return entry.write_penalty, max(hit, 0.0), entry.ceiling_iops, entry.latency_ms


def sum_by(position: IntArray, weights: FloatArray, count: int) -> FloatArray:
    """Sums of `weights` per position; −1 belongs to nobody."""
    # The first sum is what belongs to nobody; counts of nothing are integers, weights or not.
    sums = np.bincount(position + 1, weights, count + 1)[1:]
    return np.asarray(sums, dtype=np.float64)


def _floats(values: Sequence[float | None]) -> FloatArray:
    if values and values[0] is None and values.count(None) == len(values):
        return np.full(len(values), np.nan)
    return np.array(values, dtype=np.float64)


def _flags(values: Sequence[bool]) -> BoolArray:
    return np.array(values, dtype=np.bool_)


def _any(values: Sequence[Sequence[Any]]) -> BoolArray:
    """Which of these sequences hold something."""
    if values and not values[0] and values.count(values[0]) == len(values):
        return np.zeros(len(values), dtype=np.bool_)
    return np.fromiter(map(bool, values), dtype=np.bool_, count=len(values))


_OWN = attrgetter("cpu_mhz", "iops", "disk_gib", "network_mbps")


def _own(workloads: Sequence[Workload], rows: IntArray) -> FloatArray:
    """The figures that only generic workloads, in `rows`, bring themselves, shape (4, n)."""
    figures = np.full((4, len(workloads)), np.nan)
    if len(rows):
        found = [_OWN(workloads[row]) for row in rows.tolist()]
        figures[:, rows] = np.array(found, dtype=np.float64).T
    return figures


def _codes(values: Sequence[Any], codes: Mapping[Any, int]) -> IntArray:
    return np.fromiter(map(codes.__getitem__, values), dtype=np.int64, count=len(values))


def _or_else(values: FloatArray, default: FloatArray) -> FloatArray:
    return np.where(np.isnan(values), default, values)


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
        return np.full(len(ids), -1)
    rows: dict[str | None, int] = {id: row for row, id in enumerate(known)}
    rows[None] = -1
    try:
        return np.fromiter(map(rows.__getitem__, ids), dtype=np.int64, count=len(ids))
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
    found = tuple([find(entries, id, field=field.format(ids.index(id)), kind=kind) for id in codes])
    return _codes(ids, codes), found
