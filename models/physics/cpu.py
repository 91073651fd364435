"""CPU: load of VMs and hosts in core-seconds per second, and waiting for shared cores.

A VM's load does not depend on its neighbours; how long its virtual CPUs wait for a core does.
"""

from __future__ import annotations

import numpy as np

from models.base.quantities import BoolArray, FloatArray
from models.base.texts import say
from models.formulas.traced import (
    ONE,
    PER_CENT,
    TWO,
    Figure,
    at_least,
    at_most,
    labelled,
    plus,
    stated,
    steadied,
    where,
)
from models.physics.columns import some

CORES = say("cores")

TANGENT_FROM = Figure(
    0.95,
    say("where waiting goes on in a straight line"),
    why=say("a finite population can’t queue without end"),
)
"""Utilisation from which waiting grows in a straight line: a finite population can't queue
without end."""

NEIGHBOUR_WAIT = Figure(
    0.074,
    say("wait beside a busy core"),
    why=say(
        "vSphere 4 paper, table 1: 0.155 % ready at 28.7 % run beside a like VM, over 7.2 % of "
        "cores"
    ),
)
"""Ready over run time per share of the host's cores that other VMs keep busy.

A virtual CPU prefers the core it ran on and waits a moment when a neighbour has it. From the
vSphere 4 paper: table 1 has 0.155 % ready at 28.7 % run beside a like VM (28.7 % of 2 vCPUs, which
is 7.2 % of 8 cores): 0.155 / 28.7 / 0.072. Tables 5 and 6, one VM alone: 0.00 %."""


def waiting_ratio(cores: FloatArray, load: FloatArray) -> FloatArray:
    """Mean wait for a core over mean run, W/S, in M/M/c at an offered load.

    W/S ≈ ρ^(√(2(c+1)) − 1) / (c·(1 − ρ)): one power instead of a recursion, increasing and convex
    in the load. From ρ = 0.95 on it follows its tangent there.

    Valid up to ρ = 0.95, exact for c = 1. Up to 256 cores it is never more than 0.4 % below
    Erlang's C/(c − a) and errs high by 0.034 of a run at most: by 11 % at most where the wait is
    longer than 0.3 of a run, by 27 % where it is longer than 0.1, and in proportion by more the
    less there is (4 cores, ρ = 0.7: 0.385 for 0.357; 64 cores, ρ = 0.8: 0.0077 for 0.0044).

    Args:
        cores: c ≥ 1, any shape.
        load: offered load a [core-seconds per second]; broadcasts.

    Source: H. Sakasegawa, "An approximation formula L_q ≈ α·ρ^β/(1−ρ)", Annals of the Institute
    of Statistical Mathematics 29 (1977), pp. 67-75.

    >>> waiting_ratio(np.array([1.0, 8.0]), np.array([0.5, 6.4])).round(3).tolist()
    [1.0, 0.303]
    """
    twice = labelled("2 · (c + 1)", TWO * labelled("c + 1", cores + ONE))
    power = labelled("exponent", labelled("its root", np.sqrt(twice)) - ONE)
    rho = labelled("load of a core", load / cores)
    inside = labelled("load, up to 0.95", at_most(rho, TANGENT_FROM))
    spare = labelled("c · (1 − ρ)", cores * labelled("1 − ρ", ONE - inside))
    at = labelled("ρ to the exponent", inside**power) / spare
    beyond = rho > TANGENT_FROM
    if not some(beyond):
        return at
    at = labelled("waiting for a core", at, note=SAKASEGAWA)
    slope = (
        (power / TANGENT_FROM + 1 / (1 - TANGENT_FROM))
        * float(TANGENT_FROM) ** power
        / (cores * (1 - TANGENT_FROM))
    )
    slope = stated("slope of the tangent", slope, say("derivative at 0.95"))
    past = labelled("load past it", np.maximum(rho - TANGENT_FROM, 0.0))
    return at + labelled("beyond 0.95", slope * past)


SAKASEGAWA = say("H. Sakasegawa 1977, an approximation of M/M/c that is exact for one core")


def neighbour_ratio(
    cores: FloatArray,
    vcpus: FloatArray,
    own_vcpus: FloatArray,
    total: FloatArray,
    own: FloatArray,
    waits: FloatArray,
    alone: FloatArray,
) -> FloatArray:
    """Ready time over run time of a VM among others on its host.

    κ·(a − a_own)/c + Q·x/(Q + x) with Q = (W(c, a) − W(max(c, c_ref), a_own))·(1 − c/V)^e, x = V/c
    − 1 and e = 1.6/v^0.4: nil for a VM alone on a host of at least the cores that its law was
    measured on, growing with own and with others' load. M/M/c knows of infinitely many who may
    queue; here it is V virtual CPUs. Work beyond its own v waits inside a VM, not for a core, and
    with all of them at work each has c/V of a core, so that nobody waits more than x, and nobody
    where each has a core. Of others no more than all cores are busy.

    Args:
        cores: cores of the host c.
        vcpus: virtual CPUs of all VMs that run on the host V; `own_vcpus` those of the VM v.
        total: offered load of all VMs on the host a [cores], the VM's own included.
        own: offered load of the VM a_own [cores].
        waits: `waiting_ratio` of the host, W(c, a).
        alone: the same of the VM alone, on its host or on the machine of its law if larger.

    Valid below saturation; κ is from two VMs on 8 cores and goes in proportion from there. Of 2 to
    32 cores with like VMs of 1 to 4 vCPUs the queue's part is within 0.12 of a simulation up to 86
    % of the cores (`tests/slow/test_ready_simulation.py`); e is fitted to that. Sources: of κ
    the vSphere 4 paper, table 1 (`NEIGHBOUR_WAIT`), of W `waiting_ratio`; the bound is arithmetic.

    Two building blocks of 28.74 % of 2 vCPUs on 8 cores, 0.15 and 0.16 % ready as measured; and
    twelve VMs of 2 vCPUs that keep 86 % of 8 cores busy, 0.32 of what they run by simulation:

    >>> own, two = np.array([0.5748]), np.full(1, 2.0)
    >>> waits, alone = waiting_ratio(np.full(1, 8.0), 2 * own), waiting_ratio(np.full(1, 8.0), own)
    >>> ratio = neighbour_ratio(np.full(1, 8.0), 2 * two, two, 2 * own, own, waits, alone)
    >>> ready_pct(ratio, np.array([28.74]), np.array([False])).round(2).tolist()
    [0.15]
    >>> eight, all, none = np.full(1, 8.0), np.full(1, 6.88), np.zeros(1)
    >>> among = waiting_ratio(eight, all)
    >>> neighbour_ratio(eight, 12 * two, two, all, all, among, none).round(2).tolist()
    [0.29]
    """
    others = np.maximum(labelled("load of the others", total - own, CORES), 0.0)
    kept = labelled("share of cores kept busy by others", others / cores)
    beside = labelled("share, at most all", at_most(kept, ONE))
    beside = labelled("moments beside busy cores", NEIGHBOUR_WAIT * beside)
    each = labelled("vCPUs a core", vcpus / cores)
    crowd = np.maximum(labelled("vCPUs a core beyond one", each - ONE), 0.0)
    share = labelled("share of vCPUs without a core", crowd / at_least(each, ONE))
    why = say("1.6 over its own vCPUs to the power of 0.4, by simulation")
    steep = stated("power by its own vCPUs", vcpu_power(own_vcpus), why)
    more = np.maximum(labelled("more than alone", waits - alone), 0.0)
    queue = labelled("waiting of so many", more * labelled("few of them", share**steep))
    both = labelled("waiting and a turn each", np.maximum(queue + crowd, _NO_QUEUE))
    turns = labelled("waiting × a turn each", queue * crowd)
    waiting = labelled("waiting, a turn each at most", turns / both)
    return steadied(labelled("ready over run time", plus(beside, waiting)))


def vcpu_power(own_vcpus: FloatArray) -> FloatArray:
    """Power of 1 − c/V by which few virtual CPUs queue less than many [1]: e = 1.6/v^0.4.

    A VM of one vCPU keeps its own work waiting inside; the more it has, the more of it waits for
    cores. Valid for 1 to 4 vCPUs, as fitted. Source: fitted to the simulation of
    `neighbour_ratio`.

    >>> vcpu_power(np.array([1.0, 2.0, 4.0])).round(2).tolist()
    [1.6, 1.21, 0.92]
    """
    return 1.6 / np.maximum(own_vcpus, 1.0) ** 0.4


_NO_QUEUE = 1e-12


def of_vcpus_pct(cores: FloatArray, vcpus: FloatArray) -> FloatArray:
    """What VMs ask of their virtual CPUs [%], 100·cores/vCPUs: more than 100 where they ask for
    more than they have.

    Valid at any load. Source: the utilisation law, U = X·D per server.

    The building block on 2 vCPUs, and one that asks for more than it has:

    >>> of_vcpus_pct(np.array([0.5748, 2.5]), np.full(2, 2.0)).tolist()
    [28.74, 125.0]
    """
    return PER_CENT * labelled("load per vCPU", cores / vcpus)


def ready_pct(ratio: FloatArray, cpu_pct: FloatArray, physical: BoolArray) -> FloatArray:
    """Ready time per virtual CPU [% of wall time]; what runs can't be ready. None on bare metal.

    A virtual CPU that is asked for u per cent runs that long and waits ratio·u. Where that is more
    than all the time it is never idle: run and ready are 100 % together, so it runs 100/(1 + ratio)
    and is ready for the rest. Ready time grows with load and ratio, and stays below 100 %.

    Args:
        ratio: ready over run time.
        cpu_pct: load of the VM [% of its vCPUs].

    Valid as its ratio is, at any load, for VMs without reservations, shares and limits. vCPUs wait
    one by one: co-scheduling isn't in it.

    Source: the ready time of esxtop, as table 1 of the vSphere 4 paper prints it.

    >>> ready_pct(np.array([0.1, 9.0]), np.full(2, 60.0), np.array([False] * 2)).tolist()
    [6.0, 90.0]
    """
    never_idle = PER_CENT / labelled("1 + ratio", ONE + ratio)
    never_idle = labelled("what runs if never idle", never_idle)
    running = labelled("what runs", np.minimum(cpu_pct, never_idle), "%")
    return where(physical, 0.0, ratio * running)


def judged_high(known_high: FloatArray, unfounded: FloatArray, peak: float) -> FloatArray:
    """High end of a host's CPU that verdicts look at, as an average [core-seconds per second].

    High end of what is known + vCPUs without data/peak: what those take isn't known, but at peak
    they are no more than they are. Valid at any load. Source: docs/model.md, "When a host fails".

    Args:
        known_high: of what is known [core-seconds per second], any shape.
        unfounded: vCPUs of VMs without data that nothing vouches for, the same shape.
        peak: the policy's factor, at least 1.

    At most 2 core-seconds a second beside 2 vCPUs; at a peak of 2.5 that comes to 2.5·2 + 2:

    >>> (2.5 * judged_high(np.array([2.0]), np.array([2.0]), 2.5)).tolist()
    [7.0]
    """
    return known_high + unfounded / peak
