"""Disk pools: what spindles and controllers carry, how busy they are, latency, and space.

The read share of Domino's I/O is not in the documents. The default, 0.70, is the middle of the
66 to 75 % published for Exchange 2003 databases, and that range widens every figure that depends
on it; those are a design rule's at best, not a measurement's.

Source of the sums: back-end I/O by RAID penalty, a drive as a server of its I/Os, in
docs/by-hand.md, where each can be followed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from models.base.quantities import FloatArray
from models.base.texts import Text, say
from models.formulas.traced import GIB, PER_CENT, Figure, at_most, labelled, plus, times, where
from models.physics.arrays import VmArrays
from models.physics.columns import some, sum_by
from models.physics.host_columns import PoolArrays
from models.physics.traveler import database_gib

DEFAULT_READ_SHARE = Figure(
    0.70,
    say("share of reads"),
    why=say("assumed: the middle of 66 to 75 % published for Exchange 2003 databases"),
)
READ_SHARE_RANGE = (0.66, 0.75)

CACHE_LATENCY_MS = Figure(
    0.5,
    say("latency of the cache"),
    "ms",
    why=say("a few hundred microseconds; no document gives it"),
)
"""Service time of a read hit or of a write that a mirrored cache acknowledges [ms]: an
assumption of the size of a few hundred microseconds; no document gives it."""

LATENCY_HALF_WIDTH = 0.6
"""Half width of the logarithm of a latency, stated: 1.645 · 0.37. The vSphere 4 paper's three
averages on one array, 4.62, 4 and 2 ms, are off by 0.31 to 0.40 (root mean square of the
logarithm), whatever the number of drives, which the paper doesn't say."""

REFERENCE_LIMIT_IOPS = Figure(
    35 * 180 / (0.70 * (1 - 0.3) + 0.30 * 4),
    say("the same of the measured pool"),
    "IOPS",
    why=say("35 drives of 15,000 rpm in RAID 5 behind a cache that takes 30 % of reads"),
)
"""Host IOPS that the pool of the WV21 runs could carry by `limit_iops`: 35 drives of 15,000 rpm
in RAID 5 ("35+ spindles used for Lotus Domino Data") behind a cache that takes 30 % of reads."""

TANGENT_FROM = Figure(
    0.95,
    say("where queues go on in a straight line"),
    why=say("users who wait don’t ask for more"),
)
"""Utilisation from which queues grow in a straight line."""

_TANGENT = Figure(
    1 / (1 - TANGENT_FROM) ** 2,
    say("slope there"),
    why=say("derivative of U/(1 − U) at 0.95"),
)
MB_IN_GB = Figure(1000.0, say("MB in a GB"))


def read_share(pools: PoolArrays, default: npt.ArrayLike = DEFAULT_READ_SHARE) -> FloatArray:
    """Share of reads in host I/O: the pool's own, else the default, which broadcasts."""
    return where(np.isnan(pools.read_share), default, pools.read_share)


def misses(pools: PoolArrays, reads: FloatArray) -> FloatArray:
    """Share of host I/Os that are reads from the drives [1]: R·(1 − h).

    Valid for reads in no order. Source: docs/by-hand.md.

    Args:
        reads: share of reads R; the pool has h, the share of them that its cache serves.

    >>> from types import SimpleNamespace
    >>> misses(SimpleNamespace(read_cache_hit=0.3), np.array([0.7])).round(2).tolist()
    [0.49]
    """
    missed = labelled("reads that miss", 1 - pools.read_cache_hit)
    return labelled("I/Os that are reads from drives", reads * missed)


def backend_factor(pools: PoolArrays, reads: FloatArray) -> FloatArray:
    """Disk I/Os per host I/O [1]: R·(1 − h) + W·p.

    Valid for small writes in no order, each of which reads and writes its parity; whole stripes
    and writes that a cache joins cost less.

    Args:
        pools: with the back-end I/Os per host write p (RAID 5: 4, RAID 10: 2, RAID 6: 6), and h of
            `misses`.
        reads: share of reads R; writes are the rest.

    >>> from types import SimpleNamespace
    >>> raid_5 = SimpleNamespace(write_penalty=4.0, read_cache_hit=0.0)
    >>> float(backend_factor(raid_5, np.array(0.5)))
    2.5
    """
    writes = labelled("writes", labelled("share of writes", 1 - reads) * pools.write_penalty)
    return labelled("disk I/Os per host I/O", misses(pools, reads) + writes)


def limit_iops(pools: PoolArrays, reads: FloatArray) -> FloatArray:
    """Host I/Os at which the drives, or the controllers, are fully busy [IO/s], shape (n,).

    N·IOPS_disk / (R·(1 − h) + W·p), not more than the array's ceiling; N leaves out hot spares.
    NaN for a pool without drives.
    The other form in circulation (raw·W/p + raw·R) gives higher figures and isn't used.
    Valid as `backend_factor` is, with all drives equally busy.

    The pool of the WV21 runs, 35·180/(0.7·0.7 + 0.3·4):

    >>> from types import SimpleNamespace
    >>> pools = SimpleNamespace(drives=np.array([35.0]), disk_iops=180.0, write_penalty=4.0)
    >>> pools.read_cache_hit, pools.ceiling_iops = 0.3, np.nan
    >>> limit_iops(pools, np.array([0.7])).round().tolist()
    [3728.0]
    """
    drives = labelled("I/O of the drives", pools.drives * pools.disk_iops, "IOPS")
    factor = backend_factor(pools, reads)
    disks = labelled("host I/O that keeps the drives busy", drives / factor, "IOPS")
    most = labelled("host I/O at full load", np.fmin(disks, pools.ceiling_iops), "IOPS")
    return where(pools.drives > 0, most, np.nan)


def utilisation_pct(load: FloatArray, limits: FloatArray) -> FloatArray:
    """Load over limit [%], 100·I/O over that at which the pool is fully busy.

    Valid as `limit_iops` is. Source: the utilisation law.

    >>> utilisation_pct(np.array([932.0]), np.array([3728.0])).tolist()
    [25.0]
    """
    return PER_CENT * labelled("load over limit", load / limits)


def capacity_pct(used_gib: FloatArray, usable_gib: FloatArray) -> FloatArray:
    """Space used over usable [%], 100·used/usable.

    Valid and from where `pool_used_gib` and `usable_gib` are.

    >>> capacity_pct(np.array([509.0]), np.array([1018.0])).tolist()
    [50.0]
    """
    return PER_CENT * labelled("used over usable", used_gib / usable_gib)


def usable_gib(pools: PoolArrays) -> FloatArray:
    """Space left after hot spares, parity or mirror [GiB]; NaN where the drive's size is unknown.

    Decimal drive sizes become GiB here and nowhere else. Valid before formatting, and without what
    snapshots and the array itself take.

    data drives·size

    35 drives of 36 GB in RAID 5, groups of seven: 30·36 GB of data.

    >>> from types import SimpleNamespace
    >>> pools = SimpleNamespace(data_drives=np.array([30.0, 17.0]), capacity_gb=36.0)
    >>> usable_gib(pools).round().tolist()  # as mirrors 17 pairs
    [1006.0, 570.0]
    """
    return pools.data_drives * pools.capacity_gb * GIB


def mail_gib(vms: VmArrays, growth_pct: FloatArray | float) -> FloatArray:
    """Space of a VM's mail files at the planning horizon [GiB].

    Owners × file size [MB, decimal] × (1 + growth) × (1 − DAOS) × (1 + views + full text); what
    isn't stated of these counts as none. WV21: 6,000 × 87.5 MB = 525 GB, which the source prints as
    512 GB (525,000 / 1024). Valid for files that share nothing but what DAOS holds. Sources: the
    sizes of WV21, "IBM Lotus Domino Benchmark goal"; of DAOS and indexes those that the fields of
    `Workload` name.

    >>> from types import SimpleNamespace
    >>> vms = SimpleNamespace(files_mb=np.array([6000.0 * 87.5]), space_of_files=np.array([1.0]))
    >>> mail_gib(vms, growth_pct=0.0).round().tolist()
    [489.0]
    """
    gigabytes = labelled("mail files in GB", vms.files_mb / MB_IN_GB)
    growth = labelled("1 and growth", 1 + labelled("growth", growth_pct / PER_CENT))
    return times(gigabytes * growth, vms.space_of_files) * GIB


SPACE: tuple[tuple[Text, Callable[[VmArrays, FloatArray | float], FloatArray]], ...] = (
    (say("mail files"), mail_gib),
    (say("system"), lambda vms, _: np.fmax(vms.system_disk_gib, 0.0)),
    (say("own data"), lambda vms, _: np.fmax(vms.own_disk_gib, 0.0)),
    (say("Traveler’s database"), lambda vms, _: database_gib(vms)),
)
"""What a VM takes on the pool of its data [GiB], by what it is called: it adds up."""


def pool_used_gib(vms: VmArrays, pools: PoolArrays, growth_pct: float) -> FloatArray:
    """Space used per pool [GiB]: mail + replicas + system + own data + databases of Traveler, and
    logs where they are kept.

    A member of a Domino cluster holds its share of its partners' mail files a second time. VMs that
    are powered off still occupy their disks. Space that nobody stated (system, logs) counts as
    none, which a finding says. Valid as `mail_gib` is.

    6,000 mail files (489 GiB) and a system disk on the first pool, logs on the second:

    >>> from types import SimpleNamespace
    >>> vms = SimpleNamespace(files_mb=np.array([6000.0 * 87.5]), space_of_files=np.array([1.0]))
    >>> vms.system_disk_gib, vms.own_disk_gib = np.array([20.0]), np.array([np.nan])
    >>> vms.log_disk_gib, vms.replicas, vms.syncing = np.array([10.0]), None, np.array([False])
    >>> vms.pool, vms.log_pool = np.array([0]), np.array([1])
    >>> pool_used_gib(vms, ("data", "logs"), growth_pct=0.0).round().tolist()
    [509.0, 10.0]
    """
    parts = [part(vms, growth_pct) for _, part in SPACE]
    if vms.replicas is not None:
        parts.append(vms.replicas.received(parts[0]))
    data = sum_by(vms.pool, np.add.reduce(parts), len(pools))
    logs = np.fmax(vms.log_disk_gib, 0.0)
    if not some(logs > 0):
        return data
    log_pool = np.where(vms.log_pool >= 0, vms.log_pool, vms.pool)
    return data + sum_by(log_pool, logs, len(pools))


def bounded_queue(utilisation: FloatArray) -> FloatArray:
    """Mean number waiting or served at a disk [I/Os], Q(U) = U/(1 − U), finite at any load.

    From U = 0.95 on it follows its tangent there, so that it stays increasing and convex: users
    who wait don't ask for more, and a finite population can't queue without end. Source: M/M/1 per
    drive (Kleinrock 1975, section 3.2); the tangent is stated. Valid at any load ≥ 0.

    >>> bounded_queue(np.array([0.5, 0.95, 1.0])).round(1).tolist()
    [1.0, 19.0, 39.0]
    """
    inside = labelled("load, up to 0.95", at_most(utilisation, TANGENT_FROM))
    waiting = labelled("waiting or served", inside / labelled("1 − U", 1 - inside))
    past = labelled("load past it", np.maximum(utilisation - TANGENT_FROM, 0.0))
    return labelled("waiting or served", plus(waiting, labelled("beyond 0.95", _TANGENT * past)))


QUEUE_WHEN_FULL = Figure(
    1.0 + float(bounded_queue(np.ones(1))[0]),
    say("1 and the queue at 100 %"),
    why=say("from there on the cache is full of writes"),
)
"""1 + Q(1)."""


def miss_ms(pools: PoolArrays, reads: FloatArray) -> FloatArray:
    """What a host I/O asks of the drives on average [ms]: R·(1 − h)·S, no queueing.

    Of an all-flash array its own latency. Valid for reads in no order; sequential ones cost less.

    >>> from types import SimpleNamespace
    >>> pools = SimpleNamespace(read_cache_hit=0.3, service_ms=5.5, array_latency_ms=np.nan)
    >>> miss_ms(pools, np.array([0.7])).round(3).tolist()
    [2.695]
    """
    drives = labelled("drive time of an I/O", misses(pools, reads) * pools.service_ms, "ms")
    return where(np.isnan(pools.array_latency_ms), drives, pools.array_latency_ms)


def run_miss_ms(reads: FloatArray) -> FloatArray:
    """What a host I/O asked of the drives of the runs on average [ms]: R·(1 − h)·S.

    Drives of 15,000 rpm behind a cache that takes 30 % of reads, as DS4800 and FAS3020 have them.
    Valid and from where `miss_ms` and the catalog entries are.

    >>> run_miss_ms(np.array([0.7])).round(3).tolist()
    [2.695]
    """
    return np.asarray(reads * (1 - RUN_CACHE_HIT) * RUN_SERVICE_MS)


RUN_CACHE_HIT, RUN_SERVICE_MS = 0.3, 5.5
DEFAULT_RUN_MISS_MS = float(run_miss_ms(np.array(DEFAULT_READ_SHARE)))


def latency_ms(pools: PoolArrays, reads: FloatArray, utilisation: FloatArray) -> FloatArray:
    """Mean latency of a host I/O [ms].

    Cache hits and writes cost the cache's service time; read misses cost S·(1 + Q(U)), with
    Q(U) = U/(1 − U) per spindle, continued by its tangent near U = 1 because a finite number of
    users keeps a queue finite. From U = 1 on the cache is full of writes, which then wait for what
    the drives are behind, S·(Q(U) − Q(1)). An all-flash array has its own latency for S.

    Valid for means, within `LATENCY_HALF_WIDTH` of its logarithm.

    R·(1 − h)·S·(1 + Q(U)) + (1 − R·(1 − h))·0.5 ms + W·S·max(Q(U) − Q(1), 0)

    Check: the vSphere 4 paper's table 1 has 4.6 ms on average and 10 ms at most; with 5.5 ms a
    read miss, 70 % reads and 30 % hits, U = 0.40 gives 4.7 ms and U = 0.72 gives 9.9 ms.

    >>> from types import SimpleNamespace
    >>> pools = SimpleNamespace(read_cache_hit=0.3, service_ms=5.5, array_latency_ms=np.nan)
    >>> latency_ms(pools, np.array([0.7]), np.array([0.40, 0.72])).round(1).tolist()
    [4.7, 9.9]
    >>> latency_ms(pools, np.array([0.0]), np.array([0.99, 1.0, 1.01])).round(1).tolist()
    [0.5, 0.5, 22.5]
    """
    queue = labelled("1 and the queue", 1 + bounded_queue(utilisation))
    flash, drives = pools.array_latency_ms, miss_ms(pools, reads) * queue
    from_drives = labelled("reads from drives", drives, "ms")
    rest = labelled("I/Os that the cache takes", 1 - misses(pools, reads))
    cached = labelled("hits and writes", rest * CACHE_LATENCY_MS, "ms")
    behind = labelled("queue beyond it", np.maximum(queue - QUEUE_WHEN_FULL, 0.0))
    late = labelled("share of writes", 1 - reads) * behind * pools.service_ms
    late = labelled("writes that wait", late, "ms")
    return where(np.isnan(flash), plus(from_drives + cached, late), flash * queue)
