"""Restarts under rules: the same greedy search as without, among the hosts that may take a VM.

Of these a standby host goes first, then one that keeps VMs apart which should be apart, then one
that the VM should run on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.physics.arrays import Arrays
from models.physics.restart_rules import RestartRules
from models.quantities import BoolArray, FloatArray, IntArray

NOBODY = -1
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
            beside = members[modes][:, :, None] == hosts[:, None, :]
            met = (beside & (hosts >= 0)[:, None, :]).any(axis=2)
            against[modes] += TOGETHER * met
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
