"""The fewest drives that carry a load, of each kind of storage: all numbers of them at once.

What VMs ask of their disks doesn't depend on these, so that it is worked out once; limits and space
of every number of drives are columns side by side, by the sums that `evaluate` itself does
(`models.physics.pools`). How long answers take is judged with the whole design.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.base.record import record
from models.base.texts import Text, say
from models.catalog.catalog import Catalog
from models.evidence.knowledge import Knowledge
from models.judgement.against_limits import NEAR, judged
from models.options.option import Disks
from models.options.purchasable import Storage
from models.physics.host_columns import PoolArrays
from models.physics.pools import pool_room
from models.physics.scenario_to_arrays import pools_of
from models.physics.storage import pool_used_gib
from models.predict.demands import demands_of
from models.scenario.scenario import Loss, Policy, Pool, Scenario
from models.scenario.wording import number

MOST_DRIVES, FEWEST_DRIVES = 1024, 4


@dataclass(frozen=True, slots=True)
class Asked:
    """What VMs ask of their disks: I/Os per second as value, low and high end, (3,), and GiB."""

    iops: FloatArray
    gib: float
    policy: Policy
    controllers: int


def asked_of(end: Scenario, knowledge: Knowledge) -> Asked:
    """What the VMs of a design ask of all of its pools together, as far as it is known."""
    vm = demands_of(end, knowledge)
    arrays, policy = vm.inputs.arrays, end.policy
    used = pool_used_gib(arrays.vms, arrays.pools, policy.mail_growth_pct)
    asked = np.nan_to_num(vm.on_pools.ends).sum(axis=1)
    return Asked(asked, float(used.sum()), policy, end.assumptions.array_controllers)


@record
class Ladders:
    """Storages with every number of drives that is looked at of each, and pools of all of them side
    by side, shape (p,); those of a storage begin at its one of `starts`."""

    storages: Sequence[Storage]
    numbers: Sequence[np.ndarray]
    pools: PoolArrays
    starts: IntArray

    @classmethod
    def of(cls, storages: Sequence[Storage], catalog: Catalog, drives: int | None) -> Ladders:
        """`drives`: a settled number of a pool; None: all that may be."""
        numbers = [_numbers(storage, drives) for storage in storages]
        pools = _side_by_side(storages, numbers, catalog)
        return cls(storages, numbers, pools, np.cumsum([0, *map(len, numbers)]))


def fewest_drives(
    asked: Asked, ladders: Ladders, *, vms: int, most_pools: int = 1
) -> list[Disks | None]:
    """Of each storage the fewest pools that carry what is asked, with the fewest drives each.

    Args:
        vms: how many share the pools in turn.
    """
    storages, starts = ladders.storages, ladders.starts
    found: list[Disks | None] = [None] * len(storages)
    for count in range(1, max(min(most_pools, vms), 1) + 1):
        share = -(-vms // count) / max(vms, 1)
        loads = _loads(ladders.pools, asked, share)
        for row, storage in enumerate(storages):
            fitting = loads.carries[starts[row] : starts[row + 1]].nonzero()[0]
            if found[row] is None and len(fitting):
                most_left = float(loads.left[starts[row + 1] - 1])
                found[row] = Disks(storage, int(ladders.numbers[row][fitting[0]]), count, most_left)
        if None not in found:
            break
    return found


def obstacle(asked: Asked, disks: Disks, catalog: Catalog) -> Text:
    """Why so many drives of a storage don't carry what is asked."""
    pools = _side_by_side([disks.storage], [np.array([disks.each])], catalog)
    share = 1.0 / disks.pools
    loads = _loads(pools, asked, share)
    drives = number(disks.each)
    if loads.full[0] > NEAR * asked.policy.capacity_limit_pct:
        return say("{drives} drives are too small for the data", drives=drives)
    if np.isnan(loads.busy[0, 0]):
        return say("nothing is known of the I/Os that its drives take")
    if np.isnan(pools.ceiling_iops[0]) and _loses_controllers(asked):
        return say(
            "no figure is known of what its controllers carry: nor is it what the loss of one of "
            "them does, which the policy asks to survive"
        )
    by_drives = pools.ceiling_iops * np.inf
    alone = _loads(replace(pools, ceiling_iops=by_drives), asked, share)
    if alone.carries[0]:
        return say("its controllers don’t take so many I/Os, or not with one of them lost")
    return say("{drives} drives are too slow for so many I/Os", drives=drives)


def most_drives(storage: Storage) -> int:
    """What the array takes."""
    return min(storage.array.max_drives or MOST_DRIVES, MOST_DRIVES)


def fewest_of(storage: Storage) -> int:
    """What the RAID level takes, and no pool of fewer than a handful."""
    return rounded_up(max(storage.raid.fewest_drives or 2, FEWEST_DRIVES), storage)


def rounded_up(drives: int, storage: Storage) -> int:
    """Even numbers where drives are mirrored."""
    return drives + drives % 2 if storage.raid.mirrored else drives


def _numbers(storage: Storage, drives: int | None) -> np.ndarray:
    """Numbers of drives that are looked at."""
    if drives is not None:
        return np.array([drives])
    return np.arange(
        fewest_of(storage), most_drives(storage) + 1, 2 if storage.raid.mirrored else 1
    )


def _side_by_side(
    storages: Sequence[Storage], ladders: Sequence[np.ndarray], catalog: Catalog
) -> PoolArrays:
    """A pool for each number of drives of each storage."""
    one_each = Scenario(
        name="pools",
        hosts=(),
        vms=(),
        pools=tuple(
            Pool(
                id=f"p{row}",
                name=f"p{row}",
                array=storage.array.id,
                disk=storage.disk.id,
                spindles=FEWEST_DRIVES,
                raid=storage.raid.id,
            )
            for row, storage in enumerate(storages)
        ),
    )
    pools = pools_of(one_each, catalog)
    rows = np.repeat(np.arange(len(storages)), [len(each) for each in ladders])
    columns = {
        field.name: getattr(pools, field.name)[rows]
        for field in fields(pools)
        if isinstance(getattr(pools, field.name), np.ndarray)
    }
    columns["spindles"] = np.concatenate(ladders).astype(np.float64)
    ids = tuple([pools.ids[row] for row in rows.tolist()])
    return replace(pools, ids=ids, **columns)


@record
class _Loads:
    """Pools under a share of what is asked, their load over its limit, shape (p,).

    Attributes:
        carries: nothing is at its limit or near it.
        full: space used [%]; `busy`: utilisation at peak [%], value, low and high end (3, p).
        left: what is left of space and I/Os [%].
    """

    carries: BoolArray
    full: FloatArray
    busy: FloatArray
    left: FloatArray


def _loads(pools: PoolArrays, asked: Asked, share: float) -> _Loads:
    """Also with a controller lost, if that is to be survived: nothing without data carries then."""
    policy = asked.policy
    room = pool_room(pools)
    with np.errstate(divide="ignore", invalid="ignore"):
        full = 100.0 * share * asked.gib / room.usable_gib
    limit = policy.capacity_limit_pct
    carries = (judged(full, full, limit) == 0) & ~np.isnan(full) & (room.usable_gib > 0)
    busy = _busy(room.limits, asked, share)
    carries &= _idle(busy, policy)
    if _loses_controllers(asked):
        carries &= ~np.isnan(pools.ceiling_iops)
        ceiling = pools.ceiling_iops * (asked.controllers - 1) / asked.controllers
        lost = pool_room(replace(pools, ceiling_iops=ceiling))
        carries &= _idle(_busy(lost.limits, asked, share), policy)
    left = np.fmin(100.0 * (1.0 - full / limit), 100.0 * (1.0 - busy[0] / policy.disk_limit_pct))
    return _Loads(np.asarray(carries), np.asarray(full), busy, np.asarray(left))


def _loses_controllers(asked: Asked) -> bool:
    """Whether an array is to do with one controller fewer."""
    return Loss.CONTROLLER in asked.policy.survive and asked.controllers > 1


def _busy(limits: FloatArray, asked: Asked, share: float) -> FloatArray:
    """Utilisation at peak [%] as value, low and high end, (3, p)."""
    return np.asarray(100.0 * share * asked.iops[:, None] / limits) * asked.policy.peak_factor_iops


def _idle(busy: FloatArray, policy: Policy) -> BoolArray:
    value, _, high = busy
    end = judged_end(value, high, policy.posture.share)
    fit = judged(value, end, policy.disk_limit_pct) == 0
    return np.asarray(fit & ~np.isnan(value))
