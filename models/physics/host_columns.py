"""Hosts and pools as columns; `reading` makes them."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.catalog.catalog import Array, Disk, Hypervisor, Platform, RaidLevel, Server
from models.physics.columns import filled, looked_up, ranks, rows_by_id, some
from models.physics.hosts import cpu_pct, network_pct, ram_pct

PLATFORMS = tuple(Platform)
PHYSICAL = "none"
Machine = tuple[str, str]
"""Catalog ids of a server and a hypervisor."""

MAKERS = ("", "Intel", "AMD")
HA_SMALL_CLUSTER = 8
"""Hosts up to which the limits of small HA clusters hold."""

X366 = PLATFORMS.index(Platform.X366)
CLOVERTOWN = PLATFORMS.index(Platform.CLOVERTOWN)
NEHALEM = PLATFORMS.index(Platform.NEHALEM)


@record
class HostOfVm:
    """Figures of each VM's host, shape (n,); for a VM without one what refuses and loads nothing.

    `version`, `spec_per_core`, `base_mhz` are NaN and `hypervisor`, `platform`, `machine` −1
    without a host; `most_vcpus`, `most_ram_gib` are what the hypervisor grants a VM, infinite where
    not known.
    `figures` are all of them as rows.
    """

    figures: FloatArray
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
    machine: FloatArray

    @classmethod
    def of(cls, figures: FloatArray) -> HostOfVm:
        platform, hypervisor, physical, without_vt, *others = figures
        return cls(figures, platform, hypervisor, physical > 0, without_vt > 0, *others)


@record(slots=False)
class HostArrays:
    """Hosts as columns; `server` and `hypervisor` index the distinct catalog entries, `machine`
    the distinct pairs of their ids.

    `away`: in maintenance, so that nothing runs there. `copies` of each mail file that members of
    Domino clusters here keep elsewhere. `cluster` is −1 for hosts of none and for those that HA
    leaves out: physical servers, releases before it, and what is in maintenance. `spec_per_core`
    and `nic_mbps` are NaN where unknown, `ft_gbps` where there is no network. What server and
    hypervisor take at most (`server_ram_gib` … `most_hosts`) is infinite where unknown,
    `years_apart` from machine to release NaN. `unlisted` is how many VMs run there that no list
    has.
    """

    ids: tuple[str, ...]
    cluster: IntArray
    away: BoolArray
    copies: FloatArray
    machine: IntArray
    machines: tuple[Machine, ...]
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
    port_mbps: FloatArray
    ft_gbps: FloatArray
    ft_max_vcpus: FloatArray
    most_vcpus: FloatArray
    most_ram_gib: FloatArray
    most_host_ram_gib: FloatArray
    most_threads: FloatArray
    most_vms: FloatArray
    most_hosts: FloatArray
    years_apart: FloatArray
    unlisted: FloatArray

    def __len__(self) -> int:
        return len(self.ram_gib)

    def taken(self, rows: IntArray, **changes: Any) -> HostArrays:
        """The hosts `rows`, which may repeat, with other columns in the place of some."""
        return HostArrays(
            **taken_rows(self, rows, keep=("machines", "servers", "hypervisors")) | changes
        )

    @lazy
    def row_of(self) -> dict[str | None, int]:
        """Row of each host by its id; −1 of None, which is nowhere."""
        return {None: -1, **dict(zip(self.ids, range(len(self)), strict=True))}

    @lazy
    def some_physical(self) -> bool:
        """Whether any is a physical server."""
        return some(self.physical)

    @lazy
    def pct_of_cores(self) -> FloatArray:
        """Per cent of a host that one busy core is, (h,)."""
        return cpu_pct(1.0, self.cores)

    @lazy
    def pct_of_ram(self) -> FloatArray:
        """Per cent of a host's memory that 1 GiB is, (h,)."""
        return ram_pct(1.0, self.ram_gib)

    @lazy
    def pct_of_nics(self) -> FloatArray:
        """Per cent of a host's network that 1 Mb/s is, NaN for no data, (h,)."""
        return network_pct(1.0, np.where(self.nic_mbps > 0, self.nic_mbps, np.nan))

    def granted(self, field: str) -> FloatArray:
        """A maximum of each host's hypervisor, infinite where no limit was found, (h,)."""
        most = [getattr(each, field) for each in self.hypervisors]
        most = [np.inf if each is None else each for each in most]
        return np.array(most, dtype=np.float64)[self.hypervisor]

    @lazy
    def most_ha_vms(self) -> FloatArray:
        """VMs that a host may run by the size of its HA cluster, (h,)."""
        is_large = looked_up(self.cluster_sizes, self.cluster, 0) > HA_SMALL_CLUSTER
        few, many = self.granted("ha_max_vms_per_host"), self.granted("ha_max_vms_per_host_large")
        return np.where(self.cluster >= 0, np.where(is_large, many, few), np.inf)

    @lazy
    def most_host_vcpus(self) -> FloatArray:
        """vCPUs that a host may run, (h,)."""
        return self.granted("max_vcpus_per_host")

    @lazy
    def most_core_vcpus(self) -> FloatArray:
        """vCPUs that a core may run, (h,)."""
        return self.granted("max_vcpus_per_core")

    @lazy
    def oversized(self) -> BoolArray:
        """Hosts with more RAM than server or hypervisor takes, (h,)."""
        return self.ram_gib > np.minimum(self.server_ram_gib, self.most_host_ram_gib)

    @lazy
    def in_oversized_cluster(self) -> BoolArray:
        """Hosts whose cluster is larger than their hypervisor grants, (h,)."""
        return np.asarray(looked_up(self.cluster_sizes, self.cluster, 0) > self.most_hosts)

    @lazy
    def processor(self) -> IntArray:
        """Number of each host's processor model; a server of unknown processor is its own."""
        models = [server.processor or server.id for server in self.servers]
        return np.array([models.index(each) for each in models], dtype=np.int64)[self.server]

    @lazy
    def maker(self) -> IntArray:
        """Number of the maker of each host's processors among `MAKERS`, 0 where not known, (h,)."""
        makers = [MAKERS.index(server.processor_maker) for server in self.servers]
        return np.array(makers, dtype=np.int64)[self.server]

    @lazy
    def beside_other_makers(self) -> BoolArray:
        """Hosts whose cluster has processors of several makers, (h,)."""
        there = np.zeros((len(self.cluster_sizes) + 1, len(MAKERS)), dtype=np.bool_)
        there[self.cluster, self.maker] = True
        several = there[:, 1:].sum(axis=1) > 1
        several[-1] = False  # of no cluster
        return np.asarray(several[self.cluster])

    @lazy
    def manages_from(self) -> FloatArray:
        """The oldest release that vCenter of each host's release manages, 0 where not known."""
        by_id = {each.id: release_number(each) for each in self.hypervisors}
        least = [
            by_id.get(each.manages_from, _number_in(each.manages_from)) for each in self.hypervisors
        ]
        return np.array(least, dtype=np.float64)[self.hypervisor]

    @lazy
    def newest_beside(self) -> IntArray:
        """Row of a host with the newest release in the cluster of each, itself outside, (h,)."""
        found = np.arange(len(self))
        for members in self.members:
            there = members[members >= 0]
            if len(there):
                found[there] = there[self.version[there].argmax()]
        return found

    @lazy
    def beside_newer(self) -> BoolArray:
        """Hosts that no vCenter manages together with the newest release of their cluster, (h,)."""
        return np.asarray(self.version < self.manages_from[self.newest_beside])

    @lazy
    def cluster_sizes(self) -> IntArray:
        """Hosts of each cluster up to the last that has any."""
        return np.bincount(self.cluster + 1)[1:]

    @lazy
    def members(self) -> IntArray:
        """Hosts of each cluster by id, padded with −1, shape (c, w): the first of equals is the
        first by id, in whatever order they stand in the scenario."""
        by_id = rows_by_id(self.ids)
        sizes, order = self.cluster_sizes, by_id[self.cluster[by_id].argsort(kind="stable")]
        table = filled((len(sizes), int(sizes.max(initial=0))), -1, np.int64)
        row = np.arange(len(sizes)).repeat(sizes)
        table[row, ranks(sizes)] = order[len(order) - len(row) :]
        return table

    @lazy
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
            self.machine,
        )
        table = np.empty((len(columns), len(self) + 1))
        for row, column in zip(table, columns, strict=True):
            row[:-1] = column
        table[:, -1] = _NOWHERE
        return table

    def of_vms(self, host: IntArray) -> HostOfVm:
        """Figures of the hosts at these positions, −1 for nowhere."""
        return HostOfVm.of(self._of_vms.take(host, axis=1))


_NOWHERE = (-1, -1, 0, 0, np.nan, 1e9, np.inf, np.nan, np.nan, 0, np.inf, np.inf, -1)


@record(slots=False)
class PoolArrays:
    """Pools as columns; NaN where the catalog has no figure.

    `array`, `disk`, `raid` index the distinct catalog entries. `own_group`: drives of a group as
    the pool states them, NaN where it doesn't. Of pools whose drives stand in hosts `host_count` is
    how many, NaN of arrays; figures that the catalog has per host are those of all of them, and
    `held` is the share of their drives that holds data, after `free_share` and `free_gb` that are
    kept free. They stay what they are after `tolerates` hosts are gone; `raid_tolerates` is what
    their RAID level leaves no choice of, else NaN.
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
    own_group: FloatArray
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
    most_drives: FloatArray
    host_count: FloatArray
    tolerates: FloatArray
    fewest_hosts: FloatArray
    held: FloatArray
    free_share: FloatArray
    free_gb: FloatArray
    raid_tolerates: FloatArray

    def __len__(self) -> int:
        return len(self.spindles)

    @lazy
    def in_hosts(self) -> BoolArray:
        """Pools whose drives stand in hosts, (p,)."""
        return np.asarray(~np.isnan(self.host_count))

    @lazy
    def some_in_hosts(self) -> bool:
        """Whether there are such pools."""
        return some(self.in_hosts)

    def without_hosts(self, gone: IntArray | int) -> PoolArrays:
        """Pools whose drives stand in hosts with so many hosts fewer, (p,) or of all; nothing is
        laid out anew."""
        left = np.maximum(self.host_count - gone, 0.0) / np.maximum(self.host_count, 1.0)
        left = np.where(self.in_hosts, left, 1.0)
        return replace(
            self,
            spindles=self.spindles * left,
            hot_spares=self.hot_spares * left,
            ceiling_iops=self.ceiling_iops * left,
        )

    @lazy
    def drives(self) -> FloatArray:
        """Drives without hot spares, (p,); none where there are no hosts for them to stand in."""
        there = np.maximum(self.spindles - self.hot_spares, 0.0)
        return np.where(self.host_count == 0, 0.0, there)

    @lazy
    def data_drives(self) -> FloatArray:
        """Drives' worth of data after hot spares, parity or mirror, (p,).

        Drives form groups of `group_drives`; each group, the last and smaller one too, gives up
        its parity drives. Mirrors halve. Of drives in hosts what is kept free is left out, too.
        """
        group = np.where(self.group_drives > 0, self.group_drives, np.maximum(self.drives, 1.0))
        whole = np.floor(self.drives / group)
        rest = self.drives - whole * group
        in_whole = whole * np.maximum(group - self.parity_drives, 0.0)
        data = in_whole + np.maximum(rest - self.parity_drives, 0.0)
        data = np.where(self.mirrored, np.floor(self.drives / 2), data)
        if not self.some_in_hosts:
            return data
        # Of drives of unknown size what is kept free in GB is not known: nor is their space.
        free = self.drives * self.free_share + np.nan_to_num(self.free_gb / self.capacity_gb)
        return np.where(self.in_hosts, np.maximum(self.drives - free, 0.0) * self.held, data)

    @lazy
    def hold_nothing(self) -> BoolArray:
        """Pools whose drives leave none for data, (p,)."""
        return self.data_drives <= 0

    @lazy
    def largest_group(self) -> FloatArray:
        """Drives of the largest RAID group, (p,)."""
        stated = self.group_drives > 0
        return np.where(stated, np.minimum(self.group_drives, self.drives), self.drives)

    @lazy
    def fewest_in_group(self) -> FloatArray:
        """Drives that a group of the RAID level takes at least, (p,)."""
        fewest = [raid.fewest_drives for raid in self.raids]
        return np.array(fewest, dtype=np.float64)[self.raid]

    @lazy
    def impossible_groups(self) -> BoolArray:
        """Pools whose groups have fewer drives than their RAID level takes, or more than there
        are, (p,)."""
        wrong = (self.largest_group < self.fewest_in_group) | (self.own_group > self.drives)
        return np.asarray(wrong & (self.drives > 0) & ~self.in_hosts)

    @lazy
    def not_offered(self) -> BoolArray:
        """Pools with a RAID level that their array does not offer, (p,)."""
        offered = [
            [not array.raid_levels or raid.id in array.raid_levels for raid in self.raids]
            for array in self.arrays
        ]
        table = np.array(offered, dtype=np.bool_).reshape(len(self.arrays), len(self.raids))
        return ~table[self.array, self.raid]

    @lazy
    def not_taken(self) -> BoolArray:
        """Pools with drives that are known not to go into their array, (p,)."""
        taken = [[array.takes(disk) is not False for disk in self.disks] for array in self.arrays]
        table = np.array(taken, dtype=np.bool_).reshape(len(self.arrays), len(self.disks))
        return ~table[self.array, self.disk]

    def taken(self, rows: IntArray) -> PoolArrays:
        """The pools `rows`, which may repeat."""
        return PoolArrays(**taken_rows(self, rows, keep=("arrays", "disks", "raids")))


def taken_rows(table: Any, rows: IntArray, *, keep: tuple[str, ...]) -> dict[str, Any]:
    """Rows of every column but those to keep, by name."""
    columns = {f.name: getattr(table, f.name) for f in fields(table)}
    return {
        name: column if name in keep else _rows_of(column, rows) for name, column in columns.items()
    }


def _rows_of(column: Any, rows: IntArray) -> Any:
    if isinstance(column, np.ndarray):
        return column[rows]
    if isinstance(column, HostOfVm):
        return HostOfVm.of(column.figures.take(rows, axis=1))
    return column if column is None else tuple([column[row] for row in rows.tolist()])


def or_else(values: FloatArray, default: FloatArray) -> FloatArray:
    """`values`, or `default` where they are NaN."""
    return np.where(np.isnan(values), default, values)


def _number_in(id: str) -> float:
    """The number that the id of a release ends in, 0 for none: ``vsphere-6.5``."""
    found = re.search(r"(\d+\.\d+)", id)
    return float(found[1]) if found else 0.0


def release_number(entry: Hypervisor) -> float:
    """Major and minor number of a release, 4.1 as 4.1."""
    return entry.version[0] + entry.version[1] / 10
