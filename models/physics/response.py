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
both are cut down in proportion, so that together they are the idle response, no more. On other
drives than those that ran the disks' part follows the service time of the pool's own (`_idle`).
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import FloatArray
from models.base.record import record
from models.base.texts import say
from models.evidence.constants import VCPUS_PER_VM, FamilyConstants
from models.evidence.family_a import (
    CLOSED,
    FamilyALaw,
    base_response_ms,
    cpu_pct,
    path_load,
    response_with_spare,
    stretch_power,
)
from models.formulas.traced import (
    MS_IN_S,
    ONE,
    PER_CENT,
    TWO,
    Figure,
    at_least,
    column,
    labelled,
    plus,
    times,
    where,
)
from models.physics.cpu import CORES, NEIGHBOUR_WAIT, SAKASEGAWA
from models.physics.demand import LARGEST_RAM_RUN_GIB, Cache, as_run
from models.physics.laws import A_VCPUS, OLDER, Laws, older_io
from models.physics.storage import REFERENCE_LIMIT_IOPS

CLUSTER_RAM_GIB = Figure(
    LARGEST_RAM_RUN_GIB, say("its RAM"), "GiB", why=say("vSphere 4 paper, table 3")
)
"""RAM of the one NRPC run of family B with a response time (table 3)."""

FIRST_USERS = Figure(1000.0, say("first users"))
"""Users at which the CPU of an action is read off family A's law: what an action asks for must not
depend on how many users there are."""


@record
class Alone:
    """A VM without neighbours, shape (n,).

    Attributes:
        base_ms: idle response [ms]; `stretch`: as in `response_at_load`.
        load: load of its own busiest resource; `path` that of family A's storage path, all of it.
        least_load: the least that `load` may be.
        parts: what an action asks of cores and drives.
        apart: ln of `base_ms` over what family A, what family B says of it, (2, n).
    """

    base_ms: FloatArray
    stretch: FloatArray
    load: FloatArray
    least_load: FloatArray
    path: FloatArray
    parts: Parts
    apart: FloatArray


@record
class Parts:
    """What an action asks of the shared resources [ms], shape (n,)."""

    disk_ms: FloatArray
    cpu_ms: FloatArray


@record
class Asked:
    """What VMs ask for, shape (n,).

    Attributes:
        users, ram_gib, vcpus: of the VM.
        core_seconds: load that it asks for [core-seconds per second]; `least_core_seconds` the low
            end of it.
        last_users: users of the last run with a response.
        pct_per_user_b: CPU of a user by family B on its own machine [% of a core]; `base_b_ms` its
            `family_b_base_ms`.
        base_iops: I/Os per second of a user by the VM's own family; `cache` what RAM and mail files
            make of it.
        miss_ms: what an I/O asks of the drives of its pool [ms], NaN without one; `run_miss_ms`
            what it asked of those of the runs.
    """

    users: FloatArray
    ram_gib: FloatArray
    vcpus: FloatArray
    core_seconds: FloatArray
    least_core_seconds: FloatArray
    last_users: FloatArray
    pct_per_user_b: FloatArray
    base_b_ms: FloatArray | float
    base_iops: FloatArray
    cache: Cache
    miss_ms: FloatArray
    run_miss_ms: FloatArray


def alone(laws: Laws, asked: Asked, law: FamilyALaw, constants: FamilyConstants) -> Alone:
    """What the laws say of each VM; NaN where no family has a response time.

    Family B has one response time, 61 ms at 4,000 users in a Domino cluster at 16 GB and 32 % of 2
    vCPUs: r follows from it, falls with RAM as family A's does, and its busiest resource is taken
    to be the vCPUs. Between the families the logarithms of both are weighed (`Laws.mixed`), and
    what counts of family A's knee recedes (`Laws.knee`).

    Past the last run nothing says that the busiest resource is a limit at all: the least load is
    that of the last run there, or what the CPU is asked for at least.
    """
    idle = of_b = idle_b(laws, asked, law)
    stretch, path = np.zeros((2, len(asked.users)))
    apart = np.zeros((2, len(asked.users)))
    load = vcpu_load(asked.core_seconds / asked.vcpus, asked.vcpus)
    if laws.some_a:
        of_a = idle_a(laws, asked, law, constants)
        idle = mixed_idle(laws, of_a, of_b)
        np.copyto(stretch, stretch_here(laws, law), where=laws.family_a)
        # Without a pool nobody knows whether the knee is there: the high end has it.
        behind = (laws.knee > 0) | (laws.family_a & np.isnan(asked.miss_ms))
        np.copyto(path, path_alone(laws, asked, law), where=behind)
        load = busiest(load, path, laws.knee)
        if laws.some_between:
            np.copyto(apart, np.log(idle[0] / np.array([of_a[0], of_b[0]])), where=laws.between)
    seen = load * (asked.last_users / np.maximum(asked.users, asked.last_users))
    cpu_at_least = vcpu_load(asked.least_core_seconds / asked.vcpus, asked.vcpus)
    least = np.minimum(np.maximum(seen, cpu_at_least), load)
    known = laws.family_a | laws.family_b
    base, disk, cpu = (np.where(known, part, np.nan) for part in idle)
    return Alone(
        base,
        stretch,
        np.where(known, np.maximum(load, 0.0), np.nan),
        np.where(known, np.maximum(least, 0.0), np.nan),
        path,
        Parts(np.where(np.isnan(asked.miss_ms), 0.0, disk), np.fmax(cpu, 0.0)),
        apart,
    )


def path_alone(laws: Laws, asked: Asked, law: FamilyALaw) -> FloatArray:
    """Load that a VM puts on family A's storage path [1], (n,). Valid and from where
    `family_a.path_load` is."""
    place = {"platform": laws.platform, "storage": laws.storage, "ram_gib": asked.ram_gib}
    return path_load(law, **place, users=asked.users)


def busiest(of_cpus: FloatArray, path: FloatArray, knee: FloatArray) -> FloatArray:
    """Load of a VM's own busiest resource [1], max(U of vCPUs, share that counts·U of the path).
    Valid for either. Source: operational analysis, the bottleneck.

    >>> busiest(np.array([0.4]), np.array([0.8]), np.array([1.0])).tolist()
    [0.8]
    """
    counted = labelled("load of the storage path that counts", times(path, knee))
    return labelled("load of its busiest resource", np.maximum(counted, of_cpus))


def stretch_here(laws: Laws, law: FamilyALaw) -> FloatArray:
    """`stretch` of `response_at_load` as far as the knee counts [1], (n,). Valid and from where
    `family_a.stretch_power` is."""
    power = times(stretch_power(law, laws.platform, laws.storage), laws.knee)
    return labelled("power of the stretch on this path", power)


def mixed_idle(laws: Laws, of_a: Idle, of_b: Idle) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Idle response, disk and CPU time of an action by both families [ms], (n,) each. Valid and
    from where `Laws.mixed` is."""
    idle, disk, cpu = (laws.mixed(*each, "ms") for each in zip(of_a, of_b, OF_IDLE, strict=True))
    return (
        labelled("response when idle", idle, "ms"),
        labelled("disk time of an action", disk, "ms"),
        labelled("CPU time of an action", cpu, "ms"),
    )


OF_IDLE = say("response when idle"), say("disk time of an action"), say("CPU time of an action")


def idle_a(laws: Laws, asked: Asked, law: FamilyALaw, constants: FamilyConstants) -> Idle:
    """By family A, of whose I/Os nothing is known: drives have at most as large a share as so many
    would have in family B."""
    older = older_io(constants.releases, OLDER)
    disk_ms = _disk_run_ms(asked, law.think_time_ms, older)
    base = base_response_ms(law, ram_gib=as_run(asked.ram_gib))
    of_a = Ran(base, cpu_run_a(laws, asked, law), disk_ms)
    of_b = Ran(*_run_b(asked, law), disk_ms)
    here = laws.of_a.slowness, times(laws.of_a.cpu_factor, laws.member)
    more_io = at_least(older / laws.iops_factor, 1.0)
    return _idle(of_a, fitting(of_a, of_b), here, asked, law, laws, more_io)


def idle_b(laws: Laws, asked: Asked, law: FamilyALaw) -> Idle:
    """By family B."""
    of_b = Ran(*_run_b(asked, law), _disk_run_ms(asked, law.think_time_ms, 1.0))
    here = laws.of_b.slowness, laws.of_b.cpu_factor
    return _idle(of_b, fitting(of_b), here, asked, law, laws, 1.0)


def cpu_run_a(laws: Laws, asked: Asked, law: FamilyALaw) -> FloatArray:
    """CPU of an action on one core of family A's machine [ms], (n,), read off at 1,000 users:
    CPU/1000·Z. Valid and from where `family_a.cpu_pct` is.

    >>> from types import SimpleNamespace
    >>> from models.evidence.family_a import PlatformA, StorageA, example_law
    >>> place = {"platform": PlatformA.CLOVERTOWN, "storage": StorageA.PHYSICAL}
    >>> laws, asked = SimpleNamespace(**place, lossy=True), SimpleNamespace(ram_gib=7.25)
    >>> round(float(cpu_run_a(laws, asked, example_law())), 1)  # 3.3 % of 4 · 78 s / 1,000
    10.3
    """
    place = {"platform": laws.platform, "storage": laws.storage, "ram_gib": asked.ram_gib}
    first = cpu_pct(law, **place, users=FIRST_USERS, lossy=laws.lossy)
    load = labelled("share of its CPUs", first / PER_CENT) * A_VCPUS
    of_user = labelled("CPU load of 1,000 users", load, CORES) / FIRST_USERS
    of_user = labelled("CPU load of one of them", of_user, CORES)
    return labelled("CPU of an action as it ran", of_user * law.think_time_ms, "ms")


def cpu_run_b(asked: Asked, law: FamilyALaw) -> FloatArray:
    """The same on family B's machine [ms], CPU of a user·Z. Valid and from where
    `demand.family_b_pct_per_user` is.

    >>> from types import SimpleNamespace
    >>> from models.evidence.family_a import example_law
    >>> cpu_run_b(SimpleNamespace(pct_per_user_b=np.array([0.0144])), example_law()).round(1)
    array([11.2])
    """
    of_user = labelled("CPU load of a user", asked.pct_per_user_b / PER_CENT, CORES)
    return labelled("CPU of an action as it ran", of_user * law.think_time_ms, "ms")


def _run_b(asked: Asked, law: FamilyALaw) -> tuple[FloatArray, FloatArray]:
    """Idle response and CPU of an action on family B's own machine [ms], (n,) each."""
    base = at_ram(asked.base_b_ms, asked.ram_gib, law.miss_exponent)
    return base, cpu_run_b(asked, law)


def at_ram(
    idle_ms: FloatArray | float, ram_gib: FloatArray, exponent: FloatArray | float
) -> FloatArray:
    """Response of an idle server of family B at another RAM [ms], r·(16/RAM)^x.

    Valid and from where `family_a.base_response_ms` is.

    >>> at_ram(53.5, np.array([16.0, 4.0]), 0.5).tolist()
    [53.5, 107.0]
    """
    smaller = labelled("its RAM over this one’s", CLUSTER_RAM_GIB / as_run(ram_gib))
    effect = labelled("effect of RAM", smaller**exponent)
    return labelled("response of an idle server", idle_ms * effect, "ms")


Idle = tuple[FloatArray, FloatArray, FloatArray]
"""Idle response, disk and CPU time of an action [ms], (n,) each."""

VISITS, VISITS_AS_THEY_RAN = say("I/Os of an action"), say("I/Os of an action as they ran")
FORCED_FLOW = say("forced flow: visits are rate times cycle")


def _disk_run_ms(
    asked: Asked, think_time_ms: FloatArray | float, io_of_release: FloatArray | float
) -> FloatArray:
    """What the I/Os of an action asked of the drives that ran [ms], (n,)."""
    each = times(asked.base_iops * asked.cache.as_run, io_of_release)
    each = labelled("I/O of a user as it ran", each, "IOPS")
    during = labelled(
        "{what}: I/O of a user × think time", each * think_time_ms, what=VISITS_AS_THEY_RAN
    )
    visits = labelled("I/Os of an action as they ran", during / MS_IN_S, note=FORCED_FLOW)
    return labelled("disk time of the drives that ran", visits * asked.run_miss_ms, "ms")


@record
class Ran:
    """An action on a family's own machine, drives and release [ms], (n,): the response of an idle
    server, CPU and disk time."""

    base_ms: FloatArray
    cpu_ms: FloatArray
    disk_ms: FloatArray


def fitting(ran: Ran, of_b: Ran | None = None) -> FloatArray:
    """What disk and CPU time of an action are cut by so as to be no more than an idle server's [1].

    min(1, r/(disk + CPU)), of family A no more than min(1, r_B/(disk + CPU_B))·r/r_B. Valid as the
    families' laws are. Source: stated; docs/model.md, “Among neighbours”.

    Args:
        of_b: the same I/Os by family B, of whose response drives have no less a share.

    30 ms on drives and 20 of CPU in 40 ms are cut to four fifths:

    >>> forty, twenty, thirty = (np.array([each]) for each in (40.0, 20.0, 30.0))
    >>> fitting(Ran(forty, twenty, thirty)).tolist()
    [0.8]
    >>> fitting(Ran(forty, 0 * twenty, thirty), Ran(2 * thirty, thirty, thirty)).round(2).tolist()
    [0.67]
    """
    cut = _cut(ran)
    if of_b is None:
        return cut
    part = labelled("its part", _cut(of_b) * of_b.disk_ms)
    share = labelled("share of the drives on vSphere 4", part / of_b.base_ms)
    most = labelled("share of idle", share * ran.base_ms)
    to_share = labelled("cut to that share", most / at_least(ran.disk_ms, _NOTHING_MS))
    return labelled("cut of both", np.minimum(cut, to_share))


def _cut(ran: Ran) -> FloatArray:
    both = labelled("disk and CPU of an action", ran.disk_ms + ran.cpu_ms, "ms")
    cut = ran.base_ms / at_least(both, _NOTHING_MS)
    cut = labelled("cut to the response of an idle server", cut)
    return labelled("cut, at most all", np.minimum(ONE, cut))


def _idle(
    ran: Ran,
    fits: FloatArray,
    here: tuple[FloatArray, FloatArray],
    asked: Asked,
    law: FamilyALaw,
    laws: Laws,
    more_io: FloatArray | float,
) -> Idle:
    """`idle_here` with the I/Os of an action on the drives of its pool."""
    each = times(asked.base_iops * asked.cache.waited, laws.iops_factor)
    each = labelled("I/O of a user that is waited for", each, "IOPS")
    during = labelled("{what}: I/O of a user × think time", each * law.think_time_ms, what=VISITS)
    visits = labelled("I/Os of an action", during / MS_IN_S, note=FORCED_FLOW)
    disk_ms = labelled("disk time by its I/Os", visits * asked.miss_ms, "ms")
    return idle_here(ran, fits, *here, disk_ms=disk_ms, more_io=more_io)


def idle_here(
    ran: Ran,
    fits: FloatArray,
    slowness: FloatArray,
    cpu_factor: FloatArray,
    *,
    disk_ms: FloatArray,
    more_io: FloatArray | float,
) -> Idle:
    """What one family says of an idle server here, with the drives of its own pool: its response,
    and disk and CPU time of an action [ms], (n,) each.

    r = r_run + cpu_run·max(s − 1, 0) + disk − disk_run, disk = V·(share of misses)·(service time):
    with the I/Os of an action V, the drives and the release as they ran, and with those here. So
    a release with more I/Os answers later on any drives, and no more is taken off than is in r; one
    with fewer is credited nothing, as what its source calls "up to" may be nothing. A slower
    machine (s > 1) lengthens the CPU's part; a faster one shortens nothing. What else is in r isn't
    known.

    Valid as the family's law is. Source: operational analysis (forced flow); docs/model.md, “Among
    neighbours”.

    Args:
        fits: `fitting`.
        slowness, cpu_factor: as in `laws.Carried`.
        disk_ms: what the I/Os of an action ask of the drives of its pool, NaN without one.
        more_io: I/Os of the release that ran over those of this one, at least 1.

    On a machine half as fast, whose drives take 20 ms where those that ran took 10:

    >>> ten, one = np.array([10.0]), np.ones(1)
    >>> ran = Ran(5 * ten, ten, ten)
    >>> here = idle_here(ran, one, 2 * one, one, disk_ms=2 * ten, more_io=1.0)
    >>> [each.tolist() for each in here]
    [[70.0], [20.0], [20.0]]
    """
    cpu = labelled("CPU time as it ran", times(ran.cpu_ms, fits), "ms")
    was = labelled("disk time as it ran", times(ran.disk_ms, fits), "ms")
    disk = labelled("disk time of an action", times(disk_ms, fits), "ms")
    in_idle = labelled("disk time, nothing saved by the release", times(disk, more_io), "ms")
    disk, in_idle = (where(np.isnan(disk_ms), was, each) for each in (disk, in_idle))
    slower = np.maximum(labelled("slower by", slowness - ONE), 0.0)
    added = labelled("added by the slower machine", cpu * slower, "ms")
    drives = labelled("drives here less those of the runs", in_idle - was, "ms")
    idle = labelled("response of an idle server here", plus(plus(ran.base_ms, added), drives), "ms")
    cpu = times(times(cpu, slowness), cpu_factor)
    return idle, disk, labelled("CPU time of an action", cpu, "ms")


_NOTHING_MS = 1e-9


def vcpu_load(load: FloatArray, vcpus: FloatArray) -> FloatArray:
    """Load of one server at which an action is stretched as by several vCPUs at `load` [1].

    W/(1 + W) with W = U^p/(V·(1 − U)), p = √(2(V + 1)) − 1, the wait over service of M/M/V
    (`cpu.waiting_ratio`): the load itself for one vCPU, and less for several, as one is free more
    often. From saturation on the load itself, whose asymptote is the same.

    Valid at any load, for V ≥ 1. Source: H. Sakasegawa, as `cpu.waiting_ratio`.

    >>> vcpu_load(np.array([0.32, 0.32, 0.9, 1.5]), np.array([1.0, 2.0, 4.0, 4.0])).round(
    ...     3
    ... ).tolist()
    [0.32, 0.124, 0.666, 1.5]
    """
    inside = np.minimum(load, 1.0)
    twice = labelled("2 · (vCPUs + 1)", TWO * labelled("vCPUs + 1", vcpus + ONE))
    power = labelled("exponent of vCPUs", labelled("its root", np.sqrt(twice)) - ONE)
    busy = labelled("all vCPUs busy", np.maximum(inside, 0.0) ** power)
    free = labelled("vCPUs · (1 − U)", vcpus * labelled("free share of vCPUs", ONE - inside))
    single = busy / labelled("busy and free", busy + free)
    named = labelled("load of its vCPUs, as of a single one", single, note=SAKASEGAWA)
    return where(load < 1.0, named, load)


def family_b_base_ms(law: FamilyALaw, constants: FamilyConstants) -> float:
    """Response of an idle server of family B at 16 GB [ms]: r = R·(1 − U), U = L·Z/(R + Z).

    Valid as `alone` is: one run. Source: vSphere 4 paper, table 3, 61 ms at 32 % CPU, which two
    vCPUs stretch as one does at 12 % (`vcpu_load`).

    >>> from app.calibrated import shipped_calibration
    >>> shipped = shipped_calibration()
    >>> round(family_b_base_ms(shipped.law, shipped.constants), 1)  # 61·(1 − 0.12)
    53.5
    """
    measured = constants.cluster85.response_ms.value
    busy = np.array(constants.cluster85.cpu_pct.value / 100)
    load = float(vcpu_load(busy, np.array(VCPUS_PER_VM)))
    return measured * (1 - load * law.think_time_ms / (measured + law.think_time_ms))


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


def load_alone(own_iops: FloatArray, limit_iops: FloatArray) -> FloatArray:
    """Load by a VM alone on its pool [1], or on one as large as that of the measurement if that is
    larger: U_ref = I/O/max(limit, that of the measurement). Valid and from where `delta_disks` is.

    >>> load_alone(np.array([500.0]), np.array([10_000.0])).tolist()
    [0.05]
    """
    larger = labelled("the larger pool", np.fmax(limit_iops, REFERENCE_LIMIT_IOPS))
    return labelled("load by the VM alone", own_iops / larger)


def delta_disks(
    own_ms: FloatArray, parts: Parts, disks: Disks, *, think_time_ms: FloatArray | float
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
    cycle = labelled("think time and response so far", think_time_ms + own_ms, "ms")
    load = labelled("load of the pool", at_least(disks.load, disks.reference))
    now = _wait(parts.disk_ms, load, think_time_ms, cycle)
    was = _wait(parts.disk_ms, disks.reference, think_time_ms, cycle)
    now, was = (
        labelled("waiting at the disks", now, "ms"),
        labelled("as measured, alone", was, "ms"),
    )
    return labelled("added by sharing the disks", now - was, "ms")


def delta_cores(
    so_far_ms: FloatArray | float,
    cpu_ms: FloatArray,
    cores: FloatArray,
    *,
    busy: FloatArray,
    own: FloatArray | float,
    before_ms: FloatArray | float,
    think_time_ms: FloatArray | float,
) -> FloatArray:
    """Δ(cores) [ms], after R_own + Δ(disks).

    A host of c cores is a server of c times the speed as far as waiting goes, which is exact for
    c = 1 and near saturation and errs high in between; besides each neighbour's busy cores cost a
    moment (`NEIGHBOUR_WAIT`).

    wait(r/c, a/c) − wait alone + r·0.074·(a − a_own)/c. Valid at any load; with Δ(disks) within
    2 % of the response of an exactly solved network, 5 % at saturation (docs/queueing.md).
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
    busy = labelled("load of all on the host", np.maximum(busy, own), CORES)
    cycle = labelled("think time and response so far", think_time_ms + so_far_ms, "ms")
    each = labelled("at the speed of all cores", cpu_ms / cores, "ms")
    waits = _wait(each, labelled("load", busy / cores), think_time_ms, cycle)
    waits = labelled("waiting for a core", waits, "ms")
    waits -= before_ms
    waits = np.maximum(labelled("added by sharing the cores", waits, "ms"), 0.0)
    others = labelled("share", labelled("load of the others", busy - own, CORES) / cores)
    beside = labelled("share of cores kept busy by others", np.minimum(others, ONE))
    moment = labelled("a moment for busy neighbours", cpu_ms * beside * NEIGHBOUR_WAIT, "ms")
    return plus(waits, moment)


def wait_alone(
    so_far_ms: FloatArray, parts: Parts, cores: Cores, *, think_time_ms: FloatArray | float
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
    there = labelled("cores alone", at_least(cores.cores, cores.reference_cores), CORES)
    cycle = labelled("think time and response so far", think_time_ms + so_far_ms, "ms")
    each = labelled("at the speed of its cores", parts.cpu_ms / there, "ms")
    waits = _wait(each, labelled("load", cores.own / there), think_time_ms, cycle)
    return labelled("as measured, alone", waits, "ms")


def _wait(
    service_ms: FloatArray,
    load: FloatArray,
    think_time_ms: FloatArray | float,
    cycle_ms: FloatArray | float,
) -> FloatArray:
    """Waiting at a resource [ms] of a load U·(Z + what was waited so far)/Z.

    Args:
        load: what it would be if nobody waited elsewhere.
        cycle_ms: Z and what was waited so far.
    """
    asked = column(labelled("think time of its load", load * think_time_ms, "ms"))
    spare = labelled("think time that is left", np.subtract(cycle_ms, asked, out=asked), "ms")
    waits = response_with_spare(service_ms, spare, cycle_ms)
    waits = labelled("service and waiting", waits, "ms", note=CLOSED)
    waits -= service_ms
    return waits


def reference_cores(laws: Laws) -> FloatArray:
    """Cores that a law's machine had at least for its VM [cores], (n,): family A 4, family B 2.

    4^(1 − w)·2^w by `Laws.mixed` in between. Valid as that is. Sources: WV21 and the
    vSphere 4 paper, their vCPUs.

    >>> from tests.models.worlds import a_scenario, inputs_of
    >>> reference_cores(inputs_of(a_scenario()).laws).tolist()
    [2.0]
    """
    ones = np.ones(len(laws.weight))
    return laws.mixed(A_VCPUS * ones, VCPUS_PER_VM * ones)
