"""VMs by the host that they run on."""

from __future__ import annotations

import numpy as np

from models.physics.columns import filled, rows_by
from models.quantities import FloatArray, IntArray
from models.record import record


@record
class VmsByHost:
    """Rows of the VMs that run, ordered by host; those of host h are rows[starts[h]:][:counts[h]].

    `manned`: hosts with at least one.
    """

    rows: IntArray
    starts: IntArray
    counts: IntArray
    manned: IntArray

    @classmethod
    def of(cls, place: IntArray, hosts: int) -> VmsByHost:
        counts = np.bincount(place + 1, minlength=hosts + 1)
        order = rows_by(place, hosts)
        ends = counts.cumsum()
        nowhere = int(counts[0])
        counts = counts[1:]
        return cls(order[nowhere:], ends[:-1] - nowhere, counts, counts.nonzero()[0])

    def on(self, hosts: IntArray) -> tuple[IntArray, IntArray]:
        """The VMs of these hosts, which may repeat, and for each the place of its host in them."""
        repeats = self.counts[hosts]
        firsts = repeats.cumsum() - repeats
        offsets = np.arange(int(repeats.sum())) + (self.starts[hosts] - firsts).repeat(repeats)
        return self.rows[offsets], np.arange(len(hosts)).repeat(repeats)

    def greatest(self, columns: FloatArray) -> FloatArray:
        """Greatest of each host's VMs: columns (k, n), NaN for no data, become (k, h); −∞ where
        there are no data."""
        found = filled((len(columns), len(self.counts)), -np.inf)
        if len(self.manned):
            ordered = columns.take(self.rows, axis=1)
            starts = self.starts[self.manned]
            found[:, self.manned] = np.fmax.reduceat(ordered, starts, axis=1)
        return np.asarray(np.fmax(found, -np.inf, out=found))
