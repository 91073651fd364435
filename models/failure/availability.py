"""Host failures: which VMs restart where, and how loaded the survivors then are.

Judged by demand, not by reservations, and VM by VM: that the survivors have enough memory in sum
does not help a VM that finds room on none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.failure.ruled import Bindings, choose
from models.lazily import lazy
from models.physics.arrays import Arrays
from models.physics.columns import filled, inverse, looked_up, ranks, rows_by, some, with_rows
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record

NOBODY = -1

_Entries = tuple[IntArray, IntArray, IntArray]

SLACK_GIB = 1e-6
"""Excess of memory below this is rounding."""


@record(slots=False)
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
        barred_gib: memory of VMs that find no room though memory is not what they lack, (m,): what
            rules, reservations or limits of the survivors keep down.
        wanted_cores: `cores_busy` if they had it, shape (m, h).
        taken_mode, taken_vm, taken_to: one entry a VM that was on the failed host and runs on in
            its FT secondary, whose load is in `cores_busy` and `ram_gib` before and after.
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
    barred_gib: FloatArray
    wanted_cores: FloatArray
    taken_mode: IntArray
    taken_vm: IntArray
    taken_to: IntArray

    @lazy
    def position(self) -> IntArray:
        """`members` with any host where there is none, shape (m, h)."""
        return np.asarray(np.maximum(self.members, 0))

    @lazy
    def landed(self) -> IntArray:
        """Which of the moved VMs found room."""
        return np.asarray(self.moved_to != NOBODY).nonzero()[0]

    @lazy
    def landed_cell(self) -> IntArray:
        """Where those are in a table of modes and columns, row after row."""
        cell: IntArray = self.moved_mode * self.members.shape[1] + self.moved_to
        return cell[self.landed]

    @lazy
    def elsewhere(self) -> tuple[IntArray, IntArray, IntArray]:
        """VMs that run on another host than before, those that landed first: mode, VM, cell."""
        mode, vm = self.moved_mode[self.landed], self.moved_vm[self.landed]
        if not len(self.taken_vm):
            return mode, vm, self.landed_cell
        cell = self.taken_mode * self.members.shape[1] + self.taken_to
        return (
            np.concatenate([mode, self.taken_mode]),
            np.concatenate([vm, self.taken_vm]),
            np.concatenate([self.landed_cell, cell]),
        )

    def with_modes(self, modes: IntArray, part: Failover) -> Failover:
        """The same with the rows `modes` those of `part`."""
        place = np.zeros(len(self.failed), dtype=np.bool_)
        place[modes] = True

        def entries(before: _Entries, after: _Entries) -> _Entries:
            kept = ~place[before[0]]
            mode = np.concatenate([before[0][kept], modes[after[0]]])
            order = mode.argsort(kind="stable")
            vm, to = (np.concatenate([before[k][kept], after[k]])[order] for k in (1, 2))
            return mode[order], vm, to

        moved_mode, moved_vm, moved_to = entries(
            (self.moved_mode, self.moved_vm, self.moved_to),
            (part.moved_mode, part.moved_vm, part.moved_to),
        )
        taken_mode, taken_vm, taken_to = entries(
            (self.taken_mode, self.taken_vm, self.taken_to),
            (part.taken_mode, part.taken_vm, part.taken_to),
        )

        def rows(before: FloatArray, after: FloatArray) -> FloatArray:
            return with_rows(before.T, modes, after.T).T

        return Failover(
            self.failed,
            self.members,
            self.alive,
            rows(self.cores_busy, part.cores_busy),
            rows(self.ram_gib, part.ram_gib),
            moved_mode,
            moved_vm,
            moved_to,
            rows(self.short_gib, part.short_gib),
            rows(self.barred_gib, part.barred_gib),
            rows(self.wanted_cores, part.wanted_cores),
            taken_mode,
            taken_vm,
            taken_to,
        )

    def stranded(self) -> BoolArray:
        """Which of the moved VMs find no room, shape (k,)."""
        return np.asarray(self.moved_to == NOBODY)


@record(kw_only=True)
class HostLoads:
    """What stands on the hosts in normal operation.

    Attributes:
        vm_cores, vm_ram_gib: what each VM asks of its host, shape (n,).
        cores_busy, ram_gib: sums per host, FT secondaries included, shape (h,).
        cpu_limit, ram_limit_gib: what a host may carry, shape (h,) [core-seconds per second, GiB].
        secondary: host of each VM's FT secondary, −1 for none: it needs no restart while that
            host lives, shape (n,).
        in_turn: the VMs in the order of restarts, by priority, memory, CPU and id, (n,); it follows
            from `vm_ram_gib` and `vm_cores`.
        kind_of_host: kind of machine and hypervisor of each host, a row of the next two, (h,).
        cores_on, ram_on: what each VM asks of a host of a kind, shape (k, n); NaN for no data.
    """

    vm_cores: FloatArray
    vm_ram_gib: FloatArray
    cores_busy: FloatArray
    ram_gib: FloatArray
    cpu_limit: FloatArray
    ram_limit_gib: FloatArray
    secondary: IntArray
    in_turn: IntArray
    kind_of_host: IntArray
    cores_on: FloatArray
    ram_on: FloatArray


def fail_each_host(arrays: Arrays, loads: HostLoads, clusters: BoolArray | None = None) -> Failover:
    """Take each host of each cluster away, alone, and restart its VMs on the survivors.

    VMs restart by priority, within it the largest memory first; those with a Fault Tolerance
    secondary on a survivor run on there. Each goes to the survivor whose
    scarcer resource (memory or CPU over its limit) is least used; if that one lacks the memory, to
    the one with the most memory free; if that lacks it too, it stays down. Hosts outside clusters
    and VMs that are not to be restarted don't take part. What a VM asks of a host of another kind
    is what the formulas say of it there (`HostLoads.cores_on`); what has no data there counts as
    nothing here, and `failures` says so. Where rules bind restarts (`Arrays.rules`), only hosts
    that they leave take part.

    Args:
        clusters: which clusters to look at; None: all of them.
    """
    cluster = arrays.hosts.cluster
    wanted = cluster >= 0 if clusters is None else looked_up(clusters, cluster, False)
    failed = wanted.nonzero()[0]
    members = arrays.hosts.members.take(cluster[failed], axis=0)
    alive = (members >= 0) & (members != failed[:, None])
    return _restarted(arrays, loads, failed, members, alive, np.arange(len(failed)))


def fail_together(arrays: Arrays, loads: HostLoads, down: BoolArray) -> Failover:
    """Take the hosts `down`, shape (h,), away at once: a mode is a cluster that loses some.

    As `fail_each_host` otherwise; `failed` is one of the hosts that are gone.
    """
    cluster = arrays.hosts.cluster
    gone = (down & (cluster >= 0)).nonzero()[0]
    clusters, first, mode = np.unique(cluster[gone], return_index=True, return_inverse=True)
    members = arrays.hosts.members[clusters]
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
    mode_of_host = filled(len(arrays.hosts) + 1, NOBODY, np.int64)
    mode_of_host[failed if gone is None else gone] = mode
    mode_of_vm = mode_of_host[arrays.vms.place]
    taken = np.zeros(0, dtype=np.int64)
    if arrays.vms.some_protected:
        taken = ((mode_of_vm >= 0) & (loads.secondary != NOBODY)).nonzero()[0]
        down = np.zeros(len(arrays.hosts), dtype=np.bool_)
        down[gone if gone is not None else []] = True
        taken = taken[~down[loads.secondary[taken]]]
    in_mode = mode_of_vm[taken]
    mode_of_vm[taken] = NOBODY
    queue = _Queue.of(arrays, loads, mode_of_vm, len(failed))
    return _run(arrays, loads, failed, members, alive, queue, (in_mode, taken))


def fail_sets(arrays: Arrays, loads: HostLoads, cluster: IntArray, gone: BoolArray) -> Failover:
    """As `fail_each_host` for sets of one or more hosts, each of one cluster; `failed` is the first
    of a set.

    Args:
        cluster: of each set, shape (m,).
        gone: which of its hosts are gone, as columns of `HostArrays.members`, shape (m, w).
    """
    members = arrays.hosts.members.take(cluster, axis=0)
    alive = (members >= 0) & ~gone
    mode, column = gone.nonzero()
    vm, place = arrays.crews.on(members[mode, column])
    of = mode[place]
    there = loads.secondary[vm]
    runs_on = (there != NOBODY).nonzero()[0]
    at = members[of[runs_on]] == there[runs_on][:, None]
    runs_on = runs_on[(at & alive[of[runs_on]]).any(axis=1)]
    restarts = ~arrays.stays_down[vm]
    restarts[runs_on] = False
    queue = _Queue.ordered(loads, vm[restarts], of[restarts], len(cluster))
    failed = members[np.arange(len(cluster)), gone.argmax(axis=1)]
    return _run(arrays, loads, failed, members, alive, queue, (of[runs_on], vm[runs_on]))


def restart_entries(
    arrays: Arrays,
    loads: HostLoads,
    down: BoolArray,
    cluster: IntArray,
    *,
    rows: IntArray,
    mode: IntArray,
    stage: IntArray,
    taken: tuple[IntArray, IntArray],
) -> Failover:
    """As `fail_each_host` for any sets of hosts, of which the same host may be in several.

    Args:
        down: hosts that are gone in each mode, shape (m, h); `cluster` it speaks of, shape (m,).
        rows, mode, stage: VMs to restart, in which mode, and those of stage 0 before those of
            stage 1, shape (k,).
        taken: VMs that run on in their secondaries: in which mode, and which, ordered by mode.
    """
    members = arrays.hosts.members[cluster]
    alive = (members >= 0) & ~np.take_along_axis(down, np.maximum(members, 0), axis=1)
    queue = _Queue.ordered(loads, rows, mode, len(cluster), stage)
    failed = down.argmax(axis=1) if down.size else np.zeros(len(down), dtype=np.int64)
    return _run(arrays, loads, failed, members, alive, queue, taken)


def _run(
    arrays: Arrays,
    loads: HostLoads,
    failed: IntArray,
    members: IntArray,
    alive: BoolArray,
    queue: _Queue,
    taken: tuple[IntArray, IntArray],
) -> Failover:
    """Restart one VM after the other, in all modes at once."""
    at_work = members.take(queue.order, axis=0), alive.take(queue.order, axis=0)
    state, bindings = _State.of(loads, *at_work), None
    if arrays.binding is not None:
        bindings = Bindings.of(arrays, arrays.binding, *at_work)
    moved_to = filled(queue.vms.shape, NOBODY, np.int64)
    for step, active in enumerate(queue.active):
        asked, vms = queue.asked[:, step, :active], queue.vms[step, :active]
        if bindings is None:
            moved_to[step, :active] = state.restart(asked, vms)
        else:
            moved_to[step, :active] = state.restart_bound(bindings, asked, vms)
    ram, cores = state.load.reshape(2, *members.shape).take(queue.column_of_mode, axis=1)
    short, barred, wanted = np.zeros(len(failed)), np.zeros(len(failed)), cores
    to = moved_to[queue.step, queue.column]
    if some(to == NOBODY):
        homeless = np.where(moved_to == NOBODY, queue.vms, NOBODY)
        short, barred, wanted = (
            found.take(queue.column_of_mode, axis=0) for found in state.squeezed(homeless, bindings)
        )
    there = members[taken[0]] == loads.secondary[taken[1]][:, None]
    return Failover(
        failed=failed,
        members=members,
        alive=alive,
        cores_busy=cores,
        ram_gib=ram,
        moved_mode=queue.mode,
        moved_vm=queue.vm,
        moved_to=to,
        short_gib=short,
        barred_gib=barred,
        wanted_cores=wanted,
        taken_mode=taken[0],
        taken_vm=taken[1],
        taken_to=there.argmax(axis=1) if there.size else taken[1],
    )


@record
class _Queue:
    """The VMs to restart, shape (k,) by mode and in the order in which they restart.

    Steps are taken in all modes at once: step s of a mode restarts its s-th VM. Modes stand in
    columns with the most VMs first, so that those still at work are the first `active[s]`.

    Attributes:
        order: mode of each column; `column_of_mode` the other way round.
        mode, vm, step, column: of each VM.
        vms: the VM of each step and column, −1 for none, shape (steps, m); `asked`: memory and
            cores that it asks for where all hosts are alike, shape (2, steps, m).
    """

    order: IntArray
    column_of_mode: IntArray
    active: list[int]
    mode: IntArray
    vm: IntArray
    step: IntArray
    column: IntArray
    vms: IntArray
    asked: FloatArray

    @classmethod
    def of(cls, arrays: Arrays, loads: HostLoads, mode: IntArray, modes: int) -> _Queue:
        """The VMs that restart, of those of which `mode` says in which, −1 for none, (n,)."""
        restarts = (mode >= 0) & ~arrays.stays_down
        rows = loads.in_turn[restarts.take(loads.in_turn)]
        return cls._one_by_one(loads, rows, mode.take(rows), modes)

    @classmethod
    def ordered(
        cls,
        loads: HostLoads,
        rows: IntArray,
        mode: IntArray,
        modes: int,
        stage: IntArray | int = 0,
    ) -> _Queue:
        """The VMs `rows`, each in its mode, by stage and turn."""
        order = np.lexsort((inverse(loads.in_turn)[rows], np.broadcast_to(stage, rows.shape)))
        return cls._one_by_one(loads, rows[order], mode[order], modes)

    @classmethod
    def _one_by_one(cls, loads: HostLoads, rows: IntArray, mode: IntArray, modes: int) -> _Queue:
        """The VMs `rows`, which stand in the order of their restarts."""
        order = rows_by(mode, modes)
        rows, mode = rows[order], mode[order]
        asked = np.array([loads.vm_ram_gib, loads.vm_cores]).take(rows, axis=1)
        counts = np.bincount(mode, minlength=modes)
        columns = (-counts).argsort(kind="stable")
        column_of_mode = inverse(columns)
        step, column = ranks(counts), column_of_mode[mode]
        active = np.bincount(step).tolist()
        table = filled((len(active), modes), NOBODY, np.int64)
        asked_of = np.zeros((2, len(active), modes))
        table[step, column], asked_of[:, step, column] = rows, asked
        return cls(columns, column_of_mode, active, mode, rows, step, column, table, asked_of)


@dataclass(slots=True, eq=False)
class _State:
    """Loads of all modes while VMs restart, shape (m, w), their cells one after the other.

    The memory limit is negative and `used` infinite for a host that is gone or isn't there. `kind`
    is None where all hosts are alike: then a VM asks for the same everywhere.

    Attributes:
        load, limit: memory and cores of each cell, shape (2, m·w).
        used: share of the scarcer of the two, shape (m, w).
        first: the first cell of each mode.
        cores_on, ram_on: as in `HostLoads`.
    """

    load: FloatArray
    limit: FloatArray
    used: FloatArray
    first: IntArray
    kind: IntArray | None
    cores_on: FloatArray
    ram_on: FloatArray

    @classmethod
    def of(cls, loads: HostLoads, members: IntArray, alive: BoolArray) -> _State:
        load = np.array([loads.ram_gib, loads.cores_busy]).take(members, axis=1)
        limit = np.array([loads.ram_limit_gib, loads.cpu_limit]).take(members, axis=1)
        load = np.where(alive, load, 0.0)
        used = np.where(alive, np.maximum.reduce(load / limit), np.inf)
        limit[0] = np.where(alive, limit[0] * (1 + 1e-12), -1.0)
        first = np.arange(len(members)) * members.shape[1]
        kind = loads.kind_of_host[members] if some(loads.kind_of_host > 0) else None
        flat = load.reshape(2, -1), limit.reshape(2, -1)
        return cls(*flat, used, first, kind, np.fmax(loads.cores_on, 0.0), loads.ram_on)

    @property
    def ram(self) -> FloatArray:
        return self._table(self.load[0])

    @property
    def cores(self) -> FloatArray:
        return self._table(self.load[1])

    @property
    def ram_limit(self) -> FloatArray:
        return self._table(self.limit[0])

    @property
    def cpu_limit(self) -> FloatArray:
        return self._table(self.limit[1])

    def _table(self, cells: FloatArray) -> FloatArray:
        return cells.reshape(self.used.shape)

    def restart(self, asked: FloatArray, vm: IntArray) -> IntArray:
        """Column of the host that takes one VM in each of the first modes, −1 for none; takes it.

        Args:
            asked: memory and cores that the VMs `vm` ask for where all hosts are alike.
        """
        active = len(vm)
        columns = self.used[:active].argmin(axis=1)
        at = self.first[:active] + columns
        after = self.load.take(at, axis=1)
        after += self._asked(asked, vm, at)
        limit = self.limit.take(at, axis=1)
        fits = after[0] <= limit[0]
        if np.count_nonzero(fits) < active:
            columns[~fits] = self._roomiest((~fits).nonzero()[0])
            at = self.first[:active] + columns
            after = self.load.take(at, axis=1) + self._asked(asked, vm, at)
            limit = self.limit.take(at, axis=1)
            fits = after[0] <= limit[0]
            columns[~fits] = NOBODY
            at, after, limit = at[fits], after[:, fits], limit[:, fits]
        self.load[:, at] = after
        share = after / limit
        self.used.put(at, np.maximum(share[0], share[1]))
        return np.asarray(columns)

    def restart_bound(self, bindings: Bindings, asked_alike: FloatArray, vm: IntArray) -> IntArray:
        """As `restart`, on the hosts that the rules leave to each VM."""
        active, (ram, cores) = len(vm), asked_alike
        at_kind = None if self.kind is None else self.kind[:active]
        needed = ram[:, None] if at_kind is None else self.ram_on[at_kind, vm[:, None]]
        after = self.ram[:active] + needed
        fits = after <= self.ram_limit[:active]
        room = self.ram_limit[:active] - self.ram[:active]
        used, against = self.used[:active], bindings.penalties(vm)
        columns = choose(used, room, fits, bindings.open_to(vm), against)
        modes = (columns != NOBODY).nonzero()[0]
        at, vm = columns[modes], vm[modes]
        asked = cores[modes] if at_kind is None else self.cores_on[at_kind[modes, at], vm]
        self.ram[modes, at] = after[modes, at]
        self.cores[modes, at] += asked
        self.used[modes, at] = np.maximum(
            self.ram[modes, at] / self.ram_limit[modes, at],
            self.cores[modes, at] / self.cpu_limit[modes, at],
        )
        bindings.take(modes, at, vm)
        return columns

    def _asked(self, alike: FloatArray, vm: IntArray, at: IntArray) -> FloatArray:
        """Memory and cores that VMs ask of the hosts in these cells."""
        if self.kind is None:
            return alike
        kind = self.kind.take(at)
        return np.array([self.ram_on[kind, vm], self.cores_on[kind, vm]])

    def squeezed(
        self, homeless: IntArray, bindings: Bindings | None = None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Memory short and memory of VMs that lack something else, shape (m,), and loads, shape
        (m, h), with VMs put where they find no room.

        Each of `homeless` (steps, m), −1 for none, goes where the most room is left, or is lacking
        least; what is then over the hosts' capacity, in sum, has to be added (not what was over it
        before). Where nobody survives that is all they need. Where nobody is left that rules allow,
        or memory is not what keeps them down, more memory is no help.
        """
        ram, cores = self.ram.copy(), self.cores.copy()
        survivors = self.ram_limit >= 0
        alone = np.zeros(len(ram))
        for step in homeless[(homeless != NOBODY).any(axis=1)]:
            modes = (step != NOBODY).nonzero()[0]
            vms = step[modes]
            homes = survivors[modes] if bindings is None else bindings.allowed_in(modes, vms)
            room = np.where(homes, self.ram_limit[modes] - ram[modes], -np.inf)
            columns = room.argmax(axis=1)
            kind = 0 if self.kind is None else self.kind[modes, columns]
            housed, needed = homes[np.arange(len(modes)), columns], self.ram_on[kind, vms]
            if bindings is not None:
                housed = housed & (room[np.arange(len(modes)), columns] < needed)
            alone[modes[~housed]] += needed[~housed]
            modes, columns = modes[housed], columns[housed]
            ram[modes, columns] += needed[housed]
            cores[modes, columns] += self.cores_on[kind, vms][housed]
        over = self._excess(ram) - self._excess(self.ram)
        somebody = survivors.any(axis=1)
        short = np.where(over > SLACK_GIB, over, 0.0) + np.where(somebody, 0.0, alone)
        return short, np.where(somebody, alone, 0.0), cores

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
    "A VM-Host affinity rule applies to both the Primary VM and its Secondary VM", a rule between
    VMs to the primary only (vSphere 6.0 Availability, "Using Fault Tolerance with DRS"); hosts that
    stand by for failures run nothing, and a VM on local disks has no secondary; nor has one larger
    than its release protects. Both hosts need a network for FT logging: without it there is no
    secondary to take over. A host with the same processor goes before others: "At least two hosts
    must have processors from the same compatible processor group" (vSphere 4 Availability, cluster
    prerequisites of Fault Tolerance). Of hosts with equal room the first by id.
    """
    vms = arrays.vms
    secondary = filled(len(vms), NOBODY, np.int64)
    ram = loads.ram_gib.copy()
    wanted = np.flatnonzero(candidates & ~vms.rooted & (vms.host >= 0))
    for vm in wanted[vms.id_rank[wanted].argsort()].tolist():
        others = secondary_hosts(arrays, vm, vms.host[vm])
        others = others[ram[others] + loads.vm_ram_gib[vm] <= loads.ram_limit_gib[others]]
        if len(others):
            free = loads.ram_limit_gib[others] - ram[others]
            best = best_secondary(arrays, vm, vms.host[vm], others, free)
            secondary[vm] = best
            ram[best] += loads.vm_ram_gib[vm]
    return secondary


def secondary_hosts(arrays: Arrays, vm: int, home: int) -> IntArray:
    """Hosts that may run the secondary of a VM whose primary runs on `home`, by id."""
    vms, hosts, rules = arrays.vms, arrays.hosts, arrays.binding
    most_gib = hosts.hypervisors[int(hosts.hypervisor[home])].ft_max_ram_gib or np.inf
    too_large = vms.ram_gib[vm] > most_gib or vms.vcpus[vm] > hosts.ft_max_vcpus[home]
    if too_large or np.isnan(hosts.ft_gbps[home]) or hosts.cluster[home] < 0:
        return np.zeros(0, dtype=np.int64)
    others = hosts.members[hosts.cluster[home]]
    others = others[(others >= 0) & (others != home)]
    others = others[~np.isnan(hosts.ft_gbps[others])]
    if rules is not None:
        others = others[~rules.standing_by[others] & rules.allowed(np.asarray(vm), others)]
    return np.asarray(others)


def best_secondary(
    arrays: Arrays, vm: int, home: int, others: IntArray, free_gib: FloatArray
) -> int:
    """The host for the secondary among `others` with room for it, whose free memory is given."""
    hosts, rules = arrays.hosts, arrays.binding
    best = np.ones(len(others), dtype=np.bool_)
    tests = [hosts.processor[others] == hosts.processor[home]]
    if rules is not None and rules.drawn[vm]:
        tests.append(rules.preferred(np.asarray(vm), others))
    for test in tests:
        if some(best & test):
            best &= test
    return int(others[np.where(best, free_gib, -np.inf).argmax()])
