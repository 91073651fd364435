"""Who restarts where in a mode, who finds no room and why, and who runs on in a secondary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.base.quantities import FloatArray, IntArray, judged_end
from models.base.texts import say
from models.failure.fault_tolerance import best_secondary, secondary_hosts
from models.failure.mode import Mode, ModeKind, Restart, Stranded, Takeover
from models.judgement.against_limits import judged
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY
from models.resilience.columns import NOT_JUDGED, Columns
from models.resilience.host_losses import HostLosses
from models.scenario.scenario import Affinity, AffinityKind, Scenario
from models.scenario.wording import number
from models.stages import Undisturbed

NO_SURVIVOR = say("no host of its cluster is left")
NO_ALLOWED = say("no host that its rules allow is left")
NO_MACHINE = say("no host that is left can run it: vCPUs, memory or processors forbid it")
NO_RESERVATION = say("no host has what it reserves free")


@dataclass(frozen=True, slots=True, kw_only=True)
class Restarts:
    """What becomes of the VMs of the hosts that are gone."""

    restarted: tuple[Restart, ...] = ()
    not_restarted: tuple[Stranded, ...] = ()
    stays_down: tuple[str, ...] = ()
    taken_over: tuple[Takeover, ...] = ()


def restarts_in(
    rules: Mapping[str, Sequence[Affinity]],
    normal: Undisturbed,
    hosts: HostLosses,
    position: int | None,
) -> Restarts:
    """What becomes of the VMs in the mode at this position among those that lose hosts.

    Args:
        rules: those that speak of each VM, by its id.
    """
    if position is None:
        return Restarts()
    losses, lost, failover = hosts.losses, hosts.lost, hosts.failover
    arrays, secondary = normal.vm.inputs.arrays, normal.host.secondary
    ids, names = arrays.vms.ids, arrays.hosts.ids
    here = hosts.of_mode(position)
    moved, mine = _rows_of(failover.moved_mode, here), _rows_of(lost.loss, here)
    before = set(lost.vm[mine[lost.evacuated[mine]]].tolist())
    taken = lost.vm[mine[lost.taken_over[mine]]].tolist()
    now: dict[int, int] = dict.fromkeys(lost.vm[mine].tolist(), NOBODY)
    now.update((vm, int(secondary[vm])) for vm in taken)
    restarted, stranded = [], []
    columns = (failover.moved_mode, failover.moved_vm, failover.moved_to)
    for loss, vm, column in zip(*(each[moved].tolist() for each in columns), strict=True):
        if column < 0:
            stranded.append(Stranded(vm=ids[vm], reason=_reason(normal, hosts, loss, vm)))
        else:
            now[vm] = int(failover.members[loss, column])
            restarted.append(vm)
    staying = lost.vm[mine[lost.stays_down[mine]]].tolist()
    down = [ids[vm] for vm in (*staying, *_alone(arrays.vms.place, losses.alone[position]))]
    return Restarts(
        restarted=tuple(
            Restart(
                vm=ids[vm],
                host=names[now[vm]],
                moved_before=vm in before,
                breaks=tuple(_broken(rules[ids[vm]], arrays, vm, now)) if ids[vm] in rules else (),
            )
            for vm in restarted
        ),
        not_restarted=tuple(sorted(stranded, key=lambda each: each.vm)),
        stays_down=tuple(sorted(down)),
        taken_over=tuple(Takeover(vm=ids[vm], host=names[now[vm]]) for vm in taken),
    )


def down_in(normal: Undisturbed, hosts: HostLosses, position: int) -> IntArray:
    """VMs that ran and stay down in the mode at this position among those that lose hosts: of
    clusters those that aren't restarted, of hosts outside of them all."""
    arrays, lost = normal.vm.inputs.arrays, hosts.lost
    mine = _rows_of(lost.loss, hosts.of_mode(position))
    staying = lost.vm[mine[lost.stays_down[mine]]]
    others = np.array(_alone(arrays.vms.place, hosts.losses.alone[position]), dtype=np.int64)
    rows = np.concatenate([staying, others])
    return np.asarray(rows[arrays.started[rows]])


def rules_by_vm(scenario: Scenario) -> dict[str, list[Affinity]]:
    """The rules that speak of each VM, by its id."""
    found: dict[str, list[Affinity]] = {}
    for rule in scenario.affinity:
        for id in rule.vms:
            found.setdefault(id, []).append(rule)
    return found


def _rows_of(ordered: IntArray, values: Sequence[int]) -> IntArray:
    """Positions of these values in an ordered column."""
    ends = [ordered.searchsorted([value, value + 1]).tolist() for value in values]
    rows = [np.arange(first, last) for first, last in ends]
    return np.concatenate([*rows, np.zeros(0, dtype=np.int64)])


def _alone(place: IntArray, hosts: tuple[int, ...]) -> list[int]:
    """VMs on hosts outside clusters."""
    return np.flatnonzero(np.isin(place, hosts)).tolist() if hosts else []


def _reason(normal: Undisturbed, hosts: HostLosses, loss: int, vm: int) -> str:
    """Why a VM finds no room, from what is free when all others have theirs."""
    failover, arrays = hosts.failover, normal.vm.inputs.arrays
    alive = failover.alive[loss]
    if not alive.any():
        return NO_SURVIVOR
    members = failover.members[loss]
    if arrays.binding is not None:
        if (
            arrays.rules is not None
            and not (alive & arrays.rules.allowed(np.array(vm), members)).any()
        ):
            return NO_ALLOWED
        alive = alive & arrays.binding.allowed(np.array(vm), members)
        if not alive.any():
            return NO_MACHINE
    free = normal.host.loads.limits[0][members] - failover.ram_gib(slice(loss, loss + 1))[0]
    most = float(np.where(alive, free, -np.inf).max())
    needed = float(normal.vm.ram_gib[vm])
    if most >= needed:
        return NO_RESERVATION
    return say(
        "no host has {needed}\u202fGiB free, the most is {max}",
        needed=number(needed, 1),
        max=number(max(most, 0.0), 1),
    )


def _broken(
    rules: Sequence[Affinity], arrays: Arrays, vm: int, now: Mapping[int, int]
) -> Iterator[str]:
    """Preferential rules and VM-VM rules that a VM's new place doesn't keep.

    Args:
        now: host of each VM of the hosts that are gone, −1 for down; the others stand as before.
    """
    it, host, place = arrays.vms.ids[vm], now[vm], arrays.vms.place
    here = arrays.hosts.ids[host]
    for rule in rules:
        rows = [arrays.vms.row_of[id] for id in rule.vms if id != it]
        mates = [now.get(row, int(place[row])) for row in rows]
        mates = [mate for mate in mates if mate >= 0]
        broken = {
            AffinityKind.SHOULD_RUN_ON: here not in rule.hosts,
            AffinityKind.APART: host in mates,
            AffinityKind.TOGETHER: any(mate != host for mate in mates),
        }.get(rule.kind, False)
        if broken:
            yield rule.id


# --- Fault Tolerance primaries ----------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Takeovers:
    """The columns of modes that lose hosts, with the new secondaries counted, and what to say."""

    columns: Columns
    notes: dict[int, str]


NO_SECONDARY = say("it has no secondary")
NO_SECONDARY_RESTARTS = say("it has no secondary: it restarts like any other VM")
NO_FIGURE = say("response while it takes over: no data")


def takeovers(
    scenario: Scenario, normal: Undisturbed, hosts: HostLosses, modes: Sequence[Mode]
) -> Takeovers:
    """Where a lost primary's VM runs on, and where its new secondary finds room.

    The secondary takes over without a restart; a new one starts where one may run beside the VM as
    it runs then (`ft_secondaries`), if it fits there, and costs the same CPU and memory again.
    """
    columns, arrays = hosts.columns, normal.vm.inputs.arrays
    notes: dict[int, str] = {}
    row_of = {id: row for row, id in enumerate(arrays.vms.ids)}
    for position, mode in enumerate(modes):
        if mode.kind is not ModeKind.FT_PRIMARY:
            continue
        vm = row_of[mode.subject]
        there = int(normal.host.secondary[vm])
        if there < 0:
            if not arrays.refused[vm]:
                restarts = _row(hosts, position) is not None and not arrays.stays_down[vm]
                notes[position] = NO_SECONDARY_RESTARTS if restarts else NO_SECONDARY
            continue
        fresh = _new_secondary(normal, hosts, position, vm, there)
        names = [host.name for host in scenario.hosts]
        after = say("no host has room for a new secondary: it runs on unprotected")
        if fresh is not None:
            columns = _with_secondary(columns, normal, hosts, position, vm, fresh)
            after = say("a new secondary starts on {names}", names=names[fresh])
        notes[position] = say(
            "{names} takes over in seconds, {after}; {no_figure}",
            names=names[there],
            after=after,
            no_figure=NO_FIGURE,
        )
    return Takeovers(columns, notes)


def _row(hosts: HostLosses, position: int) -> int | None:
    rows = hosts.of_mode(position)
    return rows[0] if rows else None


def _new_secondary(
    normal: Undisturbed, hosts: HostLosses, position: int, vm: int, there: int
) -> int | None:
    loss = _row(hosts, position)
    if loss is None:
        return None
    failover, loads, arrays = hosts.failover, normal.host.loads, normal.vm.inputs.arrays
    members = failover.members[loss]
    needed = loads.on[0, loads.kind_of_host[members], vm]
    room = loads.limits[0][members] - failover.ram_gib(slice(loss, loss + 1))[0] - needed
    able = failover.alive[loss] & (room >= 0) & np.isin(members, secondary_hosts(arrays, vm, there))
    if not able.any():
        return None
    return best_secondary(arrays, vm, there, members[able], room[able])


def _with_secondary(
    columns: Columns, normal: Undisturbed, hosts: HostLosses, position: int, vm: int, host: int
) -> Columns:
    """The mode's columns with a new secondary on a host."""
    loss = _row(hosts, position)
    if loss is None or columns.codes[position] == NOT_JUDGED:
        return columns
    failover, loads = hosts.failover, normal.host.loads
    column = int(np.flatnonzero(failover.members[loss] == host)[0])
    kind, machine = loads.kind_of_host[host], normal.vm.inputs.arrays.hosts
    added = np.nan_to_num(normal.vm.places.cores[:, kind, vm])
    after = hosts.table.inputs.restarted.at(slice(loss, loss + 1))
    busy = np.append(after.busy[:, 0, column], after.judged_high(normal.policy)[0, column])
    judged_added = judged_end(added[:1], added[2:], normal.policy.posture.share)
    cpu = (busy + np.append(added, judged_added)) * machine.pct_of_cores[host]
    ram = (after.ram_gib[0, column] + loads.on[0, kind, vm]) * machine.pct_of_ram[host]
    found = replace(columns, cpu_pct=columns.cpu_pct.copy(), ram_pct=columns.ram_pct.copy())
    found = replace(found, cpu_host=columns.cpu_host.copy(), ram_host=columns.ram_host.copy())
    if not cpu[0] <= found.cpu_pct[0, position]:
        found.cpu_pct[:, position], found.cpu_host[position] = cpu, host
    if not ram <= found.ram_pct[position]:
        found.ram_pct[position], found.ram_host[position] = ram, host
    return _judged_again(found, normal, position)


def _judged_again(columns: Columns, normal: Undisturbed, position: int) -> Columns:
    """The verdict of a mode, not better than before, with its CPU and RAM as they are now."""
    policy, codes = normal.policy, columns.codes.copy()
    cpu: FloatArray = columns.cpu_pct[:, position] * policy.peak_factor_cpu
    ram = columns.ram_pct[position]
    worst = max(
        int(judged(cpu[0], cpu[3], policy.cpu_limit_pct)),
        int(judged(ram, ram, policy.memory_overcommit * 100.0)),
    )
    codes[position] = max(int(codes[position]), worst)
    return replace(columns, codes=codes)
