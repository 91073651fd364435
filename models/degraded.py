"""Response times with a host gone: those who take its VMs over get slower.

Every pair of a failed host and a survivor that takes VMs over is a crowd. To look at every VM of
every crowd would cost more than all the rest, so a crowd is looked at only where an upper bound of
its responses passes the worst response of its mode that is known already.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from models.availability import Failover
from models.cpu import NEIGHBOUR_WAIT, neighbour_ratio, waiting_ratio
from models.family_a import response_at_load
from models.loads import Inputs
from models.quantities import FloatArray, IntArray
from models.responses import Responses, Sharing
from models.uncertainty import response_end


def degraded_worst(
    inputs: Inputs, responses: Responses, sharing: Sharing, failover: Failover
) -> FloatArray:
    """Worst response of each failure mode with its interval, shape (3, m), NaN for no data.

    Hosts that take VMs over get slower for all on them; all other VMs respond as before. Pools are
    as loaded as before: what restarts brings its I/O along.
    """
    search = _Search(inputs, responses, sharing, failover)
    landed = ~failover.stranded()
    if landed.any():
        vm, mode = failover.moved_vm[landed], failover.moved_mode[landed]
        crowd = mode * failover.members.shape[1] + failover.moved_to[landed]
        search.look(vm, crowd)
        search.look(*search.staying(search.open_crowds(crowd)))
    worst = search.worst
    worst[np.isneginf(worst)] = np.nan
    return worst


@dataclass(frozen=True, eq=False)
class _Search:
    """Looks for the slowest VM of each mode; `worst` (3, m) holds the slowest so far.

    A crowd is a cell of the failover's tables, by its number row after row.
    """

    inputs: Inputs
    responses: Responses
    sharing: Sharing
    failover: Failover

    @cached_property
    def host(self) -> IntArray:
        """Host of each crowd."""
        return self.failover.members.ravel()

    @cached_property
    def cores(self) -> FloatArray:
        """Cores of each crowd's host."""
        return self.inputs.arrays.hosts.cores.take(self.host)

    @cached_property
    def busy(self) -> FloatArray:
        """Load of each crowd's host [core-seconds per second]."""
        return self.failover.cores_busy.ravel()

    @cached_property
    def load(self) -> FloatArray:
        """The same over its cores [1]."""
        return self.busy / self.cores

    @cached_property
    def waits(self) -> FloatArray:
        """`waiting_ratio` of each crowd."""
        return waiting_ratio(self.cores, self.busy)

    @cached_property
    def least_load(self) -> FloatArray:
        """Load of a VM's busiest resource other than its host."""
        return np.fmax(self.responses.alone.load, self.sharing.pool_load)

    @cached_property
    def _extremes(self) -> FloatArray:
        """Per host, the last one nowhere: greatest response, its ends, idle response, least load,
        disk stretch, and least own waiting (negative), of VMs whose response is known (7, h + 1).
        """
        sharing, alone = self.sharing, self.responses.alone
        of_its_own = NEIGHBOUR_WAIT * sharing.own_cores / sharing.host_cores + sharing.alone_wait
        estimate = self.responses.estimate
        columns = np.array(
            [
                *estimate.ends,
                alone.base_ms,
                self.least_load,
                sharing.disk_stretch,
                -of_its_own,
            ]
        )
        columns[:, ~estimate.known] = -np.inf
        found = np.full((len(columns), len(self.inputs.arrays.hosts) + 1), -np.inf)
        found[:, :-1] = self.inputs.arrays.crews.greatest(columns)
        return found

    @cached_property
    def worst(self) -> FloatArray:
        """Worst response of each mode; to begin with among the VMs that weren't on its host."""
        survivors = np.where(self.failover.alive, self.failover.members, -1)
        found = self._extremes[:3].take(survivors, axis=1)
        worst: FloatArray = found.max(axis=2, initial=-np.inf)
        return worst

    def look(self, vm: IntArray, crowd: IntArray) -> None:
        """Take in the responses of VMs, each in a crowd; crowds in order."""
        if not len(vm):
            return
        mode = crowd // self.failover.members.shape[1]
        base, load = self._at_work(vm, crowd)
        think = self.inputs.calibration.law.think_time_ms
        value = response_at_load(base, load, think_time_ms=think)
        value[~self.responses.estimate.known[vm]] = -np.inf
        first = np.empty(len(mode), dtype=np.bool_)
        first[0] = True
        np.not_equal(mode[1:], mode[:-1], out=first[1:])
        starts = first.nonzero()[0]
        of_mode = mode[starts]
        slowest = np.maximum.reduceat(value, starts)
        slower = slowest > self.worst[0, of_mode]
        found = of_mode[slower]
        self.worst[0, found] = slowest[slower]
        self.worst[1:, found] = -np.inf
        limit = np.full(self.worst.shape[1], np.inf)
        limit[found] = slowest[slower]
        rows = (value == limit[mode]).nonzero()[0]
        if not len(rows):
            return
        vm = vm[rows]
        high = response_end(
            base[rows],
            load[rows],
            half_width=self.responses.half_width[vm],
            side=1.0,
            think_time_ms=think,
        )
        np.maximum.at(self.worst[1], mode[rows], self.responses.estimate.low[vm])
        np.maximum.at(self.worst[2], mode[rows], high)

    def open_crowds(self, landed: IntArray) -> IntArray:
        """Which of the crowds that take VMs over could hold one slower than the slowest so far.

        The bound puts the largest idle response, the largest load, the largest disk stretch and
        the least waiting of its own, of all VMs on the host, into one.
        """
        taken_over = np.zeros(len(self.host), dtype=np.bool_)
        taken_over[landed] = True
        base, load, disk, own = self._extremes[3:].take(self.host, axis=1)
        taken_over &= base > -np.inf
        at = taken_over.nonzero()[0]
        waiting = 1 + NEIGHBOUR_WAIT * self.load[at] + self.waits[at] + own[at]
        stretch = np.maximum(np.maximum(waiting, disk[at]), 1.0)
        bound = response_at_load(
            base[at] * stretch,
            np.maximum(load[at], self.load[at]),
            think_time_ms=self.inputs.calibration.law.think_time_ms,
        )
        mode = at // self.failover.members.shape[1]
        found: IntArray = at[bound > self.worst[0][mode]]
        return found

    def staying(self, crowds: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs that are on the hosts of these crowds anyway, and the crowd of each."""
        crews = self.inputs.arrays.crews
        host = self.host[crowds]
        repeats = crews.counts[host]
        firsts = repeats.cumsum() - repeats
        offsets = np.arange(int(repeats.sum())) + (crews.starts[host] - firsts).repeat(repeats)
        return crews.rows[offsets], crowds.repeat(repeats)

    def _at_work(self, vm: IntArray, crowd: IntArray) -> tuple[FloatArray, FloatArray]:
        """Stretched idle response and load of the busiest resource of VMs in crowds."""
        sharing, cores, busy = self.sharing, self.cores[crowd], self.busy[crowd]
        ready = neighbour_ratio(
            cores, busy, sharing.own_cores[vm], self.waits[crowd], sharing.alone_wait[vm]
        )
        stretch = np.maximum(1 + ready, sharing.disk_stretch[vm])
        load = np.maximum(self.least_load[vm], self.load[crowd])
        return self.responses.alone.base_ms[vm] * stretch, load
