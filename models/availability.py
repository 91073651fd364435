"""Host failures: which VMs restart where, and how loaded the survivors then are.

Judged by demand, not by reservations, and VM by VM: that the survivors have enough memory in sum
does not help a VM that finds room on none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import PRIORITIES, RESTART_DISABLED, Arrays, HostArrays, VmArrays
from models.quantities import BoolArray, FloatArray, IntArray

NOBODY = -1

SLACK_GIB = 1e-6
"""Excess of memory below this is rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class Failover:
    """Every single host of a cluster gone, one mode a row; columns are the cluster's hosts.

    Attributes:
        failed: host that is gone, shape (m,).
        members: hosts of its cluster, shape (m, h), −1 beyond the last; column order is the same
            in every mode of a cluster.
        alive: which of them survive, shape (m, h).
        cores_busy: load after the restarts [core-seconds per second], shape (m, h).
        ram_gib: memory in use after the restarts, shape (m, h).
        moved_mode, moved_vm, moved_to: one entry a VM that was on the failed host, shape (k,);
            `moved_to` is a column of `members`, or −1 where it finds no room.
        short_gib: memory that the survivors would need on top for every VM to find room, (m,).
        wanted_cores: `cores_busy` if they had it, shape (m, h).
    """

    failed: IntArray
    members: IntArray
    alive: BoolArray
    cores_busy: FloatArray
    ram_gib: FloatArray
    moved_mode: IntArray
    moved_vm: IntArray
    moved_to: IntArray
    short_gib: FloatArray
    wanted_cores: FloatArray

    def stranded(self) -> BoolArray:
        """Which of the moved VMs find no room, shape (k,)."""
        return np.asarray(self.moved_to == NOBODY)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HostLoads:
    """What stands on the hosts in normal operation.

    Attributes:
        vm_cores, vm_ram_gib: what each VM asks of its host, shape (n,).
        cores_busy, ram_gib: sums per host, FT secondaries included, shape (h,).
        cpu_limit, ram_limit_gib: what a host may carry, shape (h,) [core-seconds per second, GiB].
        protected: VMs with a live FT secondary: they need no restart, shape (n,).
        kind_of_host: kind of machine and hypervisor of each host, a row of the next two, (h,).
        cores_on, ram_on: what each VM asks of a host of a kind, shape (k, n); NaN for no data.
    """

    vm_cores: FloatArray
    vm_ram_gib: FloatArray
    cores_busy: FloatArray
    ram_gib: FloatArray
    cpu_limit: FloatArray
    ram_limit_gib: FloatArray
    protected: BoolArray
    kind_of_host: IntArray
    cores_on: FloatArray
    ram_on: FloatArray


def fail_each_host(arrays: Arrays, loads: HostLoads) -> Failover:
    """Take each host of each cluster away, alone, and restart its VMs on the survivors.

    VMs restart by priority, within it the largest memory first. Each goes to the survivor whose
    scarcer resource (memory or CPU over its limit) is least used; if that one lacks the memory, to
    the one with the most memory free; if that lacks it too, it stays down. Hosts outside clusters
    and VMs that are not to be restarted don't take part. What a VM asks of a host of another kind
    is what the formulas say of it there (`HostLoads.cores_on`); what has no data there counts as
    nothing here, and `failures` says so.
    """
    failed = (arrays.hosts.cluster >= 0).nonzero()[0]
    members = _members(arrays.hosts)[arrays.hosts.cluster[failed]]
    alive = (members >= 0) & (members != failed[:, None])
    return _restarted(arrays, loads, failed, members, alive, np.arange(len(failed)))


def fail_together(arrays: Arrays, loads: HostLoads, down: BoolArray) -> Failover:
    """Take the hosts `down`, shape (h,), away at once: a mode is a cluster that loses some.

    As `fail_each_host` otherwise; `failed` is one of the hosts that are gone.
    """
    cluster = arrays.hosts.cluster
    gone = (down & (cluster >= 0)).nonzero()[0]
    clusters, first, mode = np.unique(cluster[gone], return_index=True, return_inverse=True)
    members = _members(arrays.hosts)[clusters]
    alive = (members >= 0) & ~down[members]
    return _restarted(arrays, loads, gone[first], members, alive, mode, gone)


def _restarted(
    arrays: Arrays,
    loads: HostLoads,
    failed: IntArray,
    members: IntArray,
    alive: BoolArray,
    mode: IntArray,
    gone: IntArray | None = None,
) -> Failover:
    """Restart what ran on the hosts `gone` (`failed` where not given), each in its `mode`."""
    mode_of_host = np.full(len(arrays.hosts) + 1, NOBODY)
    mode_of_host[failed if gone is None else gone] = mode
    queue = _Queue.of(arrays.vms, loads, mode_of_host[arrays.vms.place], len(failed))
    state = _State.of(loads, members[queue.order], alive[queue.order])
    moved_to = np.full(queue.ram.shape, NOBODY)
    table = queue.table()
    for step, active in enumerate(queue.active):
        moved_to[step, :active] = state.restart(
            queue.cores[step, :active], queue.ram[step, :active], table[step, :active]
        )
    cores, ram, wanted = (np.empty_like(state.cores) for _ in range(3))
    cores[queue.order], ram[queue.order] = state.cores, state.ram
    short = np.empty(len(failed))
    homeless = np.where(moved_to == NOBODY, table, NOBODY)
    short[queue.order], wanted[queue.order] = state.squeezed(homeless)
    return Failover(
        failed,
        members,
        alive,
        cores,
        ram,
        queue.mode,
        queue.vm,
        moved_to[queue.step, queue.column],
        short,
        wanted,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Queue:
    """The VMs to restart, shape (k,) by mode and in the order in which they restart.

    Steps are taken in all modes at once: step s of a mode restarts its s-th VM. Modes stand in
    columns with the most VMs first, so that those still at work are the first `active[s]`.

    Attributes:
        order: mode of each column.
        mode, vm, step, column: of each VM.
        cores, ram: what the VM of a step asks for, shape (steps, m).
    """

    order: IntArray
    active: list[int]
    mode: IntArray
    vm: IntArray
    step: IntArray
    column: IntArray
    cores: FloatArray
    ram: FloatArray

    @classmethod
    def of(cls, vms: VmArrays, loads: HostLoads, mode: IntArray, modes: int) -> _Queue:
        wanted = (mode >= 0) & ~loads.protected & (vms.priority != RESTART_DISABLED)
        rows = wanted.nonzero()[0]
        by_priority = mode[rows] * len(PRIORITIES) + vms.priority[rows]
        cores, ram = loads.vm_cores[rows], loads.vm_ram_gib[rows]
        order = np.lexsort((vms.id_rank[rows], -cores, -ram, by_priority))
        rows, cores, ram = rows[order], cores[order], ram[order]
        mode = mode[rows]
        counts = np.bincount(mode, minlength=modes)
        columns = (-counts).argsort(kind="stable")
        column_of_mode = np.empty_like(columns)
        column_of_mode[columns] = np.arange(modes)
        step, column = _ranks(counts), column_of_mode[mode]
        steps = int(counts.max(initial=0))
        table = np.zeros((2, steps, modes))
        table[0, step, column], table[1, step, column] = cores, ram
        active = np.bincount(step, minlength=steps).tolist()
        return cls(columns, active, mode, rows, step, column, table[0], table[1])

    def table(self) -> IntArray:
        """The VMs as (steps, m), −1 for none."""
        table = np.full(self.ram.shape, NOBODY)
        table[self.step, self.column] = self.vm
        return table


@dataclass(slots=True, eq=False)
class _State:
    """Loads of all modes while VMs restart, shape (m, w).

    `ram_limit` is negative and `used` infinite for a host that is gone or isn't there. `kind` is
    None where all hosts are alike: then a VM asks for the same everywhere.
    """

    cores: FloatArray
    ram: FloatArray
    cpu_limit: FloatArray
    ram_limit: FloatArray
    used: FloatArray
    first: IntArray
    kind: IntArray | None
    cores_on: FloatArray
    ram_on: FloatArray

    @classmethod
    def of(cls, loads: HostLoads, members: IntArray, alive: BoolArray) -> _State:
        cores = np.where(alive, loads.cores_busy[members], 0.0)
        ram = np.where(alive, loads.ram_gib[members], 0.0)
        cpu_limit, ram_limit = loads.cpu_limit[members], loads.ram_limit_gib[members]
        used = np.where(alive, np.maximum(ram / ram_limit, cores / cpu_limit), np.inf)
        room = np.where(alive, ram_limit * (1 + 1e-12), -1.0)
        first = np.arange(len(members)) * members.shape[1]
        kind = loads.kind_of_host[members] if loads.kind_of_host.any() else None
        asked = np.fmax(loads.cores_on, 0.0)
        return cls(cores, ram, cpu_limit, room, used, first, kind, asked, loads.ram_on)

    def restart(self, cores: FloatArray, ram: FloatArray, vm: IntArray) -> IntArray:
        """Column of the host that takes one VM in each of the first modes, −1 for none; takes it.

        Args:
            cores, ram: what the VMs `vm` ask for where all hosts are alike.
        """
        active = len(cores)
        columns = self.used[:active].argmin(axis=1)
        at = self.first[:active] + columns
        after = self.ram.take(at) + self._ram_of(vm, at, ram)
        limit = self.ram_limit.take(at)
        fits = after <= limit
        if not fits.all():
            columns[~fits] = self._roomiest((~fits).nonzero()[0])
            at = self.first[:active] + columns
            after = self.ram.take(at) + self._ram_of(vm, at, ram)
            fits = after <= self.ram_limit.take(at)
            columns[~fits] = NOBODY
            at, after, cores, vm = at[fits], after[fits], cores[fits], vm[fits]
            limit = self.ram_limit.take(at)
        if self.kind is not None:
            cores = self.cores_on[self.kind.take(at), vm]
        busy = self.cores.take(at) + cores
        self.ram.put(at, after)
        self.cores.put(at, busy)
        self.used.put(at, np.maximum(after / limit, busy / self.cpu_limit.take(at)))
        return np.asarray(columns)

    def _ram_of(self, vm: IntArray, at: IntArray, alike: FloatArray) -> FloatArray:
        return alike if self.kind is None else self.ram_on[self.kind.take(at), vm]

    def squeezed(self, homeless: IntArray) -> tuple[FloatArray, FloatArray]:
        """Memory short, shape (m,), and loads, shape (m, h), with VMs put where they find no room.

        Each of `homeless` (steps, m), −1 for none, goes where the most room is left, or is lacking
        least; what is then over the hosts' capacity, in sum, has to be added (not what was over it
        before). Where nobody survives that is all they need.
        """
        ram, cores = self.ram.copy(), self.cores.copy()
        survivors = self.ram_limit >= 0
        alone = np.zeros(len(ram))
        for step in homeless[(homeless != NOBODY).any(axis=1)]:
            modes = (step != NOBODY).nonzero()[0]
            vms = step[modes]
            room = np.where(survivors[modes], self.ram_limit[modes] - ram[modes], -np.inf)
            columns = room.argmax(axis=1)
            kind = 0 if self.kind is None else self.kind[modes, columns]
            housed, needed = survivors[modes, columns], self.ram_on[kind, vms]
            alone[modes[~housed]] += needed[~housed]
            modes, columns = modes[housed], columns[housed]
            ram[modes, columns] += needed[housed]
            cores[modes, columns] += self.cores_on[kind, vms][housed]
        over = self._excess(ram) - self._excess(self.ram)
        return np.where(over > SLACK_GIB, over, 0.0) + alone, cores

    def _excess(self, ram: FloatArray) -> FloatArray:
        over = np.where(self.ram_limit >= 0, np.maximum(ram - self.ram_limit, 0.0), 0.0)
        total: FloatArray = over.sum(axis=1)
        return total

    def _roomiest(self, modes: IntArray) -> IntArray:
        best: IntArray = (self.ram_limit[modes] - self.ram[modes]).argmax(axis=1)
        return best


def ft_secondaries(arrays: Arrays, loads: HostLoads, candidates: BoolArray) -> IntArray:
    """Host of each VM's FT secondary, −1 for none.

    In order of id, each goes to the other host of its cluster with the most memory free, if it
    fits there: a secondary takes as much CPU and memory as its primary (vSphere 4 release notes).
    """
    vms, hosts = arrays.vms, arrays.hosts
    secondary = np.full(len(vms), NOBODY)
    ram = loads.ram_gib.copy()
    for vm in sorted(np.flatnonzero(candidates), key=vms.id_rank.__getitem__):
        home = vms.host[vm]
        others = np.flatnonzero(hosts.cluster == hosts.cluster[home])
        others = others[others != home]
        if hosts.cluster[home] < 0 or not len(others):
            continue
        best = others[np.argmax(loads.ram_limit_gib[others] - ram[others])]
        if ram[best] + loads.vm_ram_gib[vm] <= loads.ram_limit_gib[best]:
            secondary[vm] = best
            ram[best] += loads.vm_ram_gib[vm]
    return secondary


def _members(hosts: HostArrays) -> IntArray:
    """Hosts of each cluster in their order, padded with −1, shape (c, w)."""
    placed = (hosts.cluster >= 0).nonzero()[0]
    clusters = hosts.cluster[placed]
    order = placed[clusters.argsort(kind="stable")]
    sizes = np.bincount(clusters) if len(clusters) else np.zeros(0, dtype=np.int64)
    table = np.full((len(sizes), int(sizes.max(initial=0))), NOBODY)
    table[np.repeat(np.arange(len(sizes)), sizes), _ranks(sizes)] = order
    return table


def _ranks(sizes: IntArray) -> IntArray:
    """0, 1, … within each of several groups that follow one another."""
    starts = sizes.cumsum() - sizes
    ranks: IntArray = np.arange(int(sizes.sum())) - starts.repeat(sizes)
    return ranks
