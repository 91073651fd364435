"""Restarts one after the other, in many failure modes at once.

Judged by demand, not by reservations, and VM by VM: that the survivors have enough memory in sum
does not help a VM that finds room on none of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.failure.failover import NOBODY, Failover, HostLoads
from models.failure.ruled import Bindings, choose
from models.physics.arrays import Arrays
from models.physics.columns import every, inverse, rows_by, some
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record

SLACK_GIB = 1e-6
"""Excess of memory below this is rounding."""


def restart_all(
    arrays: Arrays,
    loads: HostLoads,
    failed: IntArray,
    members: IntArray,
    alive: BoolArray,
    queue: Queue,
    taken: tuple[IntArray, IntArray],
) -> Failover:
    """Restart one VM after the other, in all modes at once."""
    at_work = members.take(queue.order, axis=0), alive.take(queue.order, axis=0)
    state, bindings = _State.of(loads, *at_work), None
    if arrays.binding is not None:
        bindings = Bindings.of(arrays, arrays.binding, *at_work)
    moved_to, first = np.empty_like(queue.vm), 0
    for active in queue.active:
        of_step = slice(first, first := first + active)
        asked, vms = queue.asked[:, of_step], queue.vm_at[of_step]
        if bindings is None:
            moved_to[of_step] = state.restart(asked, vms)
        else:
            moved_to[of_step] = state.restart_bound(bindings, asked, vms)
    ram, cores = state.load.reshape(2, *members.shape).take(queue.column_of_mode, axis=1)
    short, barred, wanted = np.zeros(len(failed)), np.zeros(len(failed)), cores
    if some(moved_to == NOBODY):
        homeless = np.where(moved_to == NOBODY, queue.vm_at, NOBODY)
        short, barred, wanted = (
            found.take(queue.column_of_mode, axis=0)
            for found in state.squeezed(homeless, queue.active, bindings)
        )
    taken_mode, taken_vm = taken
    taken_to = taken_vm
    if len(taken_vm):
        there = members[taken_mode] == loads.secondary[taken_vm][:, None]
        taken_to = there.argmax(axis=1)
    return Failover(
        failed=failed,
        members=members,
        alive=alive,
        cores_busy=cores,
        ram_gib=ram,
        moved_mode=queue.mode,
        moved_vm=queue.vm,
        moved_to=moved_to.take(queue.place),
        short_gib=short,
        barred_gib=barred,
        wanted_cores=wanted,
        taken_mode=taken_mode,
        taken_vm=taken_vm,
        taken_to=taken_to,
    )


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
    def of(cls, arrays: Arrays, loads: HostLoads, mode: IntArray, modes: int) -> Queue:
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
    ) -> Queue:
        """The VMs `rows`, each in its mode, by stage and turn."""
        order = np.lexsort((inverse(loads.in_turn)[rows], np.broadcast_to(stage, rows.shape)))
        return cls._one_by_one(loads, rows[order], mode[order], modes)

    @classmethod
    def _one_by_one(cls, loads: HostLoads, rows: IntArray, mode: IntArray, modes: int) -> Queue:
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
        asked = np.array([loads.vm_ram_gib, loads.vm_cores]).take(vm_at, axis=1)
        return cls(columns, column_of_mode, active.tolist(), mode, rows, place, vm_at, asked)


@dataclass(slots=True, eq=False)
class _State:
    """Loads of all modes while VMs restart, shape (m, w), their cells one after the other.

    The memory limit is negative and `used` infinite for a host that is gone or isn't there. `kind`
    is None where all hosts are alike: then a VM asks for the same everywhere.

    Attributes:
        load, limit: memory and cores of each cell, shape (2, m·w); `flat_ram` and `flat_cores`
            are the rows of `load`.
        used: share of the scarcer of the two, shape (m, w).
        first: the first cell of each mode.
        cores_on, ram_on: as in `HostLoads`.
    """

    load: FloatArray
    flat_ram: FloatArray
    flat_cores: FloatArray
    limit: FloatArray
    used: FloatArray
    first: IntArray
    kind: IntArray | None
    cores_on: FloatArray
    ram_on: FloatArray

    @classmethod
    def of(cls, loads: HostLoads, members: IntArray, alive: BoolArray) -> _State:
        hosts = np.empty((5, len(loads.ram_gib) + 1))
        there = hosts[:, :-1]
        there[0], there[1] = loads.ram_gib, loads.cores_busy
        there[2], there[3] = loads.ram_limit_gib, loads.cpu_limit
        share = there[:2] / there[2:4]
        np.maximum(share[0], share[1], out=there[4])
        there[2] *= 1 + 1e-12
        hosts[:, -1] = 0.0, 0.0, -1.0, 1.0, np.inf
        cells = hosts.take(np.where(alive, members, -1), axis=1)
        flat, used = cells[:4].reshape(4, -1), cells[4]
        first = np.arange(0, used.size, members.shape[1] or 1)
        kind = loads.kind_of_host[members] if some(loads.kind_of_host > 0) else None
        on = np.fmax(loads.cores_on, 0.0), loads.ram_on
        return cls(flat[:2], flat[0], flat[1], flat[2:], used, first, kind, *on)

    @property
    def ram(self) -> FloatArray:
        return self._table(self.flat_ram)

    @property
    def cores(self) -> FloatArray:
        return self._table(self.flat_cores)

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
        if not every(fits):
            columns[~fits] = self._roomiest((~fits).nonzero()[0])
            at = self.first[:active] + columns
            after = self.load.take(at, axis=1) + self._asked(asked, vm, at)
            limit = self.limit.take(at, axis=1)
            fits = after[0] <= limit[0]
            columns[~fits] = NOBODY
            at, after, limit = at[fits], after[:, fits], limit[:, fits]
        # Several times as quick as with a slice beside the positions.
        self.flat_ram[at], self.flat_cores[at] = after[0], after[1]
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
        self, homeless: IntArray, active: list[int], bindings: Bindings | None
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Memory short and memory of VMs that lack something else, shape (m,), and loads, shape
        (m, h), with VMs put where they find no room.

        Each of `homeless` (k,), −1 for none, in steps of `active` VMs, goes where the most room is
        left, or is lacking least; what is then over the hosts' capacity, in sum, has to be added
        (not what was over it before). Where nobody survives that is all they need. Where nobody is
        left that rules allow, or memory is not what keeps them down, more memory is no help.
        """
        ram, cores = self.ram.copy(), self.cores.copy()
        survivors = self.ram_limit >= 0
        alone = np.zeros(len(ram))
        for step in np.split(homeless, np.cumsum(active[:-1])):
            modes = (step != NOBODY).nonzero()[0]
            if not len(modes):
                continue
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
