"""What users ask of stations: read off the stage that a prediction was made from.

No formula of the model stands here. What an action takes of CPU and drives is `Parts`, what VMs,
hosts and pools carry are their estimates; by the utilisation law what a station does beyond its
actions (writes that a cache acknowledged, CPU that no response waits for) is the difference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from models.base.quantities import BoolArray, FloatArray, IntArray
from models.base.rounding import steady
from models.physics.columns import sum_by
from models.stages import Undisturbed

FULL = 0.98
"""Load of a station by VMs without a response from which on no network stands beside it."""

ROUNDING_S = 1e-9
"""Shortest time that an action takes anywhere [s]."""


@dataclass(frozen=True, slots=True, eq=False)
class Demands:
    """Servers with a response, shape (m,), and the hosts (h,) and pools (p,) that they use.

    Attributes:
        rows: which VMs they are; `users` in whole numbers, at least one.
        think_s: time between an action and the next [s].
        cpu_s, drive_s: what an action waits for at CPU and drives [s]; `misses` how often at
            drives.
        rest_s: what is left of an idle response [s]: no station has it.
        cpu_more_s, drive_more_s: what an action costs there besides, without waiting for it [s].
        vcpus, host, pool: of the VM, as positions; −1 for no pool.
        cores: of hosts; `contended`: fewer than the virtual CPUs of the VMs there.
        drives: of pools, spares left out; 0 where there is no figure of what they carry.
        others_cores, others_drives: keep busy what has no response [cores, drives].
        left_out: VMs with a response that stand where `others` alone fill a station.
    """

    rows: IntArray
    users: FloatArray
    think_s: float
    cpu_s: FloatArray
    drive_s: FloatArray
    misses: FloatArray
    rest_s: FloatArray
    cpu_more_s: FloatArray
    drive_more_s: FloatArray
    vcpus: FloatArray
    host: IntArray
    pool: IntArray
    cores: FloatArray
    contended: BoolArray
    drives: FloatArray
    others_cores: FloatArray
    others_drives: FloatArray
    left_out: IntArray


def demands_at_stations(normal: Undisturbed) -> Demands:
    """The demands of every VM that runs, has users and a response."""
    arrays, estimate = normal.vm.inputs.arrays, normal.responses.estimate
    answering = estimate.known & (normal.vm.inputs.users > 0) & (normal.vm.cores.value >= 0)
    staying = answering.copy()
    while True:
        others = _others(normal, staying)
        full = (
            others[0] >= FULL * arrays.hosts.cores,
            others[1] >= FULL * np.fmax(_drives(normal), 1),
        )
        there = _looked(full[0], arrays.vms.host) | _looked(full[1], arrays.vms.pool)
        if not (staying & there).any():
            return _of(normal, staying, others, np.flatnonzero(answering & ~staying))
        staying &= ~there


def _looked(values: BoolArray, position: IntArray) -> BoolArray:
    return np.append(values, False)[position]


def _drives(normal: Undisturbed) -> FloatArray:
    drives, limit = normal.vm.inputs.arrays.pools.drives, normal.pool.limit_iops
    return np.where(limit > 0, drives, 0.0)


def _drives_busy(normal: Undisturbed, iops: FloatArray, pool: IntArray) -> FloatArray:
    """Drives kept busy by host I/Os, (n,): as many of all as I/Os are of the pool's limit."""
    each = np.append(_drives(normal) / normal.pool.limit_iops, 0.0)
    return np.asarray(np.nan_to_num(iops * each[pool]))


def _others(normal: Undisturbed, staying: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Cores and drives that the rest keeps busy: VMs without a response, secondaries."""
    arrays = normal.vm.inputs.arrays
    vms = arrays.vms
    cores = sum_by(np.where(staying, vms.host, -1), normal.vm.asked, len(arrays.hosts))
    iops = np.fmax(normal.vm.io.value, 0.0)
    pool = np.where(staying, vms.pool, -1)
    drives = sum_by(pool, _drives_busy(normal, iops, vms.pool), len(arrays.pools))
    everything = _drives_busy(normal, normal.pool.iops.value, np.arange(len(arrays.pools)))
    busy = np.nan_to_num(normal.host.cores_busy.value)
    return np.maximum(busy - cores, 0.0), np.maximum(everything - drives, 0.0)


def _of(
    normal: Undisturbed,
    staying: BoolArray,
    others: tuple[FloatArray, FloatArray],
    left_out: IntArray,
) -> Demands:
    rows = np.flatnonzero(staying)
    inputs, alone, parts = normal.vm.inputs, normal.responses.alone, normal.responses.parts
    vms, hosts, pools = inputs.arrays.vms, inputs.arrays.hosts, inputs.arrays.pools
    think_s = inputs.calibration.law.think_time_ms / 1000.0
    users, pool = inputs.users[rows], vms.pool[rows]
    base, cpu, disk = (
        steady(np.nan_to_num(ms[rows])) / 1000.0
        for ms in (alone.base_ms, parts.cpu_ms, parts.disk_ms)
    )
    busy = _drives_busy(normal, np.fmax(normal.vm.io.value[rows], 0.0), pool) * think_s / users
    # A drive that works on several I/Os at once is busy for less than one of them takes.
    at_drives = np.minimum(disk, busy)
    each_ms = np.where(np.isnan(pools.array_latency_ms), pools.service_ms, pools.array_latency_ms)
    each = np.append(each_ms, np.nan)[pool] / 1000.0
    used = np.where(each > 0, disk / each, 0.0)
    return Demands(
        rows=rows,
        users=np.maximum(np.round(users), 1.0),
        think_s=think_s,
        cpu_s=cpu,
        drive_s=at_drives,
        misses=np.where(at_drives > 0, np.where(used > 0, used, 1.0), 0.0),
        rest_s=_left(base - cpu - at_drives),
        cpu_more_s=_left(normal.vm.cores.value[rows] * think_s / users - cpu),
        drive_more_s=_left(busy - at_drives),
        vcpus=vms.vcpus[rows],
        host=vms.host[rows],
        pool=pool,
        cores=hosts.cores,
        contended=normal.host.vcpus > hosts.cores,
        drives=_drives(normal),
        others_cores=others[0],
        others_drives=others[1],
        left_out=left_out,
    )


def _left(seconds: FloatArray) -> FloatArray:
    """What is left after a difference; nothing for what rounding leaves."""
    return np.where(seconds > ROUNDING_S, seconds, 0.0)


def like_servers(asks: Demands, most: int) -> tuple[IntArray, float]:
    """Groups of servers that ask for the same, (m,) of numbers from 0 on, and how nearly.

    Up to `most` servers stand each for itself. Of more those are one group that have as many
    vCPUs, stand on hosts and pools as full as each other, the pools with as many drives, and whose
    users and demands are the same; as long as these are more than `most`, such as differ by 1 %,
    2 %, 4 % and so on are one. Infinite: they differ in vCPUs or drives as well.
    """
    count = len(asks.rows)
    if count <= most:
        return np.arange(count), 0.0
    host, pool = shares(asks)
    alike = np.array(
        [asks.vcpus, np.append(asks.drives, 0.0)[asks.pool], asks.contended[asks.host]]
    )
    columns = np.array([asks.users, asks.cpu_s, asks.drive_s, asks.rest_s])
    columns = np.concatenate([columns, [host[asks.host], np.append(pool, 0.0)[asks.pool]]])
    columns = np.log(np.maximum(columns, 1e-9))
    group = np.zeros(count, dtype=np.int64)
    for width in (0.0, *(0.01 * 2.0**step for step in range(12))):
        rough = np.round(columns / np.log1p(width)) if width else np.round(columns, 9)
        _, group = np.unique(np.concatenate([alike, rough]), axis=1, return_inverse=True)
        if group.max() < most:
            return group.reshape(count), width
    return np.minimum(group.reshape(count), most - 1), math.inf


def shares(asks: Demands) -> tuple[FloatArray, FloatArray]:
    """How busy hosts and pools are asked to be by all [1], (h,) and (p,)."""
    rate = asks.users / asks.think_s
    cores = sum_by(asks.host, rate * (asks.cpu_s + asks.cpu_more_s), len(asks.cores))
    drives = sum_by(asks.pool, rate * (asks.drive_s + asks.drive_more_s), len(asks.drives))
    return (cores + asks.others_cores) / asks.cores, (drives + asks.others_drives) / np.fmax(
        asks.drives, 1.0
    )
