"""Who restarts where in each failure mode, and what hosts carry before and after, as arrays.

What hosts carry is a number of each host in each mode. In a large cluster these are many, so they
are worked out for some modes at a time, which whoever asks for them goes through.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.physics.columns import NOBODY, filled, spread, sums_by
from models.physics.host_sums import TWICE, Asked, named, no_sums, positions
from models.physics.hosts import in_use_gib
from models.physics.other_hosts import ALIKE

MOST_CELLS = 200_000
"""Hosts of all modes that are worked out at a time."""

Modes = slice | IntArray
"""Some modes, in their order."""


def blocks(modes: int, width: int) -> Iterator[slice]:
    """All modes, so many at a time that their hosts, `width` each, are no more than `MOST_CELLS`.

    >>> list(blocks(5, MOST_CELLS // 2))
    [slice(0, 2, None), slice(2, 4, None), slice(4, 5, None)]
    """
    step = max(MOST_CELLS // max(width, 1), 1)
    for start in range(0, max(modes, 1), step):
        yield slice(start, min(start + step, modes))


@record(slots=False)
class Failover:
    """Every single host of a cluster gone, one mode a row; columns are the cluster's hosts.

    Attributes:
        failed: host that is gone, shape (m,).
        members: hosts of its cluster, shape (m, h), −1 beyond the last; column order is the same
            in every mode of a cluster.
        alive: which of them survive, shape (m, h).
        loads: of the hosts before.
        moved_mode, moved_vm, moved_to: one entry a VM that was on the failed host, shape (k,);
            `moved_to` is a column of `members`, or −1 where it finds no room.
        short_gib: memory that the survivors would need on top for every VM to find room, (m,).
        barred_gib: memory of VMs that find no room though memory is not what they lack, (m,): what
            rules, reservations or limits of the survivors keep down.
        housed_vm, housed_cell: VMs that would find room if they had it, and where.
        taken_mode, taken_vm, taken_to: one entry a VM that was on the failed host and runs on in
            its FT secondary, whose load is among the sums before and after.
    """

    failed: IntArray
    members: IntArray
    alive: BoolArray
    loads: HostLoads
    moved_mode: IntArray
    moved_vm: IntArray
    moved_to: IntArray
    short_gib: FloatArray
    barred_gib: FloatArray
    housed_vm: IntArray
    housed_cell: IntArray
    taken_mode: IntArray
    taken_vm: IntArray
    taken_to: IntArray

    @lazy
    def position(self) -> IntArray:
        """`members` with any host where there is none, shape (m, h)."""
        padded = self.members.min(initial=0) < 0
        return np.maximum(self.members, 0) if padded else self.members

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

    def blocks(self) -> Iterator[slice]:
        """All modes, some at a time."""
        return blocks(*self.members.shape)

    @lazy
    def crowded(self) -> IntArray:
        """Cells of the hosts that VMs come to, in order."""
        found = np.zeros(self.members.size, dtype=np.bool_)
        found[self.elsewhere[2]] = True
        return found.nonzero()[0]

    @lazy
    def crowded_hosts(self) -> IntArray:
        """Which hosts those are."""
        return self.members.take(self.crowded)

    @lazy
    def crowd_of(self) -> IntArray:
        """Of each VM that runs on another host than before its place in `crowded`."""
        number = np.empty(self.members.size, dtype=np.int64)
        number[self.crowded] = np.arange(len(self.crowded))
        return number[self.elsewhere[2]]

    def sums(self, *names: str, modes: Modes = slice(None)) -> dict[str, FloatArray]:
        """Rows of `host_sums.ROWS` on the hosts after the restarts, 0 of what is gone, shape (m, h)
        or (width, m, h)."""
        there = [name for name in names if self.loads.sums.has(name)]
        rows, cell = positions(*there), self.elsewhere[2]
        added = self._added(rows)
        if not self._is_all(modes):
            which, cell = self._within(modes, cell)
            added = added[:, which]
        standing = self.loads.sums.figures[rows]
        alive = self.alive[modes]
        found = named(there, spread(self.position[modes], alive, standing, cell, added))
        return {name: found.get(name, no_sums(name, alive.shape)) for name in names}

    def sums_of_crowded(self, *names: str) -> dict[str, FloatArray]:
        """The same of the hosts that VMs come to, (c,) or (width, c)."""
        there = [name for name in names if self.loads.sums.has(name)]
        rows, hosts = positions(*there), self.crowded_hosts
        came = sums_by(self.crowd_of, self._added(rows), len(hosts))
        found = named(there, self.loads.sums.figures[rows].take(hosts, axis=1) + came)
        return {name: found.get(name, no_sums(name, hosts.shape)) for name in names}

    def ram_gib(self, modes: Modes = slice(None)) -> FloatArray:
        """Memory in use on the hosts after the restarts, 0 of what is gone, shape (m, h)."""
        guests = self.sums("ram_gib", modes=modes)["ram_gib"]
        console = np.where(self.alive[modes], self.loads.console_gib[self.position[modes]], 0.0)
        return in_use_gib(guests, console)

    def wanted_cores(self, modes: Modes, carried: FloatArray) -> FloatArray:
        """The same of CPU, `carried` (m, h), if VMs had the room that they lack."""
        if not len(self.housed_vm):
            return carried
        which, cell = self._within(modes, self.housed_cell)
        kind = self.loads.kind_of_host[self.members.take(self.housed_cell[which])]
        wanted = carried.copy()
        np.add.at(wanted.reshape(-1), cell, self.loads.on[1, kind, self.housed_vm[which]])
        return wanted

    def _is_all(self, modes: Modes) -> bool:
        every_mode = (0, len(self.failed), 1)
        return isinstance(modes, slice) and modes.indices(len(self.failed)) == every_mode

    def _within(self, modes: Modes, cell: IntArray) -> tuple[IntArray, IntArray]:
        """Which of these cells are of some modes, and where they stand among those."""
        width = self.members.shape[1]
        chosen = filled(len(self.failed), NOBODY, np.int64)
        chosen[modes] = np.arange(len(self.failed[modes]))
        mode = chosen[cell // max(width, 1)]
        which = (mode != NOBODY).nonzero()[0]
        return which, mode[which] * width + cell[which] % width

    def _added(self, rows: IntArray) -> FloatArray:
        """Of these figures what each VM that runs on another host than before adds there."""
        _, vm, cell = self.elsewhere
        loads = self.loads
        kind = loads.kind_of_host[self.members.take(cell)] if loads.unlike else ALIKE
        added: FloatArray = loads.figures[rows[:, None], kind, vm]
        # What a secondary asks for is among the sums before.
        added[TWICE[rows], len(self.landed) :] = 0.0
        return added

    def greatest_left(self, of_hosts: FloatArray) -> FloatArray:
        """Of figures of hosts (k, hosts) the greatest of the survivors of each mode, −∞ for none,
        (k, m)."""
        padded = np.append(of_hosts, np.full((len(of_hosts), 1), -np.inf), axis=1)
        found = np.empty((len(of_hosts), len(self.failed)))
        for modes in self.blocks():
            left = np.where(self.alive[modes], self.members[modes], -1)
            for row, figures in enumerate(padded):
                found[row, modes] = figures.take(left).max(axis=1, initial=-np.inf)
        return found

    def stranded(self) -> BoolArray:
        """Which of the moved VMs find no room, shape (k,)."""
        return np.asarray(self.moved_to == NOBODY)


@record(kw_only=True)
class HostLoads:
    """What stands on the hosts in normal operation.

    Attributes:
        sums: of hosts, FT secondaries included, (h,); `cores_busy`, `ram_gib`: CPU among them, and
            memory with `console_gib`, that of the service console, (h,).
        limits: memory and core-seconds per second that a host may carry, shape (2, h).
        secondary: host of each VM's FT secondary, −1 for none: it needs no restart while that
            host lives, shape (n,).
        in_turn: the VMs in the order of restarts, by priority, memory, CPU and id, (n,).
        kind_of_host: kind of machine and hypervisor of each host, (h,); `unlike`: whether clusters
            mix kinds.
        figures: what each VM asks of a host of a kind, as `OtherHosts.figures`.
        on: memory and cores that each VM asks of a host of a kind, 0 for no data, (2, k, n).
        own_on: what it asks of its vCPUs there, where that is more than where it stands [share of
            the CPU limit], else 0, shape (k, n).
    """

    sums: Asked
    cores_busy: FloatArray
    ram_gib: FloatArray
    console_gib: FloatArray
    limits: FloatArray
    secondary: IntArray
    in_turn: IntArray
    kind_of_host: IntArray
    unlike: bool
    figures: FloatArray
    on: FloatArray
    own_on: FloatArray
