"""Copies of a scenario side by side in one set of arrays: many variants worked out at once.

Disjoint copies don't touch each other, so formulas that know hosts, pools and clusters by position
need not know that there are several.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from models.physics.arrays import Arrays
from models.quantities import IntArray


def side_by_side(base: Arrays, count: int, **changes: Any) -> Arrays:
    """`count` copies of the arrays, each with hosts, pools and clusters of its own.

    Args:
        changes: columns of the VMs of all copies, one after the other, that differ.
    """
    vms, hosts, pools, clusters = (
        len(items) for items in (base.vms, base.hosts, base.pools, base.clusters)
    )

    def rows(items: int) -> IntArray:
        return np.tile(np.arange(items), count)

    def shifted(position: IntArray, items: int) -> IntArray:
        copies = np.arange(count)[:, None] * items + position
        return np.where(position < 0, position, copies).ravel()

    own: dict[str, Any] = {}
    if base.vms.replicas is not None:
        own = {"replicas": base.vms.replicas, "received": None, "pushing": None}
    copied = base.vms.taken(
        rows(vms),
        host=shifted(base.vms.host, hosts),
        pool=shifted(base.vms.pool, pools),
        log_pool=shifted(base.vms.log_pool, pools),
        ranks=np.tile(base.vms.id_rank, count),
        **own | changes,
    )
    return Arrays(
        copied,
        base.hosts.taken(rows(hosts), cluster=shifted(base.hosts.cluster, clusters)),
        base.pools.taken(rows(pools)),
        base.clusters * count,
        None if base.rules is None else base.rules.copies(count),
        None if base.tolerated is None else np.tile(base.tolerated, count),
    )
