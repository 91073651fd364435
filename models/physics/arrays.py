"""A scenario as flat NumPy arrays; `reading` makes them.

Everything after that computes on arrays; rows follow the order of the scenario.

Copies of a scenario stand side by side in one set of arrays: many variants worked out at once.
Disjoint copies don't touch each other, so formulas that know hosts, pools and clusters by position
need not know that there are several.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.base.lazily import lazy, with_fields
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.base.texts import say
from models.evidence.profiles import PROFILES
from models.formulas.traced import PER_CENT, Figure, labelled, plus, times, where
from models.physics.columns import (
    VmsByHost,
    every,
    filled,
    inverse,
    looked_up,
    rows_by_id,
    some,
    sums_by,
)
from models.physics.host_columns import HostArrays, HostOfVm, PoolArrays, taken_rows
from models.physics.replicas import Replicas
from models.physics.restart_rules import RestartRules
from models.physics.vsan import VSAN_FROM
from models.scenario.owners import ACTIVE_OF_REGISTERED
from models.scenario.scenario import DiskMode, Profile, RestartPriority
from models.scenario.workloads import Law

LAWS = tuple(Law)
MODES = tuple(DiskMode)
PRIORITIES = tuple(RestartPriority)
PROFILE_NAMES = tuple(Profile)
PROFILE_WORK = tuple(PROFILES[profile] for profile in PROFILE_NAMES)


NRPC, INOTES, COMMUNITY, MUX, GIVEN = map(LAWS.index, Law)

VMFS = MODES.index(DiskMode.VMFS)
RDM = MODES.index(DiskMode.RDM)
LOCAL = MODES.index(DiskMode.LOCAL)
PHYSICAL_MODE = MODES.index(DiskMode.PHYSICAL)


VSAN = MODES.index(DiskMode.VSAN)
OF_ESX = np.array([mode in (DiskMode.VMFS, DiskMode.RDM, DiskMode.VSAN) for mode in MODES])
"""Ways to their disks that only VMs have."""

NOT_TO_ARRAY = np.array(
    [mode in (DiskMode.LOCAL, DiskMode.VSAN, DiskMode.PHYSICAL) for mode in MODES]
)
"""Ways to their disks by which VMs don't reach those of an array."""

SLACK = 1e-9
"""Share of a host by which reservations may exceed it: rounding."""

SERVES_32 = say("memory that serves 32 bits")
MOST_RAM_WITHOUT_PAE_GIB = Figure(4.0, SERVES_32, "GiB", why=say("32 bits address 4 GiB"))
"""Memory that 32 bits address."""

MOST_RAM_32_BIT_GIB = Figure(
    6.0,
    SERVES_32,
    "GiB",
    why=say("the largest memory of a 32-bit system that was measured: VMworld 2007 WV21, x366"),
)
"""Largest memory of a 32-bit system that was measured (VMworld 2007 WV21, IBM System x366, /PAE);
that more RAM makes mail faster is said of 64 bits alone (“On W64 doubling the RAM …”)."""

USERS = say("users")

RESTART_DISABLED = PRIORITIES.index(RestartPriority.DISABLED)


@record(slots=False)
class VmArrays:
    """VMs as columns of shape (n,); `host`, `pool`, `log_pool` are positions, −1 for none.

    `running`: powered on and placed. `ram_gib` is what is configured, `effective_ram_gib` what a
    memory limit leaves of it; `reserved_mhz`, `reserved_gib` are NaN for none. `release` indexes
    `releases`, `profile` the profiles of other work, `measured_on` `reading.places_measured`.
    `load_assumed`: CPU or I/O of a measured load is assumed.
    `registered_assumed`: in production nobody gave registered users; `owners_pinned`: they stay
    as many whatever the active ones do. `stored_mb`: mail files that lie on disks, where those that
    users open are others [MB]; `stopped`: servers that are down in a VM that runs. `at` holds
    figures of the hosts, `ranks` the order of ids where that is known already. `replicas` tells of
    Domino clusters among these rows, or among each of several copies of them; `received` and
    `pushing` of those that are left out, or of what else runs. `window_mhz`, `window_iops` are what
    runs besides users in a maintenance window, NaN for no data; None outside of it.
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
    guest_pae: FloatArray
    clustered: BoolArray
    names_lun: BoolArray
    law: IntArray
    release: IntArray
    releases: tuple[str, ...]
    active_users: FloatArray
    registered_users: FloatArray
    registered_assumed: BoolArray
    owners_pinned: BoolArray
    load_assumed: BoolArray
    profile: IntArray
    measured_on: IntArray
    mail_file_mb: FloatArray
    buffer_pool_mb: FloatArray
    daos_saving_pct: FloatArray
    view_index_pct: FloatArray
    full_text_pct: FloatArray
    traveler_users: FloatArray
    documents_per_user: FloatArray
    devices_per_user: FloatArray
    traveler_pool: BoolArray
    own_cpu_mhz: FloatArray
    own_iops: FloatArray
    own_disk_gib: FloatArray
    own_network_mbps: FloatArray
    own_memory_gib: FloatArray
    own_cpu_spread: FloatArray
    own_iops_spread: FloatArray
    calibrated_cpu: FloatArray
    calibrated_cpu_width: FloatArray
    calibrated_iops: FloatArray
    calibrated_iops_width: FloatArray
    calibrated_ram: FloatArray
    reserved_mhz: FloatArray
    reserved_gib: FloatArray
    further_copies: FloatArray
    received_copies: FloatArray
    ranks: IntArray | None = None
    replicas: Replicas | None = None
    received: FloatArray | None = None
    received_files: FloatArray | None = None
    pushing: BoolArray | None = None
    stored_mb: FloatArray | None = None
    stopped: BoolArray | None = None
    window_mhz: FloatArray | None = None
    window_iops: FloatArray | None = None

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
    def files_received(self) -> FloatArray:
        """Mail files of running partners of which each VM keeps replicas [1], (n,)."""
        if self.received_files is not None:
            return self.received_files
        if self.replicas is None:
            return np.zeros(len(self))
        return self.replicas.received(np.where(self.running, self.mail_owners, 0.0))

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
        served = where(self.guest_pae == 0, MOST_RAM_WITHOUT_PAE_GIB, MOST_RAM_32_BIT_GIB)
        most = where(self.guest_bits == 32, served, np.inf)
        return labelled("RAM that counts", np.minimum(self.effective_ram_gib, most), "GiB")

    @lazy
    def space_of_files(self) -> FloatArray:
        """Space on disks over the size of mail files: (1 − DAOS)·(1 + views + full text), (n,)."""
        daos, views, text = (
            np.fmax(each, 0.0) / PER_CENT
            for each in (self.daos_saving_pct, self.view_index_pct, self.full_text_pct)
        )
        indexes = plus(
            plus(1.0, labelled("view indexes", views)), labelled("full-text indexes", text)
        )
        less = labelled("1 less DAOS", 1.0 - labelled("saving of DAOS", daos))
        return times(less, labelled("1 and indexes", indexes))

    @lazy
    def mail_owners(self) -> FloatArray:
        """Users with a mail file there: those registered, no fewer than are at work; where nobody
        gave them those at work, or in production as many as these are of them."""
        unsaid = where(self.registered_assumed, ACTIVE_OF_REGISTERED, 1.0)
        assumed = labelled("registered users, assumed", self.active_users / unsaid, USERS)
        owners = where(np.isnan(self.registered_users), assumed, self.registered_users)
        return where(owners < self.active_users, self.active_users, owners)

    @lazy
    def files_mb(self) -> FloatArray:
        """Mail files of a server that lie on its disks [MB, decimal], (n,)."""
        files = labelled("mail files in MB", self.mail_owners * self.mail_file_mb)
        return files if self.stored_mb is None else self.stored_mb

    @lazy
    def files_kept(self) -> FloatArray:
        """Mail files that each VM reads and writes [1], (n,): of its own users, and of those of
        running partners as far as it keeps replicas for them."""
        kept = plus(self.mail_owners, self.files_received)
        return labelled("mail files, replicas among them", kept)

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
        return np.asarray(without & ~self.at.physical & (self.guest_bits == 64))

    @lazy
    def domino(self) -> BoolArray:
        domino: BoolArray = (self.law == NRPC) | (self.law == INOTES)
        return domino

    @lazy
    def chatting(self) -> BoolArray:
        """Sametime servers, whose users are users of chat."""
        return np.asarray((self.law == COMMUNITY) | (self.law == MUX))

    @lazy
    def syncing(self) -> BoolArray:
        """Traveler servers of which somebody said the users."""
        return ~np.isnan(self.traveler_users)

    @lazy
    def some_protected(self) -> bool:
        """Whether any VM has Fault Tolerance."""
        return some(self.fault_tolerance)

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
        return with_fields(self, forgotten=("place",), host=host)

    @lazy
    def kept_down(self) -> BoolArray:
        """VMs that HA shall not restart, and those that no other host can."""
        return np.asarray((self.priority == RESTART_DISABLED) | self.rooted)

    @lazy
    def some_logs_apart(self) -> bool:
        """Whether any VM's transaction logs have a pool of their own."""
        return some(self.log_pool >= 0)

    @lazy
    def _laws(self) -> frozenset[int]:
        return frozenset(np.bincount(self.law).nonzero()[0].tolist())

    def has(self, *laws: int) -> bool:
        """Whether any VM loads its host by one of these laws."""
        return not self._laws.isdisjoint(laws)

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
        apart = dict.fromkeys(("replicas", "received", "received_files", "pushing"))
        columns = taken_rows(self, rows, keep=("releases", *apart))
        if self.replicas is not None or self.received is not None:
            apart["received"] = self.received_users[rows]
            apart["received_files"] = self.files_received[rows]
            apart["pushing"] = self.replicating[rows]
        return VmArrays(**columns | apart | changes)


@record(slots=False)
class Arrays:
    """A whole scenario as arrays.

    Attributes:
        rules: what binds restarts, None for nothing.
        tolerated: host failures that each cluster tolerates by its admission control, (c,); None
            where none tolerates more than one.
        drives_in: pairs of a pool and a host whose drives it is made of, (2, k); None where all
            stand in arrays.
        seen_by: pairs of a pool that not all hosts see and a host that does, (2, k); None where
            every host sees every pool.
    """

    vms: VmArrays
    hosts: HostArrays
    pools: PoolArrays
    clusters: tuple[str, ...]
    rules: RestartRules | None = None
    tolerated: IntArray | None = None
    drives_in: IntArray | None = None
    seen_by: IntArray | None = None

    @lazy
    def vms_by_host(self) -> VmsByHost:
        """The VMs that run, host by host."""
        return VmsByHost.of(self.vms.place, len(self.hosts))

    @lazy
    def refused(self) -> BoolArray:
        """VMs that are switched on but can't run as they stand, shape (n,).

        They have more vCPUs or memory than their hypervisor or their host lets them have, a
        processor or a path to their disks that doesn't serve them, disks in a pool that holds
        nothing or that their host doesn't see, a reservation that the host can't keep, or
        must-rules that leave them no host; of those without a host, the ones that no host could
        run.
        """
        vms = self.vms
        found = vms.vcpus > np.minimum(vms.at.threads, vms.at.most_vcpus)
        found |= (vms.ram_gib > vms.at.most_ram_gib) | (self.over_host_ram & vms.at.physical)
        found |= vms.pathless | vms.unvirtualised | self.unseen
        found |= self.diskless
        if self.rules is not None:
            found |= self.rules.nowhere
        found |= self.unreservable
        return np.asarray(found & vms.powered_on | self.homeless)

    @lazy
    def started(self) -> BoolArray:
        """VMs that run and aren't `refused`, shape (n,): those that serve anybody."""
        return self.vms.running & ~self.refused

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
    def unseen(self) -> BoolArray:
        """VMs on a host that doesn't see their data or their logs, shape (n,)."""
        vms, found = self.vms, np.zeros(len(self.vms), dtype=np.bool_)
        if self.seen_by is None:
            return found
        keys = np.sort(self.seen_by[0] * len(self.hosts) + self.seen_by[1])
        is_bound = np.zeros(len(self.pools), dtype=np.bool_)
        is_bound[self.seen_by[0]] = True
        for pool in (vms.pool, vms.log_pool):
            bound = (vms.host >= 0) & looked_up(is_bound, pool, False)
            found |= bound & ~np.isin(pool * len(self.hosts) + vms.host, keys)
        return found

    @lazy
    def clusters_of_pools(self) -> tuple[IntArray, BoolArray]:
        """Of drives that stand in hosts: the cluster of each pool, −1 for none, (p,), and whether
        its hosts are of several clusters, or of one and of none, (p,)."""
        cluster, mixed = filled(len(self.pools), -1, np.int64), np.zeros(len(self.pools), np.bool_)
        if self.drives_in is not None:
            pool, host = self.drives_in
            of_host = self.hosts.cluster[host]
            cluster[pool] = of_host
            mixed[pool[of_host != cluster[pool]]] = True
        return cluster, mixed

    @lazy
    def oldest_of_pools(self) -> FloatArray:
        """Of drives that stand in hosts: the oldest release on any of them, NaN of arrays, (p,)."""
        oldest = np.full(len(self.pools), np.nan)
        if self.drives_in is not None:
            pool, host = self.drives_in
            np.fmin.at(oldest, pool, self.hosts.version[host])
        return oldest

    @lazy
    def diskless(self) -> BoolArray:
        """VMs with data or logs in a pool that holds nothing, shape (n,)."""
        vms, nothing = self.vms, self.pools.hold_nothing
        return looked_up(nothing, vms.pool, False) | looked_up(nothing, vms.log_pool, False)

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
        here = ~hosts.away
        if not len(rows) or not some(here):
            return found
        grants = np.unique(
            np.array(
                [
                    np.minimum(hosts.threads, hosts.most_vcpus),
                    np.minimum(hosts.ram_gib, hosts.most_ram_gib),
                    hosts.without_vt & ~hosts.physical,
                ]
            )[:, here],
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
        most_vcpus = np.minimum(hosts.threads, hosts.most_vcpus)
        large = vms.vcpus > most_vcpus.min(initial=np.inf)
        large |= vms.ram_gib > hosts.most_ram_gib.min(initial=np.inf)
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


def side_by_side(base: Arrays, count: int, **changes: Any) -> Arrays:
    """`count` copies of the arrays, each with hosts, pools and clusters of its own.

    Args:
        changes: columns of the VMs of all copies, one after the other, that differ.
    """
    vms, hosts, pools, clusters = (
        len(items) for items in (base.vms, base.hosts, base.pools, base.clusters)
    )

    def rows(items: int) -> IntArray:
        return np.tile(np.arange(items), count)

    def shifted(position: IntArray, items: int) -> IntArray:
        copies = np.arange(count)[:, None] * items + position
        return np.where(position < 0, position, copies).ravel()

    own: dict[str, Any] = {}
    if base.vms.replicas is not None:
        own = {"replicas": base.vms.replicas}
        own |= dict.fromkeys(("received", "received_files", "pushing"))
    copied = base.vms.taken(
        rows(vms),
        host=shifted(base.vms.host, hosts),
        pool=shifted(base.vms.pool, pools),
        log_pool=shifted(base.vms.log_pool, pools),
        ranks=np.tile(base.vms.id_rank, count),
        **own | changes,
    )
    return Arrays(
        copied,
        base.hosts.taken(rows(hosts), cluster=shifted(base.hosts.cluster, clusters)),
        base.pools.taken(rows(pools)),
        base.clusters * count,
        None if base.rules is None else base.rules.copies(count),
        None if base.tolerated is None else np.tile(base.tolerated, count),
        *(
            None
            if pairs is None
            else np.array([shifted(pairs[0], pools), shifted(pairs[1], hosts)])
            for pairs in (base.drives_in, base.seen_by)
        ),
    )
