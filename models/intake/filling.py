"""What the VMs of an inventory fill by each meaning of space and of memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from models.intake.fills import Fill, Fills
from models.intake.listing import space_of, spaces
from models.intake.options import DiskBasis, MemoryBasis
from models.intake.records import HostRecord, Power, VmRecord
from models.intake.storage import GB_PER_MIB, Storage
from models.scenario.scenario import PRODUCTION

_MEMORY = {
    MemoryBasis.CONFIGURED: ("ram_mib",),
    MemoryBasis.CONSUMED: ("ram_consumed_mib", "ram_mib"),
    MemoryBasis.ACTIVE: ("ram_active_mib", "ram_consumed_mib", "ram_mib"),
}


def fills_of(
    taken: Sequence[VmRecord],
    hosts: Iterable[HostRecord],
    storage: Storage,
    in_use: Mapping[int, float],
) -> Fills:
    """Space of the VMs taken against their data stores, memory of those that run against hosts.

    Args:
        in_use: memory that was measured over time [MiB], by the identity of a VM's record.
    """
    stores = {
        pool.id: (pool.name, size / GB_PER_MIB)
        for pool in storage.pools
        if (size := storage.disks[pool.disk].capacity_gb)
    }
    pools = [storage.pool_of(vm) for vm in taken]
    space = tuple(
        _fill(
            basis,
            zip(pools, (space_of(vm, basis)[0] or 0.0 for vm in taken), strict=True),
            stores,
            PRODUCTION.capacity_limit_pct,
        )
        for basis, known in spaces(taken).items()
        if known is not None
    )
    running = [vm for vm in taken if vm.power not in (Power.OFF, Power.SUSPENDED)]
    rooms = {
        host.name.casefold(): (host.name, host.ram_mib)
        for host in hosts
        if host.ram_mib and not host.in_maintenance
    }
    memory = tuple(
        _fill(
            basis,
            ((vm.host.casefold(), memory_of(vm, basis, in_use)[0] or 0.0) for vm in running),
            rooms,
            100.0,
        )
        for basis in MemoryBasis
        if any(memory_of(vm, basis, in_use)[1] == _MEMORY[basis][0] for vm in running)
    )
    return Fills(space, memory, in_use)


def memory_of(
    vm: VmRecord, basis: MemoryBasis, in_use: Mapping[int, float]
) -> tuple[float | None, str]:
    """Memory of a VM by a meaning [MiB] and the field that it stands in; where there is not that
    one, the nearest there is. What was measured over time counts as consumed."""
    for name in _MEMORY[basis]:
        value = getattr(vm, name)
        if name == "ram_consumed_mib":
            value = in_use.get(id(vm), value)
        if value is not None:
            return value, name
    return None, ""


def _fill(
    basis: DiskBasis | MemoryBasis,
    amounts: Iterable[tuple[str | None, float]],
    rooms: Mapping[str, tuple[str, float]],
    limit_pct: float,
) -> Fill:
    """What a meaning fills of rooms, which are names and sizes [MiB] by id."""
    used, total = dict.fromkeys(rooms, 0.0), 0.0
    for place, mib in amounts:
        total += mib
        if place is not None and place in used:
            used[place] += mib
    shares = {id: 100.0 * used[id] / size for id, (_, size) in rooms.items()}
    if not shares:
        return Fill(basis=basis, mib=total)
    worst = max(shares, key=lambda id: shares[id])
    return Fill(
        basis=basis,
        mib=total,
        pct=100.0 * sum(used.values()) / sum(size for _, size in rooms.values()),
        worst_pct=shares[worst],
        worst=rooms[worst][0],
        over=sum(share > limit_pct * (1 + 1e-9) for share in shares.values()),
    )
