"""What each pool carries: I/O of all VMs on all hosts, utilisation, latency and space."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models import storage
from models.arrays import Arrays, PoolArrays
from models.estimates import RULE, Estimate, Sources, total
from models.quantities import BoolArray, FloatArray
from models.scenario import Policy


@dataclass(frozen=True, slots=True, eq=False)
class PoolStage:
    """Per pool, shape (p,).

    Attributes:
        limit_iops: host IOPS at which it is fully busy; `policy_limit_iops` at the policy's limit.
        limits: the same for the read share's value, best and worst case, shape (3, p); NaN for
            none.
        miss_ms: what an I/O asks of the drives [ms].
        used_gib: space used at the planning horizon.
    """

    iops: Estimate
    limit_iops: FloatArray
    limits: FloatArray
    miss_ms: FloatArray
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
    limits = limits_iops(pools)
    limit = storage.limit_iops(pools, reads)
    busy = _utilisation(load, limits)
    latency = Estimate(
        storage.latency_ms(pools, reads, busy.ends / 100),
        busy.basis.copy(),
        busy.evidence.copy(),
        np.full(len(pools), np.nan),
    )
    latency.drop(~busy.known)
    logs = only_logs(arrays)
    for estimate in (load, busy, latency):
        estimate.drop(logs)
    usable = storage.usable_gib(pools)
    used = storage.pool_used_gib(vms, pools, policy.mail_growth_pct)
    stated = np.zeros(len(pools), dtype=np.bool_)
    stated[vms.log_pool[~np.isnan(vms.log_disk_gib) & (vms.log_pool >= 0)]] = True
    space = np.where((usable > 0) & (~logs | stated), usable, np.nan)
    return PoolStage(
        load,
        limit,
        limits,
        storage.miss_ms(pools, reads),
        limit * policy.disk_limit_pct / 100,
        busy,
        latency,
        Estimate.exact(100.0 * used / space, RULE),
        usable,
        used,
    )


def only_logs(arrays: Arrays) -> BoolArray:
    """Pools that hold transaction logs and nothing else: their I/O is in no document, (p,)."""
    vms = arrays.vms
    logs, data = (np.zeros(len(arrays.pools), dtype=np.bool_) for _ in range(2))
    logs[vms.log_pool[vms.log_pool >= 0]] = True
    data[vms.pool[vms.pool >= 0]] = True
    return logs & ~data


def limits_iops(pools: PoolArrays) -> FloatArray:
    """Limits [IO/s], (3, p): where the read share is the default, its range widens the interval."""
    assumed = np.isnan(pools.read_share)
    fewest, most = storage.READ_SHARE_RANGE
    worst = storage.limit_iops(pools, np.where(assumed, fewest, pools.read_share))
    best = storage.limit_iops(pools, np.where(assumed, most, pools.read_share))
    ceilings = np.array([storage.limit_iops(pools, storage.read_share(pools)), best, worst])
    ceilings[:, ~(ceilings[0] > 0)] = np.nan
    return ceilings


def _utilisation(load: Estimate, ceilings: FloatArray) -> Estimate:
    """Load over limit [%]."""
    busy = Estimate(
        100.0 * load.ends / ceilings,
        load.basis.copy(),
        load.evidence.copy(),
        np.full(len(load), np.nan),
    )
    busy.weaken(load.known, RULE)
    busy.drop(np.isnan(busy.value) | ~load.known)
    return busy
