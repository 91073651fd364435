"""Response time: a closed population at its busiest resource, stretched by neighbours' queues.

R = response_at_load(r·s, L) of family A's law, with
  r  response of an idle server [ms],
  L  load of the busiest resource: storage path n/N*, own vCPUs, the host's cores, the pool's disks,
  s  stretch by waiting that neighbours cause, for cores or for disks, whichever is more.

Alone on hardware like that of the measurement, s is 1, L is the law's own, and R is the law. How
much of a response is CPU and how much is disk is not published, so the larger of the two stretches
counts in full for the value and not at all for the low end of the interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.demand import A_VCPUS, B_RAM_GIB, Laws
from models.family_a import FamilyALaw, base_response_ms, knee_users, response_at_load
from models.family_constants import VCPUS_PER_VM, FamilyConstants
from models.quantities import BoolArray, FloatArray
from models.storage import REFERENCE_LIMIT_IOPS, bounded_queue

CLUSTER_RAM_GIB = 2 * B_RAM_GIB
"""RAM of the one NRPC run of family B with a response time (table 3)."""


@dataclass(frozen=True, slots=True, eq=False)
class Alone:
    """A VM without neighbours, shape (n,): idle response [ms] and load of its busiest resource."""

    base_ms: FloatArray
    load: FloatArray


def alone(
    laws: Laws,
    *,
    users: FloatArray,
    ram_gib: FloatArray,
    core_seconds: FloatArray,
    vcpus: FloatArray,
    law: FamilyALaw,
    constants: FamilyConstants,
) -> Alone:
    """What the law of each VM's family says of it; NaN where no family has a response time.

    Family B has one response time, 61 ms at 4,000 users in a Domino cluster at 16 GB and 32 % of 2
    vCPUs: r follows from it, falls with RAM as family A's does, and its busiest resource is taken
    to be the vCPUs. A slower machine lengthens r in proportion; a faster one doesn't shorten it,
    because disks don't get faster with it.
    """
    load = core_seconds / vcpus
    base = family_b_base_ms(law, constants) * (CLUSTER_RAM_GIB / ram_gib) ** law.miss_exponent
    if laws.some_a:
        where = {"platform": laws.platform, "ram_gib": ram_gib}
        base = np.where(laws.family_a, base_response_ms(law, **where), base)
        path = users / knee_users(law, **where, storage=laws.storage)
        np.maximum(load, path, out=load, where=laws.family_a)
    known = laws.family_a | laws.family_b
    return Alone(
        np.where(known, base * np.maximum(laws.slowness, 1.0), np.nan),
        np.where(known, np.maximum(load, 0.0), np.nan),
    )


def family_b_base_ms(law: FamilyALaw, constants: FamilyConstants) -> float:
    """Response of an idle server of family B at 16 GB [ms]: r = R·(1 − U), U = L·Z/(R + Z)."""
    measured = constants.cluster85.response_ms.value
    busy = constants.cluster85.cpu_pct.value / 100
    return measured * (1 - busy * law.think_time_ms / (measured + law.think_time_ms))


def disk_stretch(own_iops: FloatArray, total_iops: FloatArray, limit: FloatArray) -> FloatArray:
    """1 + Q(U) − Q(U_own): queueing at a pool beyond what the law holds already, shape (n,).

    U_own is the VM alone on this pool or on one of the WV21 runs' size, whichever is larger, so
    that a pool as measured adds nothing, neighbours add, and too few spindles add.
    """
    reference = own_iops / np.fmax(limit, REFERENCE_LIMIT_IOPS)
    extra = bounded_queue(total_iops / limit) - bounded_queue(reference)
    return 1 + np.fmax(extra, 0.0)


def mean_ms(
    alone: Alone, *, stretch: FloatArray, shared_load: FloatArray, think_time_ms: float
) -> FloatArray:
    """Mean response among neighbours [ms]; finite and growing in every load."""
    load = np.fmax(alone.load, shared_load)
    return response_at_load(alone.base_ms * stretch, load, think_time_ms=think_time_ms)


def reference_cores(family_a: BoolArray) -> FloatArray:
    """Cores that a law's machine had at least for its VM: family A 4, family B its 2 vCPUs."""
    return np.where(family_a, A_VCPUS, VCPUS_PER_VM)
