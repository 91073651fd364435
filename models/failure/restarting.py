"""Restarts one after the other, in many failure modes at once.

Judged by demand, not by reservations, and VM by VM: that the survivors have enough memory in sum
does not help a VM that finds room on none of them.

Under rules the search is the same, among the hosts that may take a VM: of these a standby host goes
first, then one that keeps VMs apart which should be apart, then one that the VM should run on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.failure.failover import Failover, HostLoads, blocks
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY, every, inverse, rows_by, some, spread
from models.physics.other_hosts import ALIKE
from models.physics.restart_rules import RestartRules

NOT_STANDING_BY, TOGETHER, DISLIKED = 4, 2, 1
"""Penalties of a host, so that they add up to an order."""


@dataclass(slots=True, eq=False)
class Bindings:
    """What the rules say of every host of every mode while VMs restart, shape (m, w).

    Attributes:
        members: host of each column, −1 for none; `alive`: which survive.
        free_mhz, free_gib: CPU and memory that nobody has reserved there yet.
        idle: whether a host is no standby host though its cluster has some.
        where: host of each VM of an `apart` rule, shape (m, a), −1 for down; `column_of` finds a
            VM's column there, −1 for VMs of no such rule; `mates`: the others' columns, padded with
            −1, shape (a, k).
    """

    rules: RestartRules
    members: IntArray
    alive: BoolArray
    free_mhz: FloatArray
    free_gib: FloatArray
    idle: BoolArray
    where: IntArray
    column_of: IntArray
    mates: IntArray

    @classmethod
    def of(
        cls, arrays: Arrays, rules: RestartRules, members: IntArray, alive: BoolArray
    ) -> Bindings:
        hosts, vms = arrays.hosts, arrays.vms
        clock = np.where(np.isnan(hosts.base_mhz), np.inf, hosts.base_mhz)
        place = np.where(arrays.refused, -1, vms.place)
        mhz = hosts.cores * clock - _sums(place, rules.reserved_mhz, len(hosts))
        gib = hosts.ram_gib - _sums(place, rules.reserved_gib, len(hosts))
        standing_by = rules.standing_by[members] & alive
        idle = standing_by.any(axis=1, keepdims=True) & ~standing_by
        kept_apart = np.unique(np.concatenate([*rules.apart, np.zeros(0, dtype=np.int64)]))
        column_of = np.full(len(vms), NOBODY)
        column_of[kept_apart] = np.arange(len(kept_apart))
        home = vms.place[kept_apart]
        gone = np.ones((len(members), len(hosts) + 1), dtype=np.bool_)
        np.put_along_axis(gone, np.where(alive, members, len(hosts)), False, axis=1)
        where = np.where(gone[:, home], NOBODY, home)
        return cls(
            rules,
            members,
            alive,
            np.where(alive, mhz[members], -1.0),
            np.where(alive, gib[members], -1.0),
            idle,
            where,
            column_of,
            _mates(rules.apart, column_of, len(kept_apart)),
        )

    def open_to(self, vm: IntArray) -> BoolArray:
        """Hosts that may take VM i in mode i: alive, allowed, their reservation free."""
        active, rules = len(vm), self.rules
        members = self.members[:active]
        found = self.alive[:active] & rules.allowed(vm[:, None], members)
        found &= rules.reserved_mhz[vm][:, None] <= self.free_mhz[:active] * (1 + SLACK)
        found &= rules.reserved_gib[vm][:, None] <= self.free_gib[:active] * (1 + SLACK)
        return np.asarray(found)

    def allowed_in(self, mode: IntArray, vm: IntArray) -> BoolArray:
        """Survivors that the must-rules leave to VM i in mode `mode[i]`, shape (k, w)."""
        return self.alive[mode] & self.rules.allowed(vm[:, None], self.members[mode])

    def penalties(self, vm: IntArray) -> IntArray:
        """How much is against each host for VM i in mode i, shape (active, w)."""
        active = len(vm)
        members = self.members[:active]
        against = NOT_STANDING_BY * self.idle[:active]
        against = against + DISLIKED * ~self.rules.preferred(vm[:, None], members)
        at = self.column_of[vm]
        if len(modes := (at >= 0).nonzero()[0]):
            others = self.mates[at[modes]]
            hosts = np.where(others >= 0, self.where[modes[:, None], others], NOBODY)
            # Not each host with each mate: that would be modes × hosts × mates.
            rows, most = np.arange(len(modes)), max(hosts.max(initial=0), members.max(initial=0))
            beside = np.zeros((len(modes), int(most) + 2), dtype=np.bool_)
            beside[rows[:, None], hosts] = True
            beside[:, NOBODY] = False
            against[modes] += TOGETHER * beside[rows[:, None], members[modes]]
        return np.asarray(against)

    def take(self, modes: IntArray, columns: IntArray, vm: IntArray) -> None:
        """VM i stands in mode `modes[i]` on the host of `columns[i]`."""
        self.free_mhz[modes, columns] -= self.rules.reserved_mhz[vm]
        self.free_gib[modes, columns] -= self.rules.reserved_gib[vm]
        at = self.column_of[vm]
        ruled = at >= 0
        self.where[modes[ruled], at[ruled]] = self.members[modes[ruled], columns[ruled]]


SLACK = 1e-12


def least_against(open_to: BoolArray, against: IntArray) -> BoolArray:
    """The hosts that have least against them, of those that may take a VM, (active, w)."""
    worst = NOT_STANDING_BY + TOGETHER + DISLIKED + 1
    against = np.where(open_to, against, worst)
    least = against.min(axis=1, keepdims=True)
    return np.asarray(open_to & (against == least))


def _sums(place: IntArray, reserved: FloatArray, hosts: int) -> FloatArray:
    return np.bincount(place + 1, reserved, hosts + 1)[1:].astype(np.float64)


def _mates(apart: tuple[IntArray, ...], column_of: IntArray, count: int) -> IntArray:
    """Of each VM of such a rule the columns of those it should be apart from, (count, most)."""
    mates: list[set[int]] = [set() for _ in range(count)]
    for vms in apart:
        columns = column_of[vms].tolist()
        for column in columns:
            mates[column].update(other for other in columns if other != column)
    table = np.full((count, max(map(len, mates), default=0)), NOBODY)
    for row, others in zip(table, mates, strict=True):
        row[: len(others)] = sorted(others)
    return table


SLACK_GIB = 1e-6
"""Excess of memory below this is rounding."""
FULL = 1 + 1e-12
"""Share of a limit up to which a VM finds room; what is above 1 is rounding."""


def restart_all(
    arrays: Arrays,
    loads: HostLoads,
    failed: IntArray,
    members: IntArray,
    alive: BoolArray,
    restarting: tuple[IntArray, IntArray],
    taken: tuple[IntArray, IntArray],
) -> Failover:
    """Restart one VM after the other, in many modes at once.

    Args:
        restarting: the VMs to restart, in that order, and the mode of each.
        taken: mode and row of VMs that run on in their secondaries.
    """
    rows, mode = restarting
    found = []
    for modes in blocks(*members.shape):
        here = slice(None)
        if modes != slice(0, len(failed)):
            here = ((mode >= modes.start) & (mode < modes.stop)).nonzero()[0]
        found.append(
            _restarted(
                *(arrays, loads, members[modes], alive[modes]),
                *(rows[here], mode[here] - modes.start, modes.start),
            )
        )
    whole = found[0] if len(found) == 1 else _Moved(*map(np.concatenate, zip(*found, strict=True)))
    taken_mode, taken_vm = taken
    taken_to = taken_vm
    if len(taken_vm):
        there = members[taken_mode] == loads.secondary[taken_vm][:, None]
        taken_to = there.argmax(axis=1)
    return Failover(
        failed=failed,
        members=members,
        alive=alive,
        loads=loads,
        moved_mode=whole.mode,
        moved_vm=whole.vm,
        moved_to=whole.to,
        short_gib=whole.short_gib,
        barred_gib=whole.barred_gib,
        housed_vm=whole.housed_vm,
        housed_cell=whole.housed_cell,
        taken_mode=taken_mode,
        taken_vm=taken_vm,
        taken_to=taken_to,
    )


class _Moved(NamedTuple):
    """As `Failover` has them, of some modes."""

    mode: IntArray
    vm: IntArray
    to: IntArray
    short_gib: FloatArray
    barred_gib: FloatArray
    housed_vm: IntArray
    housed_cell: IntArray


def _restarted(
    arrays: Arrays,
    loads: HostLoads,
    members: IntArray,
    alive: BoolArray,
    rows: IntArray,
    mode: IntArray,
    first: int,
) -> _Moved:
    """The same of the modes from `first` on."""
    queue = Queue.of(loads, rows, mode, len(members))
    at_work = members.take(queue.order, axis=0), alive.take(queue.order, axis=0)
    bindings = None
    if arrays.binding is not None:
        bindings = Bindings.of(arrays, arrays.binding, *at_work)
    steps = _columns(_State.of(loads, *at_work), bindings, queue)
    moved_to = steps.take(queue.place)
    none, nothing = np.zeros(0, dtype=np.int64), np.zeros(len(members))
    if not some(moved_to == NOBODY):
        return _Moved(queue.mode + first, queue.vm, moved_to, nothing, nothing, none, none)
    homeless = np.where(steps == NOBODY, queue.vm_at, NOBODY)
    carried = _carried_gib(loads, members, alive, queue, moved_to).take(queue.order, axis=0)
    squeezed = _squeezed(loads, *at_work, carried, homeless, queue.active, bindings)
    short, barred = (each.take(queue.column_of_mode) for each in squeezed[:2])
    vm, column, to = squeezed[2:]
    cell = (queue.order[column] + first) * members.shape[1] + to
    return _Moved(queue.mode + first, queue.vm, moved_to, short, barred, vm, cell)


@record
class Queue:
    """The VMs to restart, shape (k,) by mode and in the order in which they restart.

    Steps are taken in all modes at once: step s of a mode restarts its s-th VM. Modes stand in
    columns with the most VMs first, so that those still at work are the first `active[s]`.

    Attributes:
        order: mode of each column; `column_of_mode` the other way round.
        mode, vm: of each VM; `place`: where it stands step after step, column after column.
        vm_at: the VM of each of those places, shape (k,); `asked`: memory and cores that it asks
            for where all hosts are alike, shape (2, k).
    """

    order: IntArray
    column_of_mode: IntArray
    active: list[int]
    mode: IntArray
    vm: IntArray
    place: IntArray
    vm_at: IntArray
    asked: FloatArray

    @classmethod
    def of(cls, loads: HostLoads, rows: IntArray, mode: IntArray, modes: int) -> Queue:
        """The VMs `rows`, which stand in the order of their restarts."""
        order = rows_by(mode, modes)
        rows, mode = rows.take(order), mode.take(order)
        counts = np.bincount(mode, minlength=modes)
        columns = (-counts).argsort(kind="stable")
        column_of_mode = inverse(columns)
        step = np.arange(len(mode)) - (counts.cumsum() - counts).take(mode)
        active = np.bincount(step)
        place = (active.cumsum() - active).take(step)
        place += column_of_mode.take(mode)
        vm_at = rows.take(inverse(place))
        asked = loads.on[:, ALIKE].take(vm_at, axis=1)
        return cls(columns, column_of_mode, active.tolist(), mode, rows, place, vm_at, asked)


@dataclass(slots=True, eq=False)
class _State:
    """How full the hosts of all modes are while VMs restart, columns as in `members`.

    Attributes:
        share: memory and CPU of their limits, infinite for a host that is gone or isn't there,
            shape (2, m, w); `flat_ram` and `flat_cpu` are its rows, one cell after the other.
        per: share that a GiB and a core are of the limits, shape (2, m, w).
        first: the first cell of each mode.
        kind: kind of each host, shape (m, w); None where all hosts are alike: then a VM asks for
            the same everywhere.
        on: memory and cores that each VM asks for on each kind, shape (2, k, n).
        own_on: as in `HostLoads`.
    """

    share: FloatArray
    flat_ram: FloatArray
    flat_cpu: FloatArray
    per: FloatArray
    first: IntArray
    kind: IntArray | None
    on: FloatArray
    own_on: FloatArray

    @classmethod
    def of(cls, loads: HostLoads, members: IntArray, alive: BoolArray) -> _State:
        hosts = np.zeros((4, len(loads.ram_gib) + 1))
        there = hosts[:, :-1]
        there[0], there[1] = loads.ram_gib, loads.cores_busy
        np.divide(1.0, loads.limits, out=there[2:])
        there[:2] *= there[2:]
        hosts[:2, -1] = np.inf
        cells = hosts.take(np.where(alive, members, -1), axis=1)
        flat, first = cells[:2].reshape(2, -1), np.arange(0, members.size, members.shape[1] or 1)
        kind = loads.kind_of_host[members] if loads.unlike else None
        return cls(cells[:2], flat[0], flat[1], cells[2:], first, kind, loads.on, loads.own_on)

    def restart(self, asked: FloatArray, vm: IntArray) -> IntArray:
        """Column of the host that takes one VM in each of the first modes, −1 for none; takes it.

        Args:
            asked: memory and cores that the VMs `vm` ask for where all hosts are alike.
        """
        after = self._with(asked, vm)
        fullest = np.maximum(after[0], after[1])
        columns = self._best(fullest, vm)
        cells = self.first[: len(vm)] + columns
        taken = after.reshape(2, -1).take(cells, axis=1)
        if not every(taken[0] <= FULL):
            fullest[after[0] > FULL] = np.inf
            columns = self._best(fullest, vm)
            cells = self.first[: len(vm)] + columns
            found = fullest.take(cells) < np.inf
            columns[~found] = NOBODY
            cells = cells[found]
            taken = after.reshape(2, -1).take(cells, axis=1)
        # Several times as quick as with a slice beside the positions.
        self.flat_ram[cells], self.flat_cpu[cells] = taken
        return np.asarray(columns)

    def restart_bound(self, bindings: Bindings, asked: FloatArray, vm: IntArray) -> IntArray:
        """As `restart`, on the hosts that the rules leave to each VM."""
        after = self._with(asked, vm)
        able = bindings.open_to(vm) & (after[0] <= FULL)
        able = least_against(able, bindings.penalties(vm))
        columns = self._best(np.where(able, np.maximum(after[0], after[1]), np.inf), vm)
        columns[~able.any(axis=1)] = NOBODY
        modes = (columns != NOBODY).nonzero()[0]
        at = columns[modes]
        self.share[:, modes, at] = after[:, modes, at]
        bindings.take(modes, at, vm[modes])
        return columns

    def _with(self, asked: FloatArray, vm: IntArray) -> FloatArray:
        """Shares of all hosts of the first modes, each with the VM there, shape (2, active, w)."""
        active = len(vm)
        more = asked[:, :, None]
        if self.kind is not None:
            more = self.on[:, self.kind[:active], vm[:, None]]
        after: FloatArray = more * self.per[:, :active]
        after += self.share[:, :active]
        return after

    def _best(self, fullest: FloatArray, vm: IntArray) -> IntArray:
        """Column of the host that is least full with the VM there, its own vCPUs among it; of
        those that are alike in that the one that is least full without them.

        Args:
            fullest: the greater share of memory and CPU, infinite where it can't go, (active, w).
        """
        if self.kind is None:
            return np.asarray(fullest.argmin(axis=1))
        own = np.maximum(fullest, self.own_on[self.kind[: len(vm)], vm[:, None]])
        alike = own <= own.min(axis=1, keepdims=True)
        return np.asarray(np.where(alike, fullest, np.inf).argmin(axis=1))


def _columns(state: _State, bindings: Bindings | None, queue: Queue) -> IntArray:
    """Column of the host that takes each VM, −1 for none, ordered as `Queue.vm_at`, shape (k,)."""
    columns, first = np.empty_like(queue.vm_at), 0
    for active in queue.active:
        of_step = slice(first, first := first + active)
        asked, vms = queue.asked[:, of_step], queue.vm_at[of_step]
        if bindings is None:
            columns[of_step] = state.restart(asked, vms)
        else:
            columns[of_step] = state.restart_bound(bindings, asked, vms)
    return columns


def _carried_gib(
    loads: HostLoads, members: IntArray, alive: BoolArray, queue: Queue, moved_to: IntArray
) -> FloatArray:
    """Memory of the survivors after the restarts, 0 of what is gone, shape (m, w)."""
    landed = (moved_to != NOBODY).nonzero()[0]
    mode, vm, moved_to = queue.mode[landed], queue.vm[landed], moved_to[landed]
    cell = mode * members.shape[1] + moved_to
    kind = loads.kind_of_host[members.take(cell)] if loads.unlike else ALIKE
    standing, added = loads.ram_gib[None], loads.on[:1, kind, vm]
    return np.asarray(spread(np.maximum(members, 0), alive, standing, cell, added)[0])


def _squeezed(
    loads: HostLoads,
    members: IntArray,
    alive: BoolArray,
    carried_gib: FloatArray,
    homeless: IntArray,
    active: list[int],
    bindings: Bindings | None,
) -> tuple[FloatArray, FloatArray, IntArray, IntArray, IntArray]:
    """Memory short and memory of VMs that lack something else, (m,), with VMs put where they find
    no room; and which VMs that are, in which mode, and the column of their host, (k,).

    Each of `homeless` (k,), −1 for none, in steps of `active` VMs, goes where the most room is
    left, or is lacking least; what is then over the hosts' capacity, in sum, has to be added (not
    what was over it before). Where nobody survives that is all they need. Where nobody is left that
    rules allow, or memory is not what keeps them down, more memory is no help.
    """
    ram, limit = carried_gib.copy(), loads.limits[0][members]
    put: list[tuple[IntArray, IntArray, IntArray]] = [(np.zeros(0, dtype=np.int64),) * 3]
    alone = np.zeros(len(ram))
    for step in np.split(homeless, np.cumsum(active[:-1])):
        modes = (step != NOBODY).nonzero()[0]
        if not len(modes):
            continue
        vms = step[modes]
        homes = alive[modes] if bindings is None else bindings.allowed_in(modes, vms)
        room = np.where(homes, limit[modes] - ram[modes], -np.inf)
        columns = room.argmax(axis=1)
        kind = loads.kind_of_host[members[modes, columns]]
        housed, needed = homes[np.arange(len(modes)), columns], loads.on[0, kind, vms]
        if bindings is not None:
            housed = housed & (room[np.arange(len(modes)), columns] < needed)
        alone[modes[~housed]] += needed[~housed]
        modes, columns = modes[housed], columns[housed]
        ram[modes, columns] += needed[housed]
        put.append((vms[housed], modes, columns))
    before, after = (
        np.where(alive, np.maximum(each - limit, 0.0), 0.0) for each in (carried_gib, ram)
    )
    over = after.sum(axis=1) - before.sum(axis=1)
    somebody = alive.any(axis=1)
    short = np.where(over > SLACK_GIB, over, 0.0) + np.where(somebody, 0.0, alone)
    vm, mode, column = map(np.concatenate, zip(*put, strict=True))
    return short, np.where(somebody, alone, 0.0), vm, mode, column
