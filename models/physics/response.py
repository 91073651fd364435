"""Response time: the law of a VM's own population, plus waiting that it shares with others.

R = R_own + Δ(disks) + Δ(cores), each a closed population's response (`response_at_load`):

  R_own  the family's law at the load L of the VM's own busiest resource: storage path n/N*, vCPUs;
  Δ      wait(r, U) − wait(r, U_ref) at a resource that others share, with
         wait(r, U) = response_at_load(r, U) − r, r what one action asks of it, U its load, and
         U_ref the load at which the law was measured: the VM alone on a pool or on cores as large
         as those of the measurement, or larger.

Users who wait at one resource don't ask at the next: what was waited so far counts as think time
there. So R never passes the asymptote of the busiest resource, Z·(U − 1), plus what the others
take, however many are saturated, and stays finite. As U ≥ U_ref and waiting is convex in load, R
grows in the VM's own users and in everybody else's. Alone on hardware as measured, R is the law.

**How much of an action is disk and how much is CPU.** r(disks) = V·(share of misses)·(service time)
with V, the I/Os of an action, from IOPS per user × think time Z (forced flow); r(cores) = CPU
seconds per action, from core-seconds per user × Z, over the cores that serve it. In family B that
gives 14 I/Os and 11 ms of CPU in the 55 ms of an idle server at 8 GB. In family A the I/Os are
transferred from family B and don't add up to its response (44 ms of disk and 27 of CPU in an idle
response of 27 ms on VMFS at 14.5 GB): "an action" of WV21 isn't known to be one of R6Mail. There
both are cut down in proportion, so that together they are the idle response, no more.
"""

from __future__ import annotations

import numpy as np

from models.evidence.constants import VCPUS_PER_VM, FamilyConstants
from models.evidence.family_a import (
    FamilyALaw,
    base_response_ms,
    cpu_pct,
    knee_users,
    response_with_spare,
    stretch_power,
)
from models.physics.cpu import NEIGHBOUR_WAIT
from models.physics.demand import B_RAM_GIB
from models.physics.laws import A_VCPUS, Laws
from models.quantities import BoolArray, FloatArray
from models.record import record

CLUSTER_RAM_GIB = 2 * B_RAM_GIB
"""RAM of the one NRPC run of family B with a response time (table 3)."""

FIRST_USERS = 1000.0
"""Users at which the CPU of an action is read off family A's law: what an action asks for must not
depend on how many users there are."""


@record
class Alone:
    """A VM without neighbours, shape (n,).

    Attributes:
        base_ms: idle response [ms]; `stretch`: as in `response_at_load`.
        load: load of its own busiest resource; `path` that of family A's storage path.
        least_load: the least that `load` may be.
        cpu_ms: CPU of an action [ms]; `visits`: I/Os of an action.
        slowness: time that CPU takes here over that on the law's own machine; `cpu_factor`: CPU
            that an action takes over that of the law's own release and setting.
    """

    base_ms: FloatArray
    stretch: FloatArray
    load: FloatArray
    least_load: FloatArray
    path: FloatArray
    cpu_ms: FloatArray
    visits: FloatArray
    slowness: FloatArray
    cpu_factor: FloatArray


def alone(
    laws: Laws,
    *,
    users: FloatArray,
    ram_gib: FloatArray,
    core_seconds: FloatArray,
    least_core_seconds: FloatArray,
    last_users: FloatArray,
    vcpus: FloatArray,
    pct_per_user_b: FloatArray,
    iops_per_user: FloatArray,
    law: FamilyALaw,
    constants: FamilyConstants,
) -> Alone:
    """What the law of each VM's family says of it; NaN where no family has a response time.

    Family B has one response time, 61 ms at 4,000 users in a Domino cluster at 16 GB and 32 % of 2
    vCPUs: r follows from it, falls with RAM as family A's does, and its busiest resource is taken
    to be the vCPUs. A slower machine lengthens r in proportion; a faster one doesn't shorten it,
    because disks don't get faster with it.

    Past the last run nothing says that the busiest resource is a limit at all: the least load is
    that of the last run there, or what the CPU is asked for at least.

    Args:
        core_seconds: load that the VM asks for [core-seconds per second]; `least_core_seconds`
            the low end of it.
        last_users: users of the last run with a response.
        pct_per_user_b: CPU of a user by family B on its own machine [% of a core].
        iops_per_user: by the VM's own family.
    """
    load, think = core_seconds / vcpus, law.think_time_ms
    path, stretch = np.zeros((2, len(users)))
    base = family_b_base_ms(law, constants) * (CLUSTER_RAM_GIB / ram_gib) ** law.miss_exponent
    per_user = pct_per_user_b / 100.0
    if laws.some_a:
        where = {"platform": laws.platform, "ram_gib": ram_gib}
        base = np.where(laws.family_a, base_response_ms(law, ram_gib=ram_gib), base)
        np.copyto(stretch, stretch_power(law, laws.platform), where=laws.family_a)
        np.copyto(path, users / knee_users(law, **where, storage=laws.storage), where=laws.family_a)
        np.maximum(load, path, out=load, where=laws.family_a)
        first = cpu_pct(law, **where, storage=laws.storage, users=FIRST_USERS)
        per_user = np.where(laws.family_a, first / 100 * A_VCPUS / FIRST_USERS, per_user)
    seen = load * (last_users / np.maximum(users, last_users))
    least = np.minimum(np.maximum(seen, least_core_seconds / vcpus), load)
    known = laws.family_a | laws.family_b
    per_user = per_user * laws.slowness * laws.cpu_factor
    return Alone(
        np.where(known, base * np.maximum(laws.slowness, 1.0), np.nan),
        stretch,
        np.where(known, np.maximum(load, 0.0), np.nan),
        np.where(known, np.maximum(least, 0.0), np.nan),
        path,
        per_user * think,
        iops_per_user * think / 1000.0,
        laws.slowness,
        laws.cpu_factor,
    )


def family_b_base_ms(law: FamilyALaw, constants: FamilyConstants) -> float:
    """Response of an idle server of family B at 16 GB [ms]: r = R·(1 − U), U = L·Z/(R + Z).

    Valid as `alone` is: one run. Source: vSphere 4 paper, table 3, 61 ms at 32 % CPU.

    >>> from app.calibrated import shipped_calibration
    >>> shipped = shipped_calibration()
    >>> round(family_b_base_ms(shipped.law, shipped.constants), 1)  # 61·(1 − 0.32)
    41.5
    """
    measured = constants.cluster85.response_ms.value
    busy = constants.cluster85.cpu_pct.value / 100
    return measured * (1 - busy * law.think_time_ms / (measured + law.think_time_ms))


@record
class Parts:
    """What an action asks of the shared resources [ms], shape (n,)."""

    disk_ms: FloatArray
    cpu_ms: FloatArray


def parts(alone: Alone, miss_ms: FloatArray) -> Parts:
    """Disk and CPU time in an action, cut down in proportion where by the law itself, on its own
    machine and at its own release, they exceed the idle response.

    Args:
        miss_ms: what an I/O asks of the drives of the VM's pool [ms]; NaN without a pool.
    """
    disk, cpu = np.fmax(alone.visits * miss_ms, 0.0), np.fmax(alone.cpu_ms, 0.0)
    base = alone.base_ms / np.maximum(alone.slowness, 1.0)
    at_home = cpu / (alone.slowness * alone.cpu_factor)
    fits = np.minimum(1.0, base / np.maximum(disk + at_home, _NOTHING_MS))
    return Parts(disk * fits, cpu * fits)


_NOTHING_MS = 1e-9


@record
class Disks:
    """A VM's pool: its load, and what the load would be by the VM alone on a pool as measured [1].

    Any shape that broadcasts; both zero without a pool.
    """

    load: FloatArray
    reference: FloatArray


@record
class Cores:
    """A VM's host: cores, those that its law was measured on at least, load of all and of the VM.

    `busy` and `own` in core-seconds per second.
    """

    cores: FloatArray
    reference_cores: FloatArray
    busy: FloatArray
    own: FloatArray


def delta_disks(
    own_ms: FloatArray, parts: Parts, disks: Disks, *, think_time_ms: float
) -> FloatArray:
    """Δ(disks) = wait(r, U) − wait(r, U_ref) at the drives [ms], after R_own.

    Valid at any load; within 2 % of an exactly solved network of like VMs below 0.95 of capacity
    (docs/queueing.md). Source: `response_at_load`, at two loads of one resource.

    Six building blocks on 64 drives, 37 % busy by all and 6 % by one: 38 ms of disk in an action.

    >>> disks = Disks(np.array([0.37]), np.array([0.062]))
    >>> six = Parts(np.array([38.0]), np.zeros(1))
    >>> delta_disks(np.array([78.0]), six, disks, think_time_ms=78e3).round().tolist()
    [20.0]
    """
    cycle = think_time_ms + own_ms
    loads = np.empty((2, *cycle.shape))
    np.maximum(disks.load, disks.reference, out=loads[0])
    loads[1] = disks.reference
    waits = _wait(parts.disk_ms, loads, think_time_ms, cycle)
    return np.asarray(waits[0] - waits[1])


def delta_cores(
    so_far_ms: FloatArray | float,
    cpu_ms: FloatArray,
    cores: FloatArray,
    *,
    busy: FloatArray,
    own: FloatArray | float,
    before_ms: FloatArray | float,
    think_time_ms: float,
) -> FloatArray:
    """Δ(cores) [ms], after R_own + Δ(disks).

    A host of c cores is a server of c times the speed as far as waiting goes, which is exact for
    c = 1 and near saturation and errs high in between; besides each neighbour's busy cores cost a
    moment (`NEIGHBOUR_WAIT`).

    wait(r/c, a/c) − wait alone + r·0.074·(a − a_own)/c. Valid at any load; with Δ(disks) within
    1.5 % of the response of an exactly solved network, 7 % at saturation (docs/queueing.md).
    Sources: `response_at_load`; of 0.074 the vSphere 4 paper, table 1.

    Args:
        so_far_ms: R_own + Δ(disks).
        cpu_ms: CPU of an action.
        cores: of the host.
        busy, own: load of all on the host, and of the VM [core-seconds per second].
        before_ms: `wait_alone`.

    >>> cpu, busy, own = np.array([11.2]), np.array([6.4]), 0.8
    >>> added = delta_cores(100.0, cpu, 8.0, busy=busy, own=own, before_ms=0.0, think_time_ms=78e3)
    >>> added.round(1).tolist()  # 11.2/8·0.8/0.2 in the queue, 11.2·0.7·0.074 beside
    [6.1]
    """
    busy = np.maximum(busy, own)
    waits = _wait(cpu_ms / cores, busy / cores, think_time_ms, think_time_ms + so_far_ms)
    waits -= before_ms
    np.maximum(waits, 0.0, out=waits)
    beside = np.minimum((busy - own) / cores, 1.0)
    beside *= cpu_ms * NEIGHBOUR_WAIT
    waits += beside
    return waits


def wait_alone(
    so_far_ms: FloatArray, parts: Parts, cores: Cores, *, think_time_ms: float
) -> FloatArray:
    """What a VM waits for its own work on cores as many as its law was measured on [ms].

    wait(r/c, a_own/c), which is in R_own already. `cores.busy` has no part in it. Valid and from
    where `delta_cores` is.

    Alone on 4 cores, half of them busy, 20 ms of CPU in an action: 20/4·0.5/(1 − 0.5).

    >>> own, four, none = np.array([2.0]), np.array([4.0]), np.zeros(1)
    >>> action = Parts(none, np.array([20.0]))
    >>> wait_alone(none, action, Cores(four, four, own, own), think_time_ms=78e3).round(1).tolist()
    [5.0]
    """
    there = np.maximum(cores.cores, cores.reference_cores)
    return _wait(parts.cpu_ms / there, cores.own / there, think_time_ms, think_time_ms + so_far_ms)


def _wait(
    service_ms: FloatArray, load: FloatArray, think_time_ms: float, cycle_ms: FloatArray | float
) -> FloatArray:
    """Waiting at a resource [ms] of a load U·(Z + what was waited so far)/Z.

    Args:
        load: what it would be if nobody waited elsewhere; overwritten.
        cycle_ms: Z and what was waited so far.
    """
    load *= -think_time_ms
    load += cycle_ms
    waits = response_with_spare(service_ms, load, cycle_ms)
    waits -= service_ms
    return waits


def reference_cores(family_a: BoolArray) -> FloatArray:
    """Cores that a law's machine had at least for its VM: family A 4, family B its 2 vCPUs."""
    return np.where(family_a, A_VCPUS, VCPUS_PER_VM)
