"""Numbers of modes in which hosts are gone, from the losses of their clusters.

Every distinct set of hosts gone is worked out once for all modes. A mode takes hosts of one or
several clusters; what happens in a cluster depends on its own losses only. So a *loss* is a cluster
and the hosts that it loses, and a mode is one or more losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray, judged_end
from models.failure.availability import restart_entries
from models.failure.failover import Failover, HostLoads
from models.failure.mode import Mode
from models.judgement.against_limits import judged
from models.judgement.failure_table import FailureTable, takes_something
from models.physics.arrays import Arrays
from models.physics.columns import NOBODY
from models.resilience.columns import NOT_JUDGED, Columns, greatest_by
from models.resilience.no_host_lost import worst_ready_pct
from models.stages import Undisturbed, failure_inputs


@dataclass(frozen=True, slots=True, eq=False)
class Losses:
    """Distinct losses, shape (r,), and which modes consist of which.

    Attributes:
        cluster: that loses hosts; `down`: which ones, shape (r, h).
        evacuated: host in maintenance among them, −1 for none.
        mode, loss: pairs of a mode and a loss of it, shape (k,).
        alone: hosts outside clusters that are gone, by mode.
    """

    cluster: IntArray
    down: BoolArray
    evacuated: IntArray
    mode: IntArray
    loss: IntArray
    alone: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.cluster)


def losses_of(arrays: Arrays, modes: Sequence[Mode]) -> Losses:
    """The losses behind the modes; modes without hosts have none."""
    row = {id: position for position, id in enumerate(arrays.hosts.ids)}
    moved = [None if mode.maintenance is None else row[mode.maintenance] for mode in modes]
    return losses_at(arrays, [[row[id] for id in mode.hosts] for mode in modes], moved)


def losses_at(
    arrays: Arrays, gone_in: Sequence[Sequence[int]], moved: Sequence[int | None]
) -> Losses:
    """The losses of hosts by their positions, a mode each; `moved`: the one in maintenance."""
    cluster_of = arrays.hosts.cluster.tolist()
    seen: dict[tuple[int, tuple[int, ...], int], int] = {}
    pairs: list[tuple[int, int]] = []
    alone: list[tuple[int, ...]] = []
    for number, (gone, evacuated) in enumerate(zip(gone_in, moved, strict=True)):
        alone.append(tuple(host for host in gone if cluster_of[host] < 0))
        away = NOBODY if evacuated is None else evacuated
        for cluster in dict.fromkeys(cluster_of[host] for host in gone if cluster_of[host] >= 0):
            hosts = tuple(sorted(host for host in gone if cluster_of[host] == cluster))
            key = (cluster, hosts, away if away in hosts else NOBODY)
            pairs.append((number, seen.setdefault(key, len(seen))))
    down = np.zeros((len(seen), len(cluster_of)), dtype=np.bool_)
    for (_, hosts, _), loss in seen.items():
        down[loss, list(hosts)] = True
    keys = np.array([(key[0], key[2]) for key in seen], dtype=np.int64).reshape(-1, 2)
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return Losses(keys[:, 0], down, keys[:, 1], table[:, 0], table[:, 1], tuple(alone))


@dataclass(frozen=True, slots=True, eq=False)
class Lost:
    """VMs that ran on hosts that are gone, one entry a loss and VM, shape (k,).

    Attributes:
        vm, loss: which.
        evacuated: moved away before; `stays_down`: not restarted by HA; `taken_over`: runs on in
            its Fault Tolerance secondary.
    """

    vm: IntArray
    loss: IntArray
    evacuated: BoolArray
    stays_down: BoolArray
    taken_over: BoolArray

    @property
    def to_restart(self) -> BoolArray:
        return np.asarray(self.evacuated | ~(self.stays_down | self.taken_over))


def lost_vms(arrays: Arrays, losses: Losses, secondary: IntArray) -> Lost:
    """What ran on the hosts of each loss.

    Args:
        secondary: host of each VM's Fault Tolerance secondary, −1 for none.
    """
    vms = arrays.vms
    loss, host = losses.down.nonzero()
    vm, place = arrays.vms_by_host.on(host)
    of = loss[place]
    evacuated = (vms.host[vm] == losses.evacuated[of]) & ~(vms.rooted | arrays.refused)[vm]
    there = secondary[vm]
    alive = (there >= 0) & ~losses.down[of, np.maximum(there, 0)]
    stays_down = arrays.stays_down[vm] & ~evacuated
    return Lost(vm, of, evacuated, stays_down & ~alive, alive & ~evacuated)


def restart_all(arrays: Arrays, loads: HostLoads, losses: Losses, lost: Lost) -> Failover:
    """Restart what each loss took, moved VMs first; a row a loss."""
    rows, taken = np.flatnonzero(lost.to_restart), np.flatnonzero(lost.taken_over)
    return restart_entries(
        arrays,
        loads,
        losses.down,
        losses.cluster,
        rows=lost.vm[rows],
        mode=lost.loss[rows],
        stage=np.where(lost.evacuated[rows], 0, 1),
        taken=(lost.loss[taken], lost.vm[taken]),
    )


NOTHING_LEFT = 1e-9
"""Share of a pool's load below which nothing is left of it but rounding."""


@dataclass(frozen=True, slots=True, eq=False)
class HostLosses:
    """Everything worked out about the losses; `columns` by mode."""

    losses: Losses
    lost: Lost
    failover: Failover
    table: FailureTable
    columns: Columns

    def of_mode(self, mode: int) -> tuple[int, ...]:
        """The losses of a mode."""
        losses = self.losses
        first, last = losses.mode.searchsorted([mode, mode + 1]).tolist()
        return tuple(losses.loss[first:last].tolist())


def lose_hosts(normal: Undisturbed, losses: Losses, modes: int) -> HostLosses:
    """Work out every loss once, then put the modes together from their losses."""
    arrays = normal.vm.inputs.arrays
    lost = lost_vms(arrays, losses, normal.host.secondary)
    failover = restart_all(arrays, normal.host.loads, losses, lost)
    inputs = failure_inputs(normal, failover)
    hit = (np.bincount(lost.loss, minlength=len(losses)) > 0) | takes_something(inputs)
    table = replace(FailureTable.of(inputs), judged=hit)
    ready = worst_ready_pct(normal, failover)
    io_lost = _io_lost(normal, losses, lost, failover)
    columns = _by_mode(normal, losses, table, ready, io_lost, modes)
    return HostLosses(losses, lost, failover, table, columns)


def _by_mode(
    normal: Undisturbed,
    losses: Losses,
    table: FailureTable,
    ready: FloatArray,
    io_lost: FloatArray,
    modes: int,
) -> Columns:
    """The worst of each mode's losses; disks carry no more than before, on drives that hosts take
    along."""
    mode, loss = losses.mode, losses.loss
    judged_loss = table.judged[loss]

    def worst(values: FloatArray) -> tuple[FloatArray, IntArray]:
        return greatest_by(mode, np.where(judged_loss, values[:, loss], np.nan), modes)

    ends = (table.cpu_pct, table.cpu_low, table.cpu_high, table.judged_high)
    cpu, cpu_at = worst(np.array(ends))
    ram, ram_at = worst(table.ram_pct[None])
    hosts = table.worst_survivors()
    codes = table.codes(table.judge())
    code = np.full(modes, NOT_JUDGED, dtype=np.int8)
    np.maximum.at(code, mode, np.where(judged_loss, codes[loss], NOT_JUDGED).astype(np.int8))
    gone = _by(mode, io_lost[loss], modes) + _io_alone(normal, losses, modes)
    share = 1 - gone / _or_one(normal.pool.iops.value)
    share[share < NOTHING_LEFT] = 0.0
    pools = busiest(normal, share, _stretch(normal, table, losses, modes), code != NOT_JUDGED)
    short_ghz = np.where(judged_loss, table.cpu_short_ghz[loss], 0.0)
    return Columns(
        cpu_pct=cpu,
        cpu_host=_at(hosts[0], loss, cpu_at),
        ram_pct=ram[0],
        ram_limit_pct=np.full(modes, normal.policy.memory_overcommit * 100.0),
        ram_host=_at(hosts[1], loss, ram_at),
        vm_cpu_pct=worst(table.own_pct)[0],
        response_ms=worst(table.shown_ms)[0],
        ready_pct=worst(ready)[0],
        iops=pools.iops,
        disk_pct=pools.disk_pct,
        pool=pools.pool,
        short_ram_gib=_by(mode, table.inputs.failover.short_gib[loss], modes),
        short_cpu_ghz=_by(mode, short_ghz, modes),
        short_iops=np.zeros(modes),
        unknown=_unknown(normal, _by(mode, np.where(judged_loss, table.unknown[loss], 0.0), modes)),
        codes=code,
    )


def _stretch(normal: Undisturbed, table: FailureTable, losses: Losses, modes: int) -> FloatArray:
    """How much busier pools are that lose drives with their hosts, by mode, (m, p)."""
    found = np.ones((modes, len(normal.pool.limit_iops)))
    if (drives := table.inputs.drives) is not None:
        before = normal.pool.utilisation_pct.value
        with np.errstate(divide="ignore", invalid="ignore"):
            more = np.fmax(drives.busy_pct[0] / before, 1.0)
        np.maximum.at(found, losses.mode, np.nan_to_num(more, nan=1.0)[losses.loss])
    return found


def _unknown(normal: Undisturbed, blind: FloatArray) -> FloatArray:
    """As `Columns` has it, (2, m): I/O that has no data stays so, whichever hosts are gone."""
    return np.array([blind, np.full(len(blind), normal.vm.without_io.sum())])


def _by(mode: IntArray, values: FloatArray, modes: int) -> FloatArray:
    """Sums of the rows of `values` by mode."""
    sums = np.zeros((modes, *values.shape[1:]))
    np.add.at(sums, mode, values)
    return sums


def _or_one(values: FloatArray) -> FloatArray:
    return np.where(values > 0, values, 1.0)


def _at(values: IntArray, loss: IntArray, at: IntArray) -> IntArray:
    """Values of the losses behind these pairs, −1 for none."""
    padded = np.append(values[loss], NOT_JUDGED) if len(loss) else np.array([NOT_JUDGED])
    return np.asarray(padded[np.where(at >= 0, at, -1)], dtype=np.int64)


def _io_lost(normal: Undisturbed, losses: Losses, lost: Lost, failover: Failover) -> FloatArray:
    """I/O that goes away with VMs that stay down, by loss and pool, shape (r, p)."""
    homeless = failover.stranded()
    vm = np.concatenate([lost.vm[lost.stays_down], failover.moved_vm[homeless]])
    loss = np.concatenate([lost.loss[lost.stays_down], failover.moved_mode[homeless]])
    return _io_by(normal, vm, loss, len(losses))


def _io_alone(normal: Undisturbed, losses: Losses, modes: int) -> FloatArray:
    """I/O of VMs on hosts outside clusters that are gone, by mode and pool, shape (m, p)."""
    pairs = [(mode, host) for mode, hosts in enumerate(losses.alone) for host in hosts]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    vm, place = normal.vm.inputs.arrays.vms_by_host.on(table[:, 1])
    return _io_by(normal, vm, table[place, 0], modes)


def _io_by(normal: Undisturbed, vm: IntArray, row: IntArray, rows: int) -> FloatArray:
    """I/O of these VMs by row and pool."""
    pool, pools = normal.vm.inputs.arrays.vms.pool[vm], len(normal.vm.inputs.arrays.pools)
    there = pool >= 0
    amount = np.nan_to_num(normal.vm.io.value[vm[there]])
    sums = np.bincount(row[there] * pools + pool[there], amount, rows * pools)
    return sums.astype(np.float64).reshape(rows, pools)


@dataclass(frozen=True, slots=True, eq=False)
class BusiestPool:
    """Of each mode: load and utilisation with ends (3, m), position, IOPS short, verdict code."""

    iops: FloatArray
    disk_pct: FloatArray
    pool: IntArray
    short_iops: FloatArray
    codes: IntArray


def busiest(
    normal: Undisturbed, share: FloatArray, stretch: FloatArray, judged_modes: BoolArray
) -> BusiestPool:
    """The busiest pool when pools carry these shares of their load, on drives that it makes busier
    by `stretch`, shape (m, p) each."""
    policy, stage = normal.policy, normal.pool
    modes, pools = share.shape
    if not pools:
        ends = np.full((3, modes), np.nan)
        nobody = np.full(modes, NOT_JUDGED)
        return BusiestPool(ends, ends.copy(), nobody, np.zeros(modes), np.zeros(modes, np.int64))
    iops = stage.iops.ends[:, None, :] * share
    disk = stage.utilisation_pct.ends[:, None, :] * share * stretch
    known = ~np.isnan(disk[0])
    at, rows = np.where(known, disk[0], -1.0).argmax(axis=1), np.arange(modes)
    found = known[rows, at] & judged_modes
    peak = disk * policy.peak_factor_iops
    high = judged_end(peak[0], peak[2], policy.posture.share)
    codes = judged(peak[0], high, policy.disk_limit_pct).max(axis=1)
    over = np.maximum(iops[0] * policy.peak_factor_iops - stage.policy_limit_iops, 0.0)
    return BusiestPool(
        np.where(found, iops[:, rows, at], np.nan),
        np.where(found, disk[:, rows, at], np.nan),
        np.where(found, at, NOT_JUDGED),
        np.where(known, over, 0.0).sum(axis=1),
        codes.astype(np.int64),
    )
