"""Response times with a host gone: those who take its VMs over get slower.

Every pair of a failed host and a survivor that takes VMs over is a crowd. To look at every VM of
every crowd would cost more than all the rest, so a crowd is looked at only where an upper bound of
its responses passes the worst response of its mode that is known already; and the ends of the
interval are worked out for the slowest VM of a mode alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.failure.availability import Failover
from models.physics import response
from models.physics.arrays import Arrays
from models.physics.elsewhere import Elsewhere
from models.physics.estimates import Estimate
from models.physics.loads import Inputs
from models.physics.response import Alone, Cores, Disks, Parts
from models.physics.responses import (
    Responses,
    Sharing,
    Standing,
    alone_of,
    family_parts,
    groups,
    own_ends,
    spread,
    widened,
)
from models.quantities import BoolArray, FloatArray, IntArray


def degraded_worst(
    inputs: Inputs,
    responses: Responses,
    sharing: Sharing,
    failover: Failover,
    places: Elsewhere,
    loads: FloatArray,
) -> FloatArray:
    """Worst response of each failure mode with its interval, shape (3, m), NaN for no data.

    Hosts that take VMs over get slower for all on them; all other VMs respond as before. Pools are
    as loaded as before: what restarts brings its I/O along.

    Args:
        loads: of hosts after the restarts, with ends, shape (3, m, h).
    """
    staying, known = responses.off_host.standing, responses.estimate.known
    ends, slowest, most_cpu = _greatest(inputs.arrays, responses.estimate, staying)
    worst = _worst_elsewhere(ends, failover)
    if len(failover.elsewhere[0]):
        crowds = _Crowds.of(inputs.arrays, failover, loads)
        search = _Search(crowds, worst, inputs.calibration.law.think_time_ms)
        if len(places.kinds) == 1 and not inputs.laws.some_a:
            moved, rows, has_response = staying, failover.elsewhere[1], known
        else:
            moved = _restarted(responses, sharing, failover, places)
            rows, has_response = np.arange(len(moved.cpu_ms)), ~np.isnan(moved.with_disks[0])
        landed = search.slowest(moved, has_response, rows, crowds.of_newcomers)
        passing = search.passing(slowest, most_cpu).nonzero()[0]
        stayed = search.slowest(staying, known, *crowds.staying(inputs.arrays, passing))
        search.take_ends(moved, landed)
        search.take_ends(staying, stayed)
    worst[worst == -np.inf] = np.nan
    return worst


def _greatest(
    arrays: Arrays, normal: Estimate, staying: Standing
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Greatest of the VMs of each host: response with its ends (3, h), response before sharing the
    host (h,), CPU of an action (h,); −∞ for none."""
    columns = np.concatenate([normal.ends, staying.with_disks[:1], staying.cpu_ms[None]])
    found = arrays.crews.greatest(np.where(normal.known, columns, -np.inf))
    return found[:3], found[3], found[4]


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
    places: Elsewhere,
) -> Standing:
    """The VMs that run on elsewhere, on the machines that take them over."""
    mode, vm, cell = failover.elsewhere
    think, host = _think(places), failover.members.take(cell)
    kind = places.of_host[host]
    base, load, least, path, disk, cpu, *widths = np.full((8, len(vm)), np.nan)
    for code in np.unique(kind).tolist():
        rows = np.flatnonzero(kind == code)
        alone, half_width, parts = _laws_at(places, code, responses, sharing)
        for column, values in (
            (base, alone.base_ms),
            (load, alone.load),
            (least, alone.least_load),
            (path, alone.path),
            (widths[0], half_width[0]),
            (widths[1], half_width[1]),
            (disk, parts.disk_ms),
            (cpu, parts.cpu_ms),
        ):
            column[rows] = values[vm[rows]]
    alone, width = Alone(base, load, least, path, cpu, disk), np.array(widths)
    beside = _path_beside(path, host, mode, vm, responses, places)
    own = own_ends(alone, width, np.fmax(load, path + beside), think)
    parts, factor = Parts(disk, cpu), spread(width)
    disks = Disks(sharing.disks.load.take(vm, axis=1), sharing.disks.reference.take(vm, axis=1))
    with_disks = widened(own, response.with_disks(own, parts, disks, think_time_ms=think), factor)
    asked = np.fmax(places.cores[:, kind, vm], 0.0)
    cores = places.kinds[0].inputs.arrays.hosts.cores[host]
    before = response.wait_alone(
        with_disks,
        parts,
        Cores(cores, sharing.cores.reference_cores[vm], asked, asked),
        think_time_ms=think,
    )
    return Standing(asked, with_disks, before, factor, cpu)


def _laws_at(
    places: Elsewhere, code: int, responses: Responses, sharing: Sharing
) -> tuple[Alone, FloatArray, Parts]:
    """All VMs alone on a kind of host, with half widths and parts."""
    if code == 0:
        return responses.alone, responses.off_host.family.half_width, responses.parts
    place = places.kinds[code]
    alone = alone_of(place.inputs, place.cores)
    return alone, family_parts(place.inputs).half_width, response.parts(alone, sharing.miss_ms)


def _path_beside(
    path: FloatArray,
    host: IntArray,
    mode: IntArray,
    vm: IntArray,
    responses: Responses,
    places: Elsewhere,
) -> FloatArray:
    """Load that others of family A on the new host and the same pool put on the path, (k,)."""
    inputs = places.kinds[0].inputs
    vms, pools = inputs.arrays.vms, len(inputs.arrays.pools)
    group = groups(inputs)
    takes_part = (np.nan_to_num(path) > 0) & (vms.pool[vm] >= 0)
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


def _think(places: Elsewhere) -> float:
    return places.kinds[0].inputs.calibration.law.think_time_ms


@dataclass(frozen=True, slots=True, eq=False)
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
        number = taken_over.cumsum() - 1
        return cls(
            key // failover.members.shape[1],
            host,
            arrays.hosts.cores[host],
            loads.reshape(3, -1).take(key, axis=1),
            number[failover.elsewhere[2]],
        )

    def staying(self, arrays: Arrays, crowds: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs that are on the hosts of these crowds anyway, and the crowd of each."""
        crews = arrays.crews
        host = self.host[crowds]
        repeats = crews.counts[host]
        firsts = repeats.cumsum() - repeats
        offsets = np.arange(int(repeats.sum())) + (crews.starts[host] - firsts).repeat(repeats)
        return crews.rows[offsets], crowds.repeat(repeats)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """VMs that may be the slowest of a mode: their rows, crowds, modes and responses [ms]."""

    rows: IntArray
    crowd: IntArray
    mode: IntArray
    value: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Looks for the slowest VM of each mode; `worst` (3, m) holds the slowest so far, with its ends
    once they are taken in."""

    crowds: _Crowds
    worst: FloatArray
    think_time_ms: float

    def slowest(self, vms: Standing, known: BoolArray, rows: IntArray, crowd: IntArray) -> _Found:
        """Those of the VMs `rows`, each in a crowd, that are the slowest of their mode so far.

        Args:
            known: VMs that have a response.
        """
        mode, most = self.crowds.mode.take(crowd), self.worst[0]
        value = self._responses(vms, rows, crowd, 0)
        value = np.where(known.take(rows), value, -np.inf)
        before = most.copy()
        np.maximum.at(most, mode, value)
        slower = most > before
        self.worst[1:, slower] = -np.inf
        found = ((value == most.take(mode)) & slower.take(mode)).nonzero()[0]
        return _Found(*(column.take(found) for column in (rows, crowd, mode, value)))

    def take_ends(self, vms: Standing, found: _Found) -> None:
        """Take in the ends of those that still are the slowest."""
        still = (found.value == self.worst[0].take(found.mode)).nonzero()[0]
        if len(still):
            rows, crowd, mode = (
                column.take(still) for column in (found.rows, found.crowd, found.mode)
            )
            ends = self._responses(vms, rows, crowd, slice(1, 3))
            for worst, end in zip(self.worst[1:], ends, strict=True):
                np.maximum.at(worst, mode, end)

    def _responses(
        self, vms: Standing, rows: IntArray, crowd: IntArray, end: int | slice
    ) -> FloatArray:
        """Responses of the VMs `rows` in their crowds [ms]: the value (0), or the ends."""
        cores, busy = self.crowds.cores.take(crowd), self.crowds.busy[end].take(crowd, axis=-1)
        return vms.taken(rows, end).among(cores, busy, self.think_time_ms)

    def passing(self, slowest: FloatArray, most_cpu: FloatArray) -> BoolArray:
        """Which crowds could hold a staying VM slower than the slowest so far.

        The bound puts the slowest response before sharing the host and the most CPU of an action,
        of all VMs on the host, into one, with no waiting of its own.

        Args:
            slowest, most_cpu: of each host's VMs, −∞ for none, shape (h,).
        """
        crowds = self.crowds
        at = slowest.take(crowds.host)
        somebody = at > -np.inf
        bound = response.among_others(
            np.where(somebody, at, 0.0),
            np.maximum(most_cpu, 0.0).take(crowds.host),
            crowds.cores,
            busy=crowds.busy[0],
            own=0.0,
            before_ms=0.0,
            think_time_ms=self.think_time_ms,
        )
        return np.asarray(somebody & (bound > self.worst[0].take(crowds.mode)))
