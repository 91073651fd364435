"""Who restarts where in each failure mode, and what hosts carry before that, as arrays."""

from __future__ import annotations

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record

NOBODY = -1


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

    def stranded(self) -> BoolArray:
        """Which of the moved VMs find no room, shape (k,)."""
        return np.asarray(self.moved_to == NOBODY)


@record(kw_only=True)
class HostLoads:
    """What stands on the hosts in normal operation.

    Attributes:
        cores_busy, ram_gib: sums per host, FT secondaries included, shape (h,).
        limits: memory and core-seconds per second that a host may carry, shape (2, h).
        secondary: host of each VM's FT secondary, −1 for none: it needs no restart while that
            host lives, shape (n,).
        in_turn: the VMs in the order of restarts, by priority, memory, CPU and id, (n,).
        kind_of_host: kind of machine and hypervisor of each host, (h,); `unlike`: whether clusters
            mix kinds.
        on: memory and cores that each VM asks of a host of a kind, 0 for no data, (2, k, n).
        own_on: what it asks of its vCPUs there, where that is more than where it stands [share of
            the CPU limit], else 0, shape (k, n).
    """

    cores_busy: FloatArray
    ram_gib: FloatArray
    limits: FloatArray
    secondary: IntArray
    in_turn: IntArray
    kind_of_host: IntArray
    unlike: bool
    on: FloatArray
    own_on: FloatArray
