"""Response times with a host gone: those who take its VMs over get slower.

Every pair of a failed host and a survivor that takes VMs over is a crowd. To look at every VM of
every crowd would cost more than all the rest, so a crowd's VMs, and each that comes to it, are
looked at only where an upper bound of their responses passes the worst response of their mode that
is known already. Each end of the interval is the greatest of all VMs, too: the slowest by its high
end may be another than by its value.
"""

from __future__ import annotations

import numpy as np

from models.failure.failover import Failover
from models.physics import response
from models.physics.arrays import Arrays
from models.physics.columns import at_each, blank
from models.physics.estimates import Estimate
from models.physics.loads import Inputs
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
from models.quantities import BoolArray, FloatArray, IntArray
from models.record import record


def degraded_worst(
    inputs: Inputs,
    responses: Responses,
    sharing: Sharing,
    failover: Failover,
    places: OtherHosts,
    loads: FloatArray,
) -> FloatArray:
    """Worst response of each failure mode with its interval, shape (3, m), NaN for no data.

    Hosts that take VMs over get slower for all on them; all other VMs respond as before. Pools are
    as loaded as before: what restarts brings its I/O along, and that of VMs that stay down is left
    in, which errs high.

    Args:
        loads: of hosts after the restarts, with ends, shape (3, m, h).
    """
    staying, known = responses.off_host.standing, responses.estimate.known
    ends, bounds = _greatest(inputs.arrays, responses.estimate, staying)
    worst = _worst_elsewhere(ends, failover)
    if len(failover.elsewhere[0]):
        crowds = _Crowds.of(inputs.arrays, failover, loads)
        search = _Search(crowds, worst, inputs.calibration.law.think_time_ms)
        came, crowd = failover.elsewhere[1], crowds.of_newcomers
        if len(places.kinds) > 1 or inputs.laws.some_a:
            moved = _restarted(responses, sharing, failover, places)
            search.take(moved, ~np.isnan(moved.with_disks[0]), np.arange(len(came)), crowd)
            came, crowd = came[:0], crowd[:0]
        stay, come = search.passing(bounds, came, crowd)
        rows, crowd_of_rows = crowds.staying(inputs.arrays, stay)
        rows = np.concatenate([rows, came[come]])
        search.take(staying, known, rows, np.concatenate([crowd_of_rows, crowd[come]]))
    worst[worst == -np.inf] = np.nan
    return worst


@record
class _Bounds:
    """Responses of VMs before they share their host (3, n), and CPU of an action (n,).

    Of each host the greatest of both, (3, h) and (h,), −∞ for no VM; of all VMs the greatest
    `Standing.spread`, (3, 1). VMs without a response are among them.
    """

    before: FloatArray
    cpu_ms: FloatArray
    most_before: FloatArray
    most_cpu_ms: FloatArray
    spread: FloatArray


def _greatest(arrays: Arrays, normal: Estimate, staying: Standing) -> tuple[FloatArray, _Bounds]:
    """Greatest response of the VMs of each host with its ends (3, h), −∞ for none; and bounds."""
    before, cpu_ms = staying.with_disks * staying.spread, staying.cpu_ms
    columns = np.concatenate([normal.ends, before, cpu_ms[None]])
    found = arrays.vms_by_host.greatest(columns)
    spread = np.fmax.reduce(staying.spread, axis=1, initial=0.0)
    return found[:3], _Bounds(before, cpu_ms, found[3:6], found[6], spread[:, None])


def _worst_elsewhere(ends: FloatArray, failover: Failover) -> FloatArray:
    """Worst response in each mode's cluster among the VMs that weren't on the failed host (3, m).

    Args:
        ends: worst responses of each host, shape (3, h).
    """
    per_host = np.empty((3, ends.shape[1] + 1))
    per_host[:, :-1] = ends
    per_host[:, -1] = -np.inf
    others = per_host.take(np.where(failover.alive, failover.members, -1), axis=1)
    worst: FloatArray = np.maximum.reduce(others, axis=2, initial=-np.inf)
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
    for code in np.unique(kind).tolist():
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
    def of(cls, arrays: Arrays, failover: Failover, loads: FloatArray) -> _Crowds:
        taken_over = np.zeros(failover.members.size, dtype=np.bool_)
        taken_over[failover.elsewhere[2]] = True
        key = taken_over.nonzero()[0]
        host = failover.members.take(key)
        number = np.empty(len(taken_over), dtype=np.int64)
        number[key] = np.arange(len(key))
        return cls(
            key // failover.members.shape[1],
            host,
            arrays.hosts.cores[host],
            loads.reshape(3, -1).take(key, axis=1),
            number[failover.elsewhere[2]],
        )

    def staying(self, arrays: Arrays, crowds: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs that are on the hosts of these crowds anyway, and the crowd of each."""
        rows, place = arrays.vms_by_host.on(self.host[crowds])
        return rows, crowds[place]


@record
class _Search:
    """Looks for the slowest VM of each mode by each end; `worst` (3, m) holds them so far."""

    crowds: _Crowds
    worst: FloatArray
    think_time_ms: float

    def take(self, vms: Standing, known: BoolArray, rows: IntArray, crowd: IntArray) -> None:
        """Take in the VMs `rows`, each in a crowd; in blocks, which stay in the cache.

        Args:
            known: VMs that have a response.
        """
        for start in range(0, len(rows), BLOCK):
            block = slice(start, start + BLOCK)
            self._take(vms, known, rows[block], crowd[block])

    def _take(self, vms: Standing, known: BoolArray, rows: IntArray, crowd: IntArray) -> None:
        crowds = self.crowds
        cores, busy = crowds.cores.take(crowd), crowds.busy.take(crowd, axis=1)
        found = vms.taken(rows).among(cores, busy, self.think_time_ms)
        found = np.where(known.take(rows), found, -np.inf)
        at_each(np.maximum, self.worst, crowds.mode.take(crowd), found)

    def passing(
        self, bounds: _Bounds, came: IntArray, crowd: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Crowds that could hold a staying VM slower than the slowest so far by any end, and which
        of the VMs that `came`, each to a `crowd`, could be such.

        The bound adds the most that any VM could wait on the host, with the most CPU of an action
        there and no response or waiting of its own, to the slowest response before sharing it.
        """
        crowds = self.crowds
        cpu_ms = np.maximum(bounds.most_cpu_ms, 0.0).take(crowds.host)
        np.fmax.at(cpu_ms, crowd, bounds.cpu_ms.take(came))
        waiting = response.delta_cores(
            0.0,
            cpu_ms,
            crowds.cores,
            busy=crowds.busy,
            own=0.0,
            before_ms=0.0,
            think_time_ms=self.think_time_ms,
        )
        waiting *= bounds.spread * (1 + SLACK)
        worst = self.worst.take(crowds.mode, axis=1)
        staying = bounds.most_before.take(crowds.host, axis=1) + waiting > worst
        coming = bounds.before.take(came, axis=1) + waiting.take(crowd, axis=1)
        slower = staying, coming > worst.take(crowd, axis=1)
        stay, come = (np.logical_or.reduce(each).nonzero()[0] for each in slower)
        return stay, come


BLOCK = 2_000
"""VMs at a time."""

SLACK = 1e-9
"""Relative excess by which a bound keeps clear of rounding."""
