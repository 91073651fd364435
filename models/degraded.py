"""Response times with a host gone: those who take its VMs over get slower.

Every pair of a failed host and a survivor that takes VMs over is a crowd. To look at every VM of
every crowd would cost more than all the rest, so a crowd is looked at only where an upper bound of
its responses passes the worst response of its mode that is known already.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.availability import Failover
from models.cpu import NEIGHBOUR_WAIT, neighbour_ratio, waiting_ratio
from models.estimates import Estimate
from models.family_a import response_at_load
from models.loads import Inputs
from models.quantities import FloatArray, IntArray
from models.responses import Responses, Sharing
from models.uncertainty import response_interval


def degraded_worst(
    inputs: Inputs, responses: Responses, sharing: Sharing, failover: Failover
) -> FloatArray:
    """Worst response of each failure mode with its interval, shape (3, m), NaN for no data.

    Hosts that take VMs over get slower for all on them; all other VMs respond as before. Pools are
    as loaded as before: what restarts brings its I/O along.
    """
    worst = _worst_elsewhere(inputs, responses.estimate, failover)
    landed = ~failover.stranded()
    if landed.any():
        least = np.fmax(responses.alone.load, sharing.pool_load)
        search = _Search(inputs, responses, sharing, least, _crowds(inputs, failover), worst)
        keys = failover.moved_mode * failover.members.shape[1] + failover.moved_to
        crowd = np.searchsorted(search.crowds.key, keys[landed])
        search.look(failover.moved_vm[landed], crowd)
        search.look(*search.staying(np.flatnonzero(search.open_crowds())))
    worst[np.isneginf(worst)] = np.nan
    return worst


@dataclass(frozen=True, slots=True, eq=False)
class _Crowds:
    """Pairs of a failure mode and a host that takes VMs over in it, ordered by `key`."""

    key: IntArray
    mode: IntArray
    host: IntArray
    cores: FloatArray
    busy: FloatArray
    waits: FloatArray


def _crowds(inputs: Inputs, failover: Failover) -> _Crowds:
    width = failover.members.shape[1]
    landed = ~failover.stranded()
    taken_over = np.zeros(len(failover.failed) * width, dtype=np.bool_)
    taken_over[failover.moved_mode[landed] * width + failover.moved_to[landed]] = True
    key = np.flatnonzero(taken_over)
    mode, column = np.divmod(key, width)
    host = failover.members[mode, column]
    cores, busy = inputs.arrays.hosts.cores[host], failover.cores_busy[mode, column]
    return _Crowds(key, mode, host, cores, busy, waiting_ratio(cores, busy))


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """Looks for the slowest VM of each mode; `worst` (3, m) holds the slowest so far.

    `least_load`: load of a VM's busiest resource other than its host.
    """

    inputs: Inputs
    responses: Responses
    sharing: Sharing
    least_load: FloatArray
    crowds: _Crowds
    worst: FloatArray

    def look(self, vm: IntArray, crowd: IntArray) -> None:
        """Take in the responses of VMs, each in a crowd."""
        known = self.responses.estimate.known[vm]
        vm, crowd = vm[known], crowd[known]
        base, load = self._at_work(vm, crowd)
        think = self.inputs.calibration.law.think_time_ms
        value = response_at_load(base, load, think_time_ms=think)
        mode = self.crowds.mode[crowd]
        before = self.worst[0].copy()
        np.maximum.at(self.worst[0], mode, value)
        slower = self.worst[0] > before
        self.worst[1:, slower] = -np.inf
        rows = np.flatnonzero((value == self.worst[0][mode]) & slower[mode])
        width = self.responses.half_width[vm[rows]]
        _, high = response_interval(base[rows], load[rows], width, think_time_ms=think)
        np.maximum.at(self.worst[1], mode[rows], self.responses.estimate.low[vm[rows]])
        np.maximum.at(self.worst[2], mode[rows], high)

    def open_crowds(self) -> FloatArray:
        """Which crowds could hold a VM slower than the slowest so far.

        The bound puts the largest idle response, the largest load, the largest disk stretch and
        the least waiting of its own, of all VMs on the host, into one.
        """
        sharing, crowds = self.sharing, self.crowds
        vms, hosts = self.inputs.arrays.vms, self.inputs.arrays.hosts
        there = np.flatnonzero(self.responses.estimate.known & vms.running)
        host = vms.host[there]
        base, load, disk = (np.full(len(hosts), -np.inf) for _ in range(3))
        np.maximum.at(base, host, self.responses.alone.base_ms[there])
        np.maximum.at(load, host, self.least_load[there])
        np.maximum.at(disk, host, sharing.disk_stretch[there])
        own = np.full(len(hosts), np.inf)
        of_its_own = NEIGHBOUR_WAIT * sharing.own_cores / sharing.host_cores + sharing.alone_wait
        np.minimum.at(own, host, of_its_own[there])
        at = crowds.host
        crowded = 1 + NEIGHBOUR_WAIT * crowds.busy / crowds.cores + crowds.waits - own[at]
        somebody = np.isfinite(base[at])
        stretch = np.where(somebody, np.maximum(np.maximum(crowded, disk[at]), 1.0), 1.0)
        bound = response_at_load(
            np.where(somebody, base[at], 0.0) * stretch,
            np.where(somebody, np.maximum(load[at], crowds.busy / crowds.cores), 0.0),
            think_time_ms=self.inputs.calibration.law.think_time_ms,
        )
        return np.asarray(somebody & (bound > self.worst[0][crowds.mode]))

    def staying(self, crowds: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs that are on the hosts of these crowds anyway, and the crowd of each."""
        vms, hosts = self.inputs.arrays.vms, self.inputs.arrays.hosts
        rows = np.flatnonzero(vms.running)
        rows = rows[np.argsort(vms.host[rows], kind="stable")]
        counts = np.bincount(vms.host[rows], minlength=len(hosts))
        starts, host = np.cumsum(counts) - counts, self.crowds.host[crowds]
        repeats = counts[host]
        firsts = np.cumsum(repeats) - repeats
        offsets = np.arange(int(repeats.sum())) + np.repeat(starts[host] - firsts, repeats)
        return rows[offsets], np.repeat(crowds, repeats)

    def _at_work(self, vm: IntArray, crowd: IntArray) -> tuple[FloatArray, FloatArray]:
        """Stretched idle response and load of the busiest resource of VMs in crowds."""
        sharing, cores, busy = self.sharing, self.crowds.cores[crowd], self.crowds.busy[crowd]
        ready = neighbour_ratio(
            cores, busy, sharing.own_cores[vm], self.crowds.waits[crowd], sharing.alone_wait[vm]
        )
        stretch = np.maximum(1 + ready, sharing.disk_stretch[vm])
        load = np.maximum(self.least_load[vm], busy / cores)
        return self.responses.alone.base_ms[vm] * stretch, load


def _worst_elsewhere(inputs: Inputs, normal: Estimate, failover: Failover) -> FloatArray:
    """Worst response in each mode's cluster among the VMs that weren't on the failed host."""
    hosts, vms = inputs.arrays.hosts, inputs.arrays.vms
    per_host = np.full((3, len(hosts) + 1), -np.inf)
    there = normal.known & vms.running
    position = vms.host[there]
    for row, column in enumerate((normal.value, normal.low, normal.high)):
        np.maximum.at(per_host[row], position, column[there])
    members = np.where(failover.alive, failover.members, len(hosts))
    worst: FloatArray = per_host[:, members].max(axis=2, initial=-np.inf)
    return worst
