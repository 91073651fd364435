"""Response times with a host gone: those who take its VMs over get slower.

Every pair of a failed host and a survivor that takes VMs over is a crowd. To look at every VM of
every crowd would cost more than all the rest, so a crowd is looked at only where an upper bound of
its responses passes the worst response of its mode that is known already.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models import response
from models.availability import Failover
from models.elsewhere import Elsewhere
from models.estimates import Estimate
from models.loads import Inputs
from models.quantities import BoolArray, FloatArray, IntArray
from models.response import Alone, Cores, Disks, Parts
from models.responses import (
    Responses,
    Sharing,
    alone_of,
    family_parts,
    groups,
    own_ends,
    widened,
)


@dataclass(frozen=True, slots=True, eq=False)
class Crowded:
    """VMs that restarted, as they stand in their new place, shape (3, k) or (k,).

    Attributes:
        cores: what they ask of the host there, with ends.
        with_disks: responses before they share the host, with ends [ms].
        parts: disk and CPU time of an action [ms].
        width: half width of the law there, ln.
    """

    cores: FloatArray
    with_disks: FloatArray
    parts: Parts
    width: FloatArray
    known: BoolArray


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
    worst = _worst_elsewhere(inputs, responses.estimate, failover)
    landed = np.flatnonzero(~failover.stranded())
    if len(landed):
        crowds = _crowds(inputs, failover, loads)
        search = _Search(inputs, responses, sharing, crowds, worst)
        keys = failover.moved_mode * failover.members.shape[1] + failover.moved_to
        search.take_in(
            _restarted(responses, sharing, failover, places, landed),
            np.searchsorted(crowds.key, keys[landed]),
            inputs,
            failover.moved_vm[landed],
        )
        search.look_at_staying(*search.staying(np.flatnonzero(search.open_crowds())))
    worst[np.isneginf(worst)] = np.nan
    return worst


def _restarted(
    responses: Responses,
    sharing: Sharing,
    failover: Failover,
    places: Elsewhere,
    landed: IntArray,
) -> Crowded:
    """The VMs `landed` of `failover` on the machines that take them over."""
    vm, think = failover.moved_vm[landed], _think(places)
    host = failover.members[failover.moved_mode[landed], failover.moved_to[landed]]
    kind = places.of_host[host]
    base, load, path, width, disk, cpu = np.full((6, len(landed)), np.nan)
    for code in np.unique(kind).tolist():
        rows = np.flatnonzero(kind == code)
        alone, half_width, parts = _laws_at(places, code, responses, sharing)
        for column, values in (
            (base, alone.base_ms),
            (load, alone.load),
            (path, alone.path),
            (width, half_width),
            (disk, parts.disk_ms),
            (cpu, parts.cpu_ms),
        ):
            column[rows] = values[vm[rows]]
    alone = Alone(base, load, path, cpu, disk)
    beside = _path_beside(path, host, failover.moved_mode[landed], vm, responses, places)
    own = own_ends(alone, width, np.fmax(load, path + beside), think)
    at, disks = Parts(disk, cpu), sharing.disks
    disks = Disks(disks.load[:, vm], disks.reference[:, vm])
    with_disks = widened(own, response.with_disks(own, at, disks, think_time_ms=think), width)
    return Crowded(places.cores[:, kind, vm], with_disks, at, width, ~np.isnan(with_disks[0]))


def _laws_at(
    places: Elsewhere, code: int, responses: Responses, sharing: Sharing
) -> tuple[Alone, FloatArray, Parts]:
    """All VMs alone on a kind of host, with half width and parts."""
    if code == 0:
        return responses.alone, responses.half_width, responses.parts
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
    """Pairs of a failure mode and a host that takes VMs over in it, ordered by `key`.

    `busy` is with its ends, shape (3, number of crowds).
    """

    key: IntArray
    mode: IntArray
    host: IntArray
    cores: FloatArray
    busy: FloatArray


def _crowds(inputs: Inputs, failover: Failover, loads: FloatArray) -> _Crowds:
    width = failover.members.shape[1]
    landed = ~failover.stranded()
    taken_over = np.zeros(len(failover.failed) * width, dtype=np.bool_)
    taken_over[failover.moved_mode[landed] * width + failover.moved_to[landed]] = True
    key = np.flatnonzero(taken_over)
    mode, column = np.divmod(key, width)
    host = failover.members[mode, column]
    return _Crowds(key, mode, host, inputs.arrays.hosts.cores[host], loads[:, mode, column])


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Looks for the slowest VM of each mode; `worst` (3, m) holds the slowest so far."""

    inputs: Inputs
    responses: Responses
    sharing: Sharing
    crowds: _Crowds
    worst: FloatArray

    def take_in(self, vms: Crowded, crowd: IntArray, inputs: Inputs, vm: IntArray) -> None:
        """Take in the responses of VMs, each in a crowd; `vm`: which of the scenario's they are."""
        think = inputs.calibration.law.think_time_ms
        cores = Cores(
            self.crowds.cores[crowd],
            self.sharing.cores.reference_cores[vm],
            self.crowds.busy[:, crowd],
            np.fmax(vms.cores, 0.0),
        )
        at = response.with_cores(vms.with_disks, vms.parts, cores, think_time_ms=think)
        at = widened(vms.with_disks, at, vms.width)[:, vms.known]
        mode = self.crowds.mode[crowd][vms.known]
        before = self.worst[0].copy()
        np.maximum.at(self.worst[0], mode, at[0])
        slower = self.worst[0] > before
        self.worst[1:, slower] = -np.inf
        rows = np.flatnonzero((at[0] == self.worst[0][mode]) & slower[mode])
        for end in (1, 2):
            np.maximum.at(self.worst[end], mode[rows], at[end, rows])

    def look_at_staying(self, vm: IntArray, crowd: IntArray) -> None:
        """Take in the VMs that stand on hosts of crowds anyway."""
        responses, sharing = self.responses, self.sharing
        parts = responses.parts
        there = Crowded(
            sharing.cores.own[:, vm],
            responses.with_disks[:, vm],
            Parts(parts.disk_ms[vm], parts.cpu_ms[vm]),
            responses.half_width[vm],
            responses.estimate.known[vm],
        )
        self.take_in(there, crowd, self.inputs, vm)

    def open_crowds(self) -> BoolArray:
        """Which crowds could hold a staying VM slower than the slowest so far.

        The bound puts the slowest response before sharing the host and the most CPU of an action,
        of all VMs on the host, into one, with no waiting of its own.
        """
        responses, crowds = self.responses, self.crowds
        columns = np.array([responses.with_disks[0], responses.parts.cpu_ms])
        columns[:, ~responses.estimate.known] = -np.inf
        slowest, most = self.inputs.arrays.crews.greatest(columns)
        most = np.maximum(most, 0.0)
        somebody = np.isfinite(slowest[crowds.host])
        at = np.where(somebody, slowest[crowds.host], 0.0)
        nothing = np.zeros(len(at))
        bound = response.with_cores(
            at,
            Parts(nothing, most[crowds.host]),
            Cores(crowds.cores, crowds.cores, crowds.busy[0], nothing),
            think_time_ms=self.inputs.calibration.law.think_time_ms,
        )
        return np.asarray(somebody & (bound > self.worst[0][crowds.mode]))

    def staying(self, crowds: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs that are on the hosts of these crowds anyway, and the crowd of each."""
        crews = self.inputs.arrays.crews
        host = self.crowds.host[crowds]
        repeats = crews.counts[host]
        firsts = repeats.cumsum() - repeats
        offsets = np.arange(int(repeats.sum())) + (crews.starts[host] - firsts).repeat(repeats)
        return crews.rows[offsets], crowds.repeat(repeats)


def _worst_elsewhere(inputs: Inputs, normal: Estimate, failover: Failover) -> FloatArray:
    """Worst response in each mode's cluster among the VMs that weren't on the failed host."""
    columns = np.where(normal.known, normal.ends, -np.inf)
    per_host = np.full((3, len(inputs.arrays.hosts) + 1), -np.inf)
    per_host[:, :-1] = inputs.arrays.crews.greatest(columns)
    worst: FloatArray = per_host[:, np.where(failover.alive, failover.members, -1)].max(
        axis=2, initial=-np.inf
    )
    return worst
