"""What each pool carries: I/O of all VMs on all hosts, utilisation, latency and space."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.record import record
from models.base.rounding import steady
from models.physics import storage
from models.physics.arrays import Arrays, VmArrays
from models.physics.columns import blank
from models.physics.estimates import RULE, Estimate, scaled
from models.physics.host_columns import PoolArrays
from models.scenario.scenario import Policy


@record
class PoolStage:
    """Per pool, shape (p,).

    Attributes:
        limit_iops: host IOPS at which it is fully busy; `policy_limit_iops` at the policy's limit.
        limits: the same for the read share's value, best and worst case, shape (3, p); NaN for
            none.
        miss_ms: what an I/O asks of the drives [ms].
        used_gib: space used at the planning horizon.
        only_logs: holds transaction logs and nothing else: their I/O is in no document.
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
    only_logs: BoolArray


def pool_stage(arrays: Arrays, policy: Policy, load: Estimate) -> PoolStage:
    """The pools under the I/O of the VMs that run, `load` [IO/s] in sum, (p,)."""
    vms, pools = arrays.vms, arrays.pools
    room = pool_room(pools)
    busy = _utilisation(load, room.limits)
    unmeasured = blank(len(pools))
    queued = storage.latency_ms(pools, room.reads, busy.ends / 100) * _LATENCY_FACTORS
    latency = Estimate(queued, busy.basis.copy(), busy.evidence.copy(), unmeasured)
    used = storage.pool_used_gib(vms, pools, policy.mail_growth_pct)
    space = np.where((room.usable_gib > 0) & ~_unstated(vms, used), room.usable_gib, np.nan)
    logs = np.zeros(len(pools), dtype=np.bool_)
    if vms.some_logs_apart:
        logs = only_logs(arrays)
        space[logs & ~_logs_stated(arrays)] = np.nan
        load = scaled(load, np.where(logs, np.nan, 1.0))
        for estimate in (busy, latency):
            estimate.drop(logs)
    return PoolStage(
        load,
        room.limit,
        room.limits,
        room.miss_ms,
        room.limit * policy.disk_limit_pct / 100,
        busy,
        latency,
        Estimate.exact(storage.capacity_pct(used, space), RULE),
        room.usable_gib,
        used,
        logs,
    )


_LATENCY_FACTORS = steady(np.exp(storage.LATENCY_HALF_WIDTH * np.array([[0.0], [-1.0], [1.0]])))
"""Of value, low and high end, (3, 1)."""


@record
class PoolRoom:
    """What pools have, whatever stands on them, shape (p,).

    Attributes:
        reads: share of reads; `miss_ms`: what an I/O asks of the drives.
        limit, limits: as in `PoolStage`; `usable_gib`: space.
    """

    reads: FloatArray
    miss_ms: FloatArray
    limit: FloatArray
    limits: FloatArray
    usable_gib: FloatArray


@lru_cache(maxsize=16)
def pool_room(pools: PoolArrays) -> PoolRoom:
    """What pools have; where the read share is the default, its range widens the limits."""
    fewest, most = storage.READ_SHARE_RANGE
    shares = np.array([[storage.DEFAULT_READ_SHARE], [most], [fewest]])
    reads = storage.read_share(pools, shares)
    limits = storage.limit_iops(pools, reads)
    limit = limits[0].copy()
    limits[:, ~(limit > 0)] = np.nan
    miss_ms, usable_gib = storage.miss_ms(pools, reads[0]), storage.usable_gib(pools)
    columns = reads[0], miss_ms, limit, limits, usable_gib
    for column in columns:
        column.flags.writeable = False
    return PoolRoom(*columns)


def only_logs(arrays: Arrays) -> BoolArray:
    """Pools that hold transaction logs and nothing else: their I/O is in no document, (p,)."""
    vms = arrays.vms
    logs, data = (np.zeros(len(arrays.pools), dtype=np.bool_) for _ in range(2))
    logs[vms.log_pool[vms.log_pool >= 0]] = True
    data[vms.pool[vms.pool >= 0]] = True
    return logs & ~data


def _unstated(vms: VmArrays, used_gib: FloatArray) -> BoolArray:
    """Pools with VMs on them and no size stated of anything that they hold, (p,)."""
    holding = np.bincount(vms.pool[vms.pool >= 0], minlength=len(used_gib)) > 0
    return np.asarray(holding & (used_gib <= 0))


def _logs_stated(arrays: Arrays) -> BoolArray:
    """Pools with transaction logs of a stated size, (p,)."""
    vms = arrays.vms
    stated = np.zeros(len(arrays.pools), dtype=np.bool_)
    stated[vms.log_pool[~np.isnan(vms.log_disk_gib) & (vms.log_pool >= 0)]] = True
    return stated


def _utilisation(load: Estimate, ceilings: FloatArray) -> Estimate:
    """Load over limit [%]."""
    basis = np.maximum(load.basis, RULE)
    ends = storage.utilisation_pct(load.ends, ceilings)
    busy = Estimate(ends, basis, load.evidence.copy(), blank(len(load)))
    busy.drop(np.isnan(busy.value))
    return busy
