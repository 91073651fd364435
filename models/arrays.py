"""The only translation from scenario values to flat NumPy arrays.

Everything after this file computes on arrays; rows follow the order of the scenario. Ids become
positions (−1: none), words become codes, None becomes NaN, and every catalog entry is looked up
once per distinct id.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from models.catalog import Array, Catalog, Disk, Hypervisor, Platform, RaidLevel, Server, find
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
class VmArrays:
    """VMs as columns of shape (n,); `host`, `pool`, `log_pool` are positions, −1 for none.

    `running`: powered on and placed. `ram_gib` is what is configured, `effective_ram_gib` what a
    memory limit leaves of it. `release` indexes `releases`.
    """

    ids: tuple[str, ...]
    host: IntArray
    pool: IntArray
    log_pool: IntArray
    vcpus: FloatArray
    ram_gib: FloatArray
    effective_ram_gib: FloatArray
    system_disk_gib: FloatArray
    log_disk_gib: FloatArray
    mode: IntArray
    priority: IntArray
    powered_on: BoolArray
    running: BoolArray
    fault_tolerance: BoolArray
    guest_bits: FloatArray
    clustered: BoolArray
    kind: IntArray
    release: IntArray
    releases: tuple[str, ...]
    active_users: FloatArray
    mail_owners: FloatArray
    mail_file_mb: FloatArray
    own_cpu_mhz: FloatArray
    own_iops: FloatArray
    own_disk_gib: FloatArray
    own_network_mbps: FloatArray

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class HostArrays:
    """Hosts as columns; `server` and `hypervisor` index the distinct catalog entries.

    `spec_per_core` and `nic_mbps` are NaN where unknown, `ft_gbps` where there is no network.
    """

    ids: tuple[str, ...]
    cluster: IntArray
    server: IntArray
    servers: tuple[Server, ...]
    hypervisor: IntArray
    hypervisors: tuple[Hypervisor, ...]
    physical: BoolArray
    version: FloatArray
    platform: IntArray
    cores: FloatArray
    base_mhz: FloatArray
    spec_per_core: FloatArray
    ram_gib: FloatArray
    console_gib: FloatArray
    nic_mbps: FloatArray
    ft_gbps: FloatArray
    ft_max_vcpus: FloatArray

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class PoolArrays:
    """Pools as columns; NaN where the catalog has no figure."""

    ids: tuple[str, ...]
    arrays: tuple[Array, ...]
    disks: tuple[Disk, ...]
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
        return len(self.ids)


@dataclass(frozen=True, slots=True, eq=False)
class Arrays:
    """A whole scenario as arrays."""

    vms: VmArrays
    hosts: HostArrays
    pools: PoolArrays
    clusters: tuple[str, ...]


def to_arrays(scenario: Scenario, catalog: Catalog) -> Arrays:
    """The scenario as arrays, with the figures of the catalog entries it names.

    Raises:
        ModelError: an id that nothing in the scenario or the catalog has, with its field.
    """
    clusters = {cluster.id: row for row, cluster in enumerate(scenario.clusters)}
    hosts = _hosts(scenario.hosts, catalog, clusters)
    pools = _pools(scenario.pools, catalog)
    return Arrays(_vms(scenario, hosts, pools), hosts, pools, tuple(clusters))


def _vms(scenario: Scenario, hosts: HostArrays, pools: PoolArrays) -> VmArrays:
    vms = scenario.vms
    workloads = _column(vms, "workload")
    host = _positions(_column(vms, "host"), hosts.ids, "host")
    pool_rows = {id: row for row, id in enumerate(pools.ids)}
    powered_on = np.array(_column(vms, "powered_on"), dtype=np.bool_)
    ram = _floats(_column(vms, "ram_gib"))
    active = _floats(_column(workloads, "active_users"))
    release_names = _column(workloads, "release")
    releases = {release: code for code, release in enumerate(dict.fromkeys(release_names))}
    kind = _codes(_column(workloads, "kind"), _KIND_CODES)
    generic = np.flatnonzero(kind == GENERIC)
    return VmArrays(
        ids=tuple(_column(vms, "id")),
        host=host,
        pool=_positions(_column(vms, "pool"), pool_rows, "pool"),
        log_pool=_positions(_column(vms, "log_pool"), pool_rows, "log_pool"),
        vcpus=_floats(_column(vms, "vcpus")),
        ram_gib=ram,
        effective_ram_gib=np.fmin(ram, _floats(_column(vms, "memory_limit_gib"))),
        system_disk_gib=_floats(_column(vms, "system_disk_gib")),
        log_disk_gib=_floats(_column(vms, "log_disk_gib")),
        mode=_codes(_column(vms, "disk_mode"), _MODE_CODES),
        priority=_codes(_column(vms, "restart_priority"), _PRIORITY_CODES),
        powered_on=powered_on,
        running=powered_on & (host >= 0),
        fault_tolerance=np.array(_column(vms, "fault_tolerance"), dtype=np.bool_),
        guest_bits=_floats(_column(vms, "guest_bits")),
        clustered=_any(_column(vms, "cluster_partners")),
        kind=kind,
        release=_codes(release_names, releases),
        releases=tuple(releases),
        active_users=active,
        mail_owners=_or_else(_floats(_column(workloads, "registered_users")), active),
        mail_file_mb=_floats(_column(workloads, "mail_file_mb")),
        own_cpu_mhz=_own(workloads, "cpu_mhz", generic),
        own_iops=_own(workloads, "iops", generic),
        own_disk_gib=_own(workloads, "disk_gib", generic),
        own_network_mbps=_own(workloads, "network_mbps", generic),
    )


def _hosts(hosts: Sequence[Host], catalog: Catalog, clusters: Mapping[str, int]) -> HostArrays:
    server, servers = _distinct(hosts, "server", catalog.servers, "hosts", "server")
    hypervisor, hypervisors = _distinct(
        hosts, "hypervisor", catalog.hypervisors, "hosts", "hypervisor"
    )
    nics = _or_else(_floats([h.nics for h in hosts]), _spread(servers, "nics")[server])
    gbps = _or_else(_floats([h.nic_gbps for h in hosts]), _spread(servers, "nic_gbps")[server])
    return HostArrays(
        ids=tuple([h.id for h in hosts]),
        cluster=_positions([h.cluster for h in hosts], clusters, "cluster", "hosts"),
        server=server,
        servers=servers,
        hypervisor=hypervisor,
        hypervisors=hypervisors,
        physical=np.array([h.id == PHYSICAL for h in hypervisors], dtype=np.bool_)[hypervisor],
        version=_floats([h.version[0] + h.version[1] / 10 for h in hypervisors])[hypervisor],
        platform=_ints([PLATFORMS.index(s.platform) for s in servers])[server],
        cores=_spread(servers, "cores")[server],
        base_mhz=_spread(servers, "base_mhz")[server],
        spec_per_core=_spread(servers, "spec_rate_per_core")[server],
        ram_gib=_floats([h.ram_gib for h in hosts]),
        console_gib=np.fmax(_spread(hypervisors, "console_gib"), 0.0)[hypervisor],
        nic_mbps=nics * gbps * 1000.0,
        ft_gbps=_floats([h.ft_logging_gbps for h in hosts]),
        ft_max_vcpus=_spread(hypervisors, "ft_max_vcpus")[hypervisor],
    )


def _pools(pools: Sequence[Pool], catalog: Catalog) -> PoolArrays:
    array, arrays = _distinct(pools, "array", catalog.arrays, "pools", "array")
    disk, disks = _distinct(pools, "disk", catalog.disks, "pools", "disk")
    raid, raids = _distinct(pools, "raid", catalog.raid_levels, "pools", "RAID level")
    penalty = _or_else(
        _spread(arrays, "write_penalty")[array], _spread(raids, "write_penalty")[raid]
    )
    group = _or_else(_floats([p.raid_group for p in pools]), _spread(raids, "group_drives")[raid])
    return PoolArrays(
        ids=tuple([p.id for p in pools]),
        arrays=tuple([arrays[row] for row in array]),
        disks=tuple([disks[row] for row in disk]),
        raids=tuple([raids[row] for row in raid]),
        spindles=_floats([p.spindles for p in pools]),
        hot_spares=_floats([p.hot_spares for p in pools]),
        group_drives=group,
        parity_drives=_spread(raids, "parity_drives")[raid],
        mirrored=np.array([r.mirrored for r in raids], dtype=np.bool_)[raid],
        disk_iops=_spread(disks, "iops")[disk],
        service_ms=_spread(disks, "service_ms")[disk],
        capacity_gb=_spread(disks, "capacity_gb")[disk],
        write_penalty=penalty,
        read_share=_floats([p.read_share for p in pools]),
        read_cache_hit=np.fmax(_spread(arrays, "read_cache_hit"), 0.0)[array],
        ceiling_iops=_spread(arrays, "ceiling_iops")[array],
        array_latency_ms=_spread(arrays, "latency_ms")[array],
    )


def sum_by(position: IntArray, weights: FloatArray, count: int) -> FloatArray:
    """Sums of `weights` per position; −1 belongs to nobody."""
    there = position >= 0
    return np.asarray(
        np.bincount(position[there], weights=weights[there], minlength=count), dtype=np.float64
    )


def _column(items: Sequence[Any], name: str) -> list[Any]:
    """One attribute of many items. One column after the other is twice as fast as row by row."""
    return list(map(attrgetter(name), items))


def _floats(values: Sequence[float | None]) -> FloatArray:
    if values and values[0] is None and list(values).count(None) == len(values):
        return np.full(len(values), np.nan)
    return np.array(values, dtype=np.float64)


def _any(values: Sequence[Sequence[Any]]) -> BoolArray:
    """Which of these sequences hold something."""
    return np.fromiter(map(bool, values), dtype=np.bool_, count=len(values))


def _own(workloads: Sequence[Workload], name: str, rows: IntArray) -> FloatArray:
    """A figure that only generic workloads, in `rows`, bring themselves."""
    figures = np.full(len(workloads), np.nan)
    figures[rows] = [getattr(workloads[row], name) for row in rows]
    return figures


def _ints(values: Sequence[int]) -> IntArray:
    return np.array(values, dtype=np.int64)


def _codes(values: Sequence[Any], codes: Mapping[Any, int]) -> IntArray:
    return np.fromiter(map(codes.__getitem__, values), dtype=np.int64, count=len(values))


def _or_else(values: FloatArray, default: FloatArray) -> FloatArray:
    return np.where(np.isnan(values), default, values)


def _spread(entries: Sequence[Any], name: str) -> FloatArray:
    return _floats([getattr(entry, name) for entry in entries])


def _positions(
    ids: Sequence[str | None],
    known: Mapping[str, int] | Sequence[str],
    field: str,
    collection: str = "vms",
) -> IntArray:
    pairs = (
        known.items() if isinstance(known, Mapping) else zip(known, range(len(known)), strict=True)
    )
    rows: dict[str | None, int] = {None: -1, **dict(pairs)}
    try:
        return np.fromiter(map(rows.__getitem__, ids), dtype=np.int64, count=len(ids))
    except KeyError:
        row, id = next((row, id) for row, id in enumerate(ids) if id not in rows)
        raise ModelError(
            f"there is no “{id}” in the scenario", field=f"{collection}[{row}].{field}"
        ) from None


def _distinct(
    items: Sequence[Any], attribute: str, entries: Mapping[str, T], collection: str, kind: str
) -> tuple[IntArray, tuple[T, ...]]:
    """Codes per item and the distinct catalog entries behind them, in order of first use."""
    ids = [getattr(item, attribute) for item in items]
    codes = {id: code for code, id in enumerate(dict.fromkeys(ids))}
    found = tuple(
        find(entries, id, field=f"{collection}[{ids.index(id)}].{attribute}", kind=kind)
        for id in codes
    )
    return _codes(ids, codes), found
