"""How far the numbers of VMs are carried from the machines, hypervisors and releases that they were
measured on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.base.lazily import lazy
from models.base.quantities import IntArray
from models.catalog.catalog import Platform
from models.catalog.distance import (
    MEASURED_ON,
    NOWHERE,
    Distance,
    Standpoint,
    distance,
    farthest,
    on_bare_metal,
)
from models.physics.arrays import PROFILE_WORK
from models.physics.columns import codes_in
from models.physics.host_columns import PHYSICAL, X366
from models.physics.inputs_of_formulas import Inputs
from models.physics.scenario_to_arrays import places_measured


class Carriage:
    """Distances of a scenario's VMs, hosts and pools, worked out when they are first asked for."""

    def __init__(self, inputs: Inputs) -> None:
        self.inputs = inputs

    def __eq__(self, other: object) -> bool:
        """Whether all distances are the same, whatever they are of."""
        if not isinstance(other, Carriage):
            return NotImplemented
        ours, theirs = ((each.vms, each.hosts, each.pools) for each in (self, other))
        return ours == theirs

    __hash__ = None  # type: ignore[assignment]

    @lazy
    def _codes(self) -> tuple[IntArray, tuple[Distance, ...]]:
        """Of each VM its distance, by a number; the last is none, of what nobody measured."""
        laws, vms = self.inputs.laws, self.inputs.arrays.vms
        hosts = self.inputs.arrays.hosts
        machine = np.where(vms.running, hosts.machine[vms.host] if len(hosts) else -1, -1)
        kind = laws.family_a + 2 * laws.b_law + 4 * laws.generic + 8 * (vms.at.platform == X366)
        other = np.where(laws.generic, vms.measured_on, vms.profile)
        columns = np.array([machine, kind, vms.release, other, laws.as_measured])
        key = np.zeros(len(vms), dtype=np.int64)
        for column in columns + 1:
            key = key * (int(column.max(initial=0)) + 1) + column
        _, first, which = np.unique(key, return_index=True, return_inverse=True)
        found = [self._from(*column) for column in columns[:, first].T.tolist()]
        return which, (*found, NOWHERE)

    def _from(
        self, machine: int, kind: int, release: int, other: int, as_measured: int
    ) -> Distance:
        """The distance of VMs of one sort."""
        arrays, catalog = self.inputs.arrays, self.inputs.catalog
        if machine < 0 or not kind % 8:
            return NOWHERE
        server, hypervisor = arrays.hosts.machines[machine]
        named = arrays.vms.releases[release]
        here = Standpoint(server=server, hypervisor=hypervisor, release=named)
        if kind & 4:
            place = places_measured()[other]
            if place is None or place.server is None:
                return NOWHERE
            under = place.hypervisor or PHYSICAL
            there = Standpoint(server=place.server, hypervisor=under, release=named)
            return replace(distance(catalog, there, here), releases=0)
        seen = []
        if kind & 1:
            of_a = MEASURED_ON[Platform.X366 if kind & 8 else Platform.CLOVERTOWN]
            seen.append(on_bare_metal(of_a) if hypervisor == PHYSICAL else of_a)
        if kind & 2:
            seen.append(MEASURED_ON[Platform.NEHALEM])
        if as_measured:
            seen = []
        if self.inputs.derating.production:
            seen.append(PROFILE_WORK[other].seen)
        return farthest(distance(catalog, each, here) for each in seen)

    def _at(self, place: IntArray, count: int) -> tuple[Distance, ...]:
        """The farthest of the VMs at each place (−1: nowhere)."""
        codes, found = self._codes
        at: list[list[Distance]] = [[] for _ in range(count)]
        for pair in codes_in((place * len(found) + codes)[place >= 0]):
            where, code = divmod(pair, len(found))
            at[where].append(found[code])
        return tuple(farthest(each) for each in at)

    @lazy
    def vms(self) -> tuple[Distance, ...]:
        """Of each VM."""
        codes, found = self._codes
        return tuple(found[code] for code in codes.tolist())

    @lazy
    def hosts(self) -> tuple[Distance, ...]:
        """The farthest of the VMs of each host."""
        return self._at(self.inputs.arrays.vms.place, len(self.inputs.arrays.hosts))

    @lazy
    def pools(self) -> tuple[Distance, ...]:
        """The farthest of the VMs of each pool."""
        vms = self.inputs.arrays.vms
        return self._at(np.where(vms.on_pool, vms.pool, -1), len(self.inputs.arrays.pools))

    @lazy
    def most(self) -> Distance:
        """The farthest of all."""
        return farthest(self._codes[1][:-1])
