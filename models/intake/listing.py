"""The VMs of an inventory: which are taken, which are left out and why, and what they add up to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from models.intake.options import DiskBasis, Reason
from models.intake.records import (
    ClusterRecord,
    HostRecord,
    Key,
    Power,
    Records,
    VmRecord,
)
from models.intake.result import ClusterTotals, Totals


@dataclass(frozen=True, slots=True)
class Listed:
    """A row of an inventory with the reasons to leave it out, the first that holds.

    Attributes:
        has_hosts: whether its export lists hosts too, which count their VMs.
    """

    vm: VmRecord
    reason: Reason | None
    has_hosts: bool = False


def listed(sources: Iterable[Records]) -> list[Listed]:
    """Every row, in the order of the files.

    A duplicate has the id of an earlier row within one vCenter: within one file where rows name
    none. A name makes no duplicate.
    """
    seen: set[tuple[str, str]] = set()
    found = []
    for records in sources:
        for vm in records.vms:
            key = (vm.id, vm.vcenter or records.file)
            is_again = bool(vm.id) and key in seen
            seen.add(key)
            found.append(Listed(vm, _reason(vm, is_again=is_again), bool(records.hosts)))
    return found


def _reason(vm: VmRecord, *, is_again: bool) -> Reason | None:
    if is_again:
        return Reason.DUPLICATE
    if not vm.is_chosen:
        return Reason.NOT_CHOSEN
    if vm.is_template:
        return Reason.TEMPLATE
    if vm.is_placeholder:
        return Reason.PLACEHOLDER
    if vm.power is None and vm.power_word is not None:
        return Reason.UNKNOWN_POWER
    return Reason.OFF if vm.power in (Power.OFF, Power.SUSPENDED) else None


def left_out(rows: Iterable[Listed], taken: frozenset[Reason]) -> dict[Reason, int]:
    """How many rows each reason leaves out; 0 for those that are taken."""
    counts = Counter(row.reason for row in rows if row.reason and row.reason not in taken)
    return {reason: counts[reason] for reason in Reason}


# --- space ------------------------------------------------------------------------------------


def add_disks(sources: Iterable[Records]) -> int:
    """Give each VM the sums of its disks and file systems; disks of several VMs count once.

    Returns:
        Disks that several VMs share, beyond the first of each.
    """
    shared = 0
    for records in sources:
        disks: dict[Key, float] = defaultdict(float)
        guest: dict[Key, list[float]] = defaultdict(lambda: [0.0, 0.0])
        counts = Counter(vm.key for vm in records.vms)
        seen: set[object] = set()
        for disk in records.disks:
            # Of a VM that is listed twice, so are its disks.
            again = (disk.vm, disk.is_partition, disk.name) if counts[disk.vm] > 1 else None
            if (disk.identity and disk.identity in seen) or (again and again in seen):
                shared += bool(disk.identity)
                continue
            seen |= {disk.identity, again}
            if disk.is_partition:
                guest[disk.vm][0] += disk.capacity_mib or 0.0
                guest[disk.vm][1] += disk.consumed_mib or 0.0
            else:
                disks[disk.vm] += disk.capacity_mib or 0.0
        places = {(disk.vm, disk.is_partition): disk.place for disk in reversed(records.disks)}
        given: set[Key] = set()
        for vm in records.vms:
            if not vm.id and vm.key in given:
                continue  # Nothing tells it from the first one: the disks are that one's.
            given.add(vm.key)
            if vm.key in disks:
                vm.disks_mib = disks[vm.key]
                vm.places["disks_mib"] = places[vm.key, False]
            if vm.key in guest:
                vm.guest_mib, vm.consumed_mib = guest[vm.key]
                vm.places["consumed_mib"] = places[vm.key, True]
    return shared


_BASES = {
    DiskBasis.PROVISIONED: ("provisioned_mib", "disks_mib", "guest_mib"),
    DiskBasis.DISKS: ("disks_mib", "provisioned_mib"),
    DiskBasis.USED: ("in_use_mib", "provisioned_mib"),
    DiskBasis.CONSUMED: ("consumed_mib", "in_use_mib"),
}


def space_of(vm: VmRecord, basis: DiskBasis) -> tuple[float | None, str]:
    """Space of a VM [MiB] by a basis and the field that it stands in; where the file has not that
    one, the nearest it has."""
    for name in _BASES[basis]:
        value = getattr(vm, name)
        if value is not None:
            return value, name
    return None, ""


def spaces(vms: Sequence[VmRecord]) -> dict[DiskBasis, float | None]:
    """The sum of each basis, None where no VM has that very one."""
    sums: dict[DiskBasis, float | None] = {}
    for basis, (name, *_) in _BASES.items():
        known = [value for vm in vms if (value := getattr(vm, name)) is not None]
        sums[basis] = sum(known) if known else None
    return sums


# --- sums -------------------------------------------------------------------------------------


def totals(vms: Iterable[VmRecord], hosts: Sequence[HostRecord], clusters: int) -> Totals:
    """Sums of these VMs and hosts."""
    vms = list(vms)

    def of(name: str) -> float:
        return float(sum(getattr(vm, name) or 0.0 for vm in vms))

    return Totals(
        vcpus=of("vcpus"),
        ram_mib=of("ram_mib"),
        provisioned_mib=of("provisioned_mib"),
        disks_mib=of("disks_mib"),
        in_use_mib=of("in_use_mib"),
        consumed_mib=of("consumed_mib"),
        hosts=len(hosts),
        clusters=clusters,
        cores=float(sum(host.cores or 0.0 for host in hosts)),
        host_ram_mib=float(sum(host.ram_mib or 0.0 for host in hosts)),
    )


def by_cluster(vms: Iterable[VmRecord], hosts: Sequence[HostRecord]) -> tuple[ClusterTotals, ...]:
    """The same of each cluster, those with the most VMs first."""
    members: dict[str, list[VmRecord]] = defaultdict(list)
    standing: dict[str, list[HostRecord]] = defaultdict(list)
    for vm in vms:
        members[vm.cluster].append(vm)
    for host in hosts:
        standing[host.cluster].append(host)
    names = sorted({*members, *standing}, key=lambda name: (-len(members[name]), name))
    return tuple(
        ClusterTotals(name, len(members[name]), totals(members[name], standing[name], bool(name)))
        for name in names
    )


def hosts_of(sources: Sequence[Records]) -> list[HostRecord]:
    """Hosts, each once."""
    found: dict[str, HostRecord] = {}
    for records in sources:
        for host in records.hosts:
            found.setdefault(host.name.casefold(), host)
    named = _clusters_named(sources)
    return [
        replace(host, cluster=next(iter(clusters)))
        if not host.cluster and len(clusters := named[host.name.casefold()]) == 1
        else host
        for host in found.values()
    ]


def standing_of(hosts: Iterable[HostRecord]) -> list[HostRecord]:
    """The hosts that are chosen, those in maintenance among them."""
    return [host for host in hosts if host.is_chosen]


def unlisted_on(rows: Iterable[Listed], hosts: Iterable[HostRecord]) -> dict[str, int]:
    """VMs that each host reports beyond those that are listed there, by its name without case: of
    those that run, else, where it reports no such number, of all."""
    running, every = Counter[str](), Counter[str]()
    for row in rows:
        if row.reason is not Reason.DUPLICATE:
            there = row.vm.host.casefold()
            every[there] += 1
            running[there] += row.vm.power in (Power.ON, None) and not row.vm.is_template
    found = {}
    for host in hosts:
        name = host.name.casefold()
        listed_there = running if host.vms_on is not None else every
        reported = host.vms_total if host.vms_on is None else host.vms_on
        found[name] = max(int(reported or 0) - listed_there[name], 0)
    return found


def _clusters_named(sources: Sequence[Records]) -> dict[str, set[str]]:
    """The clusters that the VMs of a host name: that of one whose row names none."""
    named: dict[str, set[str]] = defaultdict(set)
    for records in sources:
        for vm in records.vms:
            named[vm.host.casefold()].add(vm.cluster)
    return named


def clusters_of(
    sources: Iterable[Records],
    hosts: Iterable[HostRecord],
    vms: Iterable[VmRecord],
    *,
    is_all: bool = True,
) -> list[ClusterRecord]:
    """Clusters that tables list or hosts and VMs name, each once.

    Args:
        is_all: also those that none of these hosts and VMs is of.
    """
    found: dict[tuple[str, str], ClusterRecord] = {}
    names: set[str] = set()
    for records in sources:
        for each in records.clusters:
            found.setdefault((each.name.casefold(), each.vcenter), each)
            names.add(each.name.casefold())
    members = [(each.cluster, each.vcenter) for each in hosts]
    members += [(each.cluster, each.vcenter) for each in vms]
    for name, vcenter in dict.fromkeys(members):
        if name and name.casefold() not in names:
            key = (name.casefold(), vcenter)
            found.setdefault(key, ClusterRecord(name=name, vcenter=vcenter))
    used = {name.casefold() for name, _ in members}
    return [each for (name, _), each in found.items() if is_all or name in used]
