"""Several hosts of a cluster gone at once, where its admission control tolerates as many.

All sets of as many hosts are looked at where those are no more than `MOST_SETS`: all pairs of 20
hosts. Of a larger cluster only the sets among those hosts that are the largest or the most loaded,
in turn by memory and by CPU: losing those leaves least, or moves most; and for each set of hosts
that a must-rule names those sets that take it whole, or as much of it as is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb

import numpy as np

from models.base.quantities import BoolArray, IntArray
from models.base.record import record
from models.failure.failover import HostLoads
from models.physics.arrays import Arrays

MOST_SETS = 200
"""Sets of hosts of one cluster that are worked out."""


@record
class HostSets:
    """Sets of hosts gone at once, each as large as its cluster tolerates, shape (m,).

    Attributes:
        cluster: of each set.
        gone: which of its hosts are gone, as columns of `HostArrays.members`, (m, w).
        tried, of: sets of each cluster that are there, of how many; 0 for a cluster that tolerates
            one host at most, (c,).
    """

    cluster: IntArray
    gone: BoolArray
    tried: IntArray
    of: IntArray


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
    tried, of = np.zeros((2, len(arrays.tolerated)), dtype=np.int64)
    parts: list[BoolArray] = []
    for cluster in clusters.tolist():
        size, count = int(sizes[cluster]), int(at_once[cluster])
        order = (-figures[:, members[cluster, :size]]).argsort(axis=1, kind="stable")
        rank = order.argsort(axis=1, kind="stable").min(axis=0).argsort(kind="stable")
        most = most_tried(size, count)
        sets = list(combinations(np.sort(rank[:most]).tolist(), count))
        if most < size:
            named = _named_together(arrays, members[cluster, :size])
            sets = list(dict.fromkeys([*sets, *_with_named(named, rank.tolist(), count)]))
        tried[cluster], of[cluster] = len(sets), comb(size, count)
        gone = np.zeros((len(sets), members.shape[1]), dtype=np.bool_)
        np.put_along_axis(gone, np.array(sets), True, axis=1)
        parts.append(gone)
    counts = [len(part) for part in parts]
    return HostSets(clusters.repeat(counts), np.concatenate(parts), tried, of)


def _named_together(arrays: Arrays, hosts: IntArray) -> list[tuple[int, ...]]:
    """The hosts, as columns of these of a cluster, that must-rules leave to VMs: each set once."""
    rules = arrays.rules
    if rules is None:
        return []
    bound = rules.bound.nonzero()[0]
    allowed = np.unique(rules.allowed(bound[:, None], hosts), axis=0)
    sets = [tuple(row.nonzero()[0].tolist()) for row in allowed]
    return [each for each in sets if 0 < len(each) < len(hosts)]


def _with_named(
    named: list[tuple[int, ...]], rank: list[int], count: int
) -> Iterator[tuple[int, ...]]:
    """Sets of `count` hosts that take a named set whole and the first others by `rank`; of a larger
    one those of its first, no more than `MOST_SETS` for all."""
    for each in named:
        first = sorted(each, key=rank.index)
        if len(each) <= count:
            others = [host for host in rank if host not in each]
            yield tuple(sorted([*each, *others[: count - len(each)]]))
        else:
            size = most_tried(len(each), count, MOST_SETS // len(named))
            yield from (tuple(sorted(some)) for some in combinations(first[:size], count))


def sets_at_most(arrays: Arrays) -> int:
    """How many sets there are, no less."""
    if arrays.tolerated is None:
        return 0
    sizes = arrays.hosts.cluster_sizes
    at_once = np.minimum(arrays.tolerated[: len(sizes)], sizes)
    pairs = zip(sizes.tolist(), at_once.tolist(), strict=True)
    return sum(
        comb(size, count) if most_tried(size, count) == size else 2 * MOST_SETS
        for size, count in pairs
        if count > 1
    )


def most_tried(size: int, count: int, sets: int = MOST_SETS) -> int:
    """Hosts of a cluster whose sets of `count` hosts are all worked out.

    >>> most_tried(20, 2), most_tried(32, 2), most_tried(32, 4)
    (20, 20, 9)
    """
    most = size
    while comb(most, count) > max(sets, 1):
        most -= 1
    return most
