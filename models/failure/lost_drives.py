"""Drives that are lost with the hosts that they stand in: what is left of the pools.

Of vSAN and its like. Data is taken to be spread evenly over hosts with as many drives each, and
what is lost to be read and written on those that are left; copying it anew (resync) loads them on
top and isn't predicted. Pools are as loaded as before, as in every failure of a host, which errs
high. Source: docs/model.md, “Drives in the hosts”.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.record import record
from models.failure.failover import Failover
from models.physics.arrays import Arrays
from models.physics.columns import some


@record
class LostDrives:
    """What m failure modes take of p pools, shape (m, p).

    Attributes:
        hosts: of each pool that are gone.
        busy_pct: utilisation of what is left [%], value, low and high end, (3, m, p); NaN where
            nothing is taken, or nothing known.
        out_of_reach: pools under VMs that lose more hosts than they tolerate.
    """

    hosts: IntArray
    busy_pct: FloatArray
    out_of_reach: BoolArray

    @property
    def some_taken(self) -> BoolArray:
        """Modes that take any drives that VMs use, (m,)."""
        return np.asarray((self.hosts > 0).any(axis=1))


def hosts_gone(failover: Failover, hosts: int) -> BoolArray:
    """Which hosts are gone in each mode, (m, h)."""
    mode, column = ((failover.members >= 0) & ~failover.alive).nonzero()
    down = np.zeros((len(failover.members), hosts), dtype=np.bool_)
    down[mode, failover.members[mode, column]] = True
    return down


def hosts_of_pools(arrays: Arrays, down: BoolArray) -> IntArray:
    """How many hosts each pool with drives in them loses, (m, p); none that no VM stands on.

    Args:
        down: hosts that are gone in each mode, (m, h).
    """
    lost = np.zeros((len(down), len(arrays.pools)), dtype=np.int64)
    if arrays.drives_in is not None:
        pool, host = arrays.drives_in
        np.add.at(lost.T, pool, down[:, host].T)
        there = arrays.vms.pool[arrays.vms.on_pool]
        lost *= np.bincount(there, minlength=len(arrays.pools)) > 0
    return lost


def lost_drives(
    arrays: Arrays, failover: Failover, utilisation_pct: FloatArray
) -> LostDrives | None:
    """What the modes take; None where no drives stand in hosts.

    Utilisation rises as drives and controllers shrink: U·n/(n − k), k of n hosts gone.

    Args:
        utilisation_pct: in normal operation, value, low and high end, (3, p).
    """
    if arrays.drives_in is None:
        return None
    pools, lost = arrays.pools, hosts_of_pools(arrays, hosts_gone(failover, len(arrays.hosts)))
    left = pools.host_count - lost
    with np.errstate(divide="ignore", invalid="ignore"):
        stretch = np.where((lost > 0) & (left > 0), pools.host_count / left, np.nan)
    return LostDrives(
        hosts=lost,
        busy_pct=utilisation_pct[:, None, :] * stretch,
        out_of_reach=np.asarray((lost > 0) & (lost > pools.tolerates)),
    )


def most_lost(lost: LostDrives | None) -> list[int]:
    """The numbers of hosts that modes take of a pool, each once."""
    if lost is None or not some(lost.hosts > 0):
        return []
    return sorted({*lost.hosts.max(axis=1).tolist()} - {0})
