"""Response times with a host gone: those who take its VMs over get slower.

Every pair of a failed host and a survivor that takes VMs over is a crowd, and every VM of a crowd
is looked at. Each end of the interval is the greatest of all VMs: the slowest by its high end may
be another than by its value.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.failure.failover import Failover
from models.physics import response
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY, VmsByHost, at_each, blank, codes_in, filled
from models.physics.inputs_of_formulas import Inputs
from models.physics.other_hosts import OtherHosts
from models.physics.response import Alone, Cores, Disks, Parts
from models.physics.responses import (
    Responses,
    Sharing,
    Standing,
    alone_of,
    family_parts,
    groups,
    own_responses,
    spread,
)


def degraded_worst(
    inputs: Inputs,
    responses: Responses,
    sharing: Sharing,
    failover: Failover,
    places: OtherHosts,
    busy: FloatArray,
) -> FloatArray:
    """Worst response of each failure mode with its interval, shape (3, m), NaN for no data.

    Hosts that take VMs over get slower for all on them; all other VMs respond as before. Pools are
    as loaded as before: what restarts brings its I/O along, and that of VMs that stay down is left
    in, which errs high.

    Args:
        busy: `Restarted.busy_of_crowded`.
    """
    staying, known = responses.off_host.standing, responses.estimate.known
    worst = failover.greatest_left(inputs.arrays.vms_by_host.greatest(responses.estimate.ends))
    if len(failover.elsewhere[0]):
        crowds = _Crowds.of(inputs.arrays, failover, busy)
        think = inputs.calibration.law.think_time_ms
        came, crowd = failover.elsewhere[1], crowds.of_newcomers
        if len(places.kinds) > 1 or inputs.laws.some_a:
            moved = _restarted(responses, sharing, failover, places)
            there = ~np.isnan(moved.with_disks[0])
            crowds.take_in(worst, moved, there, np.arange(len(came)), crowd, think)
            came, crowd = came[:0], crowd[:0]
        rows, place = crowds.candidates(worst, staying, known, inputs.arrays, think)
        rows, crowd = np.concatenate([rows, came]), np.concatenate([place, crowd])
        crowds.take_in(worst, staying, known, rows, crowd, think)
    worst[worst == -np.inf] = np.nan
    return worst


def _restarted(
    responses: Responses,
    sharing: Sharing,
    failover: Failover,
    places: OtherHosts,
) -> Standing:
    """The VMs that run on elsewhere, on the machines that take them over."""
    mode, vm, cell = failover.elsewhere
    think, host = places.kinds[0].inputs.calibration.law.think_time_ms, failover.members.take(cell)
    kind = places.of_host[host]
    base, stretch, load, least, path, disk, cpu, at_least, *widths = blank((10, len(vm)))
    for code in codes_in(kind):
        rows = np.flatnonzero(kind == code)
        alone, half_width = _laws_at(places, code, responses)
        parts = alone.parts
        for column, values in (
            (base, alone.base_ms),
            (stretch, alone.stretch),
            (load, alone.load),
            (least, alone.least_load),
            (path, alone.path),
            (widths[0], half_width[0]),
            (widths[1], half_width[1]),
            (disk, parts.disk_ms),
            (cpu, parts.cpu_ms),
            (at_least, response.reference_cores(places.kinds[code].inputs.laws)),
        ):
            column[rows] = values[vm[rows]]
    beside = _path_beside(path, host, mode, vm, responses, places)
    parts, factor = Parts(disk, cpu), spread(np.array(widths))
    loads = np.array([load, least, np.fmax(load, path + beside)])
    own = own_responses(base, stretch, loads, factor, think)
    disks = Disks(sharing.disks.load.take(vm, axis=1), sharing.disks.reference.take(vm, axis=1))
    with_disks = own + response.delta_disks(own, parts, disks, think_time_ms=think)
    asked = np.fmax(places.cores[:, kind, vm], 0.0)
    cores = places.kinds[0].inputs.arrays.hosts.cores[host]
    before = response.wait_alone(
        with_disks,
        parts,
        Cores(cores, at_least, asked, asked),
        think_time_ms=think,
    )
    return Standing(asked, with_disks, before, factor, cpu)


def _laws_at(places: OtherHosts, code: int, responses: Responses) -> tuple[Alone, FloatArray]:
    """All VMs alone on a kind of host, with half widths."""
    if code == 0:
        return responses.alone, responses.off_host.family.half_width
    place = places.kinds[code]
    alone = alone_of(place.inputs, place.cores)
    return alone, family_parts(place.inputs, alone).half_width


def _path_beside(
    path: FloatArray,
    host: IntArray,
    mode: IntArray,
    vm: IntArray,
    responses: Responses,
    places: OtherHosts,
) -> FloatArray:
    """Load that others of family A on the new host and the same pool put on the path, (k,)."""
    inputs = places.kinds[0].inputs
    vms, pools = inputs.arrays.vms, len(inputs.arrays.pools)
    group = groups(inputs)
    takes_part = (path > 0) & (vms.pool[vm] >= 0)
    others, rows = np.zeros(len(vm)), takes_part.nonzero()[0]
    if not len(rows):
        return others
    at = host[rows] * pools + vms.pool[vm[rows]]
    there = (group >= 0).nonzero()[0]
    known, place = np.unique(np.concatenate([at, group[there]]), return_inverse=True)
    standing = np.bincount(
        place[len(at) :], weights=responses.alone.path[there], minlength=len(known)
    )
    own, crowd = path[rows], mode[rows] * len(known) + place[: len(at)]
    _, crowd = np.unique(crowd, return_inverse=True)
    came = np.bincount(crowd, weights=own)
    others[rows] = standing[place[: len(at)]] + np.maximum(came[crowd] - own, 0.0)
    return others


@record
class _Crowds:
    """Pairs of a failure mode and a host that takes VMs over in it.

    `busy` is with its ends, shape (3, number of crowds); `of_newcomers` the crowd of each VM that
    runs on there (`Failover.elsewhere`).
    """

    mode: IntArray
    host: IntArray
    cores: FloatArray
    busy: FloatArray
    of_newcomers: IntArray

    @classmethod
    def of(cls, arrays: Arrays, failover: Failover, busy: FloatArray) -> _Crowds:
        mode, host = failover.crowded // failover.members.shape[1], failover.crowded_hosts
        return cls(mode, host, arrays.hosts.cores[host], busy, failover.crowd_of)

    def take_in(
        self,
        worst: FloatArray,
        vms: Standing,
        known: BoolArray,
        rows: IntArray,
        crowd: IntArray,
        think_time_ms: float,
    ) -> None:
        """Take the VMs `rows`, each in a `crowd`, into the worst of each mode by each end, (3, m);
        in blocks, which stay in the cache.

        Args:
            known: VMs that have a response.
        """
        for start in range(0, len(rows), BLOCK):
            block = slice(start, start + BLOCK)
            at = crowd[block]
            cores, busy = self.cores.take(at), self.busy.take(at, axis=1)
            found = vms.taken(rows[block]).among(cores, busy, think_time_ms)
            found = np.where(known.take(rows[block]), found, -np.inf)
            at_each(np.maximum, worst, self.mode.take(at), found)

    def candidates(
        self,
        worst: FloatArray,
        vms: Standing,
        known: BoolArray,
        arrays: Arrays,
        think_time_ms: float,
    ) -> tuple[IntArray, IntArray]:
        """VMs that stand in crowds, each with its crowd; of many those that may be slower there
        than the worst so far. Waiting only grows with load: a VM is slowest in the busiest crowd of
        its host.
        """
        by_host = arrays.vms_by_host
        if by_host.counts[self.host].sum() <= FEW_CROWDS * len(known):
            return by_host.on(self.host)
        count = len(by_host.counts)
        busiest, least, cores = np.zeros((3, count)), np.full((3, count), np.inf), np.ones(count)
        at_each(np.maximum, busiest, self.host, self.busy)
        at_each(np.minimum, least, self.host, worst.take(self.mode, axis=1))
        cores[self.host] = self.cores
        rows = (known & arrays.vms.running).nonzero()[0]
        rows = rows[least[0].take(arrays.vms.place[rows]) < np.inf]
        there, most = arrays.vms.place[rows], np.full((3, len(known)), -np.inf)
        most[:, rows] = vms.taken(rows).among(
            cores[there], busiest.take(there, axis=1), think_time_ms
        )
        slow = rows[(most[:, rows] >= least.take(there, axis=1)).any(axis=0)]
        place = filled(len(known), NOBODY, np.int64)
        place[slow] = arrays.vms.place[slow]
        rows, crowd = VmsByHost.of(place, count).on(self.host)
        worst_there = worst.take(self.mode.take(crowd), axis=1)
        slower = (most.take(rows, axis=1) >= worst_there).any(axis=0)
        return rows[slower], crowd[slower]


BLOCK = 2_000
"""VMs at a time."""

FEW_CROWDS = 2
"""Crowds that a VM stands in on average up to which all are looked at."""
