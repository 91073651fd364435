"""Several hosts of a cluster gone at once, where its admission control tolerates as many.

All sets of as many hosts are looked at where those are no more than `MOST_SETS`: all pairs of 20
hosts. Of a larger cluster only the sets among those hosts that are the largest or the most loaded,
in turn by memory and by CPU: losing those leaves least, or moves most.
"""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from models.failure.failover import HostLoads
from models.physics.arrays import Arrays
from models.quantities import BoolArray, IntArray
from models.record import record

MOST_SETS = 200
"""Sets of hosts of one cluster that are worked out."""


@record
class HostSets:
    """Sets of hosts gone at once, each as large as its cluster tolerates, shape (m,).

    Attributes:
        cluster: of each set.
        gone: which of its hosts are gone, as columns of `HostArrays.members`, (m, w).
        tried: hosts of each cluster among which all sets are there, 0 for a cluster that tolerates
            one host at most, (c,).
    """

    cluster: IntArray
    gone: BoolArray
    tried: IntArray


def host_sets(arrays: Arrays, loads: HostLoads) -> HostSets | None:
    """The sets of all clusters that tolerate more than one host failure; None for none.

    A cluster that is said to tolerate more hosts than it has loses all of them.
    """
    if arrays.tolerated is None:
        return None
    hosts = arrays.hosts
    members, sizes = hosts.members, hosts.cluster_sizes
    at_once = np.minimum(arrays.tolerated[: len(sizes)], sizes)
    clusters = (at_once > 1).nonzero()[0]
    if not len(clusters):
        return None
    figures = np.array([*loads.limits, loads.ram_gib, loads.cores_busy])
    tried = np.zeros(len(arrays.tolerated), dtype=np.int64)
    parts: list[BoolArray] = []
    for cluster in clusters.tolist():
        size, count = int(sizes[cluster]), int(at_once[cluster])
        tried[cluster] = most = most_tried(size, count)
        columns = np.arange(size)
        if most < size:
            order = (-figures[:, members[cluster, :size]]).argsort(axis=1, kind="stable")
            rank = order.argsort(axis=1, kind="stable").min(axis=0)
            columns = np.sort(rank.argsort(kind="stable")[:most])
        sets = np.array(list(combinations(columns.tolist(), count)))
        gone = np.zeros((len(sets), members.shape[1]), dtype=np.bool_)
        np.put_along_axis(gone, sets, True, axis=1)
        parts.append(gone)
    return HostSets(clusters.repeat([len(part) for part in parts]), np.concatenate(parts), tried)


def sets_at_most(arrays: Arrays) -> int:
    """How many sets there are."""
    if arrays.tolerated is None:
        return 0
    sizes = arrays.hosts.cluster_sizes
    at_once = np.minimum(arrays.tolerated[: len(sizes)], sizes)
    pairs = zip(sizes.tolist(), at_once.tolist(), strict=True)
    return sum(comb(most_tried(size, count), count) for size, count in pairs if count > 1)


def most_tried(size: int, count: int) -> int:
    """Hosts of a cluster whose sets of `count` hosts are all worked out.

    >>> most_tried(20, 2), most_tried(32, 2), most_tried(32, 4)
    (20, 20, 9)
    """
    most = size
    while comb(most, count) > MOST_SETS:
        most -= 1
    return most
