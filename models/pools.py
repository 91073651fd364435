"""What each pool carries: I/O of all VMs on all hosts, utilisation, latency and space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models import storage
from models.arrays import Arrays
from models.estimates import RULE, Estimate, Sources, total
from models.quantities import FloatArray
from models.scenario import Policy


@dataclass(frozen=True, slots=True, eq=False)
class PoolStage:
    """Per pool, shape (p,).

    Attributes:
        limit_iops: host IOPS at which it is fully busy; `policy_limit_iops` at the policy's limit.
        used_gib: space used at the planning horizon.
    """

    iops: Estimate
    limit_iops: FloatArray
    policy_limit_iops: FloatArray
    utilisation_pct: Estimate
    latency_ms: Estimate
    capacity_pct: Estimate
    usable_gib: FloatArray
    used_gib: FloatArray


def pool_stage(arrays: Arrays, policy: Policy, io: Estimate, sources: Sources) -> PoolStage:
    """The pools under the I/O of the VMs that run."""
    vms, pools = arrays.vms, arrays.pools
    load = total(io, np.where(vms.running, vms.pool, -1), len(pools), sources)
    reads = storage.read_share(pools)
    limit = storage.limit_iops(pools, reads)
    busy = _utilisation(arrays, load, limit)
    latency = Estimate(
        storage.latency_ms(pools, reads, busy.ends / 100),
        busy.basis.copy(),
        busy.evidence.copy(),
        np.full(len(pools), np.nan),
    )
    latency.drop(~busy.known)
    usable = storage.usable_gib(pools)
    used = storage.pool_used_gib(vms, pools, policy.mail_growth_pct)
    space = np.where(usable > 0, usable, np.nan)
    return PoolStage(
        load,
        limit,
        limit * policy.disk_limit_pct / 100,
        busy,
        latency,
        Estimate.exact(100.0 * used / space, RULE),
        usable,
        used,
    )


def _utilisation(arrays: Arrays, load: Estimate, limit: FloatArray) -> Estimate:
    """Load over limit [%]; where the read share is the default, its range widens the interval."""
    pools = arrays.pools
    assumed = np.isnan(pools.read_share)
    fewest, most = storage.READ_SHARE_RANGE
    worst = storage.limit_iops(pools, np.where(assumed, fewest, pools.read_share))
    best = storage.limit_iops(pools, np.where(assumed, most, pools.read_share))
    ceilings = np.array([limit, best, worst])
    ceilings[:, ~(limit > 0)] = np.nan
    busy = Estimate(
        100.0 * load.ends / ceilings,
        load.basis.copy(),
        load.evidence.copy(),
        np.full(len(limit), np.nan),
    )
    busy.weaken(load.known, RULE)
    busy.drop(np.isnan(busy.value) | ~load.known)
    return busy
