"""Host failures: which VMs restart where, and how loaded the survivors then are.

Judged by demand, not by reservations, and VM by VM: that the survivors have enough memory in sum
does not help a VM that finds room on none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.arrays import RESTART_DISABLED, Arrays, HostArrays, VmArrays
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
    hosts = arrays.hosts
    failed, members = _modes(hosts)
    position = np.maximum(members, 0)
    alive = (members >= 0) & (members != failed[:, None])
    restart = _restart_order(arrays.vms, hosts, loads, failed)
    state = _State.of(loads, position, alive)
    moved_to = np.full(restart.shape, NOBODY)
    counts = (restart >= 0).sum(axis=1)
    for step in range(restart.shape[1]):
        modes = np.flatnonzero(counts > step)
        vms = restart[modes, step]
        moved_to[modes, step] = state.restart(modes, vms)
    mode, step_of = np.nonzero(restart >= 0)
    homeless = np.where(moved_to == NOBODY, restart, NOBODY)
    short_gib, wanted_cores = state.squeezed(homeless)
    return Failover(
        failed,
        members,
        alive,
        state.cores,
        state.ram,
        mode,
        restart[mode, step_of],
        moved_to[mode, step_of],
        short_gib,
        wanted_cores,
    )


@dataclass(slots=True, eq=False)
class _State:
    """Loads of all modes while VMs restart, shape (m, h).

    `ram_limit` is negative and `used` infinite for a host that is gone or isn't there.
    """

    cores: FloatArray
    ram: FloatArray
    cpu_limit: FloatArray
    ram_limit: FloatArray
    used: FloatArray
    kind: IntArray
    cores_on: FloatArray
    ram_on: FloatArray

    @classmethod
    def of(cls, loads: HostLoads, position: IntArray, alive: BoolArray) -> _State:
        cores = np.where(alive, loads.cores_busy[position], 0.0)
        ram = np.where(alive, loads.ram_gib[position], 0.0)
        cpu_limit, ram_limit = loads.cpu_limit[position], loads.ram_limit_gib[position]
        used = np.where(alive, np.maximum(ram / ram_limit, cores / cpu_limit), np.inf)
        room = np.where(alive, ram_limit * (1 + 1e-12), -1.0)
        kind = loads.kind_of_host[position]
        cores_on, ram_on = np.fmax(loads.cores_on, 0.0), loads.ram_on
        return cls(cores, ram, cpu_limit, room, used, kind, cores_on, ram_on)

    def restart(self, modes: IntArray, vms: IntArray) -> IntArray:
        """Column of the host that takes one VM in each of these modes, −1 for none; takes it."""
        width = self.used.shape[1]
        whole = len(modes) == len(self.used)
        columns = (self.used if whole else self.used[modes]).argmin(axis=1)
        at = modes * width + columns
        after = self.ram.take(at) + self.ram_on[self.kind.take(at), vms]
        fits = after <= self.ram_limit.take(at)
        if not fits.all():
            columns[~fits] = self._roomiest(modes[~fits])
            at = modes * width + columns
            after = self.ram.take(at) + self.ram_on[self.kind.take(at), vms]
            fits = after <= self.ram_limit.take(at)
            columns = np.where(fits, columns, NOBODY)
            at, after, vms = at[fits], after[fits], vms[fits]
        busy = self.cores.take(at) + self.cores_on[self.kind.take(at), vms]
        self.ram.put(at, after)
        self.cores.put(at, busy)
        use = np.maximum(after / self.ram_limit.take(at), busy / self.cpu_limit.take(at))
        self.used.put(at, use)
        return np.asarray(columns)

    def squeezed(self, homeless: IntArray) -> tuple[FloatArray, FloatArray]:
        """Memory short, shape (m,), and loads, shape (m, h), with VMs put where they find no room.

        Each of `homeless` (one mode a row, −1 for none) goes where the most room is left, or is
        lacking least; what is then over the hosts' capacity, in sum, has to be added (not what was
        over it before). Where nobody survives that is all they need.
        """
        ram, cores = self.ram.copy(), self.cores.copy()
        survivors = self.ram_limit >= 0
        alone = np.zeros(len(ram))
        for step in np.flatnonzero((homeless >= 0).any(axis=0)).tolist():
            modes = np.flatnonzero(homeless[:, step] >= 0)
            vms = homeless[modes, step]
            room = np.where(survivors[modes], self.ram_limit[modes] - ram[modes], -np.inf)
            columns = room.argmax(axis=1)
            kind, housed = self.kind[modes, columns], survivors[modes, columns]
            needed = self.ram_on[kind, vms]
            np.add.at(alone, modes[~housed], needed[~housed])
            modes, columns = modes[housed], columns[housed]
            ram[modes, columns] += needed[housed]
            cores[modes, columns] += self.cores_on[kind, vms][housed]
        over = self._excess(ram) - self._excess(self.ram)
        return np.where(over > SLACK_GIB, over, 0.0) + alone, cores

    def _excess(self, ram: FloatArray) -> FloatArray:
        over: FloatArray = np.maximum(ram - self.ram_limit, 0.0)
        total: FloatArray = np.where(self.ram_limit >= 0, over, 0.0).sum(axis=1)
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
    for vm in sorted(np.flatnonzero(candidates), key=lambda row: vms.ids[row]):
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


def _modes(hosts: HostArrays) -> tuple[IntArray, IntArray]:
    """Hosts that are in clusters, and the members of each one's cluster, padded with −1."""
    failed = np.flatnonzero(hosts.cluster >= 0)
    clusters = hosts.cluster[failed]
    order = failed[np.argsort(clusters, kind="stable")]
    sizes = np.bincount(clusters) if len(clusters) else np.zeros(0, dtype=np.int64)
    table = np.full((len(sizes), int(sizes.max(initial=0))), NOBODY)
    table[np.repeat(np.arange(len(sizes)), sizes), _ranks(sizes)] = order
    return failed, table[clusters]


def _restart_order(
    vms: VmArrays, hosts: HostArrays, loads: HostLoads, failed: IntArray
) -> IntArray:
    """VMs to restart, one mode a row, in the order in which they restart; −1 beyond the last."""
    wanted = vms.running & ~loads.protected & (vms.priority != RESTART_DISABLED)
    wanted &= (hosts.cluster >= 0)[vms.host] if len(hosts) else wanted
    rows = np.flatnonzero(wanted)
    names = np.array([vms.ids[row] for row in rows], dtype=np.str_)
    keys = (-loads.vm_cores[rows], -loads.vm_ram_gib[rows], vms.priority[rows], vms.host[rows])
    rows = rows[np.lexsort((names, *keys))]
    counts = np.bincount(vms.host[rows], minlength=len(hosts))
    row_of_host = np.full(len(hosts), NOBODY)
    row_of_host[failed] = np.arange(len(failed))
    table = np.full((len(failed), int(counts.max(initial=0))), NOBODY)
    table[row_of_host[vms.host[rows]], _ranks(counts)] = rows
    return table


def _ranks(sizes: IntArray) -> IntArray:
    """0, 1, … within each of several groups that follow one another."""
    starts = np.cumsum(sizes) - sizes
    ranks: IntArray = np.arange(int(sizes.sum())) - np.repeat(starts, sizes)
    return ranks


