"""A scenario as flat NumPy arrays; `reading` makes them.

Everything after that computes on arrays; rows follow the order of the scenario.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from models.catalog import (
    Array,
    Disk,
    Hypervisor,
    Platform,
    RaidLevel,
    Server,
)
from models.lazily import changed, lazy
from models.physics.columns import every, filled, inverse, looked_up, ranks, some, sums_by
from models.physics.restart_rules import RestartRules
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record
from models.scenario import (
    DiskMode,
    RestartPriority,
    WorkloadKind,
)

T = TypeVar("T")

KINDS = tuple(WorkloadKind)
MODES = tuple(DiskMode)
PRIORITIES = tuple(RestartPriority)
PLATFORMS = tuple(Platform)
PHYSICAL = "none"

Machine = tuple[str, str]
"""Catalog ids of a server and a hypervisor."""

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

VSAN, VSAN_FROM = MODES.index(DiskMode.VSAN), 5.5
OF_ESX = np.array([mode in (DiskMode.VMFS, DiskMode.RDM, DiskMode.VSAN) for mode in MODES])
"""Ways to their disks that only VMs have."""

SLACK = 1e-9
"""Share of a host by which reservations may exceed it: rounding."""

MOST_RAM_32_BIT_GIB = 6.0
"""Largest memory of a 32-bit system that was measured (VMworld 2007 WV21, IBM System x366, /PAE);
that more RAM makes mail faster is said of 64 bits alone (“On W64 doubling the RAM …”)."""

RESTART_DISABLED = PRIORITIES.index(RestartPriority.DISABLED)


@record
class HostOfVm:
    """Figures of each VM's host, shape (n,); for a VM without one what refuses and loads nothing.

    `version`, `spec_per_core`, `base_mhz` are NaN and `hypervisor`, `platform` −1 without a host;
    `most_vcpus`, `most_ram_gib` are what the hypervisor grants a VM, infinite where not known.
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

    @classmethod
    def of(cls, figures: FloatArray) -> HostOfVm:
        platform, hypervisor, physical, without_vt, *others = figures
        return cls(figures, platform, hypervisor, physical > 0, without_vt > 0, *others)


@record
class Replicas:
    """Who keeps replicas of whose databases, a row for each pair.

    A server's databases have one further copy, spread evenly over its partners.

    Attributes:
        receiver, sender: rows of the VMs; `share`: of the sender's databases.
        size: rows of the VMs among which they are.
    """

    receiver: IntArray
    sender: IntArray
    share: FloatArray
    size: int

    def received(self, figures: FloatArray) -> FloatArray:
        """The receivers' shares of the senders' `figures`, summed, in every copy of the rows, (n,).

        >>> pair = np.array([1, 0]), np.array([0, 1]), np.ones(2)
        >>> Replicas(*pair, size=2).received(np.array([3.0, 5.0, 0.0, 7.0])).tolist()
        [5.0, 3.0, 7.0, 0.0]
        """
        found = np.zeros(len(figures))
        copies = np.arange(len(figures) // self.size)[:, None] * self.size
        np.add.at(found, copies + self.receiver, figures[copies + self.sender] * self.share)
        return found

    def pushing(self, running: BoolArray) -> BoolArray:
        """Senders of which a receiver runs, in every copy of the rows, (n,)."""
        found = np.zeros(len(running), dtype=np.bool_)
        copies = np.arange(len(running) // self.size)[:, None] * self.size
        found[(copies + self.sender)[running[copies + self.receiver]]] = True
        return found

    def inherited(self, users: FloatArray, running: BoolArray) -> tuple[FloatArray, IntArray]:
        """Most users that one sender that is lost leaves each receiver, and which, −1 for none.

        A lost server's users go in equal parts to those that run and hold its replicas; rows of one
        scenario, (n,) each.

        >>> trio = Replicas(np.array([1, 2, 0]), np.array([0, 0, 1]), np.ones(3), size=3)
        >>> most, lost = trio.inherited(np.array([30.0, 8.0, 5.0]), np.ones(3, dtype=np.bool_))
        >>> most.tolist(), lost.tolist()
        ([8.0, 15.0, 15.0], [1, 0, 0])
        """
        most, lost = np.zeros(self.size), filled(self.size, -1, np.int64)
        open_to = running[self.receiver]
        heirs = np.bincount(self.sender[open_to], minlength=self.size)
        pairs = np.flatnonzero(open_to & running[self.sender] & (users[self.sender] > 0))
        sender = self.sender[pairs]
        brought = users[sender] / heirs[sender]
        order = np.argsort(-brought, kind="stable")[::-1]
        most[self.receiver[pairs[order]]] = brought[order]
        lost[self.receiver[pairs[order]]] = sender[order]
        return most, lost


@record(slots=False)
class VmArrays:
    """VMs as columns of shape (n,); `host`, `pool`, `log_pool` are positions, −1 for none.

    `running`: powered on and placed. `ram_gib` is what is configured, `effective_ram_gib` what a
    memory limit leaves of it; `reserved_mhz`, `reserved_gib` are NaN for none. `release` indexes
    `releases`. `at` holds figures of the hosts, `ranks` the order of ids where that is known
    already. `replicas` tells of Domino clusters among these rows, or among each of several copies
    of them; `received` and `pushing` of those that are left out, or of what else runs.
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
    names_lun: BoolArray
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
    own_memory_gib: FloatArray
    reserved_mhz: FloatArray
    reserved_gib: FloatArray
    ranks: IntArray | None = None
    replicas: Replicas | None = None
    received: FloatArray | None = None
    pushing: BoolArray | None = None

    def __len__(self) -> int:
        return len(self.host)

    @lazy
    def received_users(self) -> FloatArray:
        """Active users of running partners whose changes each VM takes for its replicas, (n,)."""
        if self.received is not None:
            return self.received
        if self.replicas is None:
            return np.zeros(len(self))
        return self.replicas.received(np.where(self.running, self.active_users, 0.0))

    @lazy
    def replicating(self) -> BoolArray:
        """Members of Domino clusters with a partner that runs, to push changes to, (n,)."""
        if self.pushing is not None:
            return self.pushing
        if self.replicas is None:
            return np.zeros(len(self), dtype=np.bool_)
        return self.replicas.pushing(self.running)

    @lazy
    def running(self) -> BoolArray:
        return self.powered_on & (self.host >= 0)

    @lazy
    def effective_ram_gib(self) -> FloatArray:
        return np.fmin(self.ram_gib, self.memory_limit_gib)

    @lazy
    def counted_ram_gib(self) -> FloatArray:
        """RAM that a law counts on: of a 32-bit system no more than one was measured with."""
        narrow = self.guest_bits == 32
        if not some(narrow):
            return self.effective_ram_gib
        most = np.where(narrow, MOST_RAM_32_BIT_GIB, np.inf)
        return np.minimum(self.effective_ram_gib, most)

    @lazy
    def mail_owners(self) -> FloatArray:
        return or_else(self.registered_users, self.active_users)

    @lazy
    def place(self) -> IntArray:
        """Host of each VM that runs, −1 for the others."""
        return self.host if self.all_on else np.where(self.powered_on, self.host, -1)

    @lazy
    def rooted(self) -> BoolArray:
        """VMs that no other host can start: on disks local to their host, and physical servers."""
        return np.asarray((self.mode == LOCAL) | self.at.physical)

    @lazy
    def pathless(self) -> BoolArray:
        """VMs whose way to their disks the host doesn't have: ESX's on a physical server, a
        physical server's under ESX, vSAN before vSphere 5.5."""
        wrong = np.where(self.at.physical, OF_ESX[self.mode], self.mode == PHYSICAL_MODE)
        wrong |= (self.mode == VSAN) & (self.at.version < VSAN_FROM)
        return np.asarray(wrong & (self.host >= 0))

    @lazy
    def unvirtualised(self) -> BoolArray:
        """64-bit guests on processors that lack the hardware virtualisation they need."""
        without = self.at.without_vt
        if not some(without):
            return without
        return np.asarray(without & ~self.at.physical & (self.guest_bits == 64))

    @lazy
    def some_misfit(self) -> bool:
        """Whether a VM stands where its way to the disks or its processor isn't there."""
        return some(self.pathless) or some(self.unvirtualised)

    @lazy
    def domino(self) -> BoolArray:
        domino: BoolArray = (self.kind == NRPC) | (self.kind == INOTES)
        return domino

    @lazy
    def some_protected(self) -> bool:
        """Whether any VM has Fault Tolerance."""
        return some(self.fault_tolerance)

    @lazy
    def some_reserve(self) -> bool:
        """Whether any VM reserves CPU or memory, Fault Tolerance among the reasons."""
        return self.some_protected or some(self.reserved_mhz > 0) or some(self.reserved_gib > 0)

    @lazy
    def some_clustered(self) -> bool:
        """Whether there are Domino clusters among these rows or those that were left out."""
        return self.replicas is not None or self.received is not None

    @lazy
    def all_on(self) -> bool:
        return every(self.powered_on)

    @lazy
    def all_running(self) -> bool:
        return self.all_on and not some(self.host < 0)

    def moved(self, host: IntArray) -> VmArrays:
        """The same VMs on other hosts like theirs; those without one still have none."""
        return changed(self, forgotten=("place",), host=host)

    @lazy
    def most_vcpus(self) -> float:
        """Those of the largest VM."""
        return float(np.maximum.reduce(self.vcpus, initial=0.0))

    @lazy
    def most_ram_gib(self) -> float:
        """That of the largest VM."""
        return float(np.maximum.reduce(self.ram_gib, initial=0.0))

    @lazy
    def kept_down(self) -> BoolArray:
        """VMs that HA shall not restart, and those that no other host can."""
        return np.asarray((self.priority == RESTART_DISABLED) | self.rooted)

    @lazy
    def some_logs_apart(self) -> bool:
        """Whether any VM's transaction logs have a pool of their own."""
        return some(self.log_pool >= 0)

    @lazy
    def _kinds(self) -> frozenset[int]:
        return frozenset(np.bincount(self.kind).nonzero()[0].tolist())

    def has(self, *kinds: int) -> bool:
        """Whether any VM is of one of these kinds."""
        return not self._kinds.isdisjoint(kinds)

    @lazy
    def row_of(self) -> dict[str, int]:
        """Row of each VM by its id."""
        return dict(zip(self.ids, range(len(self)), strict=True))

    @lazy
    def id_rank(self) -> IntArray:
        """Place of each VM in the order of ids: what decides between equals."""
        return inverse(self.by_id) if self.ranks is None else self.ranks

    @lazy
    def by_id(self) -> IntArray:
        """The VMs in the order of their ids."""
        if self.ranks is not None:
            return inverse(self.ranks)
        return rows_by_id(self.ids)

    @lazy
    def serving(self) -> BoolArray:
        """Domino servers that run."""
        return self.domino & self.running

    @lazy
    def serving_users(self) -> BoolArray:
        """Those that have any."""
        return self.serving & (self.active_users > 0)

    @lazy
    def queues(self) -> BoolArray:
        """VMs that run and queue their I/Os on a LUN, as VMFS and RDM do."""
        on_lun = (self.mode == VMFS) | (self.mode == RDM)
        return np.asarray(self.on_pool & on_lun & ~self.at.physical)

    @lazy
    def on_pool(self) -> BoolArray:
        """VMs that run and have a disk pool."""
        return self.running & (self.pool >= 0)

    def taken(self, rows: IntArray, **changes: Any) -> VmArrays:
        """The VMs `rows`, which may repeat, with other columns in the place of some."""
        apart: dict[str, Any] = {"replicas": None, "received": None, "pushing": None}
        columns = _taken(self, rows, keep=("releases", *apart))
        if self.replicas is not None or self.received is not None:
            apart["received"] = self.received_users[rows]
            apart["pushing"] = self.replicating[rows]
        return VmArrays(**columns | apart | changes)


@record(slots=False)
class HostArrays:
    """Hosts as columns; `server` and `hypervisor` index the distinct catalog entries, `machine`
    the distinct pairs of their ids.

    `cluster` is −1 for hosts of none and for those that HA leaves out: physical servers, and
    releases before it. `spec_per_core` and `nic_mbps` are NaN where unknown, `ft_gbps` where there
    is no network. What server and hypervisor take at most (`server_ram_gib` … `most_hosts`) is
    infinite where unknown, `years_apart` between machine and release NaN.
    """

    ids: tuple[str, ...]
    cluster: IntArray
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

    def __len__(self) -> int:
        return len(self.ram_gib)

    def taken(self, rows: IntArray, **changes: Any) -> HostArrays:
        """The hosts `rows`, which may repeat, with other columns in the place of some."""
        return HostArrays(
            **_taken(self, rows, keep=("machines", "servers", "hypervisors")) | changes
        )

    @lazy
    def lets_have_vcpus(self) -> FloatArray:
        """vCPUs that a VM can have on each host, (h,)."""
        return np.minimum(self.threads, self.most_vcpus)

    @lazy
    def pct_of_cores(self) -> FloatArray:
        """Per cent of a host that one busy core is, (h,)."""
        return 100.0 / self.cores

    @lazy
    def pct_of_nics(self) -> FloatArray:
        """Per cent of a host's network that 1 Mb/s is, NaN for no data, (h,)."""
        return 100.0 / np.where(self.nic_mbps > 0, self.nic_mbps, np.nan)

    @lazy
    def least_ha_vms(self) -> float:
        """VMs that every release lets a host of an HA cluster of any size run."""
        releases = self.hypervisors
        return least(
            [each.ha_max_vms_per_host for each in releases]
            + [each.ha_max_vms_per_host_large for each in releases]
        )

    @lazy
    def least_host_vcpus(self) -> float:
        """vCPUs that every release lets a host run."""
        return least([each.max_vcpus_per_host for each in self.hypervisors])

    @lazy
    def least_core_vcpus(self) -> float:
        """vCPUs that every release lets a core run."""
        return least([each.max_vcpus_per_core for each in self.hypervisors])

    @lazy
    def least_cluster_vms(self) -> float:
        """VMs that every release lets a cluster run."""
        return least([each.max_vms_per_cluster for each in self.hypervisors])

    @lazy
    def some_without_vt(self) -> bool:
        return some(self.without_vt)

    @lazy
    def least_vcpus(self) -> float:
        """vCPUs that a VM can have on every host."""
        return float(np.minimum.reduce(self.lets_have_vcpus, initial=np.inf))

    @lazy
    def least_ram_gib(self) -> float:
        """Memory that every host has and lets a VM have."""
        return float(np.fmin(self.ram_gib, self.most_ram_gib).min(initial=np.inf))

    @lazy
    def processor(self) -> IntArray:
        """Number of each host's processor model; a server of unknown processor is its own."""
        models = [server.processor or server.id for server in self.servers]
        return np.array([models.index(each) for each in models], dtype=np.int64)[self.server]

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
        )
        table = np.empty((len(columns), len(self) + 1))
        for row, column in zip(table, columns, strict=True):
            row[:-1] = column
        table[:, -1] = _NOWHERE
        return table

    def of_vms(self, host: IntArray) -> HostOfVm:
        """Figures of the hosts at these positions, −1 for nowhere."""
        return HostOfVm.of(self._of_vms.take(host, axis=1))


_NOWHERE = (-1, -1, 0, 0, np.nan, 1e9, np.inf, np.nan, np.nan, 0, np.inf, np.inf)


@record(slots=False)
class PoolArrays:
    """Pools as columns; NaN where the catalog has no figure.

    `array`, `disk`, `raid` index the distinct catalog entries. `own_group`: drives of a group as
    the pool states them, NaN where it doesn't.
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

    def __len__(self) -> int:
        return len(self.spindles)

    def taken(self, rows: IntArray) -> PoolArrays:
        """The pools `rows`, which may repeat."""
        return PoolArrays(**_taken(self, rows, keep=("arrays", "disks", "raids")))


@record(slots=False)
class Arrays:
    """A whole scenario as arrays.

    Attributes:
        rules: what binds restarts, None for nothing.
        tolerated: host failures that each cluster tolerates by its admission control, (c,); None
            where none tolerates more than one.
    """

    vms: VmArrays
    hosts: HostArrays
    pools: PoolArrays
    clusters: tuple[str, ...]
    rules: RestartRules | None = None
    tolerated: IntArray | None = None

    @lazy
    def crews(self) -> Crews:
        """The VMs that run, host by host."""
        return Crews.of(self.vms.place, len(self.hosts))

    @lazy
    def refused(self) -> BoolArray:
        """VMs that are switched on but can't run as they stand, shape (n,).

        They have more vCPUs or memory than their hypervisor or their host lets them have, a
        processor or a path to their disks that doesn't serve them, or a reservation that the host
        can't keep, or must-rules that leave them no host; of those without a host, the ones that
        no host could run.
        """
        vms = self.vms
        if not self._some_refused:
            return np.zeros(len(vms), dtype=np.bool_)
        found = vms.vcpus > np.minimum(vms.at.threads, vms.at.most_vcpus)
        found |= (vms.ram_gib > vms.at.most_ram_gib) | (self.over_host_ram & vms.at.physical)
        found |= vms.pathless | vms.unvirtualised
        if self.rules is not None:
            found |= self.rules.nowhere
        if vms.some_reserve:
            found |= self.unreservable
        if not vms.all_on:
            found &= vms.powered_on
        return np.asarray(found if vms.all_running else found | self.homeless)

    @property
    def _some_refused(self) -> bool:
        """Whether any VM might be: not where every host has room for the largest, and nothing else
        of it is there."""
        vms = self.vms
        return (
            vms.most_vcpus > self.hosts.least_vcpus
            or vms.most_ram_gib > self.hosts.least_ram_gib
            or self.rules is not None
            or vms.some_reserve
            or not vms.all_running
            or vms.some_misfit
        )

    @lazy
    def stays_down(self) -> BoolArray:
        """VMs that HA doesn't restart: it shall not, no other host can, or they never ran."""
        return self.vms.kept_down | self.refused

    @lazy
    def over_host_ram(self) -> BoolArray:
        """VMs with more RAM than their host has, shape (n,). A hypervisor swaps then."""
        vms = self.vms
        return np.asarray(vms.ram_gib > looked_up(self.hosts.ram_gib, vms.host, np.inf))

    @lazy
    def unreservable(self) -> BoolArray:
        """Running VMs whose reservation isn't free on their host any more when those before them
        have theirs, by restart priority and id, shape (n,). Fault Tolerance reserves all memory."""
        vms, hosts = self.vms, self.hosts
        wanted = np.array([np.fmax(vms.reserved_mhz, 0.0), np.fmax(vms.reserved_gib, 0.0)])
        if vms.some_protected:
            protected = vms.fault_tolerance & (vms.vcpus <= vms.at.ft_max_vcpus)
            wanted[1] = np.where(protected, vms.ram_gib, wanted[1])
        free = np.array([hosts.cores * hosts.base_mhz, hosts.ram_gib - hosts.console_gib])
        free[np.isnan(free)] = np.inf
        free *= 1 + SLACK
        found = np.zeros(len(vms), dtype=np.bool_)
        short = np.logical_or.reduce(sums_by(vms.place, wanted, len(hosts)) > free)
        rows = looked_up(short, vms.place, False).nonzero()[0]
        order = np.lexsort((vms.id_rank[rows], vms.priority[rows]))
        for row in rows[order].tolist():
            host, needed = vms.host[row], wanted[:, row]
            if (needed > free[:, host]).any():
                found[row] = True
            else:
                free[:, host] -= needed
        return found

    @lazy
    def homeless(self) -> BoolArray:
        """VMs switched on and without a host that none of the hosts there are could run, (n,)."""
        vms, hosts = self.vms, self.hosts
        found = np.zeros(len(vms), dtype=np.bool_)
        rows = (vms.powered_on & (vms.host < 0)).nonzero()[0]
        if not len(rows) or not len(hosts):
            return found
        grants = np.unique(
            np.array(
                [
                    np.minimum(hosts.threads, hosts.most_vcpus),
                    np.minimum(hosts.ram_gib, hosts.most_ram_gib),
                    hosts.without_vt & ~hosts.physical,
                ]
            ),
            axis=1,
        )[:, :, None]
        able = (vms.vcpus[rows] <= grants[0]) & (vms.ram_gib[rows] <= grants[1])
        able &= ~((grants[2] > 0) & (vms.guest_bits[rows] == 64))
        found[rows[~able.any(axis=0)]] = True
        return found

    @lazy
    def binding(self) -> RestartRules | None:
        """`rules`, and that a VM restarts on no host that can't run it; None for nothing.

        A VM that its own host can't run either is left out: that is said elsewhere.
        """
        vms, hosts = self.vms, self.hosts
        small = vms.most_vcpus <= hosts.least_vcpus and vms.most_ram_gib <= hosts.least_ram_gib
        if small and not hosts.some_without_vt:
            return self.rules
        most_vcpus = hosts.lets_have_vcpus
        large = (vms.vcpus > hosts.least_vcpus) | (
            vms.ram_gib > hosts.most_ram_gib.min(initial=np.inf)
        )
        wide = vms.guest_bits == 64 if some(hosts.without_vt) else np.zeros(len(vms), np.bool_)
        if not some(large | wide):
            return self.rules
        at, cluster = vms.at, np.append(hosts.cluster, -1)[vms.host]
        at_home = (vms.vcpus <= np.minimum(at.threads, at.most_vcpus)) & ~(wide & at.without_vt)
        at_home &= vms.ram_gib <= at.most_ram_gib
        rows = ((large | wide) & at_home & (cluster >= 0)).nonzero()[0]
        host = hosts.members[cluster[rows]]
        able = (vms.vcpus[rows, None] <= most_vcpus[host]) & ~(
            wide[rows, None] & hosts.without_vt[host]
        )
        able &= vms.ram_gib[rows, None] <= hosts.most_ram_gib[host]
        if (able | (host < 0)).all():
            return self.rules
        rules = self.rules or RestartRules.none(len(vms), len(hosts))
        return rules.only_on(rows, host, able)


@record
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

    def on(self, hosts: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs of these hosts, which may repeat, and for each the place of its host in them."""
        repeats = self.counts[hosts]
        firsts = repeats.cumsum() - repeats
        offsets = np.arange(int(repeats.sum())) + (self.starts[hosts] - firsts).repeat(repeats)
        return self.rows[offsets], np.arange(len(hosts)).repeat(repeats)

    def greatest(self, columns: FloatArray, none: float = -np.inf) -> FloatArray:
        """Greatest of each host's VMs: columns (k, n) become (k, h); `none` for no VMs."""
        found = filled((len(columns), len(self.counts)), none)
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
        return HostOfVm.of(column.figures.take(rows, axis=1))
    return column if column is None else tuple([column[row] for row in rows.tolist()])


@lru_cache(maxsize=16)
def rows_by_id(ids: tuple[str, ...]) -> IntArray:
    """Rows in the order of their ids; worked out once for the same ids, not to be written."""
    rows = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)
    rows.flags.writeable = False
    return rows


def least(granted: Iterable[float | None]) -> float:
    """The least of what releases grant; None: no limit was found."""
    return min([most for most in granted if most is not None], default=np.inf)


def or_else(values: FloatArray, default: FloatArray) -> FloatArray:
    """`values`, or `default` where they are NaN."""
    return np.where(np.isnan(values), default, values)


def release_number(entry: Hypervisor) -> float:
    """Major and minor number of a release, 4.1 as 4.1."""
    return entry.version[0] + entry.version[1] / 10
