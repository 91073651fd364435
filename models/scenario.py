"""A scenario: what stands where, as frozen values; every edit returns a new value.

The types are structural: they refuse nothing but edits that name something that isn't there
(`ModelError`). Whether a whole scenario makes sense is `check_scenario`'s business.

Items and the scenario carry `origins`, who gave which of their values, and `pins`, the values that
no automatic change may touch; both by the path of the field. `models.inputs` reads and writes them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from models.errors import ModelError, kind_words
from models.lettering import is_seen
from models.origin import Origins
from models.texts import say
from models.workloads import WORKLOADS, Law, WorkloadKind

NO_HYPERVISOR = "none"
"""Catalog id of the hypervisor of a physical server."""


class DiskMode(StrEnum):
    """How a VM reaches its disks."""

    VMFS = "vmfs"
    RDM = "rdm"
    NFS = "nfs"
    VSAN = "vsan"
    LOCAL = "local"
    PHYSICAL = "physical"


class AdmissionPolicy(StrEnum):
    """How vSphere HA reserves capacity for failures."""

    NONE = "none"
    HOST_FAILURES = "host-failures"
    PERCENTAGE = "percentage"
    DEDICATED = "dedicated-host"


class RestartPriority(StrEnum):
    """HA restart priority of a VM."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Limits and factors by which verdicts are made.

    Attributes:
        cpu_limit_pct: average CPU limit of hosts and VMs (WV21 and AS/400 practice: 70 %).
        response_limit_ms: acceptable mean response time (WV21: < 1 s).
        benchmark_derating: ≥ 1; the load of one of your users in benchmark users.
        peak_factor_cpu, peak_factor_iops: ≥ 1; peak over average, applied to verdicts.
        vcpus_per_core_limit: ≥ 0.
        memory_overcommit: configured over physical memory that is tolerated; 1 is none.
        disk_limit_pct: utilisation limit of a pool's disks.
        network_limit_pct: utilisation limit of a host's network.
        capacity_limit_pct: how full a pool may be at the planning horizon.
        mail_growth_pct: growth of mail files until the planning horizon.
    """

    cpu_limit_pct: float = 70.0
    response_limit_ms: float = 1000.0
    benchmark_derating: float = 2.0
    peak_factor_cpu: float = 1.0
    peak_factor_iops: float = 1.0
    vcpus_per_core_limit: float = 4.0
    memory_overcommit: float = 1.0
    disk_limit_pct: float = 70.0
    network_limit_pct: float = 40.0
    capacity_limit_pct: float = 90.0
    mail_growth_pct: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """HA admission control of a cluster: the policy and the numbers that go with it.

    Attributes:
        host_failures: host failures the cluster tolerates (``host-failures``).
        cpu_pct, ram_pct: share kept free (``percentage``).
        failover_host, more_failover_hosts: ids of the hosts that stand by (``dedicated-host``).
        slot_cpu_cap_mhz, slot_ram_cap_mib: upper bounds of a slot (das.slotCpuInMHz,
            das.slotMemInMB); None: none.
        vm_cpu_min_mhz, vm_ram_min_mib: what a VM without reservation counts as
            (das.vmCpuMinMHz, das.vmMemoryMinMB); None: the release's default.
    """

    policy: AdmissionPolicy = AdmissionPolicy.NONE
    host_failures: int = 1
    cpu_pct: float = 25.0
    ram_pct: float = 25.0
    failover_host: str | None = None
    more_failover_hosts: tuple[str, ...] = ()
    slot_cpu_cap_mhz: float | None = None
    slot_ram_cap_mib: float | None = None
    vm_cpu_min_mhz: float | None = None
    vm_ram_min_mib: float | None = None

    @property
    def failover_hosts(self) -> tuple[str, ...]:
        """All hosts that stand by, in the order given."""
        first = () if self.failover_host is None else (self.failover_host,)
        return (*first, *self.more_failover_hosts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumptions:
    """Inputs that no document gives: every one is *assumed* until somebody measures it.

    Attributes:
        ha_detection_s: from the death of a host to the order to restart its VMs.
        guest_boot_s: start of the guest's operating system.
        domino_start_s: start of the server's tasks, without the checks that follow.
        log_replay_s: replay of the transaction logs, where there are some.
        consistency_check_s_per_gib: check of the databases where there are no transaction logs.
        reconnect_s: within which everybody logs in again after the network was cut.
        login_actions: work of one login, in ordinary actions of a user.
        holiday_login_s: within which everybody logs in on the first day after a holiday.
        holiday_peak_factor: activity of users on that day over their usual one, at least 1.
        holiday_s: how long they stay that active.
        array_controllers: controllers that share an array's load.
    """

    ha_detection_s: float = 15.0
    guest_boot_s: float = 120.0
    domino_start_s: float = 60.0
    log_replay_s: float = 60.0
    consistency_check_s_per_gib: float = 10.0
    reconnect_s: float = 60.0
    login_actions: float = 5.0
    holiday_login_s: float = 1800.0
    holiday_peak_factor: float = 1.5
    holiday_s: float = 7200.0
    array_controllers: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiver:
    """Somebody takes responsibility for a finding: it stays listed, with the reason.

    `subject` is the id of the item that the finding speaks of, empty for the scenario as a whole.
    """

    rule: str
    reason: str
    subject: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster:
    """A vSphere HA cluster: hosts name it, failures stay inside it."""

    id: str
    name: str
    admission: Admission = Admission()
    origins: Origins = ()
    pins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """An ESX host, or a physical server when its hypervisor is ``none``.

    Attributes:
        server, hypervisor: catalog ids.
        ram_gib: installed memory.
        ft_logging_gbps: bandwidth of the Fault Tolerance logging network; None: there is none.
        nics, nic_gbps: network ports for VMs; None: as in the catalog.
        failure_group: chassis, rack or site that fails as one.
    """

    id: str
    name: str
    server: str
    hypervisor: str
    ram_gib: float
    cluster: str | None = None
    ft_logging_gbps: float | None = None
    nics: int | None = None
    nic_gbps: float | None = None
    failure_group: str | None = None
    origins: Origins = ()
    pins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """Disks of one array used together, shared by every VM that names the pool.

    Attributes:
        array, disk: catalog ids.
        spindles: drives in the pool, hot spares included.
        raid: id of a RAID level (``0 1 10 5 6 dp``).
        hot_spares: how many of the drives stand by empty.
        raid_group: drives per RAID group, parity included; None: as in the catalog.
        read_share: share of reads in host I/O; None: the model's default.
    """

    id: str
    name: str
    array: str
    disk: str
    spindles: int
    raid: str
    hot_spares: int = 0
    raid_group: int | None = None
    read_share: float | None = None
    origins: Origins = ()
    pins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """What the users of a VM do.

    Attributes:
        release: Domino or Sametime release as text, such as ``8.5.1``.
        active_users: users at work at the same time (not registered, not merely connected).
        mail_file_mb: mean size of a mail file [MB, decimal].
        registered_users: owners of mail files on this server; None: as many as are active.
        cpu_mhz, iops, memory_gib, disk_gib, network_mbps: of a ``generic`` workload, measured by
            whoever brings it; None: no data.
    """

    kind: WorkloadKind
    release: str = ""
    active_users: float = 0.0
    mail_file_mb: float = 0.0
    registered_users: float | None = None
    cpu_mhz: float | None = None
    iops: float | None = None
    memory_gib: float | None = None
    disk_gib: float | None = None
    network_mbps: float | None = None


class _Figures:
    """Room in a frozen item for the figures that whoever reads it reads only once."""

    __slots__ = ("figures",)
    figures: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Vm(_Figures):
    """A virtual machine (or the one operating system of a physical server).

    Attributes:
        host: id of its host; None: not placed yet.
        pool: id of the pool that holds its data; None: no shared storage.
        guest_bits: 32 or 64; None: not said.
        memory_limit_gib, memory_reservation_gib, cpu_reservation_mhz: resource settings.
        lun: name of its LUN; VMs that name the same one share it.
        log_pool: pool of the transaction logs; None: with the data.
        system_disk_gib, log_disk_gib: space for system and logs; None: the model's default.
        cluster_partners: ids of the other members of its Domino cluster.
        groups: names of groups, such as chassis or site, for people: nothing is worked out of them.
    """

    id: str
    name: str
    host: str | None
    pool: str | None
    vcpus: int
    ram_gib: float
    disk_mode: DiskMode
    workload: Workload
    fault_tolerance: bool = False
    powered_on: bool = True
    guest_bits: int | None = None
    memory_limit_gib: float | None = None
    memory_reservation_gib: float | None = None
    cpu_reservation_mhz: float | None = None
    restart_priority: RestartPriority = RestartPriority.MEDIUM
    lun: str | None = None
    log_pool: str | None = None
    system_disk_gib: float | None = None
    log_disk_gib: float | None = None
    dedicated_nic: bool = False
    cluster_partners: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    origins: Origins = ()
    pins: tuple[str, ...] = ()


def active_users(vms: Iterable[Vm]) -> float:
    """Active users of these VMs; those of Sametime multiplexers are the ones of the community
    servers behind them and count once."""
    return users_of([vm.workload for vm in vms])


def users_of(workloads: Iterable[Workload]) -> float:
    """The same of their workloads."""
    of_law: dict[Law, float] = defaultdict(float)
    for work in workloads:
        of_law[WORKLOADS[work.kind].law] += work.active_users
    served, connected = of_law.pop(Law.COMMUNITY, 0.0), of_law.pop(Law.MUX, 0.0)
    return sum(of_law.values()) + max(served, connected)


class AffinityKind(StrEnum):
    """VM-VM and VM-host rules."""

    TOGETHER = "together"
    APART = "apart"
    MUST_RUN_ON = "must-run-on"
    SHOULD_RUN_ON = "should-run-on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Affinity:
    """One rule over VMs (and, for the host rules, hosts), by ids."""

    id: str
    kind: AffinityKind
    vms: tuple[str, ...]
    hosts: tuple[str, ...] = ()


Item = Cluster | Host | Pool | Vm
ItemT = TypeVar("ItemT", Cluster, Host, Pool, Vm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """One design: policy, clusters, hosts, pools and VMs, in the order people gave them."""

    name: str
    policy: Policy = field(default_factory=Policy)
    clusters: tuple[Cluster, ...] = ()
    hosts: tuple[Host, ...] = ()
    pools: tuple[Pool, ...] = ()
    vms: tuple[Vm, ...] = ()
    affinity: tuple[Affinity, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    assumptions: Assumptions = field(default_factory=Assumptions)
    customer: str = ""
    author: str = ""
    notes: str = ""
    origins: Origins = ()
    pins: tuple[str, ...] = ()

    def cluster(self, id: str) -> Cluster:
        return _find(self.clusters, id, "cluster")

    def host(self, id: str) -> Host:
        return _find(self.hosts, id, "host")

    def pool(self, id: str) -> Pool:
        return _find(self.pools, id, "pool")

    def vm(self, id: str) -> Vm:
        return _find(self.vms, id, "VM")

    def vms_on(self, host: str | None) -> tuple[Vm, ...]:
        """The VMs placed on a host; with None, those not placed."""
        return tuple(vm for vm in self.vms if vm.host == host)

    def place(self, vms: Iterable[str], host: str | None) -> Scenario:
        """The scenario with these VMs on `host` (None: not placed).

        Disks go along: what leaves a physical server for a hypervisor gets VMFS, and the other
        way round.
        """
        wanted = set(vms)
        for id in wanted:
            self.vm(id)
        target = None if host is None else self.host(host)
        return replace(
            self,
            vms=tuple(
                _placed(vm, target) if vm.id in wanted and vm.host != host else vm
                for vm in self.vms
            ),
        )

    def place_each(self, places: Mapping[str, str]) -> Scenario:
        """The scenario with every VM named in `places` on its host, in one go; else as `place`."""
        targets = {id: self.host(id) for id in set(places.values())}
        return replace(
            self,
            vms=tuple(
                _placed(vm, targets[places[vm.id]])
                if vm.id in places and vm.host != places[vm.id]
                else vm
                for vm in self.vms
            ),
        )

    def with_item(self, item: Item) -> Scenario:
        """The scenario with `item` in place of the one of its kind and id, or added at the end."""
        name = _collection(item)
        items: tuple[Item, ...] = getattr(self, name)
        if any(each.id == item.id for each in items):
            items = tuple(item if each.id == item.id else each for each in items)
        else:
            items = (*items, item)
        return self._with(name, items)

    def partnered(self, id: str, partners: Iterable[str]) -> Scenario:
        """The scenario in which these VMs, and no others, are in a Domino cluster with this one.

        Membership goes both ways: what one VM says of the other, the other says of it.
        """
        wanted = tuple(partners)
        here = replace(self.vm(id), cluster_partners=wanted)
        return replace(
            self, vms=tuple(here if vm.id == id else _joined(vm, id, wanted) for vm in self.vms)
        )

    def edit(self, kind: type[ItemT], id: str, change: Callable[[ItemT], ItemT]) -> Scenario:
        """The scenario with `change` applied to the item of this kind and id."""
        item = _find(getattr(self, _COLLECTIONS[kind]), id, kind.__name__)
        return self.with_item(change(item))

    def without(self, ids: Iterable[str]) -> Scenario:
        """The scenario without these items, of whatever kind.

        VMs of a removed host are not placed; hosts of a removed cluster stand alone; VMs of a
        removed pool have none; partners, rules and failover hosts forget removed VMs and hosts.
        """
        gone = frozenset(ids)
        return replace(
            self,
            clusters=tuple(_unled(c, gone) for c in self.clusters if c.id not in gone),
            hosts=tuple(
                replace(h, cluster=None) if h.cluster in gone else h
                for h in self.hosts
                if h.id not in gone
            ),
            pools=tuple(p for p in self.pools if p.id not in gone),
            vms=tuple(_detached(vm, gone) for vm in self.vms if vm.id not in gone),
            affinity=tuple(kept for rule in self.affinity if (kept := _trimmed(rule, gone))),
            waivers=tuple(w for w in self.waivers if w.subject not in gone),
        )

    def waive(self, rule: str, subject: str, reason: str) -> Scenario:
        """The scenario with this finding waived, or its reason replaced.

        Raises:
            ModelError: no reason, or nothing of that id.
        """
        if not is_seen(reason):
            raise ModelError(say("a waiver needs a reason"), field="reason")
        if subject and all(item.id != subject for item in self.items()):
            raise ModelError(
                say("there is no “{subject}” in the scenario", subject=subject),
                field="subject",
            )
        waiver = Waiver(rule=rule, subject=subject, reason=reason)
        there = [(w.rule, w.subject) for w in self.waivers]
        if (rule, subject) not in there:
            return replace(self, waivers=(*self.waivers, waiver))
        at = there.index((rule, subject))
        return replace(self, waivers=(*self.waivers[:at], waiver, *self.waivers[at + 1 :]))

    def without_waiver(self, rule: str, subject: str) -> Scenario:
        """The scenario in which this finding is not waived."""
        kept = tuple(w for w in self.waivers if (w.rule, w.subject) != (rule, subject))
        return replace(self, waivers=kept)

    def fresh_id(self, prefix: str) -> str:
        """An id that nothing in the scenario has: ``prefix`` and the smallest free number."""
        taken = {item.id for item in self.items()}
        number = 1
        while f"{prefix}{number}" in taken:
            number += 1
        return f"{prefix}{number}"

    def items(self) -> tuple[Item, ...]:
        return (*self.clusters, *self.hosts, *self.pools, *self.vms)

    def _with(self, name: str, items: tuple[Item, ...]) -> Scenario:
        change: dict[str, Any] = {name: items}
        return replace(self, **change)


_COLLECTIONS: dict[type, str] = {Cluster: "clusters", Host: "hosts", Pool: "pools", Vm: "vms"}


def _collection(item: Item) -> str:
    return _COLLECTIONS[type(item)]


def _find(items: Iterable[ItemT], id: str, kind: str) -> ItemT:
    for item in items:
        if item.id == id:
            return item
    raise ModelError(say("there is no {kind} “{id}” in the scenario", kind=kind_words(kind), id=id))


def _placed(vm: Vm, host: Host | None) -> Vm:
    if host is None:
        return replace(vm, host=None)
    is_physical = vm.disk_mode is DiskMode.PHYSICAL
    if is_physical == (host.hypervisor == NO_HYPERVISOR):
        return replace(vm, host=host.id)
    mode = DiskMode.VMFS if is_physical else DiskMode.PHYSICAL
    return replace(vm, host=host.id, disk_mode=mode)


def _unled(cluster: Cluster, gone: frozenset[str]) -> Cluster:
    """`cluster` without failover hosts that are gone."""
    admission = cluster.admission
    if gone.isdisjoint(admission.failover_hosts):
        return cluster
    kept = tuple(id for id in admission.failover_hosts if id not in gone)
    first = kept[0] if kept else None
    left = replace(admission, failover_host=first, more_failover_hosts=kept[1:])
    return replace(cluster, admission=left)


def _joined(vm: Vm, id: str, wanted: tuple[str, ...]) -> Vm:
    """`vm` with or without the partner `id`, as that one wants it."""
    if (vm.id in wanted) == (id in vm.cluster_partners):
        return vm
    others = tuple(partner for partner in vm.cluster_partners if partner != id)
    return replace(vm, cluster_partners=(*others, id) if vm.id in wanted else others)


def _detached(vm: Vm, gone: frozenset[str]) -> Vm:
    """`vm` without references to what is gone; the same object when nothing changes."""
    change: dict[str, Any] = {
        name: None for name in ("host", "pool", "log_pool") if getattr(vm, name) in gone
    }
    if not gone.isdisjoint(vm.cluster_partners):
        change["cluster_partners"] = tuple(p for p in vm.cluster_partners if p not in gone)
    return replace(vm, **change) if change else vm


def _trimmed(rule: Affinity, gone: frozenset[str]) -> Affinity | None:
    """`rule` without what is gone; None when nothing is left for it to say."""
    if gone.isdisjoint(rule.vms) and gone.isdisjoint(rule.hosts):
        return rule
    vms = tuple(id for id in rule.vms if id not in gone)
    hosts = tuple(id for id in rule.hosts if id not in gone)
    if not vms or (rule.hosts and not hosts):
        return None
    return replace(rule, vms=vms, hosts=hosts)
