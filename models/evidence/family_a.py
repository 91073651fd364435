"""The law of evidence family A: Domino 7.0.2 NRPC mail on the x366 and the Clovertown machine.

One structural law gives CPU % and response time of a server with 4 CPUs (or a VM with 4 vCPUs)
from platform, storage path, RAM and connected benchmark users. Source: 13 parameters are fitted to
the 67 undoubted cells of "VMworld 2007 WV21", tables "IBM System x366 Test Results", "Intel
Clovertown results" and "Old vs. New Hardware"; two constants come from other documents
(`FamilyALaw`).

All functions take scalars or arrays and broadcast them; n is users in thousands throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
import numpy.typing as npt

from models.base.quantities import FloatArray
from models.base.texts import say
from models.evidence.rows import MEASURED, EvidenceRow
from models.formulas.traced import (
    ONE,
    TWO,
    Figure,
    at_most,
    column,
    labelled,
    opaque,
    plus,
    times,
    where,
)


class PlatformA(IntEnum):
    """Machine of the WV21 benchmark."""

    X366 = 0
    CLOVERTOWN = 1


class StorageA(IntEnum):
    """Way to the DS4800 array: native, raw device mapping or VMFS (both under ESX 3.0.1)."""

    PHYSICAL = 0
    RDM = 1
    VMFS = 2


REFERENCE_RAM_GIB = Figure(
    7.25, say("RAM of the smaller Clovertown"), "GiB", why=say("WV21: 7.25 GB")
)
"""RAM of the smaller Clovertown configuration [GiB]; every RAM effect is relative to it."""

DOUBLED_RAM_GIB = 14.5
"""RAM of the larger Clovertown configuration [GiB]; there the storage path costs no extra CPU."""

LARGEST_RUN = Figure(5.0, say("largest run"), why=say("WV21: 5,000 users with CPU"))
"""Largest run with a CPU figure [thousand users]; past it CPU grows in a straight line."""


THOUSAND = Figure(1000.0, say("a thousand"))
THOUSANDS, USERS = say("thousand"), say("users")
PATHS = {StorageA.PHYSICAL: say("native"), StorageA.RDM: "RDM", StorageA.VMFS: "VMFS"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FamilyALaw:
    """The parameters of the law; `docs/model.md` says which rows decide each.

    Fitted (13):

    Attributes:
        x366_cpu_pct, clovertown_cpu_pct: native CPU of the first 1,000 users [% of 4 CPUs].
        esx_cpu_factor: CPU under ESX 3.0.1 over native CPU [1].
        cpu_growth: growth of ln(CPU per user) per further 1,000 users [1].
        path_cpu_excess: extra ln(CPU) at 1,000 users and `REFERENCE_RAM_GIB`, per share of native
            capacity that the storage path loses [1].
        path_cpu_fall: fall of that excess per further 1,000 users [1].
        base_response_ms: response of an idle Clovertown at `REFERENCE_RAM_GIB` [ms].
        vmfs_users: users that saturate VMFS at `REFERENCE_RAM_GIB` [thousands].
        x366_users: users that saturate the x366 whatever its storage path [thousands].
        x366_stretch: on the physical x366 what an action asks for grows with the stretch of its
            queue to this power [1].
        rdm_users: users that saturate RDM on the Clovertown machine [thousands].
        native_factor: native over VMFS saturation [1].
        ram_exponent: saturation grows with RAM to this power [1].

    From other documents (not fitted to family A):

    Attributes:
        think_time_ms: mean time between the actions of a user [ms].
        miss_exponent: I/Os per transaction fall with RAM to this power [1].
    """

    x366_cpu_pct: float
    clovertown_cpu_pct: float
    esx_cpu_factor: float
    cpu_growth: float
    path_cpu_excess: float
    path_cpu_fall: float
    base_response_ms: float
    vmfs_users: float
    x366_users: float
    x366_stretch: float
    rdm_users: float
    native_factor: float
    ram_exponent: float
    think_time_ms: float
    miss_exponent: float


FITTED_PARAMETERS = 13


def example_law() -> FamilyALaw:
    """A law of round constants near the fitted ones, for examples."""
    return FamilyALaw(
        x366_cpu_pct=5.4,
        clovertown_cpu_pct=3.3,
        esx_cpu_factor=2.6,
        cpu_growth=0.09,
        path_cpu_excess=1.5,
        path_cpu_fall=0.66,
        base_response_ms=40.0,
        vmfs_users=5.4,
        x366_users=4.5,
        x366_stretch=0.3,
        rdm_users=4.3,
        native_factor=1.2,
        ram_exponent=0.2,
        think_time_ms=78_000.0,
        miss_exponent=0.42,
    )


def cpu_pct(
    law: FamilyALaw,
    *,
    platform: npt.ArrayLike,
    storage: npt.ArrayLike,
    ram_gib: npt.ArrayLike,
    users: npt.ArrayLike,
    lossy: npt.ArrayLike = True,
) -> FloatArray:
    """Offered CPU load [% of the machine's 4 CPUs or vCPUs]; may pass 100.

    ln CPU = ln a(platform) + ln v·[ESX] + ln n + c·(n − 1) + w(RAM)·L·(b − d·(n − 1))

    with n in thousands of users, L = `path_loss` and w falling from 1 at 7.25 GiB (and below) to 0
    at 14.5 GiB (and above) along log RAM. The extra CPU of the storage path is I/O that RAM spares.
    Past 5,000 users, the largest run with a CPU figure, CPU goes on in a straight line whose slope
    leaves the fall of the path's excess out: no credit for what was seen at saturated disks only.

    Args:
        lossy: whether the path is that of the runs, machine and array, whose loss costs CPU; behind
            others ESX costs its factor alone.

    Valid: 1,000-5,000 users, 6-14.5 GiB; each measured cell within 16 %. Source: fitted to the 35
    CPU values of WV21; docs/model.md, "Family A".

    >>> native = dict(platform=PlatformA.X366, storage=StorageA.PHYSICAL, ram_gib=6.0)
    >>> cpu_pct(example_law(), **native, users=[1000, 2000]).round(2).tolist()  # 5.4, 10.8·e^0.09
    [5.4, 11.82]
    """
    n = labelled("thousands of users", column(users) / THOUSAND)
    inside = labelled("thousands of users, as far as measured", at_most(n, LARGEST_RUN))
    past = labelled("thousands of users past the first", inside - 1.0)
    loss = where(lossy, path_loss(law, platform=platform, storage=storage), 0.0)
    first = where(_is(platform, PlatformA.X366), law.x366_cpu_pct, law.clovertown_cpu_pct)
    esx = where(_is(storage, StorageA.PHYSICAL), 1.0, law.esx_cpu_factor)
    rise = labelled("growth", law.cpu_growth * past)
    fall = labelled("its fall", law.path_cpu_fall * past)
    extra = labelled("extra CPU at this load", law.path_cpu_excess - fall)
    path = labelled("cost of the storage path", _low_ram_weight(ram_gib) * loss * extra)
    growth = labelled("growth and path", np.exp(labelled("exponent", plus(rise, path))))
    slope = labelled("slope of the straight line", _FIFTH + np.maximum(law.cpu_growth, 0.0))
    further = labelled("straight on", slope * labelled("thousands past it", n - inside))
    beyond = labelled("beyond the largest run", plus(1.0, further))
    load = times(times(times(first * esx, inside), growth), beyond)
    return labelled("CPU by the law of WV21", load, "%")


_FIFTH = Figure(1.0 / LARGEST_RUN, say("1 over the largest run"), why=say("WV21: 5,000 users"))


def response_ms(
    law: FamilyALaw,
    *,
    platform: npt.ArrayLike,
    storage: npt.ArrayLike,
    ram_gib: npt.ArrayLike,
    users: npt.ArrayLike,
) -> FloatArray:
    """Mean response time [ms]: finite and growing at any load, also past saturation.

    `response_at_load` of `base_response_ms` and `stretch_power` at the load of the busiest
    resource, which is the storage path (`path_load`) and at no measured point the CPU.

    R = r/(1 − U)^(1 + k) with r = `base_response_ms`, U = max(n/N*, CPU/100)·Z/(R + Z) and k =
    `stretch_power`

    Valid: 1,000-6,000 users, 6-14.5 GiB. No run passed 1 s: longer responses are extrapolated.

    >>> vmfs = dict(platform=PlatformA.CLOVERTOWN, storage=StorageA.VMFS, ram_gib=7.25)
    >>> response_ms(example_law(), **vmfs, users=[0, 2700]).round().tolist()  # 40/(1 − 0.5)
    [40.0, 80.0]
    """
    where = {"platform": platform, "storage": storage, "ram_gib": ram_gib}
    cpu_load = cpu_pct(law, **where, users=users) / 100.0
    load = np.maximum(path_load(law, **where, users=users), cpu_load)
    base = base_response_ms(law, ram_gib=ram_gib)
    stretch = stretch_power(law, platform, storage)
    return response_at_load(base, load, think_time_ms=law.think_time_ms, stretch=stretch)


def path_load(
    law: FamilyALaw,
    *,
    platform: npt.ArrayLike,
    storage: npt.ArrayLike,
    ram_gib: npt.ArrayLike,
    users: npt.ArrayLike,
) -> FloatArray:
    """Offered load of the way to the disks, n/N* with N* = `knee_users` [1 = saturation].

    Valid as the knee is: 6-14.5 GiB. Source: the utilisation law, U = X·D with X = n/Z.

    >>> vmfs = dict(platform=PlatformA.CLOVERTOWN, storage=StorageA.VMFS, ram_gib=7.25)
    >>> float(path_load(example_law(), **vmfs, users=2700).round(9))
    0.5
    """
    knee = knee_users(law, platform=platform, storage=storage, ram_gib=ram_gib)
    return labelled("load of the storage path", column(users) / knee)


def response_at_load(
    base_ms: npt.ArrayLike,
    load: npt.ArrayLike,
    *,
    think_time_ms: npt.ArrayLike,
    stretch: npt.ArrayLike = 0.0,
) -> FloatArray:
    """Response [ms] of a closed population at an offered load [1 = saturation].

    R = r / (1 − U) with U = load·Z/(R + Z): what r/(1 − load) becomes when users that wait do not
    ask. It solves R² + (Z·(1 − load) − r)·R − r·Z = 0, is r at no load and tends to the asymptote
    Z·(load − 1) of operational analysis past saturation (R = N/X − Z).

    Where more than the bottleneck fills up, what an action asks for there grows as well: r becomes
    r·(R/r)^k, with the stretch R/r of before. Below saturation that is r/(1 − load)^(1 + k); the
    asymptote stays.

    Args:
        base_ms: response of an idle server, r [ms].
        load: users over the users that saturate the bottleneck.
        think_time_ms: think time Z [ms].
        stretch: k, at least 0 and below 1, from where on the asymptote would not stay [1].

    Valid for r, Z > 0 and any load ≥ 0. Source: operational analysis, P. J. Denning, J. P. Buzen,
    ACM Computing Surveys 10(3), 1978 (response-time law and asymptotes).

    >>> response_at_load(40.0, [0.0, 0.5, 1.0], think_time_ms=78_000.0).round().tolist()
    [40.0, 80.0, 1786.0]
    >>> response_at_load(40.0, [0.0, 0.75], think_time_ms=1e9, stretch=0.5).round().tolist()
    [40.0, 320.0]
    """
    r, think = column(base_ms), column(think_time_ms)
    free = labelled("free share", 1.0 - column(load))
    spare = labelled("think time of the free share", think * free)
    single = response_with_spare(r, spare, think)
    if not np.count_nonzero(column(stretch) > 0.0):
        return single
    single = labelled("response with the path alone", single, "ms", note=CLOSED)
    over = labelled("its stretch over the response when idle", single / r)
    growth = labelled("what the stretch makes of an action", over ** column(stretch))
    action = labelled("response when idle, stretched", r * growth, "ms")
    return response_with_spare(action, spare, think)


CLOSED = say("r/(1 − U) of a closed population: users that wait do not ask")


def response_with_spare(
    base_ms: FloatArray, spare_ms: FloatArray, think_time_ms: FloatArray | float
) -> FloatArray:
    """`response_at_load` where Z·(1 − load) is known [ms], negative past saturation.

    The positive root of R² + (Z·(1 − load) − r)·R − r·Z = 0, without cancellation.
    Valid and from where `response_at_load` is.

    >>> response_with_spare(np.array([40.0]), np.array([39_000.0]), 78_000.0).round().tolist()
    [80.0]
    """
    half = column(labelled("less the response when idle", spare_ms - base_ms))
    half /= TWO
    half = labelled("half the spare think time, h", half, "ms")
    asked = labelled("response when idle × think time, r·Z", base_ms * think_time_ms)
    # Two forms of one root; each where it does not subtract two nearly equal numbers. In place:
    # large arrays cost more to get than to fill.
    root = column(labelled("h²", half * half))
    root += asked
    root = labelled("h² + r·Z", root)
    root = labelled("√(h² + r·Z)", np.sqrt(root, out=root), "ms")
    saturated = half <= 0.0
    if not np.count_nonzero(saturated):
        root += half
        root = labelled("√(h² + r·Z) + h", root, "ms")
        return np.divide(asked, root, out=root)
    if np.ndim(saturated) == 0:
        return root - half
    root += np.abs(half)
    return np.divide(asked, root, out=root, where=half > 0.0)


def base_response_ms(law: FamilyALaw, *, ram_gib: npt.ArrayLike) -> FloatArray:
    """Response of an idle server [ms]: r·(7.25/RAM)^miss_exponent, as I/Os per transaction fall.

    Of either machine. Valid: 6-14.5 GiB. Sources: of r the WV21 responses, of the exponent IOPS of
    the vSphere 4 paper, tables 5 and 6.

    >>> base_response_ms(example_law(), ram_gib=[7.25, 14.5]).round(1).tolist()
    [40.0, 29.9]
    """
    smaller = labelled("7.25 GiB over its RAM", REFERENCE_RAM_GIB / column(ram_gib))
    effect = labelled("effect of RAM", smaller**law.miss_exponent)
    return labelled("response of an idle server", law.base_response_ms * effect, "ms")


def stretch_power(law: FamilyALaw, platform: npt.ArrayLike, storage: npt.ArrayLike) -> FloatArray:
    """`stretch` of `response_at_load`: on the x366 its `x366_stretch`, more by a path under ESX; 0
    on Clovertown [1].

    k·N*(physical)/N*(path) of R = r/(1 − U)^(1 + k), with the capacities of the Clovertown machine:
    the path that loses more of them fills up sooner here too. That makes 12 % for RDM and 4 % for
    VMFS at 3,000 users, where the tables say 16 and 6 %. The cause of k is not known; the x366 has
    the slower CPU, which fills up beside the path. Valid: 6 GiB, 1,000-4,000 users. Source: fitted
    to the x366's responses of WV21.

    >>> paths = list(StorageA)
    >>> stretch_power(example_law(), PlatformA.X366, paths).round(3).tolist()
    [0.3, 0.452, 0.36]
    >>> stretch_power(example_law(), PlatformA.CLOVERTOWN, paths)
    0.0
    """
    native = _capacity(law, PlatformA.CLOVERTOWN, StorageA.PHYSICAL, 1.0)
    own = _capacity(law, PlatformA.CLOVERTOWN, storage, 1.0)
    over = labelled("native capacity over that of the path", native / own)
    stretch = where(_is(storage, StorageA.PHYSICAL), law.x366_stretch, law.x366_stretch * over)
    return where(_is(platform, PlatformA.X366), stretch, 0.0)


def knee_users(
    law: FamilyALaw, *, platform: npt.ArrayLike, storage: npt.ArrayLike, ram_gib: npt.ArrayLike
) -> FloatArray:
    """Users N* at which the storage path saturates: where the asymptotes of R meet [users].

    x366: the machine's own limit. Clovertown: VMFS·(RAM/7.25)^m, native a factor more, RDM its
    own limit where that is less. The position is fitted; its cause is not known (spindle
    arithmetic does not put it there, and CPU is at 28-82 %). Valid: 6-14.5 GiB; known to a tenth.
    Source: fitted to the 32 undoubted responses of WV21; docs/model.md, "Saturation".

    >>> vmfs = dict(platform=PlatformA.CLOVERTOWN, storage=StorageA.VMFS)
    >>> knee_users(example_law(), **vmfs, ram_gib=[7.25, 14.5]).round().tolist()
    [5400.0, 6203.0]
    """
    relative = labelled("RAM over 7.25 GiB", column(ram_gib) / REFERENCE_RAM_GIB)
    gain = labelled("gain by RAM", relative**law.ram_exponent)
    return labelled(
        "users that saturate the storage path",
        _capacity(law, platform, storage, gain) * THOUSAND,
        USERS,
        note=say("the position is fitted; its cause is not known"),
    )


def path_loss(law: FamilyALaw, *, platform: npt.ArrayLike, storage: npt.ArrayLike) -> FloatArray:
    """Share of the native capacity that the storage path loses at 7.25 GiB [1].

    1 − N*(path)/N*(native); nil on the x366, where the machine limits every path alike. Valid for
    the paths that ran. Source: N* as in `knee_users`.

    >>> paths = list(StorageA)
    >>> path_loss(example_law(), platform=PlatformA.CLOVERTOWN, storage=paths).round(3).tolist()
    [0.0, 0.336, 0.167]
    """
    native = _capacity(law, platform, StorageA.PHYSICAL, 1.0)
    own = _capacity(law, platform, storage, 1.0)
    share = labelled("capacity of the path over native", own / native)
    return labelled("share of capacity that the path loses", 1.0 - share)


def _capacity(
    law: FamilyALaw, platform: npt.ArrayLike, storage: npt.ArrayLike, ram_gain: FloatArray | float
) -> FloatArray:
    def path() -> str:
        return PATHS[StorageA(int(np.asarray(storage)))]

    native = where(_is(storage, StorageA.PHYSICAL), law.native_factor, 1.0)
    disk = labelled("by disks, {path}", law.vmfs_users * ram_gain * native, THOUSANDS, path=path)
    rdm = where(_is(storage, StorageA.RDM), law.rdm_users, np.inf)
    own = where(_is(platform, PlatformA.X366), law.x366_users, rdm)
    return labelled("saturation, {path}", np.minimum(disk, own), THOUSANDS, path=path)


def _low_ram_weight(ram_gib: npt.ArrayLike) -> FloatArray:
    doublings = opaque(
        "doublings of RAM up to 14.5 GiB",
        lambda ram: np.maximum(np.log2(DOUBLED_RAM_GIB / ram), 0.0),
        column(ram_gib),
        "binary logarithm of 14.5 GiB over {value} GiB",
    )
    return labelled("weight of low RAM", np.minimum(doublings, ONE))


def _is(codes: npt.ArrayLike, code: IntEnum) -> npt.NDArray[np.bool_]:
    return np.asarray(np.asarray(codes) == int(code))


QUANTITIES = ("cpu_pct", "response_ms")


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredRun:
    """One figure of one run; `doubted` where its authors suspect it.

    Attributes:
        id: of its evidence row.
        quantity: ``cpu_pct`` or ``response_ms``.
        platform, storage: codes `PlatformA` and `StorageA`.
        users: benchmark users.
        value: in the quantity's unit.
    """

    id: str
    quantity: str
    platform: int
    storage: int
    ram_gib: float
    users: int
    value: float
    doubted: bool


def measured_runs(rows: Sequence[EvidenceRow]) -> tuple[MeasuredRun, ...]:
    """Every measured figure of family A, the doubted ones among them, in the order of the rows."""
    return tuple(
        _run(row, row.users, row.value)
        for row in rows
        if row.family == "A" and row.kind == MEASURED and row.metric in QUANTITIES
        if row.users is not None and row.value is not None
    )


def _run(row: EvidenceRow, users: int, value: float) -> MeasuredRun:
    _, platform, storage, *_ = row.id.split("/")
    return MeasuredRun(
        id=row.id,
        quantity=row.metric,
        platform=int(PlatformA[platform.upper()]),
        storage=int(StorageA[storage.upper()]),
        ram_gib=float(row.ram_gb),
        users=users,
        value=value,
        doubted=row.doubted,
    )
